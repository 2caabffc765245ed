"""The two ways to make a run: LangGraph, whose checkpoints let it go on after a crash, and one node after another."""

from typing import Any

from services.workflows.compiler import Seen, Step, compiled, tasks
from services.workflows.definition import WorkflowDefinition
from services.workflows.langgraph_library import untraced
from services.workflows.walk import Walk, advance, read_walk


def run_graph(
    definition: WorkflowDefinition, walk: Walk, step: Step, seen: Seen, checkpointer: Any, run_id: str
) -> Walk:
    """Return how a run has ended that LangGraph makes. One that has a checkpoint goes on from the latest.

    Raises what `step` and `seen` raise, and whatever is wrong with LangGraph or its checkpoints.
    """
    with untraced():
        graph = compiled(definition, step, seen, checkpointer)
        config = {
            "configurable": {"thread_id": run_id},
            "max_concurrency": definition.limits.max_parallel,
            "recursion_limit": 2 * definition.limits.max_steps + 10,  # super-steps; the walk counts nodes itself
        }
        before = graph.get_state(config)
        if before.values and not before.next:
            return read_walk(before.values["walk"])
        given = None if before.next else {"walk": walk.document(), "outcomes": {}}
        return read_walk(graph.invoke(given, config, durability="sync")["walk"])


def run_in_sequence(definition: WorkflowDefinition, walk: Walk, step: Step, seen: Seen) -> Walk:
    """Return how a run has ended whose nodes ran one after another. Raises what `step` and `seen` raise."""
    seen(walk)
    while walk.ready:
        outcomes = {one.key: step(one, task["names"], task["label"], task["position"]) for one, task in tasks(walk)}
        advance(definition, walk, outcomes)
        seen(walk)
    return walk
