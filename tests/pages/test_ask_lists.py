"""Answers that are lists: the number and the names first, then by year, as a table to take along, and line by line."""

from dataclasses import replace

from services.agent.app import App
from services.core.models import GraphWrite
from tests.pages.ask import asking, messages, open_box, press
from tests.pages.conftest import WORKSPACE, day, small_graph, words

_FRIENDS = 8


def _with_friends(services: App, name: str = "Pal {}") -> App:
    """Ada knows eight people more, each from another year on."""
    knows, bob = (small_graph().facts[2], small_graph().entities[1])
    people = [replace(bob, uuid=f"p{n}", name=name.format(n)) for n in range(_FRIENDS)]
    facts = [
        replace(knows, uuid=f"k{n}", target_uuid=one.uuid, target=one.name, valid_at=day(f"{2010 + n}-01-01"))
        for n, one in enumerate(people)
    ]
    services.bridge.run(services.graph.write(WORKSPACE, GraphWrite(tuple(people), tuple(facts))))
    services.mirrors.sync(WORKSPACE)
    return services


def test_a_list_leads_with_the_number_and_the_names(filled: App) -> None:
    app = asking("Who does Ada know?") if _with_friends(filled) else None
    assert app is not None
    shown = words(app)
    assert "10 people" in shown
    assert shown.index("Pal 0, Pal 1") < shown.index("Ada knows Pal 0")
    assert any("people by year" in one.value for one in app.get("html"))


def test_the_table_of_a_list_shows_five_rows_and_all_on_request(filled: App) -> None:
    _with_friends(filled)
    app = asking("Who does Ada know?")
    open_box(app, f"table_{messages(filled, app)[-1].id}")
    assert "Pal 4" in _table(app)
    assert "Pal 5" not in _table(app)
    press(app, "Show all 10 rows")
    assert "Pal 5" in _table(app)
    assert [one.label for one in app.get("download_button")] == ["CSV"]


def test_people_of_one_name_are_listed_apart(filled: App) -> None:
    app = asking("Who does Ada know?") if _with_friends(filled, "Pal") else None
    assert app is not None
    assert "10 people" in words(app)


def test_a_few_things_are_no_list(filled: App) -> None:
    assert "people by year" not in words(asking("Who does Ada know?"))


def _table(app: object) -> str:
    return next(one.value for one in app.get("html") if "<table" in one.value and "Pal" in one.value)  # type: ignore[attr-defined]
