"""Cuts the text between two headings into chunks of a paragraph or a few."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from services.documents.outline import Outline, Whole
from services.language.sentences import sentence_spans
from services.retrieval.tokens import STOP_WORDS, tokens

FULL = 1_200
"""Characters up to which paragraphs are put together in a chunk."""
SHORT = 200
STRETCHED = 1_500
"""A last chunk shorter than `SHORT` joins the one before it where both stay within `STRETCHED` characters."""
WHOLE = 2_400
"""A document without headings of up to so many characters is one chunk: a passage is best found as a whole."""
MOST_KEYWORDS = 10
LONGEST_KEYWORD = 40

Span = tuple[int, int]
"""Characters of the text from the first number up to the second, excluded."""
_Cutter = Callable[[str, Span], Iterator[Span]]


class Lines:
    """The lines of a text, counted from 0, and where they start in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all = text.split("\n")
        self._starts = [0]
        for line in self.all:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.count = len(self.all) - (not self.all[-1])

    def of(self, position: int) -> int:
        """The line on which a character stands."""
        return bisect_right(self._starts, position) - 1

    def span(self, start: int, end: int) -> Span:
        """The characters of the lines from `start` up to `end`, excluded, without the last line's end."""
        return self._starts[start], max(self._starts[start], self._starts[end] - 1)


def chunk_spans(lines: Lines, outline: Outline, start: int, end: int) -> list[Span]:
    """The chunks of the lines from `start` up to `end`, excluded, between which no heading stands."""
    if not (outline.headings or outline.skipped) and len(lines.text) <= WHOLE:
        whole = _trimmed(lines.text, lines.span(start, end))
        return [whole] if whole[0] < whole[1] else []
    spans: list[Span] = []
    for block in _blocks(lines, outline, start, end):
        for piece in _pieces(lines.text, lines.span(block.start, block.end), _CODE if block.is_code else _PROSE):
            if spans and piece[1] - spans[-1][0] <= FULL:
                spans[-1] = (spans[-1][0], piece[1])
            else:
                spans.append(piece)
    if len(spans) > 1 and spans[-1][1] - spans[-1][0] < SHORT and spans[-1][1] - spans[-2][0] <= STRETCHED:
        spans[-2:] = [(spans[-2][0], spans[-1][1])]
    return spans


def _blocks(lines: Lines, outline: Outline, start: int, end: int) -> Iterator[Whole]:
    """Paragraphs and what is kept whole; where a format has no blocks, paragraphs with the indented ones below them."""
    held: Whole | None = None
    number = start
    while number < end:
        if number in outline.skipped or not lines.all[number].strip():
            number += 1
            continue
        block = outline.wholes.get(number) or _paragraph(lines, outline, number, end)
        number = block.end
        if held and not outline.has_blocks and lines.all[block.start][0] in " \t":
            held = Whole(held.start, block.end)
            continue
        if held:
            yield held
        held = block
    if held:
        yield held


def _paragraph(lines: Lines, outline: Outline, start: int, end: int) -> Whole:
    number = start + 1
    while number < end and lines.all[number].strip() and not outline.ends_paragraph(number):
        number += 1
    return Whole(start, number)


def _pieces(text: str, span: Span, cutters: Sequence[_Cutter]) -> Iterator[Span]:
    """The span, or where it is too long its parts, cut by the first of `cutters`, and so on."""
    start, end = _trimmed(text, span)
    if end - start > FULL:
        for part in cutters[0](text, (start, end)):
            yield from _pieces(text, part, cutters[1:])
    elif start < end:
        yield start, end


def _trimmed(text: str, span: Span) -> Span:
    """The span without the blank lines around it and the spaces at its end; a line's indentation stays."""
    start, end = span
    part = text[start:end]
    blank = len(part) - len(part.lstrip())
    line = part.rfind("\n", 0, blank) + 1
    starts_a_line = line or not start or text[start - 1] == "\n"
    return start + (line if starts_a_line else blank), start + len(part.rstrip())


def _cut_at(pattern: str) -> _Cutter:
    found = re.compile(pattern)

    def cut(text: str, span: Span) -> Iterator[Span]:
        start, end = span
        for match in found.finditer(text, start, end):
            yield start, match.start()
            start = match.start()
        yield start, end

    return cut


_by_line = _cut_at(r"\n")


def _cut_code(text: str, span: Span) -> Iterator[Span]:
    """What looks like code or a table, by its lines."""
    return _by_line(text, span) if _LOOKS_LIKE_CODE.match(text, *span) else iter([span])


def _cut_anywhere(text: str, span: Span) -> Iterator[Span]:
    """Between words, or within one that is too long."""
    start, end = span
    while end - start > FULL:
        window = text[start : start + FULL + 1]
        size = max(window.rfind(" "), window.rfind("\n"), window.rfind("\t"))
        size = size if size > 0 else FULL
        yield start, start + size
        start += size
    yield start, end


_LOOKS_LIKE_CODE = re.compile(r"[ \t]|\+[-=]|\||>>>|=+ +=")
_between_paragraphs = _cut_at(r"\n[^\S\n]*\n")
_between_items = _cut_at(r"\n(?=[ \t]*(?:[-*+•]|\d+[.)]|#\.)[ \t])")
_PROSE = (_between_paragraphs, _between_items, _cut_code, lambda text, span: sentence_spans(text, *span), _cut_anywhere)
_CODE = (_between_paragraphs, _by_line, _cut_anywhere)


def keywords(text: str) -> tuple[str, ...]:
    """The words that tell most about a text: the most frequent ones, of equals the longer, then the earlier."""
    counts = Counter(word for word in (token.lower() for token in tokens(text)) if _tells(word))
    ranked = sorted(counts, key=lambda word: (-counts[word], -len(word)))
    return tuple(ranked[:MOST_KEYWORDS])


def _tells(word: str) -> bool:
    """True for a word that may be about something: "don't" is not, nor is a number or a line of code without end."""
    letters = sum(map(str.isalpha, word))
    return letters > 2 and len(word) <= LONGEST_KEYWORD and word not in STOP_WORDS and not set("'’") & set(word)
