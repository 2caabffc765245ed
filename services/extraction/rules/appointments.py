"""Offices that clauses give and take: "named Ines chief executive", "starts as a designer", "stepped down as chair"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules import nouns, verbs
from services.extraction.rules.choices import is_person
from services.extraction.rules.findings import NO_TIMES, Reading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.phrases import phrase
from services.extraction.rules.times import Times
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token


def read(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """Adds what such a clause tells."""
    _called(reading, frame, base)
    _appointed(reading, frame, over, base)
    _as_role(reading, frame, over, base)


_STARTS = (
    "succeed",
    "replace",
    "follow",
    "take",
    "join",
    "start",
    "begin",
    "return",
    "come",
    "rejoin",
    "hire",
    "sign",
    "move",
    "enter",
)
_ENGAGES = ("employ", "engage", "retain", "use", "take")
_ENDS = ("leave", "resign", "retire", "step", "quit", "depart", "stand")
_APPOINTS = (
    "appoint",
    "name",
    "elect",
    "make",
    "hire",
    "promote",
    "choose",
    "crown",
    "install",
    "nominate",
    "recruit",
    "swear",
    "ordain",
    "select",
    "confirm",
    "appointed",
    "reappoint",
    "re-elect",
    "reelect",
)


def _appointed(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "named Ines Carvalho chief executive", "was appointed Commissioner", "hired its first lawyer, Tuomas Rinne"."""
    if frame.verb.lemma_.lower() not in _APPOINTS:
        return
    span = verbs.when(reading, frame.verb, "start", over)
    places = ("oprd", "attr", "object2", "as", "to")
    roles = [t for place in places for t in frame.slots.get(place, []) if t.pos_ != "VERB" and nouns.is_role(t)]
    people = list(frame.slots.get("object", []))
    subjects = frame.subjects
    # "Northwind Labs named Ada Brandt its chief" is sometimes parsed as "Labs that were named Ada Brandt".
    turned = frame.passive and not frame.subjects and any(c.dep_ == "dobj" for c in frame.verb.children)
    if turned:
        subjects, people = frame.surface, [c for c in frame.verb.children if c.dep_ == "dobj"]
    if not frame.passive:
        roles += [t for t in people if nouns.is_role(t) and t.pos_ == "NOUN"]
        people = [t for t in people if t not in roles]
    named = [t for role in roles for t in _named_before(frame.verb, role)]
    if named:
        subjects, people = (frame.surface or subjects), named
    elif not frame.passive:
        people += [c for t in roles for c in t.children if c.dep_ in ("appos", "nsubj") and c.pos_ == "PROPN"]
    _in_office(reading, subjects, people, roles, span, base)


def _in_office(
    reading: Reading, subjects: "Sequence[Token]", people: "list[Token]", roles: "list[Token]", span: Times, base: float
) -> None:
    """Each of these people has each of these roles, of what the role says or of whoever gave it."""
    givers = [one for one in reading.refer_all(subjects) if one.name != USER and one.type != "Person"]
    for role in roles:
        for who in (reading.refer(person) for person in people):
            if who is None or not (is_person(who) or who.type != "Place"):
                continue
            holders = [one for one in nouns.holders(reading, role) if one.name != who.name]
            of = holders[0] if holders else next(iter(givers), None)
            nouns.relate(reading, Referent(who.name, "Person", who.sure, who.proper), role, span, base, of)


def _as_role(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "works there as a paramedic", "starts as a product designer", "resigned as chair"."""
    lemma = frame.verb.lemma_
    if lemma in _APPOINTS:
        return
    ends = lemma in _ENDS and frame.lemma != "stand in"
    span = verbs.when(reading, frame.verb, "start" if lemma in _STARTS else "end" if ends else "state", over)
    before = len(reading.found)
    engaged = reading.refer_all(frame.slots.get("object", [])) if lemma in _ENGAGES and not frame.passive else None
    for token in frame.slots.get("as", []) + (frame.slots.get("from", []) if ends else []):
        if nouns.is_role(token) and token.pos_ in ("NOUN", "PROPN"):
            for subject in engaged or verbs.subjects_of(reading, frame, "as"):
                if is_person(subject):
                    nouns.relate(reading, subject, token, span, base - 0.03)
    if lemma == "play":
        reading.found[before:] = [
            replace(one, relation="MEMBER_OF") if one.relation == "WORKS_FOR" else one for one in reading.found[before:]
        ]


def _named_before(verb: "Token", role: "Token") -> "list[Token]":
    """Whom "named Ada Brandt chief executive" is about, which is parsed as a modifier of the office."""
    names = [
        t
        for t in role.subtree
        if t.pos_ == "PROPN" and t.dep_ in ("nmod", "compound", "appos", "nsubj") and t.i < role.i
    ]
    return [t for t in names if t.i > verb.i and (t.i + 1 >= role.i or t.doc[t.i + 1].pos_ != "PROPN")][-1:]


def _called(reading: Reading, frame: Frame, base: float) -> None:
    """ "Her husband is called Max", "his cat is named Miso"."""
    if frame.verb.lemma_ in ("call", "name") and frame.passive:
        for noun in frame.surface:
            for name in frame.slots.get("oprd", []) + frame.slots.get("attr", []):
                if noun.lemma_.lower() in known("owned"):
                    for owner in nouns.holders(reading, noun)[:1]:
                        reading.add(owner, "OWNS", reading.refer(name), base=base - 0.05)
                if nouns.tells(noun) and not phrase(noun).proper and (who := reading.refer(name)) is not None:
                    nouns.relate(reading, who, noun, NO_TIMES, base)
