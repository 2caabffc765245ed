"""What a sentence tells: each of its clauses by the lexicon, its copulas, appointments, endings and appositions."""

from dataclasses import replace

from services.extraction.rules import (
    appointments,
    change_clauses,
    copulas,
    custom,
    departures,
    handovers,
    releases,
    verbs,
)
from services.extraction.rules.clause_dates import of_verb
from services.extraction.rules.factuality import is_conditional, is_question, is_supposed, judged
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.frames import Frame, frames
from services.extraction.rules.transitions import carry_on


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
    change_clauses.read_nouns(reading)
    carry_on(reading)
    if is_conditional(sentence):
        reading.found = [replace(one, is_doubtful=True) for one in reading.found]


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
    change_clauses.read(reading, frame)
    departures.read(reading, frame, over)
    appointments.read(reading, frame, over)
    custom.by_name(reading, frame, over)
    if name := custom.unknown(frame, reading.found[before:]):
        reading.unknown.append(name)
