"""Texts that a spreadsheet would run as a formula."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.formulas import as_meant, harmless
from services.tables.bad_rows import rejects_file
from services.tables.files import open_table, records
from services.tables.tables import read_facts

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "＝1+1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_preceded_by_an_apostrophe(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+3.5", "1-2", "a=b", "'quoted'", ""])
def test_a_number_or_a_text_that_is_no_formula_stays_as_it_is(text):
    assert harmless(text) == text


@given(st.text() | st.from_regex(r"'*[=+\-]\d*", fullmatch=True))
def test_what_went_out_comes_in_as_it_was(text):
    assert as_meant(harmless(text)) == text


def test_bad_rows_go_out_without_formulas_and_come_in_as_they_were():
    content = "source,relation,target,valid_at\n=HYPERLINK(1),R,@b,never\n"
    name, out = rejects_file(read_facts("facts.csv", content.encode()))
    cells = next(iter(csv.DictReader(io.StringIO(out.decode()))))
    assert (cells["source"], cells["target"]) == ("'=HYPERLINK(1)", "'@b")
    assert records(open_table(name, out))[0]["source"] == "=HYPERLINK(1)"
