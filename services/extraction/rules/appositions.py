"""What nouns tell without a verb: "Ada Brandt, head of Kiln", "the architect Ottokar Blau", "the London-based firm"."""

import re
from typing import TYPE_CHECKING

from services.extraction.rules import nouns
from services.extraction.rules.choices import is_kind, is_person, is_version
from services.extraction.rules.edges import told
from services.extraction.rules.factuality import is_denied
from services.extraction.rules.findings import NO_TIMES, Reading
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.times import of_noun, of_verb, times
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token


def read(reading: Reading, noun: "Token") -> None:
    """Adds what a noun tells by what stands beside it."""
    if noun.pos_ not in ("NOUN", "PROPN"):
        return
    for other in noun.children:
        if other.dep_ == "appos" and other.pos_ in ("NOUN", "PROPN"):
            for one in listed(other):
                _apposed(reading, noun, one)
    if noun.pos_ == "PROPN" and noun.dep_ not in ("compound",):
        _titled(reading, noun)
    _versioned(reading, noun)
    _made_by(reading, noun)
    _settled(reading, noun)
    _seated(reading, noun)
    _is_new_in(reading, noun)
    _part_in(reading, noun)


def _is_new_in(reading: Reading, noun: "Token") -> None:
    """ "the sunrise module (new in Wicket 3.1)"."""
    for adjective in noun.children:
        if adjective.lower_ != "new" or adjective.i < noun.i:
            continue
        for prep in (c for c in adjective.children if c.dep_ == "prep" and c.lower_ in ("in", "since", "with")):
            for token in (c for c in prep.children if c.dep_ == "pobj"):
                other = reading.refer(token)
                if other is not None and is_version(other):
                    whens = of_noun(reading.dates, token)
                    reading.add(
                        other, "INTRODUCES", reading.refer(noun), times("event", whens, "past", reading.reference), 0.85
                    )


def _versioned(reading: Reading, noun: "Token") -> None:
    """ "Version 3 of the Perch protocol, published in November 2019, adds"."""
    found = phrase(noun)
    number = re.fullmatch(r"(?:[Vv]ersion|[Rr]elease) (v?\d[\w.]*)", found.text)
    of = [c for child in noun.children if child.lower_ == "of" for c in child.children if c.dep_ == "pobj"]
    if number is None or not of or is_denied(noun) or any(c.dep_ == "neg" for c in noun.head.children):
        return
    told = [c for c in noun.children if c.dep_ == "acl" and c.lemma_ in ("publish", "release", "ship", "issue")]
    whens = [one for verb in told for one in of_verb(reading.dates, verb)]
    span = times("event", whens, "past", reading.reference)
    reading.add(reading.refer(of[0]), "HAS_VERSION", Referent(number[1], "Version"), span, 0.8)


def _settled(reading: Reading, noun: "Token") -> None:
    """ "Guido's rejection of PEP 335"."""
    if noun.lemma_.lower() not in known("settled") or not any(c.dep_ == "poss" for c in noun.children):
        return
    state = {
        "rejection": "rejected",
        "acceptance": "accepted",
        "withdrawal": "withdrawn",
        "deprecation": "deprecated",
        "approval": "approved",
        "cancellation": "cancelled",
    }[noun.lemma_.lower()]
    for prep in (c for c in noun.children if c.lower_ == "of"):
        for token in (c for c in prep.children if c.dep_ == "pobj" and phrase(c).proper):
            reading.add(reading.refer(token), "HAS_STATUS", Referent(state, "Status"), base=0.7)


def _part_in(reading: Reading, noun: "Token") -> None:
    """ "known for her role in The Silent Hour"."""
    owners = [c for c in noun.children if c.dep_ == "poss"]
    if noun.lemma_ not in ("role", "part", "performance", "appearance", "portrayal") or not owners:
        return
    for prep in (c for c in noun.children if c.dep_ == "prep" and c.lower_ == "in"):
        for token in (one for c in prep.children if c.dep_ == "pobj" for one in listed(c)):
            if phrase(token).proper:
                reading.add(reading.refer(owners[0]), "PERFORMED_IN", reading.refer(token), base=0.82)


