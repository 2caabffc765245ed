"""Sentences of answers that quote a document: the words that stand there, with its title and lines."""

import re

from services.core.models import Chunk

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"\[(?=\d)")
_SOURCE = re.compile(r"” \((?:(?!” \()[^\n])*, lines? \d+(?:–\d+)?\)")
_JOINER = "\u2060"
"""Stands unseen in a document's own "[1]", which is no citation of the answer."""


def quotation(chunk: Chunk, title: str, start: int, end: int) -> str:
    """Return the sentence that quotes a passage from `start` to `end` in characters of its text."""
    words = " ".join(chunk.text[start:end].split())
    first = chunk.start_line + chunk.text.count("\n", 0, start)
    last = first + chunk.text.count("\n", start, end)
    lines = f"line {first}" if first == last else f"lines {first}–{last}"
    return f"“{_NUMBER.sub(f'[{_JOINER}', words)}” ({title}, {lines})"


def quoted_words(sentence: str) -> str:
    """Return the words that a sentence quotes, as they stand in the document."""
    return _SOURCE.split(sentence.removeprefix("“"), maxsplit=1)[0].replace(_JOINER, "")


def place_of(sentence: str, text: str) -> tuple[int, int] | None:
    """Return where in a text the words stand that a sentence quotes; None where it quotes none of it."""
    words = " ".join(quoted_words(sentence).split())
    before, found, _ = " ".join(text.split()).partition(words) if words else ("", "", "")
    if not found:
        return None
    first = len(before) - before.count(" ")
    return _place(text, first), _place(text, first + len(words) - words.count(" ") - 1) + 1


def _place(text: str, letters: int) -> int:
    """Return where the letter stands that so many others precede, whatever white space is between them."""
    for word in _WORD.finditer(text):
        if letters < len(word[0]):
            return word.start() + letters
        letters -= len(word[0])
    raise ValueError("the text has fewer letters")
