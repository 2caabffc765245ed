"""Both executors go the same ways: branches side by side, loops, merges, errors, and the limit of steps."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from services.core.json_documents import Json
from services.workflows.definition import WorkflowDefinition
from services.workflows.executors import run_graph, run_in_sequence
from services.workflows.expressions import holds
from services.workflows.walk import Activation, BranchStart, StateWrite, StepOutcome, Walk, begin
from tests.services.workflows.conftest import agent, workflow

Act = Callable[[Activation, Json], StepOutcome]
Executor = Callable[[WorkflowDefinition, Act], Walk]
FANOUT = {"id": "f", "type": "fanout", "body": ["a", "b", "c", "d"]}
MERGE = {"id": "m", "type": "merge"}


def next_of(definition: WorkflowDefinition, node: str, names: Json) -> str | None:
    """The first edge that holds, as a node that does nothing takes it."""
    edges = definition.edges_from[node]
    return next((e.target for e in edges if not e.condition or (not e.is_error and holds(e.condition, names))), None)


def idle(definition: WorkflowDefinition) -> Act:
    """Nodes that do nothing but go on, and write that they were there."""

    def act(one: Activation, names: Json) -> StepOutcome:
        node = definition.by_id[one.node]
        writes = (StateWrite(("seen",), one.key, appends=True),)
        if node.type == "fanout":
            return StepOutcome(
                writes, way="branches", branches=tuple(BranchStart(s, s) for s in definition.starts(node))
            )
        if node.type == "loop" and not (one.returns_to(node.id) and one.iteration >= definition.passes(node)):
            return StepOutcome(writes, way="body", target=node.body[0])
        return StepOutcome(writes, target=next_of(definition, one.node, names))

    return act


@pytest.fixture(params=["graph", "sequence"])
def execute(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:

        def run(definition: WorkflowDefinition, act: Act) -> Walk:
            def step(one: Activation, names: Json, label: str, position: int) -> StepOutcome:
                return act(one, names)

            walk = begin(definition, {"seen": []})
            if request.param == "sequence":
                return run_in_sequence(definition, walk, step, lambda _: None)
            return run_graph(definition, walk, step, lambda _: None, SqliteSaver(connection), "run")

        yield run


def test_branches_meet_at_the_merge_which_runs_once(execute: Executor) -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE, agent("z")], *(f"{x} -> m" for x in "abcd"), "m -> z")
    walk = execute(definition, idle(definition))
    assert walk.values["seen"] == ["f#1", "a@f#1:a#1", "b@f#1:b#1", "c@f#1:c#1", "d@f#1:d#1", "m#1", "z#1"]
    assert (walk.problem, walk.steps) == ("", 7)


def test_all_branches_have_begun_before_the_first_one_ends() -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], *(f"{x} -> m" for x in "abcd"))
    barrier, passed = threading.Barrier(4, timeout=20), []
    rest = idle(definition)

    def step(one: Activation, names: Json, label: str, position: int) -> StepOutcome:
        if one.branch:
            barrier.wait()
            passed.append(label)
        return rest(one, names)

    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        run_graph(definition, begin(definition, {}), step, lambda _: None, SqliteSaver(connection), "run")
    assert sorted(passed) == ["a", "b", "c", "d"]


def test_no_more_branches_run_side_by_side_than_the_limit_allows() -> None:
    limits = {"max_parallel": 2}
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], *(f"{x} -> m" for x in "abcd"), limits=limits)
    lock, open_now, most, rest = threading.Lock(), [], [], idle(definition)
    pairs = threading.Barrier(2, timeout=20)

    def step(one: Activation, names: Json, label: str, position: int) -> StepOutcome:
        if one.branch:
            with lock:
                open_now.append(label)
                most.append(len(open_now))
            pairs.wait()
            with lock:
                open_now.remove(label)
        return rest(one, names)

    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        run_graph(definition, begin(definition, {}), step, lambda _: None, SqliteSaver(connection), "run")
    assert max(most) == 2


def test_a_branch_sees_its_own_writes_alone_until_all_have_met(execute: Executor) -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], *(f"{x} -> m" for x in "abcd"))
    rest, found = idle(definition), {}

    def act(one: Activation, names: Json) -> StepOutcome:
        found[one.node] = dict(names.get("x", {}))
        outcome = rest(one, names)
        return StepOutcome(
            (*outcome.writes, StateWrite(("x", one.node), 1)), outcome.way, outcome.target, outcome.branches
        )

    execute(definition, act)
    assert found["a"] == found["d"] == {"f": 1}
    assert found["m"] == {"f": 1, "a": 1, "b": 1, "c": 1, "d": 1}


def test_a_loop_makes_exactly_as_many_passes_as_it_may(execute: Executor) -> None:
    loop = {"id": "l", "type": "loop", "body": ["a", "b"], "condition": "false", "max_iters": 3}
    definition = workflow([loop, agent("a"), agent("b"), agent("z")], "a -> b", "l -> z")
    walk = execute(definition, idle(definition))
    assert [key.partition("#")[0] for key in walk.values["seen"]] == [
        "l",
        "a",
        "b",
        "l",
        "a",
        "b",
        "l",
        "a",
        "b",
        "l",
        "z",
    ]


def test_a_fan_out_in_a_loop_and_a_loop_in_a_branch_find_back(execute: Executor) -> None:
    nodes = [
        {"id": "l", "type": "loop", "body": ["f", "a", "i", "b", "m"], "condition": "false", "max_iters": 2},
        {"id": "f", "type": "fanout", "body": ["a", "i"]},
        agent("a"),
        {"id": "i", "type": "loop", "body": ["b"], "condition": "false", "max_iters": 2},
        agent("b"),
        MERGE,
        agent("z"),
    ]
    definition = workflow(nodes, "a -> m", "i -> m", "m -> l", "l -> z", limits={"max_iters": 3})
    walk = execute(definition, idle(definition))
    seen = [key.partition("#")[0].partition("@")[0] for key in walk.values["seen"]]
    assert (seen.count("b"), seen.count("m"), seen.count("a"), seen[-1]) == (4, 2, 2, "z")


def test_branches_that_end_before_the_merge_are_not_waited_for(execute: Executor) -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], "a -> m", "b -> m")
    walk = execute(definition, idle(definition))
    assert walk.values["seen"][-1] == "m#1"


def test_a_merge_that_no_branch_came_to_does_not_run(execute: Executor) -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], "a -> m if false")
    assert execute(definition, idle(definition)).values["seen"][-1] == "d@f#1:d#1"


def test_a_cycle_ends_at_the_limit_of_steps_which_is_named(execute: Executor) -> None:
    definition = workflow([agent("a"), agent("b")], "a -> b", "b -> a", limits={"max_steps": 7})
    walk = execute(definition, idle(definition))
    assert walk.steps == 7
    assert walk.problem == "b: the run stopped after 7 steps, the limit in limits.max_steps (7)."


def test_a_fault_of_a_node_ends_the_run_with_what_was_finished(execute: Executor) -> None:
    definition = workflow([FANOUT, *map(agent, "abcd"), MERGE], *(f"{x} -> m" for x in "abcd"))
    rest = idle(definition)

    def act(one: Activation, names: Json) -> StepOutcome:
        return StepOutcome(problem="b: It is broken.", ends_run=True) if one.node == "b" else rest(one, names)

    walk = execute(definition, act)
    assert walk.problem == "b: It is broken."
    assert [k.partition("@")[0] for k in walk.state()["seen"]] == ["f#1", "a", "c", "d"]
    assert walk.ready == []


def test_a_run_that_broke_off_goes_on_from_its_checkpoint_without_what_had_finished() -> None:
    definition = workflow([agent("a"), agent("b"), agent("c")], "a -> b", "b -> c")
    rest, ran = idle(definition), []

    def step(one: Activation, names: Json, label: str, position: int) -> StepOutcome:
        ran.append(one.node)
        if one.node == "b" and ran.count("b") == 1:
            raise KeyboardInterrupt
        return rest(one, names)

    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        saver: Any = SqliteSaver(connection)
        with pytest.raises(KeyboardInterrupt):
            run_graph(definition, begin(definition, {"seen": []}), step, lambda _: None, saver, "run")
        walk = run_graph(definition, begin(definition, {"seen": []}), step, lambda _: None, saver, "run")
        assert run_graph(definition, begin(definition, {}), step, lambda _: None, saver, "run").values == walk.values
    assert ran == ["a", "b", "b", "c"]
    assert walk.values["seen"] == ["a#1", "b#1", "c#1"]
