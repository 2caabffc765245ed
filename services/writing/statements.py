"""What was stated about one fact, and when: the statements that a stored record goes back to.

A record usually tells its statements by its own fields. Where it does not (it was said again later, its end came later,
or a row left cells empty), they are kept beside it in the attribute `STATEMENTS`, so that a row that
arrives late can still be read in its place.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypedDict

from services.core import clock
from services.core.models import NO_ATTRIBUTES, STATEMENTS, Attributes, Fact, Precision
from services.core.precision import finer

_INSTANTS = ("at", "end", "expired", "withdrawn", "believed")
NOTHING = "[]"
"""The log of a record that no statement needs any more."""


class Exactness(TypedDict):
    """How exactly a statement's end is known, by its fields."""

    end_precision: Precision
    ended_unknown: bool


@dataclass(frozen=True, slots=True)
class RowStatement:
    """One row's word on a fact, at the instant `at` on the graph's clock.

    One that carries `expired` or `withdrawn` of its own is `explicit`: it is the record as it stands. `episodes` are
    its sources, `opened` is the stored record that it began, `about` the one that it names where several are alike,
    `lasting` is false where a row gave no `created_at`. `ended_unknown` says that the fact has ended by `end`, or by
    `at` where there is none.
    """

    at: datetime
    end: datetime | None = None
    attributes: Attributes = NO_ATTRIBUTES
    expired: datetime | None = None
    withdrawn: datetime | None = None
    believed: datetime | None = None
    text: str = ""
    episodes: tuple[str, ...] = ()
    ended_by: str | None = None
    opened: str = ""
    about: str = ""
    lasting: bool = True
    end_precision: Precision = "instant"
    ended_unknown: bool = False

    @property
    def explicit(self) -> bool:
        """True when it brings record times of its own."""
        return self.expired is not None or self.withdrawn is not None

    @property
    def ends(self) -> bool:
        """True when it says that the fact has ended, on whatever date."""
        return self.end is not None or self.ended_unknown

    @property
    def cells(self) -> tuple[object, ...]:
        """What it says, without its wording and its sources."""
        return self.at, self.end, dict(self.attributes), self.expired, self.withdrawn, self.believed

    def covers(self, other: "RowStatement") -> bool:
        """True when `other` adds nothing to this one, which was made at the same instant.

        An explicit one is the record as it stands, whatever end a plain one gave it at that instant.
        """
        same_end = self.explicit or (other.end in (None, self.end, self.believed) and other.ends <= self.ends)
        return self.at == other.at and same_end and is_part(other.attributes, self.attributes)

    def with_end_of(self, other: "RowStatement") -> "RowStatement":
        """This statement with its end as exactly as either says, where both give the same."""
        if other.end is None or other.end != self.end:
            return self
        precision = finer(self.end_precision, other.end_precision)
        return replace(self, end_precision=precision, ended_unknown=self.ended_unknown and other.ended_unknown)


def is_part(given: Attributes, stored: Attributes) -> bool:
    """True when every attribute that is given has its value in `stored`."""
    return all(name in stored and _same(stored[name], value) for name, value in given.items())


def _same(stored: Any, given: Any) -> bool:
    """FalkorDB gives a float back with 15 digits."""
    if isinstance(stored, float) and isinstance(given, float):
        return math.isclose(stored, given, rel_tol=1e-14)
    return bool(stored == given)


def created(fact: Fact) -> datetime:
    """When the record was made; a missing `created_at` counts as always."""
    return fact.created_at or clock.EARLIEST


def plain_attributes(fact: Fact) -> dict[str, Any]:
    """The attributes of a fact without the log."""
    return {name: value for name, value in fact.attributes.items() if name != STATEMENTS}


def words(source: str, relation: str, target: str) -> str:
    """The sentence of a fact that came without one."""
    return f"{source} {relation.replace('_', ' ').lower() if relation.isupper() else relation} {target}"


