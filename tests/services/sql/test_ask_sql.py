"""SQL over the graph and the tables beside it, as the services answer it."""

import io
import os
import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import BadInput, MirrorUnavailable, QueryRejected
from services.mirror.sql_snapshot import snapshot_form
from services.sql import snapshots
from services.sql.ask_sql import SqlAnswer, SqlQuestion, ask_sql
from services.sql.catalog import SqlDatabase
from services.sql.query_limits import QueryLimits
from services.sql.warehouse import warehouse
from services.tables.tables import read_facts
from services.writing.importer import import_rows
from services.writing.workspaces import create, delete, empty
from tests.services.sql import attacks

pytestmark = pytest.mark.slow

FACTS = b"""source,relation,target,valid_at,invalid_at,created_at
Ann,WORKS_AT,Acme,2010-01-01,,2010-02-01
Ann,WORKS_AT,Acme,2010-01-01,2015-01-01,2015-02-01
Ann,WORKS_AT,Bolt,2015-01-01,,2015-02-01
Bo,WORKS_AT,Acme,2012-01-01,,2012-01-01
"""
PRICES = b"company,day,price\nAcme,2014-05-01,3.5\nBolt,2016-01-01,7\nAcme,2016-01-01,4\n"

USUAL = QueryLimits()
Ask = Callable[..., SqlAnswer]


def take_in(workspace: OpenWorkspace, content: bytes) -> None:
    import_rows(workspace, read_facts("facts.csv", content).rows, title="facts")


@pytest.fixture
def ask(workspace: OpenWorkspace) -> Ask:
    """Asks the workspace that holds the facts above, and a database `shop` with the prices."""
    take_in(workspace, FACTS)
    warehouse(workspace).add_files("shop", workspace.name, [("prices.csv", PRICES)])

    def ask(sql: str, limits: QueryLimits = USUAL, cancel: threading.Event | None = None, **given) -> SqlAnswer:
        return ask_sql(workspace, SqlQuestion(sql, **given), limits, cancel)

    return ask


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_facts_at_both_clocks_are_joined_with_a_file(ask: Ask) -> None:
    sql = """SELECT source, target, price FROM facts_as_of(:as_of) JOIN shop.prices
        ON company = target AND day = DATE '2016-01-01' ORDER BY source"""
    at = {"as_of": day("2016-01-01")}
    assert ask(sql, **at).result.rows == (("Ann", "Bolt", 7.0), ("Bo", "Acme", 4.0))
    early = ask(sql, **at, known_at=day("2014-01-01"))
    assert early.result.rows == (("Ann", "Acme", 4.0), ("Bo", "Acme", 4.0)), "the move was not known then"
    both = sql.replace("(:as_of)", "(:as_of, :known_at)")
    assert ask(both, **at, known_at=day("2014-01-01")).result.rows == early.result.rows


def test_a_table_is_called_unbounded_only_where_it_has_later_records(ask: Ask) -> None:
    sql = "SELECT count(*) FROM facts"
    assert ask(sql, known_at=day("2014-01-01")).unbounded == ("facts",)
    assert ask(sql, known_at=clock.now()).unbounded == (), "that instant is over before the rows are there"


def test_what_held_in_between_and_what_changed_is_asked_by_macros(ask: Ask) -> None:
    between = "SELECT source, target FROM facts_between('2011-01-01', '2013-01-01') ORDER BY ALL"
    assert ask(between).result.rows == (("Ann", "Acme"), ("Bo", "Acme"))
    changes = "SELECT change, changed_at, target FROM fact_changes('2014-01-01', '2016-01-01') ORDER BY change"
    at = "2015-01-01T00:00:00+00:00"
    assert ask(changes).result.rows == (("added", at, "Bolt"), ("ended", at, "Acme"))


