"""Who came before or after whom, and clauses that stand for a date or name the value before or after which it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from services.analyst.intents import IntentMatch
from services.analyst.mentions import NameMention
from services.analyst.parsed_question import NAME, QuestionTemplate
from services.analyst.question_cues import BE
from services.analyst.question_words import places_of
from services.language.changes import tells_end

Joint = Literal["when", "while", "before", "after", "since"]

_SOON = "(?:just |right |straight |immediately |shortly |directly |soon )?"
_MOMENT = "(?:time|moment|point|date|day|start|beginning)(?: when| that| of)?"
_WORDS: dict[Joint, str] = {
    "before": rf"{_SOON}(?:before|prior to|preceding|until|till|up to|leading up to|ahead of)",
    "after": rf"{_SOON}(?:after|following)",
    "since": "(?:ever )?since",
    "when": rf"by the time|at the {_MOMENT}|(?:on )?the {_MOMENT}|as soon as|when|once",
    "while": r"(?:during|throughout|under)(?= (?:the )?(?:\w+ ){1,2}(?:of|as) (?:the )?M )|while|whilst|"
    "(?:during|throughout) the (?:time|years|period)(?: when| that| in which)?",
}
_JOINTS = tuple(
    (joint, re.compile(rf"(?<= )(?:{words})(?= )")) for joint, words in (*_WORDS.items(), ("when", "upon|as|on|at"))
)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|which|where|how|did|does|do|is|was|were|are|has|have|had|tell|give|show|list)$"
)
_NO_CLAUSE = frozenset(("D", "when", "what", "which", ",", "that", "then"))
"""What stands behind "before" and "until" where no clause does: dates, and what asks for one."""
_BEFORE_ASKING = frozenset((",", "of", "in", "at", "for", "to", "on", "by", "from", "with"))
_BEFORE_PLACES = BE | {"else", "people", "everyone", "everybody"}
_PRONOUNS = (["him"], ["her"], ["it"], ["them"])
_CARING = frozenset(("look", "looks", "looked", "looking"))
_STATE = re.compile(
    r" (?:was|were) (?:still )?(?:(?:its|his|her|their|the|M 's|an?) |(?!\w+(?:ed|en|wn|rn) )\w+ (?:of|at|for) )"
)
"""What goes on for a time: "when she was its chair" is while she was."""
_OCCASION = re.compile(r"^ (?:its|his|her|their|the|M 's) (?:\w+ )*M ")


@dataclass(frozen=True, slots=True)
class TimeClause:
    """A part of a question after "when", "before", "after" or "since": what it says, and the question without it."""

    joint: Joint
    inside: QuestionTemplate
    rest: QuestionTemplate
    places: frozenset[int]
    word: str

    @property
    def tells_when(self) -> bool:
        """True where it asks for nothing itself, as "when" does: it stands beside a question word or an auxiliary, as
        in "When she left, who came?" and "Who was mayor when she came?".
        """
        return self.is_beside_question and (min(self.places) == 0 or self.word in ("when", "while", "whilst"))

    @property
    def is_beside_question(self) -> bool:
        """True where the rest of the question asks by itself."""
        asked = [token for token in self.rest.tokens if token.text not in _BEFORE_ASKING][:1]
        return bool(asked) and _ASKS.match(asked[0].text) is not None

    @property
    def ends(self) -> bool:
        """True where it tells of the end of something: "after she left"."""
        return " no longer " in self.inside.text or tells_end(self.inside.text.split())


def clause_of(template: QuestionTemplate) -> TimeClause | None:
    """The clause of a question that stands for a date or a value; None where it has none."""
    for joint, pattern in _JOINTS:
        for match in pattern.finditer(template.text):
            if clause := _clause(template, joint, match):
                return clause
    return None


def _clause(template: QuestionTemplate, joint: Joint, match: re.Match[str]) -> TimeClause | None:
    tokens, touched = template.tokens, template.matched(match)
    first = tokens.index(touched[0])
    if match[0] == "after" and first and tokens[first - 1].text in _CARING:
        return None  # "who looks after A"
    after = first + len(touched)
    if after >= len(tokens) or tokens[after].text in _NO_CLAUSE:
        return None
    if match[0] in ("on", "at") and first and tokens[first - 1].text in _BEFORE_PLACES:
        return None  # "who is on the crew besides A"
    last = _end(template, first, after)
    inside, rest = template.part(after, last), template.without(first, last)
    if [token.text for token in inside.tokens] in _PRONOUNS:
        return None  # "when A left, who came after him": the other clause says after whom
    if joint == "when" and not (_is_event(inside, match[0]) and len(rest.tokens) > 1):
        return None
    lasts = joint == "when" and match[0] == "when" and _STATE.search(inside.text)
    return TimeClause("while" if lasts else joint, inside, rest, template.part(first, last).places, match[0])


def _end(template: QuestionTemplate, first: int, after: int) -> int:
    """Where the clause ends: at a comma; one that opens the question also where the asking begins."""
    seen = False
    for place in range(after, len(template.tokens)):
        token = template.tokens[place]
        if seen and (token.text == "," or (first <= 1 and place > after + 1 and _ASKS.match(token.text))):
            return place
        seen = seen or token.text == NAME
    return len(template.tokens)


def _is_event(inside: QuestionTemplate, word: str) -> bool:
    """True for a clause that tells of something that happened, not of a place or a name alone."""
    return word not in ("on", "at", "upon") or bool(_OCCASION.search(inside.text))


_TAKE = r"(?:took|take|takes|taken|taking)"
_THEN = (
    rf"(?:succeed(?:s|ed)?|replace[ds]?|follow(?:s|ed)?|{_TAKE} over from"
    r"|(?:came|come|comes) after|stepped in for|inherited from)"
)
_OVERTAKE = r"(?:tak(?:e|en) over|inherit(?:ed)?)"
_HAND_ON = r"(?:hand(?:ed)?|pass(?:ed)?)(?: over| on)?"
_EARLIER = r"(?:preced(?:e|es|ed)|came before|come before|comes before)"
_AS = r"(?:the |then |up by |immediately |directly |been )*"

_WHICH = r"(?:which|what|whom|where)"
_PLACE = r"(?:place|seat|job|post|role|position|office|shoes|chair)"

_NEXT = re.compile(
    rf" (?:{_THEN} {_AS}(?:him|her|it|them)|(?:his|her|its|their) (?:successor|replacement|{_PLACE})"
    rf"|{_TAKE} (?:(?:it|that|them|(?:the|its|his|her|their) \S+) over"
    r"|over(?: (?:it|that|them|(?:the|its|his|her|their) \S+(?= $)))?)(?! from))(?= )"
)
"""Who came after the one that was spoken of."""

_PATTERNS: tuple[tuple[Literal["before", "after"], re.Pattern[str]], ...] = (
    ("before", re.compile(rf"(?<= )(?:did|does|has|had|do) (?P<v>M) {_AS}{_THEN}(?= )")),
    ("after", re.compile(rf"(?<= )(?:did|does|has|had|do) (?P<v>M) {_AS}{_EARLIER}(?= )")),
    ("after", re.compile(rf"(?<= )(?P<v>M) (?:was|were|is|been|got|being) {_AS}(?:succeeded|replaced|followed)(?= )")),
    ("after", re.compile(rf"(?<= )(?:was|were|is|been|got|being) (?P<v>M) {_AS}(?:succeeded|replaced|followed)(?= )")),
    ("before", re.compile(rf"(?<= )(?P<v>M) (?:was|were|is|been) {_AS}preceded(?= )")),
    ("before", re.compile(rf"(?<= )(?:was|were|is|been) (?P<v>M) {_AS}preceded(?= )")),
    ("before", re.compile(rf"(?<= )whose {_PLACE} (?:did|does|has|had) (?P<v>M) (?:take|taken|fill|filled)(?= )")),
    ("after", re.compile(rf"(?<= )(?:left|leaves|quit|abandoned) (?:the )?(?P<v>M) (?:for|to) {_WHICH}(?= )")),
    ("after", re.compile(rf"(?<= )\S+ from (?:the )?(?P<v>M) (?:in)?to {_WHICH}(?= )")),
    ("after", re.compile(r"(?<= )\S+ (?:in)?to from (?:the )?(?P<v>M)(?= )")),
    ("before", re.compile(rf"(?<= )\S+ (?:in)?to (?:the )?(?P<v>M) from {_WHICH}(?= )")),
    ("before", re.compile(rf"(?<= )(?:did|does|has|had) (?P<v>M) {_OVERTAKE} (?:the |as )?(?:M|\w+) from(?= )")),
    ("before", re.compile(rf"(?<= )from whom (?:did|does|has|had) (?P<v>M) {_OVERTAKE}(?= )")),
    ("after", re.compile(rf"(?<= )(?:did|does|has|had) (?P<v>M) {_HAND_ON} (?:the )?(?:M|\w+)(?: over| on)? to(?= )")),
    ("after", re.compile(rf"(?<= )to whom (?:did|does|has|had) (?P<v>M) {_HAND_ON}(?= )")),
    ("after", re.compile(rf"(?<= ){_TAKE} (?:over (?:the )?M|(?:the )?M over) from (?:the )?(?P<v>M)(?= )")),
    ("after", re.compile(rf"(?<= ){_THEN} {_AS}(?P<v>M)(?= )")),
    ("before", re.compile(rf"(?<= ){_EARLIER} {_AS}(?P<v>M)(?= )")),
    ("after", re.compile(r"(?<= )(?P<v>M) 's (?:immediate |direct |next )?(?:successor|replacement)s?(?= )")),
    ("before", re.compile(r"(?<= )(?P<v>M) 's (?:immediate |direct )?predecessors?(?= )")),
    ("after", re.compile(r"(?<= )(?:successor|replacement)s? (?:of|to|for) (?:the )?(?P<v>M)(?= )")),
    ("before", re.compile(r"(?<= )predecessors? (?:of|to|for) (?:the )?(?P<v>M)(?= )")),
)


def words_of_succession(template: QuestionTemplate) -> frozenset[int]:
    """Return the places of words for who came after the one that was spoken of: "who succeeded him?",
    "who took it over?"."""
    match = _NEXT.search(template.text)
    return places_of(template.matched(match)) if match else frozenset()


def successions(template: QuestionTemplate) -> Iterator[tuple[IntentMatch, NameMention]]:
    """Whether what came before or after a name is asked for, the most telling first, and that name."""
    for intent, pattern in _PATTERNS:
        for match in pattern.finditer(template.text):
            (value,) = template.matched(match, "v")
            assert value.mention is not None, "M stands for a name"
            places = places_of(token for token in template.matched(match) if token.mention is None)
            yield IntentMatch(intent, places), value.mention
