"""Small repairs of a text before it is parsed, which only put words in: notes leave out what a parser needs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from services.extraction.rules.markup import CODE_END, CODE_START, Block, Traced, blocks
from services.extraction.rules.verb_lexicon import verbs
from services.extraction.rules.word_categories import THINGS, known
from services.language.inflection import past_of, third_person

STAND_IN = "Microsoft"
_PHRASE = re.compile(r" (?:[a-z]+|I+|IV|V) | [a-z]+$|^(?:The|A|With|In|On|Of|To) |['’]s ")
_QUOTED_CODE = re.compile(f"{CODE_START}[^{CODE_END}]+{CODE_END}(?: v?\\d+(?:\\.\\d+)+)?")
_CODE = re.compile(
    r"(?<![\w.-])(\w+(?:\.\w+)*\(\)|__\w+__|[a-z]\w*(?:\.[a-zA-Z_]\w+)+(?:\(\))?|\w*[a-z]_[a-z]\w*)(?![\w(])"
)
_START = r"(?:^|(?<=[.!?;:] )|(?<=\] ))"
_USER = re.compile(_START + r"(?=[Uu]ser(?:'s|’s)? [a-z])")
_TAG = re.compile(r"^\s*\[[\w -]+\]\s*")


def prepared(text: str, title: str = "") -> Iterator[Block]:
    """The readable blocks of a text, repaired. A title that reads like a phrase ("Broadway or Bust") is one name."""
    named = re.sub(r"\s*\([^)]*\)$", "", title)
    phrase = named if _PHRASE.search(f"{named} ") else ""
    for block in blocks(text):
        prose, implied = repaired(block.prose)
        numbered, implied, names = _numbered(prose, implied, phrase)
        as_read = prose.text.replace(CODE_START, "").replace(CODE_END, "")
        yield replace(block, prose=numbered, implied=implied, names=names, as_read=as_read)


def repaired(prose: Traced) -> tuple[Traced, frozenset[int]]:
    """The text with articles, copulas and subjects put in, and where subjects were put in."""
    prose = prose.keeping(_TAG, 0)
    for match in reversed(list(re.finditer(r";(?= \w+ \w+ \w+)", prose.text))):
        if len(prose.text[: match.start()].split()) > 2 and "(" not in prose.text[match.start() :].split(")")[0][:40]:
            prose = _swapped(prose, match.start(), match.end(), ".")
    for match in reversed(list(_USER.finditer(prose.text))):
        if prose.text[match.start()] == "U":
            prose = Traced(prose.text[: match.start()] + "u" + prose.text[match.start() + 1 :], prose.places)
        prose = prose.put(match.start(), "The ")
    implied: list[int] = []
    for match in reversed(list(_subjectless().finditer(prose.text))):
        rest = prose.text[match.end() :].split(".")[0]
        past = match["past"] or match["born"]
        if past and re.search(r", (?:[A-Z]|the |he |she |it |they )", rest):
            continue
        words = "It was " if match["born"] else "It "
        implied = [place + len(words) for place in implied]
        prose = prose.put(match.start(), words)
        implied.append(match.start())
    return prose, frozenset(implied)


_NUMBERED = re.compile(
    r"\b(?:(?P<word>[A-Z][\w+#]*|[a-z][a-z_]*(?:-[a-z_]+)*) (?=v?\d+(?:\.\d+)+\b)"
    r"|(?P<name>[A-Z][A-Za-z+#]+) (?=v?\d{1,4}\b(?![,.:]?\d)))"
)


def _numbered(prose: Traced, implied: frozenset[int], title: str = "") -> tuple[Traced, frozenset[int], dict[int, str]]:
    """Names that a parser cannot know, as one that every parser knows; and what stands where.

    Names with numbers ("PEP 484"), code ("print()") and a lone name before its verb ("Tern runs on"): a parser trained
    on news reads "PEP 484 introduced hints" as hints that were introduced.
    """
    names: dict[int, str] = {}
    text, last = "", 0
    places: list[int] = []
    shifted: dict[int, int] = {}
    for start, end in _unknown_names(prose.text, title):
        if start < last:
            continue
        text += prose.text[last:start]
        places += prose.places[last:start]
        shifted[start] = len(text)
        names[len(text)] = prose.text[start:end].strip(f"{CODE_START}{CODE_END}").replace(CODE_END, "")
        text += STAND_IN
        places += [prose.places[start]] * (len(STAND_IN) - 1) + [prose.places[end - 1]]
        last = end
    moved = frozenset(_shifted_place(place, shifted, names) for place in implied)
    return Traced(text + prose.text[last:], (*places, *prose.places[last:])), moved, names


def _unknown_names(text: str, title: str) -> list[tuple[int, int]]:
    """Where such names stand, in order."""
    found = [match.span() for match in re.finditer(rf"\b{re.escape(title)}\b", text)] if " " in title else []
    for match in _NUMBERED.finditer(text):
        word = match["word"] or match["name"]
        number = re.match(r"v?\d+(?:\.\w+)*(?:-(?:rc|beta|alpha)\w*)?\+?", text[match.end() :])
        year = number is not None and re.fullmatch(r"(?:19|20)\d\d", number[0]) and not word.isupper()
        if number is not None and not year and word.lower() not in known("unnumbered"):
            found.append((match.start(), match.end() + len(number[0])))
    found += [match.span() for match in _QUOTED_CODE.finditer(text)]
    found += [match.span(1) for match in _CODE.finditer(text)]
    found += [match.span(1) for match in _opening().finditer(text) if not _is_common(match[1].lower())]
    return sorted(found, key=lambda place: (place[0], -place[1]))


def _is_common(word: str) -> bool:
    """True for what opens a sentence without being a name: "Support", "Everybody"."""
    ordinary = known("opener", *THINGS, "role", "generic", "wide", "addition")
    ends = re.search(r"(?:ly|ing|tion|sion|ment|ness|ity|ance|ence|age|ship|ism|ware|s)$", word)
    return word in ordinary or ends is not None


def _shifted_place(place: int, shifted: dict[int, int], names: dict[int, str]) -> int:
    before = [start for start in shifted if start < place]
    return place + sum(len(STAND_IN) - len(names[shifted[start]]) for start in before)


def _swapped(prose: Traced, start: int, end: int, words: str) -> Traced:
    places = (*prose.places[:start], *[prose.places[start]] * len(words), *prose.places[end:])
    return Traced(prose.text[:start] + words + prose.text[end:], places)


@lru_cache(maxsize=1)
def _subjectless() -> re.Pattern[str]:
    """A verb where a sentence starts: "Works nights", "prefers tea", "No longer uses", "Studied physics at"."""
    full = verbs() - {"be", "have"}
    third = "|".join(sorted(map(third_person, full)))
    pasts = {past_of(verb) for verb in full - {"found", "base", "locate", "house", "situate"}}
    past = "|".join(sorted(pasts - full))
    adverbs = r"(?:[Nn]o longer |[Aa]lso |[Nn]ow |[Ss]till |[Cc]urrently |[Mm]ainly )?"
    return re.compile(
        rf"{_START}(?={adverbs}(?:(?P<third>(?i:{third}))|(?P<past>(?i:{past}))|(?P<born>[Bb]orn)) (?:[A-Za-z]|\d))"
    )


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    """A lone capitalised word before a verb where a sentence starts: "Tern runs on", "Ida married"."""
    full = verbs() - {"be", "have"}
    forms = "|".join(sorted({*map(third_person, full), *map(past_of, full)}))
    return re.compile(rf"{_START}([A-ZÀ-Þ][\w-]*[a-zA-Z]) (?=(?:now |also |still |currently )?(?:{forms})\b)")
