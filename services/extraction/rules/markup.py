"""Readable prose out of Markdown, reST and notes, with the way back to each character's place in the original."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from services.extraction.rules.notes import speaker

Form = Literal["prose", "heading", "field"]
_Line = Literal["prose", "heading", "field", "item", "more", "gap"]

_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_BULLET = re.compile(r"\s*(?:[-*•+–]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTE = re.compile(r"(?:\s*>)+\s?")
_UNDERLINE = re.compile(r"\s*([=\-~^\"'*+#`.])\1{2,}\s*$")
_TABLE = re.compile(r"\s*(?:\|.*\||\+[-=+]+\+|\.\.(?:\s.*)?|:\w[\w ]*:(?!`).*)\s*$")
_TITLE_WORDS = 6
_STOP = re.compile(r"[.!?][\"'”’)]*$")
_JOINING = re.compile(
    r"(?:^| )(?:the|an?|of|in|on|at|by|for|to|with|from|as|and|or|but|that|who|which|when|is|are|was|were|be|been|has"
    r"|have|had|will|its|his|her|their|our|my|[a-z]+ed)$",
)
"""What a line ends with that goes on in the next one."""
_FIELD = re.compile(r"\s*([A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,2}):\s+\S")
_INLINE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), 0),
    (re.compile(r"\[([^\]\n]+)\]\([^)\s]*\)"), 1),
    (re.compile(r"\s?\[(?:#?\w{1,12})\]_"), 0),
    (re.compile(r"`([^`<\n]+?)\s*<[^>\n]+>`__?"), 1),
    (re.compile(r"``([^`\n]+)``"), 1),
    (re.compile(r"(?::[a-z-]+(?::[a-z-]+)?:)?`~?([^`\n]+)`_{0,2}"), 1),
    (re.compile(r"\*\*([^*\n]+)\*\*"), 1),
    (re.compile(r"(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])"), 1),
    (re.compile(r"(?<![\w_])_([^_\s][^_\n]* [^_\n]*?)_(?![\w_])"), 1),
    (re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>"), 0),
)
CODE_START, CODE_END = "\ue000", "\ue001"
"""Around what stood in backquotes, until names are given to the parser."""
_CODE_SPAN = re.compile(r"(?<![`:\w])``?([A-Za-z_@.-][^`\s]{1,40})``?(?![`_])")
_PEP_ROLE = re.compile(r":(pep|rfc):`(\d+)`")


@dataclass(frozen=True, slots=True)
class Traced:
    """A text, and for each of its characters, and its end, the place in the original."""

    text: str
    places: tuple[int, ...]

    def cut(self, start: int, end: int) -> "Traced":
        """The piece from `start` to `end`."""
        return Traced(self.text[start:end], (*self.places[start:end], self.places[end]))

    def put(self, at: int, words: str) -> "Traced":
        """The same with words that the original does not have."""
        places = (*self.places[:at], *[self.places[at]] * len(words), *self.places[at:])
        return Traced(self.text[:at] + words + self.text[at:], places)

    def keeping(self, pattern: re.Pattern[str], group: int) -> "Traced":
        """The same with each match replaced by one of its groups, or by nothing for group 0."""
        text, last = "", 0
        places: list[int] = []
        for match in pattern.finditer(self.text):
            start, end = match.span(group) if group else (match.end(), match.end())
            for a, b in ((last, match.start()), (start, end)):
                text += self.text[a:b]
                places += self.places[a:b]
            last = match.end()
        return Traced(text + self.text[last:], (*places, *self.places[last:]))


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a heading or a header field ("Status: Draft", `label` is "Status").

    `speaker` is who says it, "" for an assistant. `prose` is what is parsed: `implied` are places of subjects that were
    put in, `names` what a name that the parser was given stands for, by its place. `as_read` is the text as it reads.
    """

    prose: Traced
    form: Form = "prose"
    label: str = ""
    speaker: str | None = None
    implied: frozenset[int] = frozenset()
    names: dict[int, str] = field(default_factory=dict)
    as_read: str = ""


def blocks(text: str) -> Iterator[Block]:
    """The readable blocks of a text in order, without code, tables and comments."""
    gathered: list[Traced] = []
    for line, form in _lines(text):
        if form != "more" and gathered:
            yield from _block(_joined(gathered), "prose")
            gathered = []
        if form == "heading" or form == "field":
            yield from _block(_joined([line]), form)
        elif form != "gap":
            gathered.append(line)
    if gathered:
        yield from _block(_joined(gathered), "prose")


