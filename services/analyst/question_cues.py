"""What the words of a question say of relations and of types, whatever its subject is."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from services.analyst.fuzzy import closest_word
from services.analyst.graph_lexicon import Lexicon
from services.analyst.mentions import NameMention
from services.analyst.question_words import FUNCTION_WORDS, SMALL_WORDS, Key, QuestionWord, WordSpan, places_of, stem
from services.analyst.vocabulary import (
    OWN,
    SYNONYM,
    Hint,
    Side,
    english_stems,
    is_of_people,
    named_side,
    other,
    taken_apart,
)
from services.language.relation_names import relation_words

BE = frozenset(("is", "was", "were", "are", "be", "been", "being", "get", "got", "gets", "isn't", "wasn't"))
HAVE = frozenset(("has", "have", "had"))
DO = frozenset(("do", "does", "did", "didn't", "doesn't", "don't"))
OF = frozenset(("of", "for", "to", "at", "in", "on", "behind", "from"))
CURRENT = frozenset(("current", "present", "sitting", "incumbent"))
OF_ONE_PERSON = frozenset(("he", "she", "him", "his", "her"))
_REQUESTS = frozenset(("list", "name", "show", "give", "find", "state", "count"))
_REQUESTED = frozenset(("everyone", "everybody", "every", "each", "any", "who", "whoever", "people"))
_PEOPLE = frozenset(("who", "whom", "people", "everyone", "everybody", "anyone", "anybody", "someone", "somebody"))
_WITHIN = frozenset(("in", "on", "at"))
_WITH_PARTICLES = frozenset(("take", "takes", "took", "taken", "taking"))
_OBJECTS = frozenset(("it", "that", "them", "this"))
_LONGEST_PHRASE = 4
_LONGEST_NOUN = 4
ASKING_KIND = frozenset(("which", "what", "many"))
_KINDS = frozenset(("kind", "kinds", "sort", "sorts", "type", "types"))
_DETERMINERS = frozenset(("the", "a", "its", "his", "her", "their", "any"))
"""Words that a phrase may have within: "took the place of", "play their home games"."""


_BEFORE_NOUNS = frozenset(("which", "what", "many", "these", "those", "the", "all", "no"))


@dataclass(frozen=True, slots=True)
class RelationCue(WordSpan):
    """Words of the question that speak for a relation."""

    relation: str
    hint: Hint


def _is_other_form(word: QuestionWord, hint: Hint) -> bool:
    """True for a verb that shares its stem with a synonym that is a noun: "edited" says nothing of an "edition"."""
    return hint.form == "noun" and hint.weight < OWN and word.low.endswith("ed") and not word.low.endswith("eed")


class QuestionCues:
    """What the words of a question say of relations and types, whatever its subject."""

    def __init__(
        self, words: Sequence[QuestionWord], mentions: Sequence[NameMention], dated: frozenset[int], lexicon: Lexicon
    ) -> None:
        self.words, self.dated, self.lexicon = words, dated, lexicon
        self.mentions, self.taken = mentions, dated | places_of(mentions)

    @cached_property
    def relations(self) -> tuple[RelationCue, ...]:
        """Each phrase of the question that speaks for a relation; misspelt words where nothing else explains them."""
        titles, own = self.titles, tuple(cue for cue in self._phrases if cue.first not in self.titles)
        unnamed = () if own else (*self._memberships(), *self._ownerships())
        return (*own, *self._misspelt(titles | places_of(own)), *unnamed)

    def _memberships(self) -> Iterator[RelationCue]:
        """ "Who is on the crew?", "everyone in the band": what joins people to a name and has no word of its own."""
        for mention in self.mentions if self.has_word(*_PEOPLE) else ():
            place = mention.first - 1 - (self.words[mention.first - 1].low == "the")
            if place > 0 and self.words[place].low in _WITHIN and self.words[place - 1].low in BE | _PEOPLE | {"else"}:
                sides = self.lexicon.sides.get(mention.name, {})
                joining = [name for name, on in sides.items() if self._joins_people(name, on, self.words[place].low)]
                if len(joining) == 1:
                    yield RelationCue(place, place + 1, joining[0], Hint(SYNONYM))

    def _ownerships(self) -> Iterator[RelationCue]:
        """ "Whose is the boat?": who owns or keeps it."""
        if [word.low in also for word, also in zip(self.words, ({"whose"}, BE), strict=False)] == [True, True]:
            for relation in self.lexicon.sides.get(self.mentions[0].name, {}) if self.mentions else ():
                hint = self.lexicon.relations[relation].hints.get((stem("owner"),))
                if hint is not None:
                    yield RelationCue(0, 1, relation, hint)

    def _joins_people(self, relation: str, on: Set[Side], preposition: str) -> bool:
        """True for "member of" and its like, and for what leads from people with the same preposition: "lives in"."""
        entry = self.lexicon.relations[relation]
        member = entry.hints.get((stem("member"),))
        if member is not None:
            return other(member.side or named_side(taken_apart(relation))) in on
        is_of_people_alone = all(is_of_people(kind) for kind in entry.source_types) and bool(entry.source_types)
        return "target" in on and is_of_people_alone and taken_apart(relation).words[-1:] == (preposition,)

    @cached_property
    def _phrases(self) -> tuple[RelationCue, ...]:
        found: list[RelationCue] = []
        place = 0
        while place < len(self.words):
            if self._is_request(place) or place in self._at_work:
                place += 1
                continue
            length, hints = self._phrase_at(place)
            hints = () if length == 1 and self._is_of_another_verb(place) else hints
            found += [RelationCue(place, place + length, *pair) for pair in hints]
            place += length
        return tuple(found)

    def _is_request(self, place: int) -> bool:
        """True for a verb that opens a question and asks for the answer: "List everyone", "name the members"."""
        followed = "".join(word.low for word in self.words[1:2])
        return place == 0 and self.words[0].low in _REQUESTS and followed in _BEFORE_NOUNS | _REQUESTED

    def _is_of_another_verb(self, place: int) -> bool:
        """True for the verb of "took it over" and "put up", which has its meaning from the word behind."""
        behind = [word.low for word in self.words[place + 1 : place + 3]]
        return self.words[place].low in _WITH_PARTICLES and (
            behind[:1] == ["over"] or (behind[1:] == ["over"] and behind[0] in _OBJECTS)
        )

    @cached_property
    def _at_work(self) -> frozenset[int]:
        """The places of "at work" where that is only where something is so: "who does she answer to at work"."""
        lows = [word.low for word in self.words]
        ends = {len(lows), *(at for at in self.dated), *(at for at, word in enumerate(self.words) if "," in word.gap)}
        return frozenset(at for at in range(1, len(lows)) if lows[at - 1 : at + 1] == ["at", "work"] and at + 1 in ends)

    @cached_property
    def titles(self) -> frozenset[int]:
        """The words before a name that say what its bearer is: "the prime minister Ada Quist"."""
        named = {mention.first: mention for mention in self.mentions}
        verbs = {cue.first for cue in self._phrases if cue.hint.form == "verb"}
        nouns = (cue for cue in self._phrases if cue.hint.form == "noun" or cue.hint.weight > OWN)
        before = [cue for cue in nouns if cue.last in named and cue.first and cue.first not in verbs]
        titles = [cue for cue in before if self._is_title(cue, named[cue.last].name)]
        others = {cue.relation for cue in self._phrases if cue.first not in places_of(titles)}
        return places_of(cue for cue in titles if others & self.lexicon.sides[named[cue.last].name].keys())

    def _is_title(self, cue: RelationCue, name: str) -> bool:
        bearer = cue.hint.named or cue.hint.side or named_side(taken_apart(cue.relation))
        has = self.lexicon.has
        return has(name, cue.relation, bearer) and not has(name, cue.relation, other(bearer))

    def _fronted(self, place: int) -> list[tuple[str, Hint]]:
        """What a verb says with the preposition that opens the question: "in which league do they play"."""
        opening = [word.low for word in self.words[:2]]
        if not opening or opening[0] not in OF or opening[1:] not in (["which"], ["what"]):
            return []
        return list(self.lexicon.hints.get((self.words[place].stem, self.words[0].stem), ()))

    def _hints_of(self, key: Key, last: str) -> Sequence[tuple[str, Hint]]:
        """What a phrase says of relations; one that ends in "of" also what it says without that."""
        hints = self.lexicon.hints.get(key, ())
        shorter = self.lexicon.hints.get(key[:-1], ()) if hints and last in OF and len(key) > 2 else ()
        named = {relation for relation, _ in hints}
        return (*hints, *(pair for pair in shorter if pair[0] not in named))

    def _phrase_at(self, place: int) -> tuple[int, Sequence[tuple[str, Hint]]]:
        """The longest phrase here that speaks for a relation, with what it says of each."""
        for length in range(min(_LONGEST_PHRASE, len(self.words) - place), 0, -1):
            places = range(place, place + length)
            if self.words[places[-1]].low in _DETERMINERS:
                continue
            key = tuple(self.words[at].stem for at in places if at == place or self.words[at].low not in _DETERMINERS)
            if not self.taken.intersection(places) and (hints := self._hints_of(key, self.words[places[-1]].low)):
                least = OWN if any(hint.weight > OWN for _, hint in hints) else 0.0  # "prime minister" is no "minister"
                own = [pair for pair in hints if pair[1].weight >= least]
                own += self._fronted(place) if length == 1 else []
                return length, [pair for pair in own if not _is_other_form(self.words[place], pair[1])]
        return 1, ()

    def _misspelt(self, known: Set[int]) -> Iterator[RelationCue]:
        for place, word in enumerate(self.words):
            explained = place in known or place in self.taken or word.low in SMALL_WORDS
            if not (explained or word.is_number or word.stem in self.lexicon.words or word.stem in english_stems()):
                close = closest_word(word.stem, self.lexicon.words) or ""
                yield from (RelationCue(place, place + 1, *pair) for pair in self.lexicon.hints.get((close,), ()))

    @cached_property
    def types(self) -> Mapping[int, str]:
        """The types that words name, by their places."""
        found: dict[int, str] = {}
        for place, word in enumerate(self.words):
            if place in self.taken or word.low.endswith("ed"):  # "released" is no release
                continue
            if (kind := self.lexicon.type_named(word.low)) and self._ends_another_name(place, kind):
                continue
            if kind:
                found |= {} if self._is_verb_of(place, kind) else dict.fromkeys(self._series_until(place, kind), kind)
            elif self._may_be_misspelt(word) and place not in places_of(self.relations):
                close = closest_word(word.stem, self.lexicon.types)
                found |= {place: self.lexicon.types[close]} if close else {}
        return found

    def _ends_another_name(self, place: int, kind: str) -> bool:
        """True for "Line" of "Harbour Line", where "Harbour" alone is short for the name of something else."""
        mention = next((one for one in self.mentions if one.last == place and one.how == "short"), None)
        word = self.words[place]
        if mention is None or not word.is_capitalised or word.text.isupper() or word.gap.strip():
            return False
        others = (at for at in range(1, len(self.words)) if at not in self.taken and at != place)
        is_title_case = all(self.words[at].is_capitalised for at in others)
        return not is_title_case and all(kind not in self.lexicon.types_of.get(name, ()) for name in mention.names)

    def _series_until(self, place: int, kind: str) -> range:
        """The places of the name of a series ("Harbour Cup"), or of a type, that ends here; else this one alone."""
        for first in range(max(0, place - _LONGEST_PHRASE + 1), place):
            key = tuple(word.low for word in self.words[first : place + 1])
            is_type = [*map(stem, key)] == [*map(stem, relation_words(kind))]
            if is_type or key in self.lexicon.shapes or (*key[:-1], key[-1].removesuffix("s")) in self.lexicon.shapes:
                return range(first, place + 1)
        return range(place, place + 1)

    def _is_verb_of(self, place: int, kind: str) -> bool:
        """True for the name of a relation that another word for a type shares: "employ" is no employer."""
        own = any(cue.first == place and cue.hint.weight >= OWN for cue in self.relations)
        is_noun = (
            place > 0 and self.words[place - 1].low in _BEFORE_NOUNS and self.words[place].low.endswith(("s", "ing"))
        )
        return own and not is_noun and self.words[place].stem != stem(kind)

    @staticmethod
    def _may_be_misspelt(word: QuestionWord) -> bool:
        return word.low not in SMALL_WORDS and len(word.low) > 4 and word.stem not in english_stems()

    @cached_property
    def asks_where(self) -> bool:
        """True for a question that "where" opens."""
        return any(word.low in ("where", "where's") for word in self.words[:2])

    @cached_property
    def asks_as_what(self) -> bool:
        """True for "as what did she work"."""
        return [word.low for word in self.words[:2]] == ["as", "what"]

    @cached_property
    def head(self) -> int | None:
        """The word of a type that "which", "what" or "how many" asks for; None where there is no such word."""
        for place, word in enumerate(self.words):
            if word.low in ("which", "what") or (word.low == "many" and place and self.words[place - 1].low == "how"):
                first = self._behind_of(place + 1)
                for at in range(first, min(first + 3, len(self.words))):
                    if at in self.taken or self.words[at].low in BE | DO | HAVE | OF:
                        break
                    if at in self.types and at + 1 not in self.types and not self._is_within_phrase(at):
                        return at
        return None

    def _is_within_phrase(self, place: int) -> bool:
        """True for a word that a longer phrase for a relation goes on from: "project" of "project manager"."""
        return any(cue.first <= place < cue.last - 1 for cue in self.relations if cue.hint.weight > OWN)

    @cached_property
    def asked_noun(self) -> tuple[int, ...]:
        """The words of what "which", "what" or "how many" asks for, types left out: "rowing" of "which rowing club",
        "projects" of "how many projects"."""
        asking = (at for at, word in enumerate(self.words) if word.low in ASKING_KIND)
        for place in asking:
            first = self._behind_of(place + 1)
            if [word.low for word in self.words[first + 1 : first + 2]] == ["of"] and self.words[first].low in _KINDS:
                first += 2
            phrase = range(first, self._end_of_noun(first))
            return tuple(at for at in phrase if at not in self.types)
        return ()

    def _end_of_noun(self, first: int) -> int:
        """The place before which a noun ends: at an auxiliary, a small word, a name or a verb for a relation."""
        verbs = {cue.first for cue in self.relations if cue.hint.form == "verb"}
        last = min(first + _LONGEST_NOUN, len(self.words))
        stops = (
            at
            for at in range(first, last)
            if at in self.taken or (at > first and at in verbs) or self.words[at].low in FUNCTION_WORDS | BE | DO | HAVE
        )
        return next(stops, last)

    def _behind_of(self, place: int) -> int:
        """The place behind "of the", where it stands between "which" and what is asked for."""
        words = [word.low for word in self.words[place : place + 2]]
        return place + 2 if words[:1] == ["of"] and words[1:2] and words[1] in _BEFORE_NOUNS else place

    def has_word(self, *words: str) -> bool:
        """True where the question has one of these words outside of names."""
        return any(word.low in words and place not in self.taken for place, word in enumerate(self.words))
