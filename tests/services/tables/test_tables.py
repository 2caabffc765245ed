"""Reading facts from files: what is taken, and what is named as a problem."""

import json
from datetime import UTC, date, datetime

import pyarrow as pa
import pytest

from services.core import clock
from services.core.errors import BadInput
from services.tables import files
from services.tables.bad_rows import rejects_file
from services.tables.tables import read_facts
from tests.services.tables.reading import facts, parquet, problems

RECORDS = [
    {"source": "Ann", "relation": "WORKS_AT", "target": "Acme", "valid_at": "2015-03-01", "role": "cook"},
    {"source": "Bo", "relation": "KNOWS", "target": "Zoë", "valid_at": None, "role": None},
]


TEXT = "source,relation,target,valid_at,role\nAnn,WORKS_AT,Acme,2015-03-01,cook\nBo,KNOWS,Zoë,,\n"


SPELLED = TEXT.replace("source", " Source ").replace("relation", "RELATION").replace("valid_at", "Valid At")


JSON = json.dumps(RECORDS, indent=1).encode()


LINES = b"\n".join(json.dumps(record).encode() for record in RECORDS)


PARQUET = parquet(pa.Table.from_pylist(RECORDS))


FILES = {
    "a.csv": TEXT.encode(),
    "bom and carriage returns.csv": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n\r\n").encode(),
    "spelled.csv": SPELLED.replace("2015-03-01", "1 March 2015").encode(),
    "semicolons.csv": TEXT.replace(",", ";").encode(),
    "a.tsv": TEXT.replace(",", "\t").encode(),
    "a.json": JSON,
    "wrapped.json": json.dumps({"facts": RECORDS}).encode(),
    "a.jsonl": LINES + b"\n\n",
    "a.parquet": PARQUET,
    "csv without an ending": TEXT.encode(),
    "json without an ending": JSON,
    "lines without an ending": LINES,
    "parquet without an ending": PARQUET,
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_rows(name):
    table = read_facts(name, FILES[name])
    assert table.problems == ()
    first, second = table.rows
    assert (first.number, first.source, first.relation, first.target) == (1, "Ann", "WORKS_AT", "Acme")
    assert (first.valid_at, dict(first.attributes)) == (datetime(2015, 3, 1, tzinfo=UTC), {"role": "cook"})
    assert (second.number, second.target, second.valid_at, dict(second.attributes)) == (2, "Zoë", None, {})


def test_bad_rows_are_named_by_number_and_column_and_good_ones_are_kept():
    table = facts(
        "source,relation,target,valid_at,invalid_at",
        "Ann,WORKS_AT,Acme,2015-03-01,",
        ",WORKS_AT,,2015-03-01,",
        "Ann,WORKS_AT,Acme,soon,2015-13-01",
        "Ann,WORKS_AT,Acme,2015-03-01,2015-03-01",
        "Ann,WORKS_AT,Acme,2015-03-01,2015-04-01,more",
        "Bo,KNOWS,Ann,,",
    )
    assert problems(table) == [
        (2, "source"),
        (2, "target"),
        (3, "valid_at"),
        (3, "invalid_at"),
        (4, "invalid_at"),
        (5, ""),
    ]
    assert [row.number for row in table.rows] == [1, 6]
    assert "soon" in table.problems[2].reason
    assert str(table.problems[4]) == "row 4, column invalid_at: the end 2015-03-01 must be after the start 2015-03-01"


def test_a_file_with_bad_rows_says_so_in_one_line():
    table = facts("source,relation,target", "Ann,,Acme", "Ann,KNOWS,Bo")
    with pytest.raises(BadInput, match=r"facts\.csv has 1 bad row, so Asof imported nothing: row 1, column relation"):
        table.needs_all()


def test_what_no_graph_can_have_recorded_is_a_bad_row(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 26, 12, tzinfo=UTC))
    lines = (
        "a,R,b,2026-11-26T12:01:00Z,,",
        "a,R,b,2026-11-26T12:01:01Z,,",
        "a,R,b,2020-05-01,2020-05-01,",
        "a,R,b,2020-05-01,2020-04-30,",
        "a,R,b,,2027-01-01,2027-01-02",
    )
    header = "source,relation,target,created_at,expired_at,withdrawn_at"
    table = read_facts("x.csv", "\n".join((header, *lines)).encode())
    assert [row.number for row in table.rows] == [1, 3]
    assert list(map(str, table.problems)) == [
        "row 2, column created_at: 2026-11-26T12:01:01Z is in the future",
        "row 4, column expired_at: 2020-04-30 is before created_at, 2020-05-01",
        "row 5, column expired_at: 2027-01-01 is in the future",
        "row 5, column withdrawn_at: 2027-01-02 is in the future",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cell"), [(20_000_000, None), (40_000, "x" * 50_000)], ids=["rows without end", "one long word"]
)
def test_a_parquet_file_that_unpacks_to_more_than_a_table_holds_is_refused(rows: int, cell: str | None) -> None:
    words = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), rows), [cell])
    content = parquet(pa.table({"source": words if cell else pa.nulls(rows)}))
    assert len(content) < 1_000_000
    with pytest.raises(BadInput, match="more than"):
        read_facts("a.parquet", content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps([{}] * 4)),
        ("a.jsonl", "{}\n" * 4),
        ("a.csv", "source\n" + "x\n" * 4),
        ("a.json", json.dumps([{"source": list(range(8))}])),
        ("a.json", json.dumps([{str(number): 0} for number in range(3)])),
        ("a.tsv", "source\trelation\ttarget\tfact\n" + "x\tR\ty\tz\n"),
    ],
    ids=["JSON", "lines", "CSV", "a list without end", "each row has a column of its own", "wide"],
)
def test_a_table_of_more_rows_or_cells_than_may_be_is_refused(
    name: str, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_MOST_ROWS", 3)
    monkeypatch.setattr(files, "_MOST_CELLS", 7)
    with pytest.raises(BadInput, match="has more than 3 rows or 7 cells"):
        read_facts(name, content.encode())


def test_a_table_of_as_many_rows_and_cells_as_may_be_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"source": name, "relation": "IS", "target": "y"} for name in "ab"]
    monkeypatch.setattr(files, "_MOST_ROWS", 2)
    monkeypatch.setattr(files, "_MOST_CELLS", 6)
    assert len(read_facts("a.json", json.dumps(rows).encode()).rows) == 2


