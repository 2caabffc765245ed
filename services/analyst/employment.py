"""Relations that tell where somebody works by a noun, such as "firm", and those that tell what somebody works as."""

import functools
from collections.abc import Mapping, Sequence

from services.analyst.question_words import Key, lines_of, stem, stems
from services.analyst.vocabulary import SYNONYM, Hint, hints_of, is_of_people, taken_apart
from services.mirror.search_rows import FactRow

_WORKPLACE = "workplace"
_WORK = (stem("work"),)


def workplaces(facts_of: Mapping[str, Sequence[FactRow]], types_of: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the relations that lead people to where they work; none where a relation says "works for" itself."""
    if any(_says_employment(relation) for relation in facts_of):
        return frozenset()
    workers = {
        fact.source
        for relation, facts in facts_of.items()
        if _is_called(relation, "occupation", "rank")
        for fact in facts
    }
    return frozenset(
        relation
        for relation, facts in facts_of.items()
        if all(is_of_people(kind) for fact in facts for kind in types_of[fact.source][:1])
        if _is_called(relation, "place")
        or (_is_called(relation, "site") and any(fact.source in workers for fact in facts))
    )


def is_occupation(relation: str) -> bool:
    """True for what somebody works as, which is no place: "job", "works as"."""
    return _is_called(relation, "occupation")


@functools.cache
def employer_hints() -> Mapping[Key, Hint]:
    """Return what speaks for a workplace besides its name: "work for", "employed by", "company"."""
    nouns = dict.fromkeys(_words("place"), Hint(SYNONYM, "noun", "target"))
    verbs = {key: hint for key, hint in hints_of(_WORKPLACE).items() if hint.form != "word"}
    return {**nouns, **verbs}


def _says_employment(relation: str) -> bool:
    """True for "works for" and "employs", but not for "works as"."""
    hint = hints_of(relation).get(_WORK)
    return hint is not None and hint.form == "verb" and not _is_called(relation, "place", "occupation")


def _is_called(relation: str, *parts: str) -> bool:
    name = taken_apart(relation)
    keys = {stems(" ".join(name.words)), stems(" ".join(name.content))}
    return any(keys & _words(part) for part in parts)


@functools.cache
def _words(part: str) -> frozenset[Key]:
    lines = (line.partition(":") for line in lines_of("workplaces.txt"))
    return frozenset(
        stems(word.replace("_", " ")) for name, _, words in lines if name == part for word in words.split()
    )
