"""What the Explore page saves as files; the picture itself is looked at in a browser."""

import csv
import io
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.address import View
from components.explore import table_and_downloads
from components.explore.shown_graph import ShownGraph, shown_graph
from services.agent.app import App
from services.core.models import Entity, Fact, GraphWrite
from services.mirror.lookups import LookupReads
from tests.pages.conftest import WORKSPACE, day, opened, words
from tests.pages.ingest import imported

VIEW = View(entity="ada")


def sources(scope: ShownGraph) -> set[str]:
    """What states the facts, as the CSV file of a picture tells it."""
    content = table_and_downloads.as_csv(WORKSPACE, VIEW, scope, scope.facts)
    return {row["asof_sources"] for row in csv.DictReader(io.StringIO(content, newline=""))}


@pytest.mark.usefixtures("filled")
def test_the_csv_file_names_the_sources_without_reading_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(LookupReads, "episodes")
    assert sources(shown_graph(WORKSPACE, VIEW)) == {"Ada joined Labs"}


def test_the_csv_file_tells_the_sources_by_uuid_when_the_mirror_refuses(filled: App) -> None:
    scope = shown_graph(WORKSPACE, VIEW)
    filled.mirrors.of(WORKSPACE).close()
    assert sources(scope) == {"note"}


def test_a_comparison_says_that_it_counts_what_is_in_the_picture(filled: App) -> None:
    people = (Entity("eve", "Eve", ("Person",)), Entity("dan", "Dan", ("Person",)))
    apart = Fact("f9", "eve", "dan", "Eve", "KNOWS", "Dan", valid_at=day("2022-01-01"), created_at=day("2022-01-02"))
    filled.bridge.run(filled.graph.write(WORKSPACE, GraphWrite(people, (apart,))))
    filled.mirrors.sync(WORKSPACE)
    page = words(opened("Explore", w=WORKSPACE, e="ada", as_of="2020-06-01", to="2023-01-01"))
    assert "Changes in this view" in page
    assert "+ 2 added − 1 ended of 4 changes in the whole graph" in page


@pytest.mark.usefixtures("filled")
def test_a_comparison_without_changes_of_the_selected_entity_offers_the_others() -> None:
    app = opened("Explore", w=WORKSPACE, e="bob", r="ada", as_of="2020-06-01", to="2023-01-01")
    page = words(app)
    assert "Nothing about Bob changed between the two dates." in page
    assert "in this view:" not in page
    app.button(key="all_changes").click().run()
    assert "Engines → Labs" in words(app)


@pytest.mark.usefixtures("filled")
def test_the_table_of_a_comparison_lists_the_changes() -> None:
    app = opened("Explore", w=WORKSPACE, e="ada", as_of="2020-06-01", to="2023-01-01")
    app.session_state["explore_records"] = True
    app.run()
    listed = app.dataframe[0].value
    assert list(zip(listed["Change"], listed["Value"], strict=True)) == [
        ("added", "Cy"),
        ("ended", "Engines"),
        ("added", "Labs"),
    ]


def test_a_path_says_how_many_others_are_as_short_and_how_to_list_them(filled: App) -> None:
    asked = {"w": WORKSPACE, "e": "labs", "as_of": "2023-01-01", "path": "bob"}
    assert "as short" not in words(opened("Explore", **asked))
    imported(filled, "ways.csv", b"source,relation,target\nCy,KNOWS,Bob\nCy,WORKS_FOR,Labs\n")
    expected = "1 other path is as short. To list them, ask “How is Labs connected to Bob?”"
    assert expected in words(opened("Explore", **asked))


@pytest.mark.usefixtures("filled")
def test_the_table_numbers_the_facts_of_a_path_and_lists_them_first() -> None:
    asked = {"w": WORKSPACE, "e": "labs", "r": "ada", "as_of": "2023-01-01"}
    assert "Path" not in _table_of(opened("Explore", **asked)).columns
    table = _table_of(opened("Explore", **asked, path="bob"))
    assert list(zip(table["Path"], table["Relation"], table["Value"], strict=True))[:3] == [
        (1, "works for", "Labs"),
        (2, "knows", "Bob"),
        (None, "knows", "Cy"),
    ]


def _table_of(app: AppTest) -> Any:
    app.session_state["explore_records"] = True
    return app.run().dataframe[0].value.astype(object).where(lambda cells: cells.notna(), None)
