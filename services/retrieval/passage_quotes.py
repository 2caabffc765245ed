"""Which sentences of the passages that were found answer a question best, so that they can be quoted."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from services.language.inflection import base_of
from services.language.sentences import sentence_spans
from services.mirror.vectors import Vectors
from services.retrieval.lexical import Statistics
from services.retrieval.tokens import STOP_WORDS, folded_words, stems

IN_TITLE = 0.8
IN_SENTENCE_BEFORE = 0.5
"""How much a word of the question counts for a sentence that lacks it, where its headings or the sentence before it
have it."""
NO_PROSE = 0.5
"""What code and lists of links lose."""
IN_PASSAGE = 0.5
"""How much the share of the question's words counts that a whole passage with its headings has."""
AGAIN = 0.4
"""What a passage loses for each quote that it has given."""
OPENING = 6
"""The first so many passages of a document, which often sum up what the later ones go into."""
OPENS = 0.4
"""What these gain for the last quote, so that not all quotes come from the passages with most of the words."""
TRIED = 8
"""So many passages, the best, are read for what to quote; the others may still name the subject of the question."""
COMPARED = 2
"""So many sentences, the best by their words, are compared with the question by their vectors."""
LONGEST = 800
"""Characters of a quote, unless one sentence alone is longer."""
LEAST_BESIDE = 0.2
"""A sentence that has less of the worth of the one beside it is not quoted with it."""
MOST_UNKNOWN = 0.5
"""Where no name tells what a question is on, so much of what its words tell may be in no passage."""
LEAST_WORDS = 2

_MOST_COMPARED = 240
"""Characters of a sentence that are compared: what one takes to read grows with its length."""
Likeness = Callable[[Sequence[str]], Vectors]
"""Tells how alike each text and the question mean, from -1 to 1."""

_JOINS = frozenset(("of", "the", "de", "van", "von"))
_LEADS = STOP_WORDS | frozenset(("according", "describe", "explain", "give", "list", "name", "show", "tell", "many"))
"""Words that open a question and are no names."""
_DIRECTIVE = re.compile(r"\.\. [\w-]+::[^\n]*\s+")
"""What opens a block in reStructuredText."""
_LETTERS_AND_DIGITS = re.compile(r"\w+")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def _stems(text: str) -> frozenset[str]:
    """The stems of a text's words, irregular forms by their verbs: "who wrote" asks for what was "written"."""
    return frozenset(stems(" ".join(map(base_of, _LETTERS_AND_DIGITS.findall(text.lower())))))


_SAYING = _stems("say write state read tell contain text content document words")
"""Stems of a question for all that a document says."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a search found, with its document's title, the headings above it, its place in the document,
    counted from 0, and its score."""

    id: str
    text: str
    title: str
    heading: str
    place: int
    score: float

    @property
    def words(self) -> frozenset[str]:
        """Its words and those above it, as they are compared."""
        return frozenset(folded_words(f"{self.title} {self.heading} {self.text}"))


