"""What a page's HTML says to a crawler: its links, its canonical address, and what it asks not to be done.

The tags are found by a scan of limited effort that no page can make long, and that needs no parser of pages.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_MOST_CHARACTERS = 2_000_000
"""Links are looked for among so many."""
_MOST_LINKS = 5_000
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HIDDEN = re.compile(r"<(script|style|template|textarea|noframes|xmp)\b.*?(?=</\1|\Z)", re.IGNORECASE | re.DOTALL)
"""What is not shown; a comment or a script that is not closed goes on to the end, as it does for browsers."""
_TAG = re.compile(
    r"<(a|area|base|link|meta)(?=[\s/])((?:[^<>\"']{1,500}+|\"[^\"]{0,2000}+\"|'[^']{0,2000}+'){0,40}+)>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"([a-z-]{1,20})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>`]+))", re.IGNORECASE)
_REFRESH = re.compile(r"\s{0,9}[0-5](?:\.\d{0,9})?\s{0,9}[;,]\s{0,9}url\s{0,9}=\s{0,9}['\"]?([^'\"\s]+)", re.IGNORECASE)
"""Where a page leads within five seconds."""
_NEVER = ("javascript:", "mailto:", "tel:", "data:", "#")


@dataclass(frozen=True, slots=True)
class Markup:
    """Links and addresses are as the page writes them, to be joined with `base`, which is empty where it has none.

    `refresh` is where its `<meta>` leads at once, as a redirect does.
    `index` and `follow` are False where its robots `<meta>` asks that it not be kept, or its links not be followed.
    """

    links: tuple[str, ...] = ()
    canonical: str = ""
    base: str = ""
    refresh: str = ""
    index: bool = True
    follow: bool = True


def read_markup(text: str, agent: str) -> Markup:
    """What the page says to the crawler named `agent`. Whatever is wrong with it, nothing is raised."""
    links = dict[str, None]()
    canonical = base = refresh = ""
    asked = set[str]()
    for tag, given in _tags(_HIDDEN.sub("", _COMMENT.sub("", text[:_MOST_CHARACTERS]))):
        href = given.get("href", "").strip()
        rel = given.get("rel", "").lower().split()
        if tag in ("a", "area") and href and "nofollow" not in rel and not href.lower().startswith(_NEVER):
            links.setdefault(href)
        elif tag == "base":
            base = base or href
        elif tag == "link" and "canonical" in rel:
            canonical = canonical or href
        elif tag == "meta" and given.get("name", "").lower() in ("robots", agent.lower()):
            asked |= wishes(given.get("content", ""))
        elif tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            found = _REFRESH.match(given.get("content", ""))
            refresh = refresh or (found[1] if found else "")
        if len(links) >= _MOST_LINKS:
            break
    return Markup(tuple(links), canonical, base, refresh, "noindex" not in asked, "nofollow" not in asked)


def wishes(text: str) -> set[str]:
    """What a robots `<meta>` or an `X-Robots-Tag` asks for; "none" is both that crawlers know of."""
    rules = {word.strip().lower() for word in text.split(",")}
    return rules | ({"noindex", "nofollow"} if "none" in rules else set())


def _tags(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    for found in _TAG.finditer(text):
        given = dict[str, str]()
        for name, *values in _ATTRIBUTE.findall(found[2]):
            given.setdefault(name.lower(), html.unescape("".join(values)))
        yield found[1].lower(), given
