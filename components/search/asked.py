"""What the Search page is asked for, and how an address spells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

KindChoice = Literal["all", "facts", "passages", "entities"]
ModeChoice = Literal["hybrid", "vector", "keyword"]
KINDS: tuple[KindChoice, ...] = ("all", "facts", "passages", "entities")
MODES: tuple[ModeChoice, ...] = ("hybrid", "vector", "keyword")
PAGE, MOST = 10, 200


@dataclass(frozen=True, slots=True)
class Asked:
    """A search. `section`, `since` and `until` (a day that is included) narrow passages, as `documents` does.

    `recorded` takes in the facts that do not hold, `shown` is how many hits to show, `open` the document that is looked
    into, at `lines`.
    """

    text: str = ""
    kind: KindChoice = "all"
    mode: ModeChoice = "hybrid"
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    section: str = ""
    since: date | None = None
    until: date | None = None
    recorded: bool = False
    shown: int = PAGE
    open: str = ""
    lines: tuple[int, int] | None = None

    @property
    def filtered(self) -> bool:
        """True when a filter narrows the search."""
        return any((self.types, self.relations, self.about_passages))

    @property
    def about_passages(self) -> bool:
        """True when a filter narrows what passages may be found."""
        return any((self.documents, self.section, self.since, self.until))

    @property
    def kinds(self) -> tuple[KindChoice, ...]:
        """What is looked for: of "all" only what a filter can apply to, where there are filters."""
        if self.kind != "all":
            return (self.kind,)
        narrowed = {"facts": bool(self.relations), "passages": self.about_passages, "entities": bool(self.types)}
        return tuple(kind for kind in KINDS[1:] if narrowed[kind] or not self.filtered)


NO_FILTERS: dict[str, Any] = {
    "types": (),
    "relations": (),
    "documents": (),
    "section": "",
    "since": None,
    "until": None,
}
"""The changes that take every filter away."""

_LISTS = {"types": "type", "relations": "relation", "documents": "source"}
_TEXTS = {"text": "q", "section": "section", "open": "open"}
_CHOICES = {"kind": KINDS, "mode": MODES}
_DAYS = {"since": "from", "until": "until"}
NAMES = frozenset((*_LISTS.values(), *_TEXTS.values(), *_CHOICES, *_DAYS.values(), "recorded", "n", "lines"))
"""The parameters of an address that are the search's."""


def read(params: Mapping[str, str]) -> Asked:
    """The search that an address asks for; what cannot be read is left at its default."""
    found: dict[str, Any] = {field: params[name] for field, name in _TEXTS.items() if name in params}
    found |= {field: _listed(params[name]) for field, name in _LISTS.items() if name in params}
    found |= {field: params[field] for field, choices in _CHOICES.items() if params.get(field) in choices}
    found |= {field: _day(params[name]) for field, name in _DAYS.items() if name in params}
    shown = params.get("n", "")
    if shown.isdecimal() and 1 <= int(shown) <= MOST:
        found["shown"] = int(shown)
    return Asked(**found, recorded=params.get("recorded") == "1", lines=_span(params.get("lines", "")))


def written(asked: Asked) -> dict[str, str]:
    """The search as parameters of an address; defaults are left out."""
    params = {name: getattr(asked, field) for field, name in _TEXTS.items()}
    params |= {name: "|".join(map(_spelled, getattr(asked, field))) for field, name in _LISTS.items()}
    params |= {name: getattr(asked, field) for name, field in zip(_CHOICES, _CHOICES, strict=True)}
    params |= {name: _iso(getattr(asked, field)) for field, name in _DAYS.items()}
    params |= {"recorded": "1" if asked.recorded else "", "n": str(asked.shown)}
    params["lines"] = "-".join(map(str, asked.lines)) if asked.lines else ""
    defaults = {"kind": KINDS[0], "mode": MODES[0], "n": str(PAGE)}
    return {name: value for name, value in params.items() if value and value != defaults.get(name)}


def _listed(text: str) -> tuple[str, ...]:
    found = (part.replace("%7C", "|").replace("%25", "%") for part in text.split("|") if part)
    return tuple(dict.fromkeys(found))


def _spelled(value: str) -> str:
    """A value of a list, without the sign that stands between them."""
    return value.replace("%", "%25").replace("|", "%7C")


def _iso(value: date | None) -> str:
    return value.isoformat() if value else ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _span(text: str) -> tuple[int, int] | None:
    """First and last line, as in `12-18`."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and len(text) < 20):
        return None
    return (int(first), int(last)) if 1 <= int(first) <= int(last) else None
