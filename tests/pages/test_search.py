"""The Search page: what it finds, what narrows that, and what it says when there is nothing."""

import json
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.import_rows import Row
from services.documents.versions import NewDocument
from services.writing.documents import ingest_documents
from services.writing.importer import import_rows
from tests.pages.conftest import day, displayed, opened, popovers, words
from tests.rendered import Rendered

_LONG = "\n\n".join(f"Point {number} of the rules, which is here to make its section long." for number in range(20))
HANDBOOK = f"""# Handbook

## Trains

Whoever travels by train is reimbursed in full, says <script>Ada</script>.

{_LONG}

## Holidays

Thirty days in a year.

{_LONG}
"""


@pytest.fixture
def documented(filled: App) -> App:
    """The small graph, and a document with sections and one without."""
    documents = [
        NewDocument("handbook", HANDBOOK, "Handbook of Labs", "markdown", reference_time=day("2022-08-01")),
        NewDocument("note", "A train was late.", "A note", "text", reference_time=day("2020-02-02")),
    ]
    ingest_documents(filled.workspace("team"), documents)
    return filled


def searched(text: str, **address: str) -> AppTest:
    return opened("Search", w="team", q=text, **{"as_of": "2023-01-01", "mode": "keyword", **address})


def hits(app: AppTest) -> list[Rendered]:
    """Return the hits, best first."""
    return displayed(app).all("ol[@aria-label='What was found']/li")


def texts(app: AppTest) -> list[str]:
    """Return the text of each hit."""
    return [hit.text for hit in hits(app)]


def kinds(app: AppTest) -> set[str]:
    """Return the kinds of records among the hits."""
    return {hit.element.get("data-kind") for hit in hits(app)}


def reader(app: AppTest) -> dict[str, Any]:
    """What the reader of a document was given."""
    payloads = [json.loads(c.proto.json) for c in app.get("bidi_component") if c.proto.json]
    return next(dict(payload) for payload in payloads if "outline" in payload)


def test_facts_without_a_date_are_counted_and_shown_at_a_click(documented: App) -> None:
    app = searched("Fly", kind="facts")
    assert hits(app) == []
    assert app.button(key="undated_hits").label == "Show 1 more fact without a date"
    app.button(key="undated_hits").click().run()
    assert "Fly" in texts(app)[0]
    assert app.query_params["undated"] == "1"
    app.button(key="undated_hits").click().run()
    assert hits(app) == []


def test_words_are_marked_and_text_is_never_markup(documented: App) -> None:
    found = hits(searched("train reimbursed"))
    passage = found[0]
    assert "Handbook of Labs › Trains" in passage.text
    assert "train is reimbursed" in passage.text
    assert [mark.text for mark in passage.all("mark")] == ["train", "reimbursed"]
    assert "<script>Ada" in passage.text
    assert passage.all("script") == []
    assert "2022-08-01" in passage.text
    assert "Open at line" in passage.text


def test_only_facts_that_hold_on_the_date_are_found(documented: App) -> None:
    app = searched("Ada Engines", kind="facts")
    assert texts(app)
    assert not any("Engines" in hit for hit in texts(app))
    earlier = texts(searched("Ada Engines", kind="facts", as_of="2020-06-01"))
    assert any("Engines" in hit and "holds" in hit for hit in earlier)


def test_facts_of_one_sentence_say_what_they_are_of(documented: App) -> None:
    sentence = "Bob left Acme for the Navy in 2020."
    rows = [Row(1, "Bob", "LEFT", "Acme", sentence), Row(2, "Bob", "MOVED_TO", "Navy", sentence)]
    import_rows(documented.workspace("team"), rows, title="one sentence")
    found = searched("left Acme Navy", kind="facts", recorded="1")
    both = [hit for hit in texts(found) if "Bob left Acme" in hit]
    assert len(both) == 2
    assert any("Bob → left → Acme" in hit for hit in both)
    assert any("Bob → moved to → Navy" in hit for hit in both)


def test_with_the_switch_off_every_fact_says_how_it_stands(documented: App) -> None:
    app = searched("Ada", kind="facts")
    app.toggle(key="search_holds").set_value(False).run()
    assert app.query_params["recorded"] == "1"
    by_name = {name: hit for hit in texts(app) for name in ("Engines", "Labs", "Fly") if name in hit}
    assert "ended" in by_name["Engines"]
    assert "2019-03-01 → 2022-07-01" in by_name["Engines"]
    assert "holds" in by_name["Labs"]
    assert "undated" in by_name["Fly"]


def test_what_was_recorded_later_is_not_found(documented: App) -> None:
    assert hits(searched("Labs", kind="facts", as_of="2023-01-01"))
    assert not hits(searched("Labs", kind="facts", as_of="2023-01-01", known_at="2021-01-01"))


