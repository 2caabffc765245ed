"""What a sentence ends and begins for somebody, and what that says of the facts that it tells."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules.choices import is_person
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.findings import CHANGED, Finding, SentenceReading, Transition, is_same
from services.extraction.rules.mentions import Referent

if TYPE_CHECKING:
    from spacy.tokens import Token


def carry_on(reading: SentenceReading) -> None:
    """Add what ends and begins by a sentence that was told before it: "joined Kiln in 2015. She left in 2022"."""
    reading.transitions = [_with_day(reading.transitions, transition) for transition in reading.transitions]
    for transition in reading.transitions:
        if transition.things:
            continue
        if not transition.ends:
            _inherit(reading, transition)
        elif not any(transition.concerns(one) for one in reading.found):
            reading.found += [replace(one, base=min(one.base, 0.85)) for one in _open(reading, transition)]


def _with_day(transitions: Sequence[Transition], transition: Transition) -> Transition:
    """A beginning without a date has that of the end that it is joined to: "A left in 2019, and B took over"."""
    if (
        transition.ends
        or transition.times.valid_at is not None
        or transition.verb.dep_ not in ("conj", "relcl", "advcl")
    ):
        return transition
    above = [one.times.invalid_at for one in transitions if one.ends and one.verb in transition.verb.ancestors]
    days = {day for day in above if day is not None}
    return replace(transition, times=Times(days.pop())) if len(days) == 1 else transition


def _open(reading: SentenceReading, transition: Transition) -> list[Finding]:
    """What was told before of who loses something and has no end yet: the last of it, and what began with that."""
    own = [one for one in reading.earlier if transition.concerns(one) and one.times.invalid_at is None]
    return [one for one in own if one.times == own[-1].times]


def _inherit(reading: SentenceReading, transition: Transition) -> None:
    """Add for who takes over what the one before had: "A resigned as chair, and B took over"."""
    offices = [one for one in (*reading.earlier, *reading.found) if one.relation in CHANGED["office"]]
    others = [one.source for one in offices if not is_same(one.source.name, transition.holder.name)]
    before = transition.other or (others[-1] if others and transition.takes_over else None)
    if before is None or not is_person(transition.holder):
        return
    if transition.other is None and _is_elsewhere(reading, transition, before):
        return
    had = replace(transition, ends=True, holder=before)
    for one in offices:
        if had.concerns(one):
            reading.add(transition.holder, one.relation, one.target, transition.times, 0.75)
    if transition.other is None:
        reading.add(transition.holder, "SUCCEEDED", before, transition.times, 0.75)


def _is_elsewhere(reading: SentenceReading, transition: Transition, before: Referent) -> bool:
    """Return True where a clause names an organization, beside its subject, that the one before had no office in."""
    verb = transition.verb.head if transition.verb.dep_ == "advcl" else transition.verb
    subject = {word for child in verb.children if child.dep_ == "nsubj" for word in child.subtree}
    named = [one for one in reading.refer_all([word for word in verb.subtree if word not in subject]) if one.proper]
    firms = {one.name for one in named if one.type == "Organization"}
    had = {one.target.name for one in (*reading.earlier, *reading.found) if is_same(one.source.name, before.name)}
    return bool(firms) and not firms & had


def applied(transitions: Sequence[Transition], one: Finding, verb_between: "Token | None") -> Finding | None:
    """A finding with what the transitions of its sentence say of its times; None for a succession the other way round.

    `verb_between` is the verb between its ends.
    """
    for transition in transitions:
        if transition.denies(one):
            return None
        if transition.concerns(one) and transition.is_of(verb_between):
            one = replace(one, times=transition.dated(one.times))
    return one
