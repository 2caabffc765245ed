"""Finds questions that compare: all but some, which of two is first, which has more."""

import re
from collections.abc import Iterator, Sequence

from services.analyst.compositions.composition import Composition, Way
from services.analyst.compositions.question_reader import ASKING, AUXILIARIES, PEOPLE, QuestionReader
from services.analyst.mentions import NameMention

_EXCEPT = re.compile(
    r"(?: ,)? (?:besides|except(?:ing)?(?: for)?|apart from|aside from|other than|excluding|not counting|not including"
    r"|leaving out)(?: the)?(?P<names> M(?:(?: ,)?(?: and| or)? M)*)(?: ,)?(?= )"
)
_ALTERNATIVES = re.compile(r"(?: ,)?(?: either)?(?P<one> (?:the )?M) or(?P<two> (?:the )?M)(?= )")
_MEASURES: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(r" (?:first|earlier|earliest|sooner|sooner than)(?= )")),
    ("last", re.compile(r" (?:last|later|latest|more recently|most recently)(?= )")),
    ("longer", re.compile(r" (?:(?:for )?(?:the )?longe(?:r|st)(?: time)?)(?= )")),
    ("shorter", re.compile(r" (?:(?:for )?(?:the |a )?shorte(?:r|st)(?: time)?)(?= )")),
    ("more", re.compile(r" (?:the )?(?:more|most|larger number of|greater number of)(?= )")),
    ("fewer", re.compile(r" (?:the )?(?:fewer|fewest|less|least)(?= )")),
)
_OF_TWO = re.compile(r"(?: one)? of (?:the|these|those) (?:two|both)(?= )| of them(?= )")
_THAN = re.compile(r" than(?P<two> (?:the )?M)(?= )")
_AGES: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(r"^ (?:is|was)(?P<one> (?:the )?M) older than(?P<two> (?:the )?M) $")),
    ("last", re.compile(r"^ (?:is|was)(?P<one> (?:the )?M) (?:younger|newer) than(?P<two> (?:the )?M) $")),
)
_SECOND = r"(?P<two> (?:the )?M)(?: (?:did|was|were|is|had))?(?= $)"
_ORDERS: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(rf" (?:before|earlier than|sooner than){_SECOND}")),
    ("last", re.compile(rf" (?:after|later than){_SECOND}")),
)


_EITHER_ORDER = re.compile(
    rf" (?:before or after|after or before|earlier or later than|later or earlier than){_SECOND}"
)


class ComparingReader(QuestionReader):
    """Finds the questions that one compares the answers of."""

    def excepting(self) -> Iterator[Composition]:
        """ "Besides A", "other than A": all but those."""
        if match := _EXCEPT.search(self.template.text):
            names = [name for mention in self.named(*self.span(match, "names")) for name in mention.names]
            yield Composition("except", (self.with_changes((self.span(match), "")),), tuple(names))

    def comparing(self) -> Iterator[Composition]:
        """ "Who was first, A or B?", "Has A more than B?", "Was A accepted before B?": the same asked of each."""
        text = self.template.text
        for way, pattern in _AGES:
            if match := pattern.search(text):
                names = tuple(self.named(*self.span(match, group))[0].name for group in ("one", "two"))
                yield Composition(way, tuple(f"When was {name} founded?" for name in names), names, decides=True)
        if (match := _EITHER_ORDER.search(text)) and (first := self.named(0, self.span(match)[0])):
            yield from self._each("first", [first[0], *self.named(*self.span(match))], [self.span(match)], False)
        for way, pattern in _ORDERS:
            match = pattern.search(text)
            if match and self.texts[0] in AUXILIARIES and (first := self.named(0, self.span(match)[0])):
                yield from self._each(way, [first[0], *self.named(*self.span(match))], [self.span(match)], True)
        for way, pattern in _MEASURES:
            if measure := pattern.search(text):
                yield from self._measured(way, measure)

    def _measured(self, way: Way, measure: re.Match[str]) -> Iterator[Composition]:
        text, own = self.template.text, self.span(measure)
        of_two = [self.span(match) for match in _OF_TWO.finditer(text)]
        if either := _ALTERNATIVES.search(text):
            spans = (self.span(either), own, *of_two)
            yield from self._each(way, self.named(*spans[0]), spans, False)
        elif (than := _THAN.search(text)) and self.texts[0] in AUXILIARIES:
            first = self.named(0, self.span(than)[0])
            if first:
                spans = (self.span(than), own)
                yield from self._each(way, [first[0], *self.named(*spans[0])], spans, True)

    def _each(
        self, way: Way, mentions: Sequence[NameMention], spans: Sequence[tuple[int, int]], decides: bool
    ) -> Iterator[Composition]:
        """Ask what is measured of each name: when, how long or how many."""
        if len(mentions) != 2:
            return
        first, names = self.tokens_of(mentions[0]), tuple(mention.name for mention in mentions)
        asking = {"more": "how many", "fewer": "how many", "longer": "how long", "shorter": "how long"}.get(way, "when")
        rest = [at for at in range(len(self.tokens)) if not any(start <= at < end for start, end in spans)]
        rest = [at for at in rest if not first[0] <= at < first[1]]
        start = max(self.head, 1) if self.texts[0] in ASKING | PEOPLE else 0
        auxiliary = "did"
        if self.texts[start] in AUXILIARIES:
            auxiliary, start = self.texts[start], start + 1
        noun = [at for at in rest if asking == "how many" and at == spans[1][1]]
        words = self.all_of(at for at in rest if at >= start and at not in noun)
        counted = f"{asking} {self.all_of(noun)}".strip()
        parts = tuple(f"{counted} {auxiliary} {name} {words}?" for name in names)
        yield Composition(way, parts, names, decides=decides)
