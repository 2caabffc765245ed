"""Tables from files: what becomes of odd files, and of what was left."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import Workbook

from services.core.errors import BadInput
from services.sql import file_process
from services.sql.warehouse import Warehouse
from services.tables import sheets

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path / "sql")


def excel(*sheets: str) -> bytes:
    book, written = Workbook(), io.BytesIO()
    book.remove(book.active)
    for number, name in enumerate(sheets):
        sheet = book.create_sheet(name)
        for row in (["n"], [number]):
            sheet.append(row)
    book.save(written)
    return written.getvalue()


def test_sheets_whose_names_are_alike_become_a_table_each(kept: Warehouse) -> None:
    for _ in range(2):
        tables = kept.add_files("mine", "_", [("book.xlsx", excel("Q 1", "Q-1", "q.1"))]).tables
        assert [table.name for table in tables] == ["book_q_1", "book_q_1_2", "book_q_1_3"]
        assert [table.columns[0].samples for table in tables] == [("0",), ("1",), ("2",)]


def test_sheets_that_are_too_large_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "book.xlsx"
    file.write_bytes(excel("a", "b", "c"))
    task = {"path": str(file), "format": "excel"}
    assert len(file_process.read(task, b"")) == 3
    monkeypatch.setattr(sheets, "_MOST_UNPACKED", 20)  # each takes 8 bytes
    with pytest.raises(BadInput, match="unpacks to more than"):
        file_process.read(task, b"")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (("3.1", "3.9", "3.10", "3.11"), "VARCHAR"),
        (("1.50", "2.25", "10.00"), "DOUBLE"),
        (("1.50", "2.25", "3"), "DOUBLE"),
        (("12.0", "3.25", "7.5"), "DOUBLE"),
        (("1.5", "", "1e10"), "DOUBLE"),
    ],
)
def test_numbers_that_would_not_be_written_back_are_text(kept: Warehouse, values: tuple[str, ...], kind: str) -> None:
    for ending, mark in (("csv", ","), ("tsv", "\t")):
        for head in (["version", "the name"], []):
            lines = [mark.join(row) for row in (head, *((value, "x") for value in values)) if row]
            (table,) = kept.add_files("mine", "_", [(f"a.{ending}", "\n".join(lines).encode())]).tables[-1:]
            assert (table.rows, table.columns[0].type) == (len(values), kind)
            if kind == "VARCHAR":
                assert set(table.columns[0].samples) == set(values)


def test_what_a_killed_process_left_is_deleted(kept: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "sql").mkdir()
    given = tmp_path / "sql" / f"{'a' * 32}.reading"
    being_read = given.with_name(f"{'c' * 32}.reading")
    for file in (given, being_read):
        file.touch()
    os.utime(given, (0, 0))
    before = kept.add_files("mine", "_", [("a.csv", b"n\n1\n")])
    assert (given.exists(), being_read.exists()) == (False, True), "another process may be reading the last"
    home = kept.file(before).parent
    for name in (f"{'b' * 32}.duckdb", f"{'b' * 32}.duckdb.wal", "database.json.1.new"):
        (home / name).touch()
    after = kept.add_files("mine", "_", [("a.csv", b"n\n2\n")])
    assert sorted(file.name for file in home.iterdir()) == sorted(["database.json", after.place, before.place])


def test_a_file_stays_until_the_change_after_next(kept: Warehouse) -> None:
    first, second, third = (kept.add_files("mine", "_", [("a.csv", b"n\n%d\n" % number)]) for number in range(3))
    kept.describe("_", "mine", "what it holds")
    assert [kept.file(one).exists() for one in (first, second, third)] == [False, True, True]


def test_processes_that_add_files_at_once_keep_each_others(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from services.sql.warehouse import Warehouse;"
        "Warehouse(Path(sys.argv[1])).add_files('shop', '_', [(sys.argv[2] + '.csv', b'n\\n1\\n')])"
    )
    names = [f"t{number}" for number in range(4)]
    adding = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "sql"), name]) for name in names]
    assert [process.wait() for process in adding] == [0] * 4
    tables = Warehouse(tmp_path / "sql").database("_", "shop").tables
    assert sorted(table.name for table in tables) == names


def test_databases_of_all_workspaces_are_changed_for_an_administrator_alone(kept: Warehouse, tmp_path: Path) -> None:
    rates = [("rates.csv", b"n\n1\n")]
    with pytest.raises(BadInput, match="all workspaces"):
        kept.add_files("world", None, rates)
    Warehouse(tmp_path / "sql", for_administrator=True).add_files("world", None, rates)
    for change in (
        lambda: kept.add_files("world", None, rates),
        lambda: kept.add_files("world", "_", rates),
        lambda: kept.describe("_", "world", "x"),
        lambda: kept.remove("_", "world"),
    ):
        with pytest.raises(BadInput):
            change()
    assert [one.name for one in kept.databases("_")] == ["world"]
    assert kept.databases("_")[0].description == ""
