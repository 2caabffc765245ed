"""Finds questions of what was always so, and of who had something more than once."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import ANYBODY, ASKING, AUXILIARIES, PEOPLE, THE_SAME, QuestionReader
from services.language.numbers import number

_COUNTS = r"(?P<number>two|three|four|five|\d+)"
_AGAIN = re.compile(
    r" (?:twice|more than once|a second time"
    rf"|(?:at least )?{_COUNTS}(?: \w+)? (?:times|terms|spells|stints|periods))(?= )"
)
_BACK = re.compile(
    r" (?:(?:go|went|gone|come|came|move|moved|switch|switched|change|changed|put|sent|set) back"
    r"|return|returned|revert|reverted)(?: (?:in)?to)?(?: being)?(?P<value>(?: the| a)? M)(?= )"
)
_ONCE_MORE = re.compile(r" (?:become|became|been|be)(?P<value>(?: the| a)? M) (?:again|once more|a second time)(?= )")
_AFTER_BEING = re.compile(r" (?:after|since) (?:being|having been|becoming|(?:it|he|she) (?:was|had been|became)) M ")
_APART = re.compile(
    r"(?: ,)? (?:with|after) an?(?: \w+)? (?:break|gap|pause|interruption|interval)(?: in between)?(?= )"
)
_HAD = re.compile(r" (?:had|has had|have had|served|has served|have served|did) $")


class RepeatingReader(QuestionReader):
    """Finds what is asked of a whole history."""

    def asking_for_any(self) -> Iterator[Composition]:
        """ "Is anyone running it?": who is, or that nobody is."""
        if self.texts[0] in AUXILIARIES and len(self.texts) > 2 and self.texts[1] in ANYBODY:
            yield Composition("any", (f"who {self.text_of(0, 1)} {self.text_of(2, len(self.tokens))}?",), decides=True)
        if self.texts[:2] == ["is", "there"] and self.texts[2:3] and self.texts[2] in ANYBODY:
            start = 3 + (self.texts[3:4] in (["who"], ["that"]))
            yield Composition("any", (f"who {self.text_of(start, len(self.tokens))}?",), decides=True)

    def repeating(self) -> Iterator[Composition]:
        """ "Which director of A had two terms?", "Has A always been B?": what is asked without saying how often."""
        if self.texts[0] in AUXILIARIES and self.texts.count("always") == 1:
            at = self.texts.index("always")
            yield Composition("always", (self.with_changes(((at, at + 1), "")),), decides=True)
        match = _AGAIN.search(self.template.text)
        if match is not None and self.texts[0] in PEOPLE | ASKING:
            first, last = self.span(match)
            is_of_noun = _HAD.search(f" {' '.join(self.texts[:first])} ") is not None
            asked = f"who were the {self.text_of(1, first - 1)}" if is_of_noun else self._without_same(first)
            end = self.span(apart)[0] if (apart := _APART.search(self.template.text)) else len(self.tokens)
            bare = f"{asked} {self.text_of(last, max(last, end))}".strip(" ?")
            often, joint = match["number"], "same" if THE_SAME.search(self.template.text) else ""
            yield Composition("again", (f"{bare}?",), joint=joint, number=int(number(often)) if often else 2)

    def returning(self) -> Iterator[Composition]:
        """ "Did A go back to B after C?": whether A was B a second time, and later than C."""
        text = self.template.text
        match = _BACK.search(text) or _ONCE_MORE.search(text)
        asks_when = self.texts[0] == "when"
        if match is None or not (asks_when or self.texts[0] in AUXILIARIES):
            return
        if not (one := self.named(0, self.span(match)[0])):
            return
        name, (value,) = one[0].name, self.named(*self.span(match, "value"))
        rest = text[match.end() :]
        after = _AFTER_BEING.fullmatch(rest)
        if rest.strip() and after is None:
            return
        parts = [f"did {name} ever become {value.name}?"]
        if after is not None:
            parts.append(f"did {name} ever become {self.named(self.span(match)[1], len(self.tokens))[-1].name}?")
        yield Composition("again", tuple(parts), joint="when" if asks_when else "", decides=True)

    def _without_same(self, last: int) -> str:
        """Return the words before a place with "a club" for "the same club"."""
        same = THE_SAME.search(self.template.text)
        first, end = self.span(same) if same else (last, last)
        return self.text_of(0, last) if first >= last else f"{self.text_of(0, first)} a {self.text_of(end, last)}"
