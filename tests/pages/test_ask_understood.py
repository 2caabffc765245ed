"""How Ask shows what it understood, and what it offers where it did not."""

from services.agent.app import App
from tests.pages.ask import ask, asking, labels, messages, open_box, press
from tests.pages.conftest import opened, words

_DATED = "Who did Ada work for on 2020-06-01?"


def _questions(services: App, app: object) -> list[str]:
    return [one.content for one in messages(services, app) if one.role == "user"]  # type: ignore[arg-type]


def test_each_part_of_a_question_is_a_chip(filled: App) -> None:
    app = asking(_DATED)
    chips = [popover.proto.popover.label for popover in app.get("popover")]
    assert {"Ada", "works for", "● valid on 2020-06-01"} <= set(chips)
    assert {"Ask without Ada", "Ask without works for"} <= set(labels(app))


def test_a_date_that_is_taken_off_asks_the_question_without_it(filled: App) -> None:
    app = asking(_DATED)
    press(app, "Ask without at 2020\\-06\\-01")
    assert _questions(filled, app) == [_DATED, "Who did Ada work for?"]
    assert "Labs" in words(app)


def test_a_name_that_is_changed_asks_about_another(filled: App) -> None:
    app = asking("Who knows Bob?")
    asked = messages(filled, app)[0]
    open_box(app, f"change_{asked.id}_1_0")
    app.text_input(key=f"other_name_{asked.id}_1_0").set_value("Cy")
    press(app, "Ask")
    assert _questions(filled, app)[-1] == "Who knows Cy?"


def test_another_relation_is_asked_at_the_same_date(filled: App) -> None:
    app = asking(_DATED)
    asked = messages(filled, app)[0]
    open_box(app, f"change_{asked.id}_1_1")
    press(app, "knows")
    assert _questions(filled, app)[-1] == "On 2020-06-01, what does Ada know?"
    assert "Ada knows Bob" in words(app)


def test_what_was_carried_over_is_taken_off_by_asking_alone(filled: App) -> None:
    app = ask(asking("Who does Ada work for?"), "Since when?")
    press(app, "Ask without Ada")
    assert messages(filled, app)[-2].parent_id is None


def test_what_is_not_understood_names_the_word_and_offers_what_the_entity_has(filled: App) -> None:
    app = asking("What is the colour of Ada?")
    assert "? not understood" in words(app)
    assert "? colour" in words(app)
    press(app, "works for")
    assert "Ada works for Labs" in words(app)
    assert _questions(filled, app) == ["What is the colour of Ada?", "What does Ada work for?"]


def test_what_is_not_recorded_looks_other_than_what_is_not_understood(filled: App) -> None:
    app = asking("Who did Ada work for on 1990-01-01?")
    assert "∅ nothing found" in words(app)
    assert "not understood" not in words(app)
    assert "knows" in labels(app)
    listed = open_box(opened("Ask", w="team"), "ask_list")
    assert any("∅ nothing found" in label for label in labels(listed))


def test_a_question_in_another_language_is_told_so(filled: App) -> None:
    app = asking("Wann wurde Ada angestellt?")
    assert "This looks like German. Asof reads questions in English." in words(app)
    assert "is not backed" not in words(app)


def test_names_spelled_alike_are_offered(filled: App) -> None:
    app = asking("Who does Adah work for?")
    press(app, "Who does Ada work for?")
    assert "Ada works for Labs" in words(app)


def test_the_nearest_fact_stands_beside_what_is_offered(filled: App) -> None:
    app = asking("Who did Ada work for on 1990-01-01?")
    assert "The first is" in words(app)
    assert "knows" in labels(app)
