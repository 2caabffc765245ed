"""Where a text says its facts, for showing; and what changed from one text to another."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from services.core.models import Fact
from services.documents.chunking import Lines
from services.language.relation_names import relation_words
from services.language.sentences import sentence_spans
from services.retrieval.tokens import folded_words

Span = tuple[int, int]
_TRIED = 200
_ENOUGH = 3.0
LONGEST_DIFF = 20_000
_AROUND = 2


def places(facts: Iterable[Fact], content: str) -> dict[str, Span]:
    """The sentence that says each fact, as a span in characters, by the fact's uuid: the one with its own words, else
    one that names its ends. A fact that no sentence seems to say is left out."""
    sentences = _Sentences(content)
    found: dict[str, Span] = {}
    for fact in facts:
        at = content.find(fact.text) if fact.text.strip() else -1
        span = sentences.around(at, at + len(fact.text)) if at >= 0 else sentences.best(fact)
        if span is not None:
            found[fact.uuid] = span
    return found


class _Sentences:
    """The sentences of a text, found by their words."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._spans = list(sentence_spans(content))
        self._words = [set(folded_words(content[start:stop])) for start, stop in self._spans]
        self._with = defaultdict[str, list[int]](list)
        for number, words in enumerate(self._words):
            for word in words:
                self._with[word].append(number)

    def around(self, start: int, stop: int) -> Span:
        """The sentence that words stand in; the words themselves where they are of several."""
        number = bisect_right(self._spans, (start, len(self._content))) - 1
        whole = self._spans[number] if number >= 0 else (start, stop)
        return whole if whole[0] <= start and stop <= whole[1] else (start, stop)

    def best(self, fact: Fact) -> Span | None:
        """The sentence with most of the fact's ends and relation; the first of several."""
        wanted = dict.fromkeys(relation_words(fact.relation), 1.0)
        wanted |= dict.fromkeys(folded_words(fact.source), 2.0) | dict.fromkeys(folded_words(fact.target), 3.0)
        near = sorted({n for name in (fact.target, fact.source) for n in self._near(name)})
        worth = {n: self._worth(n, wanted, fact) for n in near}
        best = max(near, key=lambda n: (worth[n], -n), default=None)
        return self._spans[best] if best is not None and worth[best] >= _ENOUGH else None

    def _near(self, name: str) -> Sequence[int]:
        """Sentences with the rarest word of a name."""
        found = [self._with[word] for word in folded_words(name) if word in self._with]
        return min(found, key=len, default=[])[:_TRIED]

    def _worth(self, number: int, wanted: Mapping[str, float], fact: Fact) -> float:
        words = self._words[number]
        piece = self._content[slice(*self._spans[number])].casefold()
        if not any(name and name.casefold() in piece for name in (fact.source, fact.target)):
            return 0.0
        share = {name: _share(folded_words(name), words) for name in (fact.source, fact.target)}
        shared = sum(weight for word, weight in wanted.items() if word in words)
        return shared if share[fact.target] == 1.0 or min(share.values()) > 0 else 0.0


def _share(wanted: Sequence[str], words: set[str]) -> float:
    return sum(word in words for word in wanted) / len(wanted) if wanted else 0.0


def pieces(content: str, most: int) -> tuple[Span, ...]:
    """Spans that a long text is shown in, of at most so many characters, cut behind the ends of lines where it can."""
    cuts = [0]
    while len(content) - cuts[-1] > most:
        end = cuts[-1] + most
        line = content.rfind("\n", cuts[-1], end) + 1
        cuts.append(line if line > cuts[-1] else end)
    return tuple(pairwise([*cuts, len(content)])) if content else ((0, 0),)


def by_line(content: str, shown: Span, spans: Mapping[str, Span]) -> dict[int, list[tuple[int, int, str]]]:
    """What of each line in `shown` the spans cover: its number in the whole text, counted from 1, with places in the
    line as it is shown, and the key of the span. Of spans that cover each other the first stands."""
    marked = defaultdict[int, list[tuple[int, int, str]]](list)
    lines, first = Lines(content[slice(*shown)]), content.count("\n", 0, shown[0]) + 1
    taken = 0
    for key, span in sorted(spans.items(), key=lambda one: (one[1], one[0])):
        start, stop = max(span[0] - shown[0], taken), min(span[1] - shown[0], len(lines.text))
        for number in range(lines.of(start), lines.of(stop - 1) + 1) if start < stop else ():
            at, end = lines.span(number, number + 1)
            if max(start, at) < min(stop, end):
                marked[first + number].append((max(start, at) - at, min(stop, end) - at, key))
        taken = max(taken, stop)
    return dict(marked)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a comparison. `changed` are the parts of it that differ, where most of it is as it was; a gap stands
    for lines that are the same."""

    kind: Literal["same", "added", "ended", "gap"]
    text: str
    changed: tuple[Span, ...] = ()


def differences(before: str, after: str) -> tuple[DiffLine, ...] | None:
    """What differs between two texts, line by line, with a little of what is the same around it.

    Nothing where they are the same; None where they are too long to be compared.
    """
    old, new = before.split("\n"), after.split("\n")
    if max(len(old), len(new)) > LONGEST_DIFF:
        return None
    found: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new)
    last = 0
    for group in matcher.get_grouped_opcodes(_AROUND):
        if group[0][1] > last:
            found.append(DiffLine("gap", f"{group[0][1] - last:,}"))
        for tag, i, j, k, m in group:
            if tag == "equal":
                found += [DiffLine("same", line) for line in old[i:j]]
            elif j - i == m - k:
                found += [line for pair in zip(old[i:j], new[k:m], strict=True) for line in _reworded(*pair)]
            else:
                found += [DiffLine("ended", line) for line in old[i:j]]
                found += [DiffLine("added", line) for line in new[k:m]]
        last = group[-1][2]
    if found and len(old) > last:
        found.append(DiffLine("gap", f"{len(old) - last:,}"))
    return tuple(found)


def _reworded(old: str, new: str) -> tuple[DiffLine, DiffLine]:
    """A line before and after, with the words that differ where the lines have much in common."""
    before, after = re.findall(r"\s+|\w+|.", old), re.findall(r"\s+|\w+|.", new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if max(len(before), len(after)) > 2_000 or matcher.ratio() < 0.4:
        return DiffLine("ended", old), DiffLine("added", new)
    gone, come = [], []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            gone.append((len("".join(before[:i])), len("".join(before[:j]))))
            come.append((len("".join(after[:k])), len("".join(after[:m]))))
    return DiffLine("ended", old, tuple(gone)), DiffLine("added", new, tuple(come))
