"""A document is a workflow, or each of its problems names the node and the field."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from services.core.errors import BadInput
from services.workflows import builtin_workflow, definition_document, read_definition, workflow_problems
from services.workflows.library import DEFAULT_NAME
from tests.services.workflows.conftest import agent, document

ROOT = Path(__file__).parents[3]
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/workflow.schema.json").read_text()))
DEFAULT = json.loads((ROOT / "services/workflows/default_workflow.json").read_text())
NODES = {
    "triage",
    "select_search",
    "search_sql",
    "search_neo4j",
    "search_aisearch",
    "should_search",
    "report_fanout",
    "report_branch",
    "review_loop",
    "review",
    "reporter_improve",
    "stitch",
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The default workflow with another value at a place; None takes the field away."""
    found = deepcopy(DEFAULT)
    place = found
    for key in path[:-1]:
        place = (
            next(n for n in place if n["id"] == key) if isinstance(place, list) and isinstance(key, str) else place[key]
        )
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return found


def test_the_default_workflow_has_the_nodes_and_limits_that_are_known() -> None:
    found = builtin_workflow()
    assert (found.name, found.entry_node_id) == (DEFAULT_NAME, "triage")
    assert set(found.by_id) == NODES
    limits = found.limits
    assert (limits.max_steps, limits.timeout_ms, limits.max_iters, limits.max_parallel) == (100, 300_000, 3, 10)
    assert found.merges == {"report_fanout": "stitch"}
    assert [found.by_id[id].label for id in ("search_sql", "search_neo4j", "search_aisearch")] == [
        "SQL",
        "Graph",
        "Documents",
    ]


def test_the_schema_takes_the_default_workflow_and_what_is_written_back() -> None:
    assert list(SCHEMA.iter_errors(DEFAULT)) == []
    written = definition_document(builtin_workflow())
    assert list(SCHEMA.iter_errors(written)) == []
    assert read_definition(written) == builtin_workflow()


SHAPES = [
    (changed("name", to=None), "name: This field is required."),
    (changed("name", to="  "), "name: This field cannot be empty."),
    (changed("nodes", to={}), "nodes: Make this field a list."),
    (changed("nodes", to=[]), "nodes: Add at least one node."),
    (changed("mood", to="x"), "mood: Unknown field"),
    (changed("nodes", 0, "id", to="a b"), "nodes[0].id: Use 1 to 64 letters"),
    (changed("nodes", "triage", "type", to="agents"), "triage: type: Use one of agent, tool, conditional"),
    (changed("nodes", "triage", "body", to=["review"]), "triage: body: Unknown field. A node of type agent"),
    (changed("nodes", "triage", "agent", to=None), "triage: agent: This field is required."),
    (changed("nodes", "triage", "inputs", to=[]), "triage: inputs: Make this field a JSON object."),
    (
        changed("nodes", "triage", "outputs", "triage", to=3),
        "triage: outputs.triage: Write a path such as `drafts[reporter_id]`.",
    ),
    (changed("nodes", "review_loop", "max_iters", to=0), "review_loop: max_iters: Use a whole number from 1 to 100."),
    (changed("nodes", "review_loop", "max_iters", to=True), "review_loop: max_iters: Use a whole number"),
    (changed("nodes", "stitch", "strategy", to="glue"), "stitch: strategy: Use one of stitch, concat"),
    (changed("nodes", "review_loop", "body", to=[]), "review_loop: body: Use a node's id"),
    (changed("edges", 0, "to", to=None), "edges[0].to: This field is required."),
    (changed("edges", 0, "if", to="x"), "edges[0].if: An edge can have only these fields: from, to, condition."),
    (changed("limits", "max_steps", to=0), "limits.max_steps: Use a whole number from 1 to 1,000."),
    (changed("limits", "max_time", to=1), "limits.max_time: Unknown limit"),
    ([], "A workflow must be a JSON object."),
]


