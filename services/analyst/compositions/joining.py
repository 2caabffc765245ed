"""Finds questions that list what several have in common."""

import re
from collections.abc import Iterator, Sequence

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import ANYBODY, AUXILIARIES, QuestionReader
from services.analyst.question_cues import OF

_JOINED = re.compile(
    r"(?P<all> (?:both|between))?(?P<one> (?:the )?M)(?: as well as| and also| and|(?: ,)? and)"
    r"(?P<two> (?:the )?M)(?= )"
)
_BETWEEN = re.compile(r" between (?:the )?M and (?:the )?M(?= )")
_IT = frozenset(("it", "him", "her", "them"))
_TOGETHER = re.compile(r" (?:both|together|jointly|alike)(?= )| in common(?= )")
_AT_ONCE = frozenset(("together", "jointly"))
_LATER = frozenset(("later", "then", "afterwards", "subsequently", "eventually", "also"))
_IN_ORDER = frozenset(("later", "then", "afterwards", "subsequently"))
_OPENING = frozenset(("who", "whom", "whose", "what", "which", "where", "when", "how"))
_SHARING = re.compile(r" (?:share|shared|as well as)(?= )")


class JoiningReader(QuestionReader):
    """Finds the questions whose answers have to be the same."""

    def joining_names(self) -> Iterator[Composition]:
        """ "Both A and B", "A and B together": what is listed for each; "did A write B and C": whether each is so."""
        text = self.template.text
        match = _JOINED.search(text)
        if match is None:
            return
        spans = [(self.span(found), "") for found in _TOGETHER.finditer(text)]
        spans += [(self.span(found), "have") for found in _SHARING.finditer(text) if "share" in found[0]]
        start, end = self.span(match, "all")[0] if match["all"] else self.span(match, "one")[0], self.span(match)[1]
        spans = [(span, word) for span, word in spans if not start <= span[0] < end]
        named = [self.text_of(*self.span(match, group)) for group in ("one", "two")]
        parts = tuple(self._questions([*spans, ((start, end), name)]) for name in named)
        if self.texts[0] in AUXILIARIES and self.named(0, start) and match["all"] != " between":
            yield Composition("all_so", parts, decides=True)
        if _TOGETHER.search(text) or _SHARING.search(text):
            joint = "together" if _AT_ONCE & set(self.texts) else ""
            yield Composition("both", parts, joint=joint, counts=self.counts, decides=self._asks_whether)

    @property
    def _asks_whether(self) -> bool:
        """True for "has anyone": whether there is somebody."""
        return self.texts[0] in AUXILIARIES and self.texts[1:2] != [] and self.texts[1] in ANYBODY

    def between(self) -> Iterator[Composition]:
        """ "Who led it between A and B?": who did after A and before B."""
        if match := _BETWEEN.search(self.template.text):
            span, names = self.span(match), self.named(*self.span(match))
            parts = tuple(
                self.with_changes((span, f"{word} {mention.name}"))
                for word, mention in zip(("after", "before"), names, strict=True)
            )
            yield Composition("both", parts)

    def deciding(self) -> Iterator[Composition]:
        """ "Did A both sponsor B and delegate it?": whether each is so."""
        texts = self.texts
        if texts[0] not in AUXILIARIES or "both" not in texts or not self.named(0, texts.index("both")):
            return
        both = texts.index("both")
        turn = next((at for at in range(both + 2, len(texts) - 1) if texts[at] == "and"), 0)
        second = self.named(turn, len(texts)) if turn else []
        if not turn or self.tokens[both + 1].mention or not self.named(both, turn) or len(second) > 1:
            return
        subject, of = self.text_of(0, both), self.named(both, turn)[-1].name
        words = [of if texts[at] in _IT else self.text_of(at, at + 1) for at in range(turn + 1, len(texts))]
        parts = (f"{subject} {self.text_of(both + 1, turn)}?", f"{subject} {' '.join(words)}?")
        yield Composition("all_so", parts, decides=True)

    def stating(self) -> Iterator[Composition]:
        """ "Was A sold and later closed?", "whether A was sold and later closed": whether each is so, in this order."""
        texts = self.texts
        start = 1 if texts[0] == "whether" else 0
        turns = [at for at in range(start + 3, len(texts) - 1) if texts[at] in ("and", "but")]
        if len(turns) != 1 or not (start or texts[0] in AUXILIARIES) or {"both", "between"} & set(texts):
            return
        (turn,) = turns
        named = [at for at in range(start, turn) if self.tokens[at].mention]
        at = turn + 1 + (texts[turn + 1] in _LATER)
        if not named or at >= len(texts) or (self.is_name(turn - 1) and self.is_name(at)):
            return
        end = named[0] + 1
        subject = self.text_of(start, end) if not start else f"whether {self.text_of(start, end)}"
        verb = (
            self.text_of(end, end + 1) if start and texts[end] in AUXILIARIES and texts[at] not in AUXILIARIES else ""
        )
        parts = (f"{self.text_of(0, turn)}?", f"{subject} {verb} {self.text_of(at, len(texts))}?".replace("  ", " "))
        joint = "later" if texts[turn + 1] in _LATER - {"also"} else ""
        yield Composition("all_so", parts, joint=joint, decides=True)

    def in_order(self) -> Iterator[Composition]:
        """ "Who worked at A first and at B later?": who did the second, and did the first before that."""
        turns = [at for at, text in enumerate(self.texts) if text == "and"]
        if len(turns) != 1 or not self.head or self.texts[0] in AUXILIARIES:
            return
        (turn,) = turns
        end = turn - (self.texts[turn - 1] == ",")
        left = [at for at in range(self.head, end) if self.texts[at] != "first"]
        right = [at for at in range(turn + 1, len(self.texts)) if self.texts[at] not in _IN_ORDER]
        if len(right) == len(self.texts) - turn - 1 or not (self.named(0, turn) and self.named(turn, len(self.texts))):
            return
        shared = [at for at in left if self.texts[at] == self.texts[right[0]]][:1] if self.texts[right[0]] in OF else []
        lead = [at for at in left if at < shared[0]] if shared else []
        parts = (f"{self.asked} {self.all_of(left)}?", f"{self.asked} {self.all_of([*lead, *right])}?")
        yield Composition("both", parts, joint="later", counts=self.counts)

    def _questions(self, changes: Sequence[tuple[tuple[int, int], str]]) -> str:
        text = self.with_changes(*changes)
        if self._asks_whether:
            return re.sub(r"^(\w+) \w+", r"who \1", text)
        return text

    def joining_verbs(self) -> Iterator[Composition]:
        """ "Which has she both sponsored and delegated?": what is listed by each verb."""
        texts = self.texts
        for at in range(1, len(texts) - 1):
            if texts[at] != "and" or texts[at + 1] in _OPENING:
                continue
            if self.tokens[at - 1].mention or self.tokens[at + 1].mention:
                continue
            both = next((before for before in range(at) if texts[before] == "both"), at - 1)
            first = both + 1 if texts[both] == "both" else both
            dropped = [((both, both + 1), "")] if texts[both] == "both" else []
            one = self.with_changes(*dropped, ((at, at + 2), ""))
            two = self.with_changes(*dropped, ((first, at + 1), ""))
            yield Composition("both", (one, two), counts=self.counts)