def test_typed_parquet_cells_are_read_as_what_they_are():
    table = pa.table(
        {
            "source": [484],
            "relation": ["COSTS"],
            "target": ["Much"],
            "valid_at": pa.array([datetime(2015, 3, 1, 12, tzinfo=UTC)], pa.timestamp("ns", "Europe/Berlin")),
            "invalid_at": pa.array([date(2015, 4, 1)]),
            "price": [1.5],
            "units": [3],
            "missing": pa.array([float("nan")]),
        }
    )
    (row,) = read_facts("a.parquet", parquet(table)).rows
    assert (row.source, row.valid_at) == ("484", datetime(2015, 3, 1, 12, tzinfo=UTC))
    assert (row.invalid_at, dict(row.attributes)) == (datetime(2015, 4, 1, tzinfo=UTC), {"price": 1.5, "units": 3})


def test_nested_and_foreign_values_are_problems_where_text_is_wanted():
    records = [
        {"source": ["Ann"], "relation": "KNOWS", "target": "Bo"},
        {"source": "Ann", "relation": True, "target": "Bo"},
        {"source": "Ann", "relation": "KNOWS", "target": "Bo", "place": {"town": "Ulm"}},
        {"source": "Ann", "relation": "KNOWS", "target": "Bo", "valid_at": 1.5},
        {"source": "Ann", "relation": "KNOWS", "target": "Bo", "valid_at": 2015},
    ]
    table = read_facts("a.json", json.dumps(records).encode())
    assert problems(table) == [(1, "source"), (2, "relation"), (3, "place"), (4, "valid_at")]
    assert table.rows[0].valid_at == datetime(2015, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b" \n", "a.csv is empty"),
        ("a.csv", b"source,relation,target\nAnn,KNOWS,Bj\xf6rn", r"not UTF-8 text \(line 2\)"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), r"in the old format of Excel \(.xls\)"),
        ("a.csv", b"source,relation,target", "contains no facts"),
        ("a.csv", b"source,relation,goal\nAnn,KNOWS,Bo", "no column target"),
        ("a.csv", b"source,Source,relation,target\nAnn,Bo,KNOWS,Bo", "the column source twice"),
        ("a.csv", b'source,relation,target\nAnn,"KNOWS,Bo', "quotation mark"),
        ("a.json", b'{"source": ', "not valid JSON"),
        ("a.json", b'{"source": "Ann"}', "not a list of facts"),
        ("a.json", b"[1]", "record 1 is not an object"),
        ("a.json", b"[]", "contains no facts"),
        ("a.jsonl", b'{"source": "Ann"}\n{', "line 2, is not valid JSON"),
        ("a.parquet", b"PAR1 and no more", "as a Parquet file"),
        ("a.csv", b"source,relation,target,asof_statements\nAnn,KNOWS,Bo,[]", "Asof reserves this name"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(name, content, message):
    with pytest.raises(BadInput, match=message) as failure:
        read_facts(name, content)
    assert "\n" not in failure.value.message


def test_a_cell_too_long_for_a_name_makes_its_row_a_bad_one():
    table = facts("source,relation,target", f"{'X' * 1001},KNOWS,Bo", f"{'X' * 1000},KNOWS,Bo")
    assert [str(problem) for problem in table.problems] == [
        "row 1, column source: the name has 1,001 characters; the limit is 1,000"
    ]
    assert table.good == 1


def test_rejected_rows_come_as_a_file_with_their_reasons():
    table = facts("source,relation,target,valid_at", "Ann,KNOWS,Bo,soon", "Ann,KNOWS,Bo,2015", ",KNOWS,Bo,")
    name, content = rejects_file(table)
    assert name == "facts.rejects.csv"
    assert content.decode().splitlines() == [
        "asof_row,asof_problem,source,relation,target,valid_at",
        "1,valid_at: “soon” is not a valid date: write a date as 2018-06-27 or 2018-06-27T14:30:00Z,Ann,KNOWS,Bo,soon",
        "3,source: the value is missing,,KNOWS,Bo,",
    ]


def test_rejected_records_of_a_json_file_come_as_json_lines():
    table = read_facts("a.json", b'[{"source": "Ann", "relation": "KNOWS", "target": null}]')
    name, content = rejects_file(table)
    assert name == "a.rejects.jsonl"
    assert json.loads(content) == {
        "asof_row": 1,
        "asof_problem": "target: the value is missing",
        "source": "Ann",
        "relation": "KNOWS",
        "target": None,
    }


@pytest.mark.parametrize("name", ["N\0X", "half a \ud800 pair"])
def test_a_character_that_no_database_can_store_is_a_problem(name):
    content = json.dumps([{"source": name, "relation": "KNOWS", "target": "Bo"}]).encode()
    assert problems(read_facts("a.json", content)) == [(1, "source")]


def test_a_type_that_cannot_be_a_label_is_a_problem_and_such_a_column_is_refused():
    table = facts("source,relation,target,target_type", "Ann,KNOWS,Bo,a`b")
    assert problems(table) == [(1, "target_type")]
    with pytest.raises(BadInput, match="is not a valid attribute name"):
        facts("source,relation,target,a`b", "Ann,KNOWS,Bo,1")


@pytest.mark.parametrize("label", ["Episodic", "MergedEntity", "Community", "Saga"])
def test_an_entity_is_not_given_the_label_of_a_record_of_another_kind(label):
    """It would be read, and deleted, as an episode, a former name, a community of Graphiti's."""
    table = facts(f"source,relation,target,source_type,{label}", f"Ann,KNOWS,Bo,{label},x", "Ann,KNOWS,Bo,Person,x")
    assert problems(table) == [(1, "source_type")]
    assert dict(table.rows[0].attributes) == {label: "x"}


def test_a_column_without_a_name_is_passed_over():
    table = facts(",source,relation,target", "0,Ann,KNOWS,Bo")
    assert (table.problems, dict(table.rows[0].attributes)) == ((), {})


def test_numbers_that_no_database_can_store_are_kept_as_text():
    content = json.dumps([{**RECORDS[1], "big": 2**70, "endless": float("inf"), "small": 7}]).encode()
    held = {"big": str(2**70), "endless": "inf", "small": 7}
    assert dict(read_facts("a.json", content).rows[0].attributes) == held


@pytest.mark.parametrize("header", ["source,relation,target,target", "source,relation,target,note,note"])
def test_a_column_that_is_named_twice_is_refused(header):
    with pytest.raises(BadInput, match="twice"):
        facts(header, "a,R,x,y,z")


def test_a_number_that_is_none_is_a_cell_that_is_not_given():
    table = read_facts("a.json", b'[{"source": NaN, "relation": "R", "target": "b"}]')
    assert problems(table) == [(1, "source")]


WIDE = [f"column {number}" for number in range(998)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("wide.csv", ",".join(["source", "relation", "target", *WIDE]).encode() + b"\nAnn,KNOWS,Bo\n"),
        ("wide.csv", b"x," * 100_000 + b"\n" + b"1," * 100_000),
        ("wide.json", json.dumps([{**RECORDS[0], **dict.fromkeys(WIDE, 1)}]).encode()),
        ("wide.parquet", parquet(pa.table({name: [1] for name in ("a", "b", "c", *WIDE)}))),
    ],
    ids=["one too many", "100,000", "json", "parquet"],
)
def test_a_table_has_at_most_a_thousand_columns(name: str, content: bytes) -> None:
    with pytest.raises(BadInput, match="columns; the limit is 1,000"):
        read_facts(name, content)


