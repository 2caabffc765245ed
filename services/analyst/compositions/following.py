"""Finds questions whose second part asks of the answer to the first: "Who led it in 2010, and when did he leave?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, Composition
from services.analyst.compositions.question_reader import ASKING, PEOPLE, QuestionReader
from services.analyst.compound_questions import questions_in
from services.analyst.parsed_question import parse_question
from services.analyst.question_cues import BE, DO, HAVE
from services.analyst.relative_times import RelativeTime, relative_time
from services.core import clock

_POSSESSIVE = re.compile(r"\b(?:its|his|her|that (?:one|\w+)'s)\b(?= \w)", re.IGNORECASE)
_OF_TIME = re.compile(r"(?:since |until |till )?when\b|how long\b|in (?:which|what) year\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:(?:that|this) (?:person|man|woman|one|company|club|firm|place|same person)|it|he|she|him|them|they)\b",
    re.IGNORECASE,
)


class FollowingReader(QuestionReader):
    """Finds a question in two parts, the second of which has a pronoun for what the first asks for."""

    def following(self) -> Iterator[Composition]:
        """ "Which ministry sits in M, and who is its minister?": the second part of what the first one lists."""
        parts = questions_in(self.text_of(0, len(self.tokens)))
        if len(parts) != 2 or self.texts[0] not in PEOPLE | ASKING | {"when"}:
            return
        first, second = (part.strip(" ?,") for part in parts)
        if (relative := relative_time(second, self.question.lexicon)) is not None:
            when = parse_question(first, self.question.lexicon, clock.now()).when
            if when.first is None:
                yield from self._at_its_time(first, relative)
            else:
                second = relative.dated(when.first, when.last if when.way in ("at", "period") else None).rstrip("?")
        joint = "subject" if self._asks_for_subject else ""
        for pronoun, spelled in ((_POSSESSIVE, f"{GAP}'s"), (_PRONOUN, GAP)):
            if match := pronoun.search(second):
                outer = pronoun.sub(spelled, second, count=1)
                if len(self.question.mentions) == 1 and pronoun is _PRONOUN and _OF_TIME.match(second):
                    yield Composition("of", (f"{first}?", f"{outer} {self._name}?"), pronoun=match[0], joint=joint)
                yield Composition("of", (f"{first}?", f"{outer}?"), pronoun=match[0], joint=joint)
                return

    def _at_its_time(self, first: str, relative: RelativeTime) -> Iterator[Composition]:
        """ "When did A win it, and who led A afterwards?": the second part after the time of the first."""
        names = self.named(0, len(self.tokens))[:1]
        second = relative.rest
        for pronoun, ending in ((_POSSESSIVE, "'s"), (_PRONOUN, "")):
            if names:
                second = pronoun.sub(f"{names[0].name}{ending}".replace("\\", r"\\"), second, count=1)
        yield Composition("dated", (f"{first}?", f"{second} {relative.way} {GAP}?"), joint="when")

    @property
    def _asks_for_subject(self) -> bool:
        """True for "which club beat A": what is asked for does what the verb says, and "it" means that."""
        head = self.head
        if not head or head + 1 >= len(self.tokens) or self.is_name(head) or self.texts[head] in DO:
            return False
        is_inverted = self.texts[head] in BE | HAVE and (self.tokens[head + 1].mention or self.texts[head + 1] == "the")
        return not is_inverted

    @property
    def _name(self) -> str:
        """The one name of the question, which its second part leaves out: "when did he leave it?"."""
        return self.question.mentions[0].name
