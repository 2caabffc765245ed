"""A table on the Ingest page: a preview, bad rows by number, and the columns that are guessed."""

from typing import Any

import pytest

from components.ingest.table_form import SAMPLE
from services.agent.app import App
from services.documents.run_sandboxed import run_sandboxed
from services.tables import files
from tests.fakes.line_extractor import LineExtractor
from tests.pages.conftest import WORKSPACE, words
from tests.pages.ingest import at, facts, imported, keys, read_text, settled
from tests.services.tables.test_sheets import workbook

BAD = b"source,relation,target,valid_at,invalid_at\nAda,KNOWS,Bob,2020-01-01,\nAda,KNOWS,Cy,not a day,\n"


def test_a_file_is_previewed_and_then_imported(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    assert "3 good rows · 0 bad rows" in words(app)
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 0
    app.button(key="import_rows").click().run()
    assert "✓ done" in words(settled(app, services, "_"))
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 3


def test_an_import_is_undone_from_its_result(filled: App) -> None:
    app = imported(filled)
    assert "2 facts added" in words(app)
    app.button(key="followed_undo").click().run()
    assert ("OWNS", "Boat") not in facts(filled)
    assert "followed_undo" not in keys(app)
    assert "crew.csv ↶ undone" in words(app)


def test_a_file_that_is_in_the_graph_already_is_offered_for_import_no_more(filled: App) -> None:
    app = imported(filled)
    app.button(key="followed_close").click().run()
    assert "2 already in the graph" in words(app)
    assert app.button(key="import_rows").disabled
    app.file_uploader[0].upload("more.csv", b"source,relation,target\nBob,OWNS,Kite\n").run()
    assert not app.button(key="import_rows").disabled


def test_redo_is_offered_until_something_else_is_written(filled: App) -> None:
    app = imported(filled)
    app.button(key="followed_undo").click().run()
    assert "redo_last" in keys(app)
    imported(filled)
    assert "redo_last" not in keys(app.run())
    assert "undone crew.csv" not in words(app)
    assert ("OWNS", "Boat") in facts(filled)


def test_an_import_takes_the_place_of_the_change_that_could_be_undone_before(filled: App) -> None:
    app = imported(filled)
    app.button(key="followed_undo").click().run()
    app.button(key="redo_last").click().run()
    assert "undo_last" in keys(app)
    app.file_uploader[0].upload("more.csv", b"source,relation,target\nBob,OWNS,Kite\n").run()
    app.button(key="import_rows").click().run()
    assert "undo_last" not in keys(settled(app, filled))


def test_a_table_with_the_columns_of_an_earlier_one_takes_over_its_mapping(services: App) -> None:
    first = b"who,what,since\nAda,Boat,2020-01-01\nBob,Kite,2021-01-01\n"
    app = at("Table", "_")
    app.file_uploader[0].upload("june.csv", first).run()
    assert not any("mapping of" in toggle.label for toggle in app.toggle)
    next(box for box in app.selectbox if box.label == "what").select("separate relation").run()
    next(field for field in app.text_input if field.label == "Relation").set_value("SAILS").run()
    app.button(key="import_rows").click().run()
    settled(app, services, "_")

    app = at("Table", "_")
    app.file_uploader[0].upload("july.csv", first.replace(b"Kite", b"Raft")).run()
    own = {row["Relation"] for row in app.dataframe[0].value.to_dict("records")}
    next(toggle for toggle in app.toggle if toggle.label == "Use the mapping of june.csv").set_value(True).run()
    assert {row["Relation"] for row in app.dataframe[0].value.to_dict("records")} == {"SAILS"}
    next(toggle for toggle in app.toggle if toggle.label == "Use the mapping of june.csv").set_value(False).run()
    assert {row["Relation"] for row in app.dataframe[0].value.to_dict("records")} == own != {"SAILS"}


def test_a_table_is_no_larger_than_any_other_file(services: App) -> None:
    app = at("Table", "_")
    assert app.file_uploader(key="facts_file").proto.max_upload_size_mb == services.settings.max_file_mb


def test_bad_rows_are_named_and_hold_the_import_back(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    assert "1 good row · 1 bad row" in words(app)
    assert app.button(key="import_rows").disabled
    problems = app.dataframe[1].value.to_dict("records")
    assert problems[0]["Row"] == 2
    assert problems[0]["Column"] == "valid_at"


def test_the_good_rows_can_be_taken_alone(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    app.radio(key="import_mode").set_value("Import the good rows; download the bad ones").run()
    app.button(key="import_rows").click().run()
    settled(app, services, "_")
    assert services.bridge.run(services.graph.watermark("_")).counts.facts == 1


def test_the_bad_rows_can_still_be_saved_once_the_good_ones_are_in(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", BAD).run()
    app.radio(key="import_mode").set_value("Import the good rows; download the bad ones").run()
    app.button(key="import_rows").click().run()
    app = settled(app, services, "_")
    assert "✓ done" in words(app)
    assert [button.label for button in app.get("download_button")].count("Download the bad rows") == 1


def test_a_file_chosen_while_a_review_is_open_takes_its_place_and_the_review_waits(
    filled: App, reader: LineExtractor
) -> None:
    app = read_text(filled)
    assert "review_save" in keys(app)
    app.get_by_key("how").set_value("Table").run()
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    assert "3 good rows · 0 bad rows" in words(app)
    assert "review_save" not in keys(app)
    app.button(key="review_next").click().run()
    assert "Ada works for Turing" in [box.label for box in app.checkbox]


def test_a_review_of_another_workspace_stands_in_nobodys_way(filled: App, reader: LineExtractor) -> None:
    app = read_text(filled)
    app.get_by_key("how").set_value("Table").run()
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    app.button(key="review_next").click().run()
    assert "Go to review" in words(app)
    app.query_params["w"] = "_"
    app.run()
    assert "import_rows" in keys(app)
    assert "Go to review" not in words(app)
    app.query_params["w"] = WORKSPACE
    app.run()
    assert "review_save" in keys(app)


def test_an_inclusive_end_is_moved_to_the_next_day(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", SAMPLE.encode()).run()
    app.toggle(key="inclusive_ends").set_value(True).run()
    assert app.dataframe[0].value.to_dict("records")[0]["invalid_at"] == "2022-07-02"


def test_a_press_on_import_that_ends_what_is_typed_imports_nothing_unseen(services: App) -> None:
    app = at("Table", "_")
    table = b"who,whom\nAda,Labs\nBob,Labs\n"
    app.file_uploader[0].upload("people.csv", table).run()
    app.text_input(key=next(box.key for box in app.text_input if box.label == "Relation for every row")).set_value(
        "KNOWS"
    )
    app.button(key="import_rows").click().run()
    assert "Asof imported nothing: a field changed as you pressed “Import”." in words(app)
    settled(app.button(key="import_rows").click().run(), services, "_")
    assert {relation for relation, _ in facts(services, "Ada", "_")} == {"KNOWS"}


def test_ends_in_a_column_of_last_days_ask_for_the_switch_until_it_is_on(services: App) -> None:
    app = at("Table", "_")
    table = b"who,firm,first day,last day\nAda,Labs,2015-01-02,2016-01-02\nBob,Labs,2015-01-02,\n"
    app.file_uploader[0].upload("people.csv", table).run()
    assert ["“last day” may be the last day" in warning.value for warning in app.warning] == [True]
    app.toggle(key="inclusive_ends").set_value(True).run()
    assert [warning.value for warning in app.warning] == []


def test_a_column_of_dates_that_is_not_taken_for_one_is_reported(services: App) -> None:
    app = at("Table", "_")
    table = b"person,employer,hired on,seen,\nAda,Labs,2015-01-02,2015-01,x\nBob,Engines,01.02.2016,2015-02,y\n"
    app.file_uploader[0].upload("people.csv", table).run()
    assert [warning.value for warning in app.warning] == []
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "hired on")).set_value("").run()
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "seen")).set_value("source").run()
    warnings = [warning.value for warning in app.warning]
    assert warnings == [
        "“hired on” contains dates but is left out. Change its meaning to use the dates.",
        "“seen” contains dates but is used as the entity. Change its meaning to use the dates.",
    ]
    assert "A preview appears here once the problems in the form are fixed." in words(app)
    assert "" not in [box.label for box in app.selectbox]


def test_why_nothing_was_read_is_not_shown_in_another_way_in(filled: App) -> None:
    app = at("Text")
    app.button(key="text_read").click().run()
    assert "The text is empty." in words(app)
    app.get_by_key("how").set_value("Messages").run()
    assert "The text is empty." not in words(app)


def test_columns_of_other_names_are_guessed_shown_and_imported(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("people.csv", b"person,employer,city\nAda,Labs,London\nBob,Engines,Paris\n").run()
    meanings = {box.label: box.value for box in app.selectbox}
    assert meanings["person"] == "source"
    assert meanings["employer"] == "separate relation"
    assert "2 good rows · 0 bad rows · 4 facts" in words(app)
    assert app.button(key="import_rows").label == "Import 4 facts"
    app.button(key="import_rows").click().run()
    settled(app, services, "_")
    assert ("CITY", "Paris") in facts(services, "Bob", "_")


def test_a_row_without_a_fact_is_counted_beside_the_good_and_the_bad_ones(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("people.csv", b"person,employer,city\nAda,Labs,London\nBob,Engines,Paris\nCy,,\n").run()
    assert "2 good rows · 0 bad rows · 1 row without a fact · 4 facts" in words(app)


def test_columns_that_give_no_facts_say_what_is_missing(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("numbers.csv", b"a,b\n1,2\n").run()
    assert "The mapping has no source column." in words(app)
    assert not app.exception


def test_a_file_that_cannot_be_read_is_reported_in_words(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("facts.csv", b"").run()
    assert "is empty" in words(app)
    assert not app.exception


def test_a_table_asks_what_a_row_is_and_how_open_dates_are_read(services: App) -> None:
    app = at("Table", "_")
    app.file_uploader[0].upload("firms.csv", b"who,firm,since\nAda,Labs,02.05.2016\nAda,Engines,03.05.2017\n").run()
    assert "Ada" in words(app), "a column's values stand beside it"
    assert "0 good rows · 0 bad rows · 2 rows with ambiguous dates" in words(app)
    assert not app.dataframe, "rows with open dates are not listed as bad"
    order = next(radio for radio in app.radio if "02.05.2016" in radio.label.replace("\\", ""))
    assert order.value is None
    assert "To read 2 rows, choose under Column meanings whether the day or the month" in words(app)
    order.set_value("day first").run()
    assert "whether the day or the month" not in words(app)
    assert "2 good rows · 0 bad rows" in words(app)
    assert app.dataframe[0].value.to_dict("records")[0]["valid_at"] == "2016-05-02"
    next(one for one in app.segmented_control if one.label == "Each row is").set_value("fact").run()
    meanings = {box.label: box.value for box in app.selectbox}
    assert (meanings["who"], meanings["firm"]) == ("source", "target")


def test_a_sheet_of_a_workbook_is_chosen_and_imported(services: App) -> None:
    head = ["source", "relation", "target"]
    content = workbook(People=[head, ["Ada", "KNOWS", "Bob"]], Boats=[head, ["Ada", "OWNS", "Kite"]])
    app = at("Table", "_")
    app.file_uploader[0].upload("crew.xlsx", content).run()
    assert [row["Target"] for row in app.dataframe[0].value.to_dict("records")] == ["Bob"]
    next(box for box in app.selectbox if box.label == "Sheet").select("Boats").run()
    assert [row["Target"] for row in app.dataframe[0].value.to_dict("records")] == ["Kite"]
    app.button(key="import_rows").click().run()
    assert "✓ done" in words(settled(app, services, "_"))
    assert facts(services, workspace="_").keys() == {("OWNS", "Kite")}


def test_a_workbook_is_unpacked_once_for_all_its_sheets(services: App, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: list[str] = []

    def counting(module: str, *given: Any) -> Any:
        unpacked.append(module)
        return run_sandboxed(module, *given)

    monkeypatch.setattr(files, "run_sandboxed", counting)
    head = ["source", "relation", "target"]
    content = workbook(People=[head, ["Ada", "KNOWS", "Bob"]], Boats=[head, ["Ada", "OWNS", "Kite"]])
    app = at("Table", "_")
    app.file_uploader[0].upload("crew.xlsx", content).run()
    next(box for box in app.selectbox if box.label == "Sheet").select("Boats").run()
    app.toggle(key="inclusive_ends").set_value(True).run()
    assert [row["Target"] for row in app.dataframe[0].value.to_dict("records")] == ["Kite"]
    assert unpacked == ["services.tables.sheets"]


def test_the_order_of_day_and_month_is_asked_for_however_late_the_date_comes(services: App) -> None:
    rows = "".join(f"Ada,Labs,2016-05-{day % 28 + 1:02}\n" for day in range(250))
    app = at("Table", "_")
    app.file_uploader[0].upload("firms.csv", f"who,firm,since\n{rows}Bob,Labs,02.05.2016\n".encode()).run()
    assert any("02.05.2016" in radio.label.replace("\\", "") for radio in app.radio)
