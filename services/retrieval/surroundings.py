"""What surrounds chunks: the document and the heading that they stand under, and who says them in a conversation.

How much each tells was chosen on one half of public questions and measured on the other (docs/benchmarks.md).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from services.retrieval.arrays import Arrays, joined, separated
from services.retrieval.items import SearchItem
from services.retrieval.lexical import Scores
from services.retrieval.name_index import MOST_DEFINING
from services.retrieval.tokens import STOP_WORDS, stems, tokens

HEADING_SHARE = 0.15
"""Added for a heading whose every word stands in the question; less for a part of it, by how telling the words are."""
NAMED_DOCUMENT = 1.0
"""Added for chunks of a document that the question names."""
SPEAKER_NAMED = 1.5
"""How many times as much a message counts whose speaker the question names."""
ASKING = 0.8
"""How much a message counts that is a question itself: what is looked for is the answer."""

_SPEAKER = re.compile(r"((?:[A-Z][\w'’.-]*[ ]){0,2}[A-Z][\w'’.-]*):\s")
_PARTS = re.compile(r"\s+[–—-]\s+|:\s+")
_LETTERS_AND_DIGITS = re.compile(r"(?<=[^\W\d])(?=\d)")

Idf = Callable[[str], float]
"""How telling a stem is."""


@dataclass(frozen=True)
class Surroundings:
    """Of each chunk its heading, document and speaker as positions in the lists of these, -1 where it has none.

    `section` numbers sections, -1 being none. Headings and titles are those of documents with headings; `threaded`
    chunks are messages of a conversation.
    """

    headings: Sequence[str]
    titles: Sequence[str]
    speakers: Sequence[str]
    heading: NDArray[np.int32]
    title: NDArray[np.int32]
    speaker: NDArray[np.int32]
    section: NDArray[np.int32]
    threaded: NDArray[np.bool_]
    asking: NDArray[np.bool_]
    _whole_headings: Scores | None = None

    @classmethod
    def of(cls, items: Sequence[SearchItem]) -> "Surroundings":
        """The surroundings of chunks, in their order."""
        headings, titles, speakers, sections = dict[str, int](), dict[str, int](), dict[str, int](), dict[str, int]()
        heading = np.array([_place(headings, item.heading) for item in items], np.int32)
        title = np.array([_place(titles, item.title if item.heading else "") for item in items], np.int32)
        speaker = np.array([_place(speakers, speaker_of(item.text) if item.thread else "") for item in items], np.int32)
        section = np.array([_place(sections, item.section_id) for item in items], np.int32)
        threaded = np.array([bool(item.thread) for item in items], bool)
        asking = np.array([item.text.rstrip().endswith("?") for item in items], bool)
        texts = list(headings), list(titles), list(speakers)
        return cls(*texts, heading, title, speaker, section, threaded, asking)

    def unnamed(self, question: str) -> str | None:
        """The question without the names of those who speak; None where it names none, or says nothing else.

        A name would rule the vector, where it tells nothing: the score tells who speaks.
        """
        kept = " ".join(word for word in question.split() if not self._is_speaker(word))
        return kept if kept != question and stems(kept) else None

    def scores(self, question: str, match: Scores, idf: Idf) -> Scores:
        """What words and vectors gave the chunks, with what their surroundings tell beside it; 1 at the most."""
        found = match.copy()
        if self.headings:
            found += HEADING_SHARE * _at(self.heading, self._shares(question, idf))
            found += NAMED_DOCUMENT * _at(self.title, self._named(question))
        if self.threaded.any():
            found[self.asking & self.threaded] *= ASKING
            found[np.isin(self.speaker, self._speaking(question)) & (self.speaker >= 0)] *= SPEAKER_NAMED
        return found

    def _shares(self, question: str, idf: Idf) -> Scores:
        """How much of each heading stands in the question, from 0 to 1."""
        found = np.zeros(len(self.headings), np.float32)
        for stem in set(stems(question)) & self._headings_by_stem.keys():
            found[self._headings_by_stem[stem]] += idf(stem)
        return found / self._most(idf)

    @cached_property
    def _headings_by_stem(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, heading in enumerate(self.headings):
            for stem in set(stems(heading)):
                found[stem].append(place)
        return found

    def _most(self, idf: Idf) -> Scores:
        """What each heading would score that stands in a question whole; one without words scores nothing."""
        if self._whole_headings is None:
            whole = np.zeros(len(self.headings), np.float32)
            for stem, places in self._headings_by_stem.items():
                whole[places] += idf(stem)
            object.__setattr__(self, "_whole_headings", np.where(whole > 0, whole, 1).astype(np.float32))
        assert self._whole_headings is not None, "it was worked out above"
        return self._whole_headings

    def _named(self, question: str) -> Scores:
        """1 for each document that the question names."""
        words = title_words(question)
        lower = [word.lower() for word in words]
        found: Scores = np.zeros(len(self.titles), np.float32)
        for place, word in enumerate(lower):
            for length in self._lengths_of_names.get(word, ()):
                name = tuple(lower[place : place + length])
                capital = words[place][0].isupper() or any(part.isdigit() for part in name)
                if capital and name in self._named_so:
                    found[list(self._named_so[name])] = 1
        return found

    @cached_property
    def _named_so(self) -> Mapping[tuple[str, ...], set[int]]:
        """Documents by what they may be called: a title or a part of it, of two words that tell, and of few."""
        owners: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for place, title in enumerate(self.titles):
            for part in {title, *_PARTS.split(title)}:
                name = tuple(word.lower() for word in title_words(part))
                if sum(word not in STOP_WORDS for word in name) >= 2:
                    owners[name].add(place)
        return {name: found for name, found in owners.items() if len(found) <= MOST_DEFINING}

    @cached_property
    def _lengths_of_names(self) -> Mapping[str, set[int]]:
        """How many words names have, by their first."""
        found: dict[str, set[int]] = defaultdict(set)
        for name in self._named_so:
            found[name[0]].add(len(name))
        return found

    def _speaking(self, question: str) -> list[int]:
        """The speakers of whose names a word stands in the question."""
        asked = {token.lower() for token in tokens(question)}
        return sorted({place for word in asked for place in self._speakers_by_word.get(word, ())})

    def _is_speaker(self, word: str) -> bool:
        parts = [token.lower() for token in tokens(word)]
        return word[:1].isupper() and bool(parts) and all(part in self._speakers_by_word for part in parts)

    @cached_property
    def _speakers_by_word(self) -> Mapping[str, list[int]]:
        """Who says at least two messages: "Note: …" once is nobody."""
        counts = np.bincount(self.speaker[self.speaker >= 0], minlength=len(self.speakers))
        found: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self.speakers):
            for word in {token.lower() for token in tokens(name)} - STOP_WORDS:
                if counts[place] > 1:
                    found[word].append(place)
        return found

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the surroundings of again."""
        texts = {"headings": self.headings, "titles": self.titles, "speakers": self.speakers}
        numbers: Arrays = {
            "heading": self.heading,
            "title": self.title,
            "speaker": self.speaker,
            "section": self.section,
            "threaded": self.threaded,
            "asking": self.asking,
        }
        return {**{name: joined(held) for name, held in texts.items()}, **numbers}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "Surroundings":
        """The surroundings that `to_arrays` was called on."""
        return cls(
            separated(arrays["headings"]),
            separated(arrays["titles"]),
            separated(arrays["speakers"]),
            arrays["heading"].astype(np.int32),
            arrays["title"].astype(np.int32),
            arrays["speaker"].astype(np.int32),
            arrays["section"].astype(np.int32),
            arrays["threaded"].astype(np.bool_),
            arrays["asking"].astype(np.bool_),
        )


def speaker_of(text: str) -> str:
    """Who says a message: up to three capitalised words before a colon at its beginning."""
    found = _SPEAKER.match(text)
    return found[1] if found else ""


def title_words(text: str) -> list[str]:
    """The words of a text; letters and digits that are written together are two: PEP440."""
    return _LETTERS_AND_DIGITS.sub(" ", " ".join(tokens(text.replace("_", " ")))).split()


def _place(known: dict[str, int], text: str) -> int:
    return known.setdefault(text, len(known)) if text else -1


def _at(places: NDArray[np.int32], values: Scores) -> Scores:
    """The value at each place; 0 where there is none."""
    found: Scores = np.append(values, np.float32(0))[places]
    return found
