"""What other programs want to change waits on Sources for a button."""

from services.agent.app import App
from services.mcp.access import Access
from services.mcp.calls import call
from tests.pages.conftest import WORKSPACE, opened, words

TEXT = "Leek soup is <b>on</b> Monday."


def proposed(services: App) -> str:
    services.accounts.add(WORKSPACE, "Team memory")
    local = services.accounts.users.local()
    granted, _ = services.accounts.tokens.add(local, "Claude", workspaces=[WORKSPACE], toolsets=["knowledge"])
    access = Access(granted.id, (WORKSPACE,), ("knowledge",), may_write=True)
    found = call(services, access, "knowledge_ingest", {"text": TEXT})
    assert found.data is not None
    return str(found.data["proposalId"])


def test_a_proposal_is_shown_with_who_asks_and_runs_by_its_button(services: App) -> None:
    id = proposed(services)
    app = opened("Sources", w=WORKSPACE)
    assert "Claude wants to add this to the graph." in words(app)
    assert services.accounts.jobs.of(WORKSPACE, 1) == ()
    app = app.button(key=f"allow_{id}").click().run()
    assert not app.exception
    assert services.accounts.jobs.of(WORKSPACE, 1)[0].id == id
    assert "Claude wants" not in words(app)


def test_a_refused_proposal_is_gone(services: App) -> None:
    id = proposed(services)
    app = opened("Sources", w=WORKSPACE).button(key=f"refuse_{id}").click().run()
    assert not app.exception
    assert "Claude wants" not in words(app)
    assert services.accounts.jobs.of(WORKSPACE, 1) == ()
