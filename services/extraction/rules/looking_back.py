"""Whether a sentence points back: a text goes on about what it named before by pronouns and by nouns with "the"."""

from typing import TYPE_CHECKING

from services.extraction.rules.name_boundaries import is_name

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_PRONOUNS = ("PRP", "PRP$")
_SPEAKERS = frozenset(("i", "me", "my", "mine", "we", "us", "our", "you", "your"))
_DEFINITE = frozenset(("the", "this", "that", "these", "those", "both", "such"))
_SUBJECTS = ("nsubj", "nsubjpass")


def stands_alone(sentence: "Span") -> bool:
    """Return True for a sentence about a name of its own, in which nothing stands for what was named before it.

    "Its" behind that name stands for it, and a noun with "the" that says of what it is ("the head of sales") stands for
    nothing earlier.
    """
    subject = next((word for word in sentence.root.children if word.dep_ in _SUBJECTS), None)
    if subject is None or not is_name(subject):
        return False
    return not any(_points_back(word, subject) for word in sentence)


def _points_back(word: "Token", subject: "Token") -> bool:
    if word.tag_ in _PRONOUNS:
        return word.lower_ not in _SPEAKERS and (word.tag_ == "PRP" or word.i < subject.i)
    if word.lower_ not in _DEFINITE or word.dep_ not in ("det", "predet", "nsubj", "nsubjpass", "dobj", "pobj"):
        return False
    noun = word.head
    says_which = any(
        child.dep_ in ("prep", "relcl", "acl", "appos", "compound", "nummod", "poss") for child in noun.children
    )
    return not (is_name(noun) or says_which)
