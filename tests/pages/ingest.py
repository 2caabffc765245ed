"""The Ingest page at one of its ways in, and what came of it."""

from streamlit.testing.v1 import AppTest

from services.agent.app import App
from services.core.models import Fact
from tests.pages.conftest import WORKSPACE, opened

LINES = (
    "Ada | WORKS_FOR | Turing | 2024-01-01\nAda | LIVES_IN | Paris | 2020-01-01 | | 0.6\nAda | OWNS | Boat | | | 0.3"
)
LONG = 20.0


def at(how: str, workspace: str = WORKSPACE) -> AppTest:
    """The page at one of its ways in."""
    app = opened("Ingest", w=workspace)
    app.get_by_key("how").set_value(how).run()
    return app


def settled(app: AppTest, services: App, workspace: str = WORKSPACE) -> AppTest:
    """The page once its newest job is over."""
    services.jobs.wait(services.jobs.of(workspace, 1)[0].id, LONG)
    return app.run()


CREW = b"source,relation,target,valid_at\nAda,OWNS,Boat,2020-01-01\nAda,OWNS,Car,2021-01-01\n"


def imported(services: App, name: str = "crew.csv", content: bytes = CREW) -> AppTest:
    """The page once a table was imported from it."""
    app = at("Table")
    app.file_uploader[0].upload(name, content).run()
    app.button(key="import_rows").click().run()
    return settled(app, services)


def facts(services: App, entity: str = "Ada", workspace: str = WORKSPACE) -> dict[tuple[str, str], Fact]:
    found = services.bridge.run(services.graph.facts_about(workspace, entity))
    return {(fact.relation, fact.target): fact for fact in found}


def keys(app: AppTest) -> list[str]:
    return [button.key or "" for button in app.button]


def read_text(services: App, text: str = LINES) -> AppTest:
    app = at("Text")
    app.text_area(key="text_body").set_value(text).run()
    app.button(key="text_read").click().run()
    return settled(app, services)


def item_of(services: App) -> str:
    """The id of what waits for review."""
    (item,) = services.accounts.jobs.items(services.jobs.of(WORKSPACE, 1)[0].id, ["review"])
    return item.id
