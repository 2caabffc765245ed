"""A relation's name in words."""

import functools
import re

_WORD_ENDS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


@functools.lru_cache(maxsize=4096)
def relation_words(relation: str) -> tuple[str, ...]:
    """Return the words of a relation's name in lower case: of HAS_STATUS, `hasStatus` and "has status" alike."""
    return tuple(word.lower() for word in _WORD_ENDS.split(relation) if word)
