"""HTML as its reader meets it: the text, what has a role or a label, and where the links lead."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import html

_PHRASES = frozenset(["b", "code", "em", "i", "mark", "strong"])
"""Elements that continue the line; around any other there is a gap."""


@dataclass(frozen=True)
class Rendered:
    """A piece of a page."""

    element: Any

    @property
    def text(self) -> str:
        """Return what can be read of it, on one line."""
        return " ".join("".join(_texts(self.element)).split())

    def links(self, text: str) -> list[str]:
        """Return where the links of that text lead."""
        return [link.element.get("href", "") for link in self.all("a") if link.text == text]

    @property
    def labels(self) -> list[str]:
        """Return what a screen reader calls things that have no text of their own."""
        return [str(label) for label in self.element.xpath(".//@aria-label")]

    def labelled(self, label: str) -> "Rendered":
        """Return the first part of that label; a page without one fails the test."""
        found = self.element.xpath(".//*[@aria-label=$label]", label=label)
        assert found, f"nothing is labelled {label!r}"
        return Rendered(found[0])

    def all(self, path: str) -> "list[Rendered]":
        """Return the parts that an XPath finds below it, in order."""
        return [Rendered(part) for part in self.element.xpath(f".//{path}")]


def rendered(*pieces: str) -> Rendered:
    """Return several pieces of HTML as one."""
    whole = html.Element("main")
    whole.extend(html.fragment_fromstring(piece, create_parent="section") for piece in pieces)
    return Rendered(whole)


def _texts(element: Any) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in ("script", "style"):
        return
    gap = "" if element.tag in _PHRASES else " "
    yield gap + (element.text or "")
    for part in element:
        yield from _texts(part)
        yield part.tail or ""
    yield gap
