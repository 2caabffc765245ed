"""The graph of a workflow, drawn without any outside script; with a run each node shows how it stands."""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from components import state
from components.markup import key
from components.served_assets import named_by_content, serve
from components.workflows.graph_layout import DrawnEdge, layout
from components.workflows.run_words import KINDS, SIGNS, node_about, node_line
from services.workflows import NodeState, RunTrace, WorkflowDefinition

_ASSETS = Path(__file__).parent / "assets"
_LEGEND = {"✓": "finished", "▶": "running", "…": "waiting", "–": "not taken", "✕": "failed"}


def definition_graph(
    definition: WorkflowDefinition, chosen: str | None, on_choose: Callable[[str], None], *, place: str
) -> None:
    """Draw a workflow by itself."""
    nodes = {node.id: {"state": "", "sign": "", "line": node_about(node)} for node in definition.nodes}
    _draw(definition, nodes, chosen, on_choose, place, lambda _: "")


def run_graph(
    trace: RunTrace, definition: WorkflowDefinition, chosen: str | None, on_choose: Callable[[str], None]
) -> None:
    """Draw a run: how each node stands, and the ways that were taken."""
    stands = {node.node: _stands(node, is_over=trace.run.is_over) for node in trace.nodes}
    nodes = {
        node.node: {
            "state": stands[node.node],
            "sign": SIGNS.get(stands[node.node], ""),
            "line": node_line(node, stands[node.node]),
        }
        for node in trace.nodes
    }

    def way(edge: DrawnEdge) -> str:
        return "taken" if (edge.source, edge.target) in trace.ways else "not" if trace.run.is_over else ""

    _draw(definition, nodes, chosen, on_choose, "run", way)
    key(_LEGEND)


def _stands(node: NodeState, *, is_over: bool) -> str:
    return "not taken" if is_over and node.state == "waiting" else node.state


def _draw(
    definition: WorkflowDefinition,
    nodes: Mapping[str, Mapping[str, str]],
    chosen: str | None,
    on_choose: Callable[[str], None],
    place: str,
    way: Callable[[DrawnEdge], str],
) -> None:
    drawn = layout(definition)
    component_key = f"workflow_graph_{place}"
    data = {
        "label": f"Steps of {definition.name}. Use the arrow keys to move and Enter to open a step.",
        "chosen": chosen,
        "left": drawn.left,
        "right": drawn.right,
        "layers": drawn.layers,
        "nodes": [
            {
                "id": node.id,
                "title": node.title,
                "kind": KINDS[node.type],
                "about": f"{node.id}: {node_about(node)}".removesuffix(": "),
                "x": drawn.places[node.id][0],
                "y": drawn.places[node.id][1],
                **nodes[node.id],
            }
            for node in sorted(definition.nodes, key=lambda one: drawn.places[one.id][::-1])
        ],
        "edges": [
            {
                "points": edge.points,
                "back": edge.is_back,
                "about": f"{edge.source} → {edge.target} {_when(edge)}".strip(),
                "css": "error" if edge.condition == "error" else way(edge),
            }
            for edge in drawn.edges
        ],
    }

    def take() -> None:
        if found := state.remembered(component_key, {}).get("chosen"):
            on_choose(str(found))

    _component(serve(named_by_content("workflow_graph", _ASSETS), _ASSETS))(
        key=component_key, data=data, on_chosen_change=take
    )


def _when(edge: DrawnEdge) -> str:
    return "on error" if edge.condition == "error" else f"if {edge.condition}" if edge.condition else ""


@functools.cache
def _component(name: str) -> Any:
    html, css = ((_ASSETS / f"graph.{kind}").read_text() for kind in ("html", "css"))
    return st.components.v2.component(name, html=html, css=css, js="graph.js")
