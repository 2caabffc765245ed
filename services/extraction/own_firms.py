"""Keep what a text says of one organization from another one that it names in another sentence."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from services.extraction.learned.reader import Identity, LearnedFact, identity_of
from services.extraction.rules.texts import TextReading
from services.language.names import mention_key

_POSTS = ("LEADS", "WORKS_FOR")
_BETWEEN_FIRMS = ("ACQUIRED", "PART_OF")
_LIKELY = 0.5
"""The probability from which on the network is believed about where somebody works."""


@dataclass(frozen=True, slots=True)
class _Post:
    """Where one sentence says that somebody works, by folded names; `is_over` where it says that this has ended."""

    person: str
    firm: str
    is_over: bool


def facts_across_firms(reading: TextReading, learned: Sequence[LearnedFact]) -> set[Identity]:
    """Return the facts that the network found across sentences about different organizations.

    Those are successions between people who never worked for the same organization, posts at an organization of an
    earlier sentence for a person whose own sentence names another one, and facts whose later name is in a sentence
    that points back to nothing, where two organizations are joined or a sentence gives one of the two names the same
    relation with another.
    """
    posts = list(chain(_posts_by_rules(reading), _posts_by_network(reading, learned)))
    firms = _firms(posts)
    current = _firms(post for post in posts if not post.is_over)
    within = _within_sentences(reading, learned)
    return {
        one.identity
        for one in learned
        if not reading.in_one_sentence(one.source.place[0], one.target.place[0])
        and (_is_apart(one, firms, current) or (_is_of_another(one, within) and _has_no_link(reading, one)))
    }


def _within_sentences(reading: TextReading, learned: Sequence[LearnedFact]) -> set[Identity]:
    """Return the facts between two names that one sentence states."""
    by_rules = {
        identity_of(finding.source.name, finding.relation, finding.target.name)
        for finding, place in reading.finished()
        if all(end.proper and end.name in _words_at(reading, place) for end in (finding.source, finding.target))
    }
    by_network = {
        one.identity
        for one in learned
        if one.probability >= _LIKELY and reading.in_one_sentence(one.source.place[0], one.target.place[0])
    }
    return by_rules | by_network


def _words_at(reading: TextReading, place: int) -> str:
    start, end = reading.places[place]
    return reading.source.text[start:end]


def _is_of_another(one: LearnedFact, within: set[Identity]) -> bool:
    """Return True where two organizations are joined, or one of both names has the relation with another name."""
    source, relation, target = one.identity
    if relation in _BETWEEN_FIRMS:
        return True
    return any((other[0] == source) != (other[2] == target) for other in within if other[1] == relation)


def _has_no_link(reading: TextReading, one: LearnedFact) -> bool:
    """Return True where both names are of the text, and nothing in the sentence of the later one points back."""
    first, last = sorted((one.source.place[0], one.target.place[0]))
    return first >= 0 and reading.stands_alone(last)


def _is_apart(one: LearnedFact, firms: Mapping[str, set[str]], current: Mapping[str, set[str]]) -> bool:
    source, relation, target = one.identity
    own = current.get(source, set())
    if relation == "SUCCEEDED":
        return bool(own and firms.get(target)) and not firms[source] & firms[target]
    is_named_before = one.target.place < one.source.place and _is_name(one.target.name)
    return relation in _POSTS and is_named_before and bool(own) and target not in firms[source]


def _firms(posts: Iterable[_Post]) -> Mapping[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for post in posts:
        found[post.person].add(post.firm)
    return found


def _posts_by_rules(reading: TextReading) -> Iterable[_Post]:
    """Return the posts that rules read from a sentence which names person and organization."""
    for finding, place in reading.finished():
        start, end = reading.places[place]
        sentence = reading.source.text[start:end]
        is_named = finding.source.name in sentence and finding.target.name in sentence
        if finding.relation in _POSTS and is_named and finding.target.proper and _is_name(finding.target.name):
            yield _Post(mention_key(finding.source.name), mention_key(finding.target.name), finding.times.is_over)


def _posts_by_network(reading: TextReading, learned: Sequence[LearnedFact]) -> Iterable[_Post]:
    """Return the posts that the network sees within a sentence."""
    for one in learned:
        source, relation, target = one.identity
        is_within = reading.in_one_sentence(one.source.place[0], one.target.place[0])
        if relation in _POSTS and one.probability >= _LIKELY and is_within and _is_name(one.target.name):
            yield _Post(source, target, one.times[1] is not None)


def _is_name(words: str) -> bool:
    """Return False for "the firm's Asian business"."""
    return words.split()[-1][:1].isupper()
