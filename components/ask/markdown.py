"""What a model writes, as HTML that is safe to show: all of it is escaped, and only tags of ours are added.

Headings, lists, quotes, tables, code, bold and links are read. Raw HTML is shown as the text that it is, an image as
its words; a link leads to http or https only, and has its target beside it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from components.markup import text

Render = Callable[[int, int], str]
_Kind = Literal["p", "h", "ul", "ol", "quote", "pre", "row", "rule"]

_LINE = re.compile(r"[^\n]+")
_FENCE = re.compile(r"\s*(```|~~~)")
_STARTS: tuple[tuple[_Kind, re.Pattern[str]], ...] = (
    ("rule", re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")),
    ("h", re.compile(r"\s*#{1,6}\s+")),
    ("ul", re.compile(r"\s*[-*+•]\s+")),
    ("ol", re.compile(r"\s*\d{1,3}[.)]\s+")),
    ("quote", re.compile(r"\s*>\s?")),
    ("row", re.compile(r"\s*\|(?=.*\|\s*$)")),
    ("p", re.compile(r"\s*")),
)
_RULED = re.compile(r"[\s|:-]*")


@dataclass(frozen=True, slots=True)
class _Block:
    kind: _Kind
    start: int
    end: int
    depth: int = 0


def html_of(answer: str, render: Render) -> str:
    """A text's blocks as HTML; `render` gives the HTML of what stands from one place of the text to another."""
    parts = list[str]()
    for kind, group in groupby(_blocks(answer), key=lambda block: block.kind):
        found = list(group)
        inner = [render(block.start, block.end) for block in found] if kind not in ("pre", "row", "rule") else []
        match kind:
            case "ul" | "ol":
                depths = (min(block.depth, 3) for block in found)
                items = (f'<li class="a-in{n}">{words}</li>' for n, words in zip(depths, inner, strict=True))
                parts.append(f"<{kind}>{''.join(items)}</{kind}>")
            case "pre":
                lines = "\n".join(text(answer[block.start : block.end]) for block in found)
                parts.append(f'<pre class="a-code">{lines}</pre>')
            case "row":
                parts.append(_table(answer, found, render))
            case "rule":
                parts.append("<hr>")
            case _:
                css = {"h": "a-said-h", "quote": "a-quote"}.get(kind, "")
                parts += [f'<p class="{css}">{words}</p>' if css else f"<p>{words}</p>" for words in inner]
    return "".join(parts)


def _blocks(answer: str) -> Iterator[_Block]:
    fenced = False
    for line in _LINE.finditer(answer):
        if _FENCE.match(line[0]):
            fenced = not fenced
        elif fenced:
            yield _Block("pre", line.start(), line.end())
        elif line[0].strip():
            kind, found = next((kind, m) for kind, start in _STARTS if (m := start.match(line[0])))
            indent = len(line[0]) - len(line[0].lstrip())
            yield _Block(kind, line.start() + found.end(), line.end(), indent // 2)


def _table(answer: str, rows: Sequence[_Block], render: Render) -> str:
    body = list[str]()
    for row in rows:
        words = answer[row.start : row.end]
        if _RULED.fullmatch(words):
            continue
        at, cells = row.start, list[str]()
        for cell in words.rstrip().removesuffix("|").split("|"):
            cells.append(f"<td>{render(at, at + len(cell))}</td>")
            at += len(cell) + 1
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="a-scroll"><table class="a-t"><tbody>{"".join(body)}</tbody></table></div>'
