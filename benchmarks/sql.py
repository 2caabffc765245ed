"""Does the guard of SQL let pass what only reads? Questions of defog-data, with the SQL that answers them.

    cli.py bench sql --data FOLDER

FOLDER holds a `.sql` file for each database and `questions/*.csv`. Each statement runs on SQLite and on DuckDB, as it
stands and as the guard gives it back. The exit status is 1 where the guard refuses one that runs, or changes its rows.
"""

import argparse
import csv
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import duckdb

from services.core.errors import QueryRejected
from services.sql.dialects import DUCKDB, SQLITE, SqlDialect
from services.sql.guard import Readable, check

TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(?:\w+\.)?\"?(\w+)", re.IGNORECASE)
POSTGRES_ALONE = re.compile(
    r"^\s*--.*$|\bCREATE SCHEMA.*|\bNOT NULL\b|\bREFERENCES [\w.]+\s*\(\w+\)|\b(?:public|consumer_div)\.", re.MULTILINE
)
RUNS, FAILS, WRONG = "run as they stand", "fail as they stand", "are refused or changed by the guard"
TO_CHAR = """CREATE MACRO to_char(moment, spelled) AS strftime(moment, CASE spelled
    WHEN 'YYYYMMDD HH24:MI:SS' THEN '%Y%m%d %H:%M:%S' WHEN 'Month' THEN '%B' ELSE '%Y' END)"""
"""PostgreSQL's function as far as the scripts use it."""
Rows = Callable[[str], list[tuple[object, ...]]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="cli.py bench sql", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of defog-data")
    data = parser.parse_args().data
    wrong = 0
    for dialect, opened in (SQLITE, on_sqlite), (DUCKDB, on_duckdb):
        counts: Counter[str] = Counter()
        for database, statement in statements(data):
            script = (data / f"{database}.sql").read_text(encoding="utf-8")
            outcome = compared(opened(script), statement, dialect, Readable.of(names(script)))
            counts[outcome] += 1
            if outcome == WRONG:
                print(f"{dialect.name}, {database}: {statement}")
        print(f"{dialect.name}: {counts.total()} statements, " + ", ".join(f"{n} {what}" for what, n in counts.items()))
        wrong += counts[WRONG]
    return 1 if wrong else 0


def statements(data: Path) -> Iterator[tuple[str, str]]:
    """Yield each statement with its database; a question may be answered by several."""
    for file in sorted((data / "questions").glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                yield from ((row["db_name"], one) for one in row["query"].split(";") if one.strip())


def names(script: str) -> list[str]:
    return TABLE.findall(script)


def compared(rows: Rows, statement: str, dialect: SqlDialect, readable: Readable) -> str:
    try:
        expected = rows(statement)
    except (sqlite3.Error, duckdb.Error):
        return FAILS
    try:
        given = check(statement, dialect, readable).sql
        return RUNS if given == statement or rows(given) == expected else WRONG
    except QueryRejected as refusal:
        print(refusal, file=sys.stderr)
        return WRONG


@cache
def in_duckdb(script: str) -> duckdb.DuckDBPyConnection:
    connection, parts = duckdb.connect(), list[str]()
    connection.execute(TO_CHAR)
    for number, part in enumerate(re.split(r"\b(?:BIG)?SERIAL\b", plain(script), flags=re.IGNORECASE)):
        connection.execute(f"CREATE SEQUENCE counted_{number}")
        parts.append(f"INTEGER DEFAULT nextval('counted_{number}')" * bool(number) + part)
    connection.execute("".join(parts))
    return connection


@cache
def in_sqlite(script: str) -> sqlite3.Connection:
    """Return the tables in SQLite, by way of DuckDB, which works out the dates that the scripts count from today."""
    connection = sqlite3.connect(":memory:")
    for table in TABLE.findall(script):
        columns = in_duckdb(script).execute(f'DESCRIBE "{table}"').fetchall()
        defined = ", ".join(f'"{name}" {kind}' for name, kind, *_ in columns)
        connection.execute(f'CREATE TABLE "{table}" ({defined})')
        rows = in_duckdb(script).execute(f'FROM "{table}"').fetchall()
        marks = ", ".join("?" * len(columns))
        spelled = [[value if isinstance(value, int | float | None) else str(value) for value in row] for row in rows]
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', spelled)
    return connection


def on_sqlite(script: str) -> Rows:
    return lambda sql: in_sqlite(script).execute(sql).fetchall()


def on_duckdb(script: str) -> Rows:
    return lambda sql: in_duckdb(script).execute(sql).fetchall()


def plain(script: str) -> str:
    """Return a script of PostgreSQL without what other databases do not know of its columns."""
    without = re.sub(
        r"(?m)^\s*--.*$|\bCREATE SCHEMA.*|\bNOT NULL\b|\bREFERENCES [\w.]+\s*\(\w+\)|\b(?:public|consumer_div)\.",
        "",
        script,
    )
    without = re.sub(
        r"\bDEFAULT\s+(?:'[^']*'|[\w.]+(?:\(\))?)(?:::[\w ]+(?:\(\d+\))?)?", "", POSTGRES_ALONE.sub("", script)
    )
    return re.sub(r"('[^']*')::[a-z]\w*(?: without time zone)?", r"\1", without)


if __name__ == "__main__":
    sys.exit(main())
