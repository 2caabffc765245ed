"""A question taken apart: its words, names, dates, and what its words say of relations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst.evidence import BE, Evidence
from services.analyst.lexicon import Lexicon
from services.analyst.mentions import Mention, mentions_in
from services.analyst.politeness import respelt, unwrapped
from services.analyst.skeleton import Skeleton, skeleton_of
from services.analyst.time_frame import TimeFrame, time_frame
from services.analyst.words import FUNCTION_WORDS, LIGHT_WORDS, Word, words_of

_KNOWN = FUNCTION_WORDS | LIGHT_WORDS
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_CUES = frozenset(("final", "first", "last", "initial", "original", "former", "next", "previous", "current"))
_BECOME = frozenset(("become", "becomes", "became", "becoming"))
_MOST_DOUBTS = 3


@dataclass(frozen=True)
class Question:
    """A question before it is decided what it asks."""

    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    when: TimeFrame
    skeleton: Skeleton
    evidence: Evidence
    lexicon: Lexicon


def take_apart(text: str, lexicon: Lexicon, now: datetime) -> Question:
    """The words, names and dates of a question."""
    text = unwrapped(text)
    words = words_of(text)
    found = [m for m in mentions_in(words, lexicon) if not _is_month(words, m)]
    mentions = tuple(m for m in found if not any(_is_kind(words, m, name, lexicon) for name in found))
    named = {place for mention in mentions for place in range(mention.first, mention.last)}
    words = respelt(words, _KNOWN | lexicon.words, named)
    when = time_frame(text, _masked(text, words, mentions), now)
    evidence = Evidence(words, mentions, lexicon, when.spans)
    return Question(words, mentions, when, skeleton_of(words, mentions, when), evidence, lexicon)


def ways_to_name(question: Question) -> Iterator[Question]:
    """The question, then without those values that may be verbs or cues ("replaced", "final")."""
    doubtful = [m for m in question.mentions if _is_doubtful(question, m)][:_MOST_DOUBTS]
    if not any(_is_done_by(question, mention) for mention in doubtful):
        yield question
    for mention in doubtful:
        rest = tuple(m for m in question.mentions if m is not mention)
        when = question.when
        yield replace(
            question,
            mentions=rest,
            skeleton=skeleton_of(question.words, rest, when),
            evidence=Evidence(question.words, rest, question.lexicon, when.spans),
        )


def _is_kind(words: Sequence[Word], mention: Mention, name: Mention, lexicon: Lexicon) -> bool:
    """True for what the name behind it is: "the dog Biscuit"."""
    return mention.last == name.first and words[mention.first].stem in lexicon.kinds_of(name.name)


def _is_month(words: Sequence[Word], mention: Mention) -> bool:
    return mention.how != "whole" and words[mention.first].low in _MONTHS and mention.last == mention.first + 1


def _masked(text: str, words: Sequence[Word], mentions: Iterable[Mention]) -> str:
    """The text with its names blotted out, so that no date is read in them."""
    for mention in mentions:
        start, end = words[mention.first].start, words[mention.last - 1].end
        text = text[:start] + "X" * (end - start) + text[end:]
    return text


def _is_done_by(question: Question, mention: Mention) -> bool:
    """True for "superseded by": that is no value, unless a date follows ("accepted by 2022")."""
    after = question.words[mention.last] if mention.last < len(question.words) else None
    dated = after is not None and any(start <= after.start < end for start, end in question.when.spans)
    return after is not None and after.low == "by" and not dated


def _is_doubtful(question: Question, mention: Mention) -> bool:
    word = question.words[mention.first]
    if mention.last != mention.first + 1 or (word.is_capitalised and mention.first > 0):
        return False
    if word.low in _CUES and question.words[mention.first - 1].low in _BECOME | BE:
        return False  # "those that are final"
    if word.low not in _CUES and mention.last in question.evidence.types:
        return False  # "draft PEPs"
    return word.stem in question.lexicon.words or word.low in _CUES or _is_done_by(question, mention)
