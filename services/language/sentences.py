"""Where the sentences of a text end."""

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]

STOP = r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]*+(?=\s|\[\s*\d|$)|[。！？]"
"""A pattern of what ends a sentence, unless `is_end` says otherwise."""

_STOP = re.compile(STOP)
_WORD_BEFORE = re.compile(r"[^\s(\[\"“'‘*_]+$")
_OPENING = re.compile(r"[\s\"'“‘«(\[*_`]*")
_WORD = re.compile(r"\w+")
_INITIAL = re.compile(r"(?:\w\.)*[^\W\d_]")
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)*")
_ITEM = re.compile(r"\s*(?:[-*+•>#|]|\d{1,3}[.)])\s")
_NEWLINE = re.compile(r"\n")
_INDENTED_WORD = re.compile(r"\s*(\S*)")
_LONGEST_WORD = 30
_NARROWEST = 60
"""A paragraph whose lines are all shorter was not wrapped: it has a thought a line."""

_NEVER_LAST = frozenset(
    str.split(
        "dr mr mrs ms prof st mt sen rep gen col lt maj sgt capt cmdr gov pres rev hon messrs e.g i.e a.k.a cf viz vs "
        "approx ca resp incl esp fig eq b c d r bap fl"
    )
)
_BEFORE_A_NUMBER = frozenset(
    str.split("no nos p pp sec ch vol art ver v rev ed pt fig eq app jan feb mar apr jun jul aug sep sept oct nov dec")
)
_SELDOM_LAST = frozenset(str.split("inc ltd co corp llc jr sr etc al a.m p.m u.s u.k e.u u.n d.c u.s.a"))
_STARTER = re.compile(
    r"(?=[A-Z])(?i:an?|the|its?|he|she|they|we|you|i|this|that|these|those|there|here|in|on|at|as|by|from|since|until|after|before"
    r"|during|between|both|all|each|no|not|if|when|while|however|but|and|so|then|later|earlier|today|currently|his|her"
    r"|their|our|how|what|who|why|where|which|did|do|does|is|are|was|were|can|could|would)\b(?!\.)",
)
"""A word that opens a sentence after what seldom ends one: "Acme Inc. The …"."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without the space around them."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Find the sentences of a text, or of a part of it, as spans in characters without the space around them.

    An empty line ends a sentence, and so does the end of a line in which the next word would have had room.
    """
    for paragraph in _PARAGRAPH.finditer(text, start, len(text) if end is None else end):
        for part in _parts(text, *paragraph.span()):
            yield from _cut(text, *part)


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut a paragraph at the ends of its lines that end a sentence."""
    starts = [start, *(match.end() for match in _NEWLINE.finditer(text, start, end))]
    lines = list(pairwise([*starts, end + 1]))
    width = max(after - first - 1 for first, after in lines)
    for (first, after), (following, _) in pairwise(lines):
        if _ITEM.match(text, following) or (
            not _goes_on(text, following)
            and (width < _NARROWEST or after - first + _first_word(text, following) <= width)
        ):
            yield start, after - 1
            start = after
    yield start, end


def _first_word(text: str, position: int) -> int:
    match = _INDENTED_WORD.match(text, position)
    return len(match[1]) if match else 0


def _goes_on(text: str, position: int) -> bool:
    return text[position : position + 40].lstrip()[:1].islower()


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    for match in _STOP.finditer(text, start, end):
        if is_end(text, match, match.end(), end):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, end)


def _numbers_item(before: str, word: str) -> bool:
    """Say whether a full stop is that of "1. First" or stands for what is left out."""
    if not word:
        return before[-1:] in ("", "[")
    return word.isdigit() and len(word) < 4 and not before[: -len(word)].rpartition("\n")[2].strip(" •")


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    if plain := part.strip():
        start += part.index(plain[0])
        yield start, start + len(plain)


def is_end(text: str, stop: re.Match[str], after: int, end: int, *, is_cited: bool = False) -> bool:
    """Say whether a match of `STOP` ends a sentence, by the word before it and what the text has from `after` on."""
    opening = _OPENING.match(text, after, end)
    place = opening.end() if opening else after
    if place == end or stop[0][0] in "。！？":
        return True
    if text[place] in "-–—,;:" or (stop[0][0] != "." and text[place].islower()):
        return False
    if stop[0][0] != ".":
        return True
    return _ends(text, stop.start(), place, end, is_cited=is_cited)


def _ends(text: str, stop: int, place: int, end: int, *, is_cited: bool) -> bool:
    """Say whether a single full stop ends a sentence, where the next word would start at `place`."""
    before = text[max(stop - _LONGEST_WORD, 0) : stop]
    found = _WORD_BEFORE.search(before)
    word = found[0].lower() if found else ""
    if _numbers_item(before, word) or (word in _BEFORE_A_NUMBER and text[place].isdigit()):
        return False
    is_initial = before[-1:].isupper() and _INITIAL.fullmatch(word)
    if is_initial or word in _SELDOM_LAST:
        return is_cited or _STARTER.match(text, place, end) is not None
    if word in _NEVER_LAST:
        return False
    if before[-1:].isspace():
        return text[place].isupper()
    return is_cited or before.endswith("]") or not text[place].islower()
