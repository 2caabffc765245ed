"""What the Search page adds to the view: what is looked for, among what, and the document that is open."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

from components import state
from components.address import DAY, FLAG, AddressPart, Parameter, Spelling, choice, number

KindChoice = Literal["all", "facts", "passages", "entities"]
ModeChoice = Literal["hybrid", "vector", "keyword"]
KINDS: tuple[KindChoice, ...] = ("all", "facts", "passages", "entities")
MODES: tuple[ModeChoice, ...] = ("hybrid", "vector", "keyword")
PAGE, MOST = 10, 200


def _names(text: str) -> tuple[str, ...]:
    found = (part.replace("%7C", "|").replace("%25", "%") for part in text.split("|") if part)
    return tuple(dict.fromkeys(found))


def _span(text: str) -> tuple[int, int]:
    """First and last line, as in `12-18`."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and len(text) < 20 and 1 <= int(first) <= int(last)):
        raise ValueError(text)
    return int(first), int(last)


_NAMES = Spelling(_names, lambda names: "|".join(name.replace("%", "%25").replace("|", "%7C") for name in names))
_LINES = Spelling(_span, lambda span: f"{span[0]}-{span[1]}")


@dataclass(frozen=True, slots=True)
class SearchView(AddressPart):
    """A search. `section`, `since` and `until` (a day that is included) narrow passages, as `documents` does.

    `recorded` takes in the facts that do not hold, `undated` those without a date, `shown` is how many hits to show,
    `open` the document that is looked into, at `lines`.
    """

    text: Annotated[str, Parameter("q")] = ""
    kind: Annotated[KindChoice, Parameter("kind", choice(KINDS))] = KINDS[0]
    mode: Annotated[ModeChoice, Parameter("mode", choice(MODES))] = MODES[0]
    types: Annotated[tuple[str, ...], Parameter("type", _NAMES)] = ()
    relations: Annotated[tuple[str, ...], Parameter("relation", _NAMES)] = ()
    documents: Annotated[tuple[str, ...], Parameter("source", _NAMES)] = ()
    section: Annotated[str, Parameter("section")] = ""
    since: Annotated[date | None, Parameter("from", DAY)] = None
    until: Annotated[date | None, Parameter("until", DAY)] = None
    recorded: Annotated[bool, Parameter("recorded", FLAG)] = False
    undated: Annotated[bool, Parameter("undated", FLAG)] = False
    shown: Annotated[int, Parameter("n", number(range(1, MOST + 1)))] = PAGE
    open: Annotated[str, Parameter("open")] = ""
    lines: Annotated[tuple[int, int] | None, Parameter("lines", _LINES)] = None

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
        """Return the kinds to look for: of "all" only those that a filter can apply to, where there are filters."""
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


def search_again(**changes: Any) -> None:
    """Change parts of the search, from its first hits again and with no document open; as a widget's callback."""
    state.update(SearchView, **{"shown": PAGE, "open": "", "lines": None} | changes)


def pick(field: str, key: str, read: Callable[[Any], Any] = lambda value: value) -> None:
    """Search with what a widget of that key says, read by `read`; as its callback."""
    search_again(**{field: read(state.remembered(key))})