def _apposed(reading: Reading, head: "Token", other: "Token") -> None:
    name, noun = (head, other) if phrase(head).proper else (other, head)
    role = head.head.head
    if (
        phrase(head).proper
        and phrase(other).proper
        and head.dep_ == "pobj"
        and head.head.lower_ == "of"
        and nouns.is_role(role)
        and (role.pos_ == "NOUN" and phrase(other).label in ("Person", ""))
    ):
        who = reading.refer(other)
        if who is not None and is_person(who):
            nouns.relate(reading, who, role, NO_TIMES, 0.85)
        return
    told, named = phrase(noun), phrase(name)
    _titled_work(reading, noun, name)
    if (told.proper and not (nouns.is_role(noun) and named.label != "Organization")) or not named.proper:
        return
    subject = reading.refer(name)
    if any(t.dep_ == "pobj" and t.i == name.i - 1 and t != noun for t in noun.subtree):
        return
    by = any(c.dep_ == "prep" and c.lower_ == "by" for c in noun.children)
    if name.dep_ == "pobj" and noun is other and name.ent_type_ in ("GPE", "LOC", "DATE") and nouns.tells(noun):
        verb = next((t for t in name.ancestors if t.pos_ in ("VERB", "AUX")), None)
        subjects = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")] if verb is not None else []
        subject = reading.refer(subjects[0]) if subjects else None
    if subject is None or not (by or nouns.tells(noun) or noun.lemma_.lower() in known("part", "alumnus") | {"member"}):
        return
    within = of_noun(reading.dates, noun) if noun is other else of_noun(reading.dates, name)
    within = [one for one in within if one.kind != "at"]
    span = times("state", within, "past", reading.reference)
    base = 0.85
    nouns.relate(reading, subject, noun, span, base)


def _titled(reading: Reading, name: "Token") -> None:
    """ "Actress Lucija Perko", "the user's sister Mia", "Chief financial officer Dermot Healy"."""
    found = phrase(name)
    doc = name.doc
    before = doc[found.start - 1] if found.start > name.sent.start else None
    inside = next(
        (
            token
            for token in doc[found.start : name.i]
            if token.pos_ == "NOUN" or (token.lower_ in known("role") and token.i < name.i)
        ),
        None,
    )
    title = inside or (before if before is not None and before.pos_ in ("NOUN", "PROPN") else None)
    _work_of(reading, name)
    if title is None or title.head.i < title.i or not nouns.tells(title) or title.i + 1 >= len(doc):
        return
    if not doc[title.i + 1].text[:1].isupper() or (
        found.label == "Organization" and is_kind(Referent(found.text), "organization")
    ):
        return
    rest = doc[title.i + 1 : found.end].text
    if title.lower_ in known("title") or title.lower_ in (
        "king",
        "queen",
        "prince",
        "princess",
        "pope",
        "emperor",
        "saint",
    ):
        return
    kind = "" if title.lemma_.lower() in known("successor", "predecessor") else "Person"
    subject = Referent(reading.discourse.full(rest), kind, 0.95)
    owner = next((c for c in name.children if c.dep_ == "poss"), None)
    of = reading.refer(owner) if owner is not None else None
    nouns.relate(reading, subject, title, NO_TIMES, 0.85, of)


def _titled_work(reading: Reading, noun: "Token", name: "Token") -> None:
    """ "Ada Brandt's new memoir, Cold Water, came out"."""
    owner = next((c for c in noun.children if c.dep_ == "poss"), None)
    plain = noun.lemma_.lower()
    if owner is None or plain not in known("document", "work") or not phrase(name).proper:
        return
    who = reading.refer(owner)
    relation = "DIRECTED" if plain in ("film", "movie") else "AUTHORED" if plain in known("document") else "CREATED"
    if who is not None and is_person(who) and who.name != USER:
        reading.add(who, relation, reading.refer(name), base=0.8)


