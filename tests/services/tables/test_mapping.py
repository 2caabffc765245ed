"""Tables whose columns have other names than ours."""

import json
from datetime import UTC, datetime

import pytest

from services.core.errors import BadInput
from services.tables.bad_rows import rejects_file
from services.tables.column_guesses import date_columns, guess_mapping
from services.tables.files import open_table, records
from services.tables.mapping import ATTRIBUTE, TableMapping, check_mapping, mapping_of
from services.tables.tables import columns_of, read_facts


def guessed(text: str) -> TableMapping:
    found = records(open_table("t.csv", text.encode()))
    mapping = guess_mapping(columns_of(found), found)
    check_mapping(mapping, columns_of(found))
    return mapping


def rows(text: str, mapping: TableMapping | None = None):
    return read_facts("t.csv", text.encode(), mapping=mapping or guessed(text)).rows


@pytest.mark.parametrize(
    "head",
    [
        "subject,predicate,object,start,end",
        "From,Type,To,Since,Until",
        "head,property,tail,valid_from,valid_to",
        "entity,relationship type,value,from date,to date",
        "sourceName,edgeType,targetName,startDate,endDate",
    ],
)
def test_the_columns_of_a_table_of_facts_are_known_by_their_names(head):
    (row,) = rows(f"{head}\nAnn,WORKS_AT,Acme,2015,2018\n")
    assert (row.source, row.relation, row.target) == ("Ann", "WORKS_AT", "Acme")
    assert (row.valid_at, row.invalid_at) == (datetime(2015, 1, 1, tzinfo=UTC), datetime(2018, 1, 1, tzinfo=UTC))


def test_columns_of_dates_stay_dates_whatever_a_row_is_taken_for():
    found = records(
        open_table("t.csv", b"Who,Firm,Hired on,Left\nAnn,Acme,2020-01-02,2021-03-04\nBo,Acme,2020-05-06,\n")
    )
    meanings = [guess_mapping(columns_of(found), found, per).columns for per in (None, "fact", "entity")]
    assert [(one["Hired on"], one["Left"]) for one in meanings] == [("valid_at", "invalid_at")] * 3


def test_other_columns_are_attributes_and_evidence_is_the_source():
    (row,) = rows("subject,predicate,object,quote,weight\nAnn,KNOWS,Bob,They met.,3\n")
    assert (row.episode, dict(row.attributes)) == ("They met.", {"weight": "3"})


def test_beside_a_subject_the_source_is_the_speaker():
    (row,) = rows("subject,predicate,object,source\nAnn,KNOWS,Bob,a letter\n")
    assert (row.source, row.target, row.episode) == ("Ann", "Bob", "a letter")


def test_an_attribute_with_the_name_of_one_of_our_columns_takes_nobodys_place():
    columns = {"who": "source", "rel": "relation", "whom": "target", "source": ATTRIBUTE, "Created At": ATTRIBUTE}
    (row,) = rows("who,rel,whom,source,Created At\nAnn,KNOWS,Bob,HR,2015\n", TableMapping(columns))
    assert (row.source, row.created_at) == ("Ann", None)
    assert dict(row.attributes) == {"source_column": "HR", "created_at_column": "2015"}


def test_our_own_names_mean_what_they_say():
    head = "source,relation,target,fact,source_type,target_type,valid_at,invalid_at,created_at,episode"
    assert guessed(f"{head}\n{','.join('abcdefghij')}\n").columns == {name: name for name in head.split(",")}


def test_a_table_without_a_relation_gets_one_for_all():
    (row,) = rows("from,to\nAnn,Bob\n")
    assert row.relation == "RELATED_TO"
    (row,) = rows("from,to\nAnn,Bob\n", TableMapping({"from": "source", "to": "target"}, "KNOWS"))
    assert row.relation == "KNOWS"


def test_a_table_of_one_row_for_each_entity_gives_a_fact_for_each_cell():
    text = "name,type,employer,Home Town,age,since\nAnn,Person,Acme,Rome,41,2015\nBob,Person,,Paris,39,\n"
    found = guessed(text)
    assert dict(found.relations) == {"employer": "EMPLOYER", "Home Town": "HOME_TOWN"}
    facts = [(r.source, r.source_type, r.relation, r.target, r.valid_at and r.valid_at.year) for r in rows(text)]
    assert facts == [
        ("Ann", "Person", "EMPLOYER", "Acme", 2015),
        ("Ann", "Person", "HOME_TOWN", "Rome", 2015),
        ("Bob", "Person", "HOME_TOWN", "Paris", None),
    ]


def test_the_key_of_such_a_table_may_have_any_name():
    assert guessed("singer,band\nAnn,The A\nBob,The A\n").columns["singer"] == "source"


def test_a_bad_cell_is_still_named():
    table = read_facts(
        "t.csv",
        b"who,knows,whom\n,KNOWS,Bob\n",
        mapping=TableMapping({"who": "source", "knows": "relation", "whom": "target"}),
    )
    assert [(p.number, p.column) for p in table.problems] == [(1, "who")]


WIDE = "name,employer,city,since\nAnn,Acme,Rome,2015\nBob,Acme,Paris,2015-13-01\n\nCy,,Oslo,2016\n,Acme,Bern,2017\n"


def test_facts_of_a_table_of_one_row_for_each_entity_have_the_numbers_of_its_rows():
    table = read_facts("t.csv", WIDE.encode(), mapping=guessed(WIDE))
    assert [(row.number, row.target) for row in table.rows] == [(1, "Acme"), (1, "Rome"), (3, "Oslo")]
    assert [(p.number, p.column) for p in table.problems] == [(2, "since"), (4, "name")]
    assert (table.good, table.without_fact, len(table.rejected)) == (2, 0, 2)


