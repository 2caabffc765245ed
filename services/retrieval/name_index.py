"""What passages are about, and where others mention it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from services.language.sentences import sentences
from services.retrieval.arrays import Arrays, joined, separated
from services.retrieval.tokens import STOP_WORDS, tokens

Name = tuple[str, ...]
"""A name's words: the first as it is written, since capitals tell names from words; the others in lower case."""

MOST_DEFINING = 3
"""A name that more passages are about tells none of them from the others, and joins what has nothing in common."""

_LONGEST_SUBJECT = 10
_LEAD = 400
_IN_BRACKETS = re.compile(r"\s*\([^)]*\)")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_SUBJECT = re.compile(
    r"""^["“'‘]? (?:The\ |A\ |An\ )?
    ([A-Z\d] (?: [^.;:("”]                        # the name: up to what ends it,
                | (?<=\b[A-Z])\.                  # but not at an initial,
                | "(?=\w+"\ [A-Z]) | (?<=\w)"(?=\ [A-Z])   # nor at a nickname in quotes
                )*?) ["”'’]?
    \s* (?: \( | , | \ is\  | \ was\  | \ are\  | \ were\  | \ has\  | \ had\  )""",
    re.VERBOSE,
)
_ALIAS = re.compile(
    rf"""(?: known\ (?:\w+\ ){{0,3}}as | called | nicknamed | titled | credited\ (?:\w+\ ){{0,2}}as
         | name\ of | pen\ name | stage\ name | né | née | born )
    \s+ (?:the\s+)? ["“'‘]? (?! (?: {_MONTHS} | In | On )\b )
    ([A-Z][\w.'’-]* (?: \s+ (?: [A-Z][\w.'’-]* | of | de | van | von | the | al | bin | ibn ) )*)""",
    re.VERBOSE,
)
_NICKNAME = re.compile(r"[\"“'‘](\w+)[\"”'’] (?=[A-Z])")


def names_of(title: str, text: str) -> list[str]:
    """What a passage is about: its title without what stands in brackets.

    Without a title, the subject of its first sentence, what that is also known as, and how people shorten such names.
    """
    if title:
        return [_IN_BRACKETS.sub("", title).strip()]
    lead = next(iter(sentences(text)), "")[:_LEAD]
    subject = _SUBJECT.match(lead)
    found = [subject[1].strip()] if subject and len(subject[1].split()) <= _LONGEST_SUBJECT else []
    return [short for name in (*found, *_ALIAS.findall(lead)) for short in _shortened(name)]


def _shortened(name: str) -> list[str]:
    """A name, and where it has three words or more each of them with the last, as people are called."""
    plain = _NICKNAME.sub("", name)
    words = plain.split()
    nicknames = _NICKNAME.findall(name)
    given = words[:-1] if 2 < len(words) <= _MOST_GIVEN and all(word[:1].isupper() for word in words) else []
    return [plain, *(f"{first} {words[-1]}" for first in (*given, *nicknames))]


_MOST_GIVEN = 5


class NameIndex:
    """Which passages are about a name, and which names a text mentions."""

    def __init__(self, about: Mapping[Name, tuple[int, ...]]) -> None:
        self._about = about
        self._lengths: dict[str, list[int]] = defaultdict(list)
        self._lower: dict[Name, Name] = {}
        self._lower_lengths: dict[str, list[int]] = defaultdict(list)
        for key in sorted(about, key=len, reverse=True):
            lower = (key[0].lower(), *key[1:])
            self._lower.setdefault(lower, key)
            for lengths in (self._lengths[key[0]], self._lower_lengths[lower[0]]):
                if len(key) not in lengths:
                    lengths.append(len(key))

    @classmethod
    def of(cls, names: Iterable[Iterable[str]]) -> "NameIndex":
        """An index of the names of each passage, in their order."""
        about: dict[Name, set[int]] = defaultdict(set)
        for passage, own in enumerate(names):
            for name in own:
                if key := _key(name):
                    about[key].add(passage)
        return cls({name: tuple(sorted(found)) for name, found in about.items() if len(found) <= MOST_DEFINING})

    def to_arrays(self) -> Arrays:
        """What `from_arrays` makes the index of again."""
        passages = [passage for found in self._about.values() for passage in found]
        return {
            "names": joined(" ".join(name) for name in self._about),
            "passages": np.array(passages, np.int32),
            "counts": np.array([len(found) for found in self._about.values()], np.int32),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "NameIndex":
        """The index that `to_arrays` was called on."""
        passages, ends = arrays["passages"].tolist(), np.cumsum(arrays["counts"]).tolist()
        starts = [0, *ends]
        names = map(str.split, separated(arrays["names"]))
        return cls(
            {tuple(name): tuple(passages[start:end]) for name, start, end in zip(names, starts, ends, strict=False)}
        )

    def about(self, name: Name) -> tuple[int, ...]:
        """The passages that are about a name."""
        return self._about[name]

    def mentioned(self, text: str) -> Iterator[Name]:
        """The names in a text: the longest at each place, none over another."""
        words = tokens(text)
        rest = [word.lower() for word in words]
        place = 0
        while place < len(words):
            name: Name = ()
            if lengths := self._lengths.get(words[place]):
                found = ((words[place], *rest[place + 1 : place + n]) for n in lengths)
                name = next((name for name in found if name in self._about), ())
            if name:
                yield name
            place += len(name) or 1

    def asked_for(self, question: str) -> set[Name]:
        """The names in a question. One that is written without capitals names what is not an everyday word."""
        if question != question.lower():
            return set(self.mentioned(question))
        rest = tokens(question)
        found, place = set[Name](), 0
        while place < len(rest):
            lower = (tuple(rest[place : place + n]) for n in self._lower_lengths.get(rest[place], ()))
            known = (self._lower[name] for name in lower if name in self._lower)
            asked = next(filter(_is_telling, known), ())
            if asked:
                found.add(asked)
            place += len(asked) or 1
        return found


def _key(name: str) -> Name:
    """The name's words; none for what can't be told from an everyday word."""
    words = tokens(name)
    if not words or (len(words) == 1 and (len(words[0]) < 3 or words[0].lower() in STOP_WORDS)):
        return ()
    return words[0], *(word.lower() for word in words[1:])


def _is_telling(name: Name) -> bool:
    """True for two words of content, or a long one."""
    content = [word for word in name if word.lower() not in STOP_WORDS]
    return len(content) >= 2 or (len(name) == 1 and len(name[0]) >= 5)