def test_a_link_reproduces_the_search(documented: App) -> None:
    address = {"kind": "passages", "source": "handbook", "section": "Trains", "from": "2022-01-01", "n": "30"}
    app = searched("train", **address)
    assert len(hits(app)) == 1
    assert {name: app.query_params[name] for name in address} == address
    assert app.text_input(key="search_text").value == "train"
    assert app.get_by_key("search_kind").value == "passages"
    assert app.get_by_key("search_mode").value == "keyword"
    assert "Source: **Handbook of Labs**" in popovers(app)
    assert "Section: **Trains**" in popovers(app)


def test_a_filter_leaves_only_what_it_can_apply_to(documented: App) -> None:
    assert kinds(searched("Ada")) == {"fact", "entity", "chunk"}
    assert kinds(searched("Ada", type="Person")) == {"entity"}
    assert kinds(searched("Ada", relation="KNOWS")) == {"fact"}


def test_the_last_day_of_a_span_is_included(documented: App) -> None:
    assert hits(searched("train", **{"from": "2020-02-02", "until": "2020-02-02"}))
    assert not hits(searched("train", until="2020-02-01"))


def test_a_day_is_picked_and_the_filters_are_cleared(documented: App) -> None:
    app = searched("train")
    app.date_input(key="facet_since").set_value(date(2021, 1, 1)).run()
    assert app.query_params["from"] == "2021-01-01"
    assert not any("A note" in hit for hit in texts(app))
    app.button(key="clear_filters").click().run()
    assert "from" not in app.query_params
    assert any("A note" in hit for hit in texts(app))


def test_filters_that_cannot_apply_are_not_shown(filled: App) -> None:
    labels = popovers(searched("Ada"))
    assert "Type" in labels
    assert not {"Source", "Section", "Date"} & set(labels)
    assert {"Type", "Relation"} & set(popovers(searched("Ada", kind="facts"))) == {"Relation"}
    assert "passages" not in searched("Ada").get_by_key("search_kind").options


def test_scores_are_shown_on_demand(documented: App) -> None:
    app = searched("train")
    assert "keyword 0." not in words(app)
    app.toggle(key="search_scores").set_value(True).run()
    assert "hybrid" in texts(app)[0]
    assert "soft route" in texts(app)[0]
    assert "semantic · soft route" in words(app)


def test_facts_and_entities_lead_to_graph_and_timeline(documented: App) -> None:
    fact = hits(searched("Ada Labs", kind="facts"))[0]
    assert fact.links("Show in graph")[0].startswith("Explore?w=team&e=ada&f=f2")
    assert fact.links("Timeline")[0].startswith("Timeline?w=team&e=ada")
    entity = hits(searched("Labs", kind="entities"))[0]
    assert entity.links("Show in graph")[0].startswith("Explore?w=team&e=labs")


def test_a_document_opens_at_its_lines_with_its_outline(documented: App) -> None:
    app = searched("train", open="handbook", lines="5-5")
    shown = reader(app)
    assert shown["passage"] == [5, 5]
    assert shown["lines"][4].startswith("Whoever travels by train")
    assert [name for name, _, _ in shown["outline"]] == ["Handbook", "Trains", "Holidays"]
    assert shown["words"] == {"5": [[19, 24]]}
    assert "2022-08-01 · " in words(app)


def test_lines_that_a_document_does_not_have_are_no_fault(documented: App) -> None:
    assert reader(searched("", open="handbook", lines="900-901"))["words"] == {}


def test_a_document_that_is_gone_is_reported(documented: App) -> None:
    app = searched("train", open="gone")
    assert not app.exception
    assert "document is not in this workspace" in words(app)


def test_before_anything_is_typed_the_page_says_what_there_is(documented: App) -> None:
    app = searched("")
    page_text = words(app)
    assert "5 facts · 6 entities · " in page_text
    assert "of 2 documents" in page_text
    assert "Handbook of Labs" in page_text
    assert "2022-08-01" in page_text
    app.button(key="example_0").click().run()
    assert app.query_params["q"] == "Ada"
    assert hits(app)


def test_nothing_found_says_what_to_change(documented: App) -> None:
    app = searched("Engines", kind="facts", relation="WORKS_FOR")
    assert "No results for “Engines”." in words(app)
    assert "Search shows only facts that hold on 2023-01-01." in words(app)
    app.button(key="way_facts").click().run()
    assert any("Engines" in hit for hit in texts(app))


def test_the_page_says_what_the_index_waits_for(filled: App) -> None:
    assert "only by keyword until embedding is complete" in words(searched("Ada", mode="hybrid"))


def test_typing_searches_and_the_page_keeps_the_search_over_another_page(documented: App) -> None:
    app = opened("Search", w="team", mode="keyword")
    app.text_input(key="search_text").set_value("holidays").run()
    assert app.query_params["q"] == "holidays"
    assert "Thirty days" in "".join(texts(app))
    app.switch_page("Overview.py").run()
    app.switch_page("Search.py").run()
    assert app.text_input(key="search_text").value == "holidays"