@pytest.mark.parametrize(("given", "told"), SHAPES)
def test_a_wrong_shape_is_named_and_the_schema_refuses_it_too(given: Any, told: str) -> None:
    assert str(workflow_problems(given)[0]).startswith(told)
    assert list(SCHEMA.iter_errors(given))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (changed("entry_node_id", to="start"), "entry_node_id: There is no node “start”."),
        (changed("edges", 0, "to", to="nowhere"), "edges[0].to: There is no node “nowhere”."),
        (changed("nodes", "triage", "agent", to="Nobody"), "triage: agent: There is no agent “Nobody”"),
        (changed("nodes", "triage", "inputs", "goal", to=None), "triage: inputs.goal: This input is required."),
        (changed("nodes", "triage", "inputs", "mood", to="goal"), "triage: inputs.mood: Unknown name"),
        (changed("nodes", "triage", "outputs", "mood", to="x"), "triage: outputs.mood: Unknown name"),
        (changed("nodes", "triage", "inputs", "goal", to="gaol"), "triage: inputs.goal: No node writes “gaol”."),
        (
            changed("nodes", "triage", "outputs", "triage", to="a + b"),
            "triage: outputs.triage: “a + b” is not a path that a node can write",
        ),
        (
            changed("nodes", "triage", "outputs", "triage", to="goal"),
            "triage: outputs.triage: A node cannot write “goal”",
        ),
        (
            changed("nodes", "should_search", "condition", to="open('x')"),
            "should_search: condition: “open('x')” can call only",
        ),
        (changed("nodes", "review_loop", "body", to=["review", "stitch"]), ""),
        (
            changed("nodes", "review_loop", "body", to=["review", "triage"]),
            "review_loop: body: No path leads from",
        ),
        (
            changed("nodes", "review_loop", "body", to="review_loop"),
            "review_loop: body: A node cannot contain itself.",
        ),
        (
            changed("limits", "max_iters", to=2),
            "review_loop: max_iters: Use at most 2, the limit in limits.max_iters.",
        ),
        (
            changed("nodes", "report_fanout", "inputs", "goal", to="[]"),
            "report_fanout: inputs: Give a fan-out exactly one input",
        ),
        (
            changed("edges", 1, "condition", to="result ="),
            "should_search: edge to select_search: “result =” is not a valid expression",
        ),
        (
            changed("edges", 1, "condition", to=None),
            "should_search: edge to report_fanout: The run never takes this edge",
        ),
    ],
)
def test_a_wrong_meaning_is_named_by_node_and_field(given: Any, told: str) -> None:
    assert "\n".join(map(str, workflow_problems(given))).startswith(told)
    assert list(SCHEMA.iter_errors(given)) == []
    if told:
        with pytest.raises(BadInput) as error:
            read_definition(given)
        assert error.value.message.startswith(told)


def test_a_node_that_nothing_leads_to_and_two_of_one_id_are_told() -> None:
    alone = document([agent("a"), agent("b")])
    assert [str(p) for p in workflow_problems(alone)] == ["b: No path leads from the start to this node."]
    assert [str(p) for p in workflow_problems(document([agent("a"), agent("a")]))] == [
        "a: id: Another node has this id. Change one of them."
    ]


def test_branches_that_meet_at_two_merges_are_refused() -> None:
    nodes = [
        {"id": "f", "type": "fanout", "body": ["a", "b"]},
        agent("a"),
        agent("b"),
        {"id": "m", "type": "merge"},
        {"id": "n", "type": "merge"},
    ]
    found = workflow_problems(document(nodes, "a -> m", "b -> n"))
    assert [str(p) for p in found] == ["f: body: The branches meet at several merges: m, n. Keep one of them."]


def test_a_tool_has_its_own_inputs_and_one_that_writes_is_refused() -> None:
    tool = {"id": "t", "type": "tool", "tool": "facts_at", "inputs": {"entity": "goal"}, "outputs": {"text": "latest"}}
    assert workflow_problems(document([tool])) == ()
    told = str(workflow_problems(document([{**tool, "inputs": {"who": "goal"}}]))[0])
    assert told.startswith("t: inputs.who: Unknown name; available: entity, relation")
    told = str(workflow_problems(document([{**tool, "tool": "knowledge_ingest"}]))[0])
    assert "changes the graph, but a workflow can only read" in told
