"""Lands and their peoples: "Colombia" and "Colombian" name the same land."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path


def words_of_land(word: str) -> Sequence[str]:
    """Return the words, in lower case, of the land that a word names or belongs to, its name first; else none."""
    return _lands().get(word) or _lands().get(word.removesuffix("s"), ())


@cache
def _lands() -> Mapping[str, Sequence[str]]:
    lines = (Path(__file__).parent / "peoples.txt").read_text(encoding="utf-8").lower().splitlines()
    lands = [line.split() for line in lines if not line.startswith("#")]
    return {word: words for words in lands for word in words}
