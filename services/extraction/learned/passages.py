"""A text as the network reads it: passages of word pieces, each with its title, and what each piece looks like."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.language.sentences import sentence_spans
from services.retrieval import minilm

MOST_PIECES = 200
"""Word pieces of a passage, its title among them."""
SHAPES = 14
"""How many looks of a piece are told apart: lower case, capitalised and so on, within a word or at its start."""

_LONGEST = 700
"""Characters of a passage, which seldom have more than 200 pieces."""
_FIRST_PERSON = frozenset(["i", "me", "my", "mine", "myself", "we", "us", "our", "ours"])
_WORD = r"[^\W_]"


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences of a text that follow each other, behind its title.

    `shown` has both; `places` are where its pieces stand in `shown`, and `shift` is to be added to have the place in
    the text, where a negative place is in the title. `users` are the pieces that stand for whoever writes or is noted
    about: the first, which is no word, and words like "I".
    """

    shown: str
    shift: int
    places: tuple[tuple[int, int], ...]
    states: NDArray[np.float32]
    shapes: NDArray[np.int64]
    users: tuple[int, ...]

    def edges(self) -> tuple[dict[int, int], dict[int, int]]:
        """The pieces by where they start in `shown`, and by where they end."""
        words = [(n, start, end) for n, (start, end) in enumerate(self.places) if end > start]
        return {start: n for n, start, _ in words}, {end: n for n, _, end in words}


def passages(title: str, text: str) -> Iterator[Passage]:
    """The passages of a text, in order."""
    opening = f"{title[: _LONGEST // 2]} :\n" if title else ""
    for start, end in _cut(text, max(_LONGEST - len(opening), _LONGEST // 2)):
        shown = opening + text[start:end]
        every, states = minilm.middle_states(shown)
        places, states = every[:MOST_PIECES], states[:MOST_PIECES]
        shapes = np.array([_shape(shown, *place) for place in places])
        users = tuple(n for n, place in enumerate(places) if n == 0 or _is_user(shown, *place))
        yield Passage(shown, start - len(opening), places, states, shapes, users)


def _cut(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Where sentences that fit into one passage together start and end."""
    start, end = 0, 0
    for first, stop in (*sentence_spans(text), (len(text), len(text))):
        if end > start and stop - start > most:
            yield start, end
            start = first
        end = stop
    if text[start:].strip():
        yield start, len(text)


def _shape(shown: str, start: int, end: int) -> int:
    piece = shown[start:end]
    kinds = (
        not piece,
        piece.isdigit(),
        piece.islower(),
        piece[:1].isupper() and (len(piece) == 1 or piece[1:].islower()),
        piece.isupper(),
        any(letter.isalpha() for letter in piece),
    )
    kind = kinds.index(True) if True in kinds else len(kinds)
    return kind * 2 + (start == 0 or not shown[start - 1].isalnum())


def _is_user(shown: str, start: int, end: int) -> bool:
    word = shown[start:end]
    if word.lower() == "user":
        return re.match(r"[^\W\d_]", shown[end:]) is None
    if word.lower() not in _FIRST_PERSON or word == "US":
        return False
    return re.match(_WORD, shown[max(start - 1, 0) : start]) is None and re.match(_WORD, shown[end:]) is None
