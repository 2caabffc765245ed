"""Where in a text things stand: the passages that a long one is read in, and the sentence that says a fact."""

from dataclasses import dataclass

from services.documents.chunking import Lines, chunk_spans
from services.documents.outline import Outline
from services.language.sentences import sentence_spans
from services.retrieval.tokens import stems

LONGEST_PASSAGE = 6_000
"""Characters of a text that a model reads at a time: with more it finds fewer facts in each part."""

Span = tuple[int, int]


def passages(text: str) -> list[Span]:
    """The text in passages that are short enough for a model, cut where chunks are cut; none where it says nothing."""
    if len(text) <= LONGEST_PASSAGE:
        return [(0, len(text))] if text.strip() else []
    lines = Lines(text)
    found: list[Span] = []
    for start, end in chunk_spans(lines, Outline(), 0, lines.count):
        if found and end - found[-1][0] <= LONGEST_PASSAGE:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with the stems of its words."""

    span: Span
    stems: frozenset[str]


class Sentences:
    """The sentences of a part of a text, to find the one that says something."""

    def __init__(self, text: str, part: Span) -> None:
        self._sentences = [
            _Sentence(span, frozenset(stems(text[slice(*span)]))) for span in sentence_spans(text, *part)
        ]

    def saying(self, fact: str, *names: str) -> Span:
        """The sentence that shares most words with a fact; names count twice. (0, 0) where none shares any."""
        wanted, named = set(stems(fact)), {stem for name in names for stem in stems(name)}
        best = max(self._sentences, key=lambda s: _shared(s, wanted, named), default=None)
        return best.span if best is not None and _shared(best, wanted, named) > 0 else (0, 0)


def _shared(sentence: _Sentence, wanted: set[str], named: set[str]) -> float:
    """How many words are shared; of two sentences that share as many the shorter one says it."""
    shared = len(sentence.stems & wanted) + len(sentence.stems & named)
    return shared - len(sentence.stems) / 1000 if shared else 0.0
