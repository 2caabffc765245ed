"""Finds questions of several things of one name, each by a noun of its own: "A's dentist and doctor"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import QuestionReader
from services.analyst.vocabulary import OWN

_NOUN = r"(?:(?!and |M )[a-z]+ ){1,2}"
_PRONOUN = r"(?:his |her |its |their |the )?"
_BEHIND = re.compile(rf" M 's (?P<one>{_NOUN})and {_PRONOUN}(?P<two>{_NOUN})")
_BEFORE = re.compile(rf" the (?P<one>{_NOUN})and {_PRONOUN}(?P<two>{_NOUN})of (?:the )?M ")


class EnumeratingReader(QuestionReader):
    """Finds the question of each noun."""

    def enumerating(self) -> Iterator[Composition]:
        """ "Where do A's brother and sister live?": where each of the two does."""
        text = self.template.text
        for match in filter(None, (_BEHIND.search(text), _BEFORE.search(text))):
            one, two = (self._noun(*self.span(match, group), is_last=match.re is _BEFORE) for group in ("one", "two"))
            if one and two:
                whole = (one[0], two[1])
                yield Composition("each", tuple(self.with_changes((whole, self.text_of(*noun))) for noun in (one, two)))

    def _noun(self, first: int, last: int, *, is_last: bool) -> tuple[int, int] | None:
        """Return the tokens of the longest noun for a relation that begins at the first of some tokens."""
        nouns = [
            cue
            for cue in self.question.cues.relations
            if cue.first == self.tokens[first].first and (cue.hint.form == "noun" or cue.hint.weight >= OWN)
        ]
        ends = {cue.last - cue.first for cue in nouns if first + cue.last - cue.first <= last}
        length = max(ends, default=0)
        return (first, first + length) if length and (first + length == last or not is_last) else None
