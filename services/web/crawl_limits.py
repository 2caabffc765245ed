"""What a crawl may ask for: where it stays, how far it goes, and which links are traps."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Literal, cast, get_args

from services.core.errors import BadInput
from services.web.urls import Url, read_url

Mode = Literal["single", "sitemap", "recursive"]
MOST_PAGES = 500
DEEPEST = 10
FORBIDDEN = "forbidden"
"""Where a crawl's job keeps the addresses, the first of them, that a robots.txt kept it from."""
MOST_FORBIDDEN = 1_000
_MOST_CHARACTERS = 500
_MOST_QUERIES = 50
"""So many queries of one path are asked for: a calendar or a filter has them without end."""
_MOST_REPEATS = 3
"""A path with a step more often than this leads in a circle."""
_USUAL_PORTS = (80, 443)
_TRACKING = ("utm_",)
_OF_ONE_VISIT = frozenset(("fbclid", "gclid", "mc_cid", "mc_eid", "phpsessid", "jsessionid", "sid", "sessionid"))
"""Parts of a query that say who came from where, not which page it is."""
_PAGES = frozenset(("", ".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ".cgi", ".shtml", ".do"))
_FILES = frozenset((".pdf", ".docx", ".pptx", ".xlsx", ".md", ".markdown", ".rst", ".txt"))
_NO_PAGES = frozenset(
    (
        ".7z",
        ".aac",
        ".apk",
        ".avi",
        ".bin",
        ".bmp",
        ".bz2",
        ".css",
        ".csv",
        ".deb",
        ".dmg",
        ".doc",
        ".eot",
        ".epub",
        ".exe",
        ".flac",
        ".flv",
        ".gif",
        ".gz",
        ".ico",
        ".iso",
        ".jar",
        ".jpeg",
        ".jpg",
        ".js",
        ".json",
        ".m4a",
        ".m4v",
        ".map",
        ".mjs",
        ".mkv",
        ".mov",
        ".mp3",
        ".mp4",
        ".mpeg",
        ".mpg",
        ".msi",
        ".ogg",
        ".ogv",
        ".otf",
        ".png",
        ".ppt",
        ".ps",
        ".rar",
        ".rpm",
        ".rtf",
        ".svg",
        ".tar",
        ".tgz",
        ".tif",
        ".tiff",
        ".ttf",
        ".wasm",
        ".wav",
        ".webm",
        ".webmanifest",
        ".webp",
        ".whl",
        ".wmv",
        ".woff",
        ".woff2",
        ".xls",
        ".xml",
        ".xz",
        ".zip",
        ".zst",
    )
)
"""Endings of what holds no text that is read here."""
_READ_TYPES = frozenset(
    (
        "",
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "text/markdown",
        "text/x-rst",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
)


@dataclass(frozen=True, slots=True)
class Crawl:
    """What was asked for. `max_pages` counts the pages that are fetched; links are followed `depth` steps."""

    url: str
    mode: Mode = "single"
    max_pages: int = 20
    depth: int = 3

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Crawl":
        """As a job's options have it."""
        return cls(options["url"], cast(Mode, options["mode"]), int(options["max_pages"]), int(options["depth"]))

    def options(self) -> dict[str, Any]:
        """For a job's options."""
        return asdict(self)


def checked(crawl: Crawl) -> Crawl:
    """The same with its address in its one spelling.

    Raises `FetchRefused` for what is no address, and `BadInput` for a mode or a number that cannot be.
    """
    if crawl.mode not in get_args(Mode):
        raise BadInput(f"mode: “{crawl.mode}” is not a valid mode.", f"Choose {', '.join(get_args(Mode))}.")
    if not 1 <= crawl.max_pages <= MOST_PAGES:
        raise BadInput(f"A crawl can fetch 1 to {MOST_PAGES} pages.", f"Choose a number from 1 to {MOST_PAGES}.")
    if not 0 <= crawl.depth <= DEEPEST:
        raise BadInput(f"A crawl can follow links 0 to {DEEPEST} levels deep.", f"Choose a depth from 0 to {DEEPEST}.")
    return replace(crawl, url=str(read_url(crawl.url)))


def left_out(options: Mapping[str, Any]) -> int:
    """How many pages, by a job's options, were met and left out since a robots.txt does not allow them."""
    return len(options.get(FORBIDDEN, ()))


def left_out_in_words(count: int) -> str:
    """Such a number for people; only the first pages are kept, so it may be more than the most of them."""
    return f"{count:,} or more" if count >= MOST_FORBIDDEN else f"{count:,}"


class Frontier:
    """What a crawl has queued, and what it may queue yet: `known` are all its addresses, `counted` of them pages."""

    def __init__(self, crawl: Crawl, known: Iterable[str], counted: int) -> None:
        self._known = set(known)
        self._room = crawl.max_pages - counted
        self._queries = Counter(path for path, _, query in (one.partition("?") for one in self._known) if query)

    def knows(self, url: Url) -> bool:
        """True when the address is queued already, or was done."""
        return str(url) in self._known

    @property
    def is_full(self) -> bool:
        """True when no other page fits in."""
        return self._room <= 0

    def admit(self, url: Url) -> bool:
        """True when the address is to be queued as one more page; it is known from then on."""
        path, _, query = str(url).partition("?")
        if self.is_full or self.knows(url) or is_crawler_trap(url) or (query and self._queries[path] >= _MOST_QUERIES):
            return False
        self._known.add(str(url))
        self._room -= 1
        self._queries[path] += bool(query)
        return True


def home_of(url: Url) -> str:
    """What tells the host of an address from others: `www.` and the way to ask make no difference."""
    host = url.host.removeprefix("www.")
    return host if url.port in _USUAL_PORTS else f"{host}:{url.port}"


def without_tracking(url: Url) -> Url:
    """The address without the parts of its query that say only who came from where."""
    named = [(part, part.partition("=")[0].lower()) for part in url.query.split("&") if part]
    kept = [part for part, name in named if not (name.startswith(_TRACKING) or name in _OF_ONE_VISIT)]
    return replace(url, target=f"{url.path}?{'&'.join(kept)}" if kept else url.path)


def is_crawler_trap(url: Url) -> bool:
    """True for addresses that go round in circles, and for those of pictures, programs and the like."""
    steps = Counter(step for step in url.path.split("/") if step)
    return (
        len(str(url)) > _MOST_CHARACTERS
        or max(steps.values(), default=0) > _MOST_REPEATS
        or PurePosixPath(url.path).suffix.lower() in _NO_PAGES
    )


def is_read(content_type: str, url: Url) -> bool:
    """True for what is read as a page; what is sent as mere bytes goes by its ending."""
    if content_type in ("application/octet-stream", "binary/octet-stream"):
        return PurePosixPath(url.path).suffix.lower() in _FILES
    return content_type in _READ_TYPES


def is_respelled(url: Url, canonical: Url) -> bool:
    """True when a page's canonical address is the page's own but for `index`, who came from where, and the like.

    Only then is it believed: many sites name their front page on every page, and the first part of a list on all.
    """
    return home_of(url) == home_of(canonical) and url != canonical and _bare(url) == _bare(canonical)


def _bare(url: Url) -> tuple[str, str]:
    path = url.path
    last = path.rpartition("/")[2]
    if last.lower().startswith("index.") and PurePosixPath(last).suffix.lower() in _PAGES:
        path = path.removesuffix(last)
    return path.rstrip("/"), without_tracking(url).query
