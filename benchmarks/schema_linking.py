"""How well questions find the columns that their SQL needs: `cli.py bench schema-linking --data FOLDER [--set NAME …]`.

FOLDER holds `spider` and `defog-data`. all@k is the share of questions with every column of their gold SQL among the
first k of their database; a question whose SQL names no column counts as found. The databases of a set are halved by
name, every second one, since constants must not be fitted to a set. `merged` asks the questions of six databases of
defog-data of one database that has all their tables. The rows without a part are ablations.
"""

import argparse
import csv
import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

from benchmarks.sql import in_duckdb
from services.retrieval.embedder import LocalEmbedder
from services.sql.catalog import DatabaseColumn, DatabaseTable, SqlDatabase
from services.sql.schema_index import TUNED_SCHEMA, SchemaIndex, SchemaQuestion, SchemaRecipe
from services.sql.spider_schema import read_schemas

Columns = frozenset[str]
"""Columns as `table.column`, in lower case."""

RECIPES: dict[str, SchemaRecipe] = {
    "the whole": TUNED_SCHEMA,
    "BM25": SchemaRecipe(words=1, vectors=0, nearest_word=0, table=0, is_name=0, join=0),
    "embeddings": SchemaRecipe(words=0, vectors=1, nearest_word=0, table=0, is_name=0, join=0),
    "BM25 and embeddings": replace(TUNED_SCHEMA, nearest_word=0, table=0, is_name=0, join=0),
    "without words": replace(TUNED_SCHEMA, words=0),
    "without embeddings": replace(TUNED_SCHEMA, vectors=0),
    "without the nearest word": replace(TUNED_SCHEMA, nearest_word=0),
    "without tables": replace(TUNED_SCHEMA, table=0),
    "without names": replace(TUNED_SCHEMA, is_name=0),
    "without foreign keys": replace(TUNED_SCHEMA, join=0),
}
MERGED = ("advising", "atis", "broker", "car_dealership", "derm_treatment", "ewallet")


@dataclass(frozen=True)
class LinkedQuestion:
    """A question of a database, with the columns that its SQL needs."""

    database: str
    text: str
    gold: Columns


@dataclass(frozen=True)
class LinkingSet:
    """Databases, and questions about them."""

    databases: Sequence[SqlDatabase]
    questions: Sequence[LinkedQuestion]


def main() -> None:
    options = argparse.ArgumentParser(prog="bench schema-linking", description="how well questions find their columns")
    options.add_argument("--data", type=Path, required=True, help="the folder of the public sets")
    options.add_argument("--set", nargs="+", choices=SETS, default=list(SETS))
    chosen = options.parse_args()
    embedder = LocalEmbedder()
    for name in chosen.set:
        read = SETS[name](chosen.data)
        sizes = [sum(len(table.columns) for table in one.tables) for one in read.databases]
        asked = len(read.questions)
        print(f"\n{name}: {asked} questions, {len(sizes)} databases of {min(sizes)} to {max(sizes)} columns\n")
        print("| recipe | all@10 | all@10, halves of databases | all@15 | all@20 |\n|---|---:|---|---:|---:|")
        indexes = {one.name: SchemaIndex(one, embedder.embed) for one in read.databases}
        for recipe in RECIPES:
            print(
                f"| {recipe} | {figures(read.questions, ranks(read, indexes, embedder, RECIPES[recipe]))} |", flush=True
            )
        plain = {one.name: SchemaIndex(one) for one in read.databases}
        print(f"| no model | {figures(read.questions, ranks(read, plain, None, TUNED_SCHEMA))} |")
        print(f"\n{timings(read, indexes)}")


def ranks(
    read: LinkingSet, indexes: dict[str, SchemaIndex], embedder: LocalEmbedder | None, recipe: SchemaRecipe
) -> list[int]:
    """Return for each question how many columns must be taken until all that it needs are among them."""
    embed = embedder.embed_question if embedder else None
    found = []
    for question in read.questions:
        index = indexes[question.database]
        scores = index.scores(SchemaQuestion.of(question.text, embed), recipe)
        order = sorted(range(len(index.columns)), key=lambda place: -scores.columns[place])
        names = [full_name(index, place) for place in order]
        found.append(max((names.index(name) + 1 for name in question.gold), default=0))
    return found


def full_name(index: SchemaIndex, place: int) -> str:
    column = index.columns[place]
    return f"{column.table.name if column.table else ''}.{column.name}".lower()


def figures(questions: Sequence[LinkedQuestion], found: Sequence[int]) -> str:
    """Return all@10, that of either half of the databases, all@15 and all@20, in percent."""
    first = set(sorted({question.database for question in questions})[::2])
    halves = [
        [rank for question, rank in zip(questions, found, strict=True) if (question.database in first) is wanted]
        for wanted in (True, False)
    ]
    split = " / ".join(within(half, 10) if half else "–" for half in halves)
    return " | ".join([within(found, 10), split, within(found, 15), within(found, 20)])


def within(found: Sequence[int], k: int) -> str:
    return f"{100 * statistics.mean(rank <= k for rank in found):.1f}"


