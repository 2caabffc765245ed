"""A line of what a model writes or a document says, as HTML that is safe to show: bold, code, links, citations."""

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from components.markup import clipped, text

Cite = Callable[[Sequence[int]], str]

_URL = r"(?:[^()\s<>\"]|\([^()\s<>\"]*\))+"
_CITED = r"\[\d{1,4}(?: ?[-–,;] ?\d{1,4})*\](?!\()"
_MOST_IN_RANGE = 50
_TOKEN = re.compile(
    r"\\(?P<escaped>[\\`*_{}\[\]()#+.!|~<>-])"
    r"|:pep:`(?P<pep>\d+)`"
    r"|:[\w:-]{1,40}:`~?(?P<role>[^`\n<]{1,200}?)(?:\s?<[^`\n]{0,200}>)?`"
    r"|`(?P<named>[^`\n<]{1,200}?)\s?<[^`\n]{0,200}>`_{1,2}"
    r"|`(?P<code>[^`\n]+)`"
    rf"|!\[(?P<alt>[^\[\]\n]*)\]\((?P<image>{_URL})?(?:\s[^()\n]*)?\)"
    rf"|\[(?P<words>[^\[\]\n]+)\]\((?P<target>{_URL})(?:\s[^()\n]*)?\)"
    r"|<?(?P<bare>https?://[^\s<>\"'`|\[\]]+)>?"
    rf"|\s*(?P<cited>{_CITED}(?:\s?{_CITED})*)(?P<stop>[.,;:!?]*)"
    r"|\*\*(?P<strong>[^*\n]+)\*\*"
    r"|(?<![*\w])\*(?P<stressed>[^*\s][^*\n]*)\*(?![*\w])"
)
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that turn the direction of writing around, and with it what a line seems to say."""
_LONGEST_TARGET = 90


def inline(words: str, cite: Cite) -> str:
    """A part of a line as HTML; `cite` gives that of citations like [1] or [1, 2], which stand behind a full stop."""
    words = words.translate(_TURNING)
    parts, at = list[str](), 0
    for token in _TOKEN.finditer(words):
        parts += [text(words[at : token.start()]), _token(token, cite)]
        at = token.end()
    return "".join([*parts, text(words[at:])])


def _token(token: re.Match[str], cite: Cite) -> str:
    found = {name: value for name, value in token.groupdict().items() if value is not None}
    if "cited" in found:
        return text(found["stop"]) + cite(_numbers(found["cited"]))
    if "alt" in found:
        return text(f"{found['alt'] or 'image'} (an image that is not shown)")
    if "target" in found:
        return _link(found["target"], found["words"]) or text(token[0])
    if "bare" in found:
        url = found["bare"].rstrip(".,;:!?)*_")
        return (_link(url, url) or text(url)) + text(found["bare"][len(url) :])
    if "pep" in found:
        return f"PEP {found['pep']}"
    if words := found.get("role") or found.get("named"):
        return text(words)
    if "code" in found:
        return f'<code class="a-code">{text(found["code"])}</code>'
    if "strong" in found:
        return f"<b>{inline(found['strong'], cite)}</b>"
    return f"<b>{inline(found['stressed'], cite)}</b>" if "stressed" in found else text(found["escaped"])


def _numbers(cited: str) -> list[int]:
    """The numbers of citations, [2-4] from end to end."""
    found = list[int]()
    for first, last in re.findall(r"(\d+)(?: ?[-–] ?(\d+))?", cited):
        span = range(int(first), int(last or first) + 1)
        found += span if 0 < len(span) <= _MOST_IN_RANGE else [int(first), int(last)]
    return list(dict.fromkeys(found))


def _link(url: str, words: str) -> str:
    """A link that says where it leads; "" for an address that is not one of a page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        return ""
    there = f' <span class="a-muted a-sm">({text(clipped(url, _LONGEST_TARGET))})</span>' if words != url else ""
    return f'<a href="{text(url)}" target="_blank" rel="noopener noreferrer nofollow">{text(words)}</a>{there}'
