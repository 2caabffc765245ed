"""The Settings page: what is where, and workspaces that are not deleted by mistake."""

import pytest
from pydantic import SecretStr

from components.settings.synonyms import merged
from services.agent.app import App
from services.retrieval.indexes import LiveIndex
from tests.fakes.memory_graph import MemoryGraphStore
from tests.pages.conftest import opened, words


def test_it_says_where_graph_mirror_and_accounts_are(filled: App) -> None:
    page = words(opened("Settings", w="team"))
    for address in ("memory", "accounts.db", ".duckdb"):
        assert address in page
    assert page.count("✓ connected") == 3


def test_a_graph_that_does_not_answer_is_marked(filled: App, graph: MemoryGraphStore) -> None:
    filled.mirrors.of("team")
    graph.down = True
    assert "✕ not responding" in words(opened("Settings", w="team"))


def test_everything_else_is_drawn_before_the_search_index_is_opened(
    filled: App, graph: MemoryGraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    ping, index_of = graph.ping, filled.indexes.of

    async def pinged() -> None:
        order.append("the last table")
        await ping()

    def opening(workspace: str) -> LiveIndex:
        order.append("the index")
        return index_of(workspace)

    monkeypatch.setattr(graph, "ping", pinged)
    monkeypatch.setattr(filled.indexes, "of", opening)
    assert "Embedding model" in words(opened("Settings", w="team"))
    assert order == ["the last table", "the index"]


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("gopher://old:70", "“gopher://old:70” is not the address of a graph database."),
        ("bolt://host:port", "check its host and port."),
        ("bolt://[::1", "check its host and port."),
    ],
)
def test_a_connection_is_tested_before_it_is_used(filled: App, address: str, problem: str) -> None:
    app = opened("Settings", w="team")
    app.text_input(key="test_url").set_value(address)
    next(button for button in app.form_submit_button if button.label == "Test").click().run()
    assert problem in words(app)
    assert not app.exception


def test_a_workspace_is_made_and_opened(filled: App) -> None:
    app = opened("Settings", w="team")
    app.text_input(key="new_label").set_value("Second team")
    app.button(key="create_workspace").click().run()
    assert app.query_params["w"] == "second-team"
    assert "Second team" in words(app)


def test_a_name_that_cannot_be_one_is_refused_in_words(filled: App) -> None:
    app = opened("Settings", w="team")
    app.text_input(key="new_name").set_value("no/slashes")
    app.button(key="create_workspace").click().run()
    assert "is not a valid workspace name" in words(app)


def test_emptying_asks_again_with_counts_and_wants_the_name(filled: App) -> None:
    app = opened("Settings", w="team")
    app.button(key="empty_team").click().run()
    assert "This deletes 5 facts, 6 entities and 1 source of **Team memory** from the graph." in words(app)
    app.button(key="confirmed").click().run()
    assert app.session_state["confirm_problem"].message == "Asof deleted nothing."
    assert filled.bridge.run(filled.graph.watermark("team")).counts.facts == 5


def test_a_workspace_is_emptied_once_its_name_is_typed(filled: App) -> None:
    app = opened("Settings", w="team")
    app.button(key="empty_team").click().run()
    app.text_input(key="typed_name").set_value("team")
    app.button(key="confirmed").click().run()
    assert filled.bridge.run(filled.graph.watermark("team")).counts.facts == 0
    assert filled.mirrors.of("team").counts().facts == 0


def test_the_default_workspace_cannot_be_deleted(filled: App) -> None:
    assert opened("Settings", w="team").button(key="delete__").disabled


def test_a_dropped_mirror_is_built_again(filled: App) -> None:
    app = opened("Settings", w="team")
    before = filled.mirrors.of("team")
    next(b for b in app.button if b.label == "Drop").click().run()
    app.button(key="confirmed").click().run()
    assert filled.mirrors.of("team") is not before
    assert filled.mirrors.of("team").counts().facts == 5


def test_a_label_is_renamed_and_the_name_stays(filled: App) -> None:
    app = opened("Settings", w="team")
    app.button(key="rename_team").click().run()
    app.text_input(key="new_label_of").set_value("Our memory")
    app.button(key="confirmed").click().run()
    assert app.query_params["w"] == "team"
    assert "Our memory" in words(app)


def test_a_deleted_workspace_is_gone_and_another_one_opens(filled: App) -> None:
    app = opened("Settings", w="team")
    app.button(key="delete_team").click().run()
    app.text_input(key="typed_name").set_value("team")
    app.button(key="confirmed").click().run()
    assert not app.exception
    assert app.query_params["w"] == "_"
    assert filled.bridge.run(filled.graph.workspaces()) == ()


def test_what_people_call_a_relation_is_kept(filled: App) -> None:
    before = {"relations": {"LEADS": ["heads"]}, "types": {"Person": ["human"]}}
    declared = merged(
        before,
        [
            {"kind": "relation", "name": "WORKS_FOR", "synonyms": "employer, boss "},
            {"kind": "type", "name": "Person", "synonyms": None},
        ],
    )
    assert declared == {"relations": {"LEADS": ["heads"], "WORKS_FOR": ["employer", "boss"]}, "types": {}}
    filled.accounts.set_synonyms("team", declared)
    app = opened("Settings", w="team")
    (table,) = [frame.value for frame in app.dataframe if "synonyms" in frame.value.columns]
    assert dict(zip(table["name"], table["synonyms"], strict=True))["WORKS_FOR"] == "employer, boss"


def test_it_says_who_answers_questions_and_never_the_key(filled: App) -> None:
    assert "No model is set" in words(opened("Settings", w="team"))
    chosen = filled.settings.model_copy(update={"model": "claude-test", "anthropic_api_key": SecretStr("sk-secret")})
    object.__setattr__(filled, "settings", chosen)
    page = words(opened("Settings", w="team"))
    assert "claude-test" in page
    assert "sk-secret" not in page
