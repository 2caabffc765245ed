"""Read "X is the head of Y", "Our head is X", "X, head of Y" and "the head of Y, X"."""

from typing import TYPE_CHECKING

from services.extraction.rules import nominal_relations, verbs
from services.extraction.rules.choices import is_person
from services.extraction.rules.clause_dates import Times, of_noun, times
from services.extraction.rules.dates_beside_nouns import is_life
from services.extraction.rules.findings import NO_TIMES, SentenceReading
from services.extraction.rules.frames import Frame
from services.extraction.rules.phrases import listed, phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

_BE = ("be", "remain", "stay", "become", "’", "'")


def read(reading: SentenceReading, frame: Frame, over: bool) -> None:
    """Add what a clause says with "be" or "become"."""
    if frame.verb.lemma_ not in _BE:
        return
    span = verbs.when(reading, frame.verb, "start" if frame.verb.lemma_ == "become" else "state", over)
    attrs = frame.slots.get("attr", [])
    for attr in attrs:
        # "was a ceramist and a member of the Grup until 1970": the dates are the last one's.
        own = span if attr == attrs[-1] or frame.verb.tag_ != "VBD" else Times(is_over=span.is_over)
        own = own.filled(times("state", of_noun(reading.dates, attr), "past"))
        for token in frame.surface:
            _predicate(reading, token, attr, own)
        if not frame.surface and frame.implied and (implied := reading.discourse.implied_subject()) is not None:
            nominal_relations.relate(reading, implied, attr, own, 0.8)


def _predicate(reading: SentenceReading, subject: "Token", attr: "Token", span: Times) -> None:
    """Add what a noun after "be" says of a subject; "Our head is X" is turned round."""
    turned = not phrase(subject).proper and subject.pos_ == "NOUN" and phrase(attr).proper
    name, noun = (attr, subject) if turned and nominal_relations.names_relation(subject) else (subject, attr)
    who = reading.refer(name)
    if who is not None:
        nominal_relations.relate(reading, who, noun, span, 0.9)


def read_appositions(reading: SentenceReading, noun: "Token") -> None:
    """Add what stands in apposition to a noun or a name."""
    if noun.pos_ in ("NOUN", "PROPN"):
        for other in noun.children:
            if other.dep_ == "appos" and other.pos_ in ("NOUN", "PROPN"):
                for one in listed(other):
                    _apposition(reading, noun, one)


def _apposition(reading: SentenceReading, head: "Token", other: "Token") -> None:
    first, second = phrase(head), phrase(other)
    if first.proper and second.proper and second.label in ("Person", "") and _is_of_role(head):
        who = reading.refer(other)  # "the mayor of Ulm, Ada Brandt"
        if who is not None and is_person(who):
            nominal_relations.relate(reading, who, head.head.head, NO_TIMES, 0.85)
        return
    name, noun = (head, other) if first.proper else (other, head)
    titled = nominal_relations.is_role(noun) and phrase(name).label != "Organization"
    if not phrase(name).proper or (phrase(noun).proper and not titled) or _ends_with_name(noun, name):
        return
    subject = reading.refer(name)
    if subject is not None and nominal_relations.names_relation(noun):
        within = of_noun(reading.dates, noun if noun is other else name)
        span = times("state", [one for one in within if one.kind != "at" and not is_life(one)], "past")
        nominal_relations.relate(reading, subject, noun, span, 0.85)


def _is_of_role(name: "Token") -> bool:
    """Return True for "Ulm" in "the mayor of Ulm"."""
    role = name.head.head
    of = name.dep_ == "pobj" and name.head.lower_ == "of"
    return of and role.pos_ == "NOUN" and nominal_relations.is_role(role)


def _ends_with_name(noun: "Token", name: "Token") -> bool:
    """Return True where the name's place right behind belongs to the noun's own phrase: "head of sales, Ada"."""
    return any(t.dep_ == "pobj" and t.i == name.i - 1 and t != noun for t in noun.subtree)
