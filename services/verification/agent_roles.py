"""Who does what to whom: a sentence's verbs and nouns, each with which of two names is the one that does it."""

import functools
from collections.abc import Sequence

from services.language.inflection import is_past
from services.language.relation_names import relation_words
from services.verification.sentence_reading import Name, ReadWord, plain, read
from services.verification.word_classes import FUNCTION, meanings, root, word_set

_BE = word_set("be is are was were been being get gets got became become 's")
_PREPOSITIONS = word_set("by at in on of for to from with under into within as near behind about over")
_DETERMINERS = word_set(
    "the a an its his her their our this that these those one another former current present first new"
)
_IN_LIST = word_set(", and or & / both as well") | {"(", ")"}
_ACTION_ENDINGS = ("tion", "sion", "ment")
_NO_ACTIONS = word_set(
    "replacement division position nation station function section institution department government apartment"
)
_REIGNS = word_set("reign rule leadership ownership tenure")
_PASSIVE_WITHOUT_BY = word_set("employ hire engag appoint own contain")
"""Roots of verbs whose passive names who does it by other words: "employed at"."""

Agents = dict[str, str]
"""For each meaning of a verb or noun, the key of the name that does it, holds it or is it."""


def agents(words: Sequence[ReadWord], one: str, other: str) -> Agents:
    """What the words tell of two names, given by their keys: for each meaning, which of them is the agent."""
    first, second = _places(words, one, other)
    if first is None or second is None:
        return {}
    found: Agents = {}
    for place, word in enumerate(words):
        if word.name or not word.is_word or word.lower in FUNCTION:
            continue
        agent = _agent(words, place, first, second)
        if agent is None:
            continue
        partner = second if agent == first else first
        is_noun = _is_noun(words, place)
        if is_noun and is_past(word.lower):
            continue  # "the approved dose"
        is_place = is_noun and _is_place(word)
        for meaning, backwards in meanings(word.lower):
            turned = backwards != is_place
            if is_noun and not meaning.startswith("="):
                meaning = f"{meaning} (noun)"  # "its premiere" does not say who does it as "premiered" does
            found.setdefault(meaning, words[partner if turned else agent].name)
    return found


def agents_of_fact(source: str, relation: str, target: str, text: str) -> Agents:
    """The same of a fact, from its relation's name and from its text."""
    names = [Name(source), Name(target)]
    found: Agents = {}
    if text:
        found |= agents(read(plain(text), names).words, names[0].key, names[1].key)
    for meaning, is_source in _agents_of_relation(relation_words(relation)).items():
        found.setdefault(meaning, names[0].key if is_source else names[1].key)
    return found


@functools.lru_cache(maxsize=4096)
def _agents_of_relation(parts: tuple[str, ...]) -> dict[str, bool]:
    """Return for each meaning of a relation's name whether the source is the one that does it."""
    words = read(plain(f"¤ {' '.join(parts)} ¥"), [Name("¤"), Name("¥")]).words
    return {meaning: agent == "¤" for meaning, agent in agents(words, "¤", "¥").items()}


def _places(words: Sequence[ReadWord], one: str, other: str) -> tuple[int | None, int | None]:
    """Where the two names stand, the nearest such pair, the first before the second."""
    ones = [i for i, word in enumerate(words) if word.name == one]
    others = [i for i, word in enumerate(words) if word.name == other]
    if not ones or not others:
        return None, None
    pair = min(((abs(i - j), i, j) for i in ones for j in others if i != j), default=None)
    return (None, None) if pair is None else (min(pair[1:]), max(pair[1:]))


def _agent(words: Sequence[ReadWord], place: int, first: int, second: int) -> int | None:
    """Which of two names does what the word at `place` says; None where that cannot be told."""
    if place + 1 in (first, second) and words[place].text[:1].isupper() and place:
        return place + 1  # "Mayor Petrov"
    if _is_noun(words, place):
        return second if _is_beside_its_own(words, place, second) else _holder(words, place, first, second)
    if place < first and words[place].lower.endswith("ing") and not _has_be(words[:place]):
        return second  # "Succeeding Ada, Bo …"
    if not first < place < second:
        return None
    return second if _preposition(words, second) == "by" or _is_employed(words, place) else first


def _is_employed(words: Sequence[ReadWord], place: int) -> bool:
    """True for "was employed at": who does it is named without a "by"."""
    is_passive = is_past(words[place].lower) and _has_be(words[max(0, place - 3) : place])
    return is_passive and root(words[place].lower) in _PASSIVE_WITHOUT_BY


