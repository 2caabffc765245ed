"""A question with what a right answer to it cites, and files of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.questions.truth import Facts, Wanted, cited
from services.core import clock
from services.core.models import Fact

Document = dict[str, Any]


@dataclass(frozen=True)
class QuestionRow:
    """One question. `expected` are uuids of facts; none where the answer has to decline. `number` is that of a count.

    `as_of` and `known_at` are the time bar's, as text; empty is now.
    """

    id: str
    graph: str
    kind: str
    question: str
    expected: frozenset[str] = field(default_factory=frozenset)
    as_of: str = ""
    known_at: str = ""
    number: int | None = None
    group: str = "answerable"

    @property
    def declined(self) -> bool:
        """True when the answer has to decline."""
        return not self.expected

    def line(self) -> bytes:
        """The row as `ask --batch` reads it."""
        asked = {"id": self.id, "question": self.question, "as_of": self.as_of, "known_at": self.known_at}
        return json.dumps({name: value for name, value in asked.items() if value}).encode()

    def document(self) -> Document:
        """The row for JSON."""
        return {
            "id": self.id,
            "graph": self.graph,
            "class": self.kind,
            "question": self.question,
            "as_of": self.as_of or None,
            "known_at": self.known_at or None,
            "expected": sorted(self.expected),
            "number": self.number,
            "declined": self.declined,
        }


def row_of(
    facts: Facts,
    now: datetime,
    *,
    id: str,
    graph: str,
    question: str,
    wanted: Wanted,
    kind: str = "",
    as_of: str = "",
    known_at: str = "",
) -> QuestionRow:
    """Make the row of a question, its truth computed from the facts. Raises `AmbiguousTruth` where they give none."""
    bar, known_bar = _instant(as_of), _instant(known_at)
    expected = frozenset(cited(facts, wanted, bar, known_bar, now))
    number = len(expected) if wanted.kind == "count" else None
    group = "unanswerable" if not expected else "answerable"
    return QuestionRow(id, graph, kind or wanted.kind, question, expected, as_of, known_at, number, group)


def read_rows(path: Path, graph: str, facts: Facts, now: datetime) -> Iterator[QuestionRow]:
    """The rows of a JSON Lines file.

    A line has `question`, perhaps `id`, `as_of`, `known_at` and `class`, and either `expect`, a specification as
    `Wanted` reads it, or `expected`: uuids, or facts as {source, relation, target, valid_at?}; none is to be declined.
    """
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        given: Document = json.loads(line)
        common: Document = {
            "id": str(given.get("id", number)),
            "graph": graph,
            "question": given["question"],
            "as_of": given.get("as_of") or "",
            "known_at": given.get("known_at") or "",
            "kind": given.get("class", ""),
        }
        if "expect" in given:
            yield row_of(facts, now, wanted=Wanted.model_validate(given["expect"]), **common)
        else:
            found = frozenset(uuid for one in given.get("expected", ()) for uuid in _uuids(facts, one))
            group = "answerable" if found else "unanswerable"
            yield QuestionRow(**common, expected=found, number=given.get("number"), group=group)


def _instant(text: str) -> datetime | None:
    return clock.parse_instant(text) if text else None


def _uuids(facts: Facts, named: str | Document) -> list[str]:
    """The fact that a file names, by its uuid or by what it says."""
    if isinstance(named, str):
        return [named]
    found = [fact.uuid for fact in facts.all if _says(fact, named)]
    if not found:
        raise SystemExit(f"no fact is {named}")
    return found


def _says(fact: Fact, named: Document) -> bool:
    if (fact.source, fact.relation, fact.target) != (named["source"], named["relation"], named["target"]):
        return False
    start = named.get("valid_at")
    return start is None or fact.valid_at == clock.parse_instant(start)
