"""The facts that the network finds in a text, each with its probability."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from services.core.draft_records import READ_BY_RULES, SourceText, Watch
from services.extraction.learned.dates import Date, DateEdge, dates, edges, features, likeliest
from services.extraction.learned.network import LONGEST_SPAN, Array, Network, network, second_look
from services.extraction.learned.passages import Passage, passages
from services.extraction.rules.findings import SYMMETRIC
from services.extraction.rules.mentions import USER
from services.language.names import mention_key

LEAST = 0.02
"""Facts below this probability are not told of."""

_WORTH_A_LOOK = 0.05
"""Of an entity of which the network sees no fact as probable as this it is not asked again."""
_MOST_MENTIONS = 32
_MOST_USERS = 6
_BREAK = re.compile(r" :\n|\n\s*\n|(?<=[^\W\d_]{4}[.!?])\s+(?=[\"“'(]?[A-ZÀ-Þ])")
"""What stands in no name: the end of a title, of a paragraph, or of a sentence; that of "St. Gallen" is none."""
_LEAST_SPAN = -2.5
"""The score from which on a span may be a name; about one in five of those is."""

Place = tuple[int, int]
Identity = tuple[str, str, str]
"""What makes two tellings the same fact: the folded names and the relation."""


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name where it stands. `place` is in characters of the text; one before its start is in the title.

    `pieces` are the first and the last of its word pieces in the passage.
    """

    name: str
    place: Place
    pieces: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LearnedFact:
    """A fact that the network found, between the two mentions that tell it most clearly, with the dates of its passage.

    `again` is the probability by the second look.
    """

    source: NameSpan
    relation: str
    target: NameSpan
    probability: float
    again: float = 0.0
    dates: tuple[DateEdge, ...] = ()

    @property
    def identity(self) -> Identity:
        """What makes two tellings the same fact."""
        return identity_of(self.source.name, self.relation, self.target.name)

    @property
    def times(self) -> tuple[datetime | None, datetime | None]:
        """The start and the end that the network gives it."""
        return likeliest(self.dates)


def read(source: SourceText, watch: Watch, names: Sequence[str] = ()) -> list[LearnedFact]:
    """The facts of a text, the most probable first; `names` are looked at as well as those that the network sees.

    Raises `Cancelled`.
    """
    found: dict[Identity, LearnedFact] = {}
    for passage in passages(source.title, source.text):
        watch.went(source, READ_BY_RULES + (1 - READ_BY_RULES) * max(passage.shift, 0) / len(source.text))
        for fact in _read(network(), passage, names, dates(passage, source.reference_time)):
            found[fact.identity] = _clearer(found.get(fact.identity), fact)
    return sorted(found.values(), key=lambda fact: -fact.probability)


def _clearer(one: LearnedFact | None, other: LearnedFact) -> LearnedFact:
    """Of two tellings of a fact the more probable, with the better of the second looks."""
    if one is None:
        return other
    return replace(max(one, other, key=lambda fact: fact.probability), again=max(one.again, other.again))


def identity_of(source: str, relation: str, target: str) -> Identity:
    """The names without case and article, in one order where either way round says the same."""
    ends = mention_key(source), mention_key(target)
    if relation in SYMMETRIC:
        ends = min(ends), max(ends)
    return ends[0], relation, ends[1]


def _read(network: Network, passage: Passage, names: Sequence[str], among: Sequence[Date]) -> Iterator[LearnedFact]:
    begun = network.begun(passage.states, passage.shapes)
    x = network.encoded(begun, passage.shapes)
    mentions = _mentions(passage, network.spans(x), names)
    first, last = (np.array([mention.pieces[end] for mention in mentions]) for end in (0, 1))
    paired = network.pairs(x, first, last)
    called = [mention_key(mention.name) for mention in mentions]
    seen = network.probable(paired)
    again = _again(begun, passage.shapes, (first, last), called, seen)
    apart = ~_overlapping(first, last) & (np.array(called)[:, None] != np.array(called))
    for source, target, relation in np.argwhere((np.maximum(seen, again) >= LEAST) & apart[..., None]):
        held = _held(network, x, paired[source, target], relation, (first[source], first[target]), among)
        at_first, at_last = float(seen[source, target, relation]), float(again[source, target, relation])
        yield LearnedFact(mentions[source], network.relations[relation], mentions[target], at_first, at_last, held)


def _again(
    begun: Array,
    shapes: NDArray[np.int64],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    called: Sequence[str],
    seen: Array,
) -> Array:
    """The probabilities by the second look, alike for all mentions of an entity; as `seen` where none is worth it."""
    again = seen.copy()
    for name in dict.fromkeys(called):
        subject = np.array([number for number, other in enumerate(called) if other == name])
        if seen[subject].max() >= _WORTH_A_LOOK:
            again[subject] = second_look().relations_of(begun, shapes, *places, subject)
    return again


def _held(
    network: Network, x: Array, paired: Array, relation: int, ends: tuple[int, int], among: Sequence[Date]
) -> tuple[DateEdge, ...]:
    if not among:
        return ()
    return edges(network, features(x, paired, relation, len(network.relations), ends, among), among)


def _overlapping(first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (first[:, None] <= last[None]) & (first[None] <= last[:, None])


def _mentions(passage: Passage, scores: Array, names: Sequence[str]) -> list[NameSpan]:
    """Words for the user, the names that are asked for, and the spans that look most like names."""
    spans = [(piece, piece) for piece in passage.users[:_MOST_USERS]]
    users = len(spans)
    spans += [span for span in _spans_of(passage, names) if span not in spans]
    for place in np.argsort(-scores, axis=None)[:_MOST_MENTIONS]:
        piece, more = divmod(int(place), LONGEST_SPAN)
        span = (piece, piece + more)
        if scores[piece, more] < _LEAST_SPAN or len(spans) >= _MOST_MENTIONS:
            break
        if span not in spans and not (more == 0 and piece in passage.users) and _is_whole(passage, span):
            spans.append(span)
    return [_mention(passage, span, USER if n < users else "") for n, span in enumerate(spans[:_MOST_MENTIONS])]


def _is_whole(passage: Passage, span: tuple[int, int]) -> bool:
    start, end = passage.places[span[0]][0], passage.places[span[1]][1]
    return _BREAK.search(passage.shown, start, end) is None


def _mention(passage: Passage, span: tuple[int, int], name: str) -> NameSpan:
    start, end = passage.places[span[0]][0], passage.places[span[1]][1]
    place = start + passage.shift, end + passage.shift
    return NameSpan(name or " ".join(passage.shown[start:end].split()), place, span)


def _spans_of(passage: Passage, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    starts, ends = passage.edges()
    for name in names:
        at = passage.shown.find(name)
        while at >= 0:
            span = starts.get(at), ends.get(at + len(name))
            if span[0] is not None and span[1] is not None and span[1] - span[0] < LONGEST_SPAN:
                yield span[0], span[1]
            at = passage.shown.find(name, at + 1)
