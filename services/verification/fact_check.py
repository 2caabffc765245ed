"""Whether a fact bears out a clause: its names in their roles, its relation, no turned negation, its tense."""

from collections.abc import Iterator, Sequence

from services.core import date_wording, time_rule
from services.language.inflection import is_past, stem
from services.language.quantities import DAYS
from services.verification.agent_roles import agents
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_dates import change_of, dates_problem, spelt
from services.verification.fact_match import FactMatch, Mismatch, is_content
from services.verification.fact_polarity import is_turned, was_not_so
from services.verification.sentence_clauses import SentenceClause
from services.verification.word_classes import (
    NEGATORS,
    is_ending,
    is_starting,
    is_stative,
    meanings,
    opposites,
    says_end,
    word_set,
)


def fits(match: FactMatch) -> Mismatch | None:
    """What keeps a fact from bearing out a clause; None where nothing does."""
    for near, check in enumerate((_names, _relation, _roles, _polarity, dates_problem, _tense)):
        if reason := check(match):
            return Mismatch(reason, match.fact.n, near)
    return None


def _names(match: FactMatch) -> str:
    """Both ends are named, or something stands for the one that is not."""
    clause, fact, context = match.clause, match.fact, match.context
    keys = clause.keys
    ends = [name for name in (fact.source, fact.target) if name.key not in keys]
    missing = [name for name in ends if not (name.key in context.sentence and fact.target.is_number)]
    if not missing or all(_is_given_as_number(clause, name.cased) for name in missing):
        return ""
    if len(missing) == 1 and _is_meant(missing[0].key, match):
        return ""
    strange = _strange(clause, fact)
    return f"the fact says {fact.fact.target}, not “{strange[0]}”" if strange else ""


def _is_meant(key: str, match: FactMatch) -> bool:
    """True for an end that the rest of the sentence names, or that a pronoun, or nothing at all, stands for."""
    clause, context = match.clause, match.context
    if key in context.sentence:
        return True
    if clause.has_pronoun and (key in context.before or not context.before):
        return True
    others = clause.keys - {match.fact.source.key, match.fact.target.key}
    return not others and key in context.before and not _strange(clause, match.fact)


def _is_given_as_number(clause: SentenceClause, name: str) -> bool:
    """True for an end that is a number or a date, where the clause has one."""
    return (name[:1].isdigit() and bool(clause.numbers or clause.dates)) or (
        any(character.isdigit() for character in name) and name[:1] in "$£€-+"
    )


def _strange(clause: SentenceClause, fact: IndexedFact) -> list[str]:
    """Words of content that nothing in the record explains."""
    words = clause.words
    return [
        word.text
        for i, word in enumerate(words)
        if is_content(word)
        and not _is_explained(word.lower, fact)
        and not (i and words[i - 1].lower in _DEFINITE and word.lower.isalpha() and not is_past(word.lower))
        and not any(number.end + 1 == word.start for number in clause.numbers)
    ]


_DEFINITE = word_set("the this that these those its his her their whose")


def _is_explained(word: str, fact: IndexedFact) -> bool:
    if stem(word) in fact.vocabulary:
        return True
    if (is_stative(word) or is_starting(word) or is_ending(word)) and (is_past(word) or word.endswith(("s", "ing"))):
        return True
    meant = {meaning for meaning, _ in meanings(word)}
    return word in NEGATORS or "=succeed" in meant or bool(meant & (fact.meanings | fact.of_target))


def _relation(match: FactMatch) -> str:
    """The clause's verb says the fact's relation, or one that is not known to be another."""
    clause, fact = match.clause, match.fact
    if not {fact.source.key, fact.target.key} <= clause.keys:
        return ""
    words = [word for word in clause.words if is_content(word)]
    shared = {meaning for word in words for meaning, _ in meanings(word.lower)}
    if shared & fact.meanings:
        return ""
    if alone := next((w for w in words if any(m in _OF_LIVES for m, _ in meanings(w.lower))), None):
        return f"the fact says “{' '.join(fact.relation)}”, not “{alone.text}”"
    other = next(
        (w for w in words if stem(w.lower) in match.context.relations and stem(w.lower) not in fact.vocabulary), None
    )
    return f"the fact says “{' '.join(fact.relation)}”, not “{other.text}”" if other else ""


_OF_LIVES = frozenset(("=birth", "=die"))
"""Meanings that can be said of no relation but their own."""


def _roles(match: FactMatch) -> str:
    """Who does it in the clause does it in the fact."""
    clause, fact = match.clause, match.fact
    one, other = fact.source.key, fact.target.key
    if one == other or not {one, other} <= clause.keys:
        return ""
    if any(change.is_swap for change in clause.changes):
        return ""
    claimed = agents(clause.words, one, other) | _gainers(match)
    shared = [meaning for meaning in claimed if meaning in fact.agents]
    shared = [meaning for meaning in shared if meaning.startswith("=")] or shared
    if shared and all(claimed[meaning] != fact.agents[meaning] for meaning in shared):
        return f"the fact has {fact.fact.source} and {fact.fact.target} the other way round"
    return ""


