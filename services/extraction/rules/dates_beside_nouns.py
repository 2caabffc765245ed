"""Dates that stand beside a noun and are of it: "mayor since 2006", "a flat, bought in 2019", "Acme (2001–2004)"."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.extraction.rules.clause_dates import Dated, Time
from services.extraction.rules.date_expressions import DateExpression
from services.language.changes import starting_verbs

if TYPE_CHECKING:
    from spacy.tokens import Token

STANDING = frozenset(("HAS_ROLE", "LEADS", "WORKS_FOR", "MEMBER_OF", "PART_OF", "OWNS", "STUDIED_AT", "WORKS_ON"))
"""Relations that hold for a while, and whose noun often has the dates."""
_ASIDE = ("relcl", "acl", "advcl", "conj")
_BOUGHT = frozenset(("buy", "inherit", "acquire", "purchase", "adopt", "get", "receive", "build", "rescue"))
_GIVEN = frozenset(("HAS_ROLE", "LEADS", "WORKS_FOR", "MEMBER_OF"))
"""What somebody gets by being elected, hired or promoted."""
_LASTING = ("since", "until", "between")
_BOUND = re.compile(r"(?:since|from|until|till|to)\b", re.IGNORECASE)
_LONGEST_OFFICE = 40
"""So many years somebody may have an office."""

_NEAR = 8
"""How many words of an office's or a group's name may stand between a noun and its date."""


def beside(
    dates: Sequence[Dated], relation: str, source: "Token | None", target: "Token | None"
) -> tuple[list[DateExpression], Time]:
    """The date of an aside, and what it tells: "mayor since 2006", "a flat, bought in 2019", "who was elected"."""
    if target is None:
        return [], "start"
    ends = [end for end in (source, target) if end is not None]
    if relation in STANDING and (lasting := _lasting(dates, relation, source, target)):
        return [lasting], "state"
    got = _BOUGHT if relation == "OWNS" else starting_verbs() if relation in _GIVEN else frozenset()
    for one in dates:
        if any(t.dep_ == "amod" and t.lemma_ in got and t.head == target for t in one.path):
            return [one.when], "start"
        verb = one.verb
        if verb is None or verb.lemma_ not in got or verb.i < target.i or verb.dep_ not in _ASIDE:
            continue
        objects = [c for c in verb.children if c.dep_ == "dobj" and c.pos_ != "PRON"]
        heads = [verb.head, *(t for t in verb.ancestors if relation == "OWNS")]
        if not objects and any(end in heads or (relation == "OWNS" and end.head in heads) for end in ends):
            return [one.when], "start"
    return [], "start"


def _lasting(dates: Sequence[Dated], relation: str, source: "Token | None", target: "Token") -> DateExpression | None:
    """Return the time that stands behind an office, or in brackets behind who has it."""
    is_office = relation in ("HAS_ROLE", "LEADS")
    is_before_name = is_office and is_title(source, target)
    for one in dates:
        if one.when.kind not in _LASTING or (is_office and is_life(one.when)):
            continue
        if _is_inside(one, target) or _is_right_behind(one, target):
            return one.when
        if is_before_name and source is not None and _is_bracketed(one, source):
            return one.when
    return None


def is_life(when: DateExpression) -> bool:
    """True for a time that is too long for an office: that of whoever had it, "the painter Ida Moen (1920–1999)"."""
    return when.last is not None and when.last.year - when.first.year > _LONGEST_OFFICE


def _is_inside(one: Dated, noun: "Token") -> bool:
    """True for a date of the noun itself: "mayor since 2006", "a part of Acme since May", "Acme (2001–2004)"."""
    first = one.path[0]
    before = first.doc[first.i - 1].lower_ if first.i else ""
    above = noun.head.head if noun.dep_ == "pobj" and noun.head.lower_ == "of" else noun
    if first.i < noun.i or before in ("and", "or"):
        return False
    if before == "(":
        return noun in one.path[1:3] and noun.pos_ == "PROPN" and one.when.kind == "between"
    dated_noun = above if above.pos_ == "NOUN" else noun
    return (
        dated_noun in one.path[1:3]
        and dated_noun.pos_ == "NOUN"
        and not any(c.dep_ == "conj" and c.i < first.i for c in dated_noun.children)
    )


def _is_bracketed(one: Dated, name: "Token") -> bool:
    """True for years in brackets behind who has an office: "Quartermaster Imelda Farrugia (2006–2013)"."""
    sentence = name.sent
    between = sentence.text[name.idx + len(name) - sentence.start_char : one.when.start]
    return bool(re.fullmatch(r"\s*\(\s*", between))


def _is_right_behind(one: Dated, noun: "Token") -> bool:
    """True for a date with nothing but what the noun is of before it: "operating officer of Tamar Power until 2024"."""
    sentence = noun.sent
    if one.when.kind != "between" and not _BOUND.match(sentence.text, one.when.start):
        return False
    begins = next((t.i for t in sentence if t.idx - sentence.start_char >= one.when.start), 0)
    between = list(noun.doc[noun.i + 1 : begins]) if begins > noun.i else [noun] * (_NEAR + 1)
    if between and between[-1].text == "(":
        between.pop()
    if not between:
        return True
    return (
        len(between) <= _NEAR
        and between[0].pos_ == "ADP"
        and all(
            t.pos_ in ("ADP", "DET", "PRON", "PROPN", "NOUN", "ADJ") and t.lower_ not in ("a", "an") for t in between
        )
    )


def is_title(source: "Token | None", target: "Token | None") -> bool:
    """True for an office told before the name of who has it: "mayor Ada Brandt", "the mayor, Ada Brandt"."""
    if source is None or target is None or target.i >= source.i or target.doc is not source.doc:
        return False
    between = source.doc[target.i + 1 : source.i]
    return all(t.pos_ == "PROPN" or t.text == "," for t in between) and sum(t.text == "," for t in between) <= 1
