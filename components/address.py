"""The view, which is what the analyst is looking at, and the parameters of an address that spell it.

Each page adds a record of its own to the view, whose fields are spelled alike.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Annotated, Any, Self, get_type_hints
from urllib.parse import urlencode

from components import dates
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Instants


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to read and write values of one kind. `read` raises `ValueError` or `BadInput` for what it cannot read."""

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def number(allowed: range) -> Spelling:
    """Return the spelling of whole numbers among `allowed`."""
    return Spelling(lambda text: allowed[allowed.index(int(text))])


def choice(allowed: Sequence[str]) -> Spelling:
    """Return the spelling of one word among `allowed`."""
    return Spelling(lambda text: allowed[allowed.index(text)])


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split("|")))


TEXT = Spelling(str)
INSTANT = Spelling(clock.parse_instant, dates.short)
DAY = Spelling(date.fromisoformat, date.isoformat)
FLAG = Spelling(lambda text: text == "1", lambda _: "1")
LIST = Spelling(_split, "|".join)
SET = Spelling(lambda text: tuple(sorted(_split(text))), "|".join)


@dataclass(frozen=True, slots=True)
class Parameter:
    """The parameter of an address in which a field stands, as an annotation of the field."""

    name: str
    spelling: Spelling = TEXT


class AddressPart:
    """The base of frozen dataclasses that an address spells.

    Fields without a `Parameter` and those at their defaults stay out of it.
    """

    __slots__ = ()

    @classmethod
    def names(cls) -> frozenset[str]:
        """Return the names of the parameters."""
        return frozenset(_parameters(cls))

    @classmethod
    def read(cls, params: Mapping[str, str]) -> Self:
        """Return what an address asks for; what cannot be read is left at its default."""
        found: dict[str, Any] = {}
        for name, (attribute, spelling, _) in _parameters(cls).items():
            with suppress(KeyError, ValueError, BadInput):
                found[attribute] = spelling.read(params[name])
        return cls(**found)

    def written(self) -> dict[str, str]:
        """Return the parameters of an address."""
        return {
            name: spelling.write(value)
            for name, (attribute, spelling, default) in _parameters(type(self)).items()
            if (value := getattr(self, attribute)) != default
        }


def _declared(part: Any) -> Mapping[str, tuple[str, Spelling, Any]]:
    """Return field, spelling and default by the name of the parameter."""
    defaults = {one.name: one.default for one in fields(part)}
    hints = get_type_hints(part, include_extras=True).items()
    return {
        parameter.name: (attribute, parameter.spelling, defaults[attribute])
        for attribute, hint in hints
        for parameter in getattr(hint, "__metadata__", ())
    }


_parameters: Callable[[Any], Mapping[str, tuple[str, Spelling, Any]]] = cache(_declared)


def end_of_minute() -> datetime:
    """Return the end of this minute, which is when a view is looked at.

    Reruns within it ask the same question, which caches then answer; what was recorded a moment ago is known.
    """
    return clock.now().replace(second=0, microsecond=0) + timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class View(AddressPart):
    """One view. None of an instant is `now`, the same throughout; `to` and `to_known` are a comparison's second side.

    `pages` is what single pages add to it, each its own record, without those at their defaults.
    """

    workspace: Annotated[str | None, Parameter("w")] = None
    entity: Annotated[str | None, Parameter("e")] = None
    fact: Annotated[str | None, Parameter("f")] = None
    as_of: Annotated[datetime | None, Parameter("as_of", INSTANT)] = None
    known_at: Annotated[datetime | None, Parameter("known_at", INSTANT)] = None
    to: Annotated[datetime | None, Parameter("to", INSTANT)] = None
    to_known: Annotated[datetime | None, Parameter("to_known", INSTANT)] = None
    pages: tuple[AddressPart, ...] = ()
    now: datetime = field(default_factory=end_of_minute, compare=False)

    @property
    def comparing(self) -> bool:
        """True when the view compares two instants."""
        return self.to is not None or self.to_known is not None

    @property
    def at(self) -> Instants:
        """The two clocks of the view, or of its first side."""
        return Instants(self.as_of or self.now, self.known_at or self.now)

    @property
    def then(self) -> Instants:
        """The two clocks of a comparison's second side; what was not given there is as on the first."""
        return Instants(self.to or self.at.as_of, self.to_known or self.at.known_at)

    def of[P: AddressPart](self, page: type[P]) -> P:
        """Return what a page adds to the view."""
        return next((part for part in self.pages if isinstance(part, page)), page())

    def changed(self, page: type[AddressPart] | None = None, /, **changes: Any) -> "View":
        """Return the view with some fields changed: its own, and those that `page` adds."""
        if page is not None:
            part = replace(  # type: ignore[type-var]  # each page's record is a dataclass
                self.of(page), **{name: new for name, new in changes.items() if name not in self.__slots__}
            )
            others = (one for one in self.pages if not isinstance(one, page))
            changes = {name: new for name, new in changes.items() if name in self.__slots__}
            changes["pages"] = _sorted(*others, part)
        return replace(self, **changes)


def _sorted(*parts: AddressPart) -> tuple[AddressPart, ...]:
    return tuple(sorted((part for part in parts if part != type(part)()), key=lambda part: type(part).__name__))


_PAGES: list[type[AddressPart]] = []


def register(*pages: type[AddressPart]) -> None:
    """Say which records pages add to the view, for addresses to be read; done before any page runs."""
    _PAGES[:] = pages


def view_parameters() -> frozenset[str]:
    """Return the names of the parameters of an address that are the view's."""
    return View.names().union(*(page.names() for page in _PAGES))


def view_of(params: Mapping[str, str]) -> View:
    """Return the view that an address asks for; what cannot be read is left at its default."""
    return replace(View.read(params), pages=_sorted(*(page.read(params) for page in _PAGES)))


def parameters_of(view: View) -> dict[str, str]:
    """Return the view as parameters of an address; defaults are left out."""
    return {name: value for part in (view, *view.pages) for name, value in part.written().items()}


def page_query(view: View, page: type[AddressPart]) -> str:
    """Return the query of a link to the open page: the workspace, the dates and what `page` adds, nothing of others."""
    return urlencode(parameters_of(replace(view, entity=None, fact=None, pages=_sorted(view.of(page)))))
