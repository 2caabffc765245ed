"""What held for each row of a table on its own date is what services/core/time_rule.py says of it, row by row."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.models import Entity, Fact, Instants, MergedEntity
from services.language.names import of_name
from services.mirror.mirror import Mirror
from services.mirror.sql_snapshot import SNAPSHOT_FUNCTIONS, SNAPSHOT_MACROS
from services.sql.dialects import DUCKDB
from services.sql.guard import Readable, check
from services.sql.query_process import read
from services.sql.run_query import FileQuery, query_task
from tests.conftest import FULL
from tests.services.mirror.graphs import ENTITIES, EPISODES, START, instants, several_facts

NAMES = ("PEP 484", "pep 484", "Final", "Twice", "TWICE", "Old Final", "old final", "straße", "nobody", " Final ")
PEOPLE = (
    *(
        replace(entity, name=name)
        for entity, name in zip(ENTITIES, ("PEP 484", "Final", "Twice", "Twice"), strict=True)
    ),
    Entity("e4", "STRASSE"),
)
NAMED = {entity.uuid: entity.name for entity in PEOPLE}
MERGED = (
    MergedEntity("m0", "Old Final", (), "e1"),
    MergedEntity("m1", "Pep 484", (), "e1"),
    MergedEntity("m2", "Gone", (), "elsewhere"),
    MergedEntity("m3", "straße", (), "e0"),
)
CELLS: dict[str, Callable[[datetime], object]] = {
    "DATE": datetime.date,
    "TIMESTAMP": lambda at: at.replace(tzinfo=None),
    "TIMESTAMPTZ": lambda at: at,
    "VARCHAR": lambda at: at.isoformat(),
    "INTEGER": lambda at: at.year,
    "DOUBLE": lambda at: float(at.year),
}
SPELLED = ["2020", "2020-01", "2020-1-2", " 2020-01-02 ", "2020-01-03T04:05:06Z", "2020-01-03 01:00:00+02:00", "2020.0"]
UNREADABLE = ["", "soon", "20200102", "2020-13", "2020-02-30", "infinity", "12", "2020-01-02x", "-2020"]


class Given:
    """A mirror whose snapshot is joined with one table of names and dates."""

    def __init__(self, folder: Path) -> None:
        self.mirror, self._folder, self._number = Mirror(), folder, 0
        self.mirror.hold_merged(MERGED)

    def targets(
        self, facts: tuple[Fact, ...], kind: str, rows: list[tuple[str | None, object]], known_at: datetime | None
    ) -> list[str | None]:
        """Return what each row gets, by what was known at its date where `known_at` is None."""
        self.mirror.replace_all([PEOPLE], [facts], [EPISODES])
        self._number += 1
        files = {"graph": self._folder / f"{self._number}.snapshot", "shop": self._folder / f"{self._number}.duckdb"}
        self.mirror.write_snapshot(files["graph"])
        with duckdb.connect(str(files["shop"])) as connection:
            connection.execute(f"CREATE TABLE prices (name VARCHAR, target {kind})")
            connection.executemany("INSERT INTO prices VALUES (?, ?)", rows)
        seen = "" if known_at is None else ", :known_at"
        at = "instant_of(target)" if known_at else "instant_of(target), instant_of(target)"
        sql = f"SELECT targets_as_of(name, 'STATUS', {at}{seen}) FROM shop.prices ORDER BY prices.rowid"
        statement = check(sql, DUCKDB, Readable.of([("shop", "prices")], SNAPSHOT_MACROS, SNAPSHOT_FUNCTIONS))
        clocks = {"known_at": (known_at or START).isoformat()}
        answer = read(query_task(FileQuery(statement, files, ["graph"], clocks, START)), b"")
        for file in files.values():
            file.unlink()
        assert "error" not in answer, answer
        return [value for (value,) in answer["rows"]]

    def folded(self, names: list[str]) -> list[str]:
        """Return names as the copy compares them."""
        file = self._folder / "folded.snapshot"
        self.mirror.write_snapshot(file)
        with duckdb.connect(str(file), read_only=True) as connection:
            connection.register("named", pa.table({"n": names}))  # as a parameter a million names take 8 s
            found = connection.execute("SELECT folded_name(n) FROM named").fetchall()
        file.unlink()
        return [name for (name,) in found]


@pytest.fixture(scope="module")
def join(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    join = Given(tmp_path_factory.mktemp("joins"))
    yield join
    join.mirror.close()


def meant(name: str | None) -> str | None:
    """Return the uuid of the one entity that a name means."""
    known = {entity.uuid for entity in PEOPLE}
    found = [entity.uuid for entity in of_name(PEOPLE, (name or "").strip(), lambda one: one.name)]
    kept = [one for one in MERGED if one.into in known]
    found = found or [one.into for one in of_name(kept, (name or "").strip(), lambda one: one.name)]
    return found[0] if len(set(found)) == 1 else None


def expected(facts: tuple[Fact, ...], name: str | None, at: datetime | None, known_at: datetime | None) -> str | None:
    """Return what one row gets by the time rule."""
    if at is None or name is None:
        return None
    clocks, uuid = Instants(at, known_at or at), meant(name)
    true = {
        fact.target
        for fact in facts
        if fact.relation == "STATUS" and fact.source_uuid == uuid and time_rule.true_at(fact, clocks)
    }
    return "; ".join(sorted(true)) or None


@pytest.mark.slow
@given(
    facts=several_facts(),
    names=st.lists(st.none() | st.sampled_from(NAMES), min_size=1, max_size=8),
    days=st.lists(st.none() | instants, min_size=8, max_size=8),
    kind=st.sampled_from(sorted(CELLS)),
    known_at=st.none() | instants,
)
def test_each_row_gets_what_the_time_rule_says_of_its_date(join: Given, facts, names, days, kind, known_at) -> None:
    facts = tuple(replace(one, source=NAMED[one.source_uuid], target=NAMED[one.target_uuid]) for one in facts)
    cells = [day and CELLS[kind](day) for day in days]
    at = [cell and read_back(cell) for cell in cells]
    found = join.targets(facts, kind, list(zip(names, cells, strict=False)), known_at)
    assert found == [expected(facts, name, day, known_at) for name, day in zip(names, at, strict=False)]


def read_back(cell: object) -> datetime:
    """Return the first instant of what a cell says."""
    match cell:
        case float() | int():
            return datetime(int(cell), 1, 1, tzinfo=UTC)
        case str():
            return clock.parse_instant(cell)
        case date():
            return clock.instant(cell)
    raise AssertionError(cell)


def test_dates_are_read_in_every_spelling_of_iso(join: Given) -> None:
    fact = Fact("f0", "e1", "e0", "Final", "STATUS", "PEP 484", "", START, created_at=START)
    late = [("Final", text) for text in (*SPELLED, *UNREADABLE)]
    assert join.targets((fact,), "VARCHAR", late, START) == ["PEP 484"] * len(SPELLED) + [None] * len(UNREADABLE)
    before = [("Final", text) for text in ("2019", "2019-12", "2019-12-31T23:59:59Z", "2020-01-01T01:00:00+02:00")]
    assert join.targets((fact,), "VARCHAR", before, START) == [None] * 4


@pytest.mark.slow
def test_letters_are_folded_as_names_are_compared(join: Given) -> None:
    end = 0x10FFFF if FULL else 0x20000  # no letter beyond has another form
    letters = [chr(code) for code in range(1, end) if not 0xD800 <= code < 0xE000]
    single = [letter for letter in letters if len(letter.casefold()) == 1] + ["ß", "ẞ", "ss", "SS"]
    folded = join.folded(single)
    by_fold, by_rule = defaultdict(set), defaultdict(set)
    for letter, fold in zip(single, folded, strict=True):
        by_fold[fold].add(letter)
        by_rule[letter.casefold()].add(letter)
    assert sorted(map(sorted, by_fold.values())) == sorted(map(sorted, by_rule.values()))
