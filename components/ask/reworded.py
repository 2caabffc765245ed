"""A question with a part of it taken off, or called something else."""

import re

from services.core.answer_records import Offer, QuestionPart

_JOIN = r"(?:of|for|by|from|to|in|at|on|with|about|and|during|before|after|since)\s+"
"""A small word before a part, which goes with it, unless the part begins with one of its own."""


def without(question: str, words: str) -> str:
    """The question without some of its words, and without the small word that joins them to it."""
    shorter = question
    for stretch in _stretches(question, words):
        joined = "" if re.match(_JOIN, stretch, re.IGNORECASE) else rf"(?:\b{_JOIN})?(?:\bthe\s+)?"
        part = rf"\s*{joined}(?<!\w){re.escape(stretch)}(?!\w)(?:'s)?"
        shorter = re.sub(part, "", shorter, count=1, flags=re.IGNORECASE)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s{2,}", " ", shorter)).strip(" ,")


def with_another(question: str, words: str, other: str) -> str:
    """The question with other words in place of some of its own."""
    return _place(words).sub(lambda _: other, question, count=1)


def can_be_replaced(question: str, part: QuestionPart) -> bool:
    """True where the words of a part stand in the question, side by side."""
    return bool(part.words) and _place(part.words).search(question) is not None


def of_relation(offer: Offer, dated_by: str) -> str:
    """The question for another relation, at the date that the words of the one before name."""
    asked = offer.question
    return f"{dated_by[:1].upper()}{dated_by[1:]}, {asked[:1].lower()}{asked[1:]}" if dated_by else asked


def _place(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def _stretches(question: str, words: str) -> list[str]:
    """Words as they stand in the question: side by side, or one by one."""
    return [words] if words.casefold() in question.casefold() else words.split()
