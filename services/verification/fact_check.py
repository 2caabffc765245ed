"""Whether a fact bears out a clause: its names in their roles, its relation, no turned negation, its tense."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from services.core import clock
from services.language.inflection import is_past, stem
from services.language.quantities import DAYS
from services.verification.agent_roles import agents
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_dates import dates_problem, moved_from
from services.verification.fact_match import FactMatch, Mismatch, SentenceContext, is_content
from services.verification.fact_polarity import is_turned, was_not_so
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import Name
from services.verification.word_classes import (
    NEGATORS,
    is_ending,
    is_starting,
    is_stative,
    meanings,
    negated_forms,
    opposites,
    word_set,
)

_OF_TIME = frozenset(
    map(
        stem,
        [
            "before",
            "after",
            "early",
            "late",
            "first",
            "last",
            "more",
            "less",
            "over",
            "under",
            "long",
            "short",
            "most",
            "least",
        ],
    )
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
    if not missing or all(_is_given_as_number(clause, name.cased) for name in missing) or _is_verbatim(fact, context):
        return ""
    if other := next((name for name in missing if _has_other_number(name, context)), None):
        return f"it says {other.cased}"
    if len(missing) == 1 and len(clause.names) > len(keys) == 1:
        return f"it says {missing[0].cased}"
    if len(missing) == 1:
        if _is_meant(missing[0].key, match):
            return ""
    elif context.before and not {fact.source.key, fact.target.key} & context.before:
        return f"it is about {fact.fact.source}"
    elif not context.before and not clause.has_pronoun:
        return f"it is about {fact.fact.source} and {fact.fact.target}"
    strange = _strange(clause, fact)
    return f"it says {fact.fact.target}, not “{strange[0]}”" if strange else ""


def _is_meant(key: str, match: FactMatch) -> bool:
    """True for an end that the rest of the sentence names, or that a pronoun, or nothing at all, stands for."""
    clause, context = match.clause, match.context
    if key in context.sentence:
        return True
    if clause.has_pronoun and (key in context.before or not context.before):
        return True
    others = clause.keys - {match.fact.source.key, match.fact.target.key}
    return not others and key in context.before and not _strange(clause, match.fact)


def _has_other_number(name: Name, context: SentenceContext) -> bool:
    """True where the sentence has another one of such a name: "Node 18" for "Node 16"."""
    if name.number is None:
        return False
    shape, number = name.number
    found = re.search(rf"\b{re.escape(shape)}s?[\s-]+(\d[\w.]*)", context.text)
    if found is None or found[1].rstrip(".") == number:
        return False
    return found[0].rstrip(".") not in context.sentence


def _is_verbatim(fact: IndexedFact, context: SentenceContext) -> bool:
    """True for the fact's own words, which may leave its ends' names out."""
    return " " in fact.words and fact.words in context.text


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
        return f"it says “{' '.join(fact.relation)}”, not “{alone.text}”"
    groups, of_fact = shared & _DISTINCTIVE, fact.meanings & _DISTINCTIVE
    if groups and of_fact and not groups | of_fact <= _MAKING:
        verb = next(word for word in words if any(meaning in groups for meaning, _ in meanings(word.lower)))
        return f"it says “{' '.join(fact.relation)}”, not “{verb.text}”"
    other = next(
        (w for w in words if stem(w.lower) in match.context.relations and stem(w.lower) not in fact.vocabulary), None
    )
    return f"it says “{' '.join(fact.relation)}”, not “{other.text}”" if other else ""


_OF_LIVES = frozenset(("=birth", "=die"))
"""Meanings that can be said of no relation but their own."""

_MAKING = frozenset(("=create", "=found"))
_DISTINCTIVE = word_set("=create =employ =lead =found =sponsor =marry =teach =parent =depend")
"""Meanings that say too much to be said of another relation."""


def _roles(match: FactMatch) -> str:
    """Who does it in the clause does it in the fact."""
    clause, fact = match.clause, match.fact
    one, other = fact.source.key, fact.target.key
    if one == other or not {one, other} <= clause.keys:
        return ""
    claimed = agents(clause.words, one, other)
    shared = [meaning for meaning in claimed if meaning in fact.agents]
    shared = [meaning for meaning in shared if meaning.startswith("=")] or shared
    if shared and all(claimed[meaning] != fact.agents[meaning] for meaning in shared):
        return f"it has {fact.fact.source} and {fact.fact.target} the other way round"
    if not shared and not claimed and fact.agents and _is_plain_copula(clause, one, other):
        return f"it has {fact.fact.source} and {fact.fact.target} the other way round"
    return ""


def _is_plain_copula(clause: SentenceClause, one: str, other: str) -> bool:
    """True for "B is A" without another word, where the fact says something of A."""
    keys = [word.name for word in clause.words]
    between = [word.lower for word in clause.words[keys.index(other) + 1 : keys.index(one)]]
    return any(word in _COPULA for word in between) and all(
        word in _COPULA or word in ("the", "a", "an") for word in between
    )


_COPULA = word_set("is was are were became becomes remains remained be been")
_FORMER = word_set("former ex graduate alumnus alumna alumni veteran retired late")


def _polarity(match: FactMatch) -> str:
    """No negation or opposite turns what the record says; one that tells that it is over must be true."""
    clause, fact, turn = match.clause, match.fact, match.turn
    end, start = fact.end(turn), fact.start()
    if clause.is_no_longer:
        return "" if end is not None and end <= turn.horizon else "it has not ended"
    if clause.is_not_yet and _is_yet_of_other(match):
        return ""
    if clause.is_not_yet:
        moment = clause.dates[0].first if clause.dates else turn.at.as_of
        return "" if start is not None and start > moment else "it had begun"
    if is_turned(clause, fact) and not was_not_so(clause, fact, turn):
        return "it says the opposite"
    for word in () if moved_from(clause, fact) else clause.words:
        if is_content(word) and (other := _opposite(word.lower, fact)):
            return f"it says “{other}”, not “{word.text}”"
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
    if own in fact.vocabulary or own in _OF_TIME or is_starting(word) or is_ending(word):
        return ""
    opposed = (opposites(own) - _OF_TIME) | negated_forms(word)
    known = [*fact.relation, *fact.target.key.split(), *fact.fact.text.lower().split()]
    return next((other for other in known if stem(other.strip(".,;")) in opposed), "")


def _tense(match: FactMatch) -> str:
    """What is said without a date held at the instants that the fact was returned for."""
    clause, fact, turn = match.clause, match.fact, match.turn
    start, end = fact.start(), fact.end(turn)
    if start is not None and start > turn.horizon and clause.tense != "future":
        return f"it begins only on {start:%Y-%m-%d}"
    if clause.is_no_longer or clause.is_not_yet or clause.negators():
        return ""
    says_end = any(
        is_ending(w.lower)
        and stem(w.lower) not in fact.vocabulary
        and not any(meaning in fact.meanings or meaning in fact.of_target for meaning, _ in meanings(w.lower))
        for w in clause.words
        if not w.name
    )
    if says_end:
        return "" if end is not None and end <= turn.horizon else "it has not ended"
    if end is None or not fact.has_ended(turn):
        return ""
    is_open = any(date.role == "since" and date.to is None for date in clause.dates)
    if clause.tense == "present" and not _FORMER & clause.lower:
        speaks_of_now = is_open or not clause.dates
    else:
        lasts = any(number.unit in DAYS for number in clause.numbers) and clause.tense == "perfect"
        speaks_of_now = (is_open and _has(clause)) or lasts
    if speaks_of_now or _is_now(clause) or _is_of_then(match):
        return f"it ended on {end:%Y-%m-%d}"
    return ""


def _is_of_then(match: FactMatch) -> bool:
    """True for a plain "was" in an answer as of a past date: it says what was so at that date, not before."""
    clause, at = match.clause, match.turn.at
    if at.as_of >= at.known_at - timedelta(days=1) or match.turn.as_of_2 is not None or not match.context.alone:
        return False
    is_narrower = clause.dates or clause.numbers or _EARLIER & clause.lower or len(clause.names) > MOST_OF_ONE
    return clause.tense == "past" and bool({"was", "were", "had"} & clause.lower) and not is_narrower


MOST_OF_ONE = 2
_EARLIER = word_set("first once previously formerly earlier originally initially before used been until then")


def _has(clause: SentenceClause) -> bool:
    return bool({"has", "have"} & clause.lower)


def _is_now(clause: SentenceClause) -> bool:
    now = {"now", "currently", "today"} if clause.tense == "past" else {"now", "currently", "still", "today"}
    return bool(now & clause.lower) and not clause.dates


def withdrawn(facts: Sequence[IndexedFact], turn: TurnInstants) -> Iterator[Mismatch]:
    """The facts whose record was found to be wrong by the answer's instant of knowledge."""
    for fact in facts:
        at = fact.fact.withdrawn_at
        if at is not None and not clock.recorded(fact.fact, turn.at.known_at):
            yield Mismatch(f"its record was withdrawn on {at:%Y-%m-%d}", fact.n, 9)
