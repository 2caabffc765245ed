"""Questions made from a graph's facts: phrases of benchmarks/ask/phrases.tsv, filled in and given their truth."""

import csv
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from benchmarks.questions.maker import FilledPhrase, Maker, PhraseTemplate
from benchmarks.questions.makers import MAKERS
from benchmarks.questions.rows import QuestionRow, row_of
from benchmarks.questions.truth import AmbiguousTruth, Facts

PHRASES = Path(__file__).resolve().parent.parent / "ask" / "phrases.tsv"
CASES: Mapping[str, Mapping[str, int]] = {
    "at": {"day": 2, "start": 2, "before_start": 2, "end": 2, "before_first": 1, "gap": 2, "future": 1, "misspelt": 1},
    "now": {"now": 2, "bar": 2, "bar_known": 1, "bar_before_first": 1, "misspelt_now": 1},
    "list": {"now": 2, "bar": 1, "misspelt_now": 3},
    "undated": {"now": 2},
    "is": {"is": 2, "is_not": 2},
    "when": {"when": 2, "misspelt_when": 1},
    "known": {"learned_before": 2, "learned_after": 1, "corrected_before": 2, "corrected_after": 2},
    "count": {"now": 3},
    "count_at": {"day": 2},
    "period": {"period": 3},
    "path": {"path": 3},
    "none_number": {"none_number": 4},
    "none_name": {"none_name": 4},
    "none_relation": {"none_relation": 4},
    "none_fixed": {"none_fixed": 3},
    "none_once": {"none_once": 1},
}
"""How many questions of which case each phrase of a kind makes; a kind that is not here is its own case, twice."""

_TRIES, _MOST_CITED, _LONGEST_HISTORY = 200, 60, 12
_EMPTY = {"before_first", "gap", "bar_before_first", "undated_dated"}
_EITHER = {"before_start", "end", "is_not", "late", "learned_after", "corrected_before", "corrected_after", "future"}


def generated(graph: str, facts: Facts, now: datetime) -> list[QuestionRow]:
    """The questions over a graph, the same at every run over the same facts."""
    maker, rows = Maker(graph, facts, now), dict[tuple[str, str, str], QuestionRow]()
    for phrase in phrases(graph):
        for case, wanted in CASES.get(phrase.kind, {phrase.kind: 2}).items():
            for _ in range(wanted):
                if row := _row(maker, phrase, case, f"{graph}-{len(rows) + 1}"):
                    rows.setdefault((row.question, row.as_of, row.known_at), row)
    return list(rows.values())


def phrases(graph: str) -> list[PhraseTemplate]:
    """The phrases for a graph."""
    with PHRASES.open(newline="") as file:
        read = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        chosen = [row for row in read if row["graph"] == graph]
    return [
        PhraseTemplate(row["kind"], row["relation"], "target" if row["side"] == "target" else "source", row["text"])
        for row in chosen
    ]


def _row(maker: Maker, phrase: PhraseTemplate, case: str, id: str) -> QuestionRow | None:
    """A question of the case; None where the facts have nothing of that case."""
    for _ in range(_TRIES):
        draft = MAKERS[case](maker, phrase)
        if draft is None:
            continue
        try:
            row = row_of(
                maker.facts,
                maker.now,
                id=id,
                graph=maker.graph,
                question=_filled(phrase.text, draft),
                wanted=draft.wanted,
                kind=f"{phrase.kind}/{case}",
                as_of=draft.as_of,
                known_at=draft.known_at,
            )
        except AmbiguousTruth:
            continue
        if _fits(row, phrase, case):
            return row
    return None


def _filled(text: str, draft: FilledPhrase) -> str:
    spelled = draft.fills.get("d", "")
    return text.format(**draft.fills, D=spelled[:1].upper() + spelled[1:])


def _fits(row: QuestionRow, phrase: PhraseTemplate, case: str) -> bool:
    """False for a question that its case does not mean, or with more to cite than anybody reads."""
    if case in _EMPTY or phrase.kind.startswith("none"):
        return row.declined
    if row.declined:
        return case in _EITHER
    if case == "history":
        return 1 < len(row.expected) <= _LONGEST_HISTORY
    return phrase.kind.startswith("count") or len(row.expected) <= _MOST_CITED
