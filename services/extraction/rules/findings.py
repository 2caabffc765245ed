"""What the rules find: a relation between two referents, when, where it was told, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from services.extraction.rules.clause_dates import Dated, Times, tense_of
from services.extraction.rules.discourse import Discourse
from services.extraction.rules.mentions import Referent
from services.extraction.schemas import DEFAULT_SCHEMA

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

SOURCES = {relation.name: relation.sources[0] for relation in DEFAULT_SCHEMA.relations if len(relation.sources) == 1}
TARGETS = {relation.name: relation.targets[0] for relation in DEFAULT_SCHEMA.relations if len(relation.targets) == 1}
TARGETS |= {"LEADS": "", "WON": ""}
KNOWN = frozenset(relation.name for relation in DEFAULT_SCHEMA.relations)
NO_TIMES = Times()
_ENGAGED = ("WORKS_FOR", "MEMBER_OF")
SYMMETRIC = ("MARRIED_TO", "SIBLING_OF")


CHANGED: dict[str, tuple[str, ...]] = {
    "office": ("HAS_ROLE", "LEADS"),
    "employment": ("WORKS_FOR",),
    "membership": ("MEMBER_OF",),
    "marriage": ("MARRIED_TO",),
    "kin": ("MARRIED_TO",),
    "ownership": ("OWNS",),
    "residence": ("LIVES_IN", "BASED_IN"),
    "use": ("USES",),
    "study": ("STUDIED_AT",),
    "part": ("PART_OF",),
    "status": ("HAS_STATUS",),
}
"""The relations that a change of a kind is about."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a relation's name is told: by a verb, with an object or a preposition; `turned` for "TREATED_BY"."""

    relation: str
    stems: frozenset[str]
    place: str = "object"
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact as one pattern found it. `base` is how sure the pattern is, before what its words take away.

    `is_doubtful` marks what is told under a condition, as a plan or as hearsay.
    """

    source: Referent
    relation: str
    target: Referent
    times: Times = NO_TIMES
    base: float = 0.9
    is_doubtful: bool = False

    def confidence(self) -> float:
        """How sure it is with what its ends and its relation take away."""
        of_target = max(self.target.sure, 0.9) if self.relation in _PLAIN_TARGETS else self.target.sure
        return round(self.base * self.source.sure * of_target, 3)


_PLAIN_TARGETS = (
    "HAS_ROLE",
    "HAS_STATUS",
    "PREFERS",
    "DISLIKES",
    "ALLERGIC_TO",
    "INTRODUCES",
    "REMOVES",
    "OWNS",
    "WORKS_ON",
    "SPEAKS",
    "HAS_VERSION",
    "USES",
    "SUPPORTS",
    "LEADS",
)


@dataclass(frozen=True, slots=True)
class Transition:
    """What a clause ends or begins for somebody. Without `things` it does not say what that is.

    `other` is who had before what begins, or has from then on what ends; where something is taken over somebody had it.
    """

    ends: bool
    holder: Referent
    about: frozenset[str]
    things: tuple[str, ...]
    times: Times
    verb: "Token"
    other: Referent | None = None
    names_office: bool = False
    takes_over: bool = False

    def concerns(self, one: Finding) -> bool:
        """True for a fact of the holder that ends or begins by it."""
        is_turned = one.relation == "MARRIED_TO" and is_same(self.holder.name, one.target.name)
        holder, thing = (one.target, one.source) if is_turned else (one.source, one.target)
        return (
            one.relation in self._relations()
            and is_same(self.holder.name, holder.name)
            and (not self.things or any(is_same(name, thing.name) for name in self.things) or self._is_title(one))
        )

    def _relations(self) -> set[str]:
        """The relations that it is about; with an office that is named an employ ends or begins."""
        kinds = self.about | ({"employment", "membership"} if "office" in self.about and self.things else set())
        return {relation for kind in kinds for relation in CHANGED.get(kind, ())}

    def is_of(self, verb_between: "Token | None") -> bool:
        """True where what a verb tells may be what ends: with nothing named, not what begins later or lasts."""
        if self.things or not self.ends or verb_between is None or verb_between == self.verb:
            return True
        return tense_of(verb_between) == "past" and verb_between.i < self.verb.i

    def _is_title(self, one: Finding) -> bool:
        """True for the office that somebody leaves with an employer: "data engineer Ada Brandt walked out of Kiln"."""
        return self.ends and one.relation == "HAS_ROLE" and "employment" in self.about and not self.names_office

    def denies(self, one: Finding) -> bool:
        """True for a succession the other way round."""
        return (
            one.relation == "SUCCEEDED"
            and self.ends
            and self.other is not None
            and is_same(self.holder.name, one.source.name)
            and is_same(self.other.name, one.target.name)
        )

    def dated(self, held: Times) -> Times:
        """The times of a fact that it concerns: the day of an end is no start, and the other way round."""
        if not self.ends:
            start = self.times.valid_at or held.valid_at
            is_end = held.invalid_at is not None and (start is None or held.invalid_at > start)
            return replace(held, valid_at=start) if is_end else Times(start)
        end = self.times.invalid_at
        if end is None:
            return Times(None if held.invalid_at is None else held.valid_at, held.invalid_at, True)
        if held.valid_at is not None and held.valid_at > end:
            return held
        return Times(None if held.valid_at == end else held.valid_at, end, True)


_RANKS = frozenset(str.split("vice deputy assistant associate acting interim junior under"))
"""The words before an office that make another one of it."""


def is_same(one: str, other: str) -> bool:
    """True where the words of one name are all in the other: not "president" in "vice president"."""
    a, b = set(re.findall(r"\w+", one.lower())), set(re.findall(r"\w+", other.lower()))
    return bool(a and b) and (a <= b or b <= a) and not (a ^ b) & _RANKS


@dataclass(slots=True)
class SentenceReading:
    """A sentence being read: its words, its dates, what was named before it, and what is found in it."""

    sentence: "Span"
    dates: list[Dated]
    discourse: Discourse
    reference: datetime | None
    relations: frozenset[str] = frozenset()
    patterns: "tuple[Pattern, ...]" = ()
    unknown: list[str] = field(default_factory=list)
    found: list[Finding] = field(default_factory=list)
    earlier: list[Finding] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)

    def refer(self, token: "Token") -> Referent | None:
        """What a word stands for; a word of a date stands for nothing."""
        place = token.idx - self.sentence.start_char
        if any(one.when.start <= place < one.when.end for one in self.dates):
            return None
        return self.discourse.refer(token)

    def refer_all(self, tokens: Sequence["Token"]) -> list[Referent]:
        """What words stand for; "they" may be two persons."""
        referents: list[Referent] = []
        for token in tokens:
            if token.lower_ in ("they", "them", "their") and (group := self.discourse.group(token)):
                referents += group
            elif (one := self.refer(token)) is not None:
                referents.append(one)
        return referents

    def add(
        self,
        source: Referent | None,
        relation: str,
        target: Referent | None,
        times: Times = NO_TIMES,
        base: float = 0.9,
    ) -> None:
        """Keeps a finding whose two ends are known and differ."""
        if source is None or target is None or not source.name or not target.name:
            return
        if source.name.lower() == target.name.lower():
            return
        self.found.append(Finding(source, relation, target, times, base))
        for end, type_ in ((source, SOURCES.get(relation)), (target, TARGETS.get(relation))):
            if type_ and end.proper and base > 0.7:
                self.discourse.learn(end.name, type_)


def merged(found: Sequence[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """One finding for each statement, with the place of its first telling; later ones fill in what it does not say."""
    kept: dict[tuple[str, str, str], tuple[Finding, int]] = {}
    for one, place in found:
        source, target = _ends_of(one)
        key = (source, one.relation, target)
        if one.relation in SYMMETRIC and (key[2], key[1], key[0]) in kept:
            key = (key[2], key[1], key[0])
        if key not in kept:
            kept[key] = (one, place)
            continue
        first, at = kept[key]
        times = first.times.filled(one.times)
        if times.valid_at and times.invalid_at and times.invalid_at < times.valid_at:
            times = first.times
        kept[key] = (replace(first, times=times, base=max(first.base, one.base)), at)
    return _spans(list(kept.values()))


def _spans(found: list[tuple[Finding, int]]) -> list[tuple[Finding, int]]:
    """A start told as membership and an end told as employment, or the other way round, are those of one fact."""
    kept: list[tuple[Finding, int]] = []
    for one, place in found:
        at = next((n for n, (other, _) in enumerate(kept) if _is_one_span(other, one)), None)
        if at is None:
            kept.append((one, place))
            continue
        first, first_place = kept[at]
        named = first if first.relation == "WORKS_FOR" else one
        kept[at] = (replace(named, times=first.times.filled(one.times)), first_place)
    return kept


def _is_one_span(first: Finding, later: Finding) -> bool:
    if {first.relation, later.relation} != set(_ENGAGED) or _ends_of(first) != _ends_of(later):
        return False
    start, end = first.times.valid_at or later.times.valid_at, first.times.invalid_at or later.times.invalid_at
    either = first.times.is_over != later.times.is_over
    return either and (start is None or end is None or start <= end)


def _ends_of(one: Finding) -> tuple[str, str]:
    return one.source.name.lower().rstrip("."), one.target.name.lower().rstrip(".")
