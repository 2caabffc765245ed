"""Records of a turn, written short: one fact a line, "source | relation | target | start | end | text"."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.answer_records import Evidence, Sentence
from services.core.models import Chunk, Fact, Instants
from services.language.answer_sentences import split
from services.verification.check import check

NOW = datetime.fromisoformat("2026-11-22T12:00:00+00:00")
AT = Instants(NOW, NOW)


def facts(lines: str, at: Instants = AT) -> list[Evidence]:
    return [_fact(n, line, at) for n, line in enumerate(lines.strip().splitlines(), 1)]


def _fact(n: int, line: str, at: Instants) -> Evidence:
    source, relation, target, start, end, text = [*(part.strip() for part in line.split("|")), "", "", ""][:6]
    valid_at, invalid_at = (clock.parse_instant(part) if part else None for part in (start, end))
    fact = Fact(f"f{n}", source, target, source, relation, target, text, valid_at, invalid_at)
    return Evidence(n, "fact", fact.uuid, (at,), text, fact=fact)


def chunks(*texts: str) -> list[Evidence]:
    return [
        Evidence(n, "chunk", f"c{n}", (AT,), text, chunk=Chunk(f"c{n}", "d", "", 0, text, 1, 1))
        for n, text in enumerate(texts, 1)
    ]


def result(n: int, total: int, rows: Sequence[Mapping[str, Any]] = (), at: Instants = AT) -> Evidence:
    return Evidence(n, "result", f"r{n}", (at,), f"{total} facts", rows=tuple(rows), total=total)


def marked(
    text: str, evidence: Sequence[Evidence], at: Instants = AT, as_of_2: datetime | None = None
) -> list[Sentence]:
    return list(check(split(text), evidence, at, as_of_2=as_of_2))


def mark(text: str, evidence: Sequence[Evidence], at: Instants = AT) -> str | None:
    (sentence,) = marked(text, evidence, at)
    return sentence.mark
