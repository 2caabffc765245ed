"""Databases that stay where they are: read by SQL, and never written."""

import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from services.context import OpenWorkspace
from services.core.config import Settings
from services.core.errors import AsofError, BadInput, Cancelled, FetchRefused, QueryRejected
from services.sql.ask_sql import SqlQuestion, ask_sql
from services.sql.catalog import ForeignKey, Metric, SqlDatabase
from services.sql.dialects import POSTGRES, SQLITE
from services.sql.external_databases import add_source, run_on_source
from services.sql.guard import CheckedStatement
from services.sql.query_limits import QueryLimits
from services.sql.query_results import QueryResult
from services.sql.warehouse import warehouse
from tests.fakes.postgres_server import postgres_with_certificate
from tests.services.sql import attacks

pytestmark = pytest.mark.slow

SCHEMA = """
    CREATE TABLE people (name VARCHAR(20), born INTEGER, weight NUMERIC);
    INSERT INTO people VALUES ('Ann', 1990, 60.5), ('Bo', 1985, NULL), ('Ann', 2001, 55);
    CREATE TABLE hidden (secret VARCHAR(20));
"""


class Source:
    """A database of the tests, registered as `crm`."""

    def __init__(self, workspace: OpenWorkspace, place: str) -> None:
        self.workspace, self.database = workspace, add_source(workspace, "crm", place)

    def ask(self, sql: str, limits: QueryLimits = QueryLimits(), cancel=None, **given) -> QueryResult:  # noqa: B008
        return ask_sql(self.workspace, SqlQuestion(sql, "crm", **given), limits, cancel).result

    def run(self, sql: str) -> QueryResult:
        """Run a statement that no guard has seen."""
        unseen = CheckedStatement(sql, (), frozenset())
        return run_on_source(self.workspace.settings, self.database, unseen, {}, QueryLimits())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "files"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "people.db") as connection:
        connection.executescript(SCHEMA)
    connection.close()
    return folder / "people.db"


@pytest.fixture
def sqlite(open_to, file: Path) -> Source:
    return Source(open_to(folders=str(file.parent)), str(file))


@pytest.fixture
def postgres(open_to, postgres_address: str) -> Iterator[Source]:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS people, hidden")
        connection.execute(SCHEMA)
    port = postgres_address.rpartition(":")[2].partition("/")[0]
    yield Source(open_to(intranet=f"127.0.0.1:{port}"), postgres_address)
    with psycopg.connect(postgres_address) as connection:
        assert connection.execute("SELECT count(*) FROM people").fetchone() == (3,), "nothing was written"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def source(request: pytest.FixtureRequest) -> Source:
    found: Source = request.getfixturevalue(request.param)
    return found


def test_its_tables_are_known_and_read(source: Source) -> None:
    people = next(table for table in source.database.tables if table.name == "people")
    assert people.rows == 3
    assert [column.name for column in people.columns] == ["name", "born", "weight"]
    assert people.columns[0].samples == ("Ann", "Bo")
    result = source.ask("SELECT name, count(*) AS n FROM people WHERE born > 1980 GROUP BY name ORDER BY name")
    assert (result.columns, result.rows) == (("name", "n"), (("Ann", 2), ("Bo", 1)))


def test_parameters_are_handed_over(source: Source) -> None:
    sql = "SELECT name FROM people WHERE born < :born AND name <> :name AND name <> '100%' AND born < :born"
    assert source.ask(sql, parameters={"born": 2000, "name": "Bo"}).rows == (("Ann",),)


def test_more_rows_than_are_given_are_said_to_be_there(source: Source) -> None:
    result = source.ask("SELECT * FROM people;", QueryLimits(rows=2))
    assert (len(result.rows), result.truncated) == (2, True)


def test_an_error_comes_in_the_words_of_the_database(source: Source) -> None:
    with pytest.raises(QueryRejected, match="nothing"):
        source.ask("SELECT nothing FROM people")


def test_a_query_that_takes_long_is_stopped_and_the_next_one_answered(source: Source) -> None:
    forever = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
    with pytest.raises(QueryRejected, match=r"longer than 2 seconds|statement timeout"):
        source.ask(forever, QueryLimits(seconds=2))
    cancel = threading.Event()
    stop = threading.Timer(0.5, cancel.set)
    stop.start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        source.ask(forever, cancel=cancel)
    stop.join()
    assert time.monotonic() - began < 10
    assert source.ask("SELECT 1 AS n").rows == ((1,),)


def test_text_beyond_all_measure_ends_the_query_alone(source: Source) -> None:
    long = (
        "SELECT printf('%.*c', 500000000, 'x')" if source.database.kind == "sqlite" else "SELECT repeat('x', 500000000)"
    )
    with pytest.raises(QueryRejected):
        source.ask(long, QueryLimits(memory_mb=256))
    assert source.ask("SELECT 1 AS n").rows == ((1,),)


WRITES = (
    "INSERT INTO people VALUES ('Eve', 1, 1)",
    "UPDATE people SET name = 'x'",
    "DELETE FROM people",
    "DROP TABLE people",
    "CREATE TABLE other (a INTEGER)",
    "WITH d AS (DELETE FROM people RETURNING *) SELECT * FROM d",
)


@pytest.mark.parametrize("sql", WRITES)
def test_what_gets_past_the_guard_still_writes_nothing(source: Source, sql: str) -> None:
    with pytest.raises(QueryRejected):
        source.run(sql)
    assert source.ask("SELECT count(*) FROM people").rows == ((3,),)


@pytest.mark.parametrize(
    "sql",
    ["SELECT * FROM sqlite_master", "PRAGMA table_info(people)", "ATTACH 'x' AS x", "SELECT load_extension('x')"],
)
def test_the_authorizer_keeps_what_gets_past_the_guard_from_the_schema(sqlite: Source, sql: str) -> None:
    with pytest.raises(QueryRejected, match=r"not authorized|prohibited"):
        sqlite.run(sql)


