"""Whether two clauses in free text have the two sides of a verb the other way round."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from services.language.inflection import IRREGULAR_VERBS, is_past
from services.retrieval.tokens import STOP_WORDS
from services.verification.sentence_reading import ReadWord
from services.verification.word_classes import GENERAL, is_stative, meanings, root, word_set

SPEAKER = dict.fromkeys(["i", "me", "my", "we", "us", "our", "mine", "user", "i'm", "i've", "i'd", "i'll"], "user")
"""In a conversation what the user says of "me" is said of the user."""

_BREAKS = word_set(
    ", ; : . and but or who which that because while where than when if as until before after once since"
)
_BE = word_set("be is are was were been being get got stay stays stayed remain remains remained")
_BEFORE_NOUNS = word_set(
    "the a an its his her their my our your this that these those of in at on for with 's no some any under by from "
    "into"
)
_HAVE = word_set("has have had")
_RELATIVES = word_set("that which who")
_PRONOUNS = word_set("he she it they who which that")
_NOUNS_LIKE_PASTS = word_set("ground wound felt saw")
_MODALS = word_set("to can may must will would should could did does do not")
Sides = tuple[frozenset[str], frozenset[str]]


def are_swapped(one: Sequence[ReadWord], other: Sequence[ReadWord]) -> bool:
    """True when what stands before a verb in one text stands behind it in the other."""
    names = {root(SPEAKER.get(word.lower, word.lower)) for word in (*one, *other) if is_name_like(word)}
    verbs = list(_verbs(other))
    for meaning, place, turned in _verbs(one):
        for meaning_there, there, turned_there in verbs:
            if meaning == meaning_there:
                mine = _sides(one, place) if turned == turned_there or not turned else _turned_sides(one, place)
                theirs = _sides(other, there) if turned == turned_there or turned else _turned_sides(other, there)
                if turned != turned_there and not (mine[0] and theirs[0]):
                    continue
                is_intransitive = _is_without_object(mine, theirs) or _is_without_object(theirs, mine)
                if not is_intransitive and _cross(mine, theirs, names):
                    return True
    return _moves_back(one, other) or _compares_back(one, other) or _belongs_back(one, other)


def _is_without_object(passive: Sides, active: Sides) -> bool:
    """True for "was opened" beside "opened": nobody did it, and it was done to nothing else."""
    return not passive[0] and not active[1]


def slots(words: Sequence[ReadWord]) -> dict[int, str]:
    """For each word, by its start, what it is of its clause: "does", "done", or the preposition that it follows."""
    found, slot, begun, is_passive = dict[int, str](), "does", 0, False
    for place, word in enumerate(words):
        lower = word.lower
        if lower in _BREAKS and lower not in ("and", "or", ","):
            slot, begun, is_passive = "does", place, False
        elif lower in _BE or lower in _HAVE or (is_past(lower) and not word.text[:1].isupper()):
            if is_passive := is_past(lower) and any(one.lower in _BE for one in words[max(0, place - 3) : place]):
                found |= {one.start: "done" for one in words[begun:place] if found.get(one.start) == "does"}
            slot = "done"
        elif lower in _SLOTS:
            slot = "does" if lower == "by" and is_passive else lower
        found[word.start] = slot
    return found


_SLOTS = frozenset(("by", "of", "in", "at", "on", "to", "from", "for", "with", "as", "into", "under", "near"))


def is_name_like(word: ReadWord) -> bool:
    """True for a capitalised word, and for the speaker."""
    return (word.text[:1].isupper() and word.lower not in GENERAL) or word.lower in SPEAKER


def _cross(mine: Sides, theirs: Sides, names: set[str]) -> bool:
    """True when a side is on the other's other side, and none on its own; names count before other words."""
    mine, theirs = _apart(mine), _apart(theirs)
    a, b, c, d = (side & names for side in (*mine, *theirs))
    if (a & d and not a & c) or (b & c and not b & d):
        return True
    if a & c or b & d:
        return False
    if a and c:
        return True
    a, b, c, d = (*mine, *theirs)
    return bool(a & d and b & c and not a & c and not b & d)


def _apart(sides: Sides) -> Sides:
    """The sides without what both have: the "Malta" of "Malta's president gave it to the people of Malta"."""
    return sides[0] - sides[1], sides[1] - sides[0]


def _verbs(words: Sequence[ReadWord]) -> Iterator[tuple[str, int, bool]]:
    """Each meaning of the words that are verbs by their form or their place."""
    for place, word in enumerate(words):
        if word.is_word and not word.text[:1].isupper() and word.lower not in GENERAL and _is_verb(words, place):
            for meaning, turned in meanings(word.lower):
                yield meaning, place, turned


