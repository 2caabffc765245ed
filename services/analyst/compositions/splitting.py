"""Finds questions with two conditions on one thing, the second of which may be denied."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import (
    AUXILIARIES,
    NEGATIONS,
    POSITIVE,
    RELATIVE,
    QuestionReader,
)
from services.analyst.question_words import SMALL_WORDS

_WHO_WERE = "who were"
_PRONOUNS = {"it": "", "its": "'s", "their": "'s", "them": "", "there": ""}
_NOW = {"was": "is", "were": "are", "had": "has"}
_BEFORE_THEN = frozenset(("before", "previously", "earlier", "once"))
_STILL = frozenset(("any", "more", "anymore", "longer", "no", "still", "yet", "now", "today"))


class SplittingReader(QuestionReader):
    """Finds the two questions whose answers a question wants together."""

    def splitting(self) -> Iterator[Composition]:
        """ "Which PEPs that A wrote are Final?", "… but not B", "… without being C": two conditions on one thing."""
        if not self.head and self.texts[:1] in (["which"], ["what"]):
            yield from self._split(1, _WHO_WERE)
        elif self.head:
            yield from self._split(self.head, self.asked)

    def _split(self, head: int, asked: str) -> Iterator[Composition]:
        for at in range(head + 1, self._before_clause):
            if asked == _WHO_WERE and AUXILIARIES.intersection(self.texts[head:at]):
                continue
            if not self._says_what(head, at) or not (
                self.tokens[at - 1].mention or self._joins(at) or self.texts[at - 1] == "D"
            ):
                continue
            start = head + (self.texts[head] in RELATIVE)
            left, right = self.text_of(start, at), self._right(at, left=(start, at))
            if right is None:
                continue
            denied, words = right
            left = re.sub(r"\bboth ", "", left)
            parts = (f"{asked} {left}?", f"{asked} {words}?")
            yield Composition("without" if denied else "both", parts, counts=self.counts)

    @property
    def _before_clause(self) -> int:
        """Where a clause begins that tells when something was, which is no condition; the end where there is none."""
        ends = (at for at, text in enumerate(self.texts) if at and text in ("when", "while", "whilst"))
        return next(ends, len(self.tokens))

    def _says_what(self, first: int, last: int) -> bool:
        """True for tokens with a name and with what is said of it: no "did A"."""
        tokens = self.tokens[first:last]
        says = any(token.mention is None and token.text not in AUXILIARIES | {","} for token in tokens)
        return says and any(token.mention is not None for token in tokens)

    def _joins(self, at: int) -> bool:
        return self.texts[at] in ("and", "but", "without", "yet", ",", "also") or self.texts[at] in RELATIVE

    def _right(self, at: int, left: tuple[int, int]) -> tuple[bool, str] | None:
        """Return whether the second of two conditions is denied, and its words."""
        texts, last = self.texts, len(self.tokens)
        denied = False
        while at < last and texts[at] in (",", "and", "but", "yet", "also", "then", "still", *RELATIVE):
            at += 1
        if at < last and texts[at] == "without":
            denied, at = True, at + 1 + (texts[at + 1 : at + 2] == ["ever"])
            if texts[at : at + 1] in (["being"], ["having"]):
                return True, f"{'is' if texts[at] == 'being' else 'has'} {self.text_of(at + 1, last)}"
        words: list[str] = []
        for place in range(at, last):
            text = texts[place]
            is_over = texts[place : place + 2] == ["no", "longer"]
            if place < at + 4 and (text in NEGATIONS or text.endswith("n't") or (text == "no" and words) or is_over):
                denied = True
                words.append(POSITIVE.get(text, ""))
            elif text in _BEFORE_THEN and place + 1 == last:
                continue
            elif text in _PRONOUNS:
                name = self.text_of(*self.tokens_of(self.named(*left)[0]))
                words.append(f"{name}{_PRONOUNS[text]}")
            elif text != ",":
                words.append(self.text_of(place, place + 1) if place + 1 < last else self.text_of(place, last))
        return self._completed(denied, [word for word in words if word], (at, last), left)

    def _completed(
        self, denied: bool, words: list[str], span: tuple[int, int], left: tuple[int, int]
    ) -> tuple[bool, str] | None:
        """Fill in what the second condition leaves out: "but not B", "but are not any more"."""
        named = self.named(*span)
        says = [word for word in words if word.lower() not in SMALL_WORDS | _STILL]
        if not says and denied:
            own = (self.text_of(at, at + 1) for at in range(*left))
            now = " ".join(_NOW.get(word.lower(), word) for word in own)
            return True, re.sub(r"\bused to be\b", "is", now)
        if len(words) == 1 and len(named) == 1 and denied:
            last = max(at for at in range(*left) if self.tokens[at].mention)
            return True, " ".join((self.text_of(left[0], last), words[0], self.text_of(last + 1, left[1]))).strip()
        return (denied, " ".join(words)) if says else None
