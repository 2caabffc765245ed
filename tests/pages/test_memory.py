"""The Memory page: records are imported with a preview, asked by a form, explained, searched, and undone."""

import json

import pytest
import streamlit as st

from services.agent.app import App
from services.memory import read_record_lines
from services.writing import import_records
from tests.pages.conftest import WORKSPACE, displayed, opened, words
from tests.services.memory.seeds import SEEDS, lines

ADA = {"type": "Partnership", "id": "ada", "citizen": "felix", "partner_name": "Ada", "trust_level": 0.5}


def remember(services: App, *records: dict) -> None:
    import_records(services.workspace(WORKSPACE), read_record_lines(lines(*records)).records, title="Memory")


def test_an_empty_memory_says_what_to_import_and_imports_it(filled: App) -> None:
    app = opened("Memory", w=WORKSPACE)
    assert "No records yet" in words(app)
    bad = b'{"type": "Constraint", "id": "c", "severity": "huge"}\n'
    app.text_area(key="memory_text_0").set_value((bad + lines(*SEEDS)).decode()).run()
    assert "1 bad line" in words(app)
    assert "must be one of low, medium, high, critical" in words(app)
    assert f"Showing the first 8 of {len(SEEDS)} records." in words(app)
    app.button(key="memory_import_button").click().run()
    assert not app.exception
    assert f"{len(SEEDS)} records · 8 types · of felix" in words(app)
    assert f"Imported {len(SEEDS)} records from pasted text" in words(app)


def test_a_query_is_put_into_the_address_and_answered_with_its_confidence(filled: App) -> None:
    remember(filled, *SEEDS)
    app = opened("Memory", w=WORKSPACE)
    assert "Pick a query" in words(app)
    app.text_input(key="query_partnerships_partner_id").set_value("NICOLAS")
    app.button(key="memory_ask").click().run()
    assert app.query_params["memory"] == "query_partnerships"
    assert json.loads(app.query_params["args"]) == {"partner_id": "NICOLAS"}
    assert "Confidence 1.00: full match, complete, not known to be outdated." in words(app)
    assert "Relational finding" in words(app)
    assert "Role: Co-Founder" in words(app)


@pytest.mark.parametrize(
    "args",
    ['{"partner_id": {"a": 1}}', '{"partner_id": [[1], {}]}', '{"partner_id": 1e999}', '{"partner_id": null, "x": 1}'],
)
def test_a_link_with_inputs_that_nobody_can_mean_opens_the_page(filled: App, args: str) -> None:
    remember(filled, *SEEDS)
    app = opened("Memory", w=WORKSPACE, memory="query_partnerships", args=args)
    assert not app.exception
    assert f"{len(SEEDS)} records" in words(app)


def test_a_link_opens_the_same_answer_and_explains_it(filled: App) -> None:
    remember(filled, *SEEDS)
    args = json.dumps({"partner_id": "nicolas", "keywords": ["race", "budget"]})
    app = opened("Memory", w=WORKSPACE, memory="query_conversations", args=args, known_at="2024-12-30")
    shown = words(app)
    assert "Conversations found" in shown
    assert "Confidence 0.72 = 1 × 0.8 (partial match, without budget) × 0.9 (44 days old)" in shown
    assert app.text_input(key="query_conversations_keywords").value == "race, budget"
    app.segmented_control(key="memory_how").set_value("Table").run()
    assert "emotional tone" in words(app)
    early = opened("Memory", w=WORKSPACE, memory="query_conversations", args=args, known_at="2024-01-01")
    assert "No conversations found for nicolas" in words(early)


def test_the_page_says_what_is_invalid_or_unreadable(filled: App) -> None:
    remember(filled, *SEEDS)
    args = json.dumps({"situation_type": "x", "min_success_rate": 2})
    app = opened("Memory", w=WORKSPACE, memory="query_failed_attempts", args="{}")
    assert "context: is required." in words(app)
    for name, given in (("query_strategy_patterns", args), ("query_nothing", "{}"), ("query_partnerships", "[")):
        app = opened("Memory", w=WORKSPACE, memory=name, args=given)
        assert not app.exception, (name, app.exception)


def test_related_files_and_named_entities_are_shown(filled: App) -> None:
    remember(filled, *SEEDS, ADA)
    args = json.dumps({"filename": "stimulus_integrator.py"})
    app = opened("Memory", w=WORKSPACE, memory="query_related_code", args=args)
    assert "dependency consciousness_engine_v2.py" in " ".join(words(app).split())
    app = opened("Memory", w=WORKSPACE, memory="query_partnerships", args='{"partner_id": "ada"}')
    assert "In the graph: Ada" in words(app)
    (there,) = displayed(app).links("Ada")
    assert "Timeline" in there
    assert "e=ada" in there


def test_records_are_found_by_words_of_any_type(filled: App) -> None:
    remember(filled, *SEEDS)
    app = opened("Memory", w=WORKSPACE, records="race CONDITION")
    shown = words(app)
    assert "stimulus_integrator race condition" in shown
    assert "Added sleep(0.001) between injections" in shown
    assert "Nicolas" not in shown
    assert "No record matches" in words(opened("Memory", w=WORKSPACE, records="zebra"))


def test_texts_of_records_are_shown_as_text(filled: App) -> None:
    remember(filled, {**ADA, "partner_name": "<b onclick=x>Ada</b>", "partner_role": "<script>"})
    app = opened("Memory", w=WORKSPACE, memory="query_partnerships", args='{"partner_id": "<b onclick=x>Ada</b>"}')
    assert "<b onclick=x>Ada</b>" in words(app)
    assert displayed(app).all("*[@onclick]") == []


def test_the_search_page_leads_to_the_records(filled: App) -> None:
    assert displayed(opened("Search", w=WORKSPACE, q="race")).links("Search agent records for this query") == []
    st.cache_resource.clear()
    remember(filled, *SEEDS)
    (there,) = displayed(opened("Search", w=WORKSPACE, q="race")).links("Search agent records for this query")
    assert there.startswith("Memory?")
    assert "records=race" in there
