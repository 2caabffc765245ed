"""Finds the questions of each name of a list of which a question asks which one is so, or is not."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition, Way
from services.analyst.compositions.question_reader import AUXILIARIES, NEGATIONS, ONE_OF_MANY, POSITIVE, QuestionReader

_NAMES = r"(?P<names>(?: the)? M(?:(?: ,)?(?: and| or| vs| versus)?(?: the)? M)+)"
_OF_LIST = re.compile(
    rf"^(?: (?:which|what|who)(?: one)?(?: ones)?)?(?: out)? of(?: these| the following| both)?(?: ,)?{_NAMES}"
    r"(?: ,)?(?: (?:which|who|what)(?: one)?)?(?P<rest> .*)$"
)
_LIST_BEHIND = re.compile(
    r"^ (?:which|who|what)(?: one)?(?: of (?:these|them|the following|the two|the three))?"
    rf"(?P<rest> (?!M)\S+ .*?) ,{_NAMES} $"
)
_LIST_BEFORE = re.compile(
    rf"^{_NAMES} , (?:which|who|what)(?: one)?(?: of (?:these|those|them|the two|the three))?(?P<rest> .*)$"
)
_MEASURES: tuple[tuple[Way, str, re.Pattern[str]], ...] = (
    ("first", "when", re.compile(r" (?:the )?(?:first|earliest|oldest)(?= )")),
    ("last", "when", re.compile(r" (?:the )?(?:last|latest|most recently|newest)(?= )")),
    ("longer", "how long", re.compile(r" (?:for )?(?:the )?longest(?: time)?(?= )")),
    ("shorter", "how long", re.compile(r" (?:for )?(?:the )?shortest(?: time)?(?= )")),
)
"""Words by which those of a list are compared, and what is asked of each for that."""


class ChoosingReader(QuestionReader):
    """Finds what is asked of each name of a list."""

    def choosing(self) -> Iterator[Composition]:
        """ "Which of A, B and C is not D?": whether it is so, of each."""
        text = self.template.text
        match = _OF_LIST.match(text) or _LIST_BEHIND.match(text) or _LIST_BEFORE.match(text)
        if match is None:
            return
        names = tuple(mention.name for mention in self.named(*self.span(match, "names")))
        first, last = self.span(match, "rest")
        texts = self.texts[first:last]
        denials = sum(text in NEGATIONS or text in POSITIVE for text in texts)
        if not texts or denials > 1:
            return
        auxiliary, start = self._auxiliary(first)
        rest = " ".join(self.text_of(at, at + 1) for at in range(start, last) if self.texts[at] not in NEGATIONS)
        for way, asking, measured in _MEASURES:
            if measured.search(f" {rest} "):
                bare = measured.sub(" ", f" {rest} ").strip()
                yield Composition(way, tuple(f"{asking} {auxiliary} {name} {bare}?" for name in names), names)
                return
        parts = tuple(f"{auxiliary} {name} {rest}?" for name in names)
        yield Composition("not_so" if denials else "so", parts, names)

    def _auxiliary(self, first: int) -> tuple[str, int]:
        """Return the auxiliary that opens a question of one name, and where the words behind it begin."""
        text = self.texts[first]
        text = POSITIVE.get(text, text)
        if text in AUXILIARIES:
            return ONE_OF_MANY.get(text, text), first + 1
        return "has", first