def timings(read: LinkingSet, indexes: dict[str, SchemaIndex]) -> str:
    """Return how long questions take that nobody asked before, the model being loaded: on the clock, and of the
    processor, which other work on the machine does not lengthen.
    """
    embedder = LocalEmbedder()
    embedder.embed_question("The first question waits for the model to be loaded.")
    seconds, processor = list[float](), list[float]()
    for question in read.questions:
        started, used = time.perf_counter(), time.process_time()
        indexes[question.database].scores(SchemaQuestion.of(question.text, embedder.embed_question))
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    return f"A question: {spread(seconds)} on the clock, {spread(processor)} of the processor."


def spread(seconds: Iterable[float]) -> str:
    ordered = sorted(1000 * one for one in seconds)
    return f"median {statistics.median(ordered):.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms"


def spider(data: Path) -> LinkingSet:
    """Spider's development set: 20 databases."""
    file = data / "spider/spider_tables.json"
    schemas = {schema["db_id"]: schema for schema in json.loads(file.read_text())}
    asked = json.loads((data / "spider/spider_dev.json").read_text())
    questions = [LinkedQuestion(q["db_id"], q["question"], spider_gold(schemas[q["db_id"]], q["sql"])) for q in asked]
    used = {question.database for question in questions}
    return LinkingSet([one for one in read_schemas(file.name, file.read_bytes()) if one.name in used], questions)


def spider_gold(schema: dict[str, Any], sql: dict[str, Any]) -> Columns:
    """Return the columns that stand anywhere in a query, but for `*`."""
    names = schema["column_names_original"]
    tables = schema["table_names_original"]
    return frozenset(f"{tables[names[n][0]]}.{names[n][1]}".lower() for n in spider_columns(sql) if n > 0)


def spider_columns(part: Any) -> Iterator[int]:
    """Yield the numbers of the columns in a part of a parsed query: a column is a triple, and only it begins so."""
    if isinstance(part, dict):
        named = (
            {"from": part["from"]["conds"], **{k: v for k, v in part.items() if k != "from"}}
            if "from" in part
            else part
        )
        for value in named.values():
            yield from spider_columns(value)
        for kind, unit in part["from"]["table_units"] if "from" in part else ():
            if kind == "sql":
                yield from spider_columns(unit)
    elif isinstance(part, list):
        is_column = (
            len(part) == 3 and type(part[0]) is int and type(part[1]) is int and type(part[2]) in (bool, type(None))
        )
        if is_column:
            yield part[1]
        for one in () if is_column else part:
            yield from spider_columns(one)


def defog(data: Path, *, described: bool = False) -> LinkingSet:
    """defog-data: 11 databases, by their names alone or with what describes their columns, and values."""
    folder = data / "defog-data"
    databases = [defog_database(file, described=described) for file in sorted(folder.glob("*.json"))]
    return LinkingSet(databases, list(defog_questions(folder, {one.name: one for one in databases})))


def merged(data: Path) -> LinkingSet:
    """Six of them in one database."""
    read = defog(data)
    parts = [one for one in read.databases if one.name in MERGED]
    whole = parts[0].model_copy(update={"name": "merged", "tables": tuple(t for one in parts for t in one.tables)})
    asked = [replace(one, database="merged") for one in read.questions if one.database in MERGED]
    return LinkingSet([whole], asked)


def defog_database(file: Path, *, described: bool) -> SqlDatabase:
    tables = json.loads(file.read_text())["table_metadata"]
    connection = in_duckdb(file.with_suffix(".sql").read_text(encoding="utf-8")) if described else None
    made = [
        DatabaseTable(
            name=name.rpartition(".")[2],
            rows=0,
            columns=tuple(
                DatabaseColumn(
                    name=column["column_name"],
                    type=column["data_type"],
                    description=column.get("column_description", "") if described else "",
                    samples=values(connection, name, column["column_name"]) if connection else (),
                )
                for column in columns
            ),
        )
        for name, columns in tables.items()
    ]
    return SqlDatabase(name=file.stem, workspace=None, kind="files", place="", tables=tuple(made))


def values(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> tuple[str, ...]:
    name = table.rpartition(".")[2]
    sql = f'SELECT DISTINCT "{column}" FROM "{name}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 5'
    return tuple(str(value) for (value,) in connection.execute(sql).fetchall())


def defog_questions(folder: Path, databases: Mapping[str, SqlDatabase]) -> Iterator[LinkedQuestion]:
    for file in sorted((folder / "questions").glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                gold = gold_columns(databases[row["db_name"]], row["query"].partition(";")[0])
                if gold:
                    yield LinkedQuestion(row["db_name"], row["question"], gold)


def gold_columns(database: SqlDatabase, sql: str) -> Columns:
    """Return the columns of tables that a statement reads; none of one that sqlglot cannot read."""
    known: dict[str, object] = {table.name: {one.name: "text" for one in table.columns} for table in database.tables}
    names = {f"{table.name}.{one.name}".lower() for table in database.tables for one in table.columns}
    try:
        tree = qualify(parse_one(sql, dialect="sqlite"), schema=known, dialect="sqlite", validate_qualify_columns=False)
    except SqlglotError:
        return frozenset()
    found = (
        f"{source.name}.{column.name}".lower()
        for scope in traverse_scope(tree)
        for column in scope.columns
        if isinstance(source := scope.sources.get(column.table), exp.Table)
    )
    return frozenset(found) & names


SETS: Mapping[str, Callable[[Path], LinkingSet]] = {
    "spider": spider,
    "defog": defog,
    "defog-described": lambda data: defog(data, described=True),
    "merged": merged,
}


if __name__ == "__main__":
    main()
