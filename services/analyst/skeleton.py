"""A question with its names and dates put in the place of letters, so that patterns can be told of the rest."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.analyst.mentions import Mention
from services.analyst.time_frame import TimeFrame
from services.analyst.words import Word

NAME, DATE = "M", "D"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a name or a date of the skeleton: the words `first` to before `last`."""

    text: str
    first: int
    last: int
    mention: Mention | None = None


@dataclass(frozen=True)
class Skeleton:
    """The tokens of a question, and their text: names are `M`, dates `D`, commas stand by themselves."""

    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """The tokens in a row, between blanks."""
        return "".join(f" {token.text}" for token in self.tokens) + " "

    def matched(self, match: re.Match[str]) -> Iterator[Token]:
        """The tokens that a match of `text` touches."""
        place = 0
        for token in self.tokens:
            start, place = place + 1, place + 1 + len(token.text)
            if start < match.end() and place > match.start():
                yield token

    def part(self, first: int, last: int) -> "Skeleton":
        """The tokens from `first` to before `last`."""
        return Skeleton(self.tokens[first:last])

    def without(self, first: int, last: int) -> "Skeleton":
        """The tokens before `first` and from `last` on."""
        return Skeleton(self.tokens[:first] + self.tokens[last:])

    @property
    def mentions(self) -> list[Mention]:
        """The names, in order."""
        return [token.mention for token in self.tokens if token.mention is not None]

    @property
    def places(self) -> set[int]:
        """The words that it is made of."""
        return {place for token in self.tokens for place in range(token.first, token.last)}


def skeleton_of(words: Sequence[Word], mentions: Sequence[Mention], when: TimeFrame) -> Skeleton:
    """The skeleton of a question."""
    at = {mention.first: mention for mention in mentions}
    tokens: list[Token] = []
    place = 0
    while place < len(words):
        if tokens and re.search(r"[,;:]", words[place].gap):
            tokens.append(Token(",", place, place))
        mention = at.get(place)
        if mention is not None:
            tokens.append(Token(NAME, place, mention.last, mention))
            place = mention.last
            continue
        if any(start <= words[place].start < end for start, end in when.spans):
            if not tokens or tokens[-1].text != DATE:
                tokens.append(Token(DATE, place, place + 1))
            place += 1
            continue
        tokens.append(Token(words[place].low, place, place + 1))
        place += 1
    return Skeleton(tuple(tokens))
