"""Where a question's words stand in a text."""

import re

from services.retrieval.words import stems

_WORD = re.compile(r"\w+")


def spans(question: str, text: str) -> tuple[tuple[int, int], ...]:
    """The places of the question's words in the text, whatever their endings; words side by side are one span."""
    asked = set(stems(question))
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        if not asked.intersection(stems(word[0])):
            continue
        if found and not text[found[-1][1] : word.start()].strip():
            found[-1] = (found[-1][0], word.end())
        else:
            found.append(word.span())
    return tuple(found)
