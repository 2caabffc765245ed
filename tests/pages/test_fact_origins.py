"""Where a fact without a text comes from, wherever a page says so: the change of ours that recorded it."""

import re

from services.agent.app import App
from tests.pages.ask import kept
from tests.pages.conftest import WORKSPACE, opened, words
from tests.pages.ingest import facts, imported

BY_IMPORT = re.compile(r"Recorded by the import “crew.csv” on \d{4}-\d\d-\d\d")


def test_an_imported_fact_names_its_import_in_the_panel_of_explore(filled: App) -> None:
    imported(filled)
    boat = facts(filled)["OWNS", "Boat"]
    panel = words(opened("Explore", w=WORKSPACE, e="ada", f=boat.uuid))
    assert BY_IMPORT.search(panel.replace("\\", ""))  # what Markdown would read as a list is escaped


def test_imported_facts_name_their_import_as_the_cause_on_timeline_and_overview(filled: App) -> None:
    imported(filled)
    assert BY_IMPORT.search(words(opened("Timeline", w=WORKSPACE, e="ada")))
    assert BY_IMPORT.search(words(opened("Overview", w=WORKSPACE)))


def test_a_cited_fact_names_its_import_as_its_source(filled: App) -> None:
    imported(filled)
    conversation, answer = kept(filled, "What does Ada own?")
    app = opened("Ask", w=WORKSPACE, c=conversation.id, m=answer.id, cited="1")
    assert BY_IMPORT.search(words(app))
    assert "The graph records no source" not in words(app)
