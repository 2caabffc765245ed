"""Facts as of T and known at K, joined with a file, are those of services/core/time_rule.py."""

import csv
import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.analyst.graph_relations import graph_readings
from services.core import time_rule
from services.core.models import Fact, Instants
from services.mirror.mirror import Mirror
from services.mirror.sql_snapshot import SNAPSHOT_MACROS
from services.sql.dialects import DUCKDB
from services.sql.guard import Readable, check
from services.sql.query_process import read
from services.sql.run_query import FileQuery, query_task
from services.sql.warehouse import Warehouse
from tests.services.mirror.graphs import ENTITIES, EPISODES, clocks, instants, several_facts

PRICES = {entity.name: number for number, entity in enumerate(ENTITIES[:3])}
READABLE = Readable.of(["facts", "entities", ("shop", "prices")], SNAPSHOT_MACROS)
JOINED = """
    SELECT uuid, invalid_at, price FROM {facts} LEFT JOIN shop.prices ON name = target ORDER BY uuid"""


MACROS = ("facts_as_of(:as_of)", "facts_as_of(:as_of, :known_at)", "facts_as_of(:as_of, known_at := :known_at)")


class Tables:
    """A mirror whose snapshot is asked beside a CSV of prices."""

    def __init__(self, folder: Path) -> None:
        self.mirror, self._folder, self._number = Mirror(), folder, 0
        written = io.StringIO()
        csv.writer(written).writerows([("name", "price"), *PRICES.items()])
        kept = Warehouse(folder / "sql", for_administrator=True)
        self._prices = kept.file(kept.add_files("shop", None, [("prices.csv", written.getvalue().encode())]))

    def hold(self, facts: tuple[Fact, ...]) -> None:
        self.mirror.replace_all([ENTITIES], [facts], [EPISODES])
        self._number += 1
        self._snapshot = self._folder / f"{self._number}.snapshot"
        self.mirror.write_snapshot(self._snapshot)

    def rows(self, sql: str, at: Instants) -> list[list[object]]:
        """Return what the query process gives, in this process: it is started anew for each query, which takes long."""
        statement = check(sql, DUCKDB, READABLE)
        files = {"graph": self._snapshot, "shop": self._prices}
        values = {"as_of": at.as_of.isoformat(), "known_at": at.known_at.isoformat()}
        answer = read(query_task(FileQuery(statement, files, ["graph"], values, at.known_at)), b"")
        assert "error" not in answer, answer
        rows: list[list[object]] = answer["rows"]
        return rows

    def let_go(self) -> None:
        self._snapshot.unlink()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    tables = Tables(tmp_path_factory.mktemp("clocks"))
    yield tables
    tables.mirror.close()


def expected(facts: list[Fact], at: Instants) -> list[list[object]]:
    shown = [time_rule.as_known(fact, at.known_at) for fact in facts]
    return sorted([f.uuid, f.invalid_at and f.invalid_at.isoformat(), PRICES.get(f.target)] for f in shown)


@pytest.mark.slow
@given(facts=several_facts(), at=clocks)
def test_what_holds_joined_with_a_file_is_what_the_rule_says(tables: Tables, facts, at: Instants) -> None:
    tables.hold(facts)
    true = expected([fact for fact in facts if time_rule.true_at(fact, at)], at)
    for macro in MACROS:
        assert tables.rows(JOINED.format(facts=macro), at) == true
    tables.let_go()


@pytest.mark.slow
@given(facts=several_facts(), at=clocks, second=instants)
def test_what_changed_is_what_holds_at_one_instant_only(tables: Tables, facts, at: Instants, second) -> None:
    tables.hold(facts)
    first, other = (
        {f.uuid for f in facts if time_rule.true_at(f, Instants(t, at.known_at))} for t in (at.as_of, second)
    )
    rows = tables.rows(f"SELECT change, uuid FROM fact_changes(:as_of, '{second.isoformat()}') ORDER BY uuid", at)
    kinds = [["added" if uuid in other else "ended", uuid] for uuid in sorted(first ^ other)]
    assert rows == kinds
    tables.let_go()


@pytest.mark.slow
@given(facts=several_facts(), at=clocks, days=st.integers(0, 6))
def test_what_held_in_between_held_at_some_instant_of_it(tables: Tables, facts, at: Instants, days: int) -> None:
    tables.hold(facts)
    until = at.as_of + timedelta(days=days)
    rows = tables.rows(f"SELECT uuid FROM facts_between(:as_of, '{until.isoformat()}') ORDER BY uuid", at)
    starts = {at.as_of, *(f.valid_at for f in facts if f.valid_at)}
    within = [Instants(t, at.known_at) for t in starts if at.as_of <= t < until]
    assert rows == [
        [f.uuid] for f in sorted(facts, key=lambda f: f.uuid) if any(time_rule.true_at(f, t) for t in within)
    ]
    tables.let_go()


@pytest.mark.slow
@given(facts=several_facts(), at=clocks)
def test_relations_by_date_hold_what_was_ever_true_as_known(tables: Tables, facts, at: Instants) -> None:
    tables.hold(facts)
    _, readings = graph_readings("How many proposals are there per year?", lambda sql: tables.rows(sql, at))
    starts = [Instants(f.valid_at, at.known_at) for f in facts if f.valid_at]
    ever = [f for f in facts if any(time_rule.true_at(f, start) for start in starts)]
    relations = [one for one in readings if one.database.startswith("relation")]
    assert bool(relations) or not any(f.source == "PEP 484" for f in ever if f.relation == "AUTHOR")
    for one in relations:
        source, relation = (column.name for column in one.table.columns[:2])
        rows = tables.rows(f"SELECT {source}, {relation}, since FROM {one.sql_name}", at)
        held = [f for f in ever if f.relation.lower() == relation]
        assert sorted(map(str, rows)) == sorted(str([f.source, f.target, f.valid_at.isoformat()]) for f in held)
    tables.let_go()
