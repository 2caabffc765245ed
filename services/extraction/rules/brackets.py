"""What stands in brackets and asides: "BLD-140 (open)", "team Falcon (was: team Otter)", "formerly of Acme"."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules.dates import find
from services.extraction.rules.edges import told
from services.extraction.rules.findings import NO_TIMES, Finding, Reading
from services.extraction.rules.mentions import Referent
from services.extraction.rules.phrases import phrase
from services.extraction.rules.times import Times
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_WAS = re.compile(
    r"\((?:was|formerly|previously|used to be|before that):?\s+(?:the )?([^();,]+?)(?:\s+(until [^()]+))?\)"
)
_RELEASED = re.compile(
    r"\b((?:[A-Z][\w-]*[a-z]|[a-z]+-[a-z-]+)(?: [A-Z][\w-]*)?) (v?\d+(?:\.\d+)*)"
    r"(?: \(|, |, (?:released|out)(?: in| on| since)? )"
    r"(?:released |out )?(?:in |on |since )?(?=\S)"
)
_SPECIFIED = re.compile(
    r"\b((?:[A-Z][\w-]*|[\w-]+) (?:[\w-]+ ){0,3}(?:specification|format|syntax|protocol|hints|annotations|statement|"
    r"expressions?|literals?|encodings?|API|interface|types?|module|operator|standard|scheme)) \(((?:PEP|RFC) \d+)\)"
)
_STATE = re.compile(
    r"\b([A-Z][\w/-]*[-/ ]?\d[\w.-]*|[A-Z][A-Za-z]+-\d+)\s+\(([a-z][a-z ]+)(?:,[^()]*|\s+(?:on |since )?([^()]*))?\)"
)


def read(reading: Reading) -> None:
    """Adds what the brackets and asides of a sentence tell."""
    text = told(reading.sentence)
    for match in _STATE.finditer(text):
        if match[2].strip() in known("status"):
            whens = find(match[3] or "", reading.reference)
            span = Times(whens[0].first) if whens else NO_TIMES
            reading.add(Referent(match[1]), "HAS_STATUS", Referent(match[2].strip(), "Status"), span, 0.85)
    for match in _RELEASED.finditer(text):
        whens = [one for one in find(text[match.end() :], reading.reference) if one.start <= 1]
        if any(one.start < match.end(2) and match.start(1) < one.end for one in find(text, reading.reference)):
            continue
        if whens and whens[0].kind in ("at", "since"):
            reading.add(
                Referent(match[1], "Product"), "HAS_VERSION", Referent(match[2], "Version"), Times(whens[0].first), 0.8
            )
    for match in _SPECIFIED.finditer(text):
        reading.add(Referent(match[2], "Document"), "INTRODUCES", Referent(match[1].strip(), "Topic", 0.9), base=0.75)
    for match in _WAS.finditer(text):
        _was(reading, match, text[: match.start()].rstrip())
    for token in reading.sentence:
        if token.lower_ in ("formerly", "previously", "late") and token.i + 1 < len(token.doc):
            _formerly(reading, token)


def _was(reading: Reading, match: re.Match[str], before: str) -> None:
    """The same fact with what it was before, ended when the other began or at the date in the bracket."""
    last_first = list(reversed(reading.found))
    for one in sorted(
        last_first,
        key=lambda f: not any(before.lower().endswith(end.name.lower()) for end in (f.source, f.target)),
    ):
        whens = find(match[2] or "", reading.reference)
        end = whens[0].first if whens else one.times.valid_at
        old = Referent(match[1].strip(), one.target.type, 0.9)
        sides = ("source", "target") if before.lower().endswith(one.source.name.lower()) else ("target",)
        for side in sides:
            if before.lower().endswith(getattr(one, side).name.lower()) or (
                side == "target" and one.target.name in before[-60:]
            ):
                reading.found.append(_with(one, side, old, Times(None, end, True)))
                return


def _with(one: Finding, side: str, old: Referent, times: Times) -> Finding:
    if side == "target":
        return replace(one, target=old, times=times, base=0.8)
    return replace(one, source=old, times=times, base=0.8)


def _formerly(reading: Reading, token: "Token") -> None:
    """ "Amina Warsame, formerly of the Horn Institute": an employ that is over."""
    prep = token.doc[token.i + 1]
    if prep.lower_ not in ("of", "at", "with") or token.lower_ == "late":
        return
    name = next((t for t in reversed(list(token.doc[token.sent.start : token.i])) if t.pos_ == "PROPN"), None)
    places = [c for c in prep.children if c.dep_ == "pobj"] or [
        t for t in token.doc[prep.i + 1 : prep.i + 8] if t.pos_ == "PROPN"
    ][:1]
    if name is None or not places:
        return
    other = reading.refer(places[0])
    person = reading.refer(name)
    if other is not None and person is not None and phrase(places[0]).proper:
        reading.add(person, "WORKS_FOR", other, Times(is_over=True), 0.85)
