"""What a sentence tells: each of its clauses by the lexicon, its copulas, appointments, appositions and brackets."""

from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules import (
    appointments,
    appositions,
    brackets,
    copulas,
    custom,
    handovers,
    lives,
    releases,
    statuses,
    verbs,
)
from services.extraction.rules.factuality import is_question, is_supposed, judged
from services.extraction.rules.findings import NO_TIMES, Reading
from services.extraction.rules.frames import Frame, frames
from services.extraction.rules.times import of_verb, times

if TYPE_CHECKING:
    pass

_STAYS = ("spend", "work", "be", "read", "study", "serve", "teach", "stay", "play", "live", "train", "sit")
_STATES = ("WORKS_FOR", "STUDIED_AT", "LIVES_IN", "MEMBER_OF")
_FEATURES = ("introduce", "add", "remove", "deprecate", "define", "specify", "drop")
_PLAIN, _VAGUE = 0.9, 0.45
_BE = ("be", "remain", "stay", "become", "’", "'")


def read(reading: Reading) -> None:
    """Adds what the sentence tells to the reading."""
    sentence = reading.sentence
    if is_question(sentence):
        return
    supposed = is_supposed(sentence)
    for frame in frames(sentence) if not supposed else ():
        _read_frame(reading, frame)
    if not supposed:
        for token in sentence:
            appositions.read(reading, token)
        brackets.read(reading)
        _where(reading)
        reading.found = [
            replace(one, times=reading.stepped_down[one.source.name])
            if one.source.name in reading.stepped_down
            and one.relation in ("HAS_ROLE", "LEADS")
            and one.times == NO_TIMES
            else one
            for one in reading.found
        ]


def _where(reading: Reading) -> None:
    """ "from Brightwell, where he spent 2018–2025": the dates of the clause are those of his being there."""
    for verb in reading.sentence:
        if verb.dep_ != "relcl" or not any(c.lower_ == "where" for c in verb.children) or verb.lemma_ not in _STAYS:
            continue
        below = {t.i for t in verb.subtree}
        whens = of_verb(reading.dates, verb) or [
            one.when for one in reading.dates if one.path and one.path[0].i in below
        ]
        if not whens:
            continue
        span = times("state", whens, "past", reading.reference)
        reading.found = [
            replace(one, times=one.times.filled(span))
            if one.target.at == verb.head.i and one.relation in _STATES
            else one
            for one in reading.found
        ]


def _read_frame(reading: Reading, frame: Frame) -> None:
    judgement = judged(frame, reading.sentence)
    dates = of_verb(reading.dates, frame.verb)
    if judgement == "none" or (judgement == "planned" and not any(one.kind != "vague" for one in dates)):
        return
    over = judgement == "over"
    featured = frame.passive and frame.verb.lemma_ in _FEATURES
    base = _VAGUE if not featured and any(verbs.is_vague(one) for one in frame.surface) else _PLAIN
    before = len(reading.found)
    if frame.verb.lemma_ in _BE:
        copulas.read(reading, frame, over, base)
    verbs.by_lexicon(reading, frame, over, base)
    releases.read(reading, frame, base)
    handovers.read(reading, frame, base)
    lives.read(reading, frame, over, base)
    statuses.of_frame(reading, frame, over, base)
    appointments.read(reading, frame, over, base)
    custom.by_name(reading, frame, over, base)
    if name := custom.unknown(frame, reading.found[before:]):
        reading.unknown.append(name)
