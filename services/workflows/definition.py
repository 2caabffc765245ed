"""What a workflow is: nodes, the edges between them, and limits; read from JSON and written back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, get_args

from services.core.json_documents import Json

NodeType = Literal["agent", "tool", "conditional", "fanout", "loop", "merge"]
NODE_TYPES: tuple[NodeType, ...] = get_args(NodeType)
MergeStrategy = Literal["stitch", "concat", "list", "object", "first"]
STRATEGIES: tuple[MergeStrategy, ...] = get_args(MergeStrategy)

ON_ERROR = "error"
"""The condition of an edge that is taken when its node has failed, and only then."""


@dataclass(frozen=True, slots=True)
class WorkflowNode:
    """A step of a workflow. `inputs` are expressions by the name of the input, `outputs` paths by that of the output.

    `body` are the nodes that a loop repeats, its first one first, or where the branches of a fan-out begin.
    """

    id: str
    type: NodeType
    agent: str = ""
    tool: str = ""
    label: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    condition: str = ""
    body: tuple[str, ...] = ()
    max_iters: int | None = None
    strategy: MergeStrategy | None = None

    @property
    def title(self) -> str:
        """What people read."""
        return self.label or self.id.replace("_", " ")


@dataclass(frozen=True, slots=True)
class WorkflowEdge:
    """A way from one node to the next. Without a condition it is always taken."""

    source: str
    target: str
    condition: str = ""

    @property
    def is_error(self) -> bool:
        """True for the way that a failed node takes."""
        return self.condition.strip() == ON_ERROR


@dataclass(frozen=True, slots=True)
class WorkflowLimits:
    """What a run may take: steps (each time a node runs), milliseconds, passes of a loop, branches side by side."""

    max_steps: int = 100
    timeout_ms: int = 300_000
    max_iters: int = 3
    max_parallel: int = 10


HIGHEST_LIMITS = WorkflowLimits(1_000, 86_400_000, 100, 64)


@dataclass(frozen=True)
class WorkflowDefinition:
    """A workflow that was checked: every name in it is known, and every node can be reached."""

    name: str
    entry_node_id: str
    nodes: tuple[WorkflowNode, ...]
    edges: tuple[WorkflowEdge, ...] = ()
    limits: WorkflowLimits = WorkflowLimits()
    description: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, WorkflowNode]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def edges_from(self) -> Mapping[str, tuple[WorkflowEdge, ...]]:
        """The edges of each node, in their order."""
        return {node.id: tuple(e for e in self.edges if e.source == node.id) for node in self.nodes}

    def starts(self, node: WorkflowNode) -> tuple[str, ...]:
        """Where the branches of a fan-out begin: its body, or without one its edges' targets."""
        return node.body or tuple(e.target for e in self.edges_from[node.id] if not e.is_error)

    def passes(self, node: WorkflowNode) -> int:
        """How many passes a loop may take."""
        return self.limits.max_iters if node.max_iters is None else node.max_iters

    @cached_property
    def merges(self) -> Mapping[str, str | None]:
        """The merge at which the branches of each fan-out meet; None where they only end."""
        return {n.id: next(iter(sorted(merges_after(self, n))), None) for n in self.nodes if n.type == "fanout"}

    @cached_property
    def links(self) -> tuple[WorkflowEdge, ...]:
        """The edges, with those that a loop or a fan-out has to its body: what a drawing shows."""
        drawn = {(e.source, e.target) for e in self.edges}
        bodies = ((n.id, start) for n in self.nodes for start in (n.body[:1] if n.type == "loop" else n.body))
        return (*self.edges, *(WorkflowEdge(a, b) for a, b in bodies if (a, b) not in drawn))


def merges_after(definition: WorkflowDefinition, fanout: WorkflowNode) -> frozenset[str]:
    """Return the first merges that the branches of a fan-out come to, those of fan-outs within it left out."""
    found, seen = set[str](), set[tuple[str, int]]()
    open_ways = [(start, 0) for start in definition.starts(fanout)]
    most = sum(node.type == "fanout" for node in definition.nodes)
    while open_ways:
        id, depth = open_ways.pop()
        node = definition.by_id[id]
        if node.type == "merge" and depth == 0:
            found.add(id)
        if (id, depth) in seen or (node.type == "merge" and depth == 0):
            continue
        seen.add((id, depth))
        inner = min(most, depth + (node.type == "fanout")) - (node.type == "merge")
        open_ways += [(target, inner) for target in following(definition, node)]
        if node.type == "fanout":
            open_ways += [(e.target, depth) for e in definition.edges_from[id] if e.is_error]
    return frozenset(found)


def following(definition: WorkflowDefinition, node: WorkflowNode) -> tuple[str, ...]:
    """Return the nodes that may come after one: along its edges, and into its body."""
    body = node.body if node.type in ("fanout", "loop") else ()
    return tuple(dict.fromkeys([*body, *(e.target for e in definition.edges_from[node.id])]))


def definition_document(definition: WorkflowDefinition) -> Json:
    """Return a workflow as its JSON."""
    described = {"description": definition.description} if definition.description else {}
    return {
        "name": definition.name,
        **described,
        "entry_node_id": definition.entry_node_id,
        "nodes": [_node_document(node) for node in definition.nodes],
        "edges": [_edge_document(edge) for edge in definition.edges],
        "limits": asdict(definition.limits),
    }


def _node_document(node: WorkflowNode) -> Json:
    document: Json = {}
    for part in fields(node):
        value = getattr(node, part.name)
        if part.name in ("id", "type") or value not in ("", None, (), {}):
            document[part.name] = list(value) if isinstance(value, tuple) else value
    return document


def _edge_document(edge: WorkflowEdge) -> Json:
    condition = {"condition": edge.condition} if edge.condition else {}
    return {"from": edge.source, "to": edge.target, **condition}
