"""Read what nouns say of a name: offices with what they are held of, kin, bosses, successors, parts."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from services.extraction.rules.choices import is_kind, is_person
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.factuality import is_denied
from services.extraction.rules.findings import SentenceReading
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.name_boundaries import original_text
from services.extraction.rules.phrases import listed, phrase
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_KIN = {"kin_partner": "MARRIED_TO", "kin_child": "CHILD_OF", "kin_sibling": "SIBLING_OF", "kin_parent": "CHILD_OF"}
_FORMER = {"former", "ex", "onetime", "one-time"}
_HEADS = ("head", "leader", "lead", "captain", "ceo", "chair", "chairman", "president")
_MAINTAINERS = ("maintainer", "contributor", "co-maintainer")
_TAKES_ON = ("lead", "engineer", "developer", "designer")
_TAKES_TO = ("heir", "successor", "assistant", "adviser", "deputy", "sister", "brother")


def relate(
    reading: SentenceReading, subject: Referent, noun: "Token", times: Times, base: float, of: Referent | None = None
) -> None:
    """Add what a noun says of a subject ("Ada is the head of Kiln"). `of` is a possessor that stands elsewhere."""
    if is_denied(noun):
        return
    if is_former(noun):
        times = replace(times, is_over=True)
    owners = [of] if of else holders(reading, noun)
    plain = noun.lemma_.lower()
    if kinship := next((one for one in _KIN if plain in known(one)), ""):
        _relate_kin(reading, kinship, subject, owners, times, base)
    elif plain in known("successor", "predecessor"):
        ends = [subject, *owners[:1]] if plain in known("successor") else [*owners[:1], subject]
        if len(ends) == 2 and all(is_person(end) for end in ends):
            reading.add(ends[0], "SUCCEEDED", ends[1], base=base)
    elif plain in known("manager") and owners and owners[0].type == "Person":
        reading.add(owners[0], "REPORTS_TO", subject, times, base)
    elif plain in known("part") and owners and owners[0].type != "Person" and not is_role(noun):
        reading.add(subject, "PART_OF", owners[0], times, base if subject.proper else base - 0.1)
    elif is_role(noun) and (is_person(subject) or subject.name == USER) and subject.name.lower() not in known("role"):
        _relate_role(reading, subject, noun, owners, times, base)


def names_relation(noun: "Token") -> bool:
    """Return True for a noun that `relate` reads: an office, kin, a successor, a part."""
    return is_role(noun) or noun.lemma_.lower() in known(*_KIN, "successor", "predecessor", "part")


def is_role(noun: "Token") -> bool:
    """Return True for the head of a job title or an office, and for nouns built like one."""
    plain = noun.lemma_.lower()
    if any(c.dep_ == "acl" and c.lemma_ in ("write", "implement", "build", "maintain") for c in noun.children):
        return False
    if plain in known("role") or noun.lower_ in known("role"):
        return True
    suffixes = r".+(?:ologist|ographer|ician|keeper|maker|smith|wright|monger|-in-chief|woman|person)"
    return re.fullmatch(suffixes, plain) is not None


def holders(reading: SentenceReading, noun: "Token") -> list[Referent]:
    """Return whose the noun is: its possessor, what follows "of", and a name before it ("Kestrel CEO")."""
    found: list[Referent] = []
    for child in noun.children:
        if child.dep_ == "poss":
            found += reading.refer_all(listed(child))
        elif child.dep_ == "prep" and _takes(noun, child.lower_):
            for inner in (one for one in child.children if one.dep_ == "pobj"):
                names = [a for a in inner.children if a.dep_ == "appos" and a.pos_ == "PROPN" and a.i == inner.i + 1]
                found += reading.refer_all(names or [one for one in listed(inner) if _is_definite(one)])
        elif child.dep_ in ("compound", "nmod") and child.ent_type_ == "ORG" and child.i < noun.i:
            found += reading.refer_all([child])
    return [one for one in found if one.name]


def _takes(noun: "Token", preposition: str) -> bool:
    """Return True for "of", and for "on" and "to" after nouns that take them: "lead on Kiln", "successor to Ada"."""
    takers = {"on": _TAKES_ON, "to": _TAKES_TO}
    return preposition == "of" or noun.lemma_ in takers.get(preposition, ())


def _is_definite(token: "Token") -> bool:
    named = phrase(token)
    return named.definite and not re.fullmatch(r"[\d.]+", named.text)


def is_former(noun: "Token") -> bool:
    """Return True for an office, a spouse or an employer that somebody had: "former mayor", "ex-husband"."""
    words = {child.lower_ for child in noun.children if child.dep_ in ("amod", "advmod", "compound", "nmod")}
    before = {token.lower_ for token in noun.doc[max(noun.sent.start, noun.i - 3) : noun.i]}
    return bool(words & {*_FORMER, "erstwhile", "retired", "then"} or before & _FORMER)


def _relate_kin(
    reading: SentenceReading, kinship: str, subject: Referent, owners: list[Referent], times: Times, base: float
) -> None:
    for owner in owners if kinship == "kin_child" else owners[:1]:
        ends = (owner, subject) if kinship == "kin_parent" else (subject, owner)
        reading.add(ends[0], _KIN[kinship], ends[1], times, base)


def _relate_role(
    reading: SentenceReading, subject: Referent, noun: "Token", owners: list[Referent], times: Times, base: float
) -> None:
    """Add a role, and what its holder is to what it is held of: its leader, its maintainer, or in its employ."""
    name, plain = role_name(noun), noun.lemma_.lower()
    organizations = [one for one in owners + _employers(reading, noun) if _can_be_held(one) and one.name not in name]
    held = [one for one in organizations if one.name != subject.name]
    if name and not _is_implied(name.lower(), plain, held):
        reading.add(subject, "HAS_ROLE", Referent(name, "Role", 0.97, False, plain), times, base)
    for one in held:
        relation, less = _holding(name.lower(), plain, one, one in owners)
        if relation:
            reading.add(subject, relation, one, times, base - less)


def role_name(noun: "Token") -> str:
    """Return a role without "new", "former", "first", places, organizations and possessors: "chief executive"."""
    found, doc = phrase(noun), noun.doc
    start = found.start
    if noun.dep_ in ("compound", "nmod", "amod") or noun.head.pos_ == "PROPN":
        while start > noun.sent.start and _qualifies(doc[start - 1]):
            start -= 1
    outside = [token.i for token in doc[start : noun.i] if _is_no_part_of_role(token)]
    start = outside[-1] + 1 if outside else start
    end = found.end if noun.pos_ != "PROPN" or found.end - 1 == noun.i else noun.i + 1
    if found.proper and found.end > noun.i + 1:
        end = found.end if doc[noun.i + 1].lower_ == "for" else noun.i + 1
    return original_text(doc[start : max(noun.i + 1, end)])


def _qualifies(token: "Token") -> bool:
    return token.pos_ in ("ADJ", "NOUN", "PROPN") and token.dep_ in ("compound", "amod", "nmod")


def _is_no_part_of_role(token: "Token") -> bool:
    entities = ("GPE", "ORG", "NORP", "LOC", "ORDINAL", "DATE", "PERSON")
    return (
        token.tag_ in ("VBN", "VBD", "POS")
        or token.dep_ in ("poss", "case")
        or (token.ent_type_ in entities and token.pos_ != "NOUN")
        or token.ent_type_ == "DATE"
        or token.like_num
        or token.text == ","
        or token.lower_ in known("fresh", "language")
    )


def _is_implied(title: str, plain: str, held: list[Referent]) -> bool:
    """Return True where "the head of Kiln" is no more than LEADS, "the maintainer of libtern" than WORKS_ON."""
    if title in known("bare") and held:
        return True
    things = any(not is_kind(one, "organization") and one.type in ("Product", "Project", "") for one in held)
    return things and plain in known("works_on") and title in (*_MAINTAINERS, "owner")


def _holding(title: str, plain: str, owner: Referent, is_owner: bool) -> tuple[str, float]:
    """Return what the holder of a role is to what it is held of, and how much less sure that is; "" for nothing."""
    firm = owner.type == "Organization" or is_kind(owner, "organization")
    if is_owner and " of " not in title and (plain in _HEADS or title in known("leads")):
        return ("LEADS", 0.02) if owner.type != "Place" or firm else ("", 0.0)
    is_thing = is_kind(owner, "product") or is_kind(owner, "project") or plain in _MAINTAINERS
    if owner.type == "Product" or re.search(r"\d$", owner.name) or (plain in known("works_on") and is_thing):
        return "WORKS_ON", 0.05
    if owner.type in ("Place", "Version", "Document") or not (firm or owner.proper):
        return "", 0.0
    banded = plain in known("player") or (plain in known("member") and is_kind(owner, "band"))
    return ("MEMBER_OF" if banded else "WORKS_FOR"), 0.05 if firm or not owner.type else 0.1


def _can_be_held(owner: Referent) -> bool:
    if owner.name == USER or owner.type == "Person":
        return False
    return owner.proper or any(is_kind(owner, one) for one in ("organization", "band", "project", "product", "led"))


def _employers(reading: SentenceReading, noun: "Token") -> list[Referent]:
    """Return the names after prepositions of a noun that are no places and no numbers."""
    found = reading.refer_all(_objects(noun, ("at", "for", "with")))
    inside = reading.refer_all(_objects(noun, ("in", "on")))
    found += [one for one in inside if is_kind(one, "organization") or is_kind(one, "band") or one.type == "Product"]
    return [one for one in found if one.proper and one.type not in ("Place", "Version") and not one.name[:1].isdigit()]


def _objects(noun: "Token", prepositions: tuple[str, ...]) -> "list[Token]":
    preps = [child for child in noun.children if child.dep_ == "prep" and child.lower_ in prepositions]
    return [one for prep in preps for inner in prep.children if inner.dep_ == "pobj" for one in listed(inner)]
