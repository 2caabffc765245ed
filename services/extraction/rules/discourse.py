"""Who "she", "the company" and "Brandt" are: the things a text has named so far, and what a word stands for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from services.extraction.rules.mentions import (
    USER,
    Gender,
    NamedThing,
    Referent,
    could_be_person,
    gender_of,
    is_coded,
    is_date,
    weight_of,
)
from services.extraction.rules.phrases import NounPhrase, listed, phrase
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_REACH = 3
_SPAN = 10_000
_PERSONAL: dict[str, Gender] = {
    "he": "male",
    "him": "male",
    "his": "male",
    "himself": "male",
    "she": "female",
    "her": "female",
    "hers": "female",
    "herself": "female",
}
_PLURAL = ("they", "them", "their", "theirs", "themselves")
_THING = ("it", "its", "itself")
_FIRST = ("i", "me", "my", "mine", "myself")


@dataclass(slots=True)
class Discourse:
    """The things named so far in a text, in order of first mention."""

    title: str = ""
    speaker: str = ""
    mentions: list[NamedThing] = field(default_factory=list)
    sentence: int = 0
    about_user: bool = False
    in_heading: bool = False
    implied: frozenset[int] = frozenset()
    field_dates: dict[str, datetime] = field(default_factory=dict)

    @property
    def here(self) -> int:
        """The place of what stands before the next sentence."""
        return self.sentence * _SPAN + _SPAN - 1

    def place(self, token: "Token") -> int:
        """The place of a word of the sentence that is being read, in the order of the text."""
        return self.sentence * _SPAN + min(token.i - token.sent.start, _SPAN - 1)

    def named(self, name: str, type: str, place: int, weight: int = 1, gender: Gender = "") -> NamedThing:
        """Notes a mention; a part of a name that was given in full is the full one."""
        known_as = self.full(name)
        mention = next((m for m in self.mentions if m.name == known_as), None)
        if mention is None:
            mention = NamedThing(known_as, type, gender, is_heading=True)
            self.mentions.append(mention)
        mention.is_heading = mention.is_heading and self.in_heading
        mention.places.append((place, weight))
        mention.type = mention.type or type
        mention.gender = mention.gender or gender
        return mention

    def full(self, name: str) -> str:
        """The name as it was first given in full: "Brandt" is "Ada Brandt", "Stonebridge" is "Stonebridge Civils"."""
        if name.lower() in ("user", "the user"):
            return USER
        words = name.split()
        first = next((m.places[0][0] for m in self.mentions if m.name == name and m.places), None)
        for mention in self.mentions:
            if first is not None and mention.places and mention.places[0][0] > first:
                continue
            whole = mention.name.split()
            titled = mention.is_heading and not (mention.type == "Person" or mention.likely)
            if len(whole) <= len(words) or not mention.proper or is_coded(mention.name) or titled:
                continue
            is_person = mention.type in ("Person", "")
            if is_person and len(words) == 1 and words[0] in (whole[0], whole[-1], whole[1].strip("\"“”'")):
                return mention.name
            if mention.type != "Person" and whole[: len(words)] == words and name[0].isupper():
                return mention.name
        return name

    def refer(self, token: "Token") -> Referent | None:
        """What a noun, a name or a pronoun stands for; nothing for what stands for nobody in particular."""
        lower = token.lower_
        if token.idx in self.implied:
            earlier = [t for t in token.sent if t.dep_ in ("nsubj", "nsubjpass") and t.i < token.i]
            return self.refer(earlier[0]) if earlier else self.implied_subject()
        if lower in _PERSONAL:
            return self._person(_PERSONAL[lower], token)
        if lower in _FIRST and (lower != "i" or not token.i or token.doc[token.i - 1].pos_ != "PROPN"):
            return Referent(self.speaker, "Person", 0.95) if self.speaker else None
        if lower in _PLURAL:
            return self._group(token)
        if token.pos_ == "PRON" or (token.tag_ in ("DT", "WDT", "WP", "PRP") and token.dep_ != "det"):
            return self._thing(token) if lower in _THING else None
        return self._noun(token)

    def _recent(self, token: "Token", reach: int) -> list[tuple[int, int, NamedThing]]:
        """What was named before a word, at most `reach` sentences back: how many, how prominently, and what."""
        here = self.place(token)
        seen = [(*mention.before(here), mention) for mention in self.mentions]
        return [
            (self.sentence - place // _SPAN, weight, m)
            for place, weight, m in seen
            if place >= 0 and self.sentence - place // _SPAN <= reach
        ]

    def _person(self, gender: Gender, token: "Token") -> Referent | None:
        doers = self._doers(token)
        named = [f for f in self._recent(token, _REACH) if f[2].gender in ("", gender) and f[2].proper]
        named = [f for f in named if f[2].name not in doers and (f[2].type == "Person" or could_be_person(f[2].name))]
        fits = [f for f in named if f[2].type in ("Person", "")]
        if not fits:  # the parser takes "Bea Ash" for a place
            fits = [f for f in named if f[2].type != "Organization" and " " in f[2].name and f[0] <= 1 and f[1] > 2]
        if not fits:
            return None
        best = max(fits, key=lambda f: (f[2].gender == gender, f[2].type == "Person" or f[2].likely, -f[0], f[1]))
        rivals = [f for f in fits if f is not best and f[0] == best[0] and f[2].gender == best[2].gender]
        best[2].gender, best[2].type = gender, "Person"
        return Referent(best[2].name, "Person", 0.85 if rivals else 0.95)

    def _doers(self, token: "Token") -> set[str]:
        """The subjects of a pronoun's own clause, who are somebody else: "Bo reports to him"."""
        if token.dep_ not in ("dobj", "pobj", "dative") or token.lower_.endswith("self"):
            return set()
        verb = token.head
        while verb.pos_ not in ("VERB", "AUX") and verb.head != verb:
            verb = verb.head
        subjects = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")]
        return {self.full(phrase(one).text) for subject in subjects for one in listed(subject) if one.pos_ != "PRON"}

    def learn(self, name: str, type: str) -> None:
        """Notes what a fact tells of the type of something named, where its name did not."""
        for mention in self.mentions:
            if mention.name == name and not mention.type:
                mention.type = type

    def _thing(self, token: "Token") -> Referent | None:
        fits = [
            (back, weight, m)
            for back, weight, m in self._recent(token, 2)
            if m.type not in ("Person", "Role", "Status") and not m.plural and not m.gender
        ]
        if not fits:
            return Referent(self.title, "", 0.9) if re.search(r"\d", self.title) else None
        back, weight, best = max(fits, key=lambda f: (-f[0], not f[2].likely, f[1], f[2].proper))
        sure = 0.9 if back > 0 or weight > 1 or len(fits) == 1 else 0.75
        return Referent(best.name, best.type, sure, best.proper, best.plain)

    def _group(self, token: "Token") -> Referent | None:
        """ "They": whoever was named last."""
        recent = [f for f in self._recent(token, 1) if f[2].proper and f[2].name != USER]
        people = [f for f in recent if f[2].type in ("Person", "Organization", "")]
        best = max(people, key=lambda f: (-f[0], f[1]), default=None)
        return Referent(best[2].name, best[2].type, 0.7, best[2].proper, best[2].plain) if best else None

    def implied_subject(self) -> Referent | None:
        """Whom a sentence without a subject is about, in notes: the last subject, or the user."""
        here = self.sentence * _SPAN
        seen = [(*mention.before(here), mention) for mention in self.mentions if mention.proper]
        near = [one for one in seen if one[1] >= 2 and one[0] // _SPAN >= self.sentence - 2]
        if near:
            best = max(near, key=lambda one: (one[0] // _SPAN, one[1]))[2]
            return Referent(best.name, best.type, 0.88)
        return Referent(USER, "Person", 0.9) if self.about_user else None

    def group(self, token: "Token") -> list[Referent]:
        """The persons that a plural "they" takes together: the last two of the last two sentences."""
        people = sorted((f for f in self._recent(token, 2) if f[2].type == "Person"), key=lambda f: (-f[0], f[1]))
        return [Referent(m.name, "Person", 0.9) for _, _, m in people[-2:]] if len(people) > 1 else []

    def _noun(self, token: "Token") -> Referent | None:
        found = phrase(token)
        plain = found.plain
        if found.text.lower() == "user":
            return Referent(USER, "Person", at=token.i)
        if self._is_title(token, found):
            return Referent(self.title, "Document", 0.97, at=token.i)
        if found.proper:
            name = self.full(found.text)
            seen = next((m for m in self.mentions if m.name == name), None)
            return Referent(name, (seen.type if seen else "") or found.label, 1.0, True, plain, token.i)
        names = [c for c in token.children if c.dep_ == "appos" and c.pos_ == "PROPN" and phrase(c).proper]
        if names and (named := self._noun(names[0])) is not None:
            return Referent(named.name, named.type or found.label, 0.95, True, plain, token.i)
        if not re.search(r"[A-Za-z]", found.text) or (
            plain in known("generic")
            and found.end - found.start == 1
            and not (plain in known("wide") and token.dep_ == "dobj")
        ):
            return None
        itself = Referent(found.text, found.label, 0.85 if found.definite else 0.75, False, plain, token.i)
        return self._anaphor(token, found) or itself

    def _anaphor(self, token: "Token", found: NounPhrase) -> Referent | None:
        """ "the company", "this PEP", "the band": the last thing named that is one."""
        the = any(c.dep_ == "det" and c.lower_ in ("the", "this") for c in token.children)
        if not the or found.end - found.start != 1 or any(c.dep_ in ("prep", "relcl", "acl") for c in token.children):
            return None
        if self.title and found.plain in ("pep", "document", "rfc"):
            return Referent(self.title, "Document", 0.95)
        if self.title and found.plain in known("work") and any(m.name == self.title for m in self.mentions):
            return Referent(self.title, "Work", 0.9, True, found.plain)
        doers = self._doers(token)
        recent = [f for f in self._recent(token, _REACH) if f[2].proper and f[2].name not in doers]
        fits = [
            f
            for f in recent
            if f[2].type in (found.label, "") and (f[2].type or not could_be_person(f[2].name) or f[1] < 3)
        ]
        if found.plain in known("band") | {"side"}:
            fits = [f for f in recent if f[2].type in ("Organization", "")] or fits
        if not fits:
            return None
        best = max(fits, key=lambda f: (not f[2].is_heading, f[2].type == found.label, f[1] > 1, -f[0], f[1]))[2]
        return Referent(best.name, best.type or found.label, 0.8, True, found.plain)

    def note(self, tokens: Sequence["Token"]) -> None:
        """Notes the names of a sentence, its subjects as the most prominent."""
        for token in tokens:
            if token.pos_ not in ("PROPN", "NOUN") or token.dep_ in ("compound", "nmod", "amod", "case", "npadvmod"):
                continue
            found = phrase(token)
            if self._is_title(token, found):
                self.named(self.title, "Document", self.place(token), weight_of(token))
            elif found.text.lower() == "user":
                self.named(USER, "Person", self.place(token), weight_of(token))
            elif found.proper and re.search(r"[A-Za-z]", found.text) and not is_date(token):
                mention = self.named(
                    found.text, found.label, self.place(token), weight_of(token), gender_of(token, found)
                )
                mention.likely = mention.likely or token.ent_type_ == "PERSON"
                mention.plural = mention.plural or (found.plural and token.tag_ == "NNS")
            elif (
                token.dep_ in ("nsubj", "nsubjpass", "dobj") and found.definite and self._anaphor(token, found) is None
            ):
                mention = self.named(found.text, found.label, self.place(token), 2 if token.dep_ != "dobj" else 1)
                mention.proper, mention.plain, mention.plural = False, found.plain, found.plural

    def _is_title(self, token: "Token", found: NounPhrase) -> bool:
        """ "this PEP" and "the PEP" in a text that is one."""
        this = any(c.dep_ == "det" and c.lower_ in ("this", "the") for c in token.children)
        return this and bool(self.title) and found.text.lower() == self.title.lower().split()[0]
