"""What clauses tell of persons: family, jobs, degrees, memberships, parts in films, leaving."""

from typing import TYPE_CHECKING

from services.extraction.rules import nouns, verbs
from services.extraction.rules.choices import is_person
from services.extraction.rules.findings import NO_TIMES, Finding, Reading
from services.extraction.rules.frames import Frame
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.times import Time
from services.extraction.rules.words import known

if TYPE_CHECKING:
    from spacy.tokens import Token


_KIN = {"kin_child": "CHILD_OF", "kin_sibling": "SIBLING_OF", "kin_partner": "MARRIED_TO"}


def read(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """Adds what such a clause tells."""
    _membership(reading, frame, over)
    _played(reading, frame, base)
    _had_as(reading, frame, over, base)
    _wed(reading, frame, over, base)
    _founded_with(reading, frame, base)
    _has(reading, frame, base)
    _job(reading, frame, over, base)
    _left(reading, frame)
    _together(reading, frame, over, base)
    _after_years(reading, frame, base)


def _wed(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "Ida and Anders got married", "Ida and Anders divorced"."""
    told = {child.lower_ for child in frame.verb.children}
    begins = frame.verb.lemma_ in ("marry", "wed") or (frame.verb.lemma_ in ("get", "be") and "married" in told)
    ends = frame.verb.lemma_ in ("divorce", "separate") or (frame.verb.lemma_ in ("get", "be") and "divorced" in told)
    others = [*frame.slots.get("object", []), *frame.slots.get("to", []), *frame.slots.get("from", [])]
    pair = reading.refer_all(frame.surface) if begins or ends else []
    if len(pair) == 2 and (frame.passive or not others) and all(is_person(one) for one in pair):
        span = verbs.when(reading, frame.verb, "end" if ends else "start", over)
        reading.add(pair[0], "MARRIED_TO", pair[1], span, base - 0.03)


def _founded_with(reading: Reading, frame: Frame, base: float) -> None:
    """ "co-founded Tern with Peter Berg": both did."""
    if frame.lemma not in ("found", "cofound", "set up", "establish", "start") or frame.passive:
        return
    founded = {one.target.name: one for one in reading.found if one.relation == "FOUNDED"}
    for partner in reading.refer_all(frame.slots.get("with", [])):
        for one in founded.values() if is_person(partner) and partner.proper else ():
            reading.add(partner, "FOUNDED", one.target, one.times, base - 0.03)


def _has(reading: Reading, frame: Frame, base: float) -> None:
    """ "has two children, Nils and Solveig", "has a cat called Miso", "has a nut allergy"."""
    for noun in frame.slots.get("object", []) if frame.lemma == "have" else []:
        plain = noun.lemma_.lower()
        kin = next((relation for category, relation in _KIN.items() if plain in known(category)), "")
        names = reading.refer_all(_names_of(noun)) if kin or plain in known("owned") else []
        for subject in reading.refer_all(frame.surface):
            for name in names:
                source, target = (name, subject) if kin else (subject, name)
                reading.add(source, kin or "OWNS", target, base=base - 0.05)
            for what in _allergens(noun) if plain == "allergy" else ():
                stuff = Referent(what.text, "Topic", 0.95, False, what.lower_)
                reading.add(subject, "ALLERGIC_TO", stuff, base=base - 0.05)


def _names_of(noun: "Token") -> "list[Token]":
    """The names that a noun is given: in apposition, or after "called" and "named"."""
    named = [one for child in noun.children if child.dep_ == "appos" for one in listed(child) if phrase(one).proper]
    calls = [child for child in noun.children if child.dep_ == "acl" and child.lemma_ in ("name", "call")]
    return named + [one for call in calls for x in call.children if x.dep_ == "oprd" for one in listed(x)]


def _allergens(noun: "Token") -> "list[Token]":
    after = [inner for child in noun.children if child.lower_ == "to" for inner in child.children]
    return [c for c in noun.children if c.dep_ in ("compound", "amod")] + [one for a in after for one in listed(a)]


def _job(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "took a job at Orsted Foods", "holds a degree from Lund": the noun of the object says which."""
    for noun in frame.slots.get("object", []):
        plain = noun.lemma_.lower()
        relation = "WORKS_FOR" if plain in known("job") else "STUDIED_AT" if plain in known("degree") else ""
        if not relation:
            continue
        lemma = frame.verb.lemma_
        begins = lemma in ("take", "start", "accept", "get", "land", "begin", "find")
        ends = lemma in ("leave", "quit", "lose", "resign", "finish")
        time: Time = (
            "end"
            if ends or (relation == "STUDIED_AT" and lemma not in ("have", "hold"))
            else "start"
            if begins
            else "state"
        )
        for subject in verbs.subjects_of(reading, frame, "object"):
            for place in ("at", "with", "from", "in"):
                for token in frame.slots.get(place, []):
                    other = reading.refer(token)
                    if (
                        other is None
                        or not other.proper
                        or (other.type == "Place" and place == "in")
                        or not is_person(subject)
                    ):
                        continue
                    span = verbs.when(reading, frame.verb, time, over)
                    reading.add(subject, relation, other, span, base - 0.05)


def _left(reading: Reading, frame: Frame) -> None:
    """ "joined Bramble Oil in 2015 and left in 2022": what was told last of a person's employ is over."""
    if frame.verb.lemma_ not in ("leave", "quit", "resign", "depart") or frame.passive or frame.slots.get("object"):
        return
    if any(place in frame.slots for place in ("from", "for", "to", "as")) and "from" in frame.slots:
        return
    span = verbs.when(reading, frame.verb, "end", over=False)
    if span.invalid_at is None:
        return
    for subject in verbs.subjects_of(reading, frame, "none"):
        earlier = [*reading.earlier, *reading.found]
        held = [
            one
            for one in earlier
            if one.source.name == subject.name
            and one.relation in ("WORKS_FOR", "MEMBER_OF")
            and one.times.invalid_at is None
        ]
        for one in held[-1:]:
            ended = [
                o
                for o in earlier
                if o.source.name == subject.name and o.relation in ("HAS_ROLE", "LEADS") and o.times == one.times
            ]
            for which in [one, *ended]:
                reading.found.append(Finding(which.source, which.relation, which.target, span, min(which.base, 0.85)))


def _together(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "lives with Ida in Leeds", "works on Heron with Ida": so does Ida."""
    relation, place = {"live": ("LIVES_IN", "in"), "work": ("WORKS_ON", "on")}.get(frame.verb.lemma_, ("", ""))
    others = [
        one
        for one in reading.refer_all(frame.slots.get("with", []))
        if is_person(one) and (one.proper or one.name == USER)
    ]
    if not relation or not others:
        return
    span = verbs.when(reading, frame.verb, "state", over)
    for what in [one for one in reading.found if one.relation == relation and one.times in (span, NO_TIMES)]:
        for other in others:
            if frame.slots.get(place):
                reading.add(other, relation, what.target, what.times, base - 0.15)


def _after_years(reading: Reading, frame: Frame, base: float) -> None:
    """ "After ten years at Acme Foods, Tom moved to Tern": the employ before is over."""
    if frame.verb.lemma_ not in ("move", "join", "leave", "become", "retire", "start", "return", "go"):
        return
    for years in (t for t in frame.slots.get("after", []) if t.lemma_ in ("year", "month", "decade", "season")):
        places = [
            c for prep in years.children if prep.lower_ in ("at", "with") for c in prep.children if c.dep_ == "pobj"
        ]
        span = verbs.when(reading, frame.verb, "end", over=False)
        for subject in verbs.subjects_of(reading, frame, "none"):
            for other in reading.refer_all(places):
                if is_person(subject) and other.proper and other.type not in ("Place", "Person"):
                    reading.add(subject, "WORKS_FOR", other, span, base - 0.08)


def _membership(reading: Reading, frame: Frame, over: bool) -> None:
    """ "gave up his gym membership at Ironworks", "has a membership of the club"."""
    for token in frame.slots.get("object", []):
        if token.lemma_ != "membership":
            continue
        ends = frame.lemma in ("give up", "cancel", "end", "let", "terminate", "drop", "lose", "quit")
        time: Time = (
            "end" if ends else "start" if frame.verb.lemma_ in ("get", "take", "buy", "renew", "start") else "state"
        )
        groups = [t for p in ("at", "of", "in", "with") for t in frame.slots.get(p, frame.slots.get(f"object+{p}", []))]
        for subject in verbs.subjects_of(reading, frame, "object"):
            for group in groups:
                reading.add(
                    subject, "MEMBER_OF", reading.refer(group), verbs.when(reading, frame.verb, time, over), 0.85
                )


def _had_as(reading: Reading, frame: Frame, over: bool, base: float) -> None:
    """ "I've had Babak as my boss"."""
    if frame.verb.lemma_ not in ("have", "see") or "as" not in frame.slots:
        return
    span = verbs.when(reading, frame.verb, "state", over)
    for token in frame.slots["as"]:
        for who in reading.refer_all(frame.slots.get("object", [])):
            if is_person(who):
                nouns.relate(reading, who, token, span, base - 0.05)


def _played(reading: Reading, frame: Frame, base: float) -> None:
    """ "plays the keeper in Bora" is a part in a film; "plays bass in Tin Orchard" is a place in a band."""
    if frame.verb.lemma_ != "play" or frame.passive or not frame.slots.get("object"):
        return
    plays = frame.slots["object"][0].lower_
    relation = "MEMBER_OF" if plays in known("instrument") else "PERFORMED_IN"
    reading.found = [
        one
        for one in reading.found
        if not (one.relation == "MEMBER_OF" and one.target.at in {t.i for t in frame.slots.get("in", [])})
    ]
    for subject in verbs.subjects_of(reading, frame, "in"):
        for token in [*frame.slots.get("in", []), *(frame.slots.get("for", []) if relation == "MEMBER_OF" else [])]:
            other = reading.refer(token)
            if (
                other is not None
                and other.proper
                and is_person(subject)
                and not (relation == "MEMBER_OF" and other.type == "Place")
            ):
                time: Time = "state" if relation == "MEMBER_OF" else "event"
                reading.add(subject, relation, other, verbs.when(reading, frame.verb, time, False), base - 0.05)
