"""What the rules found and what the network found, weighed together: how often facts found like this were right."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

from services.core.draft_records import Watch
from services.extraction.learned.dates import DateEdge
from services.extraction.learned.network import network
from services.extraction.learned.reader import Identity, LearnedFact, NameSpan, identity_of, read
from services.extraction.own_firms import facts_across_firms
from services.extraction.rules.calibration import measured
from services.extraction.rules.clause_dates import Times
from services.extraction.rules.findings import SOURCES, TARGETS, Finding
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.texts import TextReading

_WRONG_TYPE = 0.9
_LEAST = 0.001
"""Probabilities nearer to 0 or to 1 than this are taken for as near."""
LEAST_SHARE = 0.2
"""What only the network found is left out where less than this share of such facts was right."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is known of a fact that may be one. `score` is what the rules give it, 0 where none found it.

    `probability` is the network's, `again` that of its second look. The others are the greatest that this look gives
    the same relation: `other_extent` between other extents of the same names ("the director" beside "director of
    finance"), `other_source` and `other_target` with another name in the place of one.
    """

    score: float
    probability: float
    again: float
    other_extent: float
    other_source: float = 0.0
    other_target: float = 0.0


WEIGHTS = (-0.633, 1.875, 1.412, 0.332, 0.18, 0.007, -0.078, 0.024, 0.059, -0.033, -0.016)
"""Of a logistic regression over `features`, fitted on labelled texts that the network had not seen."""


def features(claim: Claim) -> tuple[float, ...]:
    """What the regression is over: 1, whether a rule found it, how sure that is, the network's odds, its rivals'."""
    ruled = float(claim.score > 0)
    logits = [_logit(seen) for seen in (claim.probability, claim.again, claim.other_extent)]
    others = [_logit(seen) for seen in (claim.other_source, claim.other_target)]
    return (1.0, ruled, ruled * (claim.score - 0.8), *logits, *(ruled * each for each in logits), *others)


def share_right(claim: Claim, weights: Sequence[float] = WEIGHTS) -> float:
    """How often claims like this one were right."""
    return 1 / (1 + exp(-sum(weight * value for weight, value in zip(weights, features(claim), strict=True))))


def _logit(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return log(kept / (1 - kept))


def identity(finding: Finding) -> Identity:
    """What makes two findings the same fact."""
    return identity_of(finding.source.name, finding.relation, finding.target.name)


def claims(findings: Sequence[Finding], learned: Sequence[LearnedFact]) -> dict[Identity, Claim]:
    """A claim for each fact that the rules or the network found."""
    scores: dict[Identity, float] = {}
    for finding in findings:
        scores[identity(finding)] = max(_score(finding), scores.get(identity(finding), 0.0))
    known = {one.identity: one for one in learned}
    rivals = _Rivals({key: one.again for key, one in known.items()})
    return {
        key: Claim(
            scores.get(key, 0.0),
            known[key].probability if key in known else 0.0,
            known[key].again if key in known else 0.0,
            *rivals.of(key),
        )
        for key in (*scores, *(key for key in known if key not in scores))
    }


class _Rivals:
    """Finds how probable the network holds the facts that one may be taken for."""

    def __init__(self, again: Mapping[Identity, float]) -> None:
        self._again = again
        self._variants = _Variants()
        self._with_source: defaultdict[tuple[str, str], list[Identity]] = defaultdict(list)
        self._with_target: defaultdict[tuple[str, str], list[Identity]] = defaultdict(list)
        for key in again:
            self._variants.add(key)
            self._with_source[key[:2]].append(key)
            self._with_target[key[1:]].append(key)

    def of(self, fact: Identity) -> tuple[float, float, float]:
        """Return the greatest probability of another extent of its names, of another source, and of another target."""
        others = [
            [other for other in some if other != fact and not is_variant(fact, other)]
            for some in (self._with_target.get(fact[1:], ()), self._with_source.get(fact[:2], ()))
        ]
        extent, source, target = (
            max((self._again[other] for other in some), default=0.0) for some in (self._variants.of(fact), *others)
        )
        return extent, source, target


def _score(finding: Finding) -> float:
    """What the rules give a finding, less for each end whose type the relation does not have."""
    ends = ((finding.source.type, SOURCES), (finding.target.type, TARGETS))
    misfits = sum(bool(type) and types.get(finding.relation, "") not in ("", type) for type, types in ends)
    return finding.confidence() * _WRONG_TYPE**misfits


def is_variant(one: Identity, other: Identity) -> bool:
    """True for two different facts of one relation whose names contain each other, by whole words."""
    return (
        one != other
        and one[1] == other[1]
        and all(_is_within(a, b) or _is_within(b, a) for a, b in ((one[0], other[0]), (one[2], other[2])))
    )


def _is_within(short: str, long: str) -> bool:
    return bool(_words(short)) and f" {' '.join(_words(short))} " in f" {' '.join(_words(long))} "


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", name))


class _Variants:
    """Facts by the words of their names, so that not each of a long text is compared with each."""

    def __init__(self) -> None:
        self._facts: defaultdict[tuple[str, str, str], list[Identity]] = defaultdict(list)

    def add(self, fact: Identity) -> None:
        for key in self._keys(fact):
            self._facts[key].append(fact)

    def of(self, fact: Identity) -> Iterator[Identity]:
        """The variants of a fact, some of them more than once."""
        for key in self._keys(fact):
            yield from (other for other in self._facts.get(key, ()) if is_variant(fact, other))

    def _keys(self, fact: Identity) -> Iterator[tuple[str, str, str]]:
        for word in set(_words(fact[0])):
            yield from ((word, fact[1], other) for other in set(_words(fact[2])))


def claimed(reading: TextReading, watch: Watch) -> tuple[dict[Identity, Claim], list[LearnedFact]]:
    """What is known of each fact that a text may tell, and what the network found in it. Raises `Cancelled`."""
    findings = [finding for finding, _ in reading.finished()]
    names = {end.name for finding in findings for end in (finding.source, finding.target)}
    learned = [one for one in read(reading.source, watch, sorted(names)) if _may_be(one, reading)]
    ruled = {identity(finding) for finding in findings}
    apart = facts_across_firms(reading, learned) - ruled
    learned = [one for one in learned if one.identity not in apart]
    return claims(findings, learned), learned


@dataclass(frozen=True, slots=True)
class Weight:
    """How often facts like one were right, whether a rule found it, and the dates that the network saw with it."""

    share: float
    is_ruled: bool
    dates: tuple[DateEdge, ...] = ()


def weighed(reading: TextReading, watch: Watch) -> dict[Identity, Weight]:
    """The weight of each fact of a text; of variants of the one alone that was right more often.

    What only the network found is added to the reading. Raises `Cancelled`.
    """
    found, learned = claimed(reading, watch)
    known = network().relations
    shares = {key: share_right(claim) if key[1] in known else measured(claim.score) for key, claim in found.items()}
    kept = chosen({key: share for key, share in shares.items() if found[key].score or share >= LEAST_SHARE})
    for one in learned:
        if one.identity in kept and not found[one.identity].score:
            start, end = one.times
            held = Times(start, end, end is not None)
            reading.add(_referent(one.source, SOURCES, one), one.relation, _referent(one.target, TARGETS, one), held)
    dates = {one.identity: one.dates for one in learned}
    return {key: Weight(share, found[key].score > 0, dates.get(key, ())) for key, share in kept.items()}


def _may_be(one: LearnedFact, reading: TextReading) -> bool:
    if one.relation not in reading.relations:
        return False
    return reading.discourse.speaker == USER or USER not in (one.source.name, one.target.name)


def chosen(shares: Mapping[Identity, float]) -> dict[Identity, float]:
    """The facts without those of which a variant was right more often."""
    kept: dict[Identity, float] = {}
    variants = _Variants()
    for key in sorted(shares, key=lambda key: -shares[key]):
        if next(variants.of(key), None) is None:
            kept[key] = shares[key]
            variants.add(key)
    return kept


def _referent(mention: NameSpan, types: Mapping[str, str], one: LearnedFact) -> Referent:
    return Referent(mention.name, types.get(one.relation, ""), at=mention.place[0])
