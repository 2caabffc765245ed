"""Whether a fact bears out a clause: its names in their roles, its relation, no turned negation, its tense."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from services.core import clock
from services.language.inflection import is_past, stem
from services.language.quantities import DAYS
from services.verification.case import Around, Case, Problem, is_content
from services.verification.clauses import Clause
from services.verification.held import HeldFact, Turn
from services.verification.lexicon import (
    NEGATORS,
    is_ending,
    is_starting,
    is_stative,
    meanings,
    negated_forms,
    opposites,
    root,
    word_set,
)
from services.verification.on_dates import dates_problem, moved_from
from services.verification.polarity import is_turned, was_not_so
from services.verification.reading import Name
from services.verification.roles import doers, is_direct, is_passive_with_a_place

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


def fits(case: Case) -> Problem | None:
    """What keeps a fact from bearing out a clause; None where nothing does."""
    for near, check in enumerate((_names, _relation, _roles, _polarity, dates_problem, _tense)):
        if reason := check(case):
            return Problem(reason, case.fact.n, near)
    return None


def _names(case: Case) -> str:
    """Both ends are named, or something stands for the one that is not."""
    clause, fact, around = case.clause, case.fact, case.around
    keys = clause.keys
    ends = [name for name in (fact.source, fact.target) if name.key not in keys]
    missing = [name for name in ends if not (name.key in around.sentence and fact.target.is_number)]
    if not missing or all(_is_said_in_numbers(clause, name.cased) for name in missing) or _is_verbatim(fact, around):
        return ""
    if other := next((name for name in missing if _has_other_number(name, around)), None):
        return f"it says {other.cased}"
    if len(missing) == 1 and len(clause.names) > len(keys) == 1:
        return f"it says {missing[0].cased}"
    if len(missing) == 1:
        if _is_meant(missing[0].key, case):
            return ""
    elif around.before and not {fact.source.key, fact.target.key} & around.before:
        return f"it is about {fact.fact.source}"
    elif not around.before and not clause.has_pronoun:
        return f"it is about {fact.fact.source} and {fact.fact.target}"
    strange = _strange(clause, fact)
    return f"it says {fact.fact.target}, not “{strange[0]}”" if strange else ""


def _is_meant(key: str, case: Case) -> bool:
    """True for an end that the rest of the sentence names, or that a pronoun, or nothing at all, stands for."""
    clause, around = case.clause, case.around
    if key in around.sentence:
        return True
    if clause.has_pronoun and (key in around.before or not around.before):
        return True
    others = clause.keys - {case.fact.source.key, case.fact.target.key}
    return not others and key in around.before and not _strange(clause, case.fact)


def _has_other_number(name: Name, around: Around) -> bool:
    """True where the sentence has another one of such a name: "Node 18" for "Node 16"."""
    if name.number is None:
        return False
    shape, number = name.number
    found = re.search(rf"\b{re.escape(shape)}s?[\s-]+(\d[\w.]*)", around.text)
    if found is None or found[1].rstrip(".") == number:
        return False
    return found[0].rstrip(".") not in around.sentence


def _is_verbatim(fact: HeldFact, around: Around) -> bool:
    """True for the fact's own words, which may leave its ends' names out."""
    return " " in fact.words and fact.words in around.text


def _is_said_in_numbers(clause: Clause, name: str) -> bool:
    """True for an end that is a number or a date, where the clause has one."""
    return (name[:1].isdigit() and bool(clause.numbers or clause.dates)) or (
        any(character.isdigit() for character in name) and name[:1] in "$£€-+"
    )


def _strange(clause: Clause, fact: HeldFact) -> list[str]:
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


def _is_explained(word: str, fact: HeldFact) -> bool:
    if stem(word) in fact.vocabulary:
        return True
    if (is_stative(word) or is_starting(word) or is_ending(word)) and (is_past(word) or word.endswith(("s", "ing"))):
        return True
    told = {meaning for meaning, _ in meanings(word)}
    return word in NEGATORS or "=succeed" in told or bool(told & (fact.meanings | fact.of_target))


def _relation(case: Case) -> str:
    """The clause's verb says the fact's relation, or one that is not known to be another."""
    clause, fact = case.clause, case.fact
    if not {fact.source.key, fact.target.key} <= clause.keys:
        return ""
    said = [word for word in clause.words if is_content(word)]
    told = {meaning for word in said for meaning, _ in meanings(word.lower)}
    if told & fact.meanings:
        return ""
    if alone := next((w for w in said if any(m in _OF_LIVES for m, _ in meanings(w.lower))), None):
        return f"it says “{' '.join(fact.relation)}”, not “{alone.text}”"
    groups, of_fact = told & _TELLING, fact.meanings & _TELLING
    if groups and of_fact and not groups | of_fact <= _MAKING:
        verb = next(word for word in said if any(meaning in groups for meaning, _ in meanings(word.lower)))
        return f"it says “{' '.join(fact.relation)}”, not “{verb.text}”"
    other = next(
        (w for w in said if stem(w.lower) in case.around.relations and stem(w.lower) not in fact.vocabulary), None
    )
    return f"it says “{' '.join(fact.relation)}”, not “{other.text}”" if other else ""


_OF_LIVES = frozenset(("=birth", "=die"))
"""Meanings that can be said of no relation but their own."""

_MAKING = frozenset(("=create", "=found"))
_TELLING = word_set("=create =employ =lead =found =sponsor =marry =teach =parent =depend")
"""Meanings that say too much to be said of another relation."""


def _roles(case: Case) -> str:
    """Who does it in the clause does it in the fact."""
    clause, fact = case.clause, case.fact
    one, other = fact.source.key, fact.target.key
    if one == other or not {one, other} <= clause.keys:
        return ""
    said = doers(clause.words, one, other)
    shared = [meaning for meaning in said if meaning in fact.doers]
    shared = [meaning for meaning in shared if meaning.startswith("=")] or shared
    direct = is_passive_with_a_place(fact.relation) and is_direct(clause.words, one, other)
    own = root(fact.relation[0]) if direct else ""
    if shared and all((said[meaning] == fact.doers[meaning]) == (meaning == own) for meaning in shared):
        return f"it has {fact.fact.source} and {fact.fact.target} the other way round"
    if not shared and not said and fact.doers and _is_plain_copula(clause, one, other):
        return f"it has {fact.fact.source} and {fact.fact.target} the other way round"
    return ""


def _is_plain_copula(clause: Clause, one: str, other: str) -> bool:
    """True for "B is A" without another word, where the fact says something of A."""
    keys = [word.name for word in clause.words]
    between = [word.lower for word in clause.words[keys.index(other) + 1 : keys.index(one)]]
    return any(word in _COPULA for word in between) and all(
        word in _COPULA or word in ("the", "a", "an") for word in between
    )


_COPULA = word_set("is was are were became becomes remains remained be been")
_FORMER = word_set("former ex graduate alumnus alumna alumni veteran retired late")


def _polarity(case: Case) -> str:
    """No negation or opposite turns what the record says; one that tells that it is over must be true."""
    clause, fact, turn = case.clause, case.fact, case.turn
    end, start = fact.end(turn), fact.start()
    if clause.is_no_longer:
        return "" if end is not None and end <= turn.horizon else "it has not ended"
    if clause.is_not_yet and _is_yet_of_other(case):
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


def _is_yet_of_other(case: Case) -> bool:
    """True for "accepted, but not yet final": what has not begun is none of the fact's names."""
    words = case.clause.words
    yet = next((i for i, word in enumerate(words) if word.lower == "yet"), len(words))
    said = [word for word in words[yet + 1 :] if word.name or is_content(word)]
    own = (case.fact.source.key, case.fact.target.key)
    return bool(said) and not any(w.name in own or stem(w.lower) in case.fact.vocabulary for w in said)


