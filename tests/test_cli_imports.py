"""The terminal takes in tables and documents, and says what of them it did not."""

import pytest

import cli
from tests.services.tables.test_sheets import workbook
from tests.terminal import CSV, facts, graph, terminal

__all__ = ["facts", "graph", "terminal"]


def test_bad_rows_fail_and_nothing_is_in(terminal, facts):
    facts.write_text(CSV + "Ann,,Acme,,\n")
    assert terminal("import", facts, "--json") == 1
    assert terminal.out == ""
    assert "row 3, column relation" in terminal.err
    terminal("history", "--entity", "Ann", "--json")
    assert terminal.document["facts"] == []


def test_the_order_of_day_and_month_is_asked_for_and_taken(terminal, facts):
    facts.write_text(CSV.splitlines()[0] + "\nAnn,JOINED,Acme,02.05.2016,\n")
    assert terminal("import", facts) == 1
    assert "--date-order day-first or month-first" in terminal.err
    assert terminal("import", facts, "--date-order", "day-first", "--json") == 0
    terminal("history", "--entity", "Ann", "--json")
    assert [fact["valid_at"][:10] for fact in terminal.document["facts"]] == ["2016-05-02"]


def test_bad_rows_go_to_the_rejects_file(terminal, facts, tmp_path):
    facts.write_text(CSV + "Ann,,Acme,,\n")
    rejects = tmp_path / "rejects.csv"
    assert terminal("import", facts, "--rejects", rejects, "--json") == 0
    assert terminal.document["rows"]["new"] == 2
    assert "Asof skipped 1 bad row" in terminal.err
    assert rejects.read_text().splitlines()[1] == "3,relation: the value is missing,Ann,,Acme,,"


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl"])
def test_corrected_bad_rows_are_imported_without_the_columns_of_reasons(terminal, facts, tmp_path, ending):
    facts.write_text(CSV + "Ann,,Acme,2012,\n")
    rejects = tmp_path / f"bad.{ending}"
    terminal("import", facts, "--rejects", rejects)
    corrected = rejects.read_text()
    assert "asof_problem" in corrected
    separator = {"csv": ",,", "tsv": "\t\t"}.get(ending)
    corrected = corrected.replace('"relation": ""', '"relation": "MET"')
    if separator:
        corrected = corrected.replace(f"Ann{separator}", f"Ann{separator[0]}MET{separator[0]}")
    rejects.write_text(corrected)
    assert terminal("import", rejects, "--json") == 0
    assert terminal.document["rows"]["new"] == 1
    terminal("history", "--entity", "Ann", "--relation", "MET", "--json")
    assert [fact["attributes"] for fact in terminal.document["facts"]] == [{}]


def test_bad_rows_that_cannot_be_written_down_keep_the_import_from_being_done(terminal, facts, tmp_path):
    facts.write_text(CSV + "Ann,,Acme,,\n")
    assert terminal("import", facts, "--rejects", tmp_path / "no such folder" / "bad.csv") == 1
    assert "Asof could not write" in terminal.err
    terminal("history", "--entity", "Ann", "--json")
    assert terminal.document["facts"] == []


def test_a_rejects_file_says_what_this_import_rejected_and_a_dry_run_leaves_it_alone(terminal, facts, tmp_path):
    rejects = tmp_path / "bad.csv"
    rejects.write_text("of an earlier import")
    facts.write_text(CSV + "Ann,,Acme,,\n")
    terminal("import", facts, "--rejects", rejects, "--dry-run")
    assert rejects.read_text() == "of an earlier import"
    facts.write_text("nothing")
    assert terminal("import", facts, "--rejects", rejects) == 1
    assert rejects.read_text() == "of an earlier import", "a failed import rejected nothing"
    facts.write_text(CSV)
    assert terminal("import", facts, "--rejects", rejects) == 0
    assert rejects.read_text() == "asof_row,asof_problem,source,relation,target,valid_at,invalid_at\n"
    assert terminal.err == ""


def test_an_import_that_fails_leaves_no_new_rejects_file(terminal, facts, tmp_path):
    facts.write_text("nothing")
    assert terminal("import", facts, "--rejects", tmp_path / "bad.jsonl") == 1
    assert not (tmp_path / "bad.jsonl").exists()


def test_a_dry_run_writes_nothing_and_fails_where_the_import_would(terminal, facts):
    assert terminal("import", facts, "--dry-run", "--json") == 0
    assert terminal.document["dry_run"]
    facts.write_text(CSV + "Ann,,Acme,,\n")
    assert terminal("import", facts, "--dry-run") == 1
    assert "row 3, column relation: the value is missing" in terminal.out
    terminal("history", "--entity", "Ann", "--json")
    assert terminal.document["facts"] == []


