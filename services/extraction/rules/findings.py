"""What the rules find: a relation between two referents, when, where it was told, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from services.extraction.rules.discourse import Discourse
from services.extraction.rules.mentions import Referent
from services.extraction.rules.times import Dated, Times
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


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a relation's name is told: by a verb, with an object or a preposition; `turned` for "TREATED_BY"."""

    relation: str
    stems: frozenset[str]
    place: str = "object"
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact as one pattern found it. `base` is how sure the pattern is, before what its words take away."""

    source: Referent
    relation: str
    target: Referent
    times: Times = NO_TIMES
    base: float = 0.9

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
    stepped_down: dict[str, Times] = field(default_factory=dict)

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
