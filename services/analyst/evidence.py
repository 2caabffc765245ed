"""What the words of a question say of relations and of types, whatever its subject is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.analyst.fuzzy import closest_word
from services.analyst.lexicon import Lexicon
from services.analyst.mentions import Mention
from services.analyst.vocabulary import OWN, Hint
from services.analyst.words import FUNCTION_WORDS, LIGHT_WORDS, Word

BE = frozenset(("is", "was", "were", "are", "be", "been", "being", "get", "got", "gets", "isn't", "wasn't"))
HAVE = frozenset(("has", "have", "had"))
DO = frozenset(("do", "does", "did", "didn't", "doesn't", "don't"))
OF = frozenset(("of", "for", "to", "at", "in", "on", "behind", "from"))
_LONGEST_PHRASE = 4
_DETERMINERS = frozenset(("the", "a", "its", "his", "her", "their", "any"))
"""Words that a phrase may have within: "took the place of", "play their home games"."""


@dataclass(frozen=True, slots=True)
class Told:
    """A hint in the question: the words `first` to before `last` speak for a relation."""

    first: int
    last: int
    relation: str
    hint: Hint


def _is_other_form(word: Word, hint: Hint) -> bool:
    """True for a verb that shares its stem with a synonym that is a noun: "edited" says nothing of an "edition"."""
    return hint.form == "noun" and hint.weight < OWN and word.low.endswith("ed") and not word.low.endswith("eed")


class Evidence:
    """What the words of a question say of relations and types, whatever its subject."""

    def __init__(
        self, words: Sequence[Word], mentions: Sequence[Mention], lexicon: Lexicon, spans: Sequence[tuple[int, int]]
    ) -> None:
        self.words = words
        self.dated = {at for at, word in enumerate(words) if any(start <= word.start < end for start, end in spans)}
        self.lexicon = lexicon
        self._taken = self.dated | {place for m in mentions for place in range(m.first, m.last)}

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """Each phrase of the question that speaks for a relation; misspelt words where nothing else explains them."""
        found: list[Told] = []
        place = 0
        while place < len(self.words):
            length, hints = self._phrase_at(place)
            found += [Told(place, place + length, *pair) for pair in hints]
            place += length
        return (*found, *self._misspelt({place for told in found for place in range(told.first, told.last)}))

    def _phrase_at(self, place: int) -> tuple[int, Sequence[tuple[str, Hint]]]:
        """The longest phrase here that speaks for a relation, with what it says of each."""
        for length in range(min(_LONGEST_PHRASE, len(self.words) - place), 0, -1):
            places = range(place, place + length)
            key = tuple(self.words[at].stem for at in places if at == place or self.words[at].low not in _DETERMINERS)
            if not self._taken.intersection(places) and (hints := self.lexicon.hints.get(key)):
                return length, [pair for pair in hints if not _is_other_form(self.words[place], pair[1])]
        return 1, ()

    def _misspelt(self, known: set[int]) -> Iterator[Told]:
        for place, word in enumerate(self.words):
            if place in known or place in self._taken or word.low in FUNCTION_WORDS or word.low in LIGHT_WORDS:
                continue
            if word.is_number or word.stem in self.lexicon.words:
                continue
            close = closest_word(word.stem, self.lexicon.words)
            if close:
                yield from (Told(place, place + 1, *pair) for pair in self.lexicon.hints.get((close,), ()))

    @cached_property
    def types(self) -> Mapping[int, str]:
        """The types that words name, by their places."""
        found: dict[int, str] = {}
        for place, word in enumerate(self.words):
            if place in self._taken or word.low.endswith("ed"):  # "released" is no release
                continue
            if kind := self.lexicon.type_named(word.low):
                found[place] = kind
            elif word.low not in FUNCTION_WORDS and word.low not in LIGHT_WORDS and len(word.low) > 4:
                close = closest_word(word.stem, self.lexicon.types)
                if close and not any(told.first <= place < told.last for told in self.told):
                    found[place] = self.lexicon.types[close]
        return found

    @cached_property
    def asks_where(self) -> bool:
        """True for a question that "where" opens."""
        return bool(self.words) and any(word.low in ("where", "where's") for word in self.words[:2])

    @cached_property
    def head(self) -> int | None:
        """The word of a type that "which", "what" or "how many" asks for; None where there is no such word."""
        for place, word in enumerate(self.words):
            if word.low in ("which", "what") or (word.low == "many" and place and self.words[place - 1].low == "how"):
                for at in range(place + 1, min(place + 4, len(self.words))):
                    if at in self._taken or self.words[at].low in BE | DO | HAVE | OF:
                        break
                    if at in self.types and at + 1 not in self.types:
                        return at
        return None

    def said(self, *words: str) -> bool:
        """True where the question has one of these words outside of names."""
        return any(word.low in words and place not in self._taken for place, word in enumerate(self.words))
