"""What a text names: mentions, what a word stands for, and what a word's surroundings tell of a name."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from services.extraction.rules.phrases import NounPhrase, listed
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

Gender = Literal["", "female", "male"]


USER = "user"


@dataclass(slots=True)
class NamedThing:
    """Something that the text has named; `likely` a person, by the parser. `is_heading` while only headings name it.

    `places` are where (in words, see `Discourse.place`) and how prominently.
    """

    name: str
    type: str = ""
    gender: Gender = ""
    proper: bool = True
    plain: str = ""
    plural: bool = False
    likely: bool = False
    is_heading: bool = False
    places: list[tuple[int, int]] = field(default_factory=list)

    def before(self, place: int) -> tuple[int, int]:
        """Where it was last named before a place in the text, and how prominently; (-1, 0) when it was not."""
        return max((one for one in self.places if one[0] < place), default=(-1, 0))


@dataclass(frozen=True, slots=True)
class Referent:
    """What a word stands for. `sure` falls for pronouns and for common nouns."""

    name: str
    type: str = ""
    sure: float = 1.0
    proper: bool = True
    plain: str = ""
    at: int = -1


def listed_subject(token: "Token") -> bool:
    """True for a later name of a list whose first is a subject."""
    first = token
    while first.dep_ == "conj" and first.head != first:
        first = first.head
    return first.dep_ in ("nsubj", "nsubjpass") and token in listed(first)


def gender_of(token: "Token", found: NounPhrase) -> Gender:
    """What titles and nouns beside a name tell of a person: "Mr Amadi", "the actress Ada Brandt", "her sister Mia"."""
    near = {word.lower_ for word in token.doc[max(0, found.start - 3) : found.start]}
    near |= {word.lower_ for word in token.doc[found.start : found.end]}
    near |= {child.lower_ for child in token.children if child.dep_ in ("appos", "compound", "nmod")}
    if token.dep_ in ("appos", "attr"):
        near.add(token.head.lower_)
    nouns = near - {"he", "she", "his", "her", "him", "hers"}
    if nouns & known("female"):
        return "female"
    return "male" if nouns & known("male") else ""


def is_coded(name: str) -> bool:
    """True for a name with signs or digits that names of people lack; "Anna2 Muster" is one of several Annas."""
    words = name.split()
    plain = [word for word in words if not re.search(r"[\d/_&]", word)]
    return any(word not in plain and not (plain and re.fullmatch(r"[A-Z][a-z]+\d+", word)) for word in words)


def could_be_person(name: str) -> bool:
    """True for one to four capitalised words without a digit or a word of firms, places and things."""
    words = name.split()
    words = [word for word in words if word not in ("of", "de", "van", "von", "the", "der", "den", "di", "da", "al")]
    if not 1 <= len(words) <= 4 or any(not word[:1].isupper() for word in words) or is_coded(name):
        return False
    things = known("organization", "product", "place", "document", "band")
    return not any(word.lower() in things for word in words) and not name.isupper()


def is_date(token: "Token") -> bool:
    """True for the name of a month or a day."""
    return token.ent_type_ == "DATE" and token.lower_ in known("calendar")


def weight_of(token: "Token") -> int:
    """How prominently a word names something: a subject most, what is owned or done to least."""
    if token.dep_ in ("nsubj", "nsubjpass", "ROOT") or (
        token.dep_ == "appos" and token.head.dep_ in ("nsubj", "nsubjpass") and token.head.pos_ == "NOUN"
    ):
        return 3
    return 2 if token.dep_ in ("poss",) or (token.dep_ == "conj" and listed_subject(token)) else 1
