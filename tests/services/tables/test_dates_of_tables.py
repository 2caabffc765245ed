"""Dates in tables: how they were given, and where an end lies."""

import json
from datetime import UTC, date, datetime, timedelta

import pyarrow as pa
import pytest

from services.tables.tables import read_facts
from tests.services.tables.reading import facts, parquet, problems


def test_an_end_is_exclusive_unless_the_table_declares_it_inclusive():
    header, line = "source,relation,target,valid_at,invalid_at", "Ann,WORKS_AT,Acme,2015-03-01,2015-12-31"
    assert facts(header, line).rows[0].invalid_at == datetime(2015, 12, 31, tzinfo=UTC)
    assert facts(header, line, inclusive_ends=True).rows[0].invalid_at == datetime(2016, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("end", "read"),
    [
        ("2015", datetime(2016, 1, 1, tzinfo=UTC)),
        ("2015-12", datetime(2016, 1, 1, tzinfo=UTC)),
        ("December 2015", datetime(2016, 1, 1, tzinfo=UTC)),
        ("1 Oct2015", datetime(2015, 10, 2, tzinfo=UTC)),
        ("31 December 2015", datetime(2016, 1, 1, tzinfo=UTC)),
        ("2015-12-31T10:00:00Z", datetime(2015, 12, 31, 10, tzinfo=UTC)),
    ],
)
def test_an_inclusive_end_goes_through_what_it_names_and_a_time_of_day_stays(end, read):
    table = facts("source,relation,target,invalid_at", f"Ann,WORKS_AT,Acme,{end}", inclusive_ends=True)
    assert table.rows[0].invalid_at == read


JANUARY_ENDS = datetime(2013, 2, 1, tzinfo=UTC) - timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("cell", "precision"),
    [
        ("1974", "year"),
        ("1974-05", "month"),
        ("May 1974", "month"),
        ("1974-05-22", "day"),
        ("22 May 1974", "day"),
        ("1974-05-22T00:00:00Z", "instant"),
        ("1974-05-22 14:30", "instant"),
        ("", "instant"),
    ],
)
def test_a_date_remembers_how_its_cell_names_it(cell, precision):
    (row,) = facts("source,relation,target,valid_at,invalid_at", f"Ann,IS,Here,{cell},").rows
    (ending,) = facts("source,relation,target,valid_at,invalid_at", f"Ann,IS,Here,,{cell}").rows
    assert (row.valid_at_precision, row.invalid_at_precision) == (precision, "instant")
    assert (ending.valid_at_precision, ending.invalid_at_precision) == ("instant", precision)


def test_years_and_days_that_are_no_texts_have_a_precision_too():
    days = {"valid_at": 1974, "invalid_at": "1979"}, {"valid_at": 1974, "invalid_at": None}
    table = read_facts(
        "a.json", json.dumps([{"source": "a", "relation": "R", "target": "b", **d} for d in days]).encode()
    )
    assert [row.valid_at_precision for row in table.rows] == ["year", "year"]
    columns = {"source": ["a"], "relation": ["R"], "target": ["b"], "valid_at": [date(1974, 5, 22)]}
    (row,) = read_facts("a.parquet", parquet(pa.table(columns))).rows
    assert row.valid_at_precision == "day"


@pytest.mark.parametrize(
    ("start", "end", "stored", "precision"),
    [
        ("2013", "2014", datetime(2014, 1, 1, tzinfo=UTC), "year"),
        ("Jan 2013", "Jan 2013", JANUARY_ENDS, "month"),
        ("2013-01-20", "2013-01", JANUARY_ENDS, "month"),
        ("2013-01-20T10:00:00Z", "2013", datetime(2014, 1, 1, tzinfo=UTC) - timedelta(microseconds=1), "year"),
    ],
)
def test_an_end_that_is_not_after_its_start_is_read_through_its_year_or_month(start, end, stored, precision):
    (row,) = facts("source,relation,target,valid_at,invalid_at", f"Ann,IS,Here,{start},{end}").rows
    assert (row.invalid_at, row.invalid_at_precision) == (stored, precision)


def test_an_end_before_the_start_stays_a_bad_row():
    lines = "Ann,IS,Here,2014,2013", "Ann,IS,Here,2013-02,2013-01", "Ann,IS,Here,2013-01-01,2013-01-01T00:00:00Z"
    assert problems(facts("source,relation,target,valid_at,invalid_at", *lines)) == [
        (n, "invalid_at") for n in (1, 2, 3)
    ]


