"""Labelled texts as the network is shown them: pieces with their states, which spans are names, which pairs facts."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from services.core import clock
from services.extraction.learned import dates
from services.extraction.learned.dates import Date
from services.extraction.learned.network import LONGEST_SPAN
from services.extraction.learned.passages import Passage, passages
from services.extraction.rules.findings import SYMMETRIC
from services.extraction.schemas import DEFAULT_SCHEMA

TEXTS_FILE = Path(__file__).parent / "labelled_texts.jsonl.gz"
_DEVELOPMENT_TEXTS = Path(__file__).parents[1] / "benchmarks" / "ingest"
RELATIONS = tuple(relation.name for relation in DEFAULT_SCHEMA.relations)
FACT, DEBATABLE = 1, 2
"""How a relation of a pair is labelled; what is debatable is neither taught as right nor as wrong."""
NO_LESSON = -1
"""The number of a span that is another spelling of a name: neither a name nor none."""

Row = Mapping[str, Any]
Span = tuple[int, int]

_SHARES = 10


@dataclass(frozen=True, slots=True)
class DatedFact:
    """A fact by the numbers of its ends and of its relation, and which dates of its passage start it and end it."""

    source: int
    relation: int
    target: int
    edges: tuple[tuple[bool, bool], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A text of one passage. `spans` are first and last pieces with the number of the entity, from 1 on.

    `facts` are entities x entities x relations; `dated` are the facts once more where the passage has `dates`.
    """

    passage: Passage
    spans: Mapping[Span, int]
    facts: "np.ndarray"
    dates: tuple[Date, ...] = ()
    dated: tuple[DatedFact, ...] = ()


def rows() -> Iterator[Row]:
    """Yield the labelled texts to learn from, the development texts first; none that figures are measured on."""
    for path in sorted(_DEVELOPMENT_TEXTS.glob("dev*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield {"set": path.stem, **json.loads(line)}
    with gzip.open(TEXTS_FILE, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def unseen_rows() -> Iterator[Row]:
    """Yield what confidences are fitted on: the tenth that is kept out, and the open texts on changes."""
    yield from filter(is_kept_out, rows())
    for line in (_DEVELOPMENT_TEXTS / "changes-open.jsonl").read_text(encoding="utf-8").splitlines():
        yield {"set": "changes-open", **json.loads(line)}


def is_kept_out(row: Row) -> bool:
    """True for the tenth of the texts that the network does not learn from."""
    return int(hashlib.md5(row["id"].encode(), usedforsecurity=False).hexdigest(), 16) % _SHARES == 0


def is_user(name: str) -> bool:
    """True where a label means whoever notes or speaks."""
    return name.lower() in ("user", "the user")


def example(row: Row) -> Example | None:
    """A text as the network is shown it; None for one that is longer than a passage."""
    (passage, *more) = passages(row.get("title") or "", row["text"])
    if more:
        return None
    numbers = _numbers(row)
    spans = _spans(row, passage, numbers)
    facts = np.zeros((len(numbers) + 1, len(numbers) + 1, len(RELATIONS)), np.int8)
    for label in row["facts"]:
        source, target = numbers[_key(label["source"])], numbers[_key(label["target"])]
        relation = RELATIONS.index(label["relation"])
        strength = DEBATABLE if label.get("optional") else FACT
        _mark(facts, source, target, relation, strength)
        if label["relation"] in SYMMETRIC:
            _mark(facts, target, source, relation, strength)
        for also in label.get("relation_also", ()):
            _mark(facts, source, target, RELATIONS.index(also), DEBATABLE)
    reference = row["reference_time"] and clock.parse_instant(row["reference_time"])
    among = tuple(dates.dates(passage, reference))
    return Example(passage, spans, facts, among, tuple(_dated(row, numbers, among)) if among else ())


def _dated(row: Row, numbers: Mapping[str, int], among: Sequence[Date]) -> Iterator[DatedFact]:
    """Each fact with its dates, either way round where both say the same, and by each relation that counts as right."""
    for label in row["facts"]:
        edges = tuple(_edges(label, one) for one in among)
        source, target = numbers[_key(label["source"])], numbers[_key(label["target"])]
        for name in (label["relation"], *label.get("relation_also", ())):
            yield DatedFact(source, RELATIONS.index(name), target, edges)
            if name in SYMMETRIC:
                yield DatedFact(target, RELATIONS.index(name), source, edges)


def _edges(label: Row, one: Date) -> tuple[bool, bool]:
    """Whether a date is that of the start, and of the end, that a label has."""
    when = one.when
    ends = (when.last,) if when.last else (when.first, when.ahead)
    return (
        any(_is_labelled(label.get("valid_at"), day) for day in (when.first, when.ahead)),
        any(_is_labelled(label.get("invalid_at"), day) for day in ends),
    )


def _is_labelled(day: str | None, found: datetime | None) -> bool:
    return day is not None and found is not None and found.isoformat().startswith(day)


def _mark(facts: "np.ndarray", source: int, target: int, relation: int, strength: int) -> None:
    if strength == FACT or not facts[source, target, relation]:
        facts[source, target, relation] = strength


def _key(name: str) -> str:
    return "user" if is_user(name) else name.lower().strip(".")


def _numbers(row: Row) -> dict[str, int]:
    """The number of each entity of a text, the user last where no fact is told of them."""
    keys = [_key(label[end]) for label in row["facts"] for end in ("source", "target")]
    return {key: number for number, key in enumerate(dict.fromkeys([*keys, "user"]), start=1)}


def _spans(row: Row, passage: Passage, numbers: Mapping[str, int]) -> dict[Span, int]:
    spans: dict[Span, int] = {}
    ends = [(label, end) for label in row["facts"] for end in ("source", "target") if not is_user(label[end])]
    for label, end in ends:
        spans |= dict.fromkeys(occurrences(passage, label[end]), numbers[_key(label[end])])
    for label, end in ends:
        number = numbers[_key(label[end])]
        is_named = number in spans.values()
        for also in label.get(f"{end}_also", ()):
            for span in occurrences(passage, also):
                spans.setdefault(span, NO_LESSON if is_named else number)
    return spans | {(piece, piece): numbers["user"] for piece in passage.users}


def occurrences(passage: Passage, name: str) -> Iterator[Span]:
    """The pieces of each place where a passage has a name as whole words."""
    starts, stops = passage.edges()
    before, after = (r"(?<![^\W_])" * name[:1].isalnum(), r"(?![^\W_])" * name[-1:].isalnum())
    for match in re.finditer(before + re.escape(name) + after, passage.shown):
        first, last = starts.get(match.start()), stops.get(match.end())
        if first is not None and last is not None and last - first < LONGEST_SPAN:
            yield first, last
