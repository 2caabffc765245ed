"""Who loses and who gains what in a clause, by the table of verbs of beginning and ending."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from services.language.changes import ChangeVerb, change_verbs
from services.language.inflection import is_past, possible_bases
from services.verification.sentence_reading import ReadWord
from services.verification.word_classes import word_set

_BE = word_set("be is are was were been being am get got gets")
_STOPS = word_set(", ; : . and but or who which that because while where than when if as before after until since then")
_PREPOSITIONS = word_set("at by from to in on of for with as into off over under near after before between favour")
_BEFORE_NOUNS = word_set("the a an its his her their my our your this that these those of 's no some any")
_OF_NOUNS = word_set("of in at")
_FAR = 4
MOST_BETWEEN = 3
"""So many characters stand between a preposition and its name; where a date stood, there are more."""

_ANY_MOVE = ChangeVerb((("move",),), ("subject",), ("subject",), ("from",), ("to",), frozenset())
"""What any verb tells that has a "from" and a "to"."""

Names = Sequence[ReadWord]


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """A verb of change in a clause: the names that lose something, that gain something, what is lost and gained."""

    verb: ReadWord
    loses: Names
    gains: Names
    lost: Names
    gained: Names

    @property
    def is_swap(self) -> bool:
        """True where one name comes in another's place: "from Draft to Accepted"."""
        return bool(self.lost and self.gained) and {word.name for word in self.lost} != {w.name for w in self.gained}

    def places_filled(self) -> int:
        """How many of its places have a name."""
        return sum(map(bool, (self.loses, self.gains, self.lost, self.gained)))


def changes_in(words: Sequence[ReadWord], is_name: Callable[[ReadWord], bool]) -> Iterator[ClauseChange]:
    """The changes that the verbs of a clause tell of, in order; at each verb the idiom of most words."""
    for place, word in enumerate(words):
        if not word.is_word or is_name(word) or word.lower in _BE:
            continue
        if place and words[place - 1].lower in _BEFORE_NOUNS:
            continue
        found = [_change(verb, _Places(words, place, last, is_name)) for verb, last in _verbs_at(words, place)]
        if is_past(word.lower) and (moved := _change(_ANY_MOVE, _Places(words, place, place, is_name))).is_swap:
            found.append(moved)
        if found:
            yield max(found, key=ClauseChange.places_filled)


def _verbs_at(words: Sequence[ReadWord], place: int) -> Iterator[tuple[ChangeVerb, int]]:
    """The verbs of the table that stand at a place, those of most words only, each with where its last word is."""
    most = 0
    for base in possible_bases(words[place].lower):
        for verb in change_verbs().get(base, ()):
            last = _last_of(verb, words, place) if len(verb.words) >= most else None
            if last is not None:
                most = len(verb.words)
                yield verb, last


def _last_of(verb: ChangeVerb, words: Sequence[ReadWord], place: int) -> int | None:
    end = place
    for alternatives in verb.words[1:]:
        near = range(end + 1, min(end + 2 + _FAR, len(words)))
        found = next((i for i in near if possible_bases(words[i].lower) & set(alternatives)), None)
        if found is None:
            return None
        end = found
    return end


@dataclass(frozen=True, slots=True)
class _Places:
    """The places round a verb: it stands at `verb`, the last word of its idiom at `last`."""

    words: Sequence[ReadWord]
    verb: int
    last: int
    is_name: Callable[[ReadWord], bool]

    @property
    def is_passive(self) -> bool:
        before = self.words[max(0, self.verb - 3) : self.verb]
        return is_past(self.words[self.verb].lower) and any(word.lower in _BE for word in before)

    def filled(self, places: Sequence[str]) -> Names:
        """The names in the first of some places that has any."""
        return next((names for place in places if (names := self._at(place))), ())

    def _at(self, place: str) -> Names:
        if place == "subject":
            return self._behind("by") if self.is_passive else self._before()
        if place == "object":
            return self._before() if self.is_passive else self._after(self.verb + 1)
        if place in ("attr", "oprd"):
            return self._after(self.verb + 1)
        return self._behind(place)

    def _before(self) -> Names:
        """The last names before the verb that no preposition governs."""
        found: list[ReadWord] = []
        for i in range(self.verb - 1, -1, -1):
            word = self.words[i]
            if self.is_name(word):
                found.append(word)
            elif found and word.lower in _PREPOSITIONS and found[-1].start - word.end <= MOST_BETWEEN:
                found = []
            elif found or word.lower in _STOPS - {",", "and"}:
                break
        return found

    def _behind(self, preposition: str) -> Names:
        place = next((i for i in range(self.verb + 1, len(self.words)) if self._is(i, preposition)), len(self.words))
        return self._after(place + 1)

    def _is(self, i: int, preposition: str) -> bool:
        word = self.words[i].lower
        return word == preposition or (word == "into" and preposition == "to")

    def _after(self, start: int) -> Names:
        """The names from a place on, up to a preposition or the end of the clause, over "to be" and "his home in"."""
        found: list[ReadWord] = []
        for i in range(start, len(self.words)):
            word = self.words[i]
            if self.is_name(word):
                found.append(word)
            elif i > self.last and word.lower in _PREPOSITIONS | _STOPS and not self._leads_on(i, start, bool(found)):
                break
        return found

    def _leads_on(self, i: int, start: int, has_name: bool) -> bool:
        """True for the "to" of "to be", and for the "in" of "his home in Oslo"."""
        if self.words[i].lower == "to":
            return [word.lower for word in self.words[i + 1 : i + 2]] == ["be"]
        return self.words[i].lower in _OF_NOUNS and not has_name and i > max(start, self.last + 1)


def _change(verb: ChangeVerb, places: _Places) -> ClauseChange:
    lost = places.filled(verb.lost)
    gained = places.filled(verb.gained) if verb.gained else () if verb.is_swap else lost
    return ClauseChange(places.words[places.verb], places.filled(verb.loses), places.filled(verb.gains), lost, gained)
