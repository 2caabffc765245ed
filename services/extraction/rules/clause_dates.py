"""When what a clause tells began and ended: its dates, and what its verb makes of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from services.extraction.rules.date_expressions import DateExpression, Kind

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_SINCE = re.compile(
    r"(?:^|[,;] (?:and )?)since (?:the|its|his|her|their|my|our) [\w’'-]+(?: [\w’'-]+)?(?: (?:in|on|of))? $",
    re.IGNORECASE,
)
Time = Literal["start", "end", "state", "event"]
Tense = Literal["past", "present", "future"]
_MARKS: dict[str, Kind] = {
    "from": "since",
    "since": "since",
    "until": "until",
    "till": "until",
    "when": "at",
    "once": "at",
}


@dataclass(frozen=True, slots=True)
class Times:
    """A fact's start and end, half-open, and whether it is over, which no date may tell."""

    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    is_over: bool = False

    def filled(self, other: "Times") -> "Times":
        """These, and from `other` what they do not tell."""
        end = self.invalid_at or other.invalid_at
        return Times(self.valid_at or other.valid_at, end, self.is_over or other.is_over)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date expression and the words that it belongs to, from the nearest up to and with the first verb."""

    when: DateExpression
    path: tuple["Token", ...]

    @property
    def verb(self) -> "Token | None":
        """The verb that it dates, if a verb is above it."""
        last = self.path[-1] if self.path else None
        return last if last is not None and last.pos_ in ("VERB", "AUX") else None


def dated(sentence: "Span", expressions: Iterable[DateExpression]) -> list[Dated]:
    """Return the dates of a sentence with what they belong to. A "when" clause's are its main clause's too.

    `expressions` are those of the document.
    """
    found: list[Dated] = []
    for when in _inside(sentence, expressions):
        anchor = _anchor(sentence, when)
        if anchor is None:
            continue
        path = _path(anchor)
        one = _opening(sentence, when, path) or Dated(_seen_through(when, path), path)
        found.append(one)
        found += _raised(one)
    return [*found, *_lowered(sentence, found)]


def _inside(sentence: "Span", expressions: Iterable[DateExpression]) -> Iterator[DateExpression]:
    """Yield the date expressions of a sentence, with their places in it."""
    for one in expressions:
        if sentence.start_char <= one.start < sentence.end_char:
            yield replace(one, start=one.start - sentence.start_char, end=one.end - sentence.start_char)


def _lowered(sentence: "Span", dates: list[Dated]) -> list[Dated]:
    """ "in 2013, when it was rewritten": a "when" clause without a date of its own has that of the clause above."""
    found = []
    own = {one.verb.i for one in dates if one.verb is not None}
    for verb in sentence:
        if verb.i in own or not any(c.lower_ == "when" and c.dep_ in ("advmod", "mark") for c in verb.children):
            continue
        above = [
            one
            for one in dates
            if one.verb is not None
            and (
                (verb.dep_ == "relcl" and one.when.start <= verb.head.idx - sentence.start_char < one.when.end)
                or (verb.dep_ == "advcl" and one.verb == verb.head and verb.i > verb.head.i)
            )
        ]
        found += [
            Dated(replace(one.when, kind="at"), (verb,)) for one in above if one.when.kind in ("at", "until", "since")
        ]
    return found


def _seen_through(when: DateExpression, path: tuple["Token", ...]) -> DateExpression:
    """ "since the reorg in May": the word above the date's own says what kind it is."""
    if when.kind != "at":
        return when
    for token in path[2:]:
        if token.dep_ == "prep" and token.lower_ in (
            "since",
            "until",
            "till",
            "before",
            "after",
            "by",
            "despite",
        ):
            return replace(when, kind=_MARKS.get(token.lower_, "vague"))
    return when


def _opening(sentence: "Span", when: DateExpression, path: tuple["Token", ...]) -> Dated | None:
    """ "Since the merger in 2022 she lives in Ulm": the clause's own date.

    The parser often takes such a phrase for part of the subject that follows.
    """
    is_opening = when.kind == "at" and len(path) > 1 and _SINCE.search(sentence.text[: when.start])
    return Dated(replace(when, kind="since"), (path[0], path[-1])) if is_opening else None


