"""Facts from the sheets of an Excel file."""

from datetime import date, datetime
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook

from services.core.errors import BadInput
from services.tables import read_facts, records, sheet_names
from tests.files.builders import broken_xlsx


def workbook(**sheets: list[list[Any]]) -> bytes:
    """An Excel file with rows by the names of its sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
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
    assert sheet_names("crew.xlsx", PEOPLE) == ("People", "Boats")
    assert [record["source"] for record in records("crew.xlsx", PEOPLE)] == ["Ada", "Bob"]
    assert [record["target"] for record in records("crew.xlsx", PEOPLE, "Boats")] == ["Kite"]
    with pytest.raises(BadInput, match="no sheet “Cover” with rows") as refused:
        records("crew.xlsx", PEOPLE, "Cover")
    assert refused.value.hint == "Choose one of: People, Boats."


def test_days_of_a_sheet_are_days_and_numbers_are_numbers() -> None:
    first, second = records("crew.xlsx", PEOPLE)
    assert (first["valid_at"], first["pay"], second["valid_at"], second["pay"]) == (date(2019, 3, 1), 12, None, 7.5)
    mixed = workbook(S=[HEAD, ["a", "R", "b", datetime(2019, 3, 1)], ["a", "R", "c", "2020"]])
    assert [row.valid_at_precision for row in read_facts("mixed.xlsx", mixed).rows] == ["day", "year"]


def test_facts_are_read_from_a_sheet() -> None:
    table = read_facts("crew.xlsx", PEOPLE, sheet="Boats")
    assert [(row.source, row.target, row.valid_at_precision) for row in table.rows] == [("Ada", "Kite", "month")]


def test_a_damaged_or_empty_workbook_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"crew\.xlsx cannot be read\. This Excel file cannot be read\."):
        records("crew.xlsx", broken_xlsx())
    with pytest.raises(BadInput, match=r"crew\.xlsx is empty"):
        records("crew.xlsx", workbook(Cover=[]))