def _opposite(word: str, fact: HeldFact) -> str:
    own = stem(word)
    if own in fact.vocabulary or own in _OF_TIME or is_starting(word) or is_ending(word):
        return ""
    told = (opposites(own) - _OF_TIME) | negated_forms(word)
    known = [*fact.relation, *fact.target.key.split(), *fact.fact.text.lower().split()]
    return next((other for other in known if stem(other.strip(".,;")) in told), "")


def _tense(case: Case) -> str:
    """What is said without a date held at the instants that the fact was returned for."""
    clause, fact, turn = case.clause, case.fact, case.turn
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
    if speaks_of_now or _is_now(clause) or _is_of_then(case):
        return f"it ended on {end:%Y-%m-%d}"
    return ""


def _is_of_then(case: Case) -> bool:
    """True for a plain "was" in an answer as of a past date: it says what was so at that date, not before."""
    clause, at = case.clause, case.turn.at
    if at.as_of >= at.known_at - timedelta(days=1) or case.turn.as_of_2 is not None or not case.around.alone:
        return False
    told = clause.dates or clause.numbers or _EARLIER & clause.lower or len(clause.names) > MOST_OF_ONE
    return clause.tense == "past" and bool({"was", "were", "had"} & clause.lower) and not told


MOST_OF_ONE = 2
_EARLIER = word_set("first once previously formerly earlier originally initially before used been until then")


def _has(clause: Clause) -> bool:
    return bool({"has", "have"} & clause.lower)


def _is_now(clause: Clause) -> bool:
    now = {"now", "currently", "today"} if clause.tense == "past" else {"now", "currently", "still", "today"}
    return bool(now & clause.lower) and not clause.dates


def withdrawn(facts: Sequence[HeldFact], turn: Turn) -> Iterator[Problem]:
    """The facts whose record was found to be wrong by the answer's instant of knowledge."""
    for fact in facts:
        at = fact.fact.withdrawn_at
        if at is not None and not clock.recorded(fact.fact, turn.at.known_at):
            yield Problem(f"its record was withdrawn on {at:%Y-%m-%d}", fact.n, 9)
