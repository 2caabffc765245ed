"""Does the guard of SQL let pass what only reads, and how long do queries and copies of the graph take?

    cli.py bench sql [--data FOLDER [--postgres URL]] [--facts N]

FOLDER holds defog-data: a `.sql` file for each database and `questions/*.csv`. Each statement runs on SQLite, on DuckDB
and on the server at URL, as it stands and as the guard gives it back. The exit status is 1 where the guard refuses one,
or changes its rows or its error. With N a mirror of so many facts is copied and asked at both clocks.
"""

import argparse
import csv
import hashlib
import re
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from itertools import batched, count
from pathlib import Path
from statistics import median

import duckdb
import psycopg

from services.core.errors import QueryRejected
from services.core.models import Entity, Fact
from services.mirror.mirror import Mirror
from services.mirror.sql_snapshot import SNAPSHOT_FUNCTIONS, SNAPSHOT_MACROS, SNAPSHOT_TABLES
from services.sql.dialects import DUCKDB, POSTGRES, SQLITE, SqlDialect
from services.sql.guard import Readable, check
from services.sql.run_query import FileQuery, run_query

TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(?:\w+\.)?\"?(\w+)", re.IGNORECASE)
POSTGRES_ALONE = re.compile(
    r"^\s*--.*$|\bCREATE SCHEMA.*|\bNOT NULL\b|\bREFERENCES [\w.]+\s*\(\w+\)|\b(?:public|consumer_div)\.", re.MULTILINE
)
START = datetime(2015, 1, 1, tzinfo=UTC)
ASKED = (
    "SELECT count(*) FROM facts_as_of(:as_of)",
    "SELECT target, count(*) FROM facts_as_of(:as_of, :known_at) GROUP BY target ORDER BY 2 DESC LIMIT 10",
)
JOINED = """SELECT count(*), count(target)
    FROM (SELECT targets_as_of(name, 'WORKS_AT', instant_of(day)) AS target FROM shop.rows)"""
RUNS, FAILS, WRONG = "give their rows", "give the database's error", "are refused or changed by the guard"
TO_CHAR = """CREATE MACRO to_char(moment, spelled) AS strftime(moment, CASE spelled
    WHEN 'YYYYMMDD HH24:MI:SS' THEN '%Y%m%d %H:%M:%S' WHEN 'Month' THEN '%B' ELSE '%Y' END)"""
