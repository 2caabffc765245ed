"""Finds questions that list what several have in common."""

import re
from collections.abc import Iterator, Sequence

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import ANYBODY, AUXILIARIES, QuestionReader

_JOINED = re.compile(
    r"(?P<all> (?:both|between))?(?P<one> (?:the )?M)(?: as well as| and also| and|(?: ,)? and)"
    r"(?P<two> (?:the )?M)(?= )"
)
_TOGETHER = re.compile(r" (?:both|together|jointly|alike)(?= )| in common(?= )")
_SHARING = re.compile(r" (?:share|shared|as well as)(?= )")


class JoiningReader(QuestionReader):
    """Finds the questions whose answers have to be the same."""

    def joining_names(self) -> Iterator[Composition]:
        """ "Both A and B", "A and B together": what is listed for each."""
        text = self.template.text
        match = _JOINED.search(text)
        if match is None or not (_TOGETHER.search(text) or _SHARING.search(text)):
            return
        spans = [(self.span(found), "") for found in _TOGETHER.finditer(text)]
        spans += [(self.span(found), "have") for found in _SHARING.finditer(text) if "share" in found[0]]
        start, end = self.span(match, "all")[0] if match["all"] else self.span(match, "one")[0], self.span(match)[1]
        spans = [(span, word) for span, word in spans if not start <= span[0] < end]
        named = [self.text_of(*self.span(match, group)) for group in ("one", "two")]
        parts = tuple(self._questions([*spans, ((start, end), name)]) for name in named)
        yield Composition("both", parts, counts=self.counts)

    def _questions(self, changes: Sequence[tuple[tuple[int, int], str]]) -> str:
        text = self.with_changes(*changes)
        if self.texts[0] in AUXILIARIES and self.texts[1:2] and self.texts[1] in ANYBODY:
            return re.sub(r"^(\w+) \w+", r"who \1", text)
        return text

    def joining_verbs(self) -> Iterator[Composition]:
        """ "Which has she both sponsored and delegated?": what is listed by each verb."""
        texts = self.texts
        for at in range(1, len(texts) - 1):
            if texts[at] != "and" or self.tokens[at - 1].mention or self.tokens[at + 1].mention:
                continue
            both = next((before for before in range(at) if texts[before] == "both"), at - 1)
            first = both + 1 if texts[both] == "both" else both
            dropped = [((both, both + 1), "")] if texts[both] == "both" else []
            one = self.with_changes(*dropped, ((at, at + 2), ""))
            two = self.with_changes(*dropped, ((first, at + 1), ""))
            yield Composition("both", (one, two), counts=self.counts)
