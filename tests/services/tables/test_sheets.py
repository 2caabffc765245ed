"""Facts from the sheets of an Excel file."""

from collections.abc import Callable
from datetime import date, datetime
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook

from services.core.errors import BadInput
from services.tables import open_table, read_facts, records
from services.tables.sheets import sheets
from tests.files.builders import archive, broken_xlsx, docx


def workbook(**sheets: list[list[Any]]) -> bytes:
    """An Excel file with rows by the names of its sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return saved(book)


def saved(book: Workbook) -> bytes:
    content = BytesIO()
    book.save(content)
    return content.getvalue()


HEAD = ["source", "relation", "target", "valid_at", "pay"]
PEOPLE = workbook(
    Cover=[],
    People=[HEAD, ["Ada", "WORKS_FOR", "Labs", datetime(2019, 3, 1), 12], [], ["Bob", "WORKS_FOR", "Labs", None, 7.5]],
    Boats=[HEAD, ["Ada", "OWNS", "Kite", "May 2020", None]],
)


def test_the_first_sheet_with_rows_is_read_unless_another_one_is_chosen() -> None:
    crew = open_table("crew.xlsx", PEOPLE)
    assert tuple(crew.sheets) == ("People", "Boats")
    assert [record["source"] for record in records(crew)] == ["Ada", "Bob"]
    assert [record["target"] for record in records(crew, "Boats")] == ["Kite"]
    with pytest.raises(BadInput, match="no sheet “Cover” with rows") as refused:
        records(crew, "Cover")
    assert refused.value.hint == "Choose one of these sheets: People, Boats."


def test_a_sheet_of_a_file_without_sheets_is_refused() -> None:
    with pytest.raises(BadInput, match=r"crew\.csv has no sheets"):
        records(open_table("crew.csv", b"source,relation,target\nAda,OWNS,Kite\n"), "Boats")


def test_days_of_a_sheet_are_days_and_numbers_are_numbers() -> None:
    first, second = records(open_table("crew.xlsx", PEOPLE))
    assert (first["valid_at"], first["pay"], second["valid_at"], second["pay"]) == (date(2019, 3, 1), 12, None, 7.5)
    mixed = workbook(S=[HEAD, ["a", "R", "b", datetime(2019, 3, 1)], ["a", "R", "c", "2020"]])
    assert [row.valid_at_precision for row in read_facts("mixed.xlsx", mixed).rows] == ["day", "year"]


def test_facts_are_read_from_a_sheet() -> None:
    table = read_facts("crew.xlsx", PEOPLE, sheet="Boats")
    assert [(row.source, row.target, row.valid_at_precision) for row in table.rows] == [("Ada", "Kite", "month")]
    assert (table.sheet, table.other_sheets) == ("Boats", ("People",))


def test_a_sheet_without_our_columns_is_named_with_the_sheets_that_may_have_them() -> None:
    book = workbook(Notes=[["who", "what"], ["Ada", "left"]], People=[HEAD, ["Ada", "WORKS_FOR", "Labs", None, 1]])
    with pytest.raises(BadInput, match=r"crew\.xlsx \(sheet “Notes”\) has no column source") as refused:
        read_facts("crew.xlsx", book)
    assert "Other sheets: “People”." in refused.value.hint


def test_a_day_in_a_column_of_date_times_is_a_day() -> None:
    book = Workbook()
    for row in [
        ["source", "relation", "target", "valid_at"],
        ["a", "R", "b", datetime(2019, 3, 1)],
        ["a", "R", "c", datetime(2019, 3, 2, 14, 30)],
        ["a", "R", "d", datetime(2019, 3, 3)],
    ]:
        book.active.append(row)
    book.active["D2"].number_format = "dd/mm/yyyy"
    rows = read_facts("mixed.xlsx", saved(book)).rows
    assert [row.valid_at_precision for row in rows] == ["day", "instant", "instant"]
    (_, table), *_ = sheets(saved(book))
    assert str(table.schema.field("valid_at").type).startswith("timestamp"), "SQL compares its cells as times"


def test_a_damaged_or_empty_workbook_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"Asof cannot read crew\.xlsx\. This file is not a readable Excel file\."):
        open_table("crew.xlsx", broken_xlsx())
    with pytest.raises(BadInput, match=r"crew\.xlsx is empty"):
        records(open_table("crew.xlsx", workbook(Cover=[])))


@pytest.mark.parametrize(("name", "content"), [("crew.zip", archive), ("crew.xlsx", archive), ("crew", docx)])
def test_a_zip_that_is_no_workbook_is_not_called_excel(name: str, content: Callable[[], bytes]) -> None:
    with pytest.raises(BadInput, match="The file is a ZIP archive, but not an Excel workbook") as refused:
        open_table(name, content())
    assert "Unpack the archive" in refused.value.hint