def _is_noun(words: Sequence[ReadWord], place: int) -> bool:
    if [after.lower for after in words[place + 1 : place + 2]] == ["of"]:
        return True
    word, before = words[place], words[place - 1]
    if not place or word.lower.endswith("ing"):
        return False
    earlier = words[place - 2] if place > 1 else None
    if before.lower == "'s" or (before.lower == "'" and earlier is not None and earlier.name):
        return True
    is_participle = is_past(word.lower)
    if word.lower.endswith("s") and word.start - before.end > MOST_BETWEEN and not before.name:
        return True  # "three statuses"
    if before.name and not is_participle and not word.lower.endswith("s") and _has_be(words[:place]):
        return True
    if before.lower in _DETERMINERS or is_participle:
        return before.lower in _DETERMINERS
    is_led = earlier is not None and earlier.lower in ("'s", "the", "a", "an", "its") and not before.name
    return is_led or before.lower in ("as", "has", "have", "had")


def _has_be(words: Sequence[ReadWord]) -> bool:
    return any(word.lower in _BE for word in words if not word.name)


def _holder(words: Sequence[ReadWord], place: int, first: int, second: int) -> int | None:
    """Who holds what a noun names: not whose it is. Of "the author of X is Y" and "X's author is Y", that is Y."""
    if first < place < second and words[place - 1].lower in _ITS:
        return second
    if second < place and [w.lower for w in words[place - 2 : place]][:1] == ["as"] and words[place - 1].lower in _ITS:
        is_of_first = words[second - 1].lower in _PREPOSITIONS | {"after", "before"}
        return (
            first if is_of_first else second
        )  # "Ada appointed Bo as her deputy", "Ada came after Bo as his successor"
    is_action, pairs = _names_action(words[place]), ((first, second), (second, first))
    for i, other in pairs:
        if not is_action and ((i == place - 2 and _owns(words, i, place)) or _is_of(words, i, place)):
            return other
    for i, other in pairs:
        if _owns(words, i, place):
            return i if is_action else other
    verbs = {word.lower for word in words[first + 1 : min(second, first + 5)]}
    return second if verbs & _HAVING and first < place else None


def _is_of(words: Sequence[ReadWord], i: int, place: int) -> bool:
    """True for the name of "the author of X"."""
    if not 0 < i - place <= 5 or any(word.name for word in words[place + 1 : i]):
        return False
    return _preposition(words, i) in ("of", "for", "at", "in", "to", "behind")


def _names_action(word: ReadWord) -> bool:
    """True for a noun that names what is done: "translation"."""
    return word.lower in _REIGNS or (word.lower.endswith(_ACTION_ENDINGS) and word.lower not in _NO_ACTIONS)


def _owns(words: Sequence[ReadWord], i: int, place: int) -> bool:
    """True for the name of "X's former author"."""
    if not i < place <= i + 5 or words[i + 1].lower not in ("'s", "'"):
        return False
    return not any(word.name or word.lower in _PREPOSITIONS or word.lower == "as" for word in words[i + 2 : place])


def _is_beside_its_own(words: Sequence[ReadWord], place: int, second: int) -> bool:
    """True for "in the state Accepted" and "in the Accepted state"."""
    if place + 1 == second:
        return words[place - 1].lower in _DETERMINERS
    is_state = any(meaning == "=state" for meaning, _ in meanings(words[place].lower))
    return place - 1 == second and is_state and bool(_preposition(words, second))


_ITS = word_set("its his her their")
_HAVING = word_set("has have had lists names with")


def _is_place(word: ReadWord) -> bool:
    """True for a noun that is where something is: "headquarters", "home"; not for who lives there."""
    return not word.lower.removesuffix("s").endswith(("ent", "ant")) and any(
        meaning == "=locate" or (meaning == "=birth" and "place" in word.lower) for meaning, _ in meanings(word.lower)
    )


def _preposition(words: Sequence[ReadWord], place: int) -> str:
    """The preposition that governs a name, over what stands before it in a list and its article."""
    for i in range(place - 1, max(-1, place - 12), -1):
        word = words[i]
        if words[i + 1].start - word.end > MOST_BETWEEN:
            return ""  # a date or a number stood between them: "in 2010 Ada …"
        if word.lower in _PREPOSITIONS:
            return word.lower
        if word.lower in _DETERMINERS and words[i + 1].lower == ",":
            return ""  # "at present, Ada …"
        in_list = word.lower in _IN_LIST or (word.name and i + 1 < place and words[i + 1].lower in _IN_LIST)
        if not (in_list or word.lower in _DETERMINERS or (i == place - 1 and _qualifies(words, i))):
            return ""
    return ""


MOST_BETWEEN = 3


def _qualifies(words: Sequence[ReadWord], place: int) -> bool:
    """True for a noun between a preposition or an article and a name: "by the brewer Edmund"."""
    before = words[place - 1].lower if place else ""
    return words[place].lower not in FUNCTION and before in (_DETERMINERS | _PREPOSITIONS)
