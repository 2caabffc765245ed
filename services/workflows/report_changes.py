"""What a later report says otherwise than an earlier one, sentence by sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from services.core.answer_records import Sentence
from services.workflows.reports import WorkflowReport

_ALIKE = 0.6
"""Sentences of which so large a part of the words is the same say something of the same thing."""
_MOST_PAIRS = 40_000
"""Beyond so many pairs of sentences only those that cite the same records are compared."""


@dataclass(frozen=True, slots=True)
class ReportChanges:
    """The sentences that only the later report has, that only the earlier has, and those that became others.

    `kept` counts those that both have word by word. Numbers of sources differ from run to run and are no part of them.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    kept: int = 0


def report_changes(before: WorkflowReport | None, after: WorkflowReport | None) -> ReportChanges:
    """Return what changed from one report to the other; of a report that there is not, nothing is said."""
    first, second = _statements(before), _statements(after)
    removed = [text for text in first if text not in second]
    added = [text for text in second if text not in first]
    pairs = dict(_of_same_records(removed, added, first, second))
    left = [text for text in removed if text not in pairs]
    pairs |= dict(_of_like_words(left, [text for text in added if text not in pairs.values()]))
    return ReportChanges(
        tuple(text for text in added if text not in pairs.values()),
        tuple(text for text in removed if text not in pairs),
        tuple((text, pairs[text]) for text in removed if text in pairs),
        len(first.keys() & second.keys()),
    )


_Statements = dict[str, frozenset[str]]


def _statements(report: WorkflowReport | None) -> _Statements:
    """The sentences that state something, each with the ids of the records that it cites."""
    if report is None:
        return {}
    ids = {one.n: f"{one.kind} {one.id}" for one in report.answer.citations}
    return {one.text: _cited(one, ids) for one in report.answer.sentences if one.mark}


def _cited(sentence: Sentence, ids: dict[int, str]) -> frozenset[str]:
    return frozenset(ids[n] for n in sentence.citations if n in ids)


def _of_same_records(
    removed: Sequence[str], added: Sequence[str], first: _Statements, second: _Statements
) -> Iterator[tuple[str, str]]:
    """Pairs of sentences that cite the same records, each sentence once."""
    free = list(added)
    for text in removed:
        found = next((other for other in free if first[text] and first[text] == second[other]), None)
        if found is not None:
            free.remove(found)
            yield text, found


def _of_like_words(removed: Sequence[str], added: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of sentences of mostly the same words, the most alike first, each sentence once."""
    if len(removed) * len(added) > _MOST_PAIRS:
        return
    alike = sorted(
        ((-_likeness(old, new), i, j) for i, old in enumerate(removed) for j, new in enumerate(added)),
    )
    seen: set[tuple[bool, int]] = set()
    for likeness, i, j in alike:
        if -likeness >= _ALIKE and not {(True, i), (False, j)} & seen:
            seen |= {(True, i), (False, j)}
            yield removed[i], added[j]


def _likeness(first: str, second: str) -> float:
    """The share of the words that two sentences have in common, in order."""
    return SequenceMatcher(None, _words(first), _words(second), autojunk=False).ratio()


def _words(sentence: str) -> list[str]:
    return [word.strip(".,;:()“”").casefold() for word in sentence.split()]
