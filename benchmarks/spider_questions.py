"""How many of Spider's questions get the right SQL without a model? `cli.py bench spider-questions --data FOLDER`.

FOLDER holds `spider_dev.json` and `spider_tables.json`. Asked are those questions of the development set whose gold
SQL is one statement that counts, sums, groups or ranks, with one aggregate at most. The set comes without rows, so
each database is filled with made-up ones, the same every time, among them the values that its questions name. An
answer is right where its rows are those of the gold SQL, in any order, perhaps with columns more. Wordings of one
statement stay together in a half: rules may be written with the first half at hand, and the second is counted alone.
"""

import argparse
import json
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from benchmarks.sql_questions import OUTCOMES, is_same, line
from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey
from services.sql.query_tables import QueryTable, sql_name

Value = str | float
Half = Literal["first", "second"]
ROWS, VALUES = 60, 7
"""How many rows a table gets, and how many different values a column that is no key has."""
TYPES = {"number": "INTEGER", "time": "DATE"}
NAMES = "Alder Birch Cedar Dogwood Elder Fir Gorse Hazel Ivy Juniper Larch Maple Oak Pine Rowan Spruce Willow Yew"
RESERVED = ("sqlite_sequence",)
FIGURES = ("age", "year", "horsepower", "mpg", "weight")
"""Columns that Spider declares as text though they hold figures."""
LIMIT = re.compile(r"\bLIMIT\s+(\d+)", re.IGNORECASE)
LIKE = 9
"""The number of LIKE among Spider's operators."""


@dataclass(frozen=True)
class SpiderQuestion:
    """A question of a database with its gold SQL, and the same as Spider parses it."""

    database: str
    text: str
    sql: str
    parsed: Mapping[str, Any]

    @property
    def half(self) -> Half:
        """The half that it belongs to, with all wordings of its SQL."""
        return "first" if sha256(f"{self.database} {self.sql}".encode()).digest()[0] % 2 == 0 else "second"

    @property
    def shape(self) -> str:
        """What its SQL does with rows."""
        parsed = self.parsed
        return "top n" if parsed["limit"] else "by type" if parsed["groupBy"] else "count"


def main() -> None:
    options = argparse.ArgumentParser(prog="bench spider-questions", description=__doc__.partition("\n")[0])
    options.add_argument(
        "--data", type=Path, required=True, help="the folder of spider_dev.json and spider_tables.json"
    )
    options.add_argument("--half", choices=("first", "second"), nargs="+", default=("first", "second"))
    options.add_argument("--show", action="store_true", help="print the questions of the first half that are not right")
    chosen = options.parse_args()
    results = list(answered(chosen.data, chosen.half))
    if chosen.show:
        for one, outcome, sql in results:
            if one.half == "first" and outcome != "right":
                print(f"{outcome} | {one.database} | {one.text} | {' '.join((sql or '').split())} | {one.sql}")
    for half in chosen.half:
        print(f"\n| questions of the {half} half | {' | '.join(OUTCOMES)} |\n|---|---:|---:|---:|")
        mine = [(one.shape, outcome) for one, outcome, _ in results if one.half == half]
        for shape in sorted({shape for shape, _ in mine}):
            print(line(shape, [outcome for name, outcome in mine if name == shape]))
        print(line("all", [outcome for _, outcome in mine]))


def answered(data: Path, halves: Collection[Half]) -> Iterator[tuple[SpiderQuestion, str, str | None]]:
    """Yield each question with its outcome and the SQL that was written."""
    schemas = {one["db_id"]: one for one in json.loads((data / "spider_tables.json").read_text(encoding="utf-8"))}
    asked = defaultdict(list)
    for one in json.loads((data / "spider_dev.json").read_text(encoding="utf-8")):
        asked[one["db_id"]].append(SpiderQuestion(one["db_id"], one["question"], one["query"], one["sql"]))
    for name, questions in sorted(asked.items()):
        made = MadeDatabase(schemas[name], questions)
        with closing(made.filled()) as connection:
            tables = made.tables(connection)
            for question in (one for one in questions if one.half in halves and is_of_shapes(one)):
                yield (question, *answer(question, tables, connection))