def _lines(text: str) -> Iterator[tuple[Traced, _Line]]:
    """Each readable line and what it starts; "more" goes on with the paragraph, "gap" ends it."""
    fenced, literal = False, -1
    previous: _Line = "gap"
    lines = list(re.finditer(r"[^\n]*(?:\n|$)", text))
    for number, match in enumerate(lines):
        raw = match[0].rstrip("\n").rstrip("\r")
        traced = Traced(raw, tuple(range(match.start(), match.start() + len(raw) + 1)))
        indent = len(raw) - len(raw.lstrip())
        form: _Line
        if _FENCE.match(raw):
            fenced = not fenced
        if fenced or _FENCE.match(raw) or not raw.strip() or (literal >= 0 and indent > literal):
            form = "gap"
        else:
            literal = -1
            following = lines[number + 1][0] if number + 1 < len(lines) else ""
            stopped = previous in ("gap", "heading") or bool(number and _STOP.search(lines[number - 1][0].rstrip()))
            if stopped and _is_title(raw, following):
                form = "heading"
            else:
                traced, form = _shape(traced, previous, following, indent)
        if raw.rstrip().endswith("::") and form != "gap":
            literal = indent
        previous = form
        yield traced, form


def _shape(line: Traced, previous: _Line, following: str, indent: int) -> tuple[Traced, _Line]:
    raw = line.text
    if _UNDERLINE.match(raw) or _TABLE.match(raw):
        return line, "gap"
    if match := _HEADING.match(raw):
        return line.cut(match.end(), len(raw)), "heading"
    if _UNDERLINE.match(following) and previous in ("gap", "heading") and len(following.strip()) >= len(raw.strip()):
        return line, "heading"
    if match := _QUOTE.match(raw):
        line = line.cut(match.end(), len(raw))
        raw = line.text
    if match := _BULLET.match(raw):
        return line.cut(match.end(), len(raw)), "item"
    if (match := _FIELD.match(raw)) and len(match[1]) < 24 and len(raw) < 160:
        return line, "field"
    if previous == "field" or (indent >= 4 and previous == "gap"):
        return line, "prose" if previous == "field" else ("gap" if _looks_like_code(raw) else "prose")
    return line, "more" if previous in ("more", "prose", "item") else "prose"


def _is_title(raw: str, following: str) -> bool:
    """True for a short line above a sentence that it is no part of: it ends early, without a stop or a joining word."""
    words, after = raw.split(), following.split()
    if not 1 <= len(words) <= _TITLE_WORDS or not raw[:1].isupper() or not re.search(r"[\w)]$", raw.rstrip()):
        return False
    wraps = not after or len(raw) + 1 + len(after[0]) > len(following.strip())
    if wraps or not after[0][:1].isupper() or not _STOP.search(following.rstrip()):
        return False
    return not (_JOINING.search(raw) or _BULLET.match(following))


def _looks_like_code(raw: str) -> bool:
    return bool(re.search(r"[=;{}]|\(\)|^\s*(?:def|class|import|from|return|>>>|\$|#)", raw))


def _joined(lines: list[Traced]) -> Traced:
    """The lines of a paragraph with a space between them."""
    text, places = "", []
    for line in lines:
        stripped = line.cut(len(line.text) - len(line.text.lstrip()), len(line.text.rstrip()))
        if text:
            text += " "
            places.append(stripped.places[0])
        text += stripped.text
        places += stripped.places[:-1]
    return Traced(text, (*places, lines[-1].places[-1]))


def _block(traced: Traced, form: Form) -> Iterator[Block]:
    cleaned = _cleaned(traced)
    if form == "field" and (match := _FIELD.match(cleaned.text)):
        who = speaker(match[1])
        if who is not None:
            start = match.end() - 1
            yield Block(cleaned.cut(start, len(cleaned.text)), "prose", match[1], who)
        else:
            yield Block(cleaned, "field", match[1])
    elif cleaned.text.strip():
        yield Block(cleaned, form)


def _cleaned(traced: Traced) -> Traced:
    for code in reversed(list(_CODE_SPAN.finditer(traced.text))):
        traced = traced.put(code.end(1), CODE_END).put(code.start(1), CODE_START)
    while match := _PEP_ROLE.search(traced.text):
        number = traced.cut(*match.span(2))
        before, after = traced.cut(0, match.start()), traced.cut(match.end(), len(traced.text))
        named = number.put(0, f"{match[1].upper()} ")
        traced = Traced(before.text + named.text + after.text, (*before.places[:-1], *named.places[:-1], *after.places))
    for pattern, group in _INLINE:
        traced = traced.keeping(pattern, group)
    return traced.keeping(re.compile(r"(?<=\s)\s+"), 0)