def test_each_row_of_such_a_table_is_counted_once_also_one_that_gives_no_fact():
    text = "name,type,employer,city\nAnn,Person,Acme,Rome\nBob,Person,, \n,Person,,\n,Person,Acme,Bern\n"
    table = read_facts("t.csv", text.encode(), mapping=guessed(text))
    assert [(row.number, row.target) for row in table.rows] == [(1, "Acme"), (1, "Rome")]
    assert (table.good, table.without_fact, len(table.rejected)) == (1, 2, 1)


def test_bad_rows_of_such_a_table_come_as_they_stand_in_it():
    table = read_facts("t.csv", WIDE.encode(), mapping=guessed(WIDE))
    head, first, second = rejects_file(table)[1].decode().splitlines()
    assert head == "asof_row,asof_problem,name,employer,city,since"
    assert (first.startswith("2,since:"), second) == (True, "4,name: the value is missing,,Acme,Bern,2017")
    assert first.endswith(",Bob,Acme,Paris,2015-13-01")


def test_more_cells_than_columns_are_still_a_problem():
    table = read_facts(
        "t.csv", b"a,b,c\nAnn,KNOWS,Bob,more\n", mapping=TableMapping({"a": "source", "b": "relation", "c": "target"})
    )
    assert [p.reason for p in table.problems] == ["the row has more cells than the header has columns"]


GOOD = {"a": "source", "b": "relation", "c": "target"}


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        (TableMapping({"b": "relation", "c": "target"}), "The mapping has no source column."),
        (TableMapping({"a": "source", "b": "relation"}), "The mapping has no target column."),
        (TableMapping({"a": "source", "c": "target"}), "The mapping needs exactly one relation."),
        (TableMapping(GOOD, "KNOWS"), "The mapping needs exactly one relation."),
        (TableMapping({**GOOD, "d": "source"}), "“a” and “d” are both mapped to source."),
        (TableMapping({**GOOD, "z": ATTRIBUTE}), "The table has no column “z”."),
        (TableMapping({**GOOD, "d": "colour"}), "You cannot map a column to “colour”."),
        (
            TableMapping(GOOD, relations={"d": "KNOWS"}),
            "A table with one row per entity cannot have a relation or target column, but “b” is mapped to one.",
        ),
        (TableMapping({"a": "source"}, relations={"b": " "}), "The relation of “b” has no name."),
    ],
)
def test_a_mapping_that_cannot_be_meant_is_refused(mapping, message):
    with pytest.raises(BadInput) as refused:
        check_mapping(mapping, ("a", "b", "c", "d"))
    assert refused.value.message == message


def test_a_mapping_outlives_json():
    mapping = TableMapping({"a": "source"}, "", {"b": "KNOWS"})
    assert mapping_of(json.loads(json.dumps(mapping.document()))) == mapping
    with pytest.raises(BadInput):
        mapping_of({"columns": 3})


def test_nothing_is_guessed_where_nothing_can_be():
    found = records(open_table("t.csv", b"n,m\n1,2\n3,4\n"))
    mapping = guess_mapping(columns_of(found), found)
    assert set(mapping.columns.values()) == {""}


@pytest.mark.parametrize(
    ("text", "columns", "relations"),
    [
        (
            "Who;Verb;Whom;Since;Til\nAnn;KNOWS;Bob;2015-01-02;2018-03-04\n".replace(";", ","),
            {"Who": "source", "Verb": "relation", "Whom": "target", "Since": "valid_at", "Til": "invalid_at"},
            {},
        ),
        (
            "Employee,Company,Started,Finished\nAnn,Acme,2015-01-02,\nBob,Acme,2015-01-02,2018-03-04\n",
            {"Employee": "source", "Started": "valid_at", "Finished": "invalid_at"},
            {"Company": "COMPANY"},
        ),
        (
            "Erfasst,Name,Stadt\n01.03.2020,Ann,Rome\nfrüher,Bob,Rome\n03.03.2020,Cy,Ulm\n",
            {"Name": "source", "Erfasst": "valid_at"},
            {"Stadt": "STADT"},
        ),
        ("x,y\n2015-01,Ann\n2015-02,Bob\n", {"y": "source", "x": "valid_at"}, {}),
    ],
)
def test_a_column_of_dates_is_no_name(text, columns, relations):
    found = records(open_table("t.csv", text.encode()))
    guess = guess_mapping(columns_of(found), found)
    assert (dict(guess.columns), dict(guess.relations)) == (columns, relations)


def test_columns_of_dates_are_known_however_they_are_written():
    found = records(
        open_table("t.csv", b"a,b,c,d,e\n01.03.2020,2020-01,2015,yesterday,\n3/4/20,2020-02,2016,1.2.2020,\n,,,x,\n")
    )
    assert date_columns(columns_of(found), found) == ("a", "b")


def test_a_later_column_of_codes_is_not_what_the_rows_are_about() -> None:
    rows = [
        {"Staffer": "Ula Finn", "Dept.": "Payroll", "Desk": "A3"},
        {"Staffer": "Ula Finn", "Dept.": "Treasury", "Desk": "B1"},
        {"Staffer": "Rolf Dahl", "Dept.": "Payroll", "Desk": "A4"},
    ]
    assert guess_mapping([*rows[0]], rows).columns["Staffer"] == "source"
    codes = [{"Part": "A3", "Maker": "Kite Works"}, {"Part": "B1", "Maker": "Kite Works"}]
    assert guess_mapping([*codes[0]], codes).columns["Part"] == "source"
