"""Calls are recorded, what they return gets numbers, and a model gets whole items as far as they fit."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from services.agent.app import App
from services.bootstrap import build_services
from services.core.answer_records import ToolCall
from services.core.config import Settings
from services.core.errors import BadInput, GraphUnavailable
from services.core.models import Fact
from services.tools.tool import Context, ResultItem, Tool, ToolResult
from services.tools.toolbox import MOST_CHARACTERS, Toolbox
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

T = datetime(2020, 1, 1, tzinfo=UTC)


def fact(n: int) -> Fact:
    return Fact(f"f{n}", "s", f"t{n}", "Ada", "KNOWS", f"Friend {n}", f"Ada knows friend {n}.", valid_at=T)


def friends(context: Context, count: Annotated[int, Field(ge=0, le=500, description="How many.")] = 3) -> ToolResult:
    """Friends of Ada. Not for enemies."""
    items = tuple(ResultItem(f"- {fact(n).text}", fact(n), nodes=("Ada", f"Friend {n}")) for n in range(count))
    return ToolResult(
        {"count": count},
        items,
        count,
        summary=f"{count} facts",
        message="Ada has no friends.",
        truncation="{total} friends in all.",
    )


def broken(context: Context) -> ToolResult:
    """A tool whose database is away."""
    raise GraphUnavailable("The graph is away.", "Wait.")


def wrong(context: Context) -> ToolResult:
    """A tool with a fault in it."""
    raise ZeroDivisionError


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=MemoryGraphStore())
    yield services
    services.close()


@pytest.fixture
def reported() -> list[ToolCall]:
    return []


@pytest.fixture
def toolbox(services: App, reported: list[ToolCall]) -> Toolbox:
    tools = [Tool("analyst", run) for run in (friends, broken, wrong)]
    return Toolbox(Context(services.workspace("_"), T, T), tools, reported.append)


def test_a_call_stands_in_the_trace_with_its_output_and_time(toolbox: Toolbox, reported: list[ToolCall]) -> None:
    called = toolbox.call("friends", {"count": 2}, parent_id="m")
    (call,) = toolbox.calls
    assert call == called.call
    assert (call.tool, call.input, call.output, call.summary) == ("friends", {"count": 2}, {"count": 2}, "2 facts")
    assert (call.parent_id, call.error) == ("m", None)
    assert call.ms > 0
    assert [one.output for one in reported] == [None, {"count": 2}], "reported when it begins, and when it is over"


def test_what_is_asked_for_is_numbered_in_that_order_and_the_rest_after_it(toolbox: Toolbox) -> None:
    called = toolbox.call("friends", {"count": 3})
    assert [toolbox.number("fact", f"f{n}") for n in (2, 0, 2)] == [1, 2, 1]
    assert toolbox.number("result", called.call.id) == 3
    assert [(one.n, one.id) for one in toolbox.evidence][:2] == [(1, "f2"), (2, "f0")]
    assert [one.id for one in toolbox.evidence if one.n == 4] == ["f1"]


def test_what_a_model_is_not_shown_has_no_number_that_it_could_cite(toolbox: Toolbox) -> None:
    read = toolbox.for_model(toolbox.call("friends", {"count": 500}))
    assert "[20]" in read
    assert "[21]" not in read
    assert [one.kind for one in toolbox.evidence[:20]] == ["fact"] * 19 + ["result"]


def test_a_fact_remembers_the_instants_of_every_call_that_returned_it(toolbox: Toolbox, services: App) -> None:
    later = Context(services.workspace("_"), T + timedelta(days=1), T)
    toolbox.call("friends", {"count": 1})
    toolbox.call("friends", {"count": 1}, context=later)
    assert toolbox.evidence[0].at == (toolbox.context.at, later.at)


def test_what_goes_wrong_is_raised_and_stands_in_the_trace(toolbox: Toolbox) -> None:
    with pytest.raises(GraphUnavailable):
        toolbox.call("broken", {})
    with pytest.raises(ZeroDivisionError):
        toolbox.call("wrong", {})
    with pytest.raises(BadInput, match="no tool “nothing”"):
        toolbox.call("nothing", {})
    told = [call.error for call in toolbox.calls]
    assert told[0] == "The graph is away. Wait."
    assert told[1] == "ZeroDivisionError: the tool failed."
    assert told[2] is not None


@pytest.mark.parametrize("given", [{"count": -1}, {"count": "many"}, {"cuont": 1}])
def test_an_input_that_cannot_be_used_is_named(toolbox: Toolbox, given: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=next(iter(given))):
        toolbox.call("friends", given)


def test_the_schema_tells_a_model_of_the_inputs_and_not_of_the_clocks() -> None:
    schema = Tool("analyst", friends).schema()
    assert schema["properties"]["count"]["description"] == "How many."
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == {"count"}


def test_a_model_reads_each_line_with_its_number(toolbox: Toolbox) -> None:
    read = toolbox.for_model(toolbox.call("friends", {"count": 2}))
    assert read.splitlines() == [
        "- Ada knows friend 0. [1]",
        "- Ada knows friend 1. [2]",
        "(This result as a whole: [3], total 2.)",
    ]


def test_a_model_gets_whole_items_of_at_most_3000_characters_and_20_entities(toolbox: Toolbox) -> None:
    many = toolbox.call("friends", {"count": 500})
    read = toolbox.for_model(many)
    assert len(read) <= MOST_CHARACTERS
    assert read.count("- Ada knows") == 19, "Ada and 19 friends are 20 entities"
    assert "... truncated. 500 friends in all." in read
    assert many.call.output == {"count": 500}, "the trace has everything"


def test_a_model_reads_why_there_is_nothing(toolbox: Toolbox) -> None:
    assert toolbox.for_model(toolbox.call("friends", {"count": 0})).startswith("Ada has no friends.")
