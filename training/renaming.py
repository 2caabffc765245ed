"""The same text about others: names of the same type, of other texts, in the place of its own."""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from services.extraction.schemas import DEFAULT_SCHEMA
from training.examples import Row, is_user

Pools = Mapping[str, Sequence[str]]
"""Names by their type."""

_TYPES = {one.name: (one.sources[:1], one.targets[:1]) for one in DEFAULT_SCHEMA.relations}
_SWAPPED = ("Person", "Organization", "Place", "Product", "Project", "Work", "Role")
_LOWER = ("Role", "Product", "Project")
_LONGEST = 40
_SHARE = 0.65


def pools(rows: Iterable[Row]) -> Pools:
    """The names that labelled texts have of each type."""
    names: dict[str, set[str]] = {}
    for row in rows:
        for name, type in _types(row).items():
            if len(name) < _LONGEST and (type in _LOWER or name[:1].isupper()):
                names.setdefault(type, set()).add(name)
    return {type: sorted(some) for type, some in names.items()}


def renamed(row: Row, names: Pools, chance: random.Random) -> Row | None:
    """The text with most of its names changed, and its labels with it; None where there are none to change."""
    changes: dict[str, str] = {}
    for name, type in _types(row).items():
        if type in names and chance.random() < _SHARE:
            changes |= _change(name, type, chance.choice(names[type]))
    if not changes:
        return None
    longest_first = "|".join(map(re.escape, sorted(changes, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![^\W_])(?:{longest_first})(?![^\W_])")

    def rename(text: str) -> str:
        return pattern.sub(lambda match: changes[match[0]], text)

    labels = [
        {key: _renamed(value, rename) if key in _NAMES else value for key, value in label.items()}
        for label in row["facts"]
    ]
    if any(label["source"] == label["target"] for label in labels):
        return None
    return {**row, "text": rename(row["text"]), "title": rename(row.get("title") or ""), "facts": labels}


_NAMES = ("source", "target", "source_also", "target_also")


def _renamed(value: Any, rename: Callable[[str], str]) -> Any:
    """Of a name or a list of names."""
    if isinstance(value, list):
        return [rename(name) for name in value]
    return value if is_user(value) else rename(value)


def _types(row: Row) -> dict[str, str]:
    """The type of each name, by the relations that it stands in; names of several types are left out."""
    types: dict[str, set[str]] = {}
    for label in row["facts"]:
        for end, allowed in zip(("source", "target"), _TYPES[label["relation"]], strict=True):
            if not is_user(label[end]) and allowed and allowed[0] in _SWAPPED:
                types.setdefault(label[end], set()).add(allowed[0])
    return {name: next(iter(some)) for name, some in types.items() if len(some) == 1}


def _change(name: str, type: str, other: str) -> dict[str, str]:
    """Word by word for a person, who may be told of by surname later; a role only by one of the same case."""
    own, others = name.split(), other.split()
    if type == "Person" and len(own) == len(others) and all(word[:1].isupper() for word in own):
        return dict(zip(own, others, strict=True))
    if type == "Person" and len(own) == 1:
        return {name: others[0]}
    if type == "Role" and name.islower() != other.islower():
        return {}
    return {name: other}
