"""Read "works there as a paramedic", "starts as a product designer", "resigned as chair"."""

from services.extraction.rules import nominal_relations, verbs
from services.extraction.rules.choices import is_person
from services.extraction.rules.clause_dates import Time
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.frames import Frame
from services.language.changes import ending_phrases

_STARTS = frozenset(str.split("succeed replace follow take join start begin return come rejoin hire sign move enter"))
_ENGAGES = frozenset(str.split("employ engage retain use take"))


def read(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Add the offices that a clause names after "as"."""
    lemma = frame.verb.lemma_
    ends = frame.lemma in ending_phrases() and not frame.slots.get("object")
    time: Time = "start" if lemma in _STARTS else "end" if ends else "state"
    times = verbs.when(reading, frame.verb, time, over)
    engaged = reading.refer_all(frame.slots.get("object", [])) if lemma in _ENGAGES and not frame.passive else None
    for token in frame.slots.get("as", []) + (frame.slots.get("from", []) if ends else []):
        if nominal_relations.is_role(token) and token.pos_ in ("NOUN", "PROPN"):
            for subject in engaged or verbs.subjects_of(reading, frame, "as"):
                if is_person(subject):
                    nominal_relations.relate(reading, subject, token, times, 0.87)
