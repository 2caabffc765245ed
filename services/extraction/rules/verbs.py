"""Facts that verbs tell, by the lexicon, and the frames that need more than a line of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules.choices import CHOICES, is_kind, is_person
from services.extraction.rules.clause_dates import Time, Times, of_verb, tense_of, times
from services.extraction.rules.factuality import is_denied
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.verb_lexicon import Entry, entries
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_MAKES = ("write", "develop", "build", "implement", "code", "rewrite", "program")
_MOVES = ("move", "relocate", "run", "switch", "migrate", "go")


def by_lexicon(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Add what the lexicon makes of a clause: of each place the first line that what stands there fits."""
    filled: set[tuple[str, int]] = set()
    is_moved = bool(frame.slots.get("object")) and not frame.passive and frame.verb.lemma_ in _MOVES
    for entry in entries(frame.lemma):
        for filler in frame.slots.get(entry.place, []):
            if is_moved and entry.place != "object":
                continue  # "moved CI from Jenkins to Buildkite" is a handover
            is_open = (entry.place, filler.i) not in filled and not is_denied(filler)
            if is_open and _tell(reading, frame, entry, filler, over):
                filled.add((entry.place, filler.i))


def _tell(reading: SentenceReading, frame: Frame, entry: Entry, filler: "Token", over: bool) -> bool:
    """Add what one line tells of one filler. Return False when the filler does not fit the line."""
    other = reading.refer(filler)
    if other is None or not _fits(other, entry.other):
        return False
    is_added = False
    for subject in subjects_of(reading, frame, entry.place):
        relation = _relation(frame, entry, subject, other, over)
        if relation in reading.relations:
            source, target = (subject, other) if entry.forward else (other, subject)
            span = when(reading, frame.verb, entry.time, over)
            reading.add(source, relation, _renamed(relation, target), span)
            is_added = True
    return is_added


def _fits(other: Referent, wanted: str) -> bool:
    """Return True when a thing is what a line of the lexicon wants at its other end."""
    return not wanted or (is_person(other) if wanted == "person" else is_kind(other, wanted))


def _relation(frame: Frame, entry: Entry, subject: Referent, other: Referent, over: bool) -> str:
    """Return the relation that a line tells of these two; "" for none."""
    if entry.relation == "PREFERS" and is_denied(frame.verb) and not over:
        return "DISLIKES"
    choice = CHOICES.get(entry.relation)
    return choice(subject, other) if choice else entry.relation


def _renamed(relation: str, target: Referent) -> Referent:
    """A language without how well it is spoken ("a little German"), a feature without that it is new."""
    words = target.name.split()
    if relation == "SPEAKS" and words[-1].lower() in known("language") and words[0].islower():
        return replace(target, name=words[-1])
    while relation == "INTRODUCES" and len(words) > 1 and words[0].lower() in known("fresh"):
        words.pop(0)
    return replace(target, name=" ".join(words))


def subjects_of(reading: SentenceReading, frame: Frame, place: str) -> list[Referent]:
    """Who a line of the lexicon is told of: the doer; of a passive with a preposition, what it is done to."""
    tokens: Sequence[Token] = frame.subjects
    if place == "in" and not frame.passive and frame.verb.lemma_ in _MAKES and frame.slots.get("object"):
        tokens = frame.slots["object"]
    if frame.passive and place != "object":
        tokens = frame.surface
    found = reading.refer_all(tokens)
    if not found and frame.implied and not frame.surface and not (frame.passive and place == "object"):
        implied = reading.discourse.implied_subject()
        return [implied] if implied else []
    return found


def when(reading: SentenceReading, verb: "Token", time: Time, over: bool) -> Times:
    """Return a clause's times by its verb's dates."""
    return times(time, of_verb(reading.dates, verb), tense_of(verb), over)
