"""The Search page: what it finds, what narrows that, and what it says when there is nothing."""

import json
import re
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.import_rows import Row
from services.documents.versions import NewDocument
from services.writing.documents import ingest_documents
from services.writing.importer import import_rows
from tests.pages.conftest import day, opened, popovers, words

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


def hits(app: AppTest) -> list[str]:
    """Each hit as its HTML."""
    found = [html.value for html in app.get("html") if "a-hits" in html.value]
    return found[0].split("<li ")[1:] if found else []


def told(app: AppTest) -> list[str]:
    """What each hit says, without its links and markup."""
    return [re.sub(r"<[^>]+>", " ", hit.partition(">")[2]) for hit in hits(app)]


def reader(app: AppTest) -> dict[str, Any]:
    """What the reader of a document was given."""
    payloads = [json.loads(c.proto.json) for c in app.get("bidi_component") if c.proto.json]
    return next(dict(payload) for payload in payloads if "outline" in payload)


def test_words_are_marked_and_text_is_never_markup(documented: App) -> None:
    found = hits(searched("train reimbursed"))
    passage = found[0]
    assert "Handbook of Labs</b>" in passage
    assert "› Trains<" in passage
    assert "<mark>train</mark> is <mark>reimbursed</mark>" in passage
    assert "&lt;script&gt;Ada" in passage
    assert "<script" not in passage
    assert "2022-08-01</span>" in passage
    assert "Open at lines" in passage or "Open at line " in passage


def test_only_facts_that_hold_on_the_date_are_found(documented: App) -> None:
    app = searched("Ada Engines", kind="facts")
    assert told(app)
    assert not any("Engines" in hit for hit in told(app))
    earlier = told(searched("Ada Engines", kind="facts", as_of="2020-06-01"))
    assert any("Engines" in hit and "holds" in hit for hit in earlier)


def test_facts_of_one_sentence_say_what_they_are_of(documented: App) -> None:
    said = "Bob left Acme for the Navy in 2020."
    rows = [Row(1, "Bob", "LEFT", "Acme", said), Row(2, "Bob", "MOVED_TO", "Navy", said)]
    import_rows(documented.workspace("team"), rows, title="one sentence")
    found = searched("left Acme Navy", kind="facts", recorded="1")
    both = [" ".join(hit.split()) for hit in told(found) if "Bob left Acme" in " ".join(hit.split())]
    assert len(both) == 2
    assert any("Bob → left → Acme" in hit for hit in both)
    assert any("Bob → moved to → Navy" in hit for hit in both)


def test_with_the_switch_off_every_fact_says_how_it_stands(documented: App) -> None:
    app = searched("Ada", kind="facts")
    app.toggle(key="search_holds").set_value(False).run()
    assert app.query_params["recorded"] == "1"
    by_name = {name: hit for hit in hits(app) for name in ("Engines", "Labs", "Fly") if name in hit}
    assert "a-b-ended" in by_name["Engines"]
    assert "2019-03-01 → 2022-07-01</span>" in by_name["Engines"]
    assert "a-b-holds" in by_name["Labs"]
    assert "a-b-undated" in by_name["Fly"]
    assert "undated</span>" in by_name["Fly"]


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
    kinds = {hit.split('"')[1] for hit in hits(searched("Ada"))}
    assert kinds == {"fact", "entity", "chunk"}
    assert {hit.split('"')[1] for hit in hits(searched("Ada", type="Person"))} == {"entity"}
    assert {hit.split('"')[1] for hit in hits(searched("Ada", relation="KNOWS"))} == {"fact"}


def test_the_last_day_of_a_span_is_included(documented: App) -> None:
    assert hits(searched("train", **{"from": "2020-02-02", "until": "2020-02-02"}))
    assert not hits(searched("train", until="2020-02-01"))


def test_a_day_is_picked_and_the_filters_are_cleared(documented: App) -> None:
    app = searched("train")
    app.date_input(key="facet_since").set_value(date(2021, 1, 1)).run()
    assert app.query_params["from"] == "2021-01-01"
    assert not any("A note" in hit for hit in told(app))
    app.button(key="clear_filters").click().run()
    assert "from" not in app.query_params
    assert any("A note" in hit for hit in hits(app))


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
    assert "hybrid" in told(app)[0]
    assert "soft route" in told(app)[0]
    assert "semantic · soft route" in words(app)


def test_facts_and_entities_lead_to_graph_and_timeline(documented: App) -> None:
    fact = hits(searched("Ada Labs", kind="facts"))[0]
    assert 'href="Explore?w=team&amp;e=ada&amp;f=f2' in fact
    assert 'href="Timeline?w=team&amp;e=ada' in fact
    entity = hits(searched("Labs", kind="entities"))[0]
    assert 'href="Explore?w=team&amp;e=labs' in entity


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


def test_a_document_that_is_gone_is_said(documented: App) -> None:
    app = searched("train", open="gone")
    assert not app.exception
    assert "names a document that is not in this workspace" in words(app)


def test_before_anything_is_typed_the_page_says_what_there_is(documented: App) -> None:
    app = searched("")
    said = words(app)
    assert "5 facts · 6 entities · " in said
    assert "of 2 documents" in said
    assert "Handbook of Labs</a>" in said
    assert "2022-08-01" in said
    app.button(key="example_0").click().run()
    assert app.query_params["q"] == "Ada"
    assert hits(app)


def test_nothing_found_says_what_to_change(documented: App) -> None:
    app = searched("Engines", kind="facts", relation="WORKS_FOR")
    assert "Nothing was found for “Engines”." in words(app)
    assert "Facts that do not hold on 2023-01-01 are left out." in words(app)
    app.button(key="way_facts").click().run()
    assert any("Engines" in hit for hit in told(app))


def test_what_the_index_waits_for_is_said(filled: App) -> None:
    assert "found by words alone until they are embedded" in words(searched("Ada", mode="hybrid"))


def test_typing_searches_and_the_page_keeps_the_search_over_another_page(documented: App) -> None:
    app = opened("Search", w="team", mode="keyword")
    app.text_input(key="search_text").set_value("holidays").run()
    assert app.query_params["q"] == "holidays"
    assert "Thirty days" in "".join(hits(app))
    app.switch_page("Overview.py").run()
    app.switch_page("Search.py").run()
    assert app.text_input(key="search_text").value == "holidays"