def _gainers(match: FactMatch) -> dict[str, str]:
    """Who has what in the end, by the verbs of change: of "A took over B" the one that owns is A."""
    fact = match.fact
    ends = {fact.source.key, fact.target.key}
    for change in match.clause.changes if _OWNING & fact.agents.keys() else ():
        gains, lost = ({word.name for word in names} & ends for names in (change.gains, change.lost))
        if gains and lost and gains != lost and change.gains != change.loses:
            return dict.fromkeys(_OWNING, min(gains - lost, default=""))
    return {}


_OWNING = frozenset(("=acquire", "=own", "=whole"))
_FORMER = word_set("former ex graduate alumnus alumna alumni veteran retired late")


_RECORDS = word_set("fact facts record records entries match matches")


def _polarity(match: FactMatch) -> str:
    """No negation or opposite turns what the record says; one that tells that it is over must be true."""
    clause, fact, turn = match.clause, match.fact, match.turn
    end, start = fact.end(turn), fact.start()
    if clause.is_no_longer:
        return "" if end is not None and end <= turn.horizon else "the fact has not ended"
    if clause.is_not_yet and _is_yet_of_other(match):
        return ""
    if clause.is_not_yet:
        moment = clause.dates[0].first if clause.dates else turn.at.as_of
        return "" if start is not None and start > moment else "the fact had already started"
    if is_turned(clause, fact) and not was_not_so(clause, fact, turn):
        return "the fact says the opposite"
    for word in () if any(change.is_swap for change in clause.changes) else clause.words:
        if is_content(word) and (other := _opposite(word.lower, fact)):
            return f"the fact says “{other}”, not “{word.text}”"
    return ""


def _is_yet_of_other(match: FactMatch) -> bool:
    """True for "accepted, but not yet final": what has not begun is none of the fact's names."""
    words = match.clause.words
    yet = next((i for i, word in enumerate(words) if word.lower == "yet"), len(words))
    later = [word for word in words[yet + 1 :] if word.name or is_content(word)]
    own = (match.fact.source.key, match.fact.target.key)
    return bool(later) and not any(w.name in own or stem(w.lower) in match.fact.vocabulary for w in later)


def _opposite(word: str, fact: IndexedFact) -> str:
    own = stem(word)
    if own in fact.vocabulary:
        return ""
    opposed = opposites(own)
    known = [*fact.relation, *fact.target.key.split(), *fact.fact.text.lower().split()]
    return next((other for other in known if stem(other.strip(".,;")) in opposed), "")


def _tense(match: FactMatch) -> str:
    """What is said without a date held at the instants that the fact was returned for."""
    clause, fact, turn = match.clause, match.fact, match.turn
    start, end = fact.start(), fact.end(turn)
    if start is not None and start > turn.horizon and clause.tense != "future":
        return f"the fact starts later, {date_wording.on_its(fact.fact, start)}"
    if clause.tense == "future" and _has_come(match):
        return f"the fact {spelt(fact, turn)}"
    if clause.is_no_longer or clause.is_not_yet or clause.negators():
        return ""
    tells_end = any(
        says_end(w.lower)
        and stem(w.lower) not in fact.vocabulary
        and not any(meaning in fact.meanings or meaning in fact.of_target for meaning, _ in meanings(w.lower))
        for w in clause.words
        if not w.name
    )
    change = change_of(clause, fact)
    if change == "end" or (tells_end and change != "start") or clause.is_of_the_past or "formerly" in clause.lower:
        return "" if end is not None and end <= turn.horizon else "the fact has not ended"
    if end is None or not fact.has_ended(turn):
        return ""
    is_open = any(date.role == "since" and date.to is None for date in clause.dates)
    if clause.tense == "present" and not (_FORMER | _RECORDS) & clause.lower:
        speaks_of_now = is_open or not clause.dates
    else:
        lasts = any(number.unit in DAYS for number in clause.numbers)
        speaks_of_now = (lasts and clause.tense == "perfect") or (is_open and bool({"has", "have"} & clause.lower))
    if speaks_of_now:
        return f"the fact ended {date_wording.on_its(fact.fact, end)}"
    return ""


def _has_come(match: FactMatch) -> bool:
    """True where what a clause says is to come had begun at the answer's instant, and no date of it lies ahead."""
    start, horizon = match.fact.start(), match.turn.horizon
    ahead = any(date.last > horizon or (date.to and date.to.last > horizon) for date in match.clause.dates)
    return start is not None and start <= horizon and not ahead


def withdrawn(facts: Sequence[IndexedFact], turn: TurnInstants) -> Iterator[Mismatch]:
    """The facts whose record was found to be wrong by the answer's instant of knowledge."""
    for fact in facts:
        at = fact.fact.withdrawn_at
        if at is not None and not time_rule.recorded(fact.fact, turn.at.known_at):
            yield Mismatch(f"the fact was withdrawn on {at:%Y-%m-%d}", fact.n, 9)
