"""Read that somebody's employ, office or marriage is over: "left in 2022", "divorced", "formerly of Acme"."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules import verbs
from services.extraction.rules.choices import is_person
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.date_expressions import date_expressions
from services.extraction.rules.findings import Finding, SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.name_boundaries import original_text
from services.extraction.rules.phrases import phrase
from services.language.changes import change_verbs

if TYPE_CHECKING:
    from spacy.tokens import Token

_EMPLOY = ("WORKS_FOR", "MEMBER_OF")
_OFFICE = ("HAS_ROLE", "LEADS")
_SPELLS = ("year", "month", "decade", "season")
_WAS = re.compile(
    r"\((?:was|formerly|previously|used to be|before that):?\s+(?:the )?([^();,]+?)(?:\s+(until [^()]+))?\)"
)


def read(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Add what a clause ends."""
    _wed(reading, frame, over)
    _after_years(reading, frame)


def read_former(reading: SentenceReading) -> None:
    """Add what the asides of a sentence say was so before."""
    text = original_text(reading.sentence)
    for match in _WAS.finditer(text):
        _was(reading, match, text[: match.start()].rstrip())
    for token in reading.sentence:
        if token.lower_ in ("formerly", "previously") and token.i + 1 < len(token.doc):
            _formerly(reading, token)


def _wed(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Read "Ida and Anders got married" and "Ida and Anders divorced"."""
    words = {child.lower_ for child in frame.verb.children}
    begins = frame.verb.lemma_ in ("marry", "wed") or (frame.verb.lemma_ in ("get", "be") and "married" in words)
    ends = frame.verb.lemma_ in ("divorce", "separate") or (frame.verb.lemma_ in ("get", "be") and "divorced" in words)
    others = any(frame.slots.get(place) for place in ("object", "to", "from"))
    pair = reading.refer_all(frame.surface) if begins or ends else []
    if len(pair) == 2 and (frame.passive or not others) and all(is_person(one) for one in pair):
        span = verbs.when(reading, frame.verb, "end" if ends else "start", over)
        reading.add(pair[0], "MARRIED_TO", pair[1], span, 0.87)


def _after_years(reading: SentenceReading, frame: Frame) -> None:
    """Read "After ten years at Acme Foods, Tom moved to Tern": the employ before is over."""
    if frame.verb.lemma_ not in change_verbs():
        return
    spells = [token for token in frame.slots.get("after", ()) if token.lemma_ in _SPELLS]
    preps = [prep for spell in spells for prep in spell.children if prep.lower_ in ("at", "with")]
    _end_employ(reading, frame, [c for prep in preps for c in prep.children if c.dep_ == "pobj"])


def _end_employ(reading: SentenceReading, frame: Frame, places: "list[Token]") -> None:
    span = verbs.when(reading, frame.verb, "end", over=False)
    for subject in verbs.subjects_of(reading, frame, "none"):
        for other in reading.refer_all(places):
            if is_person(subject) and other.proper and other.type not in ("Place", "Person"):
                reading.add(subject, "WORKS_FOR", other, span, 0.85)


def _was(reading: SentenceReading, match: re.Match[str], before: str) -> None:
    """Read "(was: team Otter)": a fact with what it was before, ended as the other began or on the bracket's date."""
    stands_last = [one for one in reversed(reading.found) if _is_last_in(before, one)]
    for one in stands_last[:1]:
        whens = date_expressions(match[2] or "", reading.reference)
        times = Times(None, whens[0].first if whens else one.times.valid_at, True)
        old = Referent(match[1].strip(), one.target.type, 0.9)
        if before.lower().endswith(one.source.name.lower()):
            reading.found.append(replace(one, source=old, times=times, base=0.8))
        else:
            reading.found.append(replace(one, target=old, times=times, base=0.8))


def _is_last_in(text: str, one: Finding) -> bool:
    return any(text.lower().endswith(end.name.lower()) for end in (one.source, one.target))


def _formerly(reading: SentenceReading, token: "Token") -> None:
    """Read "Amina Warsame, formerly of the Horn Institute": an employ that is over."""
    prep = token.doc[token.i + 1]
    name = next((t for t in reversed(token.doc[token.sent.start : token.i]) if t.pos_ == "PROPN"), None)
    if prep.lower_ not in ("of", "at", "with") or name is None:
        return
    below = [c for c in prep.children if c.dep_ == "pobj"]
    following = [t for t in token.doc[prep.i + 1 : prep.i + 8] if t.pos_ == "PROPN"]
    for place in (below or following)[:1]:
        if phrase(place).proper:
            reading.add(reading.refer(name), "WORKS_FOR", reading.refer(place), Times(is_over=True), 0.85)