def _is_verb(words: Sequence[ReadWord], place: int) -> bool:
    word, before = words[place].lower, words[place - 1] if place else None
    if before is None or before.lower in _BEFORE_NOUNS or is_stative(word):
        return is_stative(word) and (before is None or before.lower not in _BEFORE_NOUNS) and not _is_noun(words, place)
    if word.endswith("ing") or (is_past(word) and word not in _NOUNS_LIKE_PASTS):
        return True
    if before.lower in _MODALS or before.lower in SPEAKER:
        return True
    if not word.endswith("s") and word not in IRREGULAR_VERBS:
        return False
    return is_name_like(before) or before.lower in _PRONOUNS or _has_object(words, place)


def _has_object(words: Sequence[ReadWord], place: int) -> bool:
    """True for the "mimics" of "the package mimics the module"."""
    after = words[place + 1] if place + 1 < len(words) else None
    is_noun_before = words[place - 1].is_word and words[place - 1].lower not in STOP_WORDS
    return is_noun_before and after is not None and after.lower in _ARTICLES


_ARTICLES = word_set("the a an its his her their this that these those")


def _is_noun(words: Sequence[ReadWord], place: int) -> bool:
    """True for the "lead" of "the team lead decides" and the "house" of "the customs house by the harbour"."""
    word, before = words[place].lower, words[place - 1] if place else None
    if before is None or word.endswith(("s", "ing")) or is_past(word):
        return False
    return not before.lower.endswith("s") or (place + 1 < len(words) and words[place + 1].lower in _PREPOSITIONS)


def _sides(words: Sequence[ReadWord], place: int) -> Sides:
    """What does it, and what it is done to, as far as the clause goes; a passive is turned round."""
    before, after = _subject(words[:place][::-1]), _until_break(words[place + 1 :])
    verb = words[place].lower
    is_passive = is_past(verb) and any(word.lower in _BE for word in words[max(0, place - 3) : place])
    by = next((i for i, word in enumerate(after) if word.lower == "by" and _is_followed(after, i)), None)
    instead = next((i for i, word in enumerate(after) if word.lower == "with"), None)
    if instead is not None and root(verb) == root("replace") and not is_passive:
        return _roots(after[instead + 1 :]), _roots(after[:instead])
    if by is not None and (is_passive or by == 0):
        return _roots(after[by + 1 :]), _roots(before) | _roots(after[:by])
    if is_passive:
        return frozenset(), _roots(before)
    return _roots(_heads(before)), _roots(after)


def _subject(before: Sequence[ReadWord]) -> Sequence[ReadWord]:
    """What stands before a verb, read backwards, over a clause in between: "A bug that came with 2.0 was closed"."""
    found = _until_break(_without_apposition(before))
    cut = before[len(found)].lower if len(before) > len(found) else ""
    own = [word for word in found if word.lower not in _BE | _HAVE]
    if cut in _RELATIVES and (not own or any(is_past(word.lower) for word in own)):
        return _until_break(before[len(found) + 1 :])
    return found


def _turned_sides(words: Sequence[ReadWord], place: int) -> Sides:
    """The sides of a verb that says it the other way round: of "A sold B to C" it is C that got B."""
    before, after = _sides(words, place)
    goal = next((i for i in range(place + 1, len(words)) if words[i].lower in ("to", "from")), None)
    to = _roots(_until_break(words[goal + 1 :])) if goal is not None else frozenset()
    return (to, before | (after - to)) if to else (after, before)


def _is_followed(words: Sequence[ReadWord], i: int) -> bool:
    """True for a "by" with a name or a noun right behind it, not an amount: "rose by 10% in May"."""
    return i + 1 < len(words) and words[i + 1].start - words[i].end <= 1 and words[i + 1].lower not in _PREPOSITIONS


_PREPOSITIONS = frozenset(
    (
        "in",
        "on",
        "at",
        "to",
        "by",
        "from",
        "for",
        "of",
        "with",
        "under",
        "into",
        "near",
        "since",
        "until",
        "after",
        "before",
        "during",
        "between",
        "over",
        "off",
        "down",
        "up",
        "out",
        "again",
        "later",
        "once",
        "twice",
    )
)


def _heads(before: Sequence[ReadWord]) -> Sequence[ReadWord]:
    """What stands before a verb, read backwards, without "to Dalness" in "a bus to Dalness"."""
    beside = next((i for i, word in enumerate(before[:3]) if word.lower == "with"), None)
    if beside:
        return before[:beside]  # "with Imhof conducting"
    cut = next((i for i, word in enumerate(before) if word.lower in ("to", "in", "at", "from", "near", "on")), None)
    return before if cut is None or cut + 1 >= len(before) else before[cut + 1 :]