def _made_by(reading: Reading, name: "Token") -> None:
    """ "Christian Tismer's Stackless", "Brett Cannon's importlib": whose a thing with a name is, made it."""
    owners = [c for c in name.children if c.dep_ == "poss" and c.ent_type_ == "PERSON"]
    thing = phrase(name)
    for owner in owners:
        who = reading.refer(owner)
        code = re.search(r"[a-z][A-Z]|[_.\d]|\(\)", thing.text) or name.is_oov
        if who is not None and " " in who.name and code and thing.label in ("", "Product") and name.i == owner.i + 2:
            own = told(name.doc[owner.i + 2 : thing.end])
            reading.add(who, "CREATED", Referent(own, "Product"), base=0.72)


def _work_of(reading: Reading, name: "Token") -> None:
    """ "Ada Brandt's novel Cold Water", "his film Winter Light"."""
    start = phrase(name).start
    noun = name.doc[start - 1] if start > name.sent.start else None
    owner = next((c for c in (*name.children, *(noun.children if noun is not None else ())) if c.dep_ == "poss"), None)
    if noun is None or owner is None:
        return
    plain = noun.lemma_.lower()
    relation = "DIRECTED" if plain in ("film", "movie") else "AUTHORED" if plain in known("document") else "CREATED"
    if plain in known("document", "work"):
        who = reading.refer(owner)
        if who is not None and is_person(who):
            reading.add(who, relation, reading.refer(name), base=0.8)


def _seated(reading: Reading, noun: "Token") -> None:
    """ "the Rotterdam-based lens maker", "the Helsinki start-up Murmur", "Lagos's Delta Theatre"."""
    for child in noun.children:
        if child.lower_ == "based" and child.i < noun.i:
            for place in child.children:
                if place.dep_ in ("npadvmod", "compound", "nmod") and place.text[:1].isupper():
                    owner = reading.refer(noun) if phrase(noun).proper else _named_by(reading, noun)
                    reading.add(owner, "BASED_IN", Referent(phrase(place).text, "Place"), base=0.85)
        if (
            child.dep_ == "poss"
            and child.ent_type_ == "GPE"
            and phrase(noun).proper
            and is_kind(Referent(phrase(noun).text), "organization")
        ):
            reading.add(reading.refer(noun), "LOCATED_IN", Referent(phrase(child).text, "Place"), base=0.8)
        if (
            child.dep_ in ("compound", "nmod")
            and child.ent_type_ == "GPE"
            and noun.pos_ == "NOUN"
            and is_kind(Referent(noun.lemma_.lower(), plain=noun.lemma_.lower()), "organization")
            and noun.lemma_
            in ("start", "startup", "company", "firm", "bank", "brewery", "bakery", "label", "maker", "studio", "up")
        ):
            reading.add(_named_by(reading, noun), "BASED_IN", Referent(phrase(child).text, "Place"), base=0.8)


def _named_by(reading: Reading, noun: "Token") -> Referent | None:
    if noun.dep_ == "attr":
        subjects = [c for c in noun.head.children if c.dep_ == "nsubj"]
        return reading.refer(subjects[0]) if subjects else None
    names = [c for c in noun.children if c.dep_ == "appos" and phrase(c).proper]
    if names:
        return reading.refer(names[0])
    if noun.dep_ == "appos" and phrase(noun.head).proper:
        return reading.refer(noun.head)
    if noun.dep_ in ("compound", "nmod") and phrase(noun.head).proper:
        return Referent(noun.doc[noun.i + 1 : phrase(noun.head).end].text, "Organization")
    fits = [m for m in reading.discourse.mentions if m.type in ("Organization", "") and m.proper]
    return (
        Referent(fits[0].name, "Organization", 0.85)
        if len(fits) == 1
        else (Referent(max(fits, key=lambda m: m.places[-1:]).name, "Organization", 0.8) if fits else None)
    )
