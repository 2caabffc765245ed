"""The outline of Markdown, as a CommonMark parser sees it."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from services.documents.outline import Heading, Outline, Whole, heading_name

_FRONT_MATTER = re.compile(
    r"""(?:---[ \t]*\n (?=[ \t]*(?:["'\w][^:\n]*:(?:\s|\Z)|\#)) (?:.*\n)*? (?:---|\.\.\.)
    |\+\+\+[ \t]*\n (?:.*\n)*? \+\+\+)[ \t]*(?:\n|\Z)""",
    re.VERBOSE,
)
"""YAML between dashes or TOML between plus signs. A dash line alone is a rule: YAML starts with a key or a comment."""
_MARKUP = re.compile(r"[\\`*_\[\]<>&!]")
_WHOLES = {
    "fence": True,
    "code_block": True,
    "html_block": True,
    "bullet_list_open": False,
    "ordered_list_open": False,
    "blockquote_open": False,
}
"""Blocks to keep whole, and whether they are code."""
_BLOCKS = MarkdownIt("commonmark").disable(["inline", "text_join"])
"""Finds blocks only: words stay as they are, and tables are left to be paragraphs, which saves most of the time."""
_INLINE = MarkdownIt("commonmark")


def outline(text: str) -> Outline:
    """Headings and blocks of Markdown; front matter is skipped, and a heading inside a quote or list is text."""
    skipped = front_matter_lines(text)
    lines = text.split("\n")
    tokens = _BLOCKS.parse("\n".join([""] * skipped + lines[skipped:]))
    headings, wholes = [], {}
    for position, token in enumerate(tokens):
        if token.level or not token.map:
            continue
        start, end = token.map
        if token.type in _WHOLES:
            wholes[start] = Whole(start, end, _WHOLES[token.type])
        elif token.type == "heading_open" and (name := heading_name(tokens[position + 1].content, plain)):
            headings.append(Heading(start, end, int(token.tag[1:]), name))
    return Outline(tuple(headings), True, wholes, frozenset(range(skipped)))


def front_matter_lines(text: str) -> int:
    """How many lines the front matter has."""
    found = _FRONT_MATTER.match(text)
    return found[0].rstrip("\n").count("\n") + 1 if found else 0


def plain(title: str) -> str:
    """A heading's text without the markup of its words."""
    if _MARKUP.search(title):
        title = "".join(_words(token) for token in _INLINE.parseInline(title)[0].children or ())
    return " ".join(title.split())


def _words(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return "" if token.type == "html_inline" else token.content
