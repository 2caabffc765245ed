"""A sentence as the check reads it: its names, dates, numbers and words, each with its place."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.language.inflection import stem
from services.language.names import without_accents
from services.language.quantities import Quantity, quantities
from services.retrieval.tokens import STOP_WORDS
from services.verification.stated_dates import StatedDate, stated_dates
from services.verification.word_classes import lines_of, word_set

Span = tuple[int, int]

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
_MARKUP = re.compile(r"\*\*|__|~~|(?<!\w)[*_](?=\w)|(?<=[\w.!?,:])[*_](?!\w)|`|^\s*(?:#+|>|[-*+])\s+")
_WORD = re.compile(r"'s\b|[^\W\d_](?:[\w]|['.+#/-](?=\w))*[+#]*|\d(?:[\w]|[.,:/-](?=\w))*|[^\w\s]")
_LEGAL = word_set("inc inc. ltd ltd. llc corp corp. corporation gmbh co co. company plc ag limited")
_UNDATED = re.compile(
    r"""\s*\((?:undated|[^()]*\b(?:no\ (?:known\ )?dates?|dates?\ unknown)\b[^()]*)\)
      | ,?\s*(?:(?:al)?though\s+|but\s+)?(?:since\ when|whose\ (?:\w+\ )?(?:date|start))\ (?:is|was)\ (?:not|un)\s?
        (?:recorded|known|given|stated|clear|dated),?
      | \s*[,;–-]\s*(?:undated
        |(?:(?:the|this)\ (?:record|fact)\ (?:has|gives|states)|with|there\ is)\ no\ (?:known\ )?dates?)
        (?=\s*[.;,]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_ENDED_UNKNOWN = re.compile(r"\s*[;,]?\s*ended, date unknown \(before ([^()]*)\)", re.IGNORECASE)
"""How an end that nobody knows is said: it was there by the day on which it was recorded."""
_TITLES = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|Sir|Dame)\b\.?\s+(?=[A-Z])")
_BRACKETS = re.compile(r"\s*\([^)]*\)")
_NUMBERED = re.compile(r"(\w+?)[\s-]+([\d][\w.]*)")

_IDIOMS = tuple(
    (rf"(?:{phrase})(?:(?<!\s)(?!\w)|(?<=\s))", words)
    for phrase, words in (line.split(" => ") for line in lines_of("idioms.txt"))
)
"""Turns of phrase, each as an expression, with the words that say the same."""

_IDIOM = re.compile(rf"\b(?:{'|'.join(phrase for phrase, _ in _IDIOMS)})")
"""Any of them, in small letters: to look for either case, or to name each, takes five times as long."""


def plain(text: str) -> str:
    """Return a sentence without Markdown, accents, and turns of phrase that say what one verb says."""
    if "date unknown" in text:
        text = _ENDED_UNKNOWN.sub(r" and it ended by \1", text)
    bare = without_accents(_TITLES.sub("", _UNDATED.sub("", _MARKUP.sub("", _LINK.sub(r"\1", text)))))
    for match in reversed(list(_IDIOM.finditer(bare.lower()))):
        bare = bare[: match.start()] + _plain_words(match) + bare[match.end() :]
    return bare


def _plain_words(match: re.Match[str]) -> str:
    return next(words for phrase, words in _IDIOMS if re.compile(phrase).match(match.string, match.start()))


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word or a mark of a sentence. `name` is the key of the name that stands here as a whole."""

    text: str
    lower: str
    start: int
    end: int
    name: str = ""

    @property
    def is_word(self) -> bool:
        """True for what is no mark of punctuation."""
        return self.lower[:1].isalnum()


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence read: words in order, with names, dates and numbers taken out of the plain words.

    `words` holds one word for each name. A date's or a number's words are not among them.
    """

    text: str
    words: tuple[ReadWord, ...]
    names: tuple[ReadWord, ...]
    dates: tuple[StatedDate, ...]
    numbers: tuple[Quantity, ...]


class Name:
    """A name to look for: `key` tells it from others, `short` are shorter ways to write it."""

    __slots__ = ("cased", "key", "lower_word", "number", "short", "stemmed")

    def __init__(self, name: str) -> None:
        self.cased = _TITLES.sub("", without_accents(name)).strip()
        self.key = self.cased.lower()
        parts = self.cased.split()
        numbered = _NUMBERED.fullmatch(self.cased)
        self.number = (numbered[1].lower(), numbered[2].lower()) if numbered else None
        self.stemmed = stem(self.key) if len(parts) == 1 and self.key.isalpha() and len(self.key) > 3 else ""
        self.short = tuple(_shortened(self.cased, parts))

    @property
    def is_number(self) -> bool:
        """True for what is a number or a date rather than a name: "1,180", "340 people"."""
        return self.cased[:1].isdigit() or self.cased[:1] in "$£€-+"


def _shortened(name: str, parts: list[str]) -> Iterable[str]:
    """Without brackets, "Inc." and "The", without initials, by initials alone, and the last and first word."""
    bare = _BRACKETS.sub("", name).strip()
    words = _without_legal_form(bare.split())
    if words != parts and words:
        yield " ".join(words).rstrip(",")
    capital = next((i for i, word in enumerate(words) if not word[0].islower()), 0)
    if capital > 0:
        yield " ".join(words[capital:])
    if len(words) > 1 and not any(character.isdigit() for character in name):
        yield from _of_several(words, bare)


