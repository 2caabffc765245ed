"""Finds questions that ask for those of a kind of whom something is not so."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import AUXILIARIES, NEGATIONS, POSITIVE, RELATIVE, QuestionReader
from services.analyst.question_cues import HAVE

_NEITHER = re.compile(r" neither (?P<one>(?:\w+ )*?(?:the )?M) nor (?P<two>(?:\w+ )*?(?:the )?M)(?= )")
_TURNS = frozenset(("but", "and", "yet"))
_OF_THESE = frozenset(("of", "the", "these", "all"))
_MOST_OF_A_KIND = 60


class DenyingReader(QuestionReader):
    """Finds what is denied of each of a kind, and what has to be so of those besides."""

    def denying(self) -> Iterator[Composition]:
        """ "Which projects have never been paused?", "Which clubs in M have not won D?": the kind without those."""
        first = self.opening
        while first and first < len(self.texts) and self.texts[first] in _OF_THESE:
            first += 1
        head = self.noun_end(first) if first else 0
        if not head:
            return
        kind, noun = self.question.cues.types.get(self.tokens[head - 1].first, ""), self.text_of(first, head)
        for at in range(head, len(self.tokens)):
            has_none = self.texts[at] == "no" and self.texts[at - 1] in HAVE
            is_denial = self.texts[at] in NEGATIONS or self.texts[at] in POSITIVE or has_none
            if kind and is_denial and (composition := self._of_kind(kind, noun, head, at)):
                yield composition
                return

    def _of_kind(self, kind: str, noun: str, head: int, at: int) -> Composition | None:
        """Return the kind, or what stands between it and the denial, without those of whom the rest is so."""
        texts, last = self.texts, len(self.tokens)
        if texts[at] in POSITIVE:
            verb, start = POSITIVE[texts[at]], at
        elif at > head and texts[at - 1] in AUXILIARIES:
            verb, start = texts[at - 1], at - 1
        else:
            verb, start = "has", at
        turn = next(
            (to for to in range(at + 1, last - 1) if texts[to] in _TURNS and texts[to + 1] in AUXILIARIES), last
        )
        denied = f"which {noun} {verb} {self.text_of(at + 1, turn)}?"
        own = [self.text_of(head, start), self.text_of(turn + 1, last) if turn < last else ""]
        base = [f"which {noun} {self._asked_of(words)}?" for words in own if words]
        if base:
            return Composition("without", (base[0], denied), counts=self.counts) if len(base) == 1 else None
        names = self._all_of_kind(kind)
        return Composition("never", (denied,), names, counts=self.counts) if names else None

    def _asked_of(self, words: str) -> str:
        first = words.split()[0].lower()
        if first in RELATIVE:
            return words.partition(" ")[2]
        return words if first in AUXILIARIES or self.question.cues.relations else f"are {words}"

    def neither(self) -> Iterator[Composition]:
        """ "Who is in neither A nor B but is C?": those of C without those of A and of B."""
        match = _NEITHER.search(self.template.text)
        if match is None:
            return
        first, last = self.span(match)
        rest = [at for at in range(last, len(self.tokens)) if self.texts[at] not in _TURNS | {","}]
        opening = self.text_of(0, first)
        denied = tuple(f"{opening} {self.text_of(*self.span(match, group))}?" for group in ("one", "two"))
        if rest and 0 < first <= 3:
            base = f"{self.text_of(0, 1)} {self.text_of(rest[0], len(self.tokens))}?"
            yield Composition("without", (base, *denied), counts=self.counts)
        elif not rest and (names := self._of_opening):
            yield Composition("never", denied, names, counts=self.counts)

    @property
    def _of_opening(self) -> tuple[str, ...]:
        """All of the kind that "which" asks for; none where it is none, or has too many."""
        head = self.noun_end(self.opening) if self.opening else 0
        return self._all_of_kind(self.question.cues.types.get(self.tokens[head - 1].first, "") if head else "")

    def _all_of_kind(self, kind: str) -> tuple[str, ...]:
        types = self.question.lexicon.types_of
        names = tuple(name for name, kinds in types.items() if kind in kinds)
        return names if len(names) <= _MOST_OF_A_KIND else ()
