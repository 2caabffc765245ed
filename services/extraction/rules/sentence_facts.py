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


def read(reading: SentenceReading) -> None:
    """Adds what the sentence tells to the reading."""
    sentence = reading.sentence
    if is_question(sentence) or is_supposed(sentence):
        return
    for frame in frames(sentence):
        _read_frame(reading, frame)
    for token in sentence:
        copulas.read_appositions(reading, token)
    departures.read_former(reading)
    reading.found = [
        replace(one, times=reading.stepped_down[one.source.name])
        if one.source.name in reading.stepped_down and one.relation in ("HAS_ROLE", "LEADS") and one.times == NO_TIMES
        else one
        for one in reading.found
    ]


def _read_frame(reading: SentenceReading, frame: Frame) -> None:
    judgement = judged(frame)
    dates = of_verb(reading.dates, frame.verb)
    if judgement == "none" or (judgement == "planned" and not any(one.kind != "vague" for one in dates)):
        return
    over = judgement == "over"
    before = len(reading.found)
    copulas.read(reading, frame, over)
    verbs.by_lexicon(reading, frame, over)
    releases.read(reading, frame)
    handovers.read(reading, frame)
    departures.read(reading, frame, over)
    appointments.read(reading, frame, over)
    custom.by_name(reading, frame, over)
    if name := custom.unknown(frame, reading.found[before:]):
        reading.unknown.append(name)
