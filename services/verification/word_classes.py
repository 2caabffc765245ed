"""General words of English that the check knows: opposites, what verbs mean, who does what. Of no subject matter."""

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from services.language.changes import ending_phrases, starting_verbs
from services.language.inflection import is_past, past_of, stem, stems_of


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_SYMMETRIC = frozenset(
    stems_of(
        sorted(
            word_set("""
    marry marri spouse wife husband wed sibling brother sister partner collaborate border neighbour neighbor
    adjacent connect meet friend colleague compete rival similar relate equal equivalent merge same ally
    cooperate twin cousin differ link associate""")
        )
    )
)


def lines_of(name: str) -> list[str]:
    """The lines of one of the lists beside this module."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()


_STATIVE = """
    be is are was were been being have has had having remain stay work live reside hold own serve lead manage
    run head chair belong contain include target depend use know report play employ stand keep base locate
    situate oversee direct supervise supervise sit lie possess maintain feature carry count rule govern teach
    study cover require need support speak act function operate host house consist comprise like love hate want
    exist call name marry"""
NEGATORS = word_set(
    "not no never none nobody nothing neither nor without cannot hardly scarcely nowhere refuse deny lack false untrue "
    "fail unable except instead"
)

REFUSALS = frozenset(stems_of(sorted(word_set("refuse decline reject spurn rebuff deny"))))
"""Stems of verbs that say that somebody did not want what was offered."""

FUNCTION = word_set("""
    be is are was were been being am have has had having do does did will would can could may might shall should
    must become became becomes since until till from to between during through throughout by in on at as of for
    with into onto within than then and or but while when where which who whom whose that this these those it
    its he she they his her their him them there here also still now currently today presently already yet once
    again later earlier previously formerly afterwards subsequently originally initially finally eventually only
    just about around roughly approximately nearly almost exactly precisely more less over under least most up
    out off an a the any some each every both all one ones same other another such so very not no never longer
    hence thus therefore however namely i.e e.g respectively onwards onward ago before after because due per
    well back if upon""")
"""Words that hold a sentence together."""

GENERAL = FUNCTION | word_set("""
    remain remained remains stay stayed stays hold held holds keep kept get got gets go went take took start
    started starts begin began begins begun end ended ends last lasted lasts stop stopped continue continued
    first second third time date day days week weeks month months year years decade decades century hour hours
    minute minutes period moment point graph record records recorded according fact facts state stated show
    shows shown list listed lists name named names call called undated present past beginning following next
    previous former current value total altogether together overall number count counted dated mid early late
    long short brief briefly entire whole full happened change changed changes move moved moves switch switched
    turn turned goes gone come came pass passed office power charge post role job place term tenure service
    spell stint phase era source sources say says said tell tells told quite match matches matched""")
"""Words of sentences about facts that name nothing in them."""


@functools.lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """The stem without the ending of who does it: "owner" and "owns" have the same, "manager" and "managed" too."""
    found = stem(word)
    for ending in ("er", "or", "ed", "e", "r"):
        if found.endswith(ending) and len(found) - len(ending) >= 3:
            return found[: -len(ending)]
    return found


def _read_opposites() -> dict[str, frozenset[str]]:
    opposites: dict[str, set[str]] = {}
    for line in lines_of("opposites.txt"):
        one, other = ([stem(word) for word in side.split()] for side in line.split("/"))
        for here, there in ((one, other), (other, one)):
            for word in here:
                opposites.setdefault(word, set()).update(there)
    return {word: frozenset(found) for word, found in opposites.items()}


def _read_meanings() -> dict[str, frozenset[tuple[str, bool]]]:
    """A meaning's words, then after the bar those that say it the other way round: who employs is worked for."""
    meanings: dict[str, set[tuple[str, bool]]] = {}
    for line in lines_of("meanings.txt"):
        name, words = line.split(":")
        for turned, side in enumerate(words.split("|")):
            for word in side.split():
                meanings.setdefault(root(word), set()).add((f"={name}", bool(turned)))
    return {word: frozenset(found) for word, found in meanings.items()}


_OPPOSITE_OF: Mapping[str, frozenset[str]] = _read_opposites()
_MEANING_OF: Mapping[str, frozenset[tuple[str, bool]]] = _read_meanings()
_STATIVE_STEMS = frozenset(map(stem, _STATIVE.split()))
_ENDING_STEMS = frozenset(stem(phrase) for phrase in ending_phrases() if " " not in phrase)
_ENDING_BY_FORM = frozenset(map(stem, word_set("separate trade exchange fire yield strip axe")))
"""Stems of ending verbs that are nouns, adjectives or verbs of what lasts as well: only a past form tells of an end."""
_STARTING_STEMS = frozenset(stem(past_of(verb)) for verb in starting_verbs()) - _STATIVE_STEMS


def opposites(stemmed: str) -> frozenset[str]:
    """The stems that mean the opposite of a stem, where they are known."""
    return _OPPOSITE_OF.get(stemmed, frozenset())


COARSE = frozenset(("=whole",))
"""Meanings that tell who has whom, not what is said: one buys what is then a part of it."""


@functools.lru_cache(maxsize=65_536)
def meanings(word: str) -> frozenset[tuple[str, bool]]:
    """What a word says: its own root, and the meanings that it shares; True for one it says the other way round."""
    own, is_done_to = root(word), word.lower().removesuffix("s").endswith("ee") and len(word) > 5
    return frozenset((name, turned != is_done_to) for name, turned in (*_MEANING_OF.get(own, ()), (own, False)))


def is_symmetric(words: Iterable[str]) -> bool:
    """True for a relation that holds both ways round: its words say "married", "borders", "similar"."""
    relation = frozenset(words)
    return "into" not in relation and any(stem(word) in _SYMMETRIC for word in relation)


def is_stative(word: str) -> bool:
    """True for a verb that tells what lasts ("is", "works"), not what happens."""
    return stem(word) in _STATIVE_STEMS


def is_ending(word: str) -> bool:
    """True for a word that tells that something ended."""
    return stem(word) in _ENDING_STEMS and word.lower() != "quite"


def says_end(word: str) -> bool:
    """True for an ending word that is nothing else: "left", "fired", but neither "a fire" nor "a separate unit"."""
    return is_ending(word) and (stem(word) not in _ENDING_BY_FORM or is_past(word.lower()))


def is_starting(word: str) -> bool:
    """True for a verb that tells that something began."""
    return stem(word) in _STARTING_STEMS


def is_negator(word: str) -> bool:
    """True for a word, in any form, that turns what a clause says: "never", "failed"."""
    return word in NEGATORS or stem(word) in NEGATORS


def is_negative(word: str) -> bool:
    """True for a word that turns what a clause of free text says."""
    return (word in NEGATORS and word not in ("instead", "except")) or word.endswith("n't")
