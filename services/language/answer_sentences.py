"""An answer's Markdown as sentences, each with the numbers that it cites and its place in the text."""

import re
from collections.abc import Iterator

from services.core.answer_records import Sentence
from services.language.sentences import STOP, Span, is_end

MOST_IN_RANGE = 50

_MARKER = re.compile(r"\[\s*\d+(?:\s*[-–,;]\s*\d+)*\s*\](?!\()")
_MARKERS = re.compile(rf"(?:\s*{_MARKER.pattern})+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_OPENER = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?")
_BULLET = re.compile(r"\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)])\s+")
_CODE = re.compile(r"`[^`\n]+`")
_STOP_OR_CITED_LINE = re.compile(rf"{STOP}|(?<=\])\s*\n")


def split(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a Markdown text, in order, without marks.

    A list item and a table row are cut like a paragraph; a heading keeps its “#”. Citations after a full stop belong
    to the sentence before it. What is in a fenced block, and a table's head, is no sentence.
    """
    return tuple(
        sentence
        for start, end, whole in _blocks(text)
        for first, last in ([(start, end)] if whole else _cut(text, start, end))
        if (sentence := _sentence(text, first, last)) is not None
    )


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Paragraphs, list items, headings and table rows by their places; True for what is not to be cut."""
    open_from: int | None = None
    last = place = 0
    fenced = False
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        start, end = place, place + len(line.rstrip())
        place += len(line)
        kind = "fence" if _FENCE.match(line) else "code" if fenced else _kind(line, lines[number + 1 : number + 2])
        fenced ^= kind == "fence"
        if kind != "text" and open_from is not None:
            yield open_from, last, False
            open_from = None
        if kind in ("heading", "row"):
            yield start, end, True
        elif kind in ("text", "item"):
            opener = _OPENER.match(line)
            open_from = start + (opener.end() if opener else 0) if open_from is None else open_from
            last = end
    if open_from is not None:
        yield open_from, last, False


def _kind(line: str, following: list[str]) -> str:
    if not line.strip() or _RULE.match(line) or _TABLE_RULE.match(line):
        return "nothing"
    if _HEADING.match(line):
        return "heading"
    if line.lstrip().startswith("|"):
        return "nothing" if following and _TABLE_RULE.match(following[0]) else "row"
    return "item" if _BULLET.match(line) else "text"


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut one block into sentences, each with the citations that follow it."""
    code = [match.span() for match in _CODE.finditer(text, start, end)]
    begun = start
    for stop in _stops(text, start, end):
        if stop <= begun or any(first < stop < last for first, last in code):
            continue
        yield begun, stop
        begun = stop
    if text[begun:end].strip():
        yield begun, end


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """Find where sentences may end: behind a full stop and its citations, and at the end of a line that cites."""
    for match in _STOP_OR_CITED_LINE.finditer(text, start, end):
        cited = _MARKERS.match(text, match.end(), end)
        stop = cited.end() if cited else match.end()
        if match[0].isspace():
            if not _goes_on(text, stop, end):
                yield match.start()
        elif is_end(text, match, stop, end, is_cited=cited is not None):
            yield stop


def _goes_on(text: str, position: int, end: int) -> bool:
    return text[position:end].lstrip()[:1].islower()


def _sentence(text: str, start: int, end: int) -> Sentence | None:
    raw = text[start:end]
    start += len(raw) - len(raw.lstrip())
    end -= len(raw) - len(raw.rstrip())
    cited = tuple(dict.fromkeys(n for marker in _MARKER.findall(text[start:end]) for n in _numbers(marker)))
    bare = _MARKERS.sub("", text[start:end]).strip()
    if bare.startswith("|"):
        bare = bare.strip("| \t")
    bare = re.sub(r"\s+", " ", bare)
    if not re.search(r"\w", bare):
        return None
    return Sentence(bare, cited, start=start, end=end)


def _numbers(marker: str) -> Iterator[int]:
    """The numbers of one marker, a range from end to end."""
    for part in re.split(r"[,;]", marker.strip("[] ")):
        first, *rest = (int(n) for n in re.findall(r"\d+", part))
        last = rest[-1] if rest else first
        yield from range(first, last + 1) if 0 <= last - first < MOST_IN_RANGE else (first, last)
