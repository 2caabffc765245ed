"""How a merge makes one value of what its branches have written."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.core.errors import BadInput
from services.workflows.definition import MergeStrategy


def merged(strategy: MergeStrategy | None, items: Any, labels: Sequence[str]) -> Any:
    """Return what a strategy makes of items: of an object by the branch, or of a list in its order.

    Raises `BadInput` where there is nothing to merge, and for items that are neither.
    """
    named = _named(items, labels)
    if strategy == "list":
        return [value for _, value in named]
    if strategy == "object":
        return dict(named)
    if not named:
        raise BadInput("inputs.items: there is nothing to merge.", "No branch returned anything.")
    if strategy == "first":
        return named[0][1]
    texts = [(name, value if isinstance(value, str) else str(value)) for name, value in named]
    if strategy == "concat":
        return "\n\n".join(text for _, text in texts)
    if len(texts) == 1:
        return texts[0][1]
    return "\n\n---\n\n".join(f"### ReporterAgent={name}\n{text}" for name, text in texts)


def _named(items: Any, labels: Sequence[str]) -> list[tuple[str, Any]]:
    """The items with their names; those of branches in the order of the branches."""
    if isinstance(items, Mapping):
        place = {label: number for number, label in enumerate(labels)}
        return sorted(items.items(), key=lambda item: place.get(item[0], len(place)))
    if isinstance(items, list):
        names = labels if len(labels) == len(items) else [str(number + 1) for number in range(len(items))]
        return list(zip(names, items, strict=True))
    raise BadInput("inputs.items: a merge needs an object or a list.")
