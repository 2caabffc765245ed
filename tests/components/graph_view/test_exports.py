"""The picture as files."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.graph_view import exports
from services.core.models import Entity, Instants
from services.tables.tables import read_facts
from tests.components.graph_view.graphs import LATER, START, entity, fact
from tests.services.writing.imports import Graph

AT = Instants(START, LATER)
NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"


def test_json_says_the_instants_and_whether_each_fact_holds() -> None:
    read = json.loads(exports.as_json([entity("a")], [fact("f", "a", "b"), fact("g", "a", "b", valid_at=LATER)], AT))
    assert read["as_of"] == "2015-01-01T00:00:00+00:00"
    assert [f["holds"] for f in read["facts"]] == [True, False]


@pytest.mark.parametrize("name", ["=1+1", "+1+2", "-2*3", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_a_spreadsheet_would_run_is_made_harmless(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(exports.as_csv([], [fact("f", name, "b")], AT, {}), newline="")))
    assert rows[0]["source"] == f"'{name}"


def test_csv_has_the_columns_of_an_import_and_survives_odd_names() -> None:
    odd = 'a "quoted", name\nof two lines; ń'
    content = exports.as_csv([], [fact("f", odd, "b", created_at=START)], AT, {})
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    assert rows[0]["source"] == odd
    assert rows[0]["created_at"] == "2015-01-01T00:00:00+00:00"
    assert rows[0]["invalid_at"] == ""


def test_csv_tells_the_types_of_both_ends_and_the_sources_of_a_fact() -> None:
    ends = [Entity("a", "Ann", ("Person",)), Entity("b", "Bolt", ("Company", "Shop")), Entity("c", "c")]
    facts = [replace(fact("f", "a", "b"), episodes=("1", "2", "3")), fact("g", "b", "c")]
    names = {"1": "=A letter", "2": "Minutes | May", "3": ""}
    first, second = csv.DictReader(io.StringIO(exports.as_csv(ends, facts, AT, names), newline=""))
    assert (first["source_type"], first["target_type"]) == ("Person", "Company")
    assert first["asof_sources"] == "'=A letter | Minutes | May | 3"
    assert (second["source_type"], second["target_type"], second["asof_sources"]) == ("Company", "", "")


def test_an_exported_csv_is_imported_as_what_it_was() -> None:
    ends = [Entity("a", "a", ("Person",)), Entity("b", "b")]
    content = exports.as_csv(ends, [replace(fact("f", "a", "b"), episodes=("1",))], AT, {"1": "A letter"})
    table = read_facts("facts.csv", content.encode())
    (row,) = table.rows
    assert (row.source, row.source_type, row.target, row.target_type) == ("a", "Person", "b", "")
    assert (row.episode, dict(row.attributes)) == ("", {})
    assert "asof_sources" not in table.columns


dates = st.sampled_from(["", "2013", "2013-05", "May 2013", "2013-05-22", "2013-05-22T14:30:00Z", "2014", "2014-02-01"])
SAID = datetime(2026, 1, 1, tzinfo=UTC)
ends = st.sampled_from(["", "2014", "2014-12", "2015-01-01", "2016-03-01T00:00:00Z"])


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from("abc"), dates, ends, st.sampled_from(["", "yes"]), st.sampled_from(["", "2020-02-03"])
        ),
        min_size=1,
        max_size=4,
        unique_by=lambda row: row[0],
    ),
    inclusive=st.booleans(),
)
def test_a_graph_is_the_same_after_import_export_and_import(rows: list[tuple[str, ...]], inclusive: bool) -> None:
    header = "source,relation,target,valid_at,invalid_at,ended_unknown,created_at"
    lines = [f"{name},R,b,{start},{end},{over},{said}" for name, start, end, over, said in rows]
    table = read_facts("given.csv", "\n".join([header, *lines]).encode(), inclusive_ends=inclusive)
    first, again = Graph(), Graph()
    first.take(*table.rows, now=SAID)
    content = exports.as_csv([*first.entities.values()], first.facts, Instants(SAID, SAID), {})
    exported = read_facts("facts.csv", content.encode(), inclusive_ends=inclusive)
    assert exported.problems == ()
    again.take(*exported.rows)
    assert again.facts == first.facts


def test_json_tells_how_dates_were_given_only_where_that_is_known() -> None:
    over = fact("g", "a", "b", expired_at=START)
    plain, told = fact("f", "a", "b"), replace(over, valid_at_precision="year", ended_unknown=True)
    first, second = json.loads(exports.as_json([], [plain, told], AT))["facts"]
    assert "valid_at_precision" not in first
    assert (second["valid_at_precision"], second["invalid_at"], second["ended_unknown"]) == ("year", None, True)


def test_an_export_as_known_earlier_tells_nothing_of_an_end_that_was_learned_later() -> None:
    over = replace(fact("f", "a", "b", invalid_at=START, expired_at=LATER), ended_unknown=True)
    (early,) = json.loads(exports.as_json([], [over], Instants(LATER, START)))["facts"]
    assert (early["invalid_at"], early["expired_at"], "ended_unknown" in early) == (None, None, False)
    (late,) = json.loads(exports.as_json([], [over], Instants(LATER, LATER)))["facts"]
    assert late["expired_at"] == "2016-02-05T00:00:00+00:00"


def test_graphml_is_a_directed_multigraph_with_every_fact() -> None:
    facts = [fact("f", "a", "b"), fact("g", "a", "b"), fact("h", "b", "a")]
    graph = ElementTree.fromstring(exports.as_graphml([entity("a"), entity("b")], facts, AT)).find(f"{NAMESPACE}graph")
    assert graph is not None
    assert graph.get("edgedefault") == "directed"
    assert [e.get("source") for e in graph.iter(f"{NAMESPACE}edge")] == ["a", "a", "b"]


def test_graphml_escapes_markup_and_drops_what_xml_cannot_hold() -> None:
    odd = Entity("a", "<b> & \x00 \x1f done", ())
    read = ElementTree.fromstring(exports.as_graphml([odd], [], AT))
    assert "<b> &   done" in [data.text for data in read.iter(f"{NAMESPACE}data")]