def is_of_shapes(question: SpiderQuestion) -> bool:
    """True for one statement without others in it that counts, sums, groups or ranks."""
    parsed = question.parsed
    if any(parsed[part] for part in ("intersect", "union", "except")):
        return False
    if any(kind == "sql" for kind, _ in parsed["from"]["table_units"]):
        return False
    if any(isinstance(value, dict) for one in conditions(parsed) for value in one[3:]):
        return False
    aggregates = sum(bool(aggregate) for aggregate, _ in parsed["select"][1])
    return aggregates <= 1 and bool(aggregates or parsed["groupBy"] or parsed["limit"])


def conditions(parsed: Mapping[str, Any]) -> list[list[Any]]:
    return [one for one in (*parsed["where"], *parsed["having"]) if isinstance(one, list)]


def answer(
    question: SpiderQuestion, tables: Sequence[QueryTable], connection: sqlite3.Connection
) -> tuple[str, str | None]:
    plan = read_question(question.text, tables, lambda sql: connection.execute(sql).fetchall())
    if plan is None:
        return "none", None
    written = sql_of(plan)
    try:
        rows = connection.execute(written).fetchall()
    except sqlite3.Error:
        return "wrong", written
    is_right = is_same(rows, connection.execute(question.sql).fetchall()) or ties(written, question.sql, connection)
    return "right" if is_right else "wrong", written


def ties(written: str, gold: str, connection: sqlite3.Connection) -> bool:
    """True where both rank the same rows the same way and keep as many, so that equal ranks alone tell them apart."""
    ours, theirs = LIMIT.search(written), LIMIT.search(gold)
    is_alike = ours and theirs and ours[1] == theirs[1] and ("DESC" in written) == ("DESC" in gold.upper())
    whole = [connection.execute(LIMIT.sub("", sql)).fetchall() for sql in (written, gold)] if is_alike else []
    return bool(whole) and is_same(*whole)


