"""Finds what is asked of the way from one value to another: "How long did it take from opened to closed?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import QuestionReader

_FROM_TO = re.compile(r" from (?:being )?(?P<one>M) (?:in)?to (?:being )?(?P<two>M) ")
_ASKS = re.compile(r"^ (?:how long|how many (?:days|weeks|months|years)|when|(?:on|in) (?:what|which) \w+) ")
_MOVES = frozenset(
    str.split(
        "did do does it take took taken to get got go went gone move moved turn turned change changed pass passed come "
        "came switch switched was is the has have had for , and how long when many days weeks months years day date "
        "month year on in what which status state stage"
    )
)
"""Words that say no more than that something became something else, and how long that took."""


class MovingReader(QuestionReader):
    """Finds when something became one thing, and when another."""

    def moving(self) -> Iterator[Composition]:
        """ "How long did it take A to get from B to C?", "when did A turn from B into C?": when it became each."""
        text = self.template.text
        match = _FROM_TO.search(text)
        if match is None or not _ASKS.match(text) or len(self.question.mentions) != 3:
            return
        values = [self.named(*self.span(match, group))[0] for group in ("one", "two")]
        (subject,) = (mention for mention in self.question.mentions if mention not in values)
        rest = _FROM_TO.sub(" ", text).replace(" M ", " ").split()
        if _MOVES.issuperset(rest):
            parts = tuple(f"when did {subject.name} become {value.name}?" for value in values)
            yield Composition("passed", parts, joint="when" if self.texts[0] in ("when", "on", "in") else "")
