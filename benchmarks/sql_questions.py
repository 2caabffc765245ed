"""How many questions about tables get the right SQL without a model? `cli.py bench sql-questions --data FOLDER`.

FOLDER holds a folder of CSV files for each database, and `questions.jsonl` with `id`, `database`, `question`, `shape`
and the gold `sql`. An answer is right where its rows are those of the gold SQL, in any order, perhaps with columns
more; where the tables cannot answer, the gold is null, and right is to write none. With `--show` each question is
printed with its SQL. The database `peps` is the demo's graph.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from services.bootstrap import build_services
from services.core.config import EMBEDDED, Settings
from services.core.errors import AsofError
from services.jobs.demo import WORKSPACE, load_demo
from services.sql.ask_sql import SqlQuestion, ask_sql
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace, Services

Value = str | float | bool | None
Row = list[Value]
OUTCOMES = ("right", "wrong", "none")
MIDNIGHT = re.compile(r"(\d{4}-\d\d(?:-\d\d)?)[T ]?00:00:00.*")
MONTH, FIRST_OF_MONTH = re.compile(r"\d{4}-\d\d"), re.compile(r"\d{4}-\d\d-01")
QUARTER, FIRST_OF_QUARTER = re.compile(r"\d{4}-Q[1-4]"), re.compile(r"(\d{4})-(01|04|07|10)-01")


def main() -> None:
    options = argparse.ArgumentParser(prog="bench sql-questions", description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, required=True, help="the folder of databases and questions")
    options.add_argument("--database", nargs="+", help="these databases alone")
    options.add_argument("--part", help="the questions of this part alone: `read` or `kept`")
    options.add_argument("--show", action="store_true", help="print each question with its SQL")
    chosen = options.parse_args()
    lines = (chosen.data / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = sorted(map(json.loads, lines), key=lambda one: str(one["database"]))
    asked = [one for one in questions if not chosen.database or one["database"] in chosen.database]
    asked = [one for one in asked if not chosen.part or one.get("part") == chosen.part]
    results = list(answered(chosen.data, asked))
    if chosen.show:
        for one, outcome, sql in results:
            print(f"{one['id']} {outcome} | {one['question']} | {' '.join((sql or '').split())}")
    print("| questions | right | wrong | none |\n|---|---:|---:|---:|")
    for shape in sorted({one["shape"] for one in asked}):
        print(line(shape, [outcome for one, outcome, _ in results if one["shape"] == shape]))
    print(line("all", [outcome for _, outcome, _ in results]))


def line(name: str, outcomes: Sequence[str]) -> str:
    counted = Counter(outcomes)
    return f"| {name} ({len(outcomes)}) | {' | '.join(str(counted[one]) for one in OUTCOMES)} |"


def answered(data: Path, asked: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], str, str | None]]:
    """Yield each question with its outcome and the SQL that was written."""
    with tempfile.TemporaryDirectory() as home:
        services = build_services(Settings(home=Path(home), graph_url=EMBEDDED, _env_file=None))
        try:
            for name, questions in groupby(asked, key=lambda one: one["database"]):
                if name == WORKSPACE:
                    yield from answered_by_demo(services, questions)
                    continue
                files = sorted((data / name).glob("*.csv"))
                workspace = services.workspace(f"q_{name}")
                warehouse(workspace).add_files(name, workspace.name, [(file.name, file.read_bytes()) for file in files])
                with duckdb.connect() as gold:
                    for file in files:
                        gold.execute(f"""CREATE TABLE "{file.stem}" AS SELECT * FROM read_csv('{file}')""")
                    for one in questions:
                        sql = services.write_sql(workspace, one["question"], None).sql if services.write_sql else None
                        expected = gold.execute(one["sql"]).fetchall() if one["sql"] else None
                        yield one, outcome_of(workspace, sql, expected), sql
        finally:
            services.close()


def answered_by_demo(
    services: "Services", asked: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], str, str | None]]:
    """Yield each question about the demo's graph with its outcome and the SQL that was written."""
    load_demo(services)
    workspace = services.workspace(WORKSPACE)
    for one in asked:
        sql = services.write_sql(workspace, one["question"], None).sql if services.write_sql else None
        expected = ask_sql(workspace, SqlQuestion(one["sql"], None)).result.rows if one["sql"] else None
        yield one, outcome_of(workspace, sql, expected), sql


def outcome_of(workspace: "OpenWorkspace", sql: str | None, expected: Sequence[Sequence[object]] | None) -> str:
    """Return the outcome of a question whose gold SQL gives `expected`; None where no table answers it."""
    if expected is None:
        return "right" if sql is None else "wrong"
    if sql is None:
        return "none"
    try:
        rows = ask_sql(workspace, SqlQuestion(sql, None)).result.rows
    except AsofError:
        return "wrong"
    return "right" if is_same(rows, expected) else "wrong"


def is_same(rows: Sequence[Sequence[object]], expected: Sequence[Sequence[object]]) -> bool:
    """True where rows say what is expected, in any order, perhaps with columns more."""
    theirs, ours = [list(map(plain, row)) for row in expected], [list(map(plain, row)) for row in rows]
    for label, shortened in ((MONTH, month), (QUARTER, quarter)):
        if theirs and isinstance(theirs[0][0], str) and label.fullmatch(theirs[0][0]):
            ours = [list(map(shortened, row)) for row in ours]
    if len(ours) != len(theirs):
        return False
    columns, wanted = list(zip(*ours, strict=True)), Counter(map(tuple, theirs))
    like = [
        [place for place, column in enumerate(columns) if Counter(column) == Counter(one)]
        for one in zip(*theirs, strict=True)
    ]
    return any(
        len(set(places)) == len(places) and Counter(tuple(row[place] for place in places) for row in ours) == wanted
        for places in product(*like)
    )


def month(value: Value) -> Value:
    return value[:7] if isinstance(value, str) and FIRST_OF_MONTH.fullmatch(value) else value


def quarter(value: Value) -> Value:
    found = FIRST_OF_QUARTER.fullmatch(value) if isinstance(value, str) else None
    return f"{found[1]}-Q{(int(found[2]) + 2) // 3}" if found else value


def plain(value: object) -> Value:
    if isinstance(value, date | datetime):
        return f"{value:%Y-%m-%d}"
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and (at_midnight := MIDNIGHT.fullmatch(value)):
        return at_midnight[1]
    try:
        return round(float(str(value)), 4)
    except ValueError:
        return str(value)


if __name__ == "__main__":
    main()