def test_attacks_are_refused_in_both_dialects(source: Source) -> None:
    assert SQLITE.name == "sqlite"
    assert POSTGRES.name == "postgres"
    for sql in attacks.SQLITE if source.database.kind == "sqlite" else attacks.POSTGRES:
        with pytest.raises(QueryRejected):
            source.ask(sql)


def test_a_file_with_a_log_beside_it_is_read(open_to, file: Path) -> None:
    writer = sqlite3.connect(file)
    writer.execute("PRAGMA journal_mode = wal")
    writer.execute("INSERT INTO people VALUES ('Cy', 1970, 80)")
    writer.commit()
    source = Source(open_to(folders=str(file.parent)), str(file))
    assert source.ask("SELECT count(*) FROM people").rows == ((4,),)
    writer.close()
    assert source.ask("SELECT count(*) FROM people").rows == ((4,),)


def test_only_files_of_the_folders_and_hosts_of_the_settings_are_asked(open_to, file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the settings allow no folder"):
        add_source(open_to(), "crm", str(file))
    (tmp_path / "else").mkdir()
    with pytest.raises(BadInput, match="outside the folders"):
        add_source(open_to(folders=str(tmp_path / "else")), "crm", str(file))
    (file.parent / "notes.txt").write_text("no database")
    with pytest.raises(BadInput, match="Asof cannot read this file as a SQLite database"):
        add_source(open_to(folders=str(file.parent)), "crm", str(file.parent / "notes.txt"))
    for place in ("postgresql://u:secret@127.0.0.1:5432/x", "postgresql://u:secret@169.254.169.254/x"):
        with pytest.raises(FetchRefused) as refusal:
            add_source(open_to(), "crm", place)
        assert "secret" not in str(refusal.value)
    for place in ("mysql://h/x", "postgresql:///x?host=/tmp", "postgresql://h/x?options=-c", "postgresql://h:port/x"):
        with pytest.raises(AsofError):
            add_source(open_to(intranet="h:5432"), "crm", place)


def test_an_address_with_its_password_is_kept_out_of_what_is_shown(open_to) -> None:
    workspace = open_to()
    place = "postgresql://u:secret@db.example.org/x"
    kept = warehouse(workspace).add_source(SqlDatabase(name="crm", workspace="_", kind="postgres", place=place))
    assert "secret" not in repr(kept)
    assert "secret" not in str(Settings())


KEYS = """
    CREATE TABLE clubs (id INTEGER PRIMARY KEY, city VARCHAR(20));
    CREATE TABLE members (name VARCHAR(20), club INTEGER REFERENCES clubs(id), town VARCHAR(20));
"""
MEMBER_OF = ForeignKey(table="members", column="club", other_table="clubs", other_column="id")


def test_foreign_keys_that_sqlite_declares_are_known(open_to, file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.executescript(KEYS + "CREATE TABLE wins (year INTEGER, winner INTEGER REFERENCES clubs);")
    connection.close()
    known = Source(open_to(folders=str(file.parent)), str(file)).database.foreign_keys
    assert known == (MEMBER_OF, ForeignKey(table="wins", column="winner", other_table="clubs", other_column="id"))


@pytest.mark.postgres
def test_foreign_keys_that_postgresql_declares_are_known(open_to, postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(f"DROP TABLE IF EXISTS members; DROP TABLE IF EXISTS clubs; {KEYS}")
        source = Source(open_to(intranet="127.0.0.1"), postgres_address)
        connection.execute("DROP TABLE members; DROP TABLE clubs")
    assert source.database.foreign_keys == (MEMBER_OF,)


def test_descriptions_and_metrics_stay_when_a_source_is_registered_again(open_to, file: Path) -> None:
    workspace = open_to(folders=str(file.parent))
    name = Source(workspace, str(file)).database.name
    warehouse(workspace).describe("_", name, "year of birth", table="people", column="born")
    warehouse(workspace).save_metric("_", name, Metric(name="heads", sql="SELECT count(*) FROM people"))
    again = Source(workspace, str(file)).database
    assert [column.description for column in again.tables[0].columns] == ["", "year of birth", ""]
    assert [metric.name for metric in again.metrics] == ["heads"]


def test_whoever_names_a_database_that_answers_by_itself_learns_to_choose_it(sqlite: Source) -> None:
    with pytest.raises(QueryRejected) as refusal:
        ask_sql(sqlite.workspace, SqlQuestion("SELECT * FROM crm.orders"))
    assert refusal.value.hint.startswith("To query the connected database “crm”, choose it")


def test_names_with_dots_are_read_in_quotation_marks(open_to, file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute('CREATE TABLE "sales.2020" AS SELECT 7 AS n')
    connection.close()
    source = Source(open_to(folders=str(file.parent)), str(file))
    assert source.ask('SELECT n FROM "sales.2020"').rows == ((7,),)
    assert source.ask('SELECT n FROM main."sales.2020"').rows == ((7,),)
    with pytest.raises(QueryRejected, match="no table"):
        source.ask("SELECT n FROM sales.people")


@pytest.mark.postgres
def test_a_server_that_signed_its_own_certificate_is_refused_where_it_is_verified(open_to) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with postgres_with_certificate(port):
        address = f"postgresql://asof@127.0.0.1:{port}/postgres?sslmode="
        workspace = open_to(intranet=f"127.0.0.1:{port}")
        assert add_source(workspace, "crm", address + "require").kind == "postgres"
        for mode in ("verify-ca", "verify-full"):
            with pytest.raises(BadInput, match="certificate"):
                add_source(workspace, "crm", address + mode)