def _raised(one: Dated) -> list[Dated]:
    verb = one.verb
    if verb is not None and verb.dep_ == "pcomp" and verb.head.lower_ == "since" and one.when.kind == "at":
        # "since finishing in 2016, has been living there"
        later = [t for t in verb.sent if t.i > one.path[0].i and t.pos_ == "VERB" and tense_of(t) == "past"]
        main = [t for t in later if any(c.lower_ in ("has", "have", "'ve", "had") for c in t.children)] or [
            verb.head.head
        ]
        return [Dated(replace(one.when, kind="since"), (one.path[0], main[0]))]
    if verb is None or verb.dep_ not in ("advcl", "relcl", "ccomp") or verb.head == verb:
        return []
    words = [c.lower_ for c in verb.children if c.dep_ in ("mark", "advmod")]
    mark = next((word for word in words if word in _MARKS), "")
    if not mark or one.when.kind not in ("at", "since"):
        return []
    raised = replace(one.when, kind=_MARKS[mark])
    return [Dated(raised, _path(verb.head))]


def _anchor(sentence: "Span", when: DateExpression) -> "Token | None":
    """The word of a date expression that is highest in the tree."""
    words = [
        token
        for token in sentence
        if token.idx - sentence.start_char < when.end and token.idx - sentence.start_char + len(token) > when.start
    ]
    inside = {token.i for token in words}
    tops = [token for token in words if token.head.i not in inside or token.head == token]
    return tops[0] if tops else None


def _path(token: "Token") -> tuple["Token", ...]:
    path = [token]
    while token.pos_ not in ("VERB", "AUX") or (token.dep_ in ("amod", "aux", "auxpass") and token.head != token):
        if token.head == token:
            break
        token = token.head
        path.append(token)
    return tuple(path)


def of_verb(dates: Iterable[Dated], verb: "Token") -> list[DateExpression]:
    """The dates that belong to a verb."""
    return [
        one.when
        for one in dates
        if one.verb == verb and not any(t.dep_ in ("nsubj", "nsubjpass") for t in one.path[:-1])
    ]


def of_noun(dates: Iterable[Dated], noun: "Token") -> list[DateExpression]:
    """The dates that stand inside a noun's phrase."""
    found = []
    for one in dates:
        if noun in one.path and not any(token.dep_ == "conj" for token in one.path[: one.path.index(noun)]):
            found.append(one.when)
    return found


def tense_of(verb: "Token") -> Tense:
    """The tense of a verb by its auxiliaries; a participle without one has that of the verb above it."""
    helpers = [child.lower_ for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if any(word in ("will", "'ll", "shall", "wo") for word in helpers):
        return "future"
    if any(word in ("was", "were", "had", "did", "'d", "has", "have", "'ve") for word in helpers):
        return "past"
    if any(word in ("'s", "is", "are", "am", "'re", "'m", "does", "do") for word in helpers):
        return "present"
    if verb.tag_ in ("VBD", "VBN"):
        return "past"
    if verb.tag_ in ("VBZ", "VBP"):
        return "present"
    return tense_of(verb.head) if verb.head != verb and verb.head.pos_ in ("VERB", "AUX") else "present"


def times(time: Time, whens: Sequence[DateExpression], tense: Tense, over: bool = False) -> Times:
    """What the dates say of something whose verb tells a start, an end, a state or an event."""
    valid: datetime | None = None
    invalid: datetime | None = None
    for when in whens:
        if when.kind == "vague":
            continue
        first = _read(when, time, tense)
        if when.kind == "between":
            valid, invalid = valid or first, invalid or (when.last if time != "event" else None)
        elif when.kind == "until":
            invalid = invalid or (_ahead(when, tense) if time != "event" else None)
        elif time == "end" or (over and when.kind in ("at", "since")):
            invalid = invalid or first
        elif time in ("start", "event") or when.kind == "since":
            valid = valid or first
    if valid is not None and invalid is not None and invalid < valid:
        invalid = None
    return Times(valid, invalid, over or time == "end")


def _read(when: DateExpression, time: Time, tense: Tense) -> datetime:
    """A date without a year is the last one, or, of what is planned, the next one."""
    coming = tense == "future" or (tense == "present" and time in ("start", "end") and when.kind in ("at", "since"))
    return when.ahead if coming and when.ahead is not None else when.first


def _ahead(when: DateExpression, tense: Tense) -> datetime:
    return when.first if tense == "past" or when.ahead is None else when.ahead