@pytest.mark.parametrize("column", ["episode", "note", "source"])
def test_a_cell_of_thirty_megabytes_is_a_bad_row(column: str) -> None:
    table = read_facts("a.json", json.dumps([{**RECORDS[0], column: "x" * 30_000_000}, RECORDS[1]]).encode())
    assert [problem.number for problem in table.problems] == [1]
    assert "30,000,000 characters; the limit is 1,000,000" in table.problems[0].reason
    assert len(table.rows) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'[{"source": "Ann", "source": "Bo", "relation": "R", "target": "T"}]', "the key “source” twice"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[" + b"1" * 5_000 + b"]", "a number with too many digits"),
        (b'[{"source": }]', "is not valid JSON: the error is at column 13"),
    ],
    ids=["doubled key", "deep", "digits", "syntax"],
)
def test_json_that_cannot_be_used_is_refused_in_our_words(content: bytes, words: str) -> None:
    with pytest.raises(BadInput, match=words) as refused:
        read_facts("a.json", content)
    assert "recursion" not in str(refused.value)
    assert "int string conversion" not in str(refused.value)


def test_deep_lines_of_json_without_an_ending_are_refused_in_our_words() -> None:
    with pytest.raises(BadInput, match="nested too deeply"):
        read_facts("facts", b'{"source": ' + b"[" * 200_000 + b"\n{}")


@pytest.mark.parametrize("text", [b'source,relation,target\n"Ann,R,T\n', b'source,relation,target\n"Ann"x,R,T\n'])
def test_a_quotation_mark_out_of_place_is_told_in_our_words(text: bytes) -> None:
    with pytest.raises(BadInput, match=r"line \d, has an unclosed quotation mark, or text after a closing one"):
        read_facts("a.csv", text)
