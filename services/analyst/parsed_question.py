"""A question taken apart: its words, names, dates, and what its words say of relations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from services.analyst.graph_lexicon import Lexicon
from services.analyst.mentions import NameMention, mentions_in
from services.analyst.politeness import respelt, unwrapped
from services.analyst.question_cues import BE, QuestionCues
from services.analyst.question_template import QuestionTemplate, template_of
from services.analyst.question_words import MONTHS, SMALL_WORDS, QuestionWord, places_of, words_of
from services.analyst.time_frame import TimeFrame, time_frame

_CUES = frozenset(("final", "first", "last", "initial", "original", "former", "next", "previous", "current"))
_BECOME = frozenset(("become", "becomes", "became", "becoming"))
_MOST_DOUBTS = 3


@dataclass(frozen=True)
class ParsedQuestion:
    """A question before it is decided what it asks."""

    words: tuple[QuestionWord, ...]
    mentions: tuple[NameMention, ...]
    when: TimeFrame
    lexicon: Lexicon

    @cached_property
    def dated(self) -> frozenset[int]:
        """The places of the words of dates."""
        inside = [range(*span) for span in self.when.spans]
        return frozenset(at for at, word in enumerate(self.words) if any(word.start in span for span in inside))

    @cached_property
    def template(self) -> QuestionTemplate:
        """Its words around names and dates."""
        return template_of(self.words, self.mentions, self.dated)

    @cached_property
    def cues(self) -> QuestionCues:
        """What its words say of relations and types."""
        return QuestionCues(self.words, self.mentions, self.dated, self.lexicon)


def parse_question(text: str, lexicon: Lexicon, now: datetime) -> ParsedQuestion:
    """Find the words, names and dates of a question."""
    text = unwrapped(text)
    words = words_of(text)
    found = [m for m in mentions_in(words, lexicon) if not _is_month(words, m)]
    mentions = tuple(m for m in found if not any(_is_kind(words, m, name, lexicon) for name in found))
    words = respelt(words, SMALL_WORDS | lexicon.words, places_of(mentions))
    return ParsedQuestion(words, mentions, time_frame(text, _masked(text, words, mentions), now), lexicon)


def ways_to_name(question: ParsedQuestion) -> Iterator[ParsedQuestion]:
    """Return the question, then it without those values that may be verbs or cues ("replaced", "final")."""
    doubtful = [m for m in question.mentions if _is_doubtful(question, m)][:_MOST_DOUBTS]
    if not any(_is_done_by(question, mention) for mention in doubtful):
        yield question
    for mention in doubtful:
        yield replace(question, mentions=tuple(m for m in question.mentions if m is not mention))


def _is_kind(words: Sequence[QuestionWord], mention: NameMention, name: NameMention, lexicon: Lexicon) -> bool:
    """True for what the name behind it is: "the dog Biscuit"."""
    return mention.last == name.first and words[mention.first].stem in lexicon.kinds_of(name.name)


def _is_month(words: Sequence[QuestionWord], mention: NameMention) -> bool:
    return mention.how != "whole" and words[mention.first].low in MONTHS and mention.last == mention.first + 1


def _masked(text: str, words: Sequence[QuestionWord], mentions: Iterable[NameMention]) -> str:
    """The text with its names blotted out, so that no date is read in them."""
    for mention in mentions:
        start, end = words[mention.first].start, words[mention.last - 1].end
        text = text[:start] + "X" * (end - start) + text[end:]
    return text


def _is_done_by(question: ParsedQuestion, mention: NameMention) -> bool:
    """True for "superseded by": that is no value, unless a date follows ("accepted by 2022")."""
    followed = [word.low for word in question.words[mention.last : mention.last + 1]]
    return followed == ["by"] and mention.last not in question.dated


def _is_doubtful(question: ParsedQuestion, mention: NameMention) -> bool:
    word = question.words[mention.first]
    if mention.last != mention.first + 1 or (word.is_capitalised and mention.first > 0):
        return False
    if word.low in _CUES and question.words[mention.first - 1].low in _BECOME | BE:
        return False  # "those that are final"
    if word.low not in _CUES and mention.last in question.cues.types:
        return False  # "draft PEPs"
    return word.stem in question.lexicon.words or word.low in _CUES or _is_done_by(question, mention)
