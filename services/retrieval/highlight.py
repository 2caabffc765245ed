"""Where a question's words stand in a text."""

import re

from services.language.inflection import stems_of
from services.retrieval.tokens import stems

_WORD = re.compile(r"\w+")


def spans(question: str, text: str) -> tuple[tuple[int, int], ...]:
    """The places of the question's words in the text, whatever their endings; words side by side are one span."""
    asked = set(stems(question))
    words = list(_WORD.finditer(text))
    telling = stems_of([word[0].lower() for word in words])
    found: list[tuple[int, int]] = []
    for word, stem in zip(words, telling, strict=True):
        if stem not in asked:
            continue
        if found and not text[found[-1][1] : word.start()].strip():
            found[-1] = (found[-1][0], word.end())
        else:
            found.append(word.span())
    return tuple(found)