def made_of(fact: Fact, corrections: Iterable[datetime]) -> tuple[RowStatement, ...]:
    """The statements behind a stored record. `corrections` are the instants at which other records replaced one."""
    corrected = fact.withdrawn_at is not None and fact.withdrawn_at in set(corrections)
    return in_full(fact, _logged(fact) or (by_its_fields(fact, corrected),))


def in_full(fact: Fact, statements: Sequence[RowStatement]) -> tuple[RowStatement, ...]:
    """The statements of a record with the wording and the sources that it has by now."""
    given = "" if fact.text == words(fact.source, fact.relation, fact.target) else fact.text
    first, *others = statements
    opening = replace(first, text=given, episodes=fact.episodes, opened=fact.uuid)
    return (opening, *(replace(later, ended_by=fact.ended_by, opened="") for later in others))


def by_its_fields(fact: Fact, corrected: bool) -> RowStatement:
    """The one statement that the record's fields alone would tell of."""
    attributes = plain_attributes(fact)
    withdrawn = None if corrected else fact.withdrawn_at
    by_withdrawal = fact.expired_at == fact.withdrawn_at and fact.invalid_at == fact.believed_invalid_at
    expired = None if corrected and by_withdrawal else fact.expired_at
    if withdrawn is None and (expired is None or _ended_when_recorded(fact)):
        return RowStatement(created(fact), fact.invalid_at, attributes, **exactness(fact))
    return RowStatement(
        created(fact),
        fact.invalid_at,
        attributes,
        expired,
        withdrawn,
        fact.believed_invalid_at,
        ended_by=fact.ended_by,
        **exactness(fact),
    )


def _ended_when_recorded(fact: Fact) -> bool:
    others = fact.invalid_at, fact.believed_invalid_at
    return fact.ended_unknown and others == (None, None) and fact.expired_at == created(fact)


def exactness(fact: Fact) -> Exactness:
    """How exactly a record's end is known."""
    return {"end_precision": fact.invalid_at_precision, "ended_unknown": fact.ended_unknown}


def with_log(fact: Fact, statements: Sequence[RowStatement], corrected: bool) -> Fact:
    """The fact with its statements beside it where its fields do not tell them."""
    attributes = plain_attributes(fact)
    if len(statements) != 1 or statements[0].cells != by_its_fields(fact, corrected).cells:
        attributes[STATEMENTS] = json.dumps(
            [_written(statement) for statement in statements], sort_keys=True, ensure_ascii=False
        )
    return fact if attributes == fact.attributes else replace(fact, attributes=attributes)


def _written(statement: RowStatement) -> dict[str, Any]:
    spelled = {name: clock.spell(value) for name in _INSTANTS if (value := getattr(statement, name)) is not None}
    others = {
        "attributes": dict(statement.attributes),
        "end_precision": statement.end_precision if statement.end_precision != "instant" else "",
        "ended_unknown": statement.ended_unknown,
    }
    return {**spelled, **{name: value for name, value in others.items() if value}}


def restamped(log: str, stamps: Mapping[datetime, datetime]) -> str:
    """The log with other instants on the graph's clock."""
    entries = json.loads(log)
    for entry in entries:
        for name in ("at", "expired", "withdrawn"):
            if name in entry and (new := stamps.get(datetime.fromisoformat(entry[name]))):
                entry[name] = clock.spell(new)
    return json.dumps(entries, sort_keys=True, ensure_ascii=False)


def _logged(fact: Fact) -> tuple[RowStatement, ...]:
    log = fact.attributes.get(STATEMENTS)
    return tuple(_read(entry) for entry in json.loads(log)) if isinstance(log, str) else ()


def _read(entry: dict[str, Any]) -> RowStatement:
    instants = {name: datetime.fromisoformat(entry[name]) for name in _INSTANTS if name in entry}
    return RowStatement(
        instants["at"],
        instants.get("end"),
        entry.get("attributes", NO_ATTRIBUTES),
        instants.get("expired"),
        instants.get("withdrawn"),
        instants.get("believed"),
        end_precision=entry.get("end_precision", "instant"),
        ended_unknown=entry.get("ended_unknown", False),
    )
