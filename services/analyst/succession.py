"""Who came before or after whom: "Who succeeded M?", "M's predecessor", "Whom did M replace?"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from services.analyst.mentions import NameMention
from services.analyst.question_template import QuestionTemplate
from services.analyst.question_words import places_of

_THEN = (
    r"(?:succeed(?:s|ed)?|replace[ds]?|follow(?:s|ed)?|(?:took|take|takes|taken|taking) over from"
    r"|(?:came|come|comes) after|stepped in for|inherited from)"
)
_EARLIER = r"(?:preced(?:e|es|ed)|came before|come before|comes before)"
_AS = r"(?:the |then |up by |immediately |directly |been )*"

_PATTERNS: tuple[tuple[Literal["before", "after"], re.Pattern[str]], ...] = (
    ("before", re.compile(rf"(?<= )(?:did|does|has|had|do) (?P<v>M) {_AS}{_THEN}(?= )")),
    ("after", re.compile(rf"(?<= )(?:did|does|has|had|do) (?P<v>M) {_AS}{_EARLIER}(?= )")),
    ("after", re.compile(rf"(?<= )(?P<v>M) (?:was|were|is|been|got|being) {_AS}(?:succeeded|replaced|followed)(?= )")),
    ("after", re.compile(rf"(?<= )(?:was|were|is|been|got|being) (?P<v>M) {_AS}(?:succeeded|replaced|followed)(?= )")),
    ("before", re.compile(rf"(?<= )(?P<v>M) (?:was|were|is|been) {_AS}preceded(?= )")),
    ("before", re.compile(rf"(?<= )(?:was|were|is|been) (?P<v>M) {_AS}preceded(?= )")),
    ("after", re.compile(rf"(?<= ){_THEN} {_AS}(?P<v>M)(?= )")),
    ("before", re.compile(rf"(?<= ){_EARLIER} {_AS}(?P<v>M)(?= )")),
    ("after", re.compile(r"(?<= )(?P<v>M) 's (?:immediate |direct |next )?(?:successor|replacement)s?(?= )")),
    ("before", re.compile(r"(?<= )(?P<v>M) 's (?:immediate |direct )?predecessors?(?= )")),
    ("after", re.compile(r"(?<= )(?:successor|replacement)s? (?:of|to|for) (?:the )?(?P<v>M)(?= )")),
    ("before", re.compile(r"(?<= )predecessors? (?:of|to|for) (?:the )?(?P<v>M)(?= )")),
)


@dataclass(frozen=True, slots=True)
class Succession:
    """The name that something came before or after, and the words that told it."""

    intent: Literal["before", "after"]
    value: NameMention
    places: frozenset[int]


def successions(template: QuestionTemplate) -> Iterator[Succession]:
    """What a question says of an order, the most telling first."""
    for intent, pattern in _PATTERNS:
        for match in pattern.finditer(template.text):
            (value,) = template.matched(match, "v")
            assert value.mention is not None, "M stands for a name"
            yield Succession(intent, value.mention, places_of(t for t in template.matched(match) if t.mention is None))
