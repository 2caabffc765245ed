"""Corrections of one fact on the graph's clock, each a pure function from the stored record to what changes.

What the graph said before the correction it goes on saying to whoever asks for an instant before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.core import clock, date_wording, time_rule
from services.core.errors import BadInput
from services.core.models import Entity, Episode, Fact, GraphWrite, Precision
from services.core.precision import given_end, stored_end
from services.tables.cells import check_stated
from services.writing.corrections.correction_records import Correction, FactChanges
from services.writing.edits import Edit, Line, LineKind
from services.writing.fact_revisions import withdrawn
from services.writing.import_plan import identity
from services.writing.statements import plain_attributes, words

_TITLE = 80


@dataclass(frozen=True, slots=True)
class Moment:
    """Where and when a correction is made, and the analyst's reason in words, which becomes a source."""

    workspace: str
    now: datetime
    note: str = ""


def title_of(fact: Fact) -> str:
    """A fact in a few words."""
    return words(fact.source, fact.relation, fact.target)


def ended(
    fact: Fact, at: datetime | None, moment: Moment, by: str | None = None, precision: Precision = "instant"
) -> Correction:
    """The fact stopped being true at `at`, or nobody knows when, which the graph learns now. `by` is what ended it.

    Raises `BadInput` for one that was withdrawn or has an end, and for an end that is not after its start.
    """
    if fact.withdrawn_at is not None:
        raise BadInput("The fact is withdrawn.", "Reinstate the fact first.")
    stop = time_rule.end(fact, moment.now)
    if stop is not None:
        raise BadInput(f"The fact already has an end date: {stop:%Y-%m-%d}.", "Edit the fact to change its end.")
    at = stored_end(fact.valid_at, at, precision)
    _check_span(fact.valid_at, at)
    reason = None if by else _reason(fact, moment)
    after = replace(
        fact,
        invalid_at=at,
        invalid_at_precision=precision,
        ended_unknown=at is None,
        expired_at=moment.now,
        believed_invalid_at=None,
        ended_by=by or (reason.uuid if reason else None),
    )
    when = "on an unknown date" if at is None else date_wording.on(at, precision, date_wording.day)
    title = f"{title_of(fact)}: ended {when}"
    return _correction("ended", title, fact, after, replaced=after, reason=reason)


def taken_back(fact: Fact, moment: Moment) -> Correction:
    """The record is found to be wrong now, by the analyst's reason unless something ended it before.

    Raises `BadInput` for one that was withdrawn before.
    """
    if fact.withdrawn_at is not None:
        raise BadInput("The fact is already withdrawn.", "There is nothing left to do.")
    after = withdrawn(fact, moment.now)
    reason = _reason(fact, moment) if fact.expired_at is None and fact.ended_by is None else None
    if reason:
        after = replace(after, ended_by=reason.uuid)
    return _correction("withdrawn", f"{title_of(fact)}: withdrawn", fact, after, replaced=after, reason=reason)


def edited(
    fact: Fact, changes: FactChanges, ends: tuple[Entity, Entity], others: Sequence[Fact], moment: Moment
) -> Correction:
    """The record is withdrawn now, and a corrected one recorded now. `ends` are the entities that `changes` names.

    `others` are the facts of the first of them. Raises `BadInput` for a withdrawn record, for changes that change
    nothing, for an end that is not after the start, where a name or the relation is missing, and where one of the
    others says the same already.
    """
    if fact.withdrawn_at is not None:
        raise BadInput("The fact is withdrawn.", "Reinstate the fact first.")
    check_stated(changes.source, changes.relation, changes.target)
    if changes == changes_of_fact(fact, moment.now):
        raise BadInput("You have not changed anything.", "Change a field, or close the form.")
    given = given_end(changes.invalid_at, changes.invalid_at_precision)
    end = stored_end(changes.valid_at, given, changes.invalid_at_precision)
    _check_span(changes.valid_at, end)
    source, target = ends
    reason = _reason(fact, moment, source.uuid, target.uuid)
    same_end = time_rule.end(fact, moment.now) in (end, changes.invalid_at)
    after = _anew(
        fact,
        moment,
        source_uuid=source.uuid,
        target_uuid=target.uuid,
        source=source.name,
        relation=changes.relation.strip(),
        target=target.name,
        text=_text(fact, changes, source.name, target.name),
        valid_at=changes.valid_at,
        invalid_at=end,
        expired_at=moment.now if changes.ended_unknown and end is None else None,
        valid_at_precision=changes.valid_at_precision,
        invalid_at_precision=changes.invalid_at_precision,
        ended_unknown=changes.ended_unknown,
        ended_by=fact.ended_by if same_end else None,
        episodes=(*((reason.uuid,) if reason else ()), *fact.episodes),
    )
    if _statement(after) != _statement(fact) and _is_stated(after, others, fact):
        raise BadInput("Another fact already says this.", "Withdraw this fact instead.")
    before = withdrawn(fact, moment.now)
    return _correction(
        "corrected", f"{title_of(fact)}: corrected", fact, after, replaced=before, created=after, reason=reason
    )


