"""Whether the dates of a clause are those of a fact: when it began, when it ended, or a time when it held."""

from datetime import datetime, timedelta

from services.core import fact_dates
from services.language.inflection import stem
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_match import FactMatch
from services.verification.fact_polarity import is_turned, was_not_so
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import ReadWord
from services.verification.stated_dates import StatedDate
from services.verification.word_classes import is_ending, is_starting, is_stative

_DAY = timedelta(days=1)


def dates_problem(match: FactMatch) -> str:
    """Each date of the clause is when it began or ended, or it held then."""
    clause, fact, turn = match.clause, match.fact, match.turn
    if clause.is_not_yet or (is_turned(clause, fact) and was_not_so(clause, fact, turn)):
        return ""
    for date in clause.dates:
        if any(date.first <= own.first and own.last <= date.last for own in fact.dates):
            continue
        if any(_is_change(fact, other, date, match) for other in match.context.facts):
            continue
        if fact.start() is None and fact.end(turn) is None:
            return "it has no date"
        if not _is_right(date, match):
            return f"it {spelt(fact, turn)}"
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
    began = f"began {fact_dates.on_its(fact.fact, start)}" if start else "has no start"
    return f"{began} and ended {fact_dates.on_its(fact.fact, end)}" if end else f"{began} and goes on"


def _is_right(date: StatedDate, match: FactMatch) -> bool:
    fact, turn = match.fact, match.turn
    start, end = fact.start(), fact.end(turn)
    kind = _kind(date, match)
    if date.to is not None:
        return _is_range(date, date.to, fact, turn)
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
    if ending := moved_from(clause, fact):
        return ending
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


def moved_from(clause: SentenceClause, fact: IndexedFact) -> str:
    """In "moved from A to B" the one at A ended then, and the one at B began."""
    names = [i for i, word in enumerate(clause.words) if word.name in (fact.source.key, fact.target.key)]
    if handed := _handed(clause, names):
        return handed
    before = {clause.words[i - 1].lower for i in names if i}
    others = {word.lower for word in clause.words if not word.name}
    if not {"from", "to"} <= others and "into" not in others:
        return ""
    return "end" if "from" in before else "start" if before & {"to", "into"} else ""


def _handed(clause: SentenceClause, names: list[int]) -> str:
    """In "A handed it over to B" what A had ended then, and what B has began."""
    verb = next((i for i, word in enumerate(clause.words) if not word.name and stem(word.lower) in _HANDOVERS), None)
    to = next((i for i, word in enumerate(clause.words) if verb is not None and i > verb and word.lower == "to"), None)
    if verb is None or to is None:
        return ""
    return "start" if any(i > to for i in names) else "end" if any(i < verb for i in names) else ""


_HANDOVERS = frozenset(map(stem, ("hand", "pass", "transfer", "cede")))


def _word_before(clause: SentenceClause, date: StatedDate) -> ReadWord | None:
    before = [word for word in clause.words if word.end <= date.start and (word.name or word.lower not in ("on", "in"))]
    return before[-1] if before else None


def _is_participle(word: ReadWord | None, fact: IndexedFact) -> bool:
    """True for "accepted" in "was accepted on": it happened then."""
    return (
        word is not None and word.name == fact.target.key and " " not in word.name and word.lower.endswith(("ed", "en"))
    )
