"""Whatever somebody writes is refused with a reason, or runs to an end; nothing hangs."""

import copy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.agent.app import App
from services.workflows import WorkflowRuns, read_definition, workflow_problems, workflow_runs
from services.workflows.workflow_shape import WorkflowProblem
from tests.services.retrieval.conftest import W
from tests.services.workflows.conftest import open_filled

IDS = [f"n{n}" for n in range(7)]
CONDITIONS = [
    "true",
    "false",
    "latest",
    "iteration < 2",
    "iteration > 1",
    "len(logs) > 3",
    "result",
    "error",
    "mood",
    "1 +",
]
LISTS = ["[1, 2, 3]", "[]", '["a", "a"]', "execution_trace[:2]", "goal", "verdicts", "7"]


@pytest.fixture(scope="module")
def runs() -> Iterator[tuple[App, WorkflowRuns]]:
    with tempfile.TemporaryDirectory() as home:
        services = open_filled(Path(home))
        yield services, workflow_runs(services)
        services.close()


@st.composite
def nodes(draw: st.DrawFn, id: str) -> dict[str, Any]:
    """A node of any type, with fields that mostly fit."""
    kind = draw(st.sampled_from(["conditional", "conditional", "fanout", "loop", "merge", "tool"]))
    found: dict[str, Any] = {"id": id, "type": kind}
    body = st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True)
    match kind:
        case "conditional":
            found |= draw(st.fixed_dictionaries({}, optional={"condition": st.sampled_from(CONDITIONS)}))
        case "fanout":
            found["body"] = draw(body)
            found |= draw(
                st.fixed_dictionaries({}, optional={"inputs": st.fixed_dictionaries({"item": st.sampled_from(LISTS)})})
            )
        case "loop":
            found |= {
                "body": draw(body),
                "condition": draw(st.sampled_from(CONDITIONS)),
                "max_iters": draw(st.integers(1, 3)),
            }
        case "merge":
            found["strategy"] = draw(st.sampled_from(["list", "object", "first", "concat"]))
            found["inputs"] = {"items": draw(st.sampled_from(LISTS))}
            found["outputs"] = {"result": "latest"}
        case "tool":
            found |= {
                "tool": "facts_at",
                "inputs": {"entity": draw(st.sampled_from(['"Ada"', "goal", "latest", "item"]))},
            }
            found["outputs"] = {"total": draw(st.sampled_from(["latest", "drafts[item]", "verdicts.x[]"]))}
    return found


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(1, len(IDS)))
    ids = IDS[:count]
    edge = st.fixed_dictionaries(
        {"from": st.sampled_from(ids), "to": st.sampled_from(ids)}, optional={"condition": st.sampled_from(CONDITIONS)}
    )
    found = {
        "name": "Random",
        "entry_node_id": ids[0],
        "nodes": [draw(nodes(id)) for id in ids],
        "edges": draw(st.lists(edge, max_size=9)),
        "limits": {"max_steps": draw(st.integers(1, 25)), "timeout_ms": 20_000},
    }
    return draw(repaired(found)) if draw(st.integers(0, 3)) else found


def repaired(document: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """The same, with what is refused taken away, so that most of it runs."""
    found = copy.deepcopy(document)
    for _ in range(30):
        problems = workflow_problems(found)
        if not problems:
            break
        _repair(found, problems[0])
    return st.just(found)


def _repair(document: dict[str, Any], problem: WorkflowProblem) -> None:
    by_id = {node["id"]: node for node in document["nodes"]}
    node = by_id.get(problem.node)
    if node is None:
        document["edges"].clear()
    elif problem.message.startswith("No path leads from the start"):
        document["edges"].insert(
            0, {"from": document["entry_node_id"], "to": problem.node, "condition": "len(logs) > 3"}
        )
    elif problem.field.startswith("edge"):
        document["edges"] = [edge for edge in document["edges"] if edge["from"] != problem.node]
    elif problem.field == "condition":
        node["condition"] = "true"
    elif problem.field == "body":
        others = [id for id in by_id if id != problem.node]
        node["body"] = others[:1] or node["body"]
    else:
        node.pop("inputs", None)
        node.pop("outputs", None)
        node.pop("strategy", None)
        node["type"] = "conditional"
        for field in ("tool", "body", "max_iters"):
            node.pop(field, None)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(documents())
def test_a_random_workflow_is_refused_or_comes_to_an_end(
    runs: tuple[App, WorkflowRuns], document: dict[str, Any]
) -> None:
    services, of_process = runs
    problems = workflow_problems(document)
    if problems:
        assert all(problem.message.endswith(".") or problem.message for problem in problems)
        return
    begun = of_process.start(services.workspace(W), read_definition(document), "Ada")
    ended = of_process.wait(begun.id, 15)
    assert ended.state in ("done", "failed")
    assert ended.executor == "graph", ended.notes
    assert ended.state == "done" or ended.problem
    of_process.delete(begun.id)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([*IDS, *CONDITIONS, "agent", "loop"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "type", "from", "to", "body", "inputs", "condition", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(["name", "entry_node_id", "nodes", "edges", "limits", "description", "mood"])


@given(st.dictionaries(FIELDS, VALUES, max_size=7) | VALUES)
def test_any_json_is_told_what_is_wrong_with_it(document: Any) -> None:
    assert all(isinstance(problem, WorkflowProblem) and problem.message for problem in workflow_problems(document))
