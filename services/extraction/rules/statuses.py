"""States of things: "is blocked", "was rejected in June", "went from amber to red", "on hold since April"."""

import re
from typing import TYPE_CHECKING

from services.extraction.rules import verbs
from services.extraction.rules.choices import is_kind, is_person
from services.extraction.rules.findings import Reading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.times import Time
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_WAYS: tuple[tuple[str, Time], ...] = (("to", "start"), ("from", "end"))
_MARKS = ("mark", "declare", "flag", "label", "deem", "render")
_RELEASES = ("HAS_VERSION", "REMOVES", "INTRODUCES")
_OF_WORKS = ("release", "launch", "ship", "award", "open", "close")


def of_frame(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """Adds the states that a clause tells of its subject."""
    verb = frame.verb
    done = _done(frame, any(one.relation in _RELEASES for one in reading.found))
    if done:
        things = of_things(reading, frame)
        things = _no_works(things, reading) if verb.lemma_ in _OF_WORKS else things
        _add(reading, frame, done, "start", over, base if frame.passive else base - 0.05, things)
    if verb.lemma_ in _MARKS:
        for token in [*frame.slots.get("oprd", []), *frame.slots.get("as", []), *_complements(verb)]:
            if token.lower_ in known("status"):
                _add(reading, frame, token.text, "start", over, base, of_things(reading, frame))
    if verb.lemma_ in ("be", "become", "remain", "stay") or (verb.lemma_ in ("put", "place", "set") and frame.passive):
        _copula(reading, frame, over, base)
    if verb.lemma_ in ("go", "move", "change", "turn", "switch", "return"):
        _went(reading, frame, base)


def _done(frame: Frame, is_release: bool) -> str:
    """The state that a verb leaves its subject in: "was rejected", "closed"; "" for none."""
    verb = frame.verb
    known_verb = verb.lemma_.lower() in known("status_verb")
    if frame.passive:
        if verb.lower_ == "done" and not frame.subjects:
            return "done"
        told = is_release and verb.lemma_ in ("release", "ship", "launch", "deprecate", "drop")
        return str(verb.lower_) if known_verb and not told and not frame.slots.get("oprd") else ""
    ended = verb.tag_ in ("VBD", "VBN") and verb.lower_ in known("status")
    alone = "with" not in frame.slots and not frame.slots.get("object") and not is_release
    return str(verb.lower_) if known_verb and ended and alone else ""


def _no_works(things: list[Referent], reading: Reading) -> list[Referent]:
    """The things that are no works of art, whose release is no state."""
    art = ("song", "album", "film", "single", "novel", "book", "game", "movie", "record", "series")
    told = {token.lemma_.lower() for token in reading.sentence}
    works = ("DIRECTED", "PERFORMED_IN", "AUTHORED")
    made = {one.target.name for one in (*reading.earlier, *reading.found) if one.relation in works}
    things = [one for one in things if one.name not in made]
    return [one for one in things if not (told & set(art)) and not is_kind(one, "work") and not is_kind(one, "award")]


def of_things(reading: Reading, frame: Frame) -> list[Referent]:
    """The subjects that can be in a state: things with a name, tickets, projects, services; no persons."""
    tokens = frame.surface
    found = [one for one in reading.refer_all(tokens) if not (is_person(one) and one.type == "Person")]
    if not tokens and frame.implied and (implied := reading.discourse.implied_thing()) is not None:
        found = [implied]
    return [one for one in found if one.proper or any(is_kind(one, c) for c in _THINGS) or one.plain in _NOUNS]


_THINGS = ("product", "document", "project", "event", "organization")
_NOUNS = (
    "survey",
    "migration",
    "budget",
    "contract",
    "policy",
    "order",
    "delivery",
    "test",
    "tests",
    "deal",
    "plan",
    "version",
    "release",
    "bridge",
    "line",
    "tunnel",
    "road",
    "mine",
    "merger",
    "bill",
    "law",
    "request",
    "review",
    "rollout",
    "endpoint",
    "certificate",
    "branch",
    "licence",
    "license",
    "renewal",
)


def _complements(verb: "Token") -> "list[Token]":
    return [c for c in verb.children if c.dep_ in ("oprd", "acomp", "advcl", "ccomp", "xcomp") and c.i > verb.i]


def _copula(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    things = of_things(reading, frame)
    if not things:
        return
    for token in [*frame.slots.get("acomp", []), *frame.slots.get("attr", [])]:
        text = _state(token)
        if text:
            _add(reading, frame, text, "start", over, base, things)
    after = frame.verb.doc[frame.verb.i + 1 : frame.verb.sent.end].text
    after = re.sub(r"^(?:now|still|currently|already|been|also|back|again)\s+", "", after)
    for phrase in sorted((p for p in known("status") if " " in p), key=len, reverse=True):
        if after.lower().startswith(phrase):
            _add(reading, frame, phrase, "start", over, base, things)
            break


def _state(token: "Token") -> str:
    if token.lower_ in known("status") and not any(
        c.dep_ in ("prep",) and c.lower_ in ("for", "to", "of") for c in token.children
    ):
        return str(token.text)
    if token.pos_ == "PROPN" and token.lower_ == "standard":
        return str(token.doc[token.left_edge.i : token.i + 1].text.removeprefix("an ").removeprefix("a "))
    return ""


def _went(reading: Reading, frame: Frame, base: float) -> None:
    """ "went from amber to red": one state ends as the other starts."""
    things = of_things(reading, frame)
    for place, time in _WAYS:
        for token in frame.slots.get(place, []):
            if token.lower_ in known("status"):
                _add(reading, frame, token.text, time, False, base - 0.05, things)
    for child in frame.verb.children:
        if (
            child.dep_ in ("acomp", "advmod", "prt")
            and child.lower_ in known("status")
            and frame.verb.lemma_ in ("go", "turn")
        ):
            _add(reading, frame, child.text, "start", False, base - 0.05, things)


def _add(
    reading: Reading, frame: Frame, text: str, time: Time, over: bool, base: float, things: list[Referent]
) -> None:
    span = verbs.when(reading, frame.verb, time, over)
    for thing in things:
        reading.add(thing, "HAS_STATUS", Referent(text, "Status", 0.97, False, text.lower()), span, base)
