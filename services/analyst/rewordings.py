"""A declined question in other words: without what is said beside it, with the one name that its noun can be of."""

import re
from collections.abc import Iterator, Sequence

from services.analyst.graph_lexicon import Lexicon
from services.analyst.parsed_question import ParsedQuestion, parse_question
from services.analyst.prefaces import restricts
from services.analyst.question_cues import OF, RelationCue
from services.analyst.question_words import QuestionWord, lines_of, words_of
from services.analyst.vocabulary import OWN, named_side, taken_apart
from services.core import clock
from services.language.inflection import is_past

_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\s*(?:\.\.\.|…)\s*|\s+[-–—]+\s+|:\s+")
_PHRASES = "|".join(lines_of("asides.txt")).replace(" ", r"\s+")
_ASIDES = re.compile(rf"(?:,\s*|\s+)(?:{_PHRASES})(?=\s*(?:[,.?!;-]|\s|$))", re.IGNORECASE)
_LED_BY = re.compile(
    r"\b(?:an?|one) (?:bottle|glass|cup|copy|case|box|piece|pound|kilo|litre|pint|share|ticket) (?:of|for|to) |"
    r"^\W*(?:i'd|i would) (?:like|love|want) (?=(?:all|every|the) )",
    re.IGNORECASE,
)
"""What opens a question besides what it asks for: how much of it, and that it is wanted."""
_MADE = re.compile(r"^\W*(?P<noun>[a-z]+s) (?P<verb>[a-z]+) (?P<by>by|at|in|for|to|on) ", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:who|whom|whose|what|which|when|where|how|why|name|give|tell|list)\b", re.IGNORECASE)
_LEAST_HOLDERS = 2


def rewordings(text: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield other ways to put a question, the nearest to it first."""
    bare = _asking(_LED_BY.sub("", _without_asides(_without_remarks(text, lexicon))))
    if bare != text:
        yield bare
    if (whole := _with_holder(bare, lexicon)) != bare:
        yield whole


def _without_asides(text: str) -> str:
    """Return a question without phrases that say nothing: "at some point", "on record"."""
    bare = _ASIDES.sub("", text)
    return bare if re.search(r"\w", bare) else text


def _asking(text: str) -> str:
    """Return a question that opens with "which", where it opens with the noun for what it asks: "wines made by A"."""
    match = _MADE.match(text)
    if match is None or not is_past(match["verb"].lower()):
        return text
    return f"which {match['noun']} are {match['verb']} {text[match.start('by') :]}"


def _without_remarks(text: str, lexicon: Lexicon) -> str:
    """Return a question without the sentences beside it that say nothing of the graph and of no time."""
    parts = [part for part in _SENTENCES.split(text) if part]
    kept = [part for part in parts if not _is_remark(part, lexicon)]
    return " ".join(kept) if 0 < len(kept) < len(parts) else text


def _is_remark(part: str, lexicon: Lexicon) -> bool:
    """True for a sentence that asks nothing, with neither a name nor a relation's own word nor one that restricts."""
    question = parse_question(part, lexicon, clock.now())
    has_relation = any(cue.hint.weight >= OWN for cue in question.cues.relations)
    strange = any(word.is_capitalised and word.low != "i" for word in words_of(part)[1:])
    return not (question.mentions or has_relation or strange or restricts(part) or _ASKS.search(part))


def _with_holder(text: str, lexicon: Lexicon) -> str:
    """Return a question with the name that the noun of an office can only be of: "the mayor" where the graph has the
    mayors of one town."""
    question = parse_question(text, lexicon, clock.now())
    held = ((cue, name) for cue in question.cues.relations if (name := _only_holder(question, cue)))
    cue, name = max(held, key=lambda pair: (pair[0].hint.weight, -pair[0].first), default=(None, ""))
    if cue is None:
        return text
    before, behind = question.words[: cue.last], question.words[cue.last :]
    return f"{_written(before)} of {name}{_written(behind)}?"


def _only_holder(question: ParsedQuestion, cue: RelationCue) -> str:
    """Return the one name that a relation's noun for people is ever of, where the question does not say of what."""
    entry, words = question.lexicon.relations[cue.relation], question.words
    bearer = cue.hint.named or cue.hint.side or named_side(taken_apart(cue.relation))
    is_office = cue.hint.form != "verb" and cue.hint.weight >= OWN and taken_apart(cue.relation).words[-1:] == ("of",)
    if not is_office or bearer != "source" or entry.targets != 1 or entry.sources < _LEAST_HOLDERS:
        return ""
    is_named = cue.last < len(words) and words[cue.last].low in (*OF, "'s")
    is_noun = words[cue.last - 1].low.removesuffix("s") in taken_apart(cue.relation).words
    holders = question.lexicon.busiest(cue.relation, "target")
    named = {name for mention in question.mentions for name in mention.names}
    return "" if is_named or not is_noun or holders[0][0] in named else holders[0][0]


def _written(words: Sequence[QuestionWord]) -> str:
    """Return words as they stand in their question."""
    return "".join(word.gap + word.text for word in words)
