"""The words that the rules know by category, from words.tsv."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "words.tsv"


THINGS = (
    "product",
    "document",
    "organization",
    "place",
    "band",
    "project",
    "work",
    "event",
    "award",
    "status",
    "part",
)
"""The categories of words that say what kind of thing something is, and so are no names themselves."""


@cache
def known(*categories: str) -> frozenset[str]:
    """The words of these categories, in lower case. Raises KeyError for a category that the file does not have."""
    return frozenset().union(*map(_categories().__getitem__, categories))


@cache
def _categories() -> Mapping[str, frozenset[str]]:
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    parts = (line.split("\t") for line in lines)
    return {category: frozenset(word.strip() for word in words.split(",")) for category, words in parts}
