"""What kind of thing a question wants to know, by the patterns of its words in intents.toml."""

import functools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from services.analyst.parsed_question import QuestionTemplate
from services.analyst.question_words import places_of

Intent = Literal[
    "value",
    "is",
    "when",
    "ended",
    "how_long",
    "times",
    "former",
    "longest",
    "history",
    "before",
    "after",
    "nth",
    "first",
    "last",
    "most",
    "events",
    "all",
    "count",
    "path",
    "compare",
    "overview",
    "document",
]

OF_TIME: frozenset[Intent] = frozenset(("when", "how_long", "ended"))
"""What a time answers."""

_AUX = (
    r"(?:is|was|were|are|am|did|does|do|has|have|had|can|could|will|"
    r"isn't|wasn't|weren't|aren't|didn't|doesn't|don't|hasn't|haven't|hadn't)"
)
_WH = r"(?:who|whom|whose|what|which|where|when|how|why|what's|who's|where's)"
_IS = re.compile(rf"^(?: D| ,| and| so| then| but| check| confirm| verify)*(?: whether| if| that)?(?: M)? {_AUX}(?= )")
_WHETHER = re.compile(
    r"^ if |(?<= )(?:(?<=, )(?:true|correct|yes|no)(?: or not)?(?= $)|whether|true or false"
    r"|is it so|is it the case|is it true|is it correct|correct or not|yes or no|right)(?= )"
)
_NOT_IS = re.compile(rf"^ {_WH} |^ M .* {_WH} | (?:could|can) (?:you|we|i) ")
_LISTS = re.compile(rf" (?:{_WH}|list|show|give|name|find) ")
_OF_TRUTH = re.compile(
    r"(?<= )(?:whether|if|true|case|correct|ever|any more|anymore|indeed|really|right|false|no|again)(?= )"
)
_OF_NOW = re.compile(r"(?<= )(?:then|back then|those|there|listed|time|moment|point|day|hold|valid)(?= )")
_CONJUNCTION = re.compile(
    r"^(?: D| ,| and)*(?: (?:of|in|at|for|to|on|by))? (?:who|whom|whose|what|which|where|how)\b"
    rf".* when (?!{_AUX} )\S+ \S"
)
""" "When" within a question that another word opens: "Who was mayor when she led the council?"."""
_OVERVIEW = re.compile(
    r"""^(?:\ D|\ ,|\ and|\ on|\ as\ of)*(?:\ (?:tell|show|give|list)(?:\ me)?)?(?:\ everything|\ all|\ what)?
    (?:\ that|\ there\ is|\ you\ have|\ you\ know|\ we\ know|\ is\ known|\ the\ graph\ knows|\ the\ facts|\ facts
    |\ all\ facts)*
    (?:\ to\ know)?(?:\ about|\ on|\ of|\ for)?
    (?:\ what\ do\ (?:we|you)\ know\ about|\ what\ does\ the\ graph\ (?:know|say|have)\ (?:about|on)
    |\ who\ is|\ who\ was
    |\ what\ is\ (?:known|recorded)\ (?:about|of)|\ what\ is|\ what\ was|\ overview\ of|\ facts\ (?:about|on))?
    \ M(?:\ on|\ overview|\ facts|\ profile)?(?:\ D|\ ,)*\ $""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """An intent, and the words of the question that told it."""

    intent: Intent
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What tells an intent, and the words that then need no explanation. A loose pattern has any words within."""

    intent: Intent
    patterns: tuple[tuple[re.Pattern[str], bool], ...]
    beside: re.Pattern[str]


def intent_matches(template: QuestionTemplate) -> Iterator[IntentMatch]:
    """What a question may want to know, the most telling first; a plain value last."""
    text = template.text
    conjunction = _CONJUNCTION.search(text) is not None
    repeated = any(pattern.search(text) for kind in _kinds() if kind.intent == "times" for pattern, _ in kind.patterns)
    for kind in _kinds():
        if (conjunction and kind.intent in ("when", "ended")) or (repeated and kind.intent == "count"):
            continue
        places = [_places(template, pattern, is_loose) for pattern, is_loose in kind.patterns if pattern.search(text)]
        if places:
            yield IntentMatch(kind.intent, frozenset().union(*places, _places(template, kind.beside)))
    if _OVERVIEW.search(text):
        yield IntentMatch("overview", template.places)
    if is_yes_no(text):
        yield IntentMatch("is", _places(template, _OF_TRUTH))
    elif not _LISTS.search(text):
        yield IntentMatch("is", frozenset())
    yield IntentMatch("value", _places(template, _OF_NOW))


def is_yes_no(text: str) -> bool:
    """True for a question that "yes" or "no" answers."""
    return bool(_WHETHER.search(text)) or bool(_IS.search(text) and not _NOT_IS.search(text))


@functools.cache
def _kinds() -> tuple[_Kind, ...]:
    """The intents of intents.toml."""
    read = tomllib.loads((Path(__file__).parent / "intents.toml").read_text(encoding="utf-8"))
    ends = _either(read["ends"])

    def compiled(pattern: str) -> re.Pattern[str]:
        pattern = pattern.replace(" ...", r"(?: \S+)*").replace("{ends}", ends)
        return re.compile(rf"(?<= )(?:{pattern})(?= )")

    return tuple(
        _Kind(
            intent,
            tuple((compiled(line), "..." in line) for line in words["tells"].splitlines()),
            compiled(_either(words.get("beside", "(?!)"))),
        )
        for intent, words in read["intents"].items()
    )


def _either(lines: str) -> str:
    """A pattern of any of these, one a line."""
    return f"(?:{'|'.join(lines.splitlines())})"


def _places(template: QuestionTemplate, pattern: re.Pattern[str], is_loose: bool = False) -> frozenset[int]:
    """Return the words of each match; of a loose pattern its first two and its last two."""
    found: set[int] = set()
    for match in pattern.finditer(template.text):
        words = [token for token in template.matched(match) if token.mention is None]
        found |= places_of([*words[:2], *words[-2:]] if is_loose else words)
    return frozenset(found)