def test_columns_say_how_dates_are_given_and_that_a_fact_has_ended():
    table = facts(
        "source,relation,target,valid_at,invalid_at,valid_at_precision,invalid_at_precision,ended_unknown",
        "Ann,IS,Here,1974-01-01T00:00:00+00:00,1979-01-01T00:00:00+00:00,Year,year,no",
        "Ann,IS,Here,1974,,,month,YES",
        "Ann,IS,Here,1974,1979,decade,,perhaps",
    )
    first, second = table.rows
    assert (first.valid_at_precision, first.invalid_at_precision, first.ended_unknown) == ("year", "year", False)
    assert (second.valid_at_precision, second.invalid_at_precision, second.ended_unknown) == ("year", "instant", True)
    assert problems(table) == [(3, "valid_at_precision"), (3, "ended_unknown")]


DATED = "source,relation,target,valid_at,valid_at_precision,invalid_at,invalid_at_precision"


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        (
            "2013-05-07,year",
            "2014,",
            "row 1, column valid_at_precision: the date 2013-05-07 is more precise than a year",
        ),
        ("2013-05,year", ",", "row 1, column valid_at_precision: the date 2013-05-01 is more precise than a year"),
        (
            "2013-06,",
            "2013-05-07,year",
            "row 1, column invalid_at_precision: the date 2013-05-07 is more precise than a year",
        ),
        (
            "2013-05-07T10:00:00Z,day",
            ",",
            "row 1, column valid_at_precision: the date 2013-05-07T10:00:00Z is more precise than a day",
        ),
    ],
)
def test_a_date_that_is_more_exact_than_its_row_says_is_a_bad_row(start, end, problem):
    table = facts(DATED, f"Ann,IS,Here,{start},{end}")
    assert list(map(str, table.problems)) == [problem]


def test_first_and_last_instants_of_a_year_or_month_are_dates_of_it():
    dates = (
        "2013-01-01T00:00:00Z,year,2013-12-31T23:59:59.999999Z,year",
        "2013-05-01,month,2013-06-01,month",
        "2013,month,,",
    )
    assert facts(DATED, *(f"Ann,IS,Here,{one}" for one in dates)).problems == ()


def test_what_begins_after_it_is_said_to_have_ended_is_a_bad_row():
    header = "source,relation,target,valid_at,created_at,expired_at,ended_unknown"
    future = (datetime.now(UTC) + timedelta(days=800)).year
    lines = f"{future},,,yes", "2013,2012-01-01,,yes", "2013,2013-05-01,,yes", f"{future},,,no", "2013,,2012-01-01,yes"
    table = facts(header, *(f"Ann,IS,Here,{line}" for line in lines))
    assert problems(table) == [(1, "ended_unknown"), (2, "ended_unknown")]
    assert table.problems[1].reason == "the fact cannot end before its start 2013-01-01"


def test_an_inclusive_end_is_an_instant_and_one_with_a_time_is_what_its_column_says():
    header = "source,relation,target,valid_at,invalid_at,invalid_at_precision"
    lines = "Ann,IS,Here,2013,2013,", "Ann,IS,Here,2013,2014,year", "Ann,IS,Here,2013,2014-01-01T00:00:00Z,year"
    read = facts(header, *lines, inclusive_ends=True).rows
    assert [row.invalid_at_precision for row in read] == ["instant", "instant", "year"]
    assert [row.valid_at_precision for row in read] == ["year", "year", "year"]
    assert read[0].invalid_at == read[2].invalid_at == datetime(2014, 1, 1, tzinfo=UTC)


def test_one_day_is_a_span_when_ends_are_inclusive():
    table = facts("source,relation,target,valid_at,invalid_at", "Ann,IS,Ill,2015-03-01,2015-03-01", inclusive_ends=True)
    assert table.problems == ()


def test_an_inclusive_end_at_the_end_of_time_is_a_problem_and_no_crash():
    table = facts(
        "source,relation,target,invalid_at", "Ann,IS,Here,9999", "Ann,IS,Here,9999-12-31", inclusive_ends=True
    )
    assert problems(table) == [(1, "invalid_at"), (2, "invalid_at")]
