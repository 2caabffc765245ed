"""Finds questions whose second part asks of the answer to the first: "Who led it in 2010, and when did he leave?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, Composition
from services.analyst.compositions.question_reader import ASKING, PEOPLE, QuestionReader
from services.analyst.compound_questions import questions_in

_POSSESSIVE = re.compile(r"\b(?:its|his|her|that (?:one|\w+)'s)\b(?= \w)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:(?:that|this) (?:person|man|woman|one|company|club|firm|place|same person)|it|he|she|him|them|they)\b",
    re.IGNORECASE,
)


class FollowingReader(QuestionReader):
    """Finds a question in two parts, the second of which has a pronoun for what the first asks for."""

    def following(self) -> Iterator[Composition]:
        """ "Which ministry sits in M, and who is its minister?": the second part of what the first one lists."""
        parts = questions_in(self.text_of(0, len(self.tokens)))
        if len(parts) != 2 or self.texts[0] not in PEOPLE | ASKING:
            return
        first, second = (part.strip(" ?,") for part in parts)
        for pronoun, spelled in ((_POSSESSIVE, f"{GAP}'s"), (_PRONOUN, GAP)):
            if match := pronoun.search(second):
                outer = pronoun.sub(spelled, second, count=1)
                if len(self.question.mentions) == 1 and pronoun is _PRONOUN:
                    yield Composition("of", (f"{first}?", f"{outer} {self._name}?"), pronoun=match[0])
                yield Composition("of", (f"{first}?", f"{outer}?"), pronoun=match[0])
                return

    @property
    def _name(self) -> str:
        """The one name of the question, which its second part leaves out: "when did he leave it?"."""
        return self.question.mentions[0].name