def _until_break(words: Sequence[ReadWord]) -> Sequence[ReadWord]:
    """Up to the end of the clause; an apposition's comma right beside the verb is none."""
    first = 1 if words and words[0].lower == "," else 0
    end = next((i for i, word in enumerate(words) if i >= first and word.lower in _BREAKS), len(words))
    return words[:end]


def _without_apposition(before: Sequence[ReadWord]) -> Sequence[ReadWord]:
    """What stands before a verb, read backwards, without what is between two commas right before it."""
    if not before or before[0].lower != ",":
        return before
    other = next((i for i, word in enumerate(before) if i and word.lower == ","), None)
    return before if other is None else before[other + 1 :]


def _roots(words: Sequence[ReadWord]) -> frozenset[str]:
    lower = (SPEAKER.get(word.lower, word.lower) for word in words if word.is_word)
    return frozenset(
        root(word) for word in lower if word not in STOP_WORDS and word not in GENERAL and not is_stative(word)
    )


def _moves_back(one: Sequence[ReadWord], other: Sequence[ReadWord]) -> bool:
    """True when what the one has behind the "from" of a verb the other has behind its "to", or the other way round."""
    verbs, verbs_there = (
        {meaning for word in words if is_past(word.lower) for meaning, _ in meanings(word.lower)}
        for words in (one, other)
    )
    (origin, goal), (origin_there, goal_there) = (
        (_after(words, "from"), _after(words, "to")) for words in (one, other)
    )
    from_goal = origin_there and origin & goal_there and not origin & origin_there
    to_origin = goal_there and goal & origin_there and not goal & goal_there
    return bool(verbs & verbs_there and (from_goal or to_origin))


def _after(words: Sequence[ReadWord], preposition: str) -> frozenset[str]:
    phrases = (_until_break(words[i + 1 : i + 7]) for i, word in enumerate(words) if word.lower == preposition)
    return _roots(
        [word for phrase in phrases for word in takewhile(lambda word: word.lower not in _ENDS_OF_PLACE, phrase)]
    )


_ENDS_OF_PLACE = _BE | {"from", "to", "by"}


def _compares_back(one: Sequence[ReadWord], other: Sequence[ReadWord]) -> bool:
    """True when the two sides of a "than" are the other way round, in what each has for itself."""
    mine, theirs = _around_than(one), _around_than(other)
    return bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])


def _around_than(words: Sequence[ReadWord]) -> Sides:
    place = next((i for i, word in enumerate(words) if word.lower == "than"), None)
    if place is None:
        return frozenset(), frozenset()
    before, after = _roots(words[:place]), _roots(words[place + 1 :])
    return before - after, after - before


def _belongs_back(one: Sequence[ReadWord], other: Sequence[ReadWord]) -> bool:
    """True for "Vidal was a pupil of Imhof" beside "Imhof, a former pupil of his"."""
    if _holds_back(one, other):
        return True
    for noun, holder in _held_of(other):
        for place, word in enumerate(one[:-1]):
            if root(word.lower) == noun and one[place + 1].lower == "of":
                return bool(_roots(one[place + 2 : place + 5]) & holder) and not _roots(one[:place]) & holder
    return False


def _holds_back(one: Sequence[ReadWord], other: Sequence[ReadWord]) -> bool:
    """True for "Franz was a son of Karl" beside "Karl, a son of Franz"."""
    theirs = list(_nouns_of(other))
    return any(
        noun == noun_there and held & holder_there and not holder & holder_there
        for noun, held, holder in _nouns_of(one)
        for noun_there, _, holder_there in theirs
    )


def _nouns_of(words: Sequence[ReadWord]) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """For each "Karl was a son of Franz" the noun, the names before it in its clause, and those behind the "of"."""
    for place in range(1, len(words) - 1):
        if words[place + 1].lower == "of" and not is_name_like(words[place]):
            before = [word for word in _until_break(words[:place][::-1]) if is_name_like(word)]
            after = takewhile(lambda word: word.lower not in _ENDS_OF_HOLDER, words[place + 2 : place + 8])
            yield root(words[place].lower), _roots(before), _roots([word for word in after if is_name_like(word)])


_ENDS_OF_HOLDER = word_set(", ; and but who which in on at to for from by")


def _held_of(words: Sequence[ReadWord]) -> Iterator[tuple[str, frozenset[str]]]:
    """For each "Ada, a pupil of his" the noun, and the name that is it."""
    for place in range(2, len(words) - 1):
        if words[place].lower == "of" and words[place + 1].lower in ("his", "hers", "theirs"):
            comma = next((i for i in range(place - 2, max(0, place - 6), -1) if words[i].lower == ","), 0)
            names = [word for word in words[max(0, comma - 3) : comma] if is_name_like(word)]
            yield root(words[place - 1].lower), _roots(names)
