"""Finds questions that ask of the answer to another one."""

from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, Composition
from services.analyst.compositions.question_reader import RELATIVE, QuestionReader
from services.analyst.parsed_question import DATE
from services.analyst.question_words import SMALL_WORDS
from services.analyst.vocabulary import OWN, Hint, is_like
from services.language.inflection import is_past

_BEFORE_NAMES = frozenset(("of", "for", "at"))


def _is_noun(hint: Hint) -> bool:
    return hint.form == "noun" or hint.weight > OWN


class NestingReader(QuestionReader):
    """Finds the question within another, and where its answer belongs."""

    def nesting(self) -> Iterator[Composition]:
        """ "The owner of the club that A coaches": another question's answer stands in a gap."""
        for first, text in enumerate(self.texts if not self.counts else ()):
            if text in ("the", "a", "an"):
                yield from self._clauses(first)
            if text == "the":
                yield from self._possessions(first)
                yield from self._offices(first)
            if text == "'s" and first and self.tokens[first - 1].mention:
                yield from self._belongings(first - 1)

    def _clauses(self, first: int) -> Iterator[Composition]:
        """ "The club that A coaches", "the PEP superseding B": asked as "which club …"."""
        noun = self.noun_end(first)
        if not noun or noun >= len(self.tokens) or first == 0:
            return
        relative = self.texts[noun] in RELATIVE | {"where"}
        kind = self.question.cues.types.get(self.tokens[noun - 1].first, "")
        asked = "who" if is_like(kind, "person") else f"which {self.text_of(first + 1, noun)}"
        ends = range(noun + 1 if self.texts[noun] != "where" else len(self.tokens), len(self.tokens) + 1)
        for last in reversed(ends) if self.texts[noun - 1] in ("person", "people") else ends:
            has_more = self.named(noun, last) or (last == len(self.tokens) and relative)
            is_cut = last < len(self.tokens) and self.texts[last] == DATE and is_past(self.texts[last - 1])
            if has_more and not is_cut and (last == len(self.tokens) or last > noun + 1):
                inner = f"{asked} {self.text_of(noun + relative, last)}{self._opening_date(first, last)}?"
                yield from self._nested(first, last, inner)

    def _opening_date(self, first: int, last: int) -> str:
        """Return the date before a question, which is its clause's too: "in 2015, who led the club that A was in"."""
        is_before = first and self.texts[0] == DATE and DATE not in self.texts[first:last]
        return f" {self.text_of(0, 1)}" if is_before else ""

    def _possessions(self, first: int) -> Iterator[Composition]:
        """ "The home ground of A"."""
        for of in range(first + 2, min(first + 6, len(self.tokens))):
            if self.texts[of] in ("of", "for", "at"):
                last = next((at for at in range(of + 1, len(self.tokens)) if self.tokens[at].mention), None)
                if last is not None and last <= of + 2:
                    yield from self._nested(first, last + 1, f"what is {self.text_of(first, last + 1)}?")
                    yield from self._nested(first, last + 1, f"who is {self.text_of(first, last + 1)}?")
                return

    def _offices(self, first: int) -> Iterator[Composition]:
        """ "The prime minister", "the minister of A": who has that office."""
        nouns = {place for cue in self.question.cues.relations if _is_noun(cue.hint) for place in cue.places}
        last = first + 1
        while last < len(self.tokens) and (self.tokens[last].mention or self.tokens[last].first in nouns):
            last += 1
        is_of = last < len(self.tokens) and self.texts[last] in _BEFORE_NAMES
        if not is_of and any(self.tokens[at].first in nouns for at in range(first + 1, last)):
            yield from self._nested(first, last, f"who is {self.text_of(first, last)}?")

    def _belongings(self, name: int) -> Iterator[Composition]:
        """ "A's home ground"."""
        for last in range(name + 3, min(name + 6, len(self.tokens)) + 1):
            inner = self.text_of(name, last)
            yield from self._nested(name, last, f"what is {inner}?")
            yield from self._nested(name, last, f"who is {inner}?")

    def _nested(self, first: int, last: int, inner: str) -> Iterator[Composition]:
        outer = self.with_changes(((first, last), GAP))
        words, is_any = outer.strip("?. ").lower().split(), self.texts[first] in ("a", "an")
        if words[-1:] == [GAP] and len(named := self.named(first, last)) == 1:  # "who succeeded the one who"
            yield Composition("of", (inner, f"{outer.rstrip('?. ')} at {named[0].name}?"), decides=is_any)
        if words[:1] == ["where"] or any(word not in SMALL_WORDS | {GAP} for word in words):
            yield Composition("of", (inner, outer), decides=is_any)