def test_a_tables_own_name_is_enough_where_one_database_has_it(ask: Ask, workspace: OpenWorkspace) -> None:
    assert ask("SELECT count(*) FROM prices").result.rows == ((3,),)
    warehouse(workspace).add_files("market", workspace.name, [("prices.csv", b"company\nCoop\n")])
    with pytest.raises(QueryRejected, match=r"market\.prices, shop\.prices"):
        ask("SELECT count(*) FROM prices")
    assert ask("SELECT count(*) FROM prices", database="market").result.rows == ((1,),)
    assert ask("SELECT count(*) FROM prices, shop.prices o", database="market").result.rows == ((3,),)


def test_a_workspace_sees_its_own_databases_and_those_of_all(ask: Ask, workspace: OpenWorkspace) -> None:
    other = workspace.services.workspace("other")
    warehouse(workspace, for_administrator=True).add_files(
        "world", None, [("rates.tsv", b"day\trate\n2020-01-01\t1.1\n")]
    )
    assert [one.name for one in warehouse(other).databases("other")] == ["world"]
    with pytest.raises(QueryRejected, match=r"no table “shop\.prices”"):
        ask_sql(other, SqlQuestion("SELECT * FROM shop.prices"))
    with pytest.raises(BadInput, match="no database “shop”"):
        ask_sql(other, SqlQuestion("SELECT 1", database="shop"))
    warehouse(workspace).remove_all("_")
    assert [one.name for one in warehouse(workspace).databases("_")] == ["world"]


def test_a_copy_of_the_graph_is_made_when_it_changed_and_two_are_kept(ask: Ask, workspace: OpenWorkspace) -> None:
    first, again = (ask("SELECT count(*) FROM facts").snapshot for _ in range(2))
    assert first is not None
    assert again is not None
    assert again.path == first.path
    for number in range(3):
        row = b"source,relation,target,valid_at\nCy%d,KNOWS,Ann,2020-01-01\n" % number
        take_in(workspace, row)
        assert ask("SELECT count(*) FROM facts WHERE relation = 'KNOWS'").result.rows == ((number + 1,),)
    assert len(list(first.path.parent.glob("*.snapshot"))) == 2
    assert not first.path.exists()
    assert ask("SELECT 1").snapshot is None, "nothing of the graph is read"
    workspace.services.mirrors.drop("_")
    assert list(first.path.parent.glob("*.snapshot")) == []


def test_databases_and_copies_go_with_the_workspace(ask: Ask, workspace: OpenWorkspace) -> None:
    app = workspace.services
    create(app, "other", "Other")
    other = app.workspace("other")
    take_in(other, FACTS)
    warehouse(other).add_files("mine", "other", [("prices.csv", PRICES)])
    copy = ask_sql(other, SqlQuestion("SELECT count(*) FROM facts, mine.prices")).snapshot
    assert copy is not None
    empty(other)
    assert not copy.path.exists()
    delete(other)
    assert warehouse(workspace).databases("other") == ()
    assert ask("SELECT count(*) FROM shop.prices").result.rows == ((3,),)


def test_more_rows_than_are_given_are_said_to_be_there(ask: Ask) -> None:
    few = QueryLimits(rows=3)
    assert ask("FROM range(3)", few).result.truncated is False
    cut = ask("FROM range(4)", few).result
    assert (len(cut.rows), cut.truncated) == (3, True)


def test_an_error_of_the_database_comes_in_its_words(ask: Ask) -> None:
    with pytest.raises(QueryRejected, match=r'"nothing" not found'):
        ask("SELECT nothing FROM facts")
    with pytest.raises(QueryRejected, match="Cast its column to VARCHAR"):
        ask("SELECT INTERVAL 100000000 YEAR")
    assert ask("SELECT (INTERVAL 100000000 YEAR)::VARCHAR").result.rows == (("100000000 years",),)
    with pytest.raises(QueryRejected, match="The parameter :customer has no value"):
        ask("SELECT :customer")
    assert ask("SELECT :customer", parameters={"customer": "Ann"}).result.rows == (("Ann",),)


