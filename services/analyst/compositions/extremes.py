"""Finds questions of what was first or last of all: "Which ship was the last to be built?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition, Way
from services.analyst.compositions.question_reader import ASKING, PEOPLE, QuestionReader
from services.language.inflection import past_of

_EXTREMES: tuple[tuple[Way, str], ...] = (
    ("earliest", "first|earliest"),
    ("latest", "last|latest|most recently|most recent"),
)
_TO = r" (?P<be>is|was|were|are) the (?:{words})(?: \w+)? to (?P<passive>be )?(?P<verb>(?!M)\w+)(?= )"
_BARE = r" (?:the )?(?:{words})(?= )"


class ExtremesReader(QuestionReader):
    """Finds the list of which the first or the last is asked for."""

    def extremes(self) -> Iterator[Composition]:
        """ "Who was the first to win it?", "Which ship was built last?": who won it, which ships were built."""
        if not self.texts or self.texts[0] not in ASKING | PEOPLE or self.question.mentions:
            return
        for way, words in _EXTREMES:
            if match := re.search(_TO.format(words=words), self.template.text):
                verb = f"{match['be']} {match['verb']}" if match["passive"] else past_of(match["verb"])
                yield Composition(way, (self.with_changes((self.span(match), verb)),))
            elif match := re.search(_BARE.format(words=words), self.template.text):
                yield Composition(way, (self.with_changes((self.span(match), "")),))
