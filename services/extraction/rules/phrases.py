"""Names and noun phrases: where they start and end, and what sort of thing they name."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.extraction.rules.name_boundaries import NOT_NAMES, edges, entity_of, is_name, original_text
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_LABELS = {
    "PERSON": "Person",
    "ORG": "Organization",
    "GPE": "Place",
    "LOC": "Place",
    "LANGUAGE": "Topic",
}


_STOPPED = re.compile(r"(?<=[a-z]{3})\.$")
"""A sentence's own full stop, which the parser leaves at "Corp." and "Ltd."; initials keep theirs."""
_SMALL = ("ADP", "CCONJ", "DET", "SCONJ")
_ARTICLES = (
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "its",
    "his",
    "her",
    "their",
    "our",
    "my",
    "your",
    "some",
    "whose",
    "another",
    "both",
    "all",
    "own",
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase from word `start` to `end` of its document, without its article.

    `proper`: it is a name. `definite`: "the", "this", "our", a possessor or a name. `plain`: the head noun, lower case.
    """

    text: str
    start: int
    end: int
    plain: str
    label: str
    proper: bool
    definite: bool
    plural: bool


def phrase(head: "Token") -> NounPhrase:
    """The noun phrase around a head word, without articles, clauses and what follows in apposition."""
    start, end = _trimmed(head, *edges(head))
    words = head.doc[start:end]
    text = original_text(words).strip(" ,;:'\u2018").removesuffix("\u2019")
    if end == len(head.doc) or head.doc[end].is_sent_start:
        text = _STOPPED.sub("", text)
    proper = _is_proper(head, words)
    return NounPhrase(
        text=text,
        start=start,
        end=end,
        plain=head.lower_ if head.tag_ != "NNS" else head.lemma_.lower(),
        label=_label(words, head),
        proper=proper,
        definite=proper or _is_definite(head),
        plural=head.tag_ in ("NNS", "NNPS"),
    )


def _trimmed(head: "Token", start: int, end: int) -> tuple[int, int]:
    """Without what stands at the edges and is no part of a name: articles, possessives, honorifics, small words."""
    doc = head.doc
    while start < end and (doc[start].lower_ in _ARTICLES or doc[start].tag_ == "POS"):
        start += 1
    if start >= end:
        start, end = head.i, head.i + 1
    while end > head.i + 1 and (doc[end - 1].pos_ in _SMALL or doc[end - 1].text in (",", ";", "(", '"')):
        end -= 1
    start = _without_honorific(doc[start:end])
    if end - start > 1 and doc[end - 1].tag_ == "POS" and head.dep_ == "poss" and head.i == end - 2:
        end -= 1
    return start, end


def _is_proper(head: "Token", words: "Span") -> bool:
    return is_name(head) or words[-1].pos_ == "PROPN" or head.ent_type_ not in ("", *NOT_NAMES)


def _without_honorific(words: "Span") -> int:
    start = words.start
    while start < words.end - 1 and words.doc[start].lower_ in known("title"):
        start += 1
    return start


def _label(words: "Span", head: "Token") -> str:
    plain = head.lower_
    lowered = [word.lower_ for word in words]
    for kind in ("school", "organization", "product", "document", "work", "event", "award", "place"):
        if plain in known(kind):
            return "Organization" if kind == "school" else kind.capitalize()
    ent = entity_of(head)
    if ent is not None and not (ent.label_ in ("GPE", "LOC") and len(ent) < len(words)):
        return _trusted(ent)
    return "Person" if lowered in (["user"], ["i"]) else ""


def _trusted(ent: "Span") -> str:
    """The type of a named entity where the parser is mostly right: persons with two names, places, rarer ones."""
    label = _LABELS.get(ent.label_, "")
    if label == "Person":
        return label if len(ent) > 1 else ""
    if label == "Organization":
        return label if ent[0].lower_ == "the" or any(word.lower_ in known("organization") for word in ent) else ""
    return label


def _is_definite(head: "Token") -> bool:
    return any(
        child.dep_ == "poss" or (child.dep_ == "det" and child.lower_ in ("the", "this", "that", "these", "those"))
        for child in head.children
    )


def listed(head: "Token") -> list["Token"]:
    """The word and the others of its list ("A, B and C"), leaving out those after "not" or "instead of"."""
    found = [head]
    for child in head.children:
        if child.dep_ == "conj" and child.pos_ in ("NOUN", "PROPN", "PRON", "NUM", "X", "ADJ", "SYM"):
            joint = next((c.lower_ for c in head.children if c.dep_ == "cc" and c.i < child.i), "and")
            if joint in ("and", "or", "but", "/", "nor", "plus", "as") and not _is_denied(child):
                found += listed(child)
    return found


def _is_denied(token: "Token") -> bool:
    before = token.doc[token.i - 1] if token.i else token
    return any(child.dep_ == "neg" for child in token.children) or before.lower_ == "not"
