"""Are the answers of `cli.py facts` right? On the PEP questions, and on generated files asked at both clocks.

    cli.py bench facts --data FOLDER [--graph-url URL] [--shuffle] [--questions N]

FOLDER holds pep_asof_questions.json. The generated files state facts again, change and correct them, and bring record
times of their own; an oracle that shares no code with Asof answers the same questions. URL is a database to try this
on: the workspaces `peps` and `bench-facts` of it are used and emptied. The exit status is 1 unless all is right.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORKSPACE = "bench-facts"
FOREVER = datetime.max.replace(tzinfo=UTC)
START = datetime(2010, 1, 1, tzinfo=UTC)
COLUMNS = (
    "source",
    "relation",
    "target",
    "valid_at",
    "invalid_at",
    "created_at",
    "expired_at",
    "withdrawn_at",
    "believed_invalid_at",
    "grade",
)

Cli = Callable[..., str]


def main() -> int:
    arguments = options().parse_args()
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as home:
        cli = command_line(Path(home), arguments.graph_url)
        try:
            wrong = sum(
                [
                    *([peps(cli, arguments.data)] if arguments.data else []),
                    generated(cli, Path(home), arguments),
                ]
            )
        finally:
            empty(Path(home), arguments.graph_url)
    return 1 if wrong else 0


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cli.py bench facts", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with pep_asof_questions.json")
    parser.add_argument("--graph-url", default="embedded")
    parser.add_argument("--questions", type=int, default=6_000)
    parser.add_argument("--files", type=int, default=5, help="how many files the generated rows come in")
    parser.add_argument("--shuffle", action="store_true", help="deal the rows to the files at random, not in order")
    parser.add_argument("--seed", type=int, default=7)
    return parser


def environment(home: Path, graph_url: str) -> dict[str, str]:
    return {**os.environ, "ASOF_HOME": str(home), "ASOF_GRAPH_URL": graph_url}


def command_line(home: Path, graph_url: str) -> Cli:
    def cli(*words: str, stdin: str = "") -> str:
        command = [sys.executable, str(ROOT / "cli.py"), *words]
        done = subprocess.run(
            command, env=environment(home, graph_url), input=stdin, text=True, capture_output=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    return cli


def empty(home: Path, graph_url: str) -> None:
    from services.bootstrap import build_services
    from services.core.config import Settings

    services = build_services(Settings(home=home, graph_url=graph_url))
    for workspace in ("peps", WORKSPACE):
        services.bridge.run(services.graph.clear(workspace))
    services.close()


def ask(cli: Cli, workspace: str, questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    lines = "\n".join(json.dumps({"id": i, **question}) for i, question in enumerate(questions))
    began = time.perf_counter()
    answers = [
        json.loads(line) for line in cli("facts", "--workspace", workspace, "--batch", "-", stdin=lines).splitlines()
    ]
    assert [answer["id"] for answer in answers] == list(range(len(questions)))
    print(f"  {len(questions):,} questions in {time.perf_counter() - began:.1f} s, the start of the command included")
    return answers


def report(right: Counter[str], asked: Counter[str]) -> int:
    for name in asked:
        print(f"  {name:<32} {right[name]:>6,} of {asked[name]:>6,}  {right[name] / asked[name]:8.2%}")
    total, good = sum(asked.values()), sum(right.values())
    print(f"  {'all':<32} {good:>6,} of {total:>6,}  {good / total:8.2%}")
    return total - good


# -- the PEP questions


def peps(cli: Cli, folder: Path) -> int:
    print("PEP questions")
    cli("demo", "--reset")
    questions = json.loads((folder / "pep_asof_questions.json").read_text())
    answers = ask(
        cli, "peps", [{"entity": f"PEP {q['pep']}", "relation": "HAS_STATUS", "as_of": q["as_of"]} for q in questions]
    )
    right, asked = Counter[str](), Counter[str]()
    for question, answer in zip(questions, answers, strict=True):
        expected = [question["answer"]] if question["answer"] else []
        asked[question["class"]] += 1
        right[question["class"]] += [fact["target"] for fact in answer["facts"]] == expected
    return report(right, asked)


# -- generated files


@dataclass(frozen=True)
class Statement:
    """One row: a statement on a fact. None is an empty cell."""

    source: str
    target: str
    valid_at: datetime
    created_at: datetime
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    withdrawn_at: datetime | None = None
    believed_invalid_at: datetime | None = None
    grade: str | None = None

    @property
    def key(self) -> tuple[str, str, datetime]:
        """What makes it the same fact; the relation is always one."""
        return self.source, self.target, self.valid_at


def generated(cli: Cli, home: Path, arguments: argparse.Namespace) -> int:
    chance = random.Random(arguments.seed)
    rows = [row for number in range(400) for row in history(chance, number)]
    print(f"Generated: {len(rows):,} rows in {arguments.files} files{', shuffled' if arguments.shuffle else ''}")
    for path in write_files(home, rows, arguments.files, chance if arguments.shuffle else None):
        cli("import", str(path), "--workspace", WORKSPACE)
    records = oracle(rows)
    asked = [question(chance, rows, records) for _ in range(arguments.questions)]
    answers = ask(
        cli,
        WORKSPACE,
        [
            {"entity": entity, "relation": "WORKS_AT", "as_of": t.isoformat(), "known_at": k.isoformat()}
            for _, entity, t, k in asked
        ],
    )
    right, counted = Counter[str](), Counter[str]()
    for (kind, entity, t, k), answer in zip(asked, answers, strict=True):
        counted[kind] += 1
        right[kind] += given(answer) == expected(records, entity, t, k)
    return report(right, counted)


def day(chance: random.Random, first: int, last: int) -> datetime:
    return START + timedelta(days=chance.randint(first, last), seconds=chance.randint(0, 86_399))


def history(chance: random.Random, number: int) -> Iterator[Statement]:
    """The rows on one fact: stated, said again, changed and corrected, or stamped with record times of their own."""
    first = Statement(
        f"Person {number % 90}",
        f"Company {chance.randint(0, 40)} of {number}",
        day(chance, 0, 900),
        day(chance, 0, 1_000),
        grade=chance.choice(["a", "b", None]),
    )
    yield (stamped(chance, first) if number % 3 == 0 else replace(first, invalid_at=an_end(chance, first)))
    if number % 3 == 0:
        return
    instants = {first.created_at}
    for _ in range(chance.randint(0, 5)):
        at = day(chance, 1_001, 2_500)
        if at not in instants:
            instants.add(at)
            yield replace(first, created_at=at, invalid_at=an_end(chance, first), grade=chance.choice(["a", "b", None]))


def an_end(chance: random.Random, statement: Statement) -> datetime | None:
    return chance.choice([None, statement.valid_at + timedelta(days=400), statement.valid_at + timedelta(days=800)])


def stamped(chance: random.Random, statement: Statement) -> Statement:
    end = an_end(chance, statement)
    expired = day(chance, 1_001, 2_000) if chance.random() < 0.7 else None
    withdrawn = day(chance, 1_001, 2_500) if chance.random() < 0.5 or expired is None else None
    believed = statement.valid_at + timedelta(days=1_000) if expired and chance.random() < 0.3 else None
    return replace(statement, invalid_at=end, expired_at=expired, withdrawn_at=withdrawn, believed_invalid_at=believed)


def write_files(home: Path, rows: Sequence[Statement], count: int, chance: random.Random | None) -> list[Path]:
    """The rows as files, by `created_at`; with `chance` each row in a file of its own choice."""
    order = sorted(rows, key=lambda row: row.created_at)
    if chance:
        order = chance.sample(order, len(order))
    size = -(-len(order) // count)
    paths = [home / f"facts-{number}.csv" for number in range(count)]
    for number, path in enumerate(paths):
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(map(cells, order[number * size : (number + 1) * size]))
    return paths


def cells(statement: Statement) -> list[str]:
    values = {**vars(statement), "relation": "WORKS_AT"}
    return [v.isoformat() if isinstance(v := values[name], datetime) else v or "" for name in COLUMNS]


# -- the oracle: the rules of import and time, written down once more


def oracle(rows: Sequence[Statement]) -> dict[str, list[Statement]]:
    """The records by entity, from all rows in the order of `created_at`."""
    keys: dict[tuple[str, str, datetime], list[Statement]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: r.created_at):
        records = keys[row.key]
        current = next((i for i, r in enumerate(records) if r.withdrawn_at is None), None)
        if row.expired_at or row.withdrawn_at or current is None:
            records.append(row)
            continue
        old = records[current]
        end_differs = row.invalid_at is not None and row.invalid_at != old.invalid_at
        grade_differs = row.grade is not None and row.grade != old.grade
        if not end_differs and not grade_differs:
            continue
        if old.invalid_at is None and end_differs and not grade_differs:
            records[current] = replace(old, invalid_at=row.invalid_at, expired_at=row.created_at)
            continue
        records[current] = replace(old, withdrawn_at=row.created_at)
        records.append(replace(row, invalid_at=row.invalid_at or old.invalid_at, grade=row.grade or old.grade))
    by_entity: dict[str, list[Statement]] = defaultdict(list)
    for records in keys.values():
        for record in records:
            by_entity[record.source].append(record)
            by_entity[record.target].append(record)
    return by_entity


def end_known(record: Statement, k: datetime) -> datetime | None:
    if record.expired_at is None:
        return record.invalid_at
    if record.expired_at <= k:
        return record.invalid_at or record.expired_at
    return record.believed_invalid_at


def expected(
    records: Mapping[str, Sequence[Statement]], entity: str, t: datetime, k: datetime
) -> list[tuple[Any, ...]]:
    found = []
    for record in records.get(entity, ()):
        recorded = record.created_at <= k and (record.withdrawn_at or FOREVER) > k
        end = end_known(record, k)
        if recorded and record.valid_at <= t and (end is None or end > t):
            found.append((record.source, record.target, record.valid_at, end or FOREVER, record.grade or ""))
    return sorted(found)


def given(answer: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(
        (
            fact["source"],
            fact["target"],
            datetime.fromisoformat(fact["valid_at"]),
            datetime.fromisoformat(fact["invalid_at"]) if fact["invalid_at"] else FOREVER,
            fact["attributes"].get("grade", ""),
        )
        for fact in answer["facts"]
    )


def question(
    chance: random.Random, rows: Sequence[Statement], records: Mapping[str, Sequence[Statement]]
) -> tuple[str, str, datetime, datetime]:
    """A class, an entity and two instants; half of them on the very second at which something begins or ends."""
    row = chance.choice(rows)
    entity = chance.choice([row.source, row.target])
    t, k = day(chance, -10, 2_600), day(chance, -10, 2_600)
    if chance.random() < 0.5:
        return "anywhere", entity, t, k
    record = chance.choice(records[entity])
    worlds = [i for i in (record.valid_at, record.invalid_at, record.believed_invalid_at) if i]
    graphs = [i for i in (record.created_at, record.expired_at, record.withdrawn_at) if i]
    before = chance.choice([timedelta(0), timedelta(seconds=1)])
    kind = "one second before" if before else "at the very second"
    return kind, entity, chance.choice(worlds) - before, chance.choice([*graphs, k]) - before


if __name__ == "__main__":
    sys.exit(main())
