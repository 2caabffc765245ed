"""What the SQL page makes of a result: its types, its files, the chart that fits, and the line of a problem."""

import io
from typing import Any

import pandas as pd
import pytest

from components.sql import chart_choice, frames
from components.sql.problem import place_of
from components.sql.sql_view import SqlView
from services.core.errors import QueryRejected
from services.sql import QueryResult


def result(types: dict[str, str], *rows: tuple[Any, ...]) -> QueryResult:
    return QueryResult(tuple(types), tuple(types.values()), rows, False, "")


def fitting(types: dict[str, str], *rows: tuple[Any, ...]) -> tuple[str, str, tuple[str, ...], str] | None:
    """Return kind, axis, columns and split of the chart that fits."""
    found = result(types, *rows)
    chosen = chart_choice.chosen(found, frames.frame_of(found))
    return chosen and (chosen.kind, chosen.x, chosen.ys, chosen.split)


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("BIGINT", "number"),
        ("DECIMAL(18,2)", "number"),
        ("float8", "number"),
        ("DATE", "instant"),
        ("TIMESTAMP WITH TIME ZONE", "instant"),
        ("VARCHAR", "text"),
        ("INTEGER[]", "text"),
        ("BOOLEAN", "text"),
        ("INTERVAL", "text"),
        ("", "text"),
    ],
)
def test_a_column_is_judged_by_its_type(type_name: str, kind: str) -> None:
    assert frames.column_kind(type_name) == kind


def test_columns_of_one_name_are_told_apart() -> None:
    assert frames.unlike(("a", "a", "a_2", "a")) == ["a", "a_3", "a_2", "a_4"]


def test_values_beyond_a_type_stay_as_they_came() -> None:
    frame = frames.frame_of(result({"n": "HUGEINT", "day": "DATE"}, (2**80, "0044-03-15 (BC)"), (1, "2020-01-01")))
    assert str(frame["n"][0]) == str(2**80)
    assert frame["day"][0] == "0044-03-15 (BC)"


def test_files_have_the_rows_of_the_result() -> None:
    found = result({"name": "VARCHAR", "n": "BIGINT", "on": "DATE"}, ("a,b", 1, "2020-01-01"), (None, None, None))
    assert frames.as_csv(found).splitlines() == ["name,n,on", '"a,b",1,2020-01-01', ",,"]
    kept = pd.read_parquet(io.BytesIO(frames.as_parquet(found)))
    assert kept["n"].tolist()[0] == 1
    assert kept["on"][0] == pd.Timestamp("2020-01-01")


def test_lists_and_structures_are_written_as_text() -> None:
    found = result({"list": "VARCHAR[]"}, (["a", "b"],), ([],))
    assert pd.read_parquet(io.BytesIO(frames.as_parquet(found)))["list"].tolist() == ["['a', 'b']", "[]"]


def test_numbers_over_dates_are_a_line_and_few_names_split_it() -> None:
    days = ("2020-01-01", 1), ("2020-02-01", 2)
    assert fitting({"day": "DATE", "n": "BIGINT"}, *days) == ("line", "day", ("n",), "")
    named = [(day, who, n) for day, n in days for who in ("Ada", "Bob")]
    assert fitting({"day": "DATE", "who": "VARCHAR", "n": "BIGINT"}, *named) == ("line", "day", ("n",), "who")


def test_numbers_by_name_are_bars_and_counts_are_stacked() -> None:
    assert fitting({"who": "VARCHAR", "n": "DOUBLE"}, ("Ada", 1.5), ("Bob", 2.5)) == ("bars", "who", ("n",), "")
    counts = {"who": "VARCHAR", "open": "BIGINT", "closed": "BIGINT"}
    assert fitting(counts, ("Ada", 1, 2), ("Bob", 3, 4)) == ("stacked", "who", ("open", "closed"), "")


def test_a_total_is_not_stacked_on_its_parts() -> None:
    types = {"who": "VARCHAR", "open": "BIGINT", "closed": "BIGINT", "rows": "BIGINT"}
    assert fitting(types, ("Ada", 1, 2, 3), ("Bob", 3, 4, 7)) == ("stacked", "who", ("open", "closed"), "")


def test_years_are_an_order_and_keys_no_amounts() -> None:
    assert fitting({"year": "BIGINT", "n": "BIGINT"}, (2019, 1), (2020, 2)) == ("bars", "year", ("n",), "")
    assert fitting({"order_id": "BIGINT", "n": "BIGINT"}, (1, 1), (2, 2)) == ("bars", "order_id", ("n",), "")


def test_two_numbers_are_points_and_one_row_is_no_chart() -> None:
    assert fitting({"a": "DOUBLE", "b": "DOUBLE"}, (1.0, 2.0), (3.0, 4.0)) == ("points", "a", ("b",), "")
    assert fitting({"who": "VARCHAR", "n": "BIGINT"}, ("Ada", 1)) is None
    assert fitting({"who": "VARCHAR"}, ("Ada",), ("Bob",)) is None


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("Asof cannot read this SQL (line 2, near “FORM”).", (2, "FORM")),
        ("DELETE is not allowed here.", (3, "DELETE")),
        ("There is no table “main.faktz” that this SQL can read.", (2, "faktz")),
        ('Binder Error: Referenced column "nope" not found in FROM clause!', (1, "nope")),
        ("The query took longer than 30 seconds.", None),
    ],
)
def test_a_problem_is_placed_at_the_line_that_it_names(message: str, place: tuple[int, str] | None) -> None:
    found = place_of(QueryRejected(message), "SELECT nope -- DELETE\nFORM faktz\nDELETE")
    assert (found and (found.line, found.word)) == place


def test_an_address_keeps_empty_values_and_signs() -> None:
    view = SqlView(sql="SELECT 'a & b' = :x\n-- 100%", values=(("x", ""), ("y", "a=b&c")), files=(("f.t", "12ab"),))
    assert SqlView.read(view.written()) == view


def test_files_keep_every_digit_beside_empty_cells() -> None:
    long = 9007199254740993
    found = result({"n": "BIGINT", "price": "DECIMAL(38,2)"}, (long, "12345678901234567.89"), (None, 1.5))
    kept = pd.read_parquet(io.BytesIO(frames.as_parquet(found)))
    assert int(kept["n"][0]) == long
    assert pd.isna(kept["n"][1])
    assert kept["price"].tolist() == ["12345678901234567.89", "1.5"]
    assert chart_choice.columns_of(found, frames.frame_of(found)).numbers == ("n",)


def test_no_cell_of_a_file_is_one_that_a_spreadsheet_would_run() -> None:
    found = result({"=name": "VARCHAR", "n": "BIGINT"}, ('=HYPERLINK("x")', -1), ("+1", 2), ("@home", 3))
    assert frames.as_csv(found).splitlines() == ["'=name,n", '"\'=HYPERLINK(""x"")",-1', "+1,2", "'@home,3"]
