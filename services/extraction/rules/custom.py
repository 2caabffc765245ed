"""Relations of one's own, read off their names: TREATS is told by "treats", INTERACTS_WITH by "interacts with"."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from services.core.draft_records import Schema
from services.extraction.rules import verbs
from services.extraction.rules.findings import KNOWN, Pattern, SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.phrases import phrase
from services.extraction.rules.verb_lexicon import entries
from services.extraction.rules.word_categories import known
from services.language.inflection import possible_bases, third_person

if TYPE_CHECKING:
    from spacy.tokens import Token


@lru_cache(maxsize=32)
def patterns(schema: Schema) -> tuple[Pattern, ...]:
    """The patterns of the relations that are not of the default vocabulary."""
    return tuple(_pattern(relation.name) for relation in schema.relations if relation.name not in KNOWN)


def _pattern(name: str) -> Pattern:
    words = [word for word in name.lower().split("_") if word not in ("is", "was", "has", "been", "be", "")] or [
        name.lower()
    ]
    last = words[-1] if len(words) > 1 else ""
    if last == "by":
        return Pattern(name, possible_bases(words[0]), turned=True)
    return Pattern(name, possible_bases(words[0]), last if last and len(last) < 8 else "object")


def by_name(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Adds what a clause tells of the relations whose names have its verb."""
    for pattern in reading.patterns:
        if frame.verb.lemma_.lower() not in pattern.stems:
            continue
        span = verbs.when(reading, frame.verb, "state", over)
        for subject in verbs.subjects_of(reading, frame, pattern.place):
            for other in reading.refer_all(frame.slots.get(pattern.place, [])):
                source, target = (other, subject) if pattern.turned else (subject, other)
                reading.add(source, pattern.relation, target, span, 0.85)


def unknown(frame: Frame, found: Sequence[object]) -> str:
    """A relation's name for a clause that no rule reads, between two names: "TREATS"; "" for any other clause."""
    lemma = frame.verb.lemma_.lower()
    if found or frame.passive or lemma in known("common_verb") or entries(frame.lemma) or not lemma.isalpha():
        return ""
    if not any(_is_named(one) for one in frame.subjects):
        return ""
    if any(_is_named(one) for one in frame.slots.get("object", ())):
        return third_person(lemma).upper()
    for place in ("with", "to", "on", "in", "from"):
        if any(_is_named(one) and one.ent_type_ not in ("DATE", "GPE", "TIME") for one in frame.slots.get(place, ())):
            return f"{third_person(lemma)}_{place}".upper()
    return ""


def _is_named(token: "Token") -> bool:
    """True for a name, and for a noun that has one in it: "Morland fever"."""
    named = phrase(token)
    return named.proper or (named.text[:1].isupper() and not token.is_sent_start)
