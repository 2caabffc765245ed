"""Whether a document is a workflow, and if not, why: each problem names its node and field."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from services.core.errors import BadInput
from services.core.json_documents import Json
from services.core.wording import counted
from services.tools.registry import TOOLS
from services.workflows.agent_catalog import (
    AGENTS,
    GIVEN_NAMES,
    MERGE_INPUTS,
    MERGE_OUTPUTS,
    STATE_NAMES,
    TOOL_OUTPUTS,
)
from services.workflows.definition import (
    STRATEGIES,
    WorkflowDefinition,
    WorkflowEdge,
    WorkflowLimits,
    WorkflowNode,
    following,
    merges_after,
)
from services.workflows.expressions import ExpressionError, names_in, parse, parse_path
from services.workflows.workflow_shape import WorkflowProblem, shape_problems

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def read_definition(document: Any) -> WorkflowDefinition:
    """Return the workflow of a document. Raises `BadInput` that names node and field of the first problem."""
    found = workflow_problems(document)
    if found:
        more = f"The workflow has {counted(len(found) - 1, 'more problem')}." if len(found) > 1 else ""
        raise BadInput(str(found[0]), more)
    return _definition(document)


def workflow_problems(document: Any) -> tuple[WorkflowProblem, ...]:
    """Return everything that keeps a document from being a workflow; nothing where it is one."""
    shape = tuple(shape_problems(document))
    return shape or tuple(_meaning_problems(_definition(document)))


def _definition(document: Json) -> WorkflowDefinition:
    nodes = tuple(_node(given) for given in document["nodes"])
    edges = tuple(WorkflowEdge(e["from"], e["to"], e.get("condition") or "") for e in document.get("edges", ()))
    limits = WorkflowLimits(**document.get("limits", {}))
    described = document.get("description", "")
    return WorkflowDefinition(document["name"], document["entry_node_id"], nodes, edges, limits, described)


def _node(given: Json) -> WorkflowNode:
    body = given.get("body", ())
    return WorkflowNode(**{**given, "body": (body,) if isinstance(body, str) else tuple(body)})


# -- meaning


def _meaning_problems(definition: WorkflowDefinition) -> Iterator[WorkflowProblem]:
    dangling = [*_twice(definition), *_dangling(definition)]
    yield from dangling
    if dangling:
        return
    known = _known_names(definition)
    for node in definition.nodes:
        yield from _input_problems(node)
        yield from _expression_problems(node, known)
        yield from _way_problems(definition, node, known)
    yield from _structure_problems(definition)


def _twice(definition: WorkflowDefinition) -> Iterator[WorkflowProblem]:
    seen: set[str] = set()
    for node in definition.nodes:
        if node.id in seen:
            yield WorkflowProblem(node.id, "id", "Another node has this id. Change one of them.")
        seen.add(node.id)


def _dangling(definition: WorkflowDefinition) -> Iterator[WorkflowProblem]:
    if definition.entry_node_id not in definition.by_id:
        yield WorkflowProblem("", "entry_node_id", f"There is no node “{definition.entry_node_id}”.")
    for number, edge in enumerate(definition.edges):
        for field, id in (("from", edge.source), ("to", edge.target)):
            if id not in definition.by_id:
                yield WorkflowProblem("", f"edges[{number}].{field}", f"There is no node “{id}”.")
    for node in definition.nodes:
        for id in node.body:
            if id not in definition.by_id:
                yield WorkflowProblem(node.id, "body", f"There is no node “{id}”.")
            elif id == node.id:
                yield WorkflowProblem(node.id, "body", "A node cannot contain itself.")
        if twice := next((id for id in node.body if node.body.count(id) > 1), ""):
            yield WorkflowProblem(node.id, "body", f"“{twice}” appears twice. List it once.")


def _input_problems(node: WorkflowNode) -> Iterator[WorkflowProblem]:
    match node.type:
        case "agent":
            if node.agent not in AGENTS:
                yield WorkflowProblem(
                    node.id, "agent", f"There is no agent “{node.agent}”; available: {', '.join(AGENTS)}."
                )
                return
            spec = AGENTS[node.agent]
            yield from _names_problems(node, spec.required, spec.inputs, spec.outputs)
        case "tool":
            tool = TOOLS.get(node.tool)
            if tool is None or tool.writes or tool.toolset == "compute":
                readers = ", ".join(name for name, one in TOOLS.items() if not one.writes and one.toolset != "compute")
                why = "changes the graph, but a workflow can only read" if tool and tool.writes else "is not a tool"
                yield WorkflowProblem(node.id, "tool", f"“{node.tool}” {why}; available: {readers}.")
                return
            inputs = tool.inputs.model_fields
            required = tuple(name for name, one in inputs.items() if one.is_required())
            yield from _names_problems(node, required, tuple(inputs), TOOL_OUTPUTS)
        case "merge":
            yield from _names_problems(node, MERGE_INPUTS if node.strategy else (), MERGE_INPUTS, MERGE_OUTPUTS)
            if node.outputs and not node.strategy:
                yield WorkflowProblem(node.id, "strategy", f"Choose one of {', '.join(STRATEGIES)}.")
        case "fanout":
            yield from _fanout_problems(node)


def _names_problems(
    node: WorkflowNode, required: Iterable[str], inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> Iterator[WorkflowProblem]:
    for name in required:
        if name not in node.inputs:
            yield WorkflowProblem(node.id, f"inputs.{name}", "This input is required.")
    for field, given, known in (("inputs", node.inputs, inputs), ("outputs", node.outputs, outputs)):
        for name in given:
            if name not in known:
                there = f"available: {', '.join(known)}" if known else "none is available"
                yield WorkflowProblem(node.id, f"{field}.{name}", f"Unknown name; {there}.")


def _fanout_problems(node: WorkflowNode) -> Iterator[WorkflowProblem]:
    if len(node.inputs) > 1:
        yield WorkflowProblem(
            node.id, "inputs", "Give a fan-out exactly one input: the list to loop over, keyed by the item's name."
        )
    for name in node.inputs:
        if not _NAME.fullmatch(name) or name in (*STATE_NAMES, *GIVEN_NAMES):
            yield WorkflowProblem(node.id, f"inputs.{name}", "This name is reserved or invalid. Choose another name.")


def _known_names(definition: WorkflowDefinition) -> frozenset[str]:
    """The names that expressions may read: what runs begin with, what nodes write, and the items of fan-outs."""
    found = {*STATE_NAMES, *GIVEN_NAMES}
    for node in definition.nodes:
        found |= set(node.inputs) if node.type == "fanout" else set()
        for path in node.outputs.values():
            try:
                found.add(parse_path(path).name)
            except ExpressionError:
                continue
    return frozenset(found)


def _expression_problems(node: WorkflowNode, known: frozenset[str]) -> Iterator[WorkflowProblem]:
    expressions = {f"inputs.{name}": value for name, value in node.inputs.items() if isinstance(value, str)}
    if node.condition:
        expressions["condition"] = node.condition
    for field, text in expressions.items():
        yield from _unreadable(node.id, field, text, known)
    for name, path in node.outputs.items():
        try:
            written = parse_path(path)
        except ExpressionError as error:
            yield WorkflowProblem(node.id, f"outputs.{name}", str(error))
            continue
        if written.name in ("goal", "settings", "execution_trace", "logs", *GIVEN_NAMES):
            yield WorkflowProblem(
                node.id, f"outputs.{name}", f"A node cannot write “{written.name}”. Choose another name."
            )
        if written.keys:
            yield from _unreadable(node.id, f"outputs.{name}", path.strip().removesuffix("[]"), known)


def _unreadable(node: str, field: str, text: str, known: frozenset[str]) -> Iterator[WorkflowProblem]:
    try:
        parse(text)
        unknown = sorted(names_in(text) - known)
    except ExpressionError as error:
        yield WorkflowProblem(node, field, str(error))
        return
    if unknown:
        yield WorkflowProblem(node, field, f"No node writes “{unknown[0]}”.")


def _way_problems(
    definition: WorkflowDefinition, node: WorkflowNode, known: frozenset[str]
) -> Iterator[WorkflowProblem]:
    """What is wrong with the edges of a node."""
    always = ""
    errors = 0
    for edge in definition.edges_from[node.id]:
        field = f"edge to {edge.target}"
        errors += edge.is_error
        if edge.is_error:
            continue
        if edge.condition:
            yield from _unreadable(node.id, field, edge.condition, known)
        if always and node.type != "fanout":
            yield WorkflowProblem(
                node.id,
                field,
                f"The run never takes this edge: the edge to {always} comes first and has no condition.",
            )
        if not edge.condition and edge.target not in node.body:
            always = always or edge.target
    if errors > 1:
        yield WorkflowProblem(node.id, "edges", "This node has more than one error edge. Keep one.")


def _structure_problems(definition: WorkflowDefinition) -> Iterator[WorkflowProblem]:
    reached = _reached(definition, definition.entry_node_id)
    for node in definition.nodes:
        if node.id not in reached:
            yield WorkflowProblem(node.id, "", "No path leads from the start to this node.")
        if node.max_iters is not None and node.max_iters > definition.limits.max_iters:
            most = definition.limits.max_iters
            yield WorkflowProblem(node.id, "max_iters", f"Use at most {most}, the limit in limits.max_iters.")
        if node.type == "fanout":
            yield from _branch_problems(definition, node)
        if node.type == "loop":
            yield from _body_problems(definition, node)


def _reached(definition: WorkflowDefinition, start: str) -> set[str]:
    seen, open_ids = set[str](), [start]
    while open_ids:
        id = open_ids.pop()
        if id not in seen:
            seen.add(id)
            open_ids += following(definition, definition.by_id[id])
    return seen


def _branch_problems(definition: WorkflowDefinition, node: WorkflowNode) -> Iterator[WorkflowProblem]:
    if not definition.starts(node):
        yield WorkflowProblem(node.id, "body", "Name the nodes where the branches begin.")
        return
    merges = sorted(merges_after(definition, node))
    if len(merges) > 1:
        yield WorkflowProblem(
            node.id, "body", f"The branches meet at several merges: {', '.join(merges)}. Keep one of them."
        )
    for edge in definition.edges_from[node.id]:
        if node.body and not edge.is_error and edge.target not in node.body:
            yield WorkflowProblem(
                node.id, f"edge to {edge.target}", "Branches must start inside the body. Remove this edge."
            )


def _body_problems(definition: WorkflowDefinition, node: WorkflowNode) -> Iterator[WorkflowProblem]:
    """A loop's body is whole: its nodes are reached from its first one."""
    inside = _reached(definition, node.body[0])
    for id in node.body:
        if id not in inside:
            yield WorkflowProblem(node.id, "body", f"No path leads from “{node.body[0]}” to “{id}”.")
