"""Calls by clients: what they read, and what they are refused."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from services.core.models import Entity
from services.core.toolsets import TOOLSETS
from services.documents.versions import NewDocument
from services.mcp import resources
from services.mcp.access import Access, at_address
from services.mcp.calls import call, granted_tools
from services.mcp.tool_results import BESIDE, MOST_CHARACTERS
from services.mcp.tool_schemas import tool_list
from services.tools.registry import TOOLS
from tests.services.retrieval.conftest import W, ingest, write
from tests.services.tools.conftest import fact

ALL = Access(toolsets=TOOLSETS)
Y2020, Y2021 = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 6, 1, tzinfo=UTC)


def test_the_default_toolset_has_at_most_twelve_tools_that_read() -> None:
    listed = tool_list(Access())["tools"]
    assert 9 <= len(listed) <= 12
    assert all(tool["annotations"]["readOnlyHint"] for tool in listed)


def test_every_tool_takes_the_two_clocks_and_a_workspace() -> None:
    for tool in tool_list(replace(ALL, may_write=True))["tools"]:
        assert {"workspace", "as_of", "known_at", "detail", "cursor"} <= tool["inputSchema"]["properties"].keys()
        assert tool["outputSchema"]["properties"].keys() - {BESIDE}, tool["name"]


def test_a_result_says_at_which_instants_and_how_much_in_text_and_data(ask) -> None:
    found = ask("facts_at", relation="WORKS_FOR", as_of="2021-06-01", known_at="2023-01-01")
    assert found.data is not None
    beside = found.data[BESIDE]
    assert (beside["as_of"], beside["known_at"]) == ("2021-06-01T00:00:00+00:00", "2023-01-01T00:00:00+00:00")
    assert (beside["total"], beside["shown"], beside["left_out"], beside["workspace"]) == (2, 2, 0, W)
    assert beside["synced_at"]
    assert "(2 in all: 2 shown, 0 left out.)" in found.text
    assert f"(Workspace {W}, as of 2021-06-01T00:00:00+00:00, known at 2023-01-01T00:00:00+00:00." in found.text


def test_an_undated_fact_that_is_listed_counts_as_one_of_all(filled) -> None:
    write(filled, fact("unsure", "Ada", "KNOWS", "Cy", None))
    found = call(filled, Access(), "facts_at", {"entity": "Ada"})
    beside = found.data[BESIDE]
    assert "unsure" in {one["uuid"] for one in found.data["undated"]}
    listed = len(found.data["facts"]) + len(found.data["undated"])
    assert (beside["total"], beside["shown"], beside["left_out"]) == (listed, listed, 0)


def test_without_instants_it_is_now_and_says_so(ask) -> None:
    found = ask("facts_at", entity="Ada")
    assert "(now)" in found.text
    assert found.data[BESIDE]["as_of_is_now"]


@pytest.mark.parametrize("field", ["as_of", "known_at"])
@pytest.mark.parametrize("value", ["yesterdayish", "", "10:30", "03/04/2019", 2015, ["2015"]], ids=str)
def test_an_unreadable_date_is_an_error_that_names_the_field(ask, field: str, value: Any) -> None:
    found = ask("facts_at", entity="Ada", **{field: value})
    assert found.is_error
    assert found.text.startswith(f"{field}: ")


def test_a_tool_outside_the_granted_toolsets_is_refused_at_the_call(ask) -> None:
    assert ask("graph_inspect", Access(), entityName="Ada").text.startswith(
        "graph_inspect: this connection has no access"
    )
    assert (
        ask("knowledge_ingest", ALL, text="x").text
        == "knowledge_ingest: this connection has no write access. Connect again with write access."
    )
    assert ask("no_such_tool").text.startswith("There is no tool “no_such_tool”.")
    assert not any(tool.writes for tool in granted_tools(ALL))


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_refuses_inputs_that_are_none(ask, name: str) -> None:
    required = TOOLS[name].schema().get("required", [])
    found = ask(name, replace(ALL, may_write=True), **{field: {"no": "text"} for field in required or ["nobody"]})
    ignores = TOOLS[name].ignores_strangers and not required
    assert found.is_error != ignores
    assert (required or ["nobody", "limit"])[0].split(".")[0] in found.text


def test_a_long_result_comes_in_pages_of_whole_items(filled) -> None:
    write(filled, *(Entity(f"n{n}", f"N{n}", ("Person",)) for n in range(400)))
    write(filled, *(fact(f"x{n}", f"N{n}", "WORKS_FOR", "Labs", "2021-01-01") for n in range(400)))
    seen, cursor, pages = [], None, 0
    while True:
        given = {"target": "Labs"} | ({"cursor": cursor} if cursor else {})
        found = call(filled, Access(), "facts_at", given)
        assert len(found.text) <= MOST_CHARACTERS
        assert len(found.data["facts"]) == found.data["total"] == 402, "the data is whole"
        seen += [line for line in found.text.splitlines() if line.startswith("- ")]
        beside, pages = found.data[BESIDE], pages + 1
        assert beside["shown"] + beside["left_out"] >= 0
        if not (cursor := beside["cursor"]):
            break
        assert f"repeat the call with cursor {cursor}" in found.text
        assert beside["narrow"] in found.text
    assert pages > 1
    assert len(seen) == len(set(seen)) == 402


def test_a_cursor_is_bound_to_its_call(filled) -> None:
    write(filled, *(Entity(f"n{n}", f"N{n}", ("Person",)) for n in range(400)))
    write(filled, *(fact(f"x{n}", f"N{n}", "WORKS_FOR", "Labs", "2021-01-01") for n in range(400)))
    cursor = call(filled, Access(), "facts_at", {"target": "Labs"}).data[BESIDE]["cursor"]
    for given in ({"target": "Ada"}, {"target": "Labs", "as_of": "2022"}, {"relation": "KNOWS"}):
        assert call(filled, Access(), "facts_at", {**given, "cursor": cursor}).text.startswith("cursor: ")
    for forged in (cursor[:-1], cursor[::-1], "x", "W10", "Wzk5OTk5XQ"):
        given = {"target": "Labs", "cursor": forged}
        assert call(filled, Access(), "facts_at", given).text.startswith("cursor: ")


def test_detail_adds_the_record_of_each_fact(ask) -> None:
    brief, full = (ask("facts_at", entity="Ada", detail=detail) for detail in ("brief", "full"))
    assert '"uuid": "f2"' in full.text
    assert '"uuid"' not in brief.text
    assert brief.data["facts"] == full.data["facts"]
    assert ask("facts_at", entity="Ada", detail="some").text.startswith("detail: ")


def test_a_graph_that_is_down_without_a_mirror_is_a_failure(services, graph) -> None:
    graph.down = True
    assert call(services, ALL, "facts_at", {"entity": "Ada"}).is_error
    found = call(services, ALL, "omnii_graph_list_entities", {"nodeType": "Entity"})
    assert found.is_error
    assert json.loads(found.text).keys() == {"error"}


# -- the pin


PINNED = Access("client", (W,), TOOLSETS, as_of=Y2020, known_at=Y2021)


@pytest.mark.parametrize(
    ("name", "given", "field"),
    [
        ("facts_at", {"entity": "Ada", "as_of": "2019-06-01"}, "as_of"),
        ("facts_at", {"entity": "Ada", "as_of": "2022"}, "as_of"),
        ("facts_at", {"entity": "Ada", "known_at": "2022"}, "known_at"),
        ("search_entities", {"query": "Ada", "known_at": "2021-06-01T00:00:00.000001Z"}, "known_at"),
        ("get_entity_history", {"entity_name": "Ada", "as_of": "2022"}, "as_of"),
        ("get_entity_history", {"entity_name": "Ada", "reference_time": "2020-01-02"}, "reference_time"),
        ("get_entity_history", {"entity_name": "Ada", "since": "2022"}, "since"),
        ("compare_times", {"first": "2019", "second": "2021"}, "second"),
        ("compare_times", {"first": "2021", "second": "2019"}, "first"),
        ("get_changes", {"since": "2022"}, "since"),
        ("facts_at", {"entity": "Ada", "workspace": "other"}, "workspace"),
        ("query_database", {"sql": "SELECT 1"}, "query_database"),
    ],
    ids=str,
)
def test_what_leaves_the_pin_is_an_error_that_names_the_field(ask, name, given, field) -> None:
    found = ask(name, PINNED, **given)
    assert found.is_error
    assert found.text.startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("facts_at", {"entity": "Ada", "as_of": "2020"}),
        ("facts_at", {"entity": "Ada", "known_at": "2020-06-01"}),
        ("get_entity_history", {"entity_name": "Ada", "as_of": "2019-06-01"}),
        ("get_entity_history", {"entity_name": "Ada", "reference_time": "2019-06-01"}),
        ("compare_times", {"first": "2019", "second": "2020"}),
        ("get_change_history", {"as_of": "2019-06-01"}),
    ],
    ids=str,
)
def test_what_stays_within_the_pin_is_answered(ask, name, given) -> None:
    assert not ask(name, PINNED, **given).is_error


def test_a_workspace_of_the_address_that_is_not_there_is_refused_and_leaves_no_file(filled) -> None:
    access = at_address(Access(), [("workspace", "no-such")], W)
    found = call(filled, access, "facts_at", {"entity": "Ada"})
    assert found.text.startswith("workspace: there is no workspace “no-such”")
    assert filled.mirrors.named_files() == (W,)


# -- resources


def test_a_fact_at_a_pin_has_the_sources_that_it_had_then(filled) -> None:
    before, after = (
        json.loads(resources.read(filled, Access("c", (W,), known_at=pin), "asof://_/fact/f2")["contents"][0]["text"])
        for pin in (datetime(2022, 7, 1, 12, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC))
    )
    assert before["episodes"] == ["letter"], "the note was recorded a day later"
    assert after["episodes"] == ["note", "letter"]


def test_titles_given_after_the_pin_are_not_listed_and_not_matched(filled) -> None:
    pin = filled.mirrors.of(W).document("fleet").document.updated_at
    ingest(filled, NewDocument("fleet", "Labs owns four ships now.", "Armada", "text"))
    access = Access("c", (W,), known_at=pin)
    titles = {one["name"]: one["title"] for one in resources.listed(filled, access)["resources"]}
    assert titles["fleet"] == "The fleet"
    for asked in ("Armada", "armad"):
        found = call(filled, access, "get_document_context", {"document": asked}).text
        assert found.startswith(f"There is no document “{asked}”.\n"), found
    assert "three ships" in call(filled, access, "get_document_context", {"document": "The fleet"}).text
    assert "four ships" in call(filled, Access(), "get_document_context", {"document": "Armada"}).text


# -- what the graph learned


def test_changes_go_on_where_the_client_last_stopped(filled) -> None:
    client = Access("client", (W,))
    found = call(filled, client, "get_changes", {"limit": 3})
    assert (len(found.data["changes"]), found.data["since"]) == (3, None)
    kinds = [one["kind"] for one in found.data["changes"]]
    while cursor := found.data["cursor"]:
        found = call(filled, client, "get_changes", {"limit": 3, "cursor": cursor})
        kinds += [one["kind"] for one in found.data["changes"]]
    assert len(kinds) == found.data["total"]
    assert set(kinds) == {"added", "ended", "corrected"}
    assert call(filled, client, "get_changes", {}).data["total"] == 0
    write(filled, fact("new", "Ada", "KNOWS", "Cy", "2026-11-25"))
    filled.workspace(W).sync()
    assert call(filled, Access("another", (W,)), "get_changes", {}).data["total"] == len(kinds) + 1


def test_reading_on_from_an_instant_of_its_own_moves_nothing(filled) -> None:
    client = Access("client", (W,))
    found = call(filled, client, "get_changes", {"since": "2022-01-01", "limit": 1})
    while cursor := found.data["cursor"]:
        found = call(filled, client, "get_changes", {"cursor": cursor})
    whole = call(filled, client, "get_changes", {"since": "2000-01-01"}).data["total"]
    assert call(filled, client, "get_changes", {}).data["total"] == whole


@pytest.mark.parametrize("kind", ["on", "since"])
def test_a_cursor_that_came_back_changed_never_marks_what_was_not_told(filled, kind: str) -> None:
    client = Access("client", (W,))
    for begin in ("0001-01-01T00:00:00Z", "2025-01-01T00:00:00Z"):
        cursor = f"{begin}_9999-12-31T23:59:59Z_0_{kind}"
        found = call(filled, client, "get_changes", {"cursor": cursor, "limit": 50})
        assert found.data["until"] == found.data[BESIDE]["synced_at"]
        seen = filled.accounts.changes_seen.position(W, "client")
        assert seen is None or seen.recorded <= filled.mirrors.of(W).synced_at


@pytest.mark.parametrize("first", ["9" * 23, "-1", "one"])
def test_a_cursor_out_of_range_is_an_error_that_names_it(filled, first: str) -> None:
    cursor = f"2020-01-01T00:00:00Z_2021-01-01T00:00:00Z_{first}_on"
    assert call(filled, Access(), "get_changes", {"cursor": cursor}).text.startswith(
        "cursor: this cursor is not from get_changes"
    )


def test_changes_since_an_instant_are_on_the_clock_of_the_records(filled) -> None:
    def ask(name, **given):
        return call(filled, Access(), name, given)

    found = ask("get_changes", since="2021-06-01")
    assert not found.is_error, found.text
    listed = [(one["kind"], (one["after"] or one["before"])["uuid"]) for one in found.data["changes"]]
    assert listed == [("added", "f2"), ("ended", "f1")] or listed == [("ended", "f1"), ("added", "f2")]
    assert ask("get_changes", since="2021-06-01", known_at="2022-01-01").data["total"] == 0


def test_a_summary_that_was_rewritten_after_the_pin_is_left_out(filled) -> None:
    def summary(known_at: datetime | None) -> str:
        access = Access("client", (W,), known_at=known_at)
        entities = call(filled, access, "search_entities", {"query": "Ada"}).data["entities"]
        return next(one["summary"] for one in entities if one["name"] == "Ada")

    assert summary(None) == summary(datetime(2023, 1, 1, tzinfo=UTC)) == "Ada is a Person."
    assert summary(Y2021) == "", "a note of 2022 mentions her"
