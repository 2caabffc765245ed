"""What a sentence tells: each of its clauses by the lexicon, its copulas, appointments, endings and appositions."""

from dataclasses import replace

from services.extraction.rules import (
    appointments,
    copulas,
    custom,
    departures,
    handovers,
    releases,
    verbs,
)
from services.extraction.rules.factuality import is_question, is_supposed, judged
from services.extraction.rules.findings import NO_TIMES, SentenceReading
from services.extraction.rules.frames import Frame, frames
from services.extraction.rules.times import of_verb

_FEATURES = ("introduce", "add", "remove", "deprecate", "define", "specify", "drop")
_PLAIN, _VAGUE = 0.9, 0.45


def read(reading: SentenceReading) -> None:
    """Adds what the sentence tells to the reading."""
    sentence = reading.sentence
    if is_question(sentence):
        return
    supposed = is_supposed(sentence)
    for frame in frames(sentence) if not supposed else ():
        _read_frame(reading, frame)
    if not supposed:
        for token in sentence:
            copulas.read_appositions(reading, token)
        departures.read_former(reading)
        reading.found = [
            replace(one, times=reading.stepped_down[one.source.name])
            if one.source.name in reading.stepped_down
            and one.relation in ("HAS_ROLE", "LEADS")
            and one.times == NO_TIMES
            else one
            for one in reading.found
        ]


def _read_frame(reading: SentenceReading, frame: Frame) -> None:
    judgement = judged(frame, reading.sentence)
    dates = of_verb(reading.dates, frame.verb)
    if judgement == "none" or (judgement == "planned" and not any(one.kind != "vague" for one in dates)):
        return
    over = judgement == "over"
    featured = frame.passive and frame.verb.lemma_ in _FEATURES
    base = _VAGUE if not featured and any(verbs.is_vague(one) for one in frame.surface) else _PLAIN
    before = len(reading.found)
    copulas.read(reading, frame, over, base)
    verbs.by_lexicon(reading, frame, over, base)
    releases.read(reading, frame)
    handovers.read(reading, frame, base)
    departures.read(reading, frame, over, base)
    appointments.read(reading, frame, over, base)
    custom.by_name(reading, frame, over, base)
    if name := custom.unknown(frame, reading.found[before:]):
        reading.unknown.append(name)
