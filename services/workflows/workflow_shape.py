"""Whether a document has the shape of a workflow: its fields, and what each of them takes."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from services.workflows.definition import HIGHEST_LIMITS, NODE_TYPES, STRATEGIES, WorkflowLimits

_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_MOST_NODES, _MOST_EDGES, _LONGEST_NAME = 200, 1000, 200
_TOP = ("name", "description", "entry_node_id", "nodes", "edges", "limits", "$schema")
_COMMON = ("id", "type", "label")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "agent": ("agent", "inputs", "outputs"),
    "tool": ("tool", "inputs", "outputs"),
    "conditional": ("condition",),
    "fanout": ("inputs", "body"),
    "loop": ("condition", "body", "max_iters"),
    "merge": ("inputs", "outputs", "strategy"),
}
_NEEDED: Mapping[str, tuple[str, ...]] = {"agent": ("agent",), "tool": ("tool",), "loop": ("condition", "body")}
_TEXTS = ("label", "agent", "tool", "condition")
_LIMITS = tuple(part.name for part in fields(WorkflowLimits))


@dataclass(frozen=True, slots=True)
class WorkflowProblem:
    """What keeps a document from being a workflow. `node` is empty where it is of none."""

    node: str
    field: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.node, self.field, self.message) if part)


def shape_problems(document: Any) -> Iterator[WorkflowProblem]:
    """Yield what is wrong with the fields of a document, each by itself."""
    if not isinstance(document, Mapping):
        yield WorkflowProblem("", "", "A workflow must be a JSON object.")
        return
    for name in document.keys() - set(_TOP):
        yield WorkflowProblem("", str(name)[:80], f"Unknown field. A workflow can have {', '.join(_TOP[:-1])}.")
    for name, longest in (("name", _LONGEST_NAME), ("entry_node_id", 64), ("description", 2000)):
        if name != "description" or name in document:
            yield from _text_problems("", name, document.get(name), longest, may_be_empty=name == "description")
    yield from _list_problems(document, "nodes", _MOST_NODES, _node_problems)
    if not document.get("nodes") and isinstance(document.get("nodes"), list):
        yield WorkflowProblem("", "nodes", "Add at least one node.")
    if "edges" in document:
        yield from _list_problems(document, "edges", _MOST_EDGES, _edge_problems)
    if "limits" in document:
        yield from _limit_problems(document["limits"])


def _list_problems(
    document: Mapping[str, Any], field: str, most: int, of_item: Callable[[int, Any], Iterator[WorkflowProblem]]
) -> Iterator[WorkflowProblem]:
    given = document.get(field)
    if not isinstance(given, list):
        yield WorkflowProblem("", field, "Make this field a list." if field in document else "This field is required.")
    elif len(given) > most:
        yield WorkflowProblem("", field, f"There are {len(given):,} {field}; the limit is {most:,}.")
    else:
        for number, item in enumerate(given):
            yield from of_item(number, item)


def _text_problems(
    node: str, field: str, given: Any, longest: int = 4000, *, may_be_empty: bool = False
) -> Iterator[WorkflowProblem]:
    if given is None:
        yield WorkflowProblem(node, field, "This field is required.")
    elif not isinstance(given, str):
        yield WorkflowProblem(node, field, "Enter text.")
    elif not given.strip() and not may_be_empty:
        yield WorkflowProblem(node, field, "This field cannot be empty.")
    elif len(given) > longest:
        yield WorkflowProblem(node, field, f"This field has {len(given):,} characters; the limit is {longest:,}.")


def _node_problems(number: int, given: Any) -> Iterator[WorkflowProblem]:
    place = f"nodes[{number}]"
    if not isinstance(given, Mapping):
        yield WorkflowProblem("", place, "Each node must be a JSON object.")
        return
    id, kind = given.get("id"), given.get("type")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        yield WorkflowProblem("", f"{place}.id", "Use 1 to 64 letters, digits, hyphens or underscores.")
        return
    if kind not in NODE_TYPES:
        yield WorkflowProblem(id, "type", f"Use one of {', '.join(NODE_TYPES)}.")
        return
    own = (*_COMMON, *_FIELDS[kind])
    for field in given:
        if field not in own:
            yield WorkflowProblem(
                id, str(field)[:80], f"Unknown field. A node of type {kind} can have {', '.join(own)}."
            )
    for field in _NEEDED.get(kind, ()):
        if field not in given:
            yield WorkflowProblem(id, field, "This field is required.")
    for field in set(_TEXTS) & given.keys():
        yield from _text_problems(id, field, given[field])
    yield from _mapping_problems(id, given)
    yield from _choice_problems(id, given)


def _mapping_problems(id: str, given: Mapping[str, Any]) -> Iterator[WorkflowProblem]:
    for field in {"inputs", "outputs"} & given.keys():
        if not isinstance(given[field], Mapping):
            yield WorkflowProblem(id, field, "Make this field a JSON object.")
            continue
        for name, value in given[field].items():
            if field == "outputs" and not isinstance(value, str):
                yield WorkflowProblem(id, f"outputs.{name}", "Write a path such as `drafts[reporter_id]`.")


def _choice_problems(id: str, given: Mapping[str, Any]) -> Iterator[WorkflowProblem]:
    body, passes = given.get("body"), given.get("max_iters")
    if "body" in given and not (isinstance(body, str) or _is_texts(body)):
        yield WorkflowProblem(id, "body", "Use a node's id, or a list of ids.")
    if "max_iters" in given and not _is_number(passes, HIGHEST_LIMITS.max_iters):
        yield WorkflowProblem(id, "max_iters", f"Use a whole number from 1 to {HIGHEST_LIMITS.max_iters}.")
    if "strategy" in given and given["strategy"] not in STRATEGIES:
        yield WorkflowProblem(id, "strategy", f"Use one of {', '.join(STRATEGIES)}.")


def _is_texts(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and all(isinstance(item, str) for item in given)


def _is_number(given: Any, most: int) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= most


def _edge_problems(number: int, given: Any) -> Iterator[WorkflowProblem]:
    place = f"edges[{number}]"
    if not isinstance(given, Mapping):
        yield WorkflowProblem("", place, "Each edge must be a JSON object.")
        return
    for field in given.keys() - {"from", "to", "condition"}:
        yield WorkflowProblem(
            "", f"{place}.{str(field)[:80]}", "An edge can have only these fields: from, to, condition."
        )
    for field in ("from", "to"):
        yield from _text_problems("", f"{place}.{field}", given.get(field))
    if given.get("condition") is not None:
        yield from _text_problems("", f"{place}.condition", given["condition"])


def _limit_problems(given: Any) -> Iterator[WorkflowProblem]:
    if not isinstance(given, Mapping):
        yield WorkflowProblem("", "limits", "Make this field a JSON object.")
        return
    for name, value in given.items():
        if name not in _LIMITS:
            yield WorkflowProblem("", f"limits.{str(name)[:80]}", f"Unknown limit. Available: {', '.join(_LIMITS)}.")
        elif not _is_number(value, getattr(HIGHEST_LIMITS, name)):
            most = getattr(HIGHEST_LIMITS, name)
            yield WorkflowProblem("", f"limits.{name}", f"Use a whole number from 1 to {most:,}.")
