"""How a record is spelled in the parameters of an address, field by field."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from typing import Any, Self, get_type_hints

from components import dates
from services.core import clock
from services.core.errors import BadInput


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
        for name, (field, spelling, _) in _parameters(cls).items():
            with suppress(KeyError, ValueError, BadInput):
                found[field] = spelling.read(params[name])
        return cls(**found)

    def written(self) -> dict[str, str]:
        """Return the parameters of an address."""
        return {
            name: spelling.write(value)
            for name, (field, spelling, default) in _parameters(type(self)).items()
            if (value := getattr(self, field)) != default
        }


def _declared(part: Any) -> Mapping[str, tuple[str, Spelling, Any]]:
    """Return field, spelling and default by the name of the parameter."""
    defaults = {field.name: field.default for field in fields(part)}
    hints = get_type_hints(part, include_extras=True).items()
    return {
        parameter.name: (field, parameter.spelling, defaults[field])
        for field, hint in hints
        for parameter in getattr(hint, "__metadata__", ())
    }


_parameters: Callable[[Any], Mapping[str, tuple[str, Spelling, Any]]] = cache(_declared)
