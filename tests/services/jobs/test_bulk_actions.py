"""A job dealt with in one go: each item once, and what is left as it is counted as that."""

from collections.abc import Iterator

import pytest

from services.agent.app import App
from services.core import clock
from services.core.background import Handle
from services.core.import_rows import Row
from services.jobs import documents_job as feed
from services.jobs.bulk_actions import discard_all, save_ticked, undo_job, undoable
from services.jobs.documents_job import confirm, discard, keep, reviewed
from services.jobs.texts import text_item
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.revising import with_ticks
from services.writing.importer import import_rows
from services.writing.undoing import undo
from tests.fakes.line_extractor import LineExtractor

W = "team"
THINGS = ("Boat", "Car", "Drum", "Egg")
LONG = 30.0


@pytest.fixture
def running(services: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    services.jobs.start()
    return services


def read(services: App, **others: str) -> str:
    """A job that left a fact of each thing for review, or what another line says."""
    items = [text_item(others.get(thing, f"Ada | OWNS | {thing}"), id=thing) for thing in THINGS]
    job_id = services.accounts.jobs.add(W, "documents", "Things", items, options={"extract": "rules"})
    assert services.jobs.wait(job_id, LONG).counts == {"review": len(THINGS)}
    return job_id


def waiting(services: App, job_id: str) -> dict[str, str]:
    """The ids of the items that wait, by the thing that each is about."""
    return {item.key: item.id for item in services.accounts.jobs.items(job_id, ["review"])}


def ticked(services: App, item_id: str, ticks: dict[str, bool]) -> None:
    """What a visit does that is over by now: it ticks lines of an item by hand."""
    proposal = reviewed(services, item_id)[2]
    keep(services, item_id, with_ticks(proposal, snapshot_for(services.workspace(W), proposal), ticks))


def owned(services: App) -> set[str]:
    return {fact.target for fact in services.bridge.run(services.graph.facts_about(W, "Ada"))}


def at_each_step(action) -> Handle:  # type: ignore[no-untyped-def]
    """A handle that does something each time that work says how far it is; it is given the number of the step."""
    steps = iter(range(1000))
    return Handle(lambda **_: action(next(steps)))


def test_what_somebody_else_decides_meanwhile_has_no_other_item_skipped(running: App) -> None:
    job_id = read(running)
    ids = waiting(running, job_id)

    def meanwhile(step: int) -> None:
        if step == 0:
            discard(running, ids["Boat"])
        if step == 1:
            discard(running, ids["Car"])

    outcome = save_ticked(running, job_id, {}, None, at_each_step(meanwhile))
    assert outcome.done == 2
    assert len(outcome.left) == 2
    assert owned(running) == {"Drum", "Egg"}
    assert waiting(running, job_id) == {}


def test_what_cannot_be_saved_now_stays_and_the_others_are_saved(running: App) -> None:
    job_id = read(running, Boat="Ada | LIVES_IN | Paris | 2024-01-01")
    ids = waiting(running, job_id)
    seen = reviewed(running, ids["Boat"])[2]
    earlier = Row(1, "Ada", "LIVES_IN", "London", valid_at=clock.parse_instant("2020-01-01"))
    import_rows(running.workspace(W), [earlier], title="Somebody else")
    outcome = save_ticked(running, job_id, {ids["Boat"]: seen}, None, at_each_step(lambda _: None))
    assert (outcome.done, len(outcome.left)) == (3, 1)
    assert owned(running) == {"London", "Car", "Drum", "Egg"}
    assert waiting(running, job_id) == {"Boat": ids["Boat"]}


def test_items_that_tell_the_same_are_matched_with_what_those_before_left(running: App) -> None:
    same = "Ada | OWNS | Boat | 2024-01-01"
    job_id = read(running, Boat=same, Car=f"{same}\nAda | OWNS | Car")
    outcome = save_ticked(running, job_id, {}, None, at_each_step(lambda _: None))
    assert (outcome.done, outcome.left) == (4, ())
    assert owned(running) == set(THINGS)
    (boat,) = (fact for fact in running.bridge.run(running.graph.facts_about(W, "Ada")) if fact.target == "Boat")
    assert len(boat.episodes) == 2


def test_an_item_that_nobody_opened_ends_nothing_that_is_stored(running: App) -> None:
    earlier = Row(1, "Ada", "LIVES_IN", "London", valid_at=clock.parse_instant("2020-01-01"))
    import_rows(running.workspace(W), [earlier], title="Somebody else")
    job_id = read(running, Boat="Ada | LIVES_IN | Paris | 2024-01-01")
    outcome = save_ticked(running, job_id, {}, None, at_each_step(lambda _: None))
    assert (outcome.done, len(outcome.left)) == (3, 1)
    assert "would end 1 stored fact" in outcome.left[0]
    assert set(waiting(running, job_id)) == {"Boat"}


def test_a_tick_of_an_earlier_visit_corrects_nothing_that_was_not_shown(running: App) -> None:
    job_id = read(running, Boat="Ada | WORKS_FOR | Acme | 2019-01-01 | 2022-01-01 | 0.6")
    ids = waiting(running, job_id)
    ticked(running, ids["Boat"], {"0": True})
    start, stop = clock.parse_instant("2019-01-01"), clock.parse_instant("2023-01-01")
    import_rows(
        running.workspace(W), [Row(1, "Ada", "WORKS_FOR", "Acme", valid_at=start, invalid_at=stop)], title="Somebody"
    )
    outcome = save_ticked(running, job_id, {}, None, at_each_step(lambda _: None))
    assert (outcome.done, len(outcome.left)) == (3, 1)
    assert "The graph has changed" in outcome.left[0]
    assert set(waiting(running, job_id)) == {"Boat"}
    acme = [fact for fact in running.bridge.run(running.graph.facts_about(W, "Ada")) if fact.target == "Acme"]
    assert [(fact.invalid_at, fact.withdrawn_at) for fact in acme] == [(stop, None)]


def test_an_ending_that_an_analyst_ticked_in_an_earlier_visit_is_saved_with_the_rest(running: App) -> None:
    earlier = Row(1, "Ada", "LIVES_IN", "London", valid_at=clock.parse_instant("2020-01-01"))
    import_rows(running.workspace(W), [earlier], title="Somebody else")
    job_id = read(running, Boat="Ada | LIVES_IN | Paris | 2024-01-01")
    boat = waiting(running, job_id)["Boat"]
    (london,) = reviewed(running, boat)[2].endings
    ticked(running, boat, {london.fact.uuid: True})
    outcome = save_ticked(running, job_id, {}, None, at_each_step(lambda _: None))
    assert (outcome.done, outcome.left) == (4, ())
    ends = {fact.target: fact.invalid_at for fact in running.bridge.run(running.graph.facts_about(W, "Ada"))}
    assert (ends["London"], ends["Paris"]) == (clock.parse_instant("2024-01-01"), None)


def test_what_somebody_else_changed_since_it_was_shown_is_not_saved_with_the_rest(running: App) -> None:
    job_id = read(running)
    ids = waiting(running, job_id)
    seen = reviewed(running, ids["Boat"])[2]
    ticked(running, ids["Boat"], {"0": False})
    outcome = save_ticked(running, job_id, {ids["Boat"]: seen}, None, at_each_step(lambda _: None))
    assert (outcome.done, len(outcome.left)) == (3, 1)
    assert "Someone else changed this review." in outcome.left[0]
    assert owned(running) == {"Car", "Drum", "Egg"}


def test_a_change_that_somebody_else_undid_is_not_counted_as_undone(running: App) -> None:
    job_id = read(running)
    save_ticked(running, job_id, {}, None, at_each_step(lambda _: None))
    newest = undoable(running.workspace(W), job_id)[0].id
    somebody = at_each_step(lambda step: undo(running.workspace(W), newest) if step == 0 else None)
    outcome = undo_job(running.workspace(W), job_id, None, somebody)
    assert (outcome.done, len(outcome.left), owned(running)) == (3, 1, set())


def test_all_that_a_job_left_for_review_is_let_go_also_what_cannot_be_read_any_more(running: App) -> None:
    job_id = read(running)
    ids = waiting(running, job_id)
    was = running.accounts.jobs.item(ids["Car"]).result  # type: ignore[union-attr]
    running.accounts.jobs.revise(ids["Car"], {"proposal": {"written by": "another version"}}, was=was or {})
    outcome = discard_all(running, job_id, at_each_step(lambda _: None))
    assert (outcome.done, outcome.left) == (4, ())
    assert waiting(running, job_id) == {}
    assert running.jobs.get(job_id).counts == {"cancelled": 4}  # type: ignore[union-attr]


def test_what_somebody_else_saves_meanwhile_is_not_let_go(running: App) -> None:
    job_id = read(running)
    ids = waiting(running, job_id)

    def meanwhile(step: int) -> None:
        if step == 0:
            confirm(running, ids["Boat"], reviewed(running, ids["Boat"])[2])

    outcome = discard_all(running, job_id, at_each_step(meanwhile))
    assert (outcome.done, len(outcome.left)) == (3, 1)
    assert owned(running) == {"Boat"}