"""PostgreSQL's function as far as the scripts use it."""
PEOPLE = [Entity(f"Person {number}", f"Person {number}") for number in range(50_000)]
COPIES, ASKED_ALONE = 3, 20
DAYS = count(1)
Rows = Callable[[str], list[tuple[object, ...]]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="cli.py bench sql", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of defog-data")
    parser.add_argument("--facts", type=int, default=0, metavar="N", help="so many facts to be copied and asked")
    parser.add_argument("--postgres", default="", metavar="URL", help="a server on which databases are made for this")
    options = parser.parse_args()
    if options.facts:
        speed(options.facts)
    return 1 if options.data and guarded(options.data, options.postgres) else 0


def guarded(data: Path, server: str) -> int:
    """Return how many statements the guard is wrong about."""
    wrong = 0
    databases = [(SQLITE, on_sqlite), (DUCKDB, on_duckdb)]
    if server:
        databases.append((POSTGRES, partial(on_postgres, server)))
    for dialect, opened in databases:
        counts: Counter[str] = Counter()
        for database, statement in statements(data):
            script = (data / f"{database}.sql").read_text(encoding="utf-8")
            found = compared(opened(script), statement, dialect, readable(script))
            counts[found] += 1
            if found == WRONG:
                print(f"{dialect.name}, {database}: {statement}")
        print(f"{dialect.name}: {counts.total()} statements, " + ", ".join(f"{n} {what}" for what, n in counts.items()))
        wrong += counts[WRONG]
    return wrong


def speed(number: int) -> None:
    """Copy a mirror of so many facts while pages ask it, beside what its tables alone take, and ask the copy."""
    with tempfile.TemporaryDirectory(prefix="asof-bench-") as folder:
        mirror = Mirror(Path(folder) / "mirror.duckdb")
        mirror.replace_all([PEOPLE], batched(facts(number), 10_000), [])
        mirror.close()
        mirror = Mirror(Path(folder) / "mirror.duckdb")
        copies = [copied_both_ways(mirror, Path(folder)) for _ in range(COPIES)]
        plain, copied = (median(times) for times in zip(*copies, strict=True))
        ratio = median(copied / plain for plain, copied in copies)
        print(f"{number:,} facts: copied in {copied:.2f} s, by CREATE TABLE AS in {plain:.2f} s ({ratio:.2f} times)")
        ask_meanwhile(mirror, Path(folder))
        mirror.close()
        ask_copy(Path(folder) / "graph.snapshot")
        join_table(Path(folder))


def copied_both_ways(mirror: Mirror, folder: Path) -> tuple[float, float]:
    """Return how long the rows of a mirror take by `CREATE TABLE AS` in its own process, and as a copy for SQL."""
    for left in folder.glob("*.snapshot"):
        left.unlink()
    return timed(lambda: copied_plainly(mirror, folder)), timed(
        lambda: mirror.write_snapshot(folder / "graph.snapshot")
    )


def copied_plainly(mirror: Mirror, folder: Path) -> None:
    with mirror._database.cursor() as cursor:
        cursor.execute(f"ATTACH '{folder}/plain.snapshot' AS plain")
        for table in (*(table.name for table in SNAPSHOT_TABLES), "merged"):
            cursor.execute(f"CREATE TABLE plain.{table} AS FROM {table}")
        cursor.execute("DETACH plain")


def ask_meanwhile(mirror: Mirror, folder: Path) -> None:
    """Print how long a page's question and its note of the time take alone, and while a copy is made."""
    for what, copying in (("alone", False), ("while a copy is made", True)):
        maker = threading.Thread(target=mirror.write_snapshot, args=(folder / "second.snapshot",))
        times = list[float]()
        if copying:
            maker.start()
        while maker.is_alive() or (not copying and len(times) < ASKED_ALONE):
            times.append(timed(partial(page, mirror)))
        print(f"a page's question {what}: {median(times) * 1000:.0f} ms, {max(times) * 1000:.0f} ms at most")


def page(mirror: Mirror) -> None:
    """Ask what a page shows of an instant, and note that the mirror is in step, as each page does."""
    mirror.mark_synced(datetime.now(UTC) + timedelta(days=next(DAYS)))
    mirror.counts(datetime.now(UTC))


def ask_copy(snapshot: Path) -> None:
    for sql in ASKED:
        statement = check(sql, DUCKDB, Readable.of(["facts"], SNAPSHOT_MACROS))
        values = {"as_of": START.isoformat(), "known_at": datetime.now(UTC).isoformat()}
        query = FileQuery(statement, {"graph": snapshot}, ["graph"], values, datetime.now(UTC))
        asked = partial(run_query, query)
        asked()
        took = median(timed(asked) for _ in range(15))
        print(f"{took * 1000:.0f} ms (median of 15): {sql}")


def join_table(folder: Path) -> None:
    """Print how long a table of 100,000 rows takes to be joined with the copy on each row's own date."""
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        days = "DATE '2012-01-01' + (range % 3000)::INT"
        connection.execute(
            f"CREATE TABLE rows AS SELECT 'person ' || range % 60000 AS name, {days} AS day FROM range(100000)"
        )
    readable = Readable.of([("shop", "rows")], SNAPSHOT_MACROS, SNAPSHOT_FUNCTIONS)
    statement = check(JOINED, DUCKDB, readable)
    files = {"graph": folder / "graph.snapshot", "shop": folder / "shop.duckdb"}
    asked = partial(run_query, FileQuery(statement, files, ["graph"], {}, datetime.now(UTC)))
    asked()
    took = median(timed(asked) for _ in range(5))
    print(f"{took:.2f} s (median of 5): 100,000 rows joined with the facts of one relation on their own dates")


def facts(most: int) -> Iterator[Fact]:
    for number in range(most):
        start = START + timedelta(days=number % 4000 - 2000)
        end = start + timedelta(days=100 + number % 900) if number % 3 else None
        source, target = f"Person {number % 50_000}", f"Company {number % 997}"
        yield Fact(
            f"f{number}", source, target, source, "WORKS_AT", target, "", start, end, start, end, episodes=("p",)
        )


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def statements(data: Path) -> Iterator[tuple[str, str]]:
    """Yield each statement with its database; a question may be answered by several."""
    for file in sorted((data / "questions").glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                yield from ((row["db_name"], one) for one in row["query"].split(";") if one.strip())


def names(script: str) -> list[str]:
    return TABLE.findall(script)


@cache
def readable(script: str) -> Readable:
    """Return the tables of a script with their columns."""
    described = {(name.lower(),): in_duckdb(script).execute(f'DESCRIBE "{name}"').fetchall() for name in names(script)}
    columns: dict[tuple[str, ...], frozenset[str]] = {
        path: frozenset(name.lower() for name, *_ in found) for path, found in described.items()
    }
    return replace(Readable.of(names(script)), columns=columns)


def compared(rows: Rows, statement: str, dialect: SqlDialect, readable: Readable) -> str:
    """Return whether a statement gives the same rows, or the same error of the database, through the guard."""
    expected, runs = outcome(rows, statement)
    try:
        given = check(statement, dialect, readable).sql
    except QueryRejected as refusal:
        print(f"{refusal} {'' if runs else expected}", file=sys.stderr)
        return WRONG
    is_same = given == statement or outcome(rows, given)[0] == expected
    return (RUNS if runs else FAILS) if is_same else WRONG


def outcome(rows: Rows, statement: str) -> tuple[object, bool]:
    """Return the rows of a statement or the first line of its error, and whether it runs."""
    try:
        return rows(statement), True
    except (sqlite3.Error, duckdb.Error, psycopg.Error) as error:
        return str(error).partition("\n")[0], False


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
    connection = in_sqlite(script)
    return lambda sql: connection.execute(sql).fetchall()


def on_duckdb(script: str) -> Rows:
    connection = in_duckdb(script)
    return lambda sql: connection.execute(sql).fetchall()


def on_postgres(server: str, script: str) -> Rows:
    connection = in_postgres(server, script)
    return lambda sql: connection.execute(sql.encode()).fetchall()


@cache
def in_postgres(server: str, script: str) -> psycopg.Connection[tuple[object, ...]]:
    """Return a database of a server with the script's tables, made for this."""
    name = f"bench_{hashlib.sha256(script.encode()).hexdigest()[:16]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}"'.encode())
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    made = psycopg.connect(server, dbname=name, autocommit=True)
    made.execute(script.encode())
    made.execute(b"SET search_path = public, consumer_div")
    return made


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
