"""What changed: between two dates, lately, and how two entities hang together."""

import pytest

from services.core.errors import BadInput
from services.core.models import Entity
from services.documents.versions import NewDocument
from services.tools.path_tools import MOST_PATHS
from services.tools.tool import ToolResult
from tests.services.retrieval.conftest import ingest, write
from tests.services.tools.conftest import MANUAL, Ask, fact


def changes(result: ToolResult) -> list[tuple[str, str]]:
    return [(row["kind"], row["uuid"]) for row in result.rows]


def test_a_comparison_tells_what_was_added_and_ended_with_its_cause_and_what_stayed(ask: Ask) -> None:
    result = ask("compare_times", first="2021-06-01", second="2023", entity="Ada")
    assert sorted(changes(result)) == [("added", "f2"), ("ended", "f1")]
    assert result.document["totals"] == {"added": 1, "ended": 1, "corrected": 0, "re_dated": 0}
    assert result.document["ended"][0]["cause"]["text"] == "Ada works for Labs"
    assert [one["uuid"] for one in result.document["kept"]] == ["f3"]
    assert (result.total, result.summary) == (2, "2 changes, 1 kept")
    assert result.heading == "Between 2021-06-01 and 2023-01-01: 1 added, 1 ended, 0 corrected, 0 re-dated."


def test_a_comparison_without_an_entity_is_of_the_whole_graph(ask: Ask) -> None:
    result = ask("compare_times", first="2020-06-02", second="2021-06-01")
    assert changes(result) == [("added", "f4")]
    assert result.document["kept"] == []


def test_a_comparison_knows_what_was_known_then(ask: Ask) -> None:
    result = ask("compare_times", known_at="2022-01-01", first="2021-06-01", second="2023", entity="Ada")
    assert changes(result) == []
    assert result.message == "Nothing changed between 2021-06-01 and 2023-01-01."
    assert {one["uuid"] for one in result.document["kept"]} == {"f1", "f3"}


def test_a_comparison_is_told_in_the_order_of_time(ask: Ask) -> None:
    backwards = ask("compare_times", first="2023", second="2021-06-01", entity="Ada")
    forwards = ask("compare_times", first="2021-06-01", second="2023", entity="Ada")
    assert (backwards.heading, backwards.rows) == (forwards.heading, forwards.rows)


def test_a_comparison_refuses_what_is_no_date_by_the_name_of_the_field(ask: Ask) -> None:
    with pytest.raises(BadInput, match=r"^second: “later” is not a valid date"):
        ask("compare_times", first="2020", second="later")
    assert (
        "No entity in the graph matches “Nobody”"
        in ask("compare_times", first="2020", second="2021", entity="Nobody").message
    )


def test_the_latest_changes_are_of_facts_and_documents_newest_first(ask: Ask) -> None:
    result = ask("get_change_history")
    told = [(row["what"], row["kind"]) for row in result.rows]
    assert told[:2] == [("document", "added"), ("document", "added")]
    assert ("fact", "ended") in told
    assert ("fact", "corrected") in told
    instants = [one["at"] for one in result.document["changes"]]
    assert instants == sorted(instants, reverse=True)
    assert "Cause: " in result.items[2].text


def test_documents_do_not_crowd_the_facts_out(ask: Ask) -> None:
    assert [row["what"] for row in ask("get_change_history", limit=2).rows] == ["document", "fact"]
    assert [row["what"] for row in ask("get_change_history", limit=1).rows] == ["fact"]


def test_changes_can_begin_at_a_date_and_end_with_the_answers_clocks(ask: Ask) -> None:
    since = ask("get_change_history", since="2022-01-01")
    assert {row.get("uuid") for row in since.rows if row["what"] == "fact"} == {"f1", "f2"}
    then = ask("get_change_history", as_of="2020-03-01", known_at="2020-03-01")
    assert {row["what"] for row in then.rows} == {"fact"}
    assert {row["uuid"] for row in then.rows} == {"f1", "f3", "f6"}


def test_a_changed_document_is_told_with_the_facts_that_it_is_the_source_of(ask_own: Ask, filled) -> None:
    ingest(filled, NewDocument("manual", MANUAL + "\nNew.\n", "Safety manual", "markdown", "docs/manual.md"))
    episode = filled.mirrors.of("_").document("manual").document.episode_uuid
    write(filled, fact("m1", "Ada", "READS", "Fly", "2023-01-01", episodes=(episode,)))
    result = ask_own("get_change_history", document="safety manual")
    assert [(row["what"], row["kind"]) for row in result.rows] == [
        ("document", "changed"),
        ("document", "added"),
        ("fact", "added"),
    ]
    assert "There is no document “nothing”" in ask_own("get_change_history", document="nothing").message


def test_a_path_is_told_fact_by_fact(ask: Ask) -> None:
    result = ask("find_path", source="bob", target="Cy")
    assert [item.fact.uuid for item in result.items if item.fact] == ["f3", "f2", "f4"]
    assert result.items[0].text.startswith("- path 1, step 1: Ada knows Bob (relationship: KNOWS")
    assert (result.total, result.summary) == (1, "1 path of 3 facts")
    assert result.document["paths"][0]["entities"] == ["Bob", "Ada", "Labs", "Cy"]


def test_every_shortest_path_is_told(ask_own: Ask, filled) -> None:
    write(filled, fact("p1", "Bob", "WORKS_FOR", "Labs", "2021-01-01"), fact("p2", "Cy", "KNOWS", "Bob", "2021-01-01"))
    assert [row["entities"] for row in ask_own("find_path", source="Ada", target="Cy").rows] == [
        ["Ada", "Bob", "Cy"],
        ["Ada", "Labs", "Cy"],
    ]
    write(filled, fact("p3", "Ada", "LIKES", "Cy", "2021-01-01"), fact("p4", "Cy", "LIKES", "Ada", "2021-01-01"))
    direct = ask_own("find_path", source="Ada", target="Cy")
    assert sorted(item.fact.uuid for item in direct.items if item.fact) == ["p3", "p4"]


def test_more_paths_than_are_told_are_counted(ask_own: Ask, filled) -> None:
    middles = [Entity(f"m{n}", f"M{n}") for n in range(MOST_PATHS + 5)]
    steps = [fact(f"{end}{m.name}", end, "KNOWS", m.name, "2021-01-01") for m in middles for end in ("Bob", "Cy")]
    write(filled, *middles, *steps)
    result = ask_own("find_path", source="Bob", target="Cy")
    assert (result.total, len(result.rows)) == (MOST_PATHS + 5, MOST_PATHS)


def test_a_path_keeps_to_its_bounds_and_to_the_clocks(ask: Ask) -> None:
    short = ask("find_path", source="Bob", target="Cy", max_hops=2)
    assert (short.items, short.message) == ((), "No path of up to 2 facts connects “Bob” and “Cy” now.")
    assert ask("find_path", as_of="2021-06-01", source="Bob", target="Cy").total == 0
    assert "No entity in the graph matches “Nobody”" in ask("find_path", source="Ada", target="Nobody").message
    with pytest.raises(BadInput, match=r"^max_hops: "):
        ask("find_path", source="Ada", target="Cy", max_hops=6)
