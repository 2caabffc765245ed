"""Tables from files: what becomes of odd files, and of what was left."""

import io
from pathlib import Path

import pytest
from openpyxl import Workbook

from services.core.errors import BadInput
from services.sql import file_process
from services.sql.warehouse import Warehouse

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
    monkeypatch.setattr(file_process, "_MOST_UNPACKED", 20)  # each takes 8 bytes
    with pytest.raises(BadInput, match="unpacks to more than"):
        file_process.read(task, b"")


def test_what_a_killed_process_left_is_deleted(kept: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "sql").mkdir()
    given = tmp_path / "sql" / f"{'a' * 32}.reading"
    given.touch()
    home = kept.file(kept.add_files("mine", "_", [("a.csv", b"n\n1\n")])).parent
    assert not given.exists()
    for end in ("duckdb", "duckdb.wal", "json"):
        (home / f"{'b' * 32}.{end}").touch()
    database = kept.describe("_", "mine", "what it holds")
    assert sorted(file.name for file in home.iterdir()) == sorted(["database.json", database.place])


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
