"""Small pieces of HTML in Asof's own classes. Every text that comes from outside goes through `text()` once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape, unescape
from urllib.parse import urlencode

import streamlit as st

from components.address import View, parameters_of
from components.palette import OTHER, Look
from services.core.wording import counted as counted

text = escape
"""Text from outside, made fit to stand in HTML."""
SIGNS = {
    "added": ("+", "added"),
    "ended": ("−", "ended"),
    "corrected": ("~", "corrected"),
    "re-dated": ("~", "re-dated"),
    "changed": ("→", "changed"),
    "same": ("=", "no change"),
    "review": ("?", "to check"),
}
_MARKDOWN = re.compile(r"[\\`*_\[\]{}<>()#+!|$:~&-]")
_STRUCTURE = re.compile(r"[\\`*_\[\]{}<>#|$:~!]")
_TITLE, _NAME = 60, 32
Cell = tuple[str, str]
"""A cell of a table: its HTML, and the class of its column (a-n number, a-d date, a-w widest, a-nw one line)."""


def sign(kind: str) -> str:
    """The sign of a kind of change, with its word for those who do not see it."""
    mark, word = SIGNS[kind]
    return f'<span class="a-sg a-{kind}" role="img" aria-label="{word}" title="{word}">{mark}</span>'


def glyph(look: Look | None, name: str = "") -> str:
    """The mark of an entity type."""
    look = look or OTHER
    label = f' role="img" aria-label="{text(name)}" title="{text(name)}"' if name else ' aria-hidden="true"'
    return f'<i class="a-g {look.css}" style="--c:light-dark({look.light},{look.dark})"{label}></i>'


def chip(css: str, word: str) -> str:
    """A word in a frame; `css` is the class of its colour."""
    return f'<span class="a-chip {css}">{word}</span>'


def heading(title: str, note: str = "", *, level: int = 2) -> None:
    """A heading of a part of a page, with a quiet note beside it."""
    st.html(f'<div class="a-h" role="heading" aria-level="{level}">{text(title)}<small>{text(note)}</small></div>')


def note(html: str, kind: str = "a-info") -> None:
    """A sentence set apart: `a-info`, `a-warn`, or "" for an error. `html` is trusted, so escape what is not ours."""
    st.html(f'<div class="a-note {kind}" role="note">{html}</div>')


def table(rows: Iterable[Sequence[Cell] | str], head: Sequence[Cell] = (), *, label: str) -> None:
    """A table; a row that is a string is a whole `<tr>` of its own."""
    top = "".join(f'<th scope="col" class="{css}">{name}</th>' for name, css in head)
    body = "".join(row if isinstance(row, str) else f"<tr>{cells(row)}</tr>" for row in rows)
    st.html(
        f'<div class="a-scroll"><table class="a-t" aria-label="{text(label)}">'
        f"{f'<thead><tr>{top}</tr></thead>' if top else ''}<tbody>{body}</tbody></table></div>"
    )


def cells(row: Sequence[Cell]) -> str:
    """The cells of one row."""
    return "".join(f'<td class="{css}">{html}</td>' for html, css in row)


def link(page: str, label: str, view: View, *, css: str = "a-plain") -> str:
    """A link to a page with the view in its address, which `links.follow` takes in place; `label` is HTML."""
    address = address_of(page, parameters_of(view))
    return f'<a class="{css}" href="{text(address)}" target="_self" data-page="{page}">{label}</a>'


def address_of(page: str, parameters: Mapping[str, str]) -> str:
    """The address of a page, relative to any other page; Overview's has no name."""
    return "?".join(filter(None, ("./" if page == "Overview" else page, urlencode(parameters))))


def timeline_link(view: View, uuid: str, name: str) -> str:
    """An entity's name in bold that leads to its timeline on the dates of the view, with nothing else selected."""
    there = View(view.workspace, uuid, as_of=view.as_of, known_at=view.known_at)
    return f"<b>{link('Timeline', text(name), there)}</b>"


def key(entries: Mapping[str, str]) -> None:
    """The key of a chart: class of the swatch (or a character) to what it means."""
    items = "".join(
        f"<span>{f'<i class={css!r}></i>' if css.startswith('a-k') else f'<b>{css}</b>'}{text(word)}</span>"
        for css, word in entries.items()
    )
    st.html(f'<div class="a-key">{items}</div>')


def progress_bar(title: str, share: float) -> str:
    """Return a bar that shows how far a piece of work is; `share` is from 0 to 1."""
    percent = round(100 * share)
    return (
        f'<div class="a-bar" role="progressbar" aria-label="{text(title)}" aria-valuenow="{percent}" '
        f'aria-valuemin="0" aria-valuemax="100"><i style="width:{percent}%"></i></div>'
    )


