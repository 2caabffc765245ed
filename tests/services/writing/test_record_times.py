"""A clock that jumps: what is written is recorded after what was, or not at all, and the future can be stamped anew."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from services.agent.app import App
from services.core import clock, time_rule
from services.core.draft_records import Draft
from services.core.errors import BadInput, WriteFailed
from services.core.models import Fact, Instants
from services.documents.versions import NewDocument
from services.graph import raw
from services.proposals.by_hand import propose_fact
from services.writing.change_sets import change_sets
from services.writing.corrections import end_fact, merge_entities, preview_restamp, restamp, withdraw_fact
from services.writing.documents import ingest_documents
from services.writing.importer import import_rows
from services.writing.undoing import undo
from tests.contract.graph_dump import dump
from tests.services.writing.imports import row, year
from tests.services.writing.test_importer import content

pytestmark = pytest.mark.slow

W = "w"
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)
SetClock = Callable[[datetime], None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Set the machine's clock."""
    return lambda instant: monkeypatch.setattr(clock, "now", lambda: instant)


@pytest.fixture(params=["memory", "embedded"])
def either(request: pytest.FixtureRequest) -> App:
    """Services on a graph in memory, then on the embedded database."""
    return request.getfixturevalue("services" if request.param == "memory" else "real")


def say(services: App, target: str = "Acme", **cells: object) -> None:
    import_rows(services.workspace(W), [row(None, target=target)._replace(**cells)], title="rows")


def facts(services: App) -> dict[str, Fact]:
    return {fact.target: fact for fact in content(services)[1].values()}


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_write_is_recorded_just_after_a_record_that_lies_ahead(either: App, at: SetClock, mirrored: bool) -> None:
    at(NOW)
    say(either)
    if mirrored:
        assert either.mirrors.of(W)
    at(NOW - timedelta(hours=23))
    say(either, "Cog")
    assert [facts(either)[name].created_at for name in ("Acme", "Cog")] == [NOW, NOW + TICK]
    ingest_documents(either.workspace(W), [NewDocument("d", "A text.")])
    (document,) = either.mirrors.of(W).documents()
    assert document.updated_at == NOW + 2 * TICK
    at(NOW + timedelta(hours=1))
    say(either, "Dow")
    assert facts(either)["Dow"].created_at == NOW + timedelta(hours=1)


def test_nothing_is_written_a_day_before_the_newest_record(either: App, at: SetClock) -> None:
    at(NOW)
    say(either)
    (fact,) = facts(either).values()
    before = dump(either, W)
    at(NOW - timedelta(days=365))
    workspace = either.workspace(W)
    for write in (
        lambda: say(either, "Cog"),
        lambda: end_fact(workspace, fact, year(2012)),
        lambda: withdraw_fact(workspace, fact),
        lambda: ingest_documents(workspace, [NewDocument("d", "A text.")]),
        lambda: propose_fact(workspace, Draft("Ann", "WORKS_AT", "Dow")),
    ):
        with pytest.raises(
            WriteFailed, match="2026-11-26 12:00 UTC, but this computer's clock says 2025-11-26 12:00 UTC"
        ):
            write()
    assert dump(either, W) == before
    assert undo(workspace, change_sets(workspace)[0].id).left == ()


@pytest.mark.parametrize("by_hand", [False, True])
def test_ending_a_fact_leaves_when_it_was_recorded(either: App, at: SetClock, by_hand: bool) -> None:
    at(NOW)
    say(either)
    (fact,) = facts(either).values()
    at(NOW - timedelta(hours=20))
    if by_hand:
        end_fact(either.workspace(W), fact, year(2012))
    else:
        say(either, invalid_at=year(2012))
    (ended,) = facts(either).values()
    assert (ended.uuid, ended.created_at) == (fact.uuid, NOW)
    assert (ended.invalid_at, ended.expired_at) == (year(2012), NOW + TICK)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_write_is_recorded_after_a_withdrawal_of_an_ended_fact(either: App, at: SetClock, mirrored: bool) -> None:
    at(NOW - timedelta(hours=3))
    say(either)
    at(NOW - timedelta(hours=2))
    say(either, invalid_at=year(2012))
    if mirrored:
        assert either.mirrors.of(W)
    at(NOW)
    (ended,) = facts(either).values()
    withdraw_fact(either.workspace(W), ended)
    at(NOW - timedelta(hours=1))
    say(either, "Cog")
    assert facts(either)["Acme"].withdrawn_at == NOW
    assert facts(either)["Cog"].created_at == NOW + TICK
    withdraw_fact(either.workspace(W), facts(either)["Cog"])
    assert facts(either)["Cog"].withdrawn_at == NOW + 2 * TICK


def test_a_merge_is_recorded_after_the_newest_record(either: App, at: SetClock) -> None:
    at(NOW)
    say(either)
    found = {entity.name: entity for entity in content(either)[0].values()}
    at(NOW - timedelta(hours=1))
    id = merge_entities(either.workspace(W), found["Acme"], found["Ann"])
    assert change_sets(either.workspace(W))[0].id == id
    key = raw.node_key("MergedEntity", found["Acme"].uuid)
    ((left,),) = either.bridge.run(either.graph.raw.read(W, [key])).values()
    assert left.properties["merged_at"] == either.graph.raw.instant(NOW + TICK)


def test_records_from_the_future_are_stamped_anew_in_their_order(either: App, at: SetClock) -> None:
    at(NOW - timedelta(days=1))
    say(either, "Old")
    at(NOW + timedelta(days=400))
    say(either, "Acme", episode="A letter")
    ingest_documents(either.workspace(W), [NewDocument("d", "A text.")])
    at(NOW + timedelta(days=401))
    end_fact(either.workspace(W), facts(either)["Acme"], year(2012), note="Seen.")
    say(either, "Old", invalid_at=year(2013))
    whole = dump(either, W)
    at(NOW)
    made = preview_restamp(either.workspace(W))
    assert len(made.lines) == len(made.edit.values) > 5
    assert "Ann works at Acme: 2028-01-01 12:00 → 2026-11-26 11:59" in [line.text for line in made.lines]
    id = restamp(either.workspace(W), user_id="ada")
    with pytest.raises(BadInput, match="No records are from the future"):
        preview_restamp(either.workspace(W))
    acme, old = (facts(either)[name] for name in ("Acme", "Old"))
    assert old.created_at == NOW - timedelta(days=1)
    for fact in (acme, old):
        assert fact.created_at < fact.expired_at < NOW
        assert NOW - fact.expired_at < timedelta(seconds=1)
    assert all(time_rule.recorded(fact, NOW) for fact in (acme, old))
    assert {one.uuid: one for one in either.mirrors.of(W).facts([acme.uuid])} == {acme.uuid: acme}
    (document,) = either.mirrors.of(W).documents()
    assert document.updated_at < NOW
    say(either, "Dow")
    assert facts(either)["Dow"].created_at == NOW
    assert time_rule.true_at(facts(either)["Dow"], Instants(year(2009), NOW))
    undo(either.workspace(W), change_sets(either.workspace(W))[0].id)
    assert undo(either.workspace(W), id).left == ()
    assert dump(either, W) == whole
