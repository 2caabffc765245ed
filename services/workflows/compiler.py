"""A workflow as a graph of LangGraph: a node for each of its nodes, and one that takes in what they gave and goes on.

Branches and loops are flat: a node is sent what it has to know of them, and no graph stands within another.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypedDict

from services.core.json_documents import Json
from services.workflows.definition import WorkflowDefinition
from services.workflows.langgraph_library import graph_parts
from services.workflows.walk import (
    Activation,
    StepOutcome,
    Walk,
    advance,
    read_activation,
    read_outcome,
    read_walk,
)

ADVANCE = "asof.advance"
"""The node that goes on; no node of a workflow can have a point in its id."""

Step = Callable[[Activation, Json, str, int], StepOutcome]
"""Runs a node: with what it may read, the label of its branch, and its place in the trace."""

Seen = Callable[[Walk], None]
"""Hears how far a run is, and raises what stops it."""


def _gathered(before: Json | None, more: Json | None) -> Json:
    """The outcomes of nodes that ran side by side; None lets go of them."""
    return {} if more is None else {**(before or {}), **more}


class RunGraphState(TypedDict):
    """What a checkpoint keeps."""

    walk: Json
    outcomes: Annotated[Json, _gathered]


def compiled(definition: WorkflowDefinition, step: Step, seen: Seen, checkpointer: Any) -> Any:
    """Return the graph of a workflow, whose nodes are run by `step`."""
    state_graph, start, end, send = graph_parts()

    def work(sent: Mapping[str, Any]) -> Json:
        one = read_activation(sent["activation"])
        outcome = step(one, sent["names"], sent["label"], sent["position"])
        return {"outcomes": {one.key: outcome.document()}}

    def go_on(state: RunGraphState) -> Json:
        walk = read_walk(state["walk"])
        if state["outcomes"]:
            advance(definition, walk, {key: read_outcome(one) for key, one in state["outcomes"].items()})
        seen(walk)
        return {"walk": walk.document(), "outcomes": None}

    def following(state: RunGraphState) -> Any:
        walk = read_walk(state["walk"])
        return [send(one.node, task) for one, task in tasks(walk)] or end

    builder = state_graph(RunGraphState)
    builder.add_node(ADVANCE, go_on)
    for node in definition.nodes:
        builder.add_node(node.id, work)
        builder.add_edge(node.id, ADVANCE)
    builder.add_edge(start, ADVANCE)
    builder.add_conditional_edges(ADVANCE, following, [*definition.by_id, end])
    return builder.compile(checkpointer=checkpointer, name=definition.name)


def tasks(walk: Walk) -> list[tuple[Activation, Json]]:
    """Return the nodes that are ready, each with what it is sent."""
    return [
        (
            one,
            {
                "activation": one.document(),
                "names": walk.names(one),
                "label": walk.label_of(one),
                "position": walk.steps + number,
            },
        )
        for number, one in enumerate(walk.ready)
    ]