def trend(values: Sequence[float]) -> str:
    """A row of small bars, the last one strong; nothing when there is nothing to compare."""
    top = max(values, default=0)
    if top <= 0:
        return ""
    bars = "".join(f'<i style="height:{max(2, round(v / top * 30))}px"></i>' for v in values)
    return f'<span class="a-sp" role="img" aria-label="trend from {values[0]:,} to {values[-1]:,}">{bars}</span>'


def relation(name: str) -> str:
    """A relation as words: `HAS_STATUS` is read "has status"."""
    return name.replace("_", " ").lower() if name.isupper() or "_" in name else name


def clipped(value: str, room: int = 48) -> str:
    """A text cut to `room` characters."""
    return value if len(value) <= room else value[: room - 1] + "…"


def with_numbers(names: Sequence[str]) -> list[str]:
    """Names cut in their middle, for they differ at their ends, with a number where two would read the same."""
    cut = [name if len(name) <= _NAME else f"{name[: _NAME // 2 - 1]}…{name[-(_NAME // 2) :]}" for name in names]
    return [
        f"{name} ({cut[: place + 1].count(name)})" if cut.count(name) > 1 else name for place, name in enumerate(cut)
    ]


def first_line(value: str) -> str:
    """The first line of a longer text."""
    return value.strip().partition("\n")[0].strip()


_MARKED = (
    (re.compile(r":pep:`(\d+)`"), r"PEP \1"),
    (re.compile(r":[\w:-]+:`~?([^`<]+?)\s*(?:&lt;[^`]*&gt;)?`"), r"\1"),
    (re.compile(r"``(.+?)``"), r"<code>\1</code>"),
    (re.compile(r"`([^`]+?)\s*&lt;[^`]*&gt;`_{0,2}"), r"\1"),
    (re.compile(r"`([^`]+)`__?"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"!?\[([^\]\n]+)\]\([^)\s]*\)"), r"\1"),
    (re.compile(r"^#{1,6}\s+", re.MULTILINE), ""),
)
"""Markup within sentences, of Markdown and reStructuredText, and what it is as HTML; links are words alone."""


def prose(value: str) -> str:
    """A text from outside with its markup as HTML: code, bold, and the words of links and roles."""
    html = text(value)
    for pattern, shown in _MARKED:
        html = pattern.sub(shown, html)
    return html


def without_markup(value: str) -> str:
    """A text from outside without its markup, where it is cut or stands in a label."""
    return unescape(re.sub(r"</?(?:b|code)>", "", prose(value)))


def of_today(view: View) -> str:
    """Say of an entity's summary that it is as of today, where the view looks at an earlier date: only facts are dated.

    It stands behind the summary.
    """
    past = view.as_of is not None or view.known_at is not None
    return ' <span class="a-chip a-off" title="Unlike facts, summaries are undated">as of today</span>' if past else ""


def titled(name: str, summary: str) -> str:
    """An entity's name, with the first line of its summary where that is short enough to be a title."""
    line = first_line(summary)
    return f"{name} · {line}" if line and len(line) <= _TITLE and line != name else name


def plain(value: str) -> str:
    """Text from data for a label that Streamlit reads as Markdown: shown as it stands, and never an image or a link."""
    return _MARKDOWN.sub(r"\\\g<0>", value)


def spoken(value: str) -> str:
    """Text from data for a label that is also read aloud as it is written: without what Markdown would read as markup,
    rather than with backslashes."""
    return " ".join(_STRUCTURE.sub(" ", value).split())


def quoted(names: Sequence[str]) -> str:
    """Names in a row: `“a”, “b” and “c”`."""
    *before, last = [f"“{name}”" for name in names]
    return f"{', '.join(before)} and {last}" if before else last


def dotted(*parts: str) -> str:
    """Join what there is to say with dots; an empty part is left out."""
    return " · ".join(filter(None, parts))


def lines_below(words: Sequence[str], most: int) -> str:
    """The first `most` of some texts as HTML, each on a line of its own, and how many more there are."""
    more = [f"and {len(words) - most:,} more"] if len(words) > most else []
    return "".join(f"<br>{text(line)}" for line in (*words[:most], *more))


def say_if_cut(shown: int, total: int, noun: str, *, words: str = "Showing") -> None:
    """Say below a list that it shows `shown` of `total`, unless it shows them all."""
    if total > shown:
        st.caption(f"{words} {shown:,} of {counted(total, noun)}.")
