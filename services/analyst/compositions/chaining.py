"""Finds questions of who stands beside a name: other authors of a work, those two places before in a row."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, Composition
from services.analyst.compositions.question_reader import QuestionReader
from services.analyst.joint_questions import ALSO, CHAIN, COLLEAGUES, FELLOWS, TOGETHER
from services.language.inflection import past_of

_ALIKE = {
    "colleague": ("work at", "company"),
    "coworker": ("work at", "company"),
    "workmate": ("work at", "company"),
    "teammate": ("play for", "team"),
    "classmate": ("study at", "school"),
}
"""What those do alike whom a noun calls each other's fellows, and at what."""


class ChainingReader(QuestionReader):
    """Finds questions whose answer stands beside a name, or a step further than the next."""

    def fellows(self) -> Iterator[Composition]:
        """ "A's co-authors on B", "who co-wrote B with A": all that B has but A, who has to be one of them."""
        text = self.template.text
        for match in filter(None, (pattern.search(text) for pattern in FELLOWS)):
            yield self._fellow(match, f"who {self._be} the {match['noun']} of")
        for match in filter(None, (pattern.search(text) for pattern in TOGETHER)):
            verb = match["verb"] if "verb" in match.re.groupindex else past_of(match["base"])
            yield self._fellow(match, f"who {verb}")

    @property
    def _be(self) -> str:
        return "were" if {"was", "were"} & set(self.texts) else "are"

    def _fellow(self, match: re.Match[str], asking: str) -> Composition:
        (one,), (every,) = (self.named(*self.span(match, group)) for group in ("one", "all"))
        return Composition("fellows", (f"{asking} {every.name}?",), (one.name,))

    def colleagues(self) -> Iterator[Composition]:
        """ "Who are A's colleagues?": who works where A does, but A."""
        match = COLLEAGUES.search(self.template.text)
        verb, place = _ALIKE.get((match["noun"] or match["noun_before"]) if match else "", ("", ""))
        if match is None or not verb:
            return
        (one,) = self.named(*self.span(match, "one" if match["one"] else "one_behind"))
        when = self.text_of(*self.span(match, "when")) if match["when"] else ""
        is_past = bool({"was", "were"} & set(self.texts))
        if is_past and not when:
            return  # whoever was ever there may have left before A came
        inner = f"which {place} {'did' if is_past else 'does'} {one.name} {verb} {when}".rstrip()
        outer = f"who {past_of(verb.split()[0]) if is_past else f'{verb.split()[0]}s'} {verb.split()[1]} {GAP} {when}"
        yield Composition("of", (f"{inner}?", f"{outer.rstrip()}?"), (one.name,))

    def others(self) -> Iterator[Composition]:
        """ "A drives it, who else does?": who drives it but A, who has to be one of them."""
        if match := ALSO.search(self.template.text):
            (one,) = self.named(*self.span(match, "one"))
            yield Composition("fellows", (f"who {self.text_of(*self.span(match, 'says'))}?",), (one.name,))

    def chained(self) -> Iterator[Composition]:
        """ "A's predecessor's predecessor at B": the predecessor at B of A's predecessor at B."""
        if match := CHAIN.search(self.template.text):
            first, last = self.span(match, "inner" if match["inner"] else "other")
            noun = match["noun"] or match["other_noun"]
            rest = self.text_of(last + (2 if match["inner"] else 0), len(self.tokens))
            inner = f"who was {self.text_of(first, first + 1)}'s {noun} {rest}".rstrip("?. ")
            yield Composition("of", (f"{inner}?", self.with_changes(((first, last), GAP))))
