"""What an import row means: the records of one fact, and how one more statement changes them.

The records of one source, relation, target and `valid_at` are what a list of statements, taken in the order of
`created_at`, leaves behind. A statement that comes in that order meets the four rules (`_apply`). One that arrives late
is put in its place in the list, which is then taken again from the start: the order of files changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from services.core import clock, time_rule
from services.core.models import STATEMENTS, Attributes, Fact
from services.core.precision import finer
from services.writing.statements import (
    NOTHING,
    RowStatement,
    created,
    exactness,
    in_full,
    is_part,
    made_of,
    plain_attributes,
    with_log,
    words,
)

Verdict = Literal["new", "source", "change", "correction", "unchanged"]


@dataclass(slots=True)
class _Record:
    """A record in the making: the fact, and the statements that made it."""

    fact: Fact
    statements: tuple[RowStatement, ...]


class FactRevisions:
    """The records of one fact. `blank` carries what they share: both ends, relation, `valid_at` and its precision."""

    def __init__(self, blank: Fact, stored: Iterable[Fact] = ()) -> None:
        self._blank = blank
        start = blank.valid_at_precision
        needed = (
            fact if fact.valid_at_precision == start else replace(fact, valid_at_precision=start)
            for fact in stored
            if fact.attributes.get(STATEMENTS) != NOTHING
        )
        ordered = sorted(needed, key=lambda f: (created(f), f.withdrawn_at or clock.LATEST, f.uuid))
        self._records = [
            _Record(f, made_of(f, (o.created_at for o in ordered if o is not f and o.created_at))) for f in ordered
        ]
        self._gone: list[Fact] = []

    def facts(self) -> tuple[Fact, ...]:
        """The records as they stand now; one that has no uuid yet is new."""
        return (*self._current(), *self._gone)

    def _current(self) -> tuple[Fact, ...]:
        starts = [created(record.fact) for record in self._records]
        return tuple(_logged(record, starts) for record in self._records)

    def add_all(self, statements: Sequence[RowStatement]) -> list[Verdict]:
        """Take statements in the order given.

        Those without a date of their own are one word, said now: where its last part holds already, nothing is new.
        """
        current = [s for s in statements if not s.lasting and not s.explicit]
        if len(current) > 1 and self._holds_already(current):
            return [
                self.add(s) if s not in current else "unchanged" if self._knows_sources(s) else self._repeat(s)
                for s in statements
            ]
        return [self.add(statement) for statement in statements]

    def add(self, statement: RowStatement) -> Verdict:
        """Take one statement and tell what it did."""
        if statement.explicit:
            return self._stand_in_place(statement)
        for record in self._records:
            if any(one.covers(statement) for one in record.statements):
                record.statements = tuple(
                    one.with_end_of(statement) if one.covers(statement) else one for one in record.statements
                )
                return "unchanged" if self._knows_sources(statement) else self._source(record, statement)
        if any(one.at > statement.at for record in self._records for one in record.statements):
            return self._add_in_place(statement, self._apply)
        return self._apply(statement)

    # -- rule 1: a row with record times of its own

    def _stand_in_place(self, statement: RowStatement) -> Verdict:
        """A row that opens a record before others do is taken before them; one that stamps a record is not late."""
        if self._stood(statement) or all(one.at <= statement.at for r in self._records for one in r.statements):
            return self._stand(statement)
        return self._add_in_place(statement, self._stand)

    def _stood(self, statement: RowStatement) -> list[_Record]:
        """The records that an explicit row is about: of its `created_at`, or, where it gave none, just like it."""
        if statement.lasting:
            return [record for record in self._records if created(record.fact) == statement.at]
        return [record for record in self._records if _likeness(record.fact, statement)[:2] == (True, True)]

    def _stand(self, statement: RowStatement) -> Verdict:
        """The record of the same `created_at` gets them; else the row is stored as it stands."""
        same = self._stood(statement)
        if not same:
            self._open(statement, statement.attributes)
            return "new"
        record = max(same, key=lambda r: _likeness(r.fact, statement))
        before = record.fact
        record.fact = _stamped(before, statement)
        if record.fact == before:
            return self._source(record, statement)
        later = tuple(one for one in record.statements[1:] if one.at > statement.at)
        record.statements = (_standing(record.fact), *later)
        self._source(record, statement)
        return "change"

    # -- rules 2 to 4

    def _apply(self, statement: RowStatement) -> Verdict:
        record = self._live(statement)
        if record is None:
            self._open(statement, statement.attributes)
            return "new"
        if says_the_same(record.fact, statement):
            return self._repeat(statement)
        only_ends = statement.ends and is_part(statement.attributes, record.fact.attributes)
        if record.fact.invalid_at is None and record.fact.expired_at is None and only_ends:
            self._change(record, statement)
            return "change"
        self._correct(record, statement)
        return "correction"

    def _live(self, statement: RowStatement) -> _Record | None:
        live = [record for record in self._records if record.fact.withdrawn_at is None]
        if statement.about:
            live = [record for record in live if record.fact.uuid == statement.about] or live
        agreeing = [record for record in live if says_the_same(record.fact, statement)]
        return next(reversed(agreeing or live), None)

    def _repeat(self, statement: RowStatement) -> Verdict:
        """It says what is stored: a further source, and remembered, since a row may yet come between the two."""
        record = self._live(statement)
        assert record is not None, "only what is stored can be repeated"
        if statement.lasting and statement.at > created(record.fact) and (statement.ends or statement.attributes):
            record.statements = (*record.statements, statement)
        return self._source(record, statement)

    def _knows_sources(self, statement: RowStatement) -> bool:
        """True where a record names the sources, and knows the end no less exactly."""
        return any(
            set(statement.episodes) <= set(record.fact.episodes) and _exactly(record.fact, statement) == record.fact
            for record in self._records
        )

    def _source(self, record: _Record, statement: RowStatement) -> Verdict:
        episodes = tuple(dict.fromkeys((*record.fact.episodes, *statement.episodes)))
        text = statement.text if _wordless(record.fact) and statement.text else record.fact.text
        uuid = record.fact.uuid or statement.opened
        exact = _exactly(record.fact, statement)
        verdict: Verdict = "unchanged" if (episodes, exact) == (record.fact.episodes, record.fact) else "source"
        if exact != record.fact:
            record.statements = _refined(record.statements, statement)
        if (episodes, text, uuid, exact) != (record.fact.episodes, record.fact.text, record.fact.uuid, record.fact):
            record.fact = replace(exact, episodes=episodes, text=text, uuid=uuid)
        return verdict

    def _change(self, record: _Record, statement: RowStatement) -> None:
        """The world changed: the end is set, and when it was learned."""
        ended_by = statement.ended_by or next(iter(statement.episodes), None)
        ended = replace(record.fact, expired_at=statement.at, ended_by=ended_by)
        record.fact = _ended(ended, statement)
        record.statements = (*record.statements, statement)
        self._source(record, statement)

    def _correct(self, record: _Record, statement: RowStatement) -> None:
        """The record was wrong: the older of the two is withdrawn when the newer one was made. Both are kept."""
        older, newer = record.fact, statement
        attributes = {**plain_attributes(older), **newer.attributes}
        corrected = self._open(newer, attributes, _with_end(newer, older))
        if not newer.text and not _wordless(older):
            corrected.fact = replace(corrected.fact, text=older.text)
        if created(older) <= newer.at:
            record.fact = withdrawn(older, newer.at)
        else:
            corrected.fact = withdrawn(corrected.fact, created(older))

    def _open(self, statement: RowStatement, attributes: Attributes, ending: RowStatement | None = None) -> _Record:
        """Begin a record; `ending` says when the fact ended, where it is not the statement itself."""
        ending = ending or statement
        fact = replace(
            self._blank,
            uuid=statement.opened,
            text=statement.text or self._blank.text,
            created_at=statement.at,
            expired_at=statement.at if ending.ended_unknown and ending.end is None else None,
            attributes=attributes,
            episodes=statement.episodes,
        )
        fact = _ended(fact, ending)
        if statement.explicit:
            fact = _stamped(replace(fact, believed_invalid_at=statement.believed), statement)
        record = _Record(fact, (_standing(fact) if statement.explicit else statement,))
        self._records.append(record)
        return record

    # -- a statement that arrives late

    def _add_in_place(self, statement: RowStatement, otherwise: Callable[[RowStatement], Verdict]) -> Verdict:
        ordered = sorted((one for r in self._records for one in in_full(r.fact, r.statements)), key=lambda s: s.at)
        if self._replayed(ordered)[0]._current() != self._current():
            return otherwise(statement)  # records that these rules did not make are not made again by them
        place = sum(one.at <= statement.at for one in ordered)
        again, verdicts = self._replayed([*ordered[:place], statement, *ordered[place:]])
        kept = {"", *(record.fact.uuid for record in again._records)}
        self._gone += [_given_up(record.fact) for record in self._records if record.fact.uuid not in kept]
        one_more = len(again._records) > len(self._records)
        self._records = again._records
        if verdicts[place] != "new":
            return verdicts[place]
        return "correction" if one_more else "source"

    def _replayed(self, statements: Sequence[RowStatement]) -> tuple["FactRevisions", list[Verdict]]:
        again = FactRevisions(self._blank)
        return again, [again._stand(s) if s.explicit else again._apply(s) for s in statements]

    def _holds_already(self, statements: Sequence[RowStatement]) -> bool:
        alone = FactRevisions(self._blank)
        for statement in statements:
            alone.add(statement)
        last = next((r.fact for r in reversed(alone._records) if r.fact.withdrawn_at is None), None)
        if last is None:
            return False
        at = statements[-1].at
        end = None if last.ended_unknown and last.invalid_at == at else last.invalid_at
        stated = RowStatement(at, end, plain_attributes(last), **exactness(last))
        return any(r.fact.withdrawn_at is None and says_the_same(r.fact, stated) for r in self._records)


def says_the_same(fact: Fact, statement: RowStatement) -> bool:
    """True when every cell that the statement gives equals what the record holds."""
    end = time_rule.end(fact, clock.LATEST)
    same_end = statement.end == end if statement.end is not None else not statement.ended_unknown or end is not None
    return same_end and is_part(statement.attributes, fact.attributes)


def _likeness(fact: Fact, statement: RowStatement) -> tuple[bool, bool, bool]:
    over = statement.at if statement.ended_unknown and statement.end is None else None
    return (
        fact.withdrawn_at == statement.withdrawn
        and fact.expired_at == (statement.expired or over or statement.withdrawn),
        says_the_same(fact, statement),
        fact.withdrawn_at is None,
    )


def _stamped(fact: Fact, statement: RowStatement) -> Fact:
    """The record with the times that an explicit statement brings; cells that are not given erase nothing."""
    another_end = statement.end not in (None, fact.invalid_at)
    if statement.expired is not None:
        learned = fact.expired_at is None and another_end
        believed = statement.believed or (fact.invalid_at if learned else fact.believed_invalid_at)
        fact = replace(fact, expired_at=statement.expired, believed_invalid_at=believed)
    if another_end and (statement.expired is not None or fact.invalid_at is None):
        fact = _ended(fact, statement)
    elif statement.ended_unknown and fact.invalid_at is None:
        fact = replace(fact, ended_unknown=True)
    if statement.ended_by is not None:
        fact = replace(fact, ended_by=statement.ended_by)
    return fact if statement.withdrawn is None else withdrawn(fact, statement.withdrawn)


def _standing(fact: Fact) -> RowStatement:
    return RowStatement(
        created(fact),
        fact.invalid_at,
        plain_attributes(fact),
        fact.expired_at,
        fact.withdrawn_at,
        fact.believed_invalid_at,
        ended_by=fact.ended_by,
        **exactness(fact),
    )


def _ended(fact: Fact, statement: RowStatement) -> Fact:
    """The record with the end that a statement gives, as exactly as it says."""
    return replace(
        fact,
        invalid_at=statement.end,
        invalid_at_precision=statement.end_precision,
        ended_unknown=statement.ended_unknown,
    )


def _with_end(statement: RowStatement, fact: Fact) -> RowStatement:
    """The statement with the end of the record that it corrects, where it gives none itself."""
    end = time_rule.end(fact, clock.LATEST)
    if statement.end is not None or end is None:
        return statement
    return replace(statement, end=end, end_precision=fact.invalid_at_precision, ended_unknown=fact.ended_unknown)


def _exactly(fact: Fact, statement: RowStatement) -> Fact:
    """The record with its end as exactly as either says, where both give the same."""
    if statement.end is None or statement.end != fact.invalid_at:
        return fact
    precision = finer(fact.invalid_at_precision, statement.end_precision)
    return replace(fact, invalid_at_precision=precision, ended_unknown=fact.ended_unknown and statement.ended_unknown)


def _refined(statements: Sequence[RowStatement], by: RowStatement) -> tuple[RowStatement, ...]:
    """The statements, of which the last that gave the same end, no later than `by`, knows it as exactly as `by`."""
    refined = list(statements)
    for place in reversed(range(len(refined))):
        if refined[place].end == by.end and refined[place].at <= by.at:
            refined[place] = refined[place].with_end_of(by)
            break
    return tuple(refined)


def withdrawn(fact: Fact, at: datetime) -> Fact:
    """Withdrawn at `at`; an empty `expired_at` is filled, so that Graphiti does not take the record for current."""
    if fact.expired_at is not None:
        return replace(fact, withdrawn_at=at)
    return replace(fact, withdrawn_at=at, expired_at=at, believed_invalid_at=fact.invalid_at)


def _given_up(fact: Fact) -> Fact:
    """A record that no statement needs any more: it was never there, and takes no part in what follows."""
    attributes = {**fact.attributes, STATEMENTS: NOTHING}
    return replace(withdrawn(fact, created(fact)), attributes=attributes)


def _wordless(fact: Fact) -> bool:
    return fact.text == words(fact.source, fact.relation, fact.target)


def _logged(record: _Record, starts: Sequence[datetime]) -> Fact:
    # A record corrected at its own instant shares its start with the one that replaced it: count, do not look up.
    withdrawn = record.fact.withdrawn_at
    others = starts.count(withdrawn) - (created(record.fact) == withdrawn) if withdrawn is not None else 0
    return with_log(record.fact, record.statements, corrected=others > 0)
