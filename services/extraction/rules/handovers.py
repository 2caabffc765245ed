"""Clauses in which one thing takes another's place: handing over, taking over, stepping down, seats, "instead of"."""

from typing import TYPE_CHECKING

from services.extraction.rules import nominal_relations, verbs
from services.extraction.rules.choices import is_kind, is_person
from services.extraction.rules.clause_dates import Time, Times, of_verb, tense_of, times
from services.extraction.rules.findings import Finding, SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.phrases import phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

_WAYS: tuple[tuple[str, Time], ...] = (("to", "start"), ("from", "end"))
_STANDING: tuple[tuple[str, Time], ...] = (("in", "state"), ("at", "state"))
_OLD: tuple[str, Time] = ("object", "end")
_NEW: tuple[str, Time] = ("for", "start")
_GIVES = ("hand", "hand over", "assign", "reassign", "pass", "pass on", "transfer", "give", "delegate")
_MOVES = ("move", "relocate", "switch", "migrate", "transition", "port", "convert", "upgrade", "change", "go")


def read(reading: SentenceReading, frame: Frame) -> None:
    """Adds what such a clause tells."""
    _given(reading, frame)
    _moved(reading, frame)
    _headquarters(reading, frame)
    _instead(reading, frame)


def _given(reading: SentenceReading, frame: Frame) -> None:
    """ "handed the dashboards to Thandeka", "was assigned to Bo": somebody works on something from then on."""
    if frame.lemma not in _GIVES:
        return
    span = verbs.when(reading, frame.verb, "start", over=False)
    whos = [*frame.slots.get("to", []), *frame.slots.get("dative", [])]
    for who in reading.refer_all(whos):
        for thing in reading.refer_all(frame.slots.get("object", [])):
            if (
                is_person(who)
                and not is_person(thing)
                and (thing.proper or is_kind(thing, "product") or is_kind(thing, "project"))
            ):
                reading.add(who, "WORKS_ON", thing, span, 0.75)
            elif is_person(thing) and not is_person(who) and frame.lemma in ("assign", "reassign", "transfer"):
                reading.add(thing, "WORKS_ON", who, span, 0.75)


def _moved(reading: SentenceReading, frame: Frame) -> None:
    """ "moved CI from Jenkins to Buildkite", "switched from A to B for billing": one use ends as another starts."""
    _swapped(reading, frame)
    if frame.lemma not in _MOVES or "to" not in frame.slots:
        return
    things = []
    for token in frame.slots.get("object", []):
        owner = next((c for c in token.children if c.dep_ == "poss" and c.lower_ in ("its", "their")), None)
        things += reading.refer_all([owner or token])
    things += [one for one in reading.refer_all(frame.slots.get("for", [])) if one.type != "Person"]
    things = [one for one in things if not is_person(one) or one.type == "Product"]
    if not things:
        return
    whens, tense = of_verb(reading.dates, frame.verb), tense_of(frame.verb)
    replaced = []
    for place, time in _WAYS:
        span = times(time, whens, tense)
        for token in frame.slots.get(place, []):
            other = reading.refer(token)
            if other is not None and other.proper and other.type != "Place" and not other.name[:1].isdigit():
                replaced += [Finding(thing, "USES", other, span, 0.8) for thing in things]
    if replaced:
        reading.found = [
            one
            for one in reading.found
            if one.relation != "USES" or one.target.name not in {r.target.name for r in replaced}
        ]
        reading.found += replaced


def _swapped(reading: SentenceReading, frame: Frame) -> None:
    """ "We've swapped RabbitMQ for Nimbus in the order service"."""
    if frame.lemma not in ("swap", "exchange", "trade", "ditch", "swap out") or not frame.slots.get("object"):
        return
    subjects = reading.refer_all(frame.slots.get("in", [])) or reading.refer_all(frame.subjects)
    for place, time in (_OLD, _NEW):
        span = verbs.when(reading, frame.verb, time, over=False)
        for other in reading.refer_all(frame.slots.get(place, [])):
            for subject in subjects if other.proper else ():
                reading.add(subject, "USES", other, span, 0.75)


def _headquarters(reading: SentenceReading, frame: Frame) -> None:
    """ "Its headquarters are in Leeds", "has its head office in Ulm", "moved its headquarters to Malmö"."""
    seats = [token for token in (*frame.surface, *frame.slots.get("object", [])) if _is_seat(token)]
    if not seats or frame.verb.lemma_ not in (*_MOVES, "be", "remain", "have", "stay", "lie", "locate", "maintain"):
        return
    reading.found = [
        one
        for one in reading.found
        if one.relation not in ("LOCATED_IN", "USES") or "headquarters" not in one.source.name
    ]
    owner = _seated(reading, frame, seats[0])
    moves = frame.verb.lemma_ in _MOVES
    for place, time in _WAYS if moves else _STANDING:
        span = verbs.when(reading, frame.verb, time, over=False)
        for token in frame.slots.get(place, [])[:1]:
            reading.add(owner, "BASED_IN", reading.refer(token), span, 0.86)


def _is_seat(noun: "Token") -> bool:
    if noun.lower_ == "office":
        return any(child.lower_ in ("head", "main", "registered") for child in noun.children)
    return noun.lower_ in ("headquarters", "headquarter", "hq", "seat")


def _seated(reading: SentenceReading, frame: Frame, seat: "Token") -> Referent | None:
    """Whose headquarters they are: the possessor, the subject, or the last organization that was named."""
    owners = nominal_relations.holders(reading, seat)
    if seat not in frame.surface:
        owners += reading.refer_all(frame.surface)
    named = [one for one in owners if one.plain not in ("headquarters", "office")]
    last = [mention for mention in reading.discourse.mentions if mention.type == "Organization"][-1:]
    return named[0] if named else Referent(last[0].name, "Organization", 0.85) if last else None


def _instead(reading: SentenceReading, frame: Frame) -> None:
    """ "uses Preact instead of React": what was used before is over."""
    if frame.verb.lemma_ not in ("use", "run") or not frame.slots.get("object"):
        return
    for token in frame.verb.subtree:
        if token.lower_ == "instead":
            after = [t for t in token.doc[token.i : token.i + 5] if t.pos_ == "PROPN"][:1]
            if not after or not phrase(after[0]).proper:
                continue
            span = verbs.when(reading, frame.verb, "start", over=False)
            for subject in verbs.subjects_of(reading, frame, "object"):
                reading.add(subject, "USES", reading.refer(after[0]), Times(None, span.valid_at, True), 0.75)