class MadeDatabase:
    """A schema of Spider with made-up rows."""

    def __init__(self, schema: Mapping[str, Any], questions: Sequence[SpiderQuestion]) -> None:
        self._schema, self._chance = schema, random.Random(schema["db_id"])
        self._columns: list[tuple[int, str]] = [tuple(one) for one in schema["column_names_original"]]
        self._target = dict(map(tuple, schema["foreign_keys"]))
        self._names = [(n, one) for n, one in enumerate(schema["table_names_original"]) if one not in RESERVED]
        self._named = named_values(questions)
        for place, target in self._target.items():
            self._named[target] = list(dict.fromkeys((*self._named.get(target, ()), *self._named.get(place, ()))))
        self._made: dict[int, list[Value]] = {}

    def filled(self) -> sqlite3.Connection:
        """Return the database."""
        connection = sqlite3.connect(":memory:")
        for table, name in self._names:
            places = self._places(table)
            declared = ", ".join(f'"{self._columns[place][1]}" {self._type(place)} COLLATE NOCASE' for place in places)
            connection.execute(f'CREATE TABLE "{name}" ({declared})')
            rows = zip(*(self._values(place) for place in places), strict=True)
            connection.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(places))})', rows)
        return connection

    def tables(self, connection: sqlite3.Connection) -> list[QueryTable]:
        """Return its tables as the app knows those of a database."""
        return [
            QueryTable(
                sql_name(name),
                self._schema["db_id"],
                "sqlite",
                DatabaseTable(
                    name=name,
                    columns=tuple(self._known(connection, name, place) for place in self._places(table)),
                    rows=ROWS,
                ),
                tuple(self._keys_of(table)),
            )
            for table, name in self._names
        ]

    def _known(self, connection: sqlite3.Connection, table: str, place: int) -> DatabaseColumn:
        name = self._columns[place][1]
        sql = f'SELECT "{name}" FROM "{table}" GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 5'
        samples = tuple(str(value) for (value,) in connection.execute(sql))
        return DatabaseColumn(name=name, type=self._type(place), samples=samples)

    def _keys_of(self, table: int) -> Iterator[ForeignKey]:
        names = self._schema["table_names_original"]
        for place, target in self._target.items():
            (own, column), (other, key) = self._columns[place], self._columns[target]
            if own == table:
                yield ForeignKey(table=names[own], column=column, other_table=names[other], other_column=key)

    def _places(self, table: int) -> list[int]:
        return [place for place, (owner, _) in enumerate(self._columns) if owner == table]

    def _type(self, place: int) -> str:
        """Return the declared type of a column; a key's is that of the column that it leads to."""
        while self._target.get(place, place) != place:
            place = self._target[place]
        return TYPES.get(self._kind(place), "TEXT")

    def _kind(self, place: int) -> str:
        """Return what a column holds; figures, too, where it is declared as text and is compared with them alone."""
        kind, name = str(self._schema["column_types"][place]), self._columns[place][1].lower()
        named = self._named.get(place, [])
        is_figure = all(isinstance(one, int | float) or one.isdigit() for one in named) and bool(named)
        return "number" if kind == "text" and (is_figure or name in FIGURES) else kind

    def _values(self, place: int) -> list[Value]:
        """Return the values of a column, of which a few are more frequent; a key's are all different."""
        if place not in self._made:
            self._made[place] = list(self._new_values(place))
        return self._made[place]

    def _new_values(self, place: int) -> Iterator[Value]:
        if place in self._target and self._target[place] != place:
            known = self._values(self._target[place])
            yield from (known[min(int(self._chance.expovariate(0.12)), len(known) - 1)] for _ in range(ROWS))
            return
        kind, name = self._kind(place), self._columns[place][1].lower()
        named = self._named.get(place, [])
        if place in self._schema["primary_keys"] or place in self._target.values():
            yield from self._keys(kind, named)
        elif kind == "number":
            yield from (self._number(name, named) for _ in range(ROWS))
        elif kind == "time":
            yield from (self._time(name, named) for _ in range(ROWS))
        elif name.endswith(("name", "title")):
            yield from self._keys(kind, named)
        else:
            pool = [*named, *(f"{one} {name}" for one in self._chance.sample(NAMES.split(), VALUES))]
            yield from (pool[min(int(self._chance.expovariate(0.25)), len(pool) - 1)] for _ in range(ROWS))

    def _keys(self, kind: str, named: Sequence[Value]) -> Iterator[Value]:
        new: Iterator[Value] = (
            iter(range(1, 2 * ROWS)) if kind == "number" else (f"{one} {n}" for n in range(9) for one in NAMES.split())
        )
        yield from named
        rest = (one for one in new if one not in named)
        yield from (next(rest) for _ in range(ROWS - len(named)))

    def _number(self, name: str, named: Sequence[Value]) -> Value:
        if named and self._chance.random() < 0.3:
            return self._chance.choice(named)
        figures = [float(one) for one in named if isinstance(one, int | float)]
        if "year" in name:
            return self._chance.randint(1960, 2018)
        return self._chance.randint(1, int(2 * max(map(abs, figures), default=500)) + 1)

    def _time(self, name: str, named: Sequence[Value]) -> Value:
        if named and self._chance.random() < 0.3:
            return self._chance.choice(named)
        year = self._chance.randint(1960, 2018)
        return year if "year" in name else f"{year}-{self._chance.randint(1, 12):02}-{self._chance.randint(1, 28):02}"


def named_values(questions: Sequence[SpiderQuestion]) -> dict[int, list[Value]]:
    """Return the values that gold SQL compares columns with, by the columns' numbers."""
    found: defaultdict[int, list[Value]] = defaultdict(list)
    for question in questions:
        for parsed in parts_of(question.parsed):
            for _, operator, (_, (aggregate, place, _), _), *values in filter(is_condition, conditions(parsed)):
                given = [plain(value) for value in values if isinstance(value, str | int | float)]
                if not aggregate:
                    found[place] += [str(one).strip("%") if operator == LIKE else one for one in given]
    return {place: list({str(one).lower(): one for one in values}.values()) for place, values in found.items()}


def is_condition(one: Sequence[Any]) -> bool:
    return len(one) == 5 and isinstance(one[2], list)


def parts_of(parsed: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a parsed statement and those in it."""
    if isinstance(parsed, dict):
        if "where" in parsed:
            yield parsed
        for one in parsed.values():
            yield from parts_of(one)
    elif isinstance(parsed, list):
        for one in parsed:
            yield from parts_of(one)


def plain(value: str | float) -> Value:
    if isinstance(value, str):
        return value.strip("\"'")
    return int(value) if float(value).is_integer() else value


if __name__ == "__main__":
    main()
