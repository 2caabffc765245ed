"""A date as somebody types it into the time bar: in the grammar of dates, or by a change of a fact."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from services.language.dates import DateMention, dates_in
from services.language.names import fold

if TYPE_CHECKING:
    from services.core.models import Entity, Fact
    from services.mirror.mirror import Mirror

_NOW = frozenset(["", "now", "today", "latest"])
_AGO = re.compile(r"\b(?:months?|quarters?|years?|decades?|century|centuries)\s+ago$", re.IGNORECASE)
_AROUND = re.compile(r"(?:(?:on|in|at|by|as|of|the|during|year|before|after|since|until|from)\s*)*", re.IGNORECASE)
_CHANGE = re.compile(r"(?:when|the\s+(?:day|time|moment)(?:\s+(?:that|when))?)\s+(?P<words>\S.*)", re.IGNORECASE)
_ENDING = re.compile(r"\b(?:left|ended|stopped|ceased|lost|resigned|no\s+longer|stepped\s+down)\b", re.IGNORECASE)
_EXACT = ("instant", "day")
_DAY = timedelta(days=1)
_OFFERED = 3


@dataclass(frozen=True, slots=True)
class TypedDate:
    """What a text was read as: the instant, None for now, and in `meaning` how it was read.

    `problem` says why it could not be read; `offers` are texts that can be read in its place.
    """

    at: datetime | None = None
    meaning: str = ""
    problem: str = ""
    offers: tuple[str, ...] = ()


def typed_date(mirror: "Mirror", text: str, now: datetime, known_at: datetime | None = None) -> TypedDate:
    """Return what a text says: a period is its first day, "when … became …" the start of that fact."""
    text = " ".join(text.split()).strip(" .?")
    if fold(text) in _NOW:
        return TypedDate(meaning="now")
    if change := _CHANGE.fullmatch(text):
        return _change(mirror, change["words"], known_at or now)
    mention = _only_date(text, now)
    if mention is None:
        return TypedDate(problem=f"“{text}” is not a valid date.", offers=("2018-06-15", "June 2018", "a year ago"))
    if mention.problem:
        return TypedDate(problem=mention.problem, offers=tuple(re.findall(r"(?<!“)\d{4}-\d\d-\d\d", mention.problem)))
    return _instant(mention)


def _only_date(text: str, now: datetime) -> DateMention | None:
    """Return the one date that the text is, whatever its case: of "a year ago" the day, not the year."""
    for words in (f"{text} today" if _AGO.search(text) else text, text.title(), f"in {text}"):
        found = dates_in(words, now)
        if len(found) == 1 and _AROUND.fullmatch(words[: found[0].start]) and not words[found[0].end :].strip():
            return found[0]
    return None


def _instant(mention: DateMention) -> TypedDate:
    period, named = mention.period, mention.named
    if period.last is None:
        return TypedDate(period.first, "its first day" if period.precision not in _EXACT else "")
    if period.first is None:
        return TypedDate(period.last - _DAY, "the day before")
    if period.precision == "instant" or period.last - period.first <= _DAY:
        return TypedDate(period.first)
    return TypedDate(period.first, "its first day" if len(named) < 2 else "the first day of that period")


def _change(mirror: "Mirror", words: str, known_at: datetime | None) -> TypedDate:
    """Return when a fact began or ended: of "PEP 484 became Accepted" the entity's name comes first."""
    entity, rest = _named_first(mirror, words.split())
    if entity is None:
        near = [f"when {one.name} {rest}" for one in mirror.find_entities(words.split()[0], _OFFERED) if rest]
        return TypedDate(problem=f"No entity in the graph matches “{words}”.", offers=tuple(near[:1]))
    facts = mirror.history(entity.uuid, known_at)
    phrase, found = _facts_named(entity, facts, rest.split())
    if not found:
        return _never(entity, facts, rest)
    return _dated(entity, found, phrase)


def _named_first(mirror: "Mirror", words: Sequence[str]) -> tuple["Entity | None", str]:
    """Return the entity whose name these words begin with, the longest such name, and the words after it."""
    for length in range(len(words), 0, -1):
        name = re.sub(r"['’]s$", "", " ".join(words[:length]))
        if found := mirror.entities_named(name):
            return found[0], " ".join(words[length:])
    return None, " ".join(words[-2:])


def _facts_named(entity: "Entity", facts: "Sequence[Fact]", words: Sequence[str]) -> tuple[str, "list[Fact]"]:
    """Return the facts whose other side these words end with, and the words before that."""
    for start in range(len(words)):
        value = fold(" ".join(words[start:]))
        if found := [fact for fact in facts if fold(_other(entity, fact)) == value]:
            return " ".join(words[:start]), found
    return "", []


def _other(entity: "Entity", fact: "Fact") -> str:
    return fact.target if fact.source_uuid == entity.uuid else fact.source


def _dated(entity: "Entity", found: "Sequence[Fact]", phrase: str) -> TypedDate:
    """Return the facts' first start or last end: of those whose relation shares a word with the phrase, if any does."""
    spoken = set(fold(phrase).split())
    near = [fact for fact in found if spoken & set(fold(fact.relation.replace("_", " ")).split()) - {"has", "is"}]
    facts, is_end = near or found, bool(_ENDING.search(phrase))
    dates = sorted((at, fact.uuid, fact) for fact in facts if (at := fact.invalid_at if is_end else fact.valid_at))
    if not dates:
        return TypedDate(problem=f"The graph has no date for “{entity.name} {phrase} {_other(entity, found[0])}”.")
    at, _, fact = dates[-1 if is_end else 0]
    relation = fact.relation.replace("_", " ").lower()
    times = f", the {'last' if is_end else 'first'} of {len(dates)} times" if len(dates) > 1 else ""
    return TypedDate(at, f"{fact.source} {relation} {fact.target}, {'until then' if is_end else 'from then on'}{times}")


def _never(entity: "Entity", facts: "Sequence[Fact]", rest: str) -> TypedDate:
    value = rest.split()[-1] if rest else ""
    offers = [f"when {entity.name} became {name}" for name in _values_near(entity, facts, value)]
    problem = (
        f"The graph does not record that “{entity.name} {rest}”." if rest else f"Say what changed about {entity.name}."
    )
    return TypedDate(problem=problem, offers=tuple(offers[:_OFFERED]))


def _values_near(entity: "Entity", facts: "Sequence[Fact]", value: str) -> Iterator[str]:
    """Find the values spelled most like this one, of the relation that changed most first."""
    own = [fact for fact in facts if fact.source_uuid == entity.uuid and fact.valid_at]
    changed = [fact.relation for fact in own if fact.invalid_at]
    relations = sorted({fact.relation for fact in own}, key=lambda name: (-changed.count(name), name))
    targets = list(dict.fromkeys(fact.target for name in relations[:1] for fact in own if fact.relation == name))
    yield from sorted(targets, key=lambda name: -difflib.SequenceMatcher(None, fold(name), fold(value)).ratio())