def test_inclusive_ends_go_through_the_day(terminal, facts):
    terminal("import", facts, "--inclusive-ends")
    terminal("history", "--entity", "Acme", "--json")
    assert terminal.document["facts"][0]["invalid_at"] == "2015-01-02T00:00:00+00:00"


def test_a_missing_file_fails(terminal, tmp_path):
    assert terminal("import", tmp_path / "nothing.csv") == 1
    assert "Asof cannot read" in terminal.err


def test_two_texts_are_two_documents_whatever_they_are_called(terminal):
    for text in ("The canteen opens at noon.", "The canteen closes at two."):
        assert terminal("ingest", "--text", text, "--title", "Hours") == cli.DONE
    assert terminal("search", "canteen", "--json", "--kind", "chunks") == cli.DONE
    assert {hit["text"] for hit in terminal.document["results"]} == {
        "The canteen opens at noon.",
        "The canteen closes at two.",
    }


def test_files_and_folders_are_taken_in_under_their_paths(terminal, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Soup\n\nLeek.\n", encoding="utf-8")
    (tmp_path / "notes" / "b.bin").write_bytes(b"\xff\xfe")
    assert terminal("ingest", str(tmp_path / "notes"), "--json") == cli.DONE
    assert terminal.document["documents"] == {"new": 1, "changed": 0, "unchanged": 0}
    (tmp_path / "empty").mkdir()
    assert terminal("ingest", str(tmp_path / "empty")) == cli.FAILED
    assert terminal("ingest", str(tmp_path / "notes" / "b.bin")) == cli.FAILED


@pytest.mark.parametrize(
    "words",
    [
        ["search"],
        ["search", " "],
        ["search", "x", "--k", "0"],
        ["search", "x", "--batch", "y"],
        ["ingest"],
        ["ingest", "--text", ""],
        ["search", "x", "--mode", "magic"],
        ["ingest", "--url", "ftp://example.org/"],
        ["ingest", "--extract", "."],
    ],
)
def test_wrong_use_of_search_and_ingest_is_explained(terminal, words):
    assert terminal(*words) == cli.WRONG_USE


def test_the_line_of_a_bad_document_is_the_one_in_the_file(terminal, tmp_path):
    lines = '{"id": "a", "text": "soup"}\n\nnot json\n'
    (tmp_path / "documents.jsonl").write_text(lines, encoding="utf-8")
    assert terminal("ingest", "--documents", str(tmp_path / "documents.jsonl"), "--json") == cli.FAILED
    assert [problem["line"] for problem in terminal.document["problems"]] == [3]


def test_a_file_of_another_kind_than_lines_is_reported_once(terminal, tmp_path):
    (tmp_path / "notes.md").write_text("# Notes\n\nsoup\n", encoding="utf-8")
    assert terminal("ingest", "--documents", tmp_path / "notes.md") == cli.FAILED
    assert len(terminal.err.splitlines()) == 1
    assert "not in JSON Lines format" in terminal.err


def test_a_table_of_other_columns_is_sent_to_the_page_that_maps_them(terminal, tmp_path):
    (tmp_path / "table.csv").write_text("who,employer\nAnn,Acme\n")
    assert terminal("import", tmp_path / "table.csv") == cli.FAILED
    plain = terminal.err
    assert "its columns are “who”, “employer”" in plain
    assert "Rename the columns to source, relation and target, or map them on the Table tab" in plain
    assert terminal("import", tmp_path / "table.csv", "--date-order", "day-first") == cli.FAILED
    assert terminal.err == plain, "the order of day and month has nothing to do with it"


def test_the_sheet_that_was_read_is_named_and_another_one_is_chosen(terminal, tmp_path):
    head = ["source", "relation", "target"]
    content = workbook(People=[head, ["Ann", "KNOWS", "Bea"]], Boats=[head, ["Ann", "OWNS", "Kite"]])
    (tmp_path / "crew.xlsx").write_bytes(content)
    assert terminal("import", tmp_path / "crew.xlsx", "--json") == cli.DONE
    assert terminal.err.strip() == "Asof read sheet “People”, not “Boats”. Choose another sheet with --sheet NAME."
    assert (terminal.document["sheet"], terminal.document["other_sheets"]) == ("People", ["Boats"])
    assert terminal("import", tmp_path / "crew.xlsx", "--sheet", "Boats", "--json") == cli.DONE
    assert terminal.err == ""
    terminal("history", "--entity", "Ann", "--json")
    assert {fact["target"] for fact in terminal.document["facts"]} == {"Bea", "Kite"}
    assert terminal("import", tmp_path / "crew.xlsx", "--sheet", "Cars") == cli.FAILED
    assert "Choose one of these sheets: People, Boats." in terminal.err