def changes_of_fact(fact: Fact, now: datetime) -> FactChanges:
    """A fact as a form shows it: what it says, with its end as it is known now."""
    known = time_rule.as_known(fact, now)
    return FactChanges(
        fact.source,
        fact.relation,
        fact.target,
        fact.text,
        fact.valid_at,
        known.invalid_at,
        fact.valid_at_precision,
        known.invalid_at_precision,
        known.ended_unknown,
    )


def reinstated(fact: Fact, others: Sequence[Fact], moment: Moment) -> Correction:
    """What was ended or withdrawn wrongly is recorded anew as it was believed before that, and the old record is
    withdrawn now, unless it is already. Of one that ended first and was withdrawn later only the latter is taken back.

    `others` are the facts of the same entity. Raises `BadInput` for a fact that was neither, and where one of the
    others says the same already.
    """
    if fact.expired_at is None and fact.withdrawn_at is None:
        raise BadInput(
            "This fact is neither ended nor withdrawn, so there is nothing to reinstate.",
            "Edit the fact to change its end.",
        )
    reason = _reason(fact, moment)
    episodes = (*((reason.uuid,) if reason else ()), *fact.episodes)
    held = before_retired(fact)
    after = _anew(
        fact,
        moment,
        invalid_at=held.invalid_at,
        invalid_at_precision=held.invalid_at_precision,
        ended_unknown=held.ended_unknown,
        ended_by=held.ended_by,
        episodes=episodes,
    )
    if _is_stated(after, others, fact):
        raise BadInput("The graph already says this.", "There is nothing left to do.")
    before = None if fact.withdrawn_at is not None else withdrawn(fact, moment.now)
    title = f"{title_of(fact)}: reinstated"
    return _correction("reinstated", title, fact, after, replaced=before, created=after, reason=reason)


def shown(fact: Fact) -> Fact:
    """The fact without what is not for people."""
    return replace(fact, attributes=plain_attributes(fact))


def before_retired(fact: Fact) -> Fact:
    """The record with the end that it had before it was retired for the last time, and what had ended it."""
    if fact.withdrawn_at is not None and fact.expired_at is not None and fact.expired_at < fact.withdrawn_at:
        return replace(fact, invalid_at=fact.invalid_at or fact.expired_at)
    same = fact.believed_invalid_at is not None and fact.believed_invalid_at == fact.invalid_at
    return replace(
        fact,
        invalid_at=fact.believed_invalid_at,
        invalid_at_precision=fact.invalid_at_precision if same else "instant",
        ended_unknown=fact.ended_unknown and same,
        ended_by=None,
    )


def _is_stated(after: Fact, others: Sequence[Fact], before: Fact) -> bool:
    """True when one of the others, leaving out the record that is corrected, says what the corrected one would."""
    current = (other for other in others if other.withdrawn_at is None and other.uuid != before.uuid)
    return any(_statement(other) == _statement(after) for other in current)


def _statement(fact: Fact) -> tuple[object, ...]:
    stop = time_rule.end(fact, clock.LATEST)
    return fact.source_uuid, fact.relation, fact.target_uuid, fact.valid_at, stop


def _check_span(start: datetime | None, stop: datetime | None) -> None:
    if start is not None and stop is not None and stop <= start:
        raise BadInput(
            "The fact would end before it started.", f"Choose an end after {start:%Y-%m-%d}, when the fact started."
        )


def _anew(fact: Fact, moment: Moment, **changes: object) -> Fact:
    """A record of its own, made now, with nothing of what was learned about the old one.

    What was stated about the fact when stays with the old record: an import of the same rows again changes nothing.
    """
    blank = replace(
        fact,
        uuid=identity(moment.workspace, "correction", fact.uuid, moment.now),
        created_at=moment.now,
        expired_at=None,
        withdrawn_at=None,
        believed_invalid_at=None,
        attributes=plain_attributes(fact),
    )
    return replace(blank, **changes)  # type: ignore[arg-type]


def _text(fact: Fact, changes: FactChanges, source: str, target: str) -> str:
    """The words that were typed. Where they were left and no longer fit the rest, those of the ends and relation."""
    moved = (source, changes.relation.strip(), target) != (fact.source, fact.relation, fact.target)
    return words(source, changes.relation.strip(), target) if moved and changes.text == fact.text else changes.text


def _reason(fact: Fact, moment: Moment, *ends: str) -> Episode | None:
    """The analyst's words as a source of what was corrected, which mentions the ends of both records."""
    note = moment.note.strip()
    if not note:
        return None
    title = note.partition("\n")[0]
    return Episode(
        identity(moment.workspace, "reason", fact.uuid, moment.now),
        title if len(title) <= _TITLE else title[: _TITLE - 1] + "…",
        note,
        source_description="a manual correction",
        valid_at=moment.now,
        created_at=moment.now,
        entity_uuids=tuple(sorted({fact.source_uuid, fact.target_uuid, *ends})),
    )


def _correction(
    kind: LineKind,
    title: str,
    before: Fact,
    after: Fact,
    *,
    replaced: Fact | None,
    created: Fact | None = None,
    reason: Episode | None = None,
) -> Correction:
    edit = Edit(
        created=GraphWrite(facts=(created,) if created else (), episodes=(reason,) if reason else ()),
        replaced=GraphWrite(facts=(replaced,) if replaced else ()),
    )
    return Correction(title, edit, (Line(kind, title, shown(before), shown(after)),))
