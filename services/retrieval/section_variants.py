"""What documents have parts on, and how headings call such a part."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from services.retrieval.tokens import tokens

_LINES = (Path(__file__).parent / "section_variants.txt").read_text(encoding="utf-8").splitlines()
VARIANTS: dict[str, frozenset[str]] = {
    part: frozenset(variants.split(", ")) for part, _, variants in (line.partition(": ") for line in _LINES)
}
"""For each part, in the singular, other headings of it, in lower case."""

_LONGEST_VARIANT = max(len(variant.split()) for variants in VARIANTS.values() for variant in variants)
_AND = re.compile(r"\s*(?:[,;/&|+–—]|\band\b|\s-\s)\s*")
_HEAD_ENDS = re.compile(r"\s+(?:of|in|at|for|with|from|until|on|since|as|by)\s+|[(:\[]")
_NUMBERING = re.compile(r"^(?:[\divx]+[.)]\s*)+|[^\w]+$")


def part_of(word: str) -> str | None:
    """Return the part that a word names, in the singular."""
    lower = word.lower()
    found = (one for one in (lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y") if one in VARIANTS)
    return next(found, None)


def variant_in(words: list[str]) -> str:
    """Return the longest of the other names of parts that stands among some words, in lower case."""
    lower = [word.lower() for word in words]
    known = frozenset[str]().union(*VARIANTS.values())
    for length in range(_LONGEST_VARIANT, 0, -1):
        spans = (" ".join(lower[start : start + length]) for start in range(len(lower) - length + 1))
        if found := next((span for span in spans if span in known), ""):
            return found
    return ""


def asks_for_part(question: str) -> bool:
    """True where a question may ask for a part of documents."""
    words = tokens(question)
    return any(part_of(word) is not None for word in words) or bool(variant_in(words))


def parts_asked(section_query: str) -> frozenset[str]:
    """Return the parts that a question for a section means, by its last word or by all of it."""
    named = {part for part, variants in VARIANTS.items() if section_query in variants}
    last = part_of(section_query.rpartition(" ")[2])
    return frozenset(named | {last} if last else named)


def is_on(heading: str, parts: frozenset[str]) -> bool:
    """True where a heading says that one of these parts follows: "Education", "2. Studies", "Degrees and awards"."""
    return not parts.isdisjoint(_parts_of(heading))


@lru_cache(maxsize=16_384)
def _parts_of(heading: str) -> frozenset[str]:
    return frozenset(part for piece in _pieces(heading) for part in _parts_named(piece))


def _pieces(heading: str) -> Iterator[str]:
    """What a heading joins by "and" and signs, without numbers before, and without what is said of it after."""
    for piece in (heading.lower(), *_AND.split(heading.lower())):
        for plain in (piece, _HEAD_ENDS.split(piece, maxsplit=1)[0], *piece.split(":")):
            yield _NUMBERING.sub("", plain.strip())


def _parts_named(piece: str) -> Iterator[str]:
    words = tokens(piece)
    if not words:
        return
    if last := part_of(words[-1]):
        yield last
    bare = " ".join(word for word in words if word not in ("my", "her", "his", "our", "the"))
    yield from (part for part, variants in VARIANTS.items() if bare in variants or _of_somebody(piece) in variants)


def _of_somebody(piece: str) -> str:
    """What follows a possessive: the "studies" of "Ada Lovelace's studies"."""
    return re.split(r"['’]s?\s+", piece)[-1]
