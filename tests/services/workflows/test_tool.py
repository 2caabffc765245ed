"""`run_workflow` gives the report with its records, to the chat and to clients, within their dates."""

from services.context import OpenWorkspace
from services.mcp.access import Access
from services.mcp.calls import call
from services.tools.registry import TOOLS, add_tool, tools_of
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from services.workflows.run_workflow_tool import RUN_WORKFLOW
from tests.services.retrieval.conftest import W
from tests.services.tools.conftest import day
from tests.services.workflows.conftest import GOAL


def test_the_report_comes_with_the_facts_that_bear_it_out(workspace: OpenWorkspace) -> None:
    box = Toolbox(Context(workspace), [RUN_WORKFLOW])
    called = box.call("run_workflow", {"name": "default", "goal": GOAL})
    assert called.result.document["state"] == "done"
    assert called.result.document["trace"][0]["node"] == "triage"
    text = box.for_model(called)
    assert text.startswith("Report of the workflow “Default News Reporter Workflow” (done, rule-based): Ada")
    assert "- Ada works for Labs, since 2022-07-01. [3]" in text
    assert [one.fact.uuid for one in box.evidence if one.fact] == ["f1", "f3", "f2"]


def test_a_client_is_granted_it_by_its_toolset_and_held_to_its_dates(workspace: OpenWorkspace) -> None:
    services, given = workspace.services, {"name": "default", "goal": GOAL}
    refused = call(services, Access("client", (W,), ("analyst",)), "run_workflow", given)
    assert "has no access to the toolset “compute”" in refused.text
    pinned = Access("client", (W,), ("compute",), as_of=day("2021-01-01"), known_at=day("2021-06-01"))
    found = call(services, pinned, "run_workflow", given)
    assert not found.is_error
    assert "Labs" not in found.text
    assert "Ada works for Engines, since 2019-03-01." in found.text


def test_a_workflow_that_there_is_not_is_an_error_that_names_those_there_are(workspace: OpenWorkspace) -> None:
    found = call(workspace.services, Access("client", (W,), ("compute",)), "run_workflow", {"name": "x", "goal": "y"})
    assert found.is_error
    assert "Available: Default News Reporter Workflow" in found.text


def test_the_toolset_compute_holds_it() -> None:
    add_tool(RUN_WORKFLOW)
    assert [tool.name for tool in tools_of(["compute"])] == ["run_workflow"]
    assert TOOLS["run_workflow"].schema()["required"] == ["name", "goal"]
    assert "NOT for" in RUN_WORKFLOW.description
