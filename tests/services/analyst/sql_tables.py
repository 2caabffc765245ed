"""Tables of several domains, made up, with questions about them and the SQL that answers each."""

import csv
from collections.abc import Sequence
from pathlib import Path

import duckdb

from services.sql.catalog import DatabaseColumn, DatabaseTable
from services.sql.query_tables import QueryTable, sql_name
from tests.services.analyst.made_tables import MadeTable, R, tables_of_people
from tests.services.analyst.made_tables_of_things import tables_of_things

QUESTIONS = Path(__file__).parent / "data" / "sql_questions.tsv"


def databases() -> dict[str, list[MadeTable]]:
    """Return the tables of each domain, the same each time."""
    R.seed(5)
    return tables_of_people() | tables_of_things()


def questions() -> list[tuple[str, str, str]]:
    """Return questions with their domain and SQL; "NONE" where no SQL is to be written."""
    return [tuple(line.split("\t")) for line in QUESTIONS.read_text().splitlines()]  # type: ignore[misc]


def open_tables(tables: Sequence[MadeTable], folder: Path) -> tuple[duckdb.DuckDBPyConnection, list[QueryTable]]:
    """Load tables into a database of DuckDB, and return it with what is known of them."""
    connection, known = duckdb.connect(), []
    for name, columns, rows in tables:
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
        connection.execute(f"CREATE TABLE {name} AS FROM read_csv('{folder / name}.csv')")
        described = connection.execute(f"DESCRIBE {name}").fetchall()
        found = tuple(
            DatabaseColumn(name=column, type=kind, samples=samples(connection, name, column))
            for column, kind, *_ in described
        )
        known.append(
            QueryTable(sql_name(name), "db", "duckdb", DatabaseTable(name=name, columns=found, rows=len(rows)))
        )
    return connection, known


def samples(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    """Return the most frequent values of a column."""
    sql = f'SELECT "{column}" FROM {table} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 5'
    return tuple(str(value) for (value,) in connection.execute(sql).fetchall())
