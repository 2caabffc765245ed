"""Sitemaps of every kind that sites have: XML, an index of others, packed, a feed, a list of lines."""

import re
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from xml.parsers import expat

from services.core.errors import FetchRefused

MOST_ADDRESSES = 50_000
"""So many one file may list (sitemaps.org)."""
_MOST_BYTES = 50_000_000
_PACKED = b"\x1f\x8b"
_DEEPEST = 50
_SITEMAP = ("sitemapindex", "sitemap", "loc")
_PAGES = (("urlset", "url", "loc"), ("channel", "item", "link"), ("RDF", "item", "link"))
"""Where addresses stand: the elements around them, in sitemaps and in feeds."""
_LINE = re.compile(r"https?://\S+", re.IGNORECASE)


@dataclass(slots=True)
class Sitemap:
    """What a sitemap lists, as it is written there: pages, and other sitemaps."""

    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)


class _Enough(Exception):
    """As much was read as may be."""


def read_sitemap(content: bytes) -> Sitemap:
    """What the sitemap lists; one that breaks off or goes wrong in the middle gives what stands before.

    Raises `FetchRefused` for XML that defines entities, and for what unpacks to more than 50 MB.
    """
    if content.startswith(_PACKED):
        content = _unpacked(content)
    if not content.lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n").startswith(b"<"):
        text = content.decode("utf-8", "replace").removeprefix("\ufeff")
        lines = (line.strip() for line in text.splitlines())
        return Sitemap([line for line in lines if _LINE.fullmatch(line)][:MOST_ADDRESSES])
    reading = _Reading()
    with suppress(expat.ExpatError, ValueError, LookupError, _Enough):  # what was read before stands
        reading.parser.Parse(content, True)
    return reading.found


def _unpacked(content: bytes) -> bytes:
    unpacker = zlib.decompressobj(31)
    try:
        unpacked = unpacker.decompress(content, _MOST_BYTES + 1)
    except zlib.error as error:
        raise FetchRefused("Asof cannot unpack this sitemap.") from error
    if len(unpacked) > _MOST_BYTES:
        raise FetchRefused(f"This sitemap unpacks to more than {_MOST_BYTES // 1_000_000} MB.")
    return unpacked


class _Reading:
    """One sitemap being read. Names count without their namespace, which many sites get wrong."""

    def __init__(self) -> None:
        self.found = Sitemap()
        self._path: list[str] = []
        self._text: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append

    def _entity(self, *_: object) -> None:
        raise FetchRefused("This sitemap defines XML entities. Asof does not allow them.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= _DEEPEST:
            raise _Enough
        self._path.append(name.rpartition(":")[2])
        self._text.clear()
        if self._path[-2:] == ["entry", "link"] and attributes.get("rel", "alternate") == "alternate":
            self._add(self.found.pages, attributes.get("href", ""))

    def _end(self, _: str) -> None:
        at, text = tuple(self._path[-3:]), "".join(self._text)
        if at == _SITEMAP:
            self._add(self.found.sitemaps, text)
        elif at in _PAGES:
            self._add(self.found.pages, text)
        self._path.pop()
        self._text.clear()

    def _add(self, to: list[str], text: str) -> None:
        if text := text.strip():
            to.append(text)
        if len(to) >= MOST_ADDRESSES:
            raise _Enough
