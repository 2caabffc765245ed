"""What "be" and "become" tell: "X is the head of Y", "Our head is X", "X is at Y", "The latest version is 2"."""

from typing import TYPE_CHECKING

from services.extraction.rules import nouns, releases, verbs
from services.extraction.rules.choices import is_kind, is_person, is_version
from services.extraction.rules.edges import VERSION
from services.extraction.rules.findings import NO_TIMES, Reading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.times import Times, of_noun, times
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_BECOMES = ("become", "turn")


def read(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "X is the head of Y", "Our head is X", "X is at Y"."""
    span = verbs.when(reading, frame.verb, "start" if frame.verb.lemma_ in _BECOMES else "state", over)
    attrs = frame.slots.get("attr", [])
    _both(reading, frame, attrs, span, base)
    _favourite(reading, frame, attrs, span, base)
    _version_is(reading, frame, attrs, base)
    for attr in attrs:
        # "was a ceramist and a member of the Grup until 1970": the dates are the last one's.
        last = attr == attrs[-1] or frame.verb.tag_ != "VBD"
        own = span if last else Times(is_over=span.is_over)
        _said(
            reading,
            frame,
            attr,
            own.filled(times("state", of_noun(reading.dates, attr), "past", reading.reference)),
            base,
        )
    if not attrs and frame.surface and not frame.slots:
        _ellipsis(reading, frame, span, base)
    for subject in verbs.subjects_of(reading, frame, "attr"):
        _places(reading, frame, subject, span, base)


def _said(reading: Reading, frame: Frame, attr: "Token", span: Times, base: float) -> None:
    """What a noun after "be" says of each subject; "Our head is X" is turned round."""
    for token in frame.surface:
        turned = not phrase(token).proper and token.pos_ == "NOUN" and nouns.tells(token) and phrase(attr).proper
        subject = reading.refer(attr if turned else token)
        if subject is None or (not turned and verbs.is_vague(token)):
            continue
        nouns.relate(reading, subject, token if turned else attr, span, base)
        if not turned:
            _stands(reading, subject, attr, base)
    if not frame.surface and frame.implied and (implied := reading.discourse.implied_subject()) is not None:
        nouns.relate(reading, implied, attr, span, base - 0.1)


def _both(reading: Reading, frame: Frame, attrs: "list[Token]", span: Times, base: float) -> None:
    """ "Tom and Max are brothers"."""
    kin = [attr for attr in attrs if attr.lemma_.lower() in known("kin_sibling") and attr.tag_ == "NNS"]
    pair = reading.refer_all(frame.surface) if kin else []
    if len(pair) == 2 and not any(child.dep_ == "poss" for child in kin[0].children):
        reading.add(pair[0], "SIBLING_OF", pair[1], span, base - 0.03)


def _favourite(reading: Reading, frame: Frame, attrs: "list[Token]", span: Times, base: float) -> None:
    """ "Her favourite band is Lantern"."""
    for noun in frame.surface:
        if any(c.lower_ in ("favourite", "favorite", "preferred") for c in noun.children):
            owners = [r for c in noun.children if c.dep_ == "poss" for r in reading.refer_all([c])]
            for owner in owners:
                for attr in attrs or frame.slots.get("acomp", []):
                    reading.add(owner, "PREFERS", reading.refer(attr), span, base)


def _version_is(reading: Reading, frame: Frame, attrs: "list[Token]", base: float) -> None:
    """ "The latest version of Heron is 2.1", "Her first language is Welsh"."""
    for noun in frame.surface:
        if any(attr.lemma_ in ("version", "release") for attr in attrs):
            releases.version(reading, noun, NO_TIMES, base - 0.1)
        for attr in attrs:
            owners = nouns.holders(reading, noun)[:1]
            if noun.lemma_ in ("version", "release") and VERSION.fullmatch(attr.text):
                for owner in owners:
                    reading.add(owner, "HAS_VERSION", Referent(attr.text, "Version"), base=base - 0.05)
            if noun.lemma_ in ("language", "tongue") and attr.lower_ in known("language"):
                for owner in owners:
                    reading.add(owner, "SPEAKS", Referent(attr.text, "Topic"), base=base - 0.05)


def _stands(reading: Reading, subject: Referent, noun: "Token", base: float) -> None:
    """ "Northmoor is a village in Kent", "is a school in Leeds"."""
    plain = noun.lemma_.lower()
    if not subject.proper or (is_person(subject) and subject.type == "Person"):
        return
    relation = (
        "BASED_IN"
        if plain in ("company", "firm", "bank", "airline", "manufacturer", "publisher", "brewery")
        else "LOCATED_IN"
    )
    if plain not in known("place", "school", "organization") | {
        "building",
        "museum",
        "bridge",
        "castle",
        "church",
    }:
        return
    for prep in (c for c in noun.children if c.dep_ == "prep" and c.lower_ in ("in", "near", "on")):
        for token in (c for c in prep.children if c.dep_ == "pobj" and phrase(c).proper and prep.lower_ == "in"):
            reading.add(subject, relation, reading.refer(token), base=base - 0.05)


def _ellipsis(reading: Reading, frame: Frame, span: Times, base: float) -> None:
    """ "Delphine isn't the head of it; Rui is": the noun of the clause before."""
    doc = frame.verb.doc
    earlier = [t for t in doc[max(0, frame.verb.i - 30) : frame.verb.i] if t.dep_ == "attr" and t.head.lemma_ == "be"]
    for token in frame.surface:
        subject = reading.refer(token)
        if earlier and subject is not None and subject.proper:
            nouns.relate(reading, subject, earlier[-1], span, base - 0.1)


def _places(reading: Reading, frame: Frame, subject: Referent, span: Times, base: float) -> None:
    """ "is at Castor Mutual", "is with the Heron team", "is on the board", "is allergic to", "is in Malmö"."""
    for place in ("at", "with", "on", "in", "under"):
        for token in frame.slots.get(place, []):
            other = reading.refer(token)
            if other is None or not (other.proper or is_kind(other, "band") or is_kind(other, "project")):
                continue
            if is_person(subject):
                _person_at(reading, frame, subject, place, token, other, span, base)
            else:
                _thing_at(reading, subject, place, other, span, base)
    if is_person(subject):
        _off_and_in_charge(reading, frame, subject, span, base)
    for adjective in frame.slots.get("acomp", []):
        _adjective(reading, adjective, subject, span, base)


def _thing_at(reading: Reading, subject: Referent, place: str, other: Referent, span: Times, base: float) -> None:
    """Where a thing is; "is on Postgres 15" is what it uses."""
    street = place == "on" and is_kind(other, "place") and other.proper
    if street or (place == "in" and other.type == "Place"):
        reading.add(subject, "LOCATED_IN", other, span, base - 0.1)
    elif place == "on" and is_version(other) and subject.type != "Document":
        reading.add(subject, "USES", other, span, base - 0.1)


def _off_and_in_charge(reading: Reading, frame: Frame, subject: Referent, span: Times, base: float) -> None:
    """ "is off the Drift project", "is in charge of the data migration"."""
    for other in reading.refer_all(frame.slots.get("off", [])):
        if other.proper or is_kind(other, "project"):
            reading.add(subject, "WORKS_ON", other, verbs.when(reading, frame.verb, "end", over=False), base - 0.12)
    for charge in (token for token in frame.slots.get("in", []) if token.lower_ == "charge"):
        of = [c for prep in charge.children if prep.lower_ == "of" for c in prep.children if c.dep_ == "pobj"]
        for other in reading.refer_all(of):
            reading.add(subject, "LEADS", other, span, base - 0.05)


def _person_at(
    reading: Reading,
    frame: Frame,
    subject: Referent,
    place: str,
    token: "Token",
    other: Referent,
    span: Times,
    base: float,
) -> None:
    """Where somebody is tells for whom, with whom or on what they work."""
    banded = is_kind(other, "band")
    if place in ("at", "with"):
        if other.type not in ("Person", "Event", "Place") and not is_kind(other, "event"):
            student = is_kind(other, "school") and place == "at" and not _works(frame)
            reading.add(
                subject, "STUDIED_AT" if student else "MEMBER_OF" if banded else "WORKS_FOR", other, span, base - 0.1
            )
    elif place in ("on", "in") and banded:
        reading.add(subject, "MEMBER_OF", other, span, base - 0.05)
        for prep in (c for c in token.children if c.dep_ == "prep" and c.lower_ == "at"):
            for inner in (c for c in prep.children if c.dep_ == "pobj" and phrase(c).proper):
                reading.add(subject, "WORKS_FOR", reading.refer(inner), span, base - 0.1)
    elif place == "on" and is_kind(other, "platform"):
        reading.add(subject, "USES", other, span, base - 0.1)
    elif place == "on" and (is_kind(other, "project") or (other.proper and other.type in ("", "Product", "Project"))):
        reading.add(subject, "WORKS_ON", other, span, base - 0.12)


def _works(frame: Frame) -> bool:
    return any(c.lower_ in ("work", "as") for c in frame.verb.subtree)


def _adjective(reading: Reading, adjective: "Token", subject: Referent, span: Times, base: float) -> None:
    by = {
        "keen": ("on", "PREFERS"),
        "responsible": ("for", "WORKS_ON"),
        "allergic": ("to", "ALLERGIC_TO"),
        "intolerant": ("of", "ALLERGIC_TO"),
        "compatible": ("with", "SUPPORTS"),
        "married": ("to", "MARRIED_TO"),
        "fluent": ("in", "SPEAKS"),
        "dependent": ("on", "DEPENDS_ON"),
        "fond": ("of", "PREFERS"),
        "native": ("to", "BORN_IN"),
        "reliant": ("on", "DEPENDS_ON"),
        "conversant": ("in", "SPEAKS"),
        "headquartered": ("in", "BASED_IN"),
    }
    if adjective.lower_ not in by:
        return
    prep, relation = by[adjective.lower_]
    targets = [
        p for c in adjective.children if c.dep_ == "prep" and c.lower_ == prep for p in c.children if p.dep_ == "pobj"
    ]
    for target in targets:
        for one in listed(target):
            reading.add(subject, relation, reading.refer(one), span, base)
    if adjective.lower_ == "intolerant" and not targets:
        for child in adjective.children:
            if (
                child.dep_ in ("npadvmod", "nmod", "compound", "amod", "advmod")
                and child.i < adjective.i
                and child.pos_ != "ADV"
            ):
                reading.add(subject, relation, Referent(child.text, "Topic", 0.95, False, child.lower_), span, base)
