"""A question with its names and dates put in the place of letters, so that patterns can be told of the rest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from services.analyst.mentions import NameMention
from services.analyst.question_words import QuestionWord, WordSpan, places_of

NAME, DATE = "M", "D"


@dataclass(frozen=True, slots=True)
class Token(WordSpan):
    """A word, a name or a date of the template."""

    text: str
    mention: NameMention | None = None


@dataclass(frozen=True)
class QuestionTemplate:
    """The tokens of a question, and their text: names are `M`, dates `D`, commas stand by themselves."""

    tokens: tuple[Token, ...]

    @cached_property
    def text(self) -> str:
        """The tokens in a row, between blanks."""
        return "".join(f" {token.text}" for token in self.tokens) + " "

    def matched(self, match: re.Match[str], group: str | int = 0) -> tuple[Token, ...]:
        """Return the tokens that a match of `text` touches: as many as there are blanks before its ends."""
        first, last = match.span(group)
        return self.tokens[self.text.count(" ", 0, first + 1) - 1 : self.text.count(" ", 0, last - 1)]

    def part(self, first: int, last: int) -> "QuestionTemplate":
        """The tokens from `first` to before `last`."""
        return QuestionTemplate(self.tokens[first:last])

    def without(self, first: int, last: int) -> "QuestionTemplate":
        """The tokens before `first` and from `last` on."""
        return QuestionTemplate(self.tokens[:first] + self.tokens[last:])

    @property
    def mentions(self) -> list[NameMention]:
        """The names, in order."""
        return [token.mention for token in self.tokens if token.mention is not None]

    @property
    def places(self) -> frozenset[int]:
        """The words that it is made of."""
        return places_of(self.tokens)


def template_of(
    words: Sequence[QuestionWord], mentions: Sequence[NameMention], dated: frozenset[int]
) -> QuestionTemplate:
    """Return the template of a question whose dates stand at some places."""
    named = {place: mention for mention in mentions for place in mention.places}
    tokens: list[Token] = []
    for place, word in enumerate(words):
        mention = named.get(place)
        if mention is not None and place > mention.first:
            continue
        if tokens and re.search(r"[,;:]", word.gap):
            tokens.append(Token(place, place, ","))
        if mention is not None:
            tokens.append(Token(place, mention.last, NAME, mention))
        elif place not in dated:
            tokens.append(Token(place, place + 1, word.low))
        elif not tokens or tokens[-1].text != DATE:
            tokens.append(Token(place, place + 1, DATE))
    return QuestionTemplate(tuple(tokens))
