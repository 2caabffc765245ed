"""Statements before a question that say why it is asked: "I have a parcel for the crew. Where do they sit?"."""

import re

from services.analyst.graph_lexicon import Lexicon
from services.analyst.mentions import mentions_in
from services.analyst.question_words import words_of
from services.analyst.time_frame import TimeFrame, time_frame
from services.core import clock

_ASKING = (
    r"(?:(?:in|on|at|for|by|from|since|until|to|of|with)\s+)?(?:who|whom|whose|what|which|where|when|how)\b"
    r"|(?:is|are|was|were|did|does|do|has|have|had|can|could)\b"
)
_FIRST = r"(?:i|i['’]m|i['’]ve|we|we['’]re|we['’]ve|my|our)\b"
_PREFACE = re.compile(
    rf"^\W*(?P<stated>{_FIRST}[^.:;!?—]*?(?=,\s)|(?:{_FIRST}|(?:an?|the|someone|somebody|this|there)\b)[^.:;!?—]*?"
    rf"(?=[.:;!—]|,? [-–]))(?:[.:;!—,]|,? [-–])\s+(?:(?:and|so|but)\s+)?(?P<question>(?:{_ASKING}).*)$",
    re.IGNORECASE | re.DOTALL,
)
_EXISTS = re.compile(
    r"^\W*(?:is|are) there (?:something|anything)(?: (?:that|which))? (?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL
)
_CONTRACTED = re.compile(r"\b(he|she|it)['’]s\b", re.IGNORECASE)
_NARROWS = re.compile(
    r"\b(?:not|no|nobody|never|only|just|except|without|besides|exclud\w+|ignor\w+|leav\w+|left|former|previous|current)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""Words by which a statement says which facts are meant, or which are not."""
_PRONOUN = re.compile(r"\b(?:they|them|their|it|its|he|him|his|she|her|there)\b", re.IGNORECASE)


def without_preface(text: str, lexicon: Lexicon) -> str:
    """Return the question behind a statement that names nothing of the graph and no date; else all of the text."""
    match = _preface(text)
    if match is None or mentions_in(words_of(match["stated"]), lexicon):
        return _EXISTS.sub(r"what \g<rest>", text)  # "is there anything that A likes?"
    return match["question"]


def subject_of_preface(text: str, lexicon: Lexicon) -> tuple[str, str] | None:
    """Return the one name of a statement, and the question behind it that has a pronoun for that and names nothing."""
    match = _preface(text)
    if match is None or not _PRONOUN.search(match["question"]):
        return None
    names = {mention.name for mention in mentions_in(words_of(match["stated"]), lexicon)}
    if len(names) != 1 or mentions_in(words_of(match["question"]), lexicon):
        return None
    return names.pop(), _CONTRACTED.sub(r"\1 is", match["question"])


def _preface(text: str) -> re.Match[str] | None:
    """Match a statement with the question behind it, where that can be understood without it."""
    match = _PREFACE.match(text)
    return None if match is None or restricts(match["stated"]) else match


def restricts(stated: str) -> bool:
    """True for a statement with a number, a date, or a word that says which facts are meant."""
    is_dated = time_frame(stated, stated, clock.now()) != TimeFrame()
    return is_dated or re.search(r"\d", stated) is not None or _NARROWS.search(stated) is not None