def test_values_of_every_type_come_as_json_has_them(ask: Ask) -> None:
    values = {
        "DATE '2020-01-02'": "2020-01-02",
        "TIMESTAMPTZ '2020-01-02 03:04:05+02'": "2020-01-02T01:04:05+00:00",
        "1.50::DECIMAL(9, 2)": 1.5,
        "12345678901234567890.12::DECIMAL(38, 2)": "12345678901234567890.12",
        "-7::DECIMAL(18, 0)": -7,
        "'nan'::DOUBLE": "nan",
        "'-inf'::DOUBLE": "-inf",
        "[1, NULL]": [1, None],
        "{'a': 'x'}": {"a": "x"},
        "'\\xFF'::BLOB": "ff",
        "TIME '10:00'": "10:00:00",
        "true": True,
        "NULL": None,
        "INTERVAL 1 DAY": "1 day, 0:00:00",
    }
    assert ask("SELECT " + ", ".join(values)).result.rows == (tuple(values.values()),)


def parquet() -> bytes:
    written = io.BytesIO()
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", None]}), written)
    return written.getvalue()


def excel() -> bytes:
    book, written = Workbook(), io.BytesIO()
    book.active.append(["a", "day", "a"])
    book.active.append([1, datetime(2020, 1, 2), "x"])
    book.create_sheet("Second sheet").append(["b"])
    book["Second sheet"].append([2.5])
    book.save(written)
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "table", "rows"),
    [
        ("Some prices.csv", b"a;b\n1;x\n2;\n", "some_prices", ((1, "x"), (2, None))),
        ("2020.tsv", b"a\tb\n1\tx\n", "t_2020", ((1, "x"),)),
        ("rows.json", b'[{"a": 1, "b": "x"}, {"a": 2}]', "rows", ((1, "x"), (2, None))),
        ("rows.jsonl", b'{"a": 1}\n{"a": 2}\n', "rows", ((1,), (2,))),
        ("rows.parquet", parquet(), "rows", ((1, "x"), (2, None))),
        ("book.xlsx", excel(), "book_sheet", ((1, "2020-01-02", "x"),)),
        ("book.xlsx", excel(), "book_second_sheet", ((2.5,),)),
    ],
    ids=["csv", "tsv", "json", "jsonl", "parquet", "sheet", "second sheet"],  # a workbook has the time of its making
)
def test_files_of_each_kind_become_tables(ask: Ask, workspace, name, content, table, rows) -> None:
    warehouse(workspace).add_files("mine", workspace.name, [(name, content)])
    assert ask(f"FROM mine.{table}").result.rows == rows


def test_what_is_known_of_a_table_is_kept_with_what_people_say_of_it(ask: Ask, workspace: OpenWorkspace) -> None:
    kept = warehouse(workspace)
    (table,) = kept.database("_", "shop").tables
    assert (table.name, table.rows, table.source) == ("prices", 3, "prices.csv")
    assert [(c.name, c.type) for c in table.columns] == [("company", "VARCHAR"), ("day", "DATE"), ("price", "DOUBLE")]
    assert table.columns[0].samples == ("Acme", "Bolt")
    kept.describe("_", "shop", "What shares cost", table="prices")
    kept.describe("_", "shop", "In euros", table="prices", column="price")
    kept.add_files("shop", "_", [("prices.csv", PRICES + b"Coop,2020-01-01,1\n"), ("other.csv", b"x\n1\n")])
    prices, other = warehouse(workspace).database("_", "shop").tables
    assert (prices.rows, prices.description, prices.columns[2].description) == (4, "What shares cost", "In euros")
    assert prices.digest != table.digest
    assert other.name == "other"
    with pytest.raises(BadInput, match="no column"):
        kept.describe("_", "shop", "x", table="prices", column="weight")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.parquet", b"PAR1 no"), ("a.xlsx", b"no"), ("a.json", b"{"), ("a.pdf", b"%PDF-"), ("a.csv", b"")],
)
def test_a_file_that_is_no_table_changes_nothing(ask: Ask, workspace: OpenWorkspace, name: str, content: bytes) -> None:
    with pytest.raises(BadInput, match=name):
        warehouse(workspace).add_files("new", workspace.name, [(name, content)])
    assert [one.name for one in warehouse(workspace).databases("_")] == ["shop"]