@dataclass(frozen=True, slots=True)
class Quote:
    """A part of a passage, from `start` to `end` in characters of its text."""

    passage_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The sentence at a place of a passage, and what it is worth as an answer."""

    passage: FoundPassage
    place: int
    start: int
    end: int
    worth: float

    @property
    def text(self) -> str:
        return " ".join(self.passage.text[self.start : self.end].split())


def quotes(
    question: str, passages: Sequence[FoundPassage], statistics: Statistics, likeness: Likeness, most: int
) -> list[Quote]:
    """Return the parts of passages that answer a question best, the best first.

    None where its subject is named by no passage: whatever is nearest to it is on something else.
    """
    if not passages or not _is_on(question, passages, statistics):
        return []
    if whole := _of_whole_document(question, passages):
        return [Quote(one.id, 0, len(one.text)) for one in whole[:most]]
    found = [one for passage in passages[:TRIED] for one in _judged(question, passage, statistics)]
    return _chosen(_compared(found, likeness), most)


# -- what a question is on


def _is_on(question: str, passages: Sequence[FoundPassage], statistics: Statistics) -> bool:
    """True when a passage has each name of the question, or where it has none, passages know enough of its words."""
    words = [passage.words for passage in passages]
    names = list(names_asked(question))
    if not all(any(set(name) <= known for known in words) or _is_spoken_of(name, statistics) for name in names):
        return False
    if names:
        return True
    asked = _stems(question)
    here = {stem for passage in passages for stem in _stems(f"{passage.title} {passage.heading} {passage.text}")}
    unknown = [stem for stem in asked - here if not statistics.frequency.get(stem)]
    whole = sum(map(statistics.idf, asked))
    return len(asked) >= LEAST_WORDS and sum(map(statistics.idf, unknown)) < MOST_UNKNOWN * whole


def _is_spoken_of(name: Sequence[str], statistics: Statistics) -> bool:
    """True for a name of one word that other passages have."""
    return len(name) == 1 and all(statistics.frequency.get(stem) for stem in stems(name[0]))


def names_asked(question: str) -> Iterator[tuple[str, ...]]:
    """Find the names that capitals and numbers beside them tell, as folded words: "PEP 8", "Treaty of Rome"."""
    run: list[str] = []
    joined, before = "", 0
    words = list(_WORD.finditer(question))
    for place, word in enumerate(words):
        is_apart = bool(question[before : word.start()].strip(" .-&"))
        before = word.end()
        if run and (is_apart or not (_is_name(words, place, run) or word[0] in _JOINS)):
            yield tuple(run)
            run = []
        if _is_name(words, place, run):
            run += folded_words(f"{joined} {word[0]}" if run else word[0])
        joined = word[0] if run and word[0] in _JOINS else ""
    if run:
        yield tuple(run)


def _is_name(words: Sequence[re.Match[str]], place: int, run: Sequence[str]) -> bool:
    """True for a capital; the word that opens a question is one where another name follows it."""
    word = words[place][0]
    if word.split("'")[0].lower() in _LEADS:
        return False
    if word[0].isdigit():
        return bool(run)
    following = words[place + 1][0] if place + 1 < len(words) else ""
    return word[0].isupper() and (place > 0 or following[:1].isupper() or following[:1].isdigit())


def _of_whole_document(question: str, passages: Sequence[FoundPassage]) -> list[FoundPassage]:
    """The passages of the document that a question names and asks nothing else of, those with the most text first."""
    title = passages[0].title
    if _stems(question) - _SAYING - _stems(title):
        return []
    own = [one for one in passages if one.title == title and _is_prose(one.text)]
    return sorted(own, key=lambda one: -len(one.text))


# -- what sentences are worth


def _judged(question: str, passage: FoundPassage, statistics: Statistics) -> Iterator[_Sentence]:
    """The sentences of a passage, each worth its share of the question's words beside the passage's and its score."""
    asked = {stem: statistics.idf(stem) for stem in _stems(question)}
    whole = sum(asked.values()) or 1.0
    above = _stems(f"{passage.title} {passage.heading}")
    spans = list(_without_directives(passage.text))
    stemmed = [_stems(passage.text[start:end]) for start, end in spans]
    known = above.union(*stemmed)
    found = passage.score + IN_PASSAGE * sum(weight for stem, weight in asked.items() if stem in known) / whole
    for place, ((start, end), own) in enumerate(zip(spans, stemmed, strict=True)):
        before = stemmed[place - 1] if place else frozenset[str]()
        held = sum(
            weight
            * (1.0 if stem in own else IN_TITLE if stem in above else IN_SENTENCE_BEFORE if stem in before else 0.0)
            for stem, weight in asked.items()
        )
        prose = 0.0 if _is_prose(passage.text[start:end]) else NO_PROSE
        yield _Sentence(passage, place, start, end, found + held / whole - prose)


def _without_directives(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text stand, without what opens a block."""
    for start, end in sentence_spans(text):
        directive = _DIRECTIVE.match(text[start:end])
        yield start + (directive.end() if directive else 0), end


def _is_prose(text: str) -> bool:
    letters = sum(map(str.isalpha, text)) + sum(map(str.isspace, text))
    return not text.startswith("..") and letters >= 0.7 * len(text) and len(_LETTERS.findall(text)) > LEAST_WORDS


def _compared(found: Sequence[_Sentence], likeness: Likeness) -> list[_Sentence]:
    """The sentences, best first; the best by words with how alike the question and they mean."""
    ordered = sorted(found, key=lambda one: -one.worth)
    near = ordered[:COMPARED]
    alike = likeness([one.text[:_MOST_COMPARED] for one in near])
    near = [replace(one, worth=one.worth + float(share)) for one, share in zip(near, alike, strict=True)]
    return sorted([*near, *ordered[COMPARED:]], key=lambda one: -one.worth)


# -- what is quoted


def _chosen(ordered: Sequence[_Sentence], most: int) -> list[Quote]:
    """The best sentences with those beside them, no sentence twice."""
    left = {(one.passage.id, one.place): one for one in ordered}
    chosen: list[Quote] = []
    while left and len(chosen) < most:
        opens = OPENS if 0 < len(chosen) == most - 1 else 0.0
        best = max(left.values(), key=lambda one: one.worth + _gain(one, chosen, opens))
        part = _with_neighbours(best, left)
        chosen.append(Quote(best.passage.id, part[0].start, part[-1].end))
        for one in part:
            del left[one.passage.id, one.place]
    return chosen


def _gain(one: _Sentence, chosen: Sequence[Quote], opens: float) -> float:
    """What is added to a sentence's worth: `opens` where its passage opens a document, less for each earlier quote."""
    again = sum(quote.passage_id == one.passage.id for quote in chosen)
    return (opens if one.passage.place < OPENING else 0.0) - AGAIN * again


def _with_neighbours(best: _Sentence, left: dict[tuple[str, int], _Sentence]) -> list[_Sentence]:
    """A sentence with those around it, the worthiest first, as far as a quote goes."""
    part = [best]
    while True:
        sides = (left.get((best.passage.id, place)) for place in (part[0].place - 1, part[-1].place + 1))
        fitting = [one for one in sides if one is not None and _fits(one, part, best)]
        if not fitting:
            return part
        part = sorted([*part, max(fitting, key=lambda one: one.worth)], key=lambda one: one.place)


def _fits(one: _Sentence, part: Sequence[_Sentence], best: _Sentence) -> bool:
    length = max(one.end, part[-1].end) - min(one.start, part[0].start)
    return length <= LONGEST and one.worth >= LEAST_BESIDE * best.worth
