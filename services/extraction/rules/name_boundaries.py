"""Where a name starts and ends around its head word, and what counts as one."""

import re
from typing import TYPE_CHECKING

from services.extraction.rules.word_categories import THINGS, known

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))*(?:[-.]?(?:a|b|rc|alpha|beta|dev|post|lts)\.?\d*)?", re.IGNORECASE)


_NUMBERED_WORD = re.compile(r"[A-Z][a-z]+\d+")
"""A word such as "Anna2" in a name of several words, of which the parser often makes no part of the sentence."""
NOT_NAMES = ("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY")


def is_name(token: "Token") -> bool:
    """True for a proper noun, or a word that is written like one in the middle of a sentence."""
    inside = token.text[:1].isupper() and not token.is_sent_start and token.pos_ in ("NOUN", "ADJ", "X", "VERB")
    return token.pos_ == "PROPN" or inside or _opens_as_name(token) or bool(re.search(r"[A-Z]", token.text[1:]))


def _opens_as_name(token: "Token") -> bool:
    """Return True for a word like "Tansy" that opens a sentence as its subject, in the singular, without an article."""
    opens = token.is_sent_start and token.dep_ in ("nsubj", "nsubjpass") and token.text[:1].isupper()
    if not opens or token.tag_ not in ("NN", "JJ", "VB", "VBP", "RB", "UH", "FW"):
        return False
    ends = re.search(r"(?:ing|tion|sion|ment|ness|ity|ance|ence|age|ship|ism|ware|dom)s?$", token.lower_)
    return ends is None and token.lower_ not in known("generic", *THINGS)


def original_text(words: "Span") -> str:
    """The words as the text has them, where the parser was given another name for one with a number."""
    names = words.doc.user_data.get("names", {})
    return "".join(names.get(word.idx, word.text) + word.whitespace_ for word in words).strip()


def edges(head: "Token") -> tuple[int, int]:
    """From the leftmost modifier that is part of the name to the rightmost."""
    doc, start, end = head.doc, head.i, head.i + 1
    while start > 0 and _joins_left(doc[start - 1], head):
        start -= 1
    ent = entity_of(head)
    if ent is not None:
        start = min(start, ent.start)
        end = max(end, ent.end) if ent.end - 1 == head.i or _is_run(doc, head.i + 1, ent.end) else end
    while end < len(doc) and _joins_right(doc[end], doc[end - 1], head):
        end += 1
    start = _with_numbered(head, start)
    start = _after_titles(head, start)
    while start < head.i and (doc[start].is_punct and doc[start].text not in ('"', "“", "/", "#", "-")):
        start += 1
    return start, end


def _with_numbered(head: "Token", start: int) -> int:
    """The start of "Anna2 Muster": the numbered word before a name is of it, unless it has a place of its own."""
    if head.pos_ != "PROPN" or start == 0 or head.doc[start - 1].sent.start != head.sent.start:
        return start
    before = head.doc[start - 1]
    own = before.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "appos") and before.head != head
    return start - 1 if _NUMBERED_WORD.fullmatch(before.text) and before.whitespace_ and not own else start


def _after_titles(head: "Token", start: int) -> int:
    """Past what is no part of a name: "the architect Ottokar Blau", "her sister Mia", "the start-up Murmur"."""
    if head.pos_ != "PROPN":
        return start
    for token in reversed(list(head.doc[start : head.i])):
        is_role = head.lower_ not in known("place") and token.lower_ in known("role", "title")
        is_title = is_role or token.lower_ in known(*TITLES)
        is_class = token.pos_ == "NOUN" or token.lower_ in known(*_CLASSES)
        if (is_class and token.text[:1].islower()) or (is_title and not _is_org_word(head)):
            return token.i + 1
    return start


TITLES = ("kin_partner", "kin_child", "kin_parent", "kin_sibling", "other_kin", "founder", "report")


_CLASSES = ("document", "work")


def _is_org_word(head: "Token") -> bool:
    return head.lower_ in known("organization") or head.lower_ in known("school")


def entity_of(head: "Token") -> "Span | None":
    """The named entity that a word is part of, unless it is a date, or two that were run together."""
    if not head.ent_type_ or head.ent_type_ in NOT_NAMES:
        return None
    ent = next((ent for ent in head.doc.ents if ent.start <= head.i < ent.end), None)
    split = ent is not None and any(_splits(word) for word in ent[1:])
    return None if split else ent


def _splits(word: "Token") -> bool:
    """True for a word within no name: "from", and the "for" of a verb ("left Google for Stripe")."""
    of_verb = word.lower_ == "for" and word.head.pos_ == "VERB"
    return of_verb or word.lower_ in ("to", "from", "by", "with", "as", "is")


def _is_run(doc: "Doc", start: int, end: int) -> bool:
    return all(
        doc[i].pos_ in ("PROPN", "NUM", "ADP", "DET", "CCONJ", "PART", "NOUN", "PUNCT") for i in range(start, end)
    )


def _joins_left(token: "Token", head: "Token") -> bool:
    """A modifier right before the name that belongs to it: compounds, adjectives, quotes; no article, no clause."""
    if token.sent.start != head.sent.start or token.is_space or _is_year_of_date(token):
        return False
    if token.dep_ in ("compound", "amod", "nmod", "nummod") and _hangs_on(token, head):
        glued = token.i + 1 < len(token.doc) and token.doc[token.i + 1].text == "-" and not token.whitespace_
        return token.dep_ != "nummod" or head.pos_ != "NOUN" or token.text[:1].isalpha() is False or glued
    if token.text in ('"', "“", "”") and token.dep_ == "punct":
        return _hangs_on(token, head) or token.head == head
    if token.dep_ in ("npadvmod", "advmod", "punct") and token.i > 0:
        return (_hangs_on(token, head) and token.text in ("-", "/", "–")) or (
            token.dep_ in ("npadvmod", "advmod") and _hangs_on(token, head) and token.head.i < head.i
        )
    if token.tag_ == "POS" and head.pos_ != "PROPN":
        return token.head.head == head and token.i == head.i - 1
    lone = head.i - token.i == 2
    return (
        token.dep_ == "poss"
        and token.pos_ in ("PROPN", "NOUN")
        and token.head == head
        and head.pos_ != "PROPN"
        and lone
    )


def _is_year_of_date(token: "Token") -> bool:
    """True for the year of "May 14th, 2019 PEP 581 was accepted", which the parser takes for part of the name."""
    return token.i > 0 and token.text.isdigit() and len(token.text) == 4 and token.doc[token.i - 1].text == ","


def _hangs_on(token: "Token", head: "Token") -> bool:
    """True when the word is below the head by words that stand before the head."""
    while token.head != token and token.head.i <= head.i:
        token = token.head
        if token == head:
            return True
        if token.dep_ not in ("compound", "amod", "nmod", "nummod", "npadvmod", "poss", "punct", "advmod"):
            return False
    return False


def _joins_right(token: "Token", before: "Token", head: "Token") -> bool:
    """A number or a version that ends a name: "Python 3.5", "PEP 8", "Ticket 9017"."""
    if token.is_space or token.sent.start != head.sent.start:
        return False
    named = before.pos_ == "PROPN" or is_name(before) or (before.text[:1].isupper() and before.pos_ == "NOUN")
    if VERSION.fullmatch(token.text) and named and before.text[-1:].isalnum():
        return token.ent_type_ not in ("MONEY", "PERCENT") and not re.fullmatch(r"(?:19|20)\d\d", token.text)
    return (
        token.pos_ == "PROPN" and token.head == head and token.i == before.i + 1 and token.dep_ in ("compound", "nmod")
    )