@pytest.mark.parametrize("name", ["graph", "a b", "1a", "x;y", "", "main"])
def test_a_database_has_a_name_that_sql_takes(workspace: OpenWorkspace, name: str) -> None:
    with pytest.raises(BadInput, match="name"):
        warehouse(workspace).add_files(name, workspace.name, [("a.csv", b"a\n1\n")])


def test_only_databases_that_a_statement_names_are_opened(ask: Ask, workspace: OpenWorkspace) -> None:
    kept = warehouse(workspace)
    table = kept.database("_", "shop").tables[0]
    for number in range(70):  # more than a query's process may open
        made = SqlDatabase(name=f"d{number}", workspace="_", kind="files", place="x.duckdb", tables=(table,))
        kept._keep(made)
        shutil.copyfile(kept.file(kept.database("_", "shop")), kept.file(made))
    assert ask("SELECT count(*) FROM d69.prices, shop.prices").result.rows == ((9,),)
    assert ask("SELECT count(*) FROM prices", database="d7").result.rows == ((3,),)
    several = " UNION ALL ".join(f"FROM d{number}.prices" for number in range(31))
    with pytest.raises(QueryRejected, match="at most 30 databases"):
        ask(several)


def test_what_a_killed_process_left_of_a_copy_is_deleted(ask: Ask) -> None:
    first = ask("SELECT count(*) FROM facts").snapshot
    assert first is not None
    stem = first.path.name.split(".")[0]
    left = [first.path.with_suffix(f".abc.unfinished{end}") for end in ("", ".wal")]
    writing = first.path.with_suffix(".def.unfinished")
    for file in (*left, writing):
        file.touch()
    for file in left:
        os.utime(file, (0, 0))
    first.path.unlink()
    again = ask("SELECT count(*) FROM facts").snapshot
    assert again is not None
    assert sorted(again.path.parent.glob(f"{stem}.*snapshot")) == [again.path]
    assert not any(file.exists() for file in left)
    assert writing.exists(), "another process may be writing it"


def test_a_copy_just_made_stays_whatever_the_versions_of_others_are(ask: Ask, workspace: OpenWorkspace) -> None:
    version = workspace.mirror.version
    for number in (10, 11):
        snapshots._file(workspace, version + number).write_bytes(b"x")
    assert ask("SELECT count(*) FROM facts").result.rows == ((3,),)


def test_a_copy_whose_folder_fails_is_said_to_fail(
    ask: Ask, workspace: OpenWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = workspace.mirror.write_snapshot

    def deleted_meanwhile(path: Path) -> int:
        version = whole(path)
        path.unlink()
        return version

    monkeypatch.setattr(workspace.mirror, "write_snapshot", deleted_meanwhile)
    with pytest.raises(MirrorUnavailable, match="No such file"):
        ask("SELECT count(*) FROM facts")


def test_a_copy_of_an_older_version_of_asof_is_not_read(ask: Ask, workspace: OpenWorkspace) -> None:
    first = ask("SELECT count(*) FROM facts").snapshot
    assert first is not None
    older = first.path.with_name(first.path.name.replace(snapshot_form(), "0badc0de"))
    first.path.rename(older)
    again = ask("SELECT count(*) FROM facts").snapshot
    assert again is not None
    assert again.path == first.path


def test_a_workspace_waits_for_no_copy_of_another(ask: Ask, workspace: OpenWorkspace) -> None:
    other = workspace.services.workspace("other")
    take_in(other, FACTS)
    found: list[SqlAnswer] = []
    asked = threading.Thread(
        target=lambda: found.append(ask_sql(other, SqlQuestion("SELECT count(*) FROM facts"))), daemon=True
    )
    with snapshots._making[snapshots._file(workspace, 0)]:
        asked.start()
        asked.join(60)
        assert not asked.is_alive()
    assert found[0].result.rows == ((3,),)


def test_attacks_are_refused_before_anything_runs(ask: Ask) -> None:
    for sql in attacks.DUCKDB:
        with pytest.raises(QueryRejected):
            ask(sql)
    assert ask("SELECT count(*) FROM facts").result.rows == ((3,),)
