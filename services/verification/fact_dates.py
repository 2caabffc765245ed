"""Whether the dates of a clause are those of a fact: when it began, when it ended, or a time when it held."""

from datetime import datetime, timedelta

from services.core import date_wording
from services.language.inflection import stem
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_match import FactMatch
from services.verification.fact_polarity import is_turned, was_not_so
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import ReadWord
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import is_ending, is_starting, is_stative, meanings

_DAY = timedelta(days=1)


def dates_problem(match: FactMatch) -> str:
    """Each date of the clause is when it began or ended, or it held then."""
    clause, fact, turn = match.clause, match.fact, match.turn
    is_not_so = is_turned(clause, fact) and was_not_so(clause, fact, turn)
    if clause.is_not_yet or (is_not_so and not any(date.role == "since" for date in clause.dates)):
        return ""
    for date in clause.dates:
        if any(date.first <= own.first and own.last <= date.last for own in fact.dates):
            continue
        if any(_is_change(fact, other, date, match) for other in match.context.facts):
            continue
        if fact.start() is None and fact.end(turn) is None:
            return "the fact has no date"
        if not _is_right(date, match):
            return f"the fact {spelt(fact, turn)}"
    return ""


def _is_change(fact: IndexedFact, other: IndexedFact, date: StatedDate, match: FactMatch) -> bool:
    """True for the day when what a fact says gave way to what another of its relation says, and both are named."""
    pair = {fact.source.key, fact.target.key} ^ {other.source.key, other.target.key}
    end, start = fact.end(match.turn), other.start()
    if fact.relation != other.relation or len(pair) != 2 or not pair <= match.clause.keys or not (end and start):
        return False
    if {"from", "to"} & match.clause.lower:
        return False  # these say which of the two was first
    return date.role == "at" and date.to is None and date.holds(start) and abs(start - end) <= _DAY


def spelt(fact: IndexedFact, turn: TurnInstants) -> str:
    """When a fact began and ended, in words."""
    start, end = fact.start(), fact.end(turn)
    began = f"began {date_wording.on_its(fact.fact, start)}" if start else "has no start date"
    return f"{began} and ended {date_wording.on_its(fact.fact, end)}" if end else f"{began} and has not ended"


def _is_right(date: StatedDate, match: FactMatch) -> bool:
    fact, turn = match.fact, match.turn
    start, end = fact.start(), fact.end(turn)
    kind = _kind(date, match)
    if date.to is not None:
        return _is_range(date, date.to, fact, turn)
    if date.role == "since" and clause_denies(match.clause):
        return _ends(date, end)
    if date.role in ("since", "from"):
        return date.holds(start) or (date.role == "from" and kind == "end" and _ends(date, end))
    if date.role in ("until", "to"):
        return _ends(date, end) or (kind == "start" and date.holds(start))
    if date.role in ("before", "after", "by"):
        return _is_beside(date, kind, start, end)
    if turn.is_its_own(date) and fact.holds(date.first, date.last, turn):
        return True
    if kind == "start":
        return date.holds(start)
    if kind == "end":
        return _ends(date, end)
    return fact.holds(date.first, date.last, turn)


def clause_denies(clause: SentenceClause) -> bool:
    """True for "has no longer been" and "has not been": what it dates is the end."""
    return clause.is_no_longer or clause.negators() == ["not"]


def _ends(date: StatedDate, end: datetime | None) -> bool:
    """True for the end; one that is written as the last day, or as the first day after, is the same."""
    return end is not None and (date.holds(end, slack=_DAY) or end == date.last)


def _is_range(date: StatedDate, to: StatedDate, fact: IndexedFact, turn: TurnInstants) -> bool:
    start, end = fact.start(), fact.end(turn)
    if date.holds(start) and _ends(to, end):
        return True
    lasted = start is not None and start < date.last and (end is None or end > to.first)
    return date.role == "between" and lasted


def _is_beside(date: StatedDate, kind: str, start: datetime | None, end: datetime | None) -> bool:
    moment = end if kind == "end" else start
    if moment is None:
        return False
    if date.role == "before":
        return moment < date.first
    if date.role == "by":
        return moment < date.last and (kind == "end" or end is None or end > date.first)
    return moment >= date.last if kind in ("start", "end") else end is None or end > date.last


def _kind(date: StatedDate, match: FactMatch) -> str:
    """What a date tells: that it began then ("start"), that it ended then ("end"), or that it held then ("hold")."""
    clause, fact = match.clause, match.fact
    own = frozenset(map(stem, fact.relation))
    if change := change_of(clause, fact):
        return change
    verb = clause.verb_of(date)
    before = _word_before(clause, date)
    if _is_participle(before, fact) and date.role == "at":
        return "start"
    if verb is None:
        return "hold"
    if stem(verb.lower) not in own:
        if is_ending(verb.lower):
            return "end"
        if is_starting(verb.lower):
            return "start"
    if is_stative(verb.lower) or verb.lower.endswith("ing") or clause.tense in ("present", "perfect"):
        return "hold"
    return "start" if fact.end(match.turn) is None else "hold"


def change_of(clause: SentenceClause, fact: IndexedFact) -> str:
    """Whether a clause tells that a fact ended ("end") or began ("start"), by who loses and who gains what in it."""
    ends = {fact.source.key, fact.target.key}
    for change in clause.changes:
        if any(meaning in fact.meanings | fact.of_target for meaning, _ in meanings(change.verb.lower)):
            continue
        loses, gains, lost, gained = (
            {word.name for word in names} & ends for names in (change.loses, change.gains, change.lost, change.gained)
        )
        if not (change.is_swap or ends <= loses | gains | lost | gained):
            continue
        is_end = bool(lost) and not (gained - lost)
        is_start = bool(gained) and not (lost - gained)
        if is_end and is_start:
            is_end, is_start = not gains, not loses
        if is_end or is_start:
            return "end" if is_end else "start"
    return ""


def _word_before(clause: SentenceClause, date: StatedDate) -> ReadWord | None:
    before = [word for word in clause.words if word.end <= date.start and (word.name or word.lower not in ("on", "in"))]
    return before[-1] if before else None


def _is_participle(word: ReadWord | None, fact: IndexedFact) -> bool:
    """True for "accepted" in "was accepted on": it happened then."""
    return (
        word is not None and word.name == fact.target.key and " " not in word.name and word.lower.endswith(("ed", "en"))
    )
