"""A question as it is taken apart into others: its tokens, what opens it, and how parts of it are put together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion, QuestionTemplate, Token
from services.analyst.question_cues import BE, DO, HAVE

ASKING = frozenset(("which", "what"))
PEOPLE = frozenset(("who", "whom"))
ANYBODY = frozenset(("anyone", "anybody", "someone", "somebody", "any", "some"))
OTHERS = frozenset(("else", "other"))
_LISTING = frozenset(("list", "name", "show", "give", "find"))
AUXILIARIES = BE | DO | HAVE
RELATIVE = frozenset(("who", "that", "which"))
NEGATIONS = frozenset(("not", "never"))
POSITIVE = {
    "isn't": "is",
    "aren't": "are",
    "wasn't": "was",
    "weren't": "were",
    "hasn't": "has",
    "haven't": "have",
    "hadn't": "had",
    "doesn't": "does",
    "don't": "do",
    "didn't": "did",
}
"""What is left of an auxiliary without its denial."""
ONE_OF_MANY = {"are": "is", "were": "was", "have": "has", "do": "does"}
"""The auxiliary of one for that of many."""
SAME = "(?:very |exact )?same"
THE_SAME = re.compile(rf" the {SAME}(?= )")
"""A pattern of "same", however strongly it is put."""
_MOST_MODIFIERS = 4


@dataclass(frozen=True)
class QuestionReader:
    """The tokens of a question, for those who find other questions in it."""

    question: ParsedQuestion

    @property
    def template(self) -> QuestionTemplate:
        """The words of the question around its names and dates."""
        return self.question.template

    @property
    def tokens(self) -> Sequence[Token]:
        """Its words, names, dates and commas."""
        return self.template.tokens

    @cached_property
    def texts(self) -> Sequence[str]:
        """The same as the template writes them."""
        return [token.text for token in self.tokens]

    def text_of(self, first: int, last: int) -> str:
        """Return the words of the tokens from `first` to before `last`, as they stand in the question."""
        words, tokens = self.question.words, self.tokens
        start = tokens[first].first if first < len(tokens) else len(words)
        end = tokens[last].first if last < len(tokens) else len(words)
        return "".join(word.gap + word.text for word in words[start:end]).strip(" ,;:")

    def span(self, match: re.Match[str], group: str | int = 0) -> tuple[int, int]:
        """Return the first and the last but one of the tokens that a group of a match covers."""
        tokens = self.template.matched(match, group) if match[group].strip() else ()
        first = self.tokens.index(tokens[0]) if tokens else 0
        return first, first + len(tokens)

    def with_changes(self, *changes: tuple[tuple[int, int], str]) -> str:
        """Return the question with other words in the place of some tokens."""
        parts, at = [], 0
        for (first, last), text in sorted(changes):
            parts += [self.text_of(at, first), text]
            at = last
        text = " ".join(part for part in (*parts, self.text_of(at, len(self.tokens))) if part)
        return re.sub(r"\s+(?='s\b)", "", text)

    def named(self, first: int, last: int) -> list[NameMention]:
        """Return the names from one token to before another."""
        return [token.mention for token in self.tokens[first:last] if token.mention is not None]

    def all_of(self, places: Iterable[int]) -> str:
        """Return the words of some tokens, commas left out."""
        return " ".join(self.text_of(at, at + 1) for at in places if self.texts[at] != ",")

    def is_name(self, at: int) -> bool:
        """True for a name, and not for a value that is a participle in small letters: "rejected"."""
        token = self.tokens[at]
        return token.mention is not None and self.question.words[token.first].is_capitalised

    def tokens_of(self, mention: NameMention) -> tuple[int, int]:
        """Return where a name stands among the tokens."""
        at = next(at for at, token in enumerate(self.tokens) if token.mention is mention)
        return at, at + 1

    @property
    def counts(self) -> bool:
        """True where a number is asked for."""
        return " how many " in self.template.text or " number of " in self.template.text

    @property
    def opening(self) -> int:
        """How many words ask which or how many of a kind; 0 where none do."""
        return 1 if self.texts[:1] and self.texts[0] in ASKING else 2 if self.texts[:2] == ["how", "many"] else 0

    @cached_property
    def head(self) -> int:
        """How many tokens open the question and say what is listed: "which PEPs", "who", "list the players"."""
        texts = self.texts
        if not texts:
            return 0
        if texts[0] in PEOPLE:
            return 1 + (texts[1:2] == ["else"])
        if texts[0] in AUXILIARIES and len(texts) > 1 and texts[1] in ANYBODY:
            return 2
        opening = 1 if texts[0] in _LISTING else self.opening
        return self.noun_end(opening) if opening else 0

    def noun_end(self, first: int) -> int:
        """Return where the noun ends that tells of what kind is listed; 0 where none does."""
        types, head = self.question.cues.types, 0
        for at in range(first, min(first + _MOST_MODIFIERS, len(self.tokens))):
            token = self.tokens[at]
            if token.text in AUXILIARIES:
                break
            if token.first in types or token.text in ("people", "person", "everyone", "everybody"):
                head = at + 1
            elif head:
                break
        return head

    @cached_property
    def asked(self) -> str:
        """What is listed, as a question asks for it."""
        texts, head = self.texts, self.head
        if texts[0] in PEOPLE:
            return "who"
        if texts[0] in AUXILIARIES:
            return f"who {texts[0]}"
        noun = self.text_of(1 + (texts[0] == "how"), head)
        return "who" if noun.split()[-1] in ("everyone", "everybody", "people", "person") else f"which {noun}"
