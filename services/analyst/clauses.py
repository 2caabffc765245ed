"""Clauses that stand for a date, or name the value before or after which something is asked."""

import re
from dataclasses import dataclass
from typing import Literal

from services.analyst.mentions import Mention
from services.analyst.skeleton import NAME, Skeleton

Joint = Literal["when", "before", "after", "since"]

_SOON = "(?:just |right |immediately |shortly |directly |soon )?"
_MOMENT = "(?:time|moment|point|date|day|start|beginning)(?: when| that| of)?"
_WORDS: dict[Joint, str] = {
    "before": rf"{_SOON}(?:before|prior to|preceding|until|till|up to|leading up to|ahead of)",
    "after": rf"{_SOON}(?:after|following)",
    "since": "(?:ever )?since",
    "when": rf"by the time|at the {_MOMENT}|(?:on )?the {_MOMENT}|as soon as|when|once|upon|while|as|on|at",
}
_JOINTS = tuple((joint, re.compile(rf"(?<= )(?:{words})(?= )")) for joint, words in _WORDS.items())
_ASKS = re.compile(
    r"(?:who|whom|whose|what|which|where|how|did|does|do|is|was|were|are|has|have|had|tell|give|show|list)$"
)
_AUX = re.compile(r"(?:is|was|were|are|did|does|do|has|have|had|will|can|'s|exactly|precisely)$")
_EVENTLIKE = re.compile(
    r" (?:it|they|he|she|its|his|her|their|M|becoming|being|joining|leaving|turning|getting|moving|starting|the|M 's) "
)
_ENDS = re.compile(
    r" (?:left|leaves?|leaving|no longer|quit|quitting|stop|stops|stopped|stopping|end|ends|ended|end of|resigned"
    r"|moved off|moving off|dropped|dropping|gave up|giving up|stepped down|stepping down|resigning|departed"
    r"|departing|ceased|ceasing|lost|losing|departure|resignation) "
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a question after "when", "before", "after" or "since": what it says, and the question without it."""

    joint: Joint
    inside: Skeleton
    rest: Skeleton
    places: frozenset[int]

    @property
    def mentions(self) -> list[Mention]:
        """The names in it."""
        return self.inside.mentions

    @property
    def ends(self) -> bool:
        """True where it tells of the end of something: "after she left"."""
        return bool(_ENDS.search(self.inside.text))


def clause_of(skeleton: Skeleton) -> Clause | None:
    """The clause of a question that stands for a date or a value; None where it has none."""
    for joint, pattern in _JOINTS:
        for match in pattern.finditer(skeleton.text):
            touched = list(skeleton.matched(match))
            first = skeleton.tokens.index(touched[0])
            after = skeleton.tokens.index(touched[-1]) + 1
            clause = _clause(skeleton, joint, first, after, match[0])
            if clause is not None:
                return clause
    return None


def _clause(skeleton: Skeleton, joint: Joint, first: int, after: int, word: str) -> Clause | None:
    tokens = skeleton.tokens
    if after >= len(tokens) or tokens[after].text in ("D", "when", ",", "that", "then"):
        return None
    if joint == "when" and (_AUX.match(tokens[after].text) and word == "when"):
        return None
    last = _end(skeleton, first, after)
    inside = skeleton.part(after, last)
    if not inside.mentions:
        return None
    if joint == "when" and not _is_event(inside, word):
        return None
    rest = skeleton.without(first, last)
    if joint == "when" and not _says_something(rest):
        return None
    return Clause(joint, inside, rest, frozenset(skeleton.part(first, last).places))


def _end(skeleton: Skeleton, first: int, after: int) -> int:
    """Where the clause ends: at a comma; one that opens the question also where the asking begins."""
    seen = False
    for place in range(after, len(skeleton.tokens)):
        token = skeleton.tokens[place]
        if token.text == "," and seen:
            return place
        if (
            seen
            and first <= 1
            and _ASKS.match(token.text)
            and not (token.text in ("was", "is", "were", "had", "has") and place == after + 1)
        ):
            return place
        seen = seen or token.text == NAME
    return len(skeleton.tokens)


def _is_event(inside: Skeleton, word: str) -> bool:
    """True for a clause that tells of something that happened, not of a place or a name alone."""
    text = inside.text
    if word == "as":
        return bool(re.search(r"^ M (?:became|was|turned|joined|got|moved|took|left|started) ", text))
    if word in ("on", "at", "upon"):
        return bool(re.search(r"^ (?:its|his|her|their|the|M 's) (?:\w+ )*M ", text)) and not re.search(
            r" (?:status|state|type) ", text
        )
    return (bool(_EVENTLIKE.search(text)) and len(inside.tokens) > 1) or word != "when"


def _says_something(rest: Skeleton) -> bool:
    return any(_ASKS.match(token.text) for token in rest.tokens) or len(rest.tokens) >= 2
