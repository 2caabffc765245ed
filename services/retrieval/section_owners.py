"""Whose each section of a workspace is: what titles, file names and the headings above it say, compared with a name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from services.language.names import fold
from services.language.person_names import Difference, PersonName, difference, names_in, readings, spellings
from services.mirror.search_rows import SectionRow
from services.retrieval.tokens import STOP_WORDS, tokens

_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|[-_.]+")
_LONGEST_NAME = 4


class SectionOwners:
    """The sections of a workspace by whom they are on; `parents` has the place of the section above each, or -1."""

    def __init__(self, sections: Sequence[SectionRow], parents: Sequence[int]) -> None:
        self._sections = sections
        self._parents = parents

    def owned_by(self, names: Sequence[str]) -> set[int]:
        """Return the places of the sections that are of one of these names: of each name those that fit it best."""
        found = set[int]()
        for ways in _asked(names):
            owned = next(filter(None, map(self._owned, ways)), {})
            best = min(owned.values(), default=None)
            found |= {place for place, far in owned.items() if far == best}
        return found

    def knows(self, name: str) -> bool:
        """True where a section is of somebody of that name, and not only of one whose name holds it."""
        return any(far < Difference.WITHIN for ways in _asked([name]) for far in self._owned(ways[0]).values())

    def _owned(self, name: PersonName) -> dict[int, Difference]:
        """Of each section that is of the name, how far the writing of its owner is from it."""
        return {place: far for document in self._documents_on(name) for place, far in self._of_document(name, document)}

    def _of_document(self, name: PersonName, document: str) -> Iterator[tuple[int, Difference]]:
        """The sections of a document that are of the name: by its title and the headings above them.

        A title or a heading that names others too says less than headings that name each alone.
        """
        places, titles = self._places[document], self._titles[document]
        own = {place: found for place in places if (found := self._by_heading(name, place, titles)) is not None}
        shared = {place for place in own if self._names_others(name, self._sections[place].name, document)}
        whole = _nearest(name, titles)
        if len(shared) < len(own):
            own = {place: far for place, far in own.items() if place not in shared}
            whole = None if any(self._names_others(name, title, document) for title in titles) else whole
        owned: dict[int, Difference | None] = {}
        for place in places:
            is_another = place not in own and _is_of_another(name, self._sections[place].name)
            owned[place] = own.get(place, None if is_another else owned.get(self._parents[place], whole))
            if (far := owned[place]) is not None:
                yield place, far

    def _by_heading(self, name: PersonName, place: int, titles: Sequence[str]) -> Difference | None:
        """How near a heading comes to the name; the first name alone will do below a title with the last one."""
        heading = self._sections[place].name
        found = _nearest(name, [heading])
        if found is not None or len(name.words) == 1 or " " in heading.strip():
            return found
        is_first = _nearest(PersonName(name.words[:1]), [heading]) == 0
        return Difference.WITHIN if is_first and _bear(name.words[-1], (*titles, *self._above(place))) else None

    def _above(self, place: int) -> Iterator[str]:
        """The headings above a section, the nearest first."""
        while (place := self._parents[place]) >= 0:
            yield self._sections[place].name

    def _names_others(self, name: PersonName, text: str, document: str) -> bool:
        """True where a title or a heading names others too who have headings of their own."""
        named = (held for held in names_in(text) if len(held.words) > 1)
        others = [held for held in named if difference(name, held) is None]
        headings = [self._sections[place].name for place in self._places[document]] if others else []
        return any(
            _nearest(PersonName(other.words[:1]), [h for h in headings if h != text]) is not None for other in others
        )

    def _documents_on(self, name: PersonName) -> list[str]:
        """The documents in whose title, file name or headings the last word of the name stands."""
        if not name.words:
            return []
        last = spellings(name.words[-1])
        return [document for document, text in self._texts.items() if any(word in text for word in last)]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, section in enumerate(self._sections):
            found[section.document_id].append(place)
        return found

    @cached_property
    def _titles(self) -> dict[str, tuple[str, str]]:
        """What each document is called, by its title and by its file."""
        return {
            document: (self._sections[places[0]].title, _JOINED.sub(" ", document.rpartition("/")[2]))
            for document, places in self._places.items()
        }

    @cached_property
    def _texts(self) -> dict[str, str]:
        """The titles and headings of each document as one text that can be looked through."""
        return {
            document: _searchable((*titles, *(self._sections[place].name for place in self._places[document])))
            for document, titles in self._titles.items()
        }


def people_in(question: str, owners: SectionOwners) -> list[str]:
    """Return the full names in a question without capitals that sections are of, the longest at each place."""
    words, found, place = tokens(question), list[str](), 0
    while place < len(words):
        ends = range(min(place + _LONGEST_NAME, len(words)), place + 1, -1)
        spans = (words[place:end] for end in ends if not STOP_WORDS.intersection((words[place], words[end - 1])))
        name = next((name for name in map(" ".join, spans) if owners.knows(name)), "")
        if name:
            found.append(name)
        place += len(name.split()) or 1
    return found


def _asked(names: Sequence[str]) -> Iterator[list[PersonName]]:
    """Of each name the ways to read it; "Ada" of "Ada and Bob Lovelace" shares the last name, where there is such."""
    read = [[name for reading in readings(name)[:1] for name in reading] for name in names]
    for ways, following in zip(read, [*read[1:], []], strict=True):
        if ways and following and len(ways[0].words) == 1 < len(following[0].words):
            ways = [PersonName(ways[0].words + following[0].words[-1:]), *ways]
        if ways:
            yield ways


def _searchable(texts: Iterable[str]) -> str:
    return "\n".join(spelled for text in dict.fromkeys(texts) for spelled in spellings(text))


def _nearest(name: PersonName, texts: Iterable[str]) -> Difference | None:
    """How near one of the texts comes to calling somebody so."""
    held = (one for text in texts for one in names_in(text))
    return min((far for one in held if (far := difference(name, one)) is not None), default=None)


def _bear(word: str, texts: Iterable[str]) -> bool:
    """True where a text holds a word of a name, or its plural."""
    words = {word for text in texts for word in fold(text).replace("'", " ").split()}
    return any(one in words or f"{one}s" in words for one in spellings(word))


def _is_of_another(name: PersonName, heading: str) -> bool:
    """True for a heading that names another of the same last name, or of the same first."""
    words = heading.split()
    if len(name.words) < 2 or not 1 < len(words) <= _LONGEST_NAME:
        return False
    if not all(word[0].isupper() and word.isalpha() for word in words):
        return False
    held = (one.words for one in names_in(heading) if len(one.words) > 1)
    return any(words[-1] == name.words[-1] or words[0] == name.words[0] for words in held)