def _without_legal_form(words: list[str]) -> list[str]:
    while len(words) > 1 and words[-1].lower().strip(",") in _LEGAL:
        words = words[:-1]
    return words[1:] if len(words) > 1 and words[0].lower() in ("the", "a") else words


def _of_several(words: list[str], bare: str) -> Iterable[str]:
    full = [word for word in words if not re.fullmatch(r"(?:\w\.)+|\w", word)]
    if len(full) < len(words):
        yield " ".join(full)
    if len(words) > 2:
        yield " ".join(words[1:])
        yield " ".join(words[-2:])
    initials = "".join(word[0] for word in re.split(r"[\s-]+", bare) if word[:1].isupper())
    if len(initials) > 1:
        yield initials
    for word in (words[-1], words[0]):
        if len(word) > 2 and word[0].isupper() and word.lower() not in STOP_WORDS:
            yield word


def read(text: str, cited: Sequence[Name], others: Sequence[Name] = ()) -> ReadSentence:
    """Read a plain sentence. `cited` are the names of its records, `others` what else the turn's records name."""
    lower = text.lower()
    spans: list[tuple[int, int, str]] = []
    taken = bytearray(len(text) + 1)
    known = [(name.key, name, True) for name in cited if not name.is_number]
    known += [(name.cased, name, False) for name in others if not name.is_number]
    for spelt, name, is_cited in sorted(known, key=lambda one: (-len(one[0]), not one[2])):
        _mark(lower if is_cited else text, spelt, name.key, taken, spans)
    found = {key for _, _, key in spans}
    for name in cited:
        for short in name.short if name.key not in found else ():
            if _mark(text, short, name.key, taken, spans):
                break
    _mark_stems(lower, cited, taken, spans)
    _mark_numbers(lower, cited, taken, spans)
    return _reading(text, spans, taken)


def _mark(text: str, spelt: str, key: str, taken: bytearray, spans: list[tuple[int, int, str]]) -> bool:
    """Mark each free place where a name stands as a whole."""
    before = len(spans)
    at = text.find(spelt) if spelt else -1
    while at >= 0:
        end = at + len(spelt)
        if _is_whole(text, at, end) and not any(taken[at:end]):
            taken[at:end] = b"\x01" * (end - at)
            spans.append((at, end, key))
        at = text.find(spelt, at + 1)
    return len(spans) > before


def _is_whole(text: str, at: int, end: int) -> bool:
    """True where neither side goes on: "Python 3.1" is not in "Python 3.11", nor in "Python 3.1.2"."""
    before, after = text[at - 1 : at], text[end : end + 2]
    if (before.isalnum() and text[at].isalnum()) or before == "_":
        return False
    if not text[end - 1].isalnum():
        return True
    return not (
        after[:1].isalnum()
        or after[:1] == "_"
        or (after[:1] in ".-" and after[1:].isdigit() and text[end - 1].isdigit())
    )


def _mark_stems(lower: str, cited: Sequence[Name], taken: bytearray, spans: list[tuple[int, int, str]]) -> None:
    """A name of one word also stands where another form of it does: "Accepted" in "acceptance"."""
    found = {key for _, _, key in spans}
    wanted = {name.stemmed: name.key for name in cited if name.stemmed and name.key not in found}
    if not wanted:
        return
    for match in re.finditer(r"[a-z]{4,}", lower):
        found_stem = stem(match[0])
        key = wanted.get(found_stem)
        if key and not any(taken[match.start() : match.end()]):
            taken[match.start() : match.end()] = b"\x01" * len(match[0])
            spans.append((*match.span(), key))


def _mark_numbers(lower: str, cited: Sequence[Name], taken: bytearray, spans: list[tuple[int, int, str]]) -> None:
    """In "PEPs 484 and 526" each number is a name."""
    found = {key for _, _, key in spans}
    for name in cited:
        if name.number and name.key not in found and re.search(rf"\b{re.escape(name.number[0])}s?\b", lower):
            _mark(lower, name.number[1], name.key, taken, spans)


def _reading(text: str, spans: list[tuple[int, int, str]], taken: bytearray) -> ReadSentence:
    free = "".join("¦" if taken[i] else c for i, c in enumerate(text)) if spans else text
    found_dates = stated_dates(free)
    masked = _masked(free, [(one.start, one.end) for one in found_dates])
    found_numbers = quantities(masked)
    masked = _masked(masked, [(one.start, one.end) for one in found_numbers])
    words = [
        ReadWord(match[0], match[0].lower(), match.start(), match.end())
        for match in _WORD.finditer(masked)
        if match[0] != "¦"
    ]
    names = [ReadWord(text[start:end], text[start:end].lower(), start, end, key) for start, end, key in spans]
    inside = sorted([*words, *names], key=lambda word: word.start)
    return ReadSentence(
        text, tuple(inside), tuple(sorted(names, key=lambda word: word.start)), tuple(found_dates), tuple(found_numbers)
    )


def _masked(text: str, spans: Iterable[Span]) -> str:
    for start, end in spans:
        text = text[:start] + "¦" * (end - start) + text[end:]
    return text
