"""The words of sql_words.txt, by kind."""

from collections.abc import Mapping
from functools import cache

from services.analyst.question_words import lines_of


def words_named(name: str) -> frozenset[str]:
    """Return the words of one kind."""
    return _by_kind().get(name, frozenset())


@cache
def _by_kind() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines_of("sql_words.txt"):
        kind, _, words = line.partition(":")
        found[kind] = found.get(kind, frozenset()) | frozenset(words.split())
    return found
