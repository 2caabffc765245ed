"""What a question is wrapped in: politeness and framing before it, thanks after it, and slips in its smallest words."""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.analyst.fuzzy import closest_word
from services.analyst.question_words import QuestionWord, stem

_ME = r"(?:tell|show|give|remind|inform|help|let)\ (?:me|us)(?:\ know)?"
_LEARN = r"to\ (?:know|see|find\ out|learn|ask)"
_RECORDS = r"(?:graph|data|database|records?|knowledge\ (?:graph|base))"
_BEFORE = re.compile(
    rf"""^\W*(?:(?:
    would\ you\ mind\ (?:telling|showing|giving|reminding)\ (?:me|us)
    |please|kindly|pls|(?:hi|hello|hey)(?:\ there)?|greetings|good\ (?:morning|day|afternoon|evening)|ok|okay
    |so|well|um+|like|(?:a\ )?(?:very\ )?quick\ (?:question|one|check|query)|question|just\ curious|just\ checking
    |do\ tell(?:\ me)?|i(?:'m|\ am)\ curious
    |would\ it\ be\ (?:right|fair|correct|true|accurate)\ to\ say(?:\ that)?(?=\ )
    |i\ (?:was|am)\ wondering|i'm\ wondering|i\ wonder|wondering
    |(?:could|can|would|will)\ (?:you|u|someone|anybody|anyone)(?:\ (?:please|kindly|maybe|possibly))?(?:\ {_ME})?
    (?:\ (?:find(?:\ out)?|check|look\ up|say|figure\ out|confirm|verify|determine))?
    |i(?:\ would|'d|’d)\ (?:like|love|want)\ {_LEARN}|i\ (?:want|need|asking)\ {_LEARN}
    |(?:please\ )?{_ME}(?:\ please)?|do\ you\ (?:happen\ to\ )?know|does\ anyone\ know|any\ idea|is\ it\ known
    |(?:i\ )?need|(?:please\ )?(?:summari[sz]e|outline|recap|enumerate|detail|describe)|help\ me\ (?:find|understand)
    |find\ out|look\ up|(?:may|can|could)\ i\ (?:ask|know|see|get|have)|what\ i\ want\ to\ know\ is|my\ question\ is
    |according\ to\ (?:the\ |our\ |your\ )?{_RECORDS}(?!\s+(?:of|on|at|as|from|in|dated)\b)
    |in\ (?:the|this|our)\ (?:graph|database|data)|from\ the\ (?:graph|data|records)(?!\s+of)
    )\b[\s,:;.!-]*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER = re.compile(
    r"""[\s,;.!-]*\b(?:please|pls|thanks|thank\ you|thx|cheers|if\ you\ (?:know|can|please)|do\ you\ know
    |i\ need\ (?:it|that|to\ know)|which\ (?:one\ )?(?:was|is)\ (?:it|that)|that\ is\ (?:all|it)|just\ asking
    |in\ the\ graph
    |according\ to\ (?:the|our)\ (?:graph|data|database|records?))[\s.!?]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_BESIDE_NUMBER = re.compile(
    r"""(?:(?<=\d\ )|(?<=\d(?:st|nd|rd|th)\ )|(?<=\d(?:st|nd|rd|th)\ of\ ))[a-z]{4,}(?=[\s,.]+\d)
    |\b[a-z]{5,}(?=\ \d{1,2}(?:st|nd|rd|th)?\b,?\ \d{4})|\b[a-z]{5,}(?=\ \d{4}\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_THAT_IS = re.compile(
    r"\b(?:i\.\s?e\.?|e\.\s?g\.?|(?<!what )i mean|in other words|(?<=, )that is(?: to say)?(?=,)),?",
    re.IGNORECASE,
)
_OR_NOT = re.compile(r"\s+or (?:what|not|no)\b(?=[\s?.!]*(?:,|$))", re.IGNORECASE)
_SAYING_AGAIN = " namely "
_MONTHS = ("january", "february", "march", "april", "august", "september", "october", "november", "december")
_ASKING = ("what", "which", "when", "where", "who", "the", "was", "were", "did", "does", "how", "many")


def unwrapped(question: str) -> str:
    """The question without what is merely polite; all of it where nothing else is left."""
    bare = _with_months(_OR_NOT.sub(" ", _THAT_IS.sub(_SAYING_AGAIN, question)))
    while (match := _BEFORE.match(bare)) and match.end():
        rest = bare[match.end() :]
        if not re.search(r"\w", rest):
            return question
        bare = rest
    shorter = _AFTER.sub("", bare)
    return shorter if re.search(r"\w", shorter) else bare


def _with_months(question: str) -> str:
    """Months that are misspelt beside a number are put right."""
    return _BESIDE_NUMBER.sub(lambda match: closest_word(match[0].lower(), _MONTHS) or match[0], question)


def respelt(words: Sequence[QuestionWord], known: frozenset[str], named: frozenset[int]) -> tuple[QuestionWord, ...]:
    """Words with slips in the smallest ones put right: "wht" is "what", "teh" is "the"."""
    return tuple(
        _respelt(word) if place not in named and word.low not in known and not word.is_number else word
        for place, word in enumerate(words)
    )


def _respelt(word: QuestionWord) -> QuestionWord:
    for right in _ASKING:
        if _slips(word.low, right):
            return replace(word, low=right, stem=stem(right))
    return word


def _slips(word: str, right: str) -> bool:
    """True for a letter that is missing, or doubled, or two that are swapped, after the first."""
    if word[:1] != right[:1] or word == right or len(word) < 2 or len(right) < 3:
        return False
    if len(word) == len(right):
        swapped = (right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(1, len(right) - 1))
        return word in swapped
    if len(word) == len(right) - 1 and len(right) > 3:
        return any(right[:at] + right[at + 1 :] == word for at in range(1, len(right)))
    return len(word) == len(right) + 1 and any(right[: at + 1] + right[at:] == word for at in range(len(right)))
