"""A text goes into a graph that others wrote, on every database, with its facts and what it ends; and out again."""

from collections.abc import Callable

import pytest

from services.agent.app import App
from services.core import clock
from services.jobs import documents_job as feed
from services.jobs.documents_job import text_item
from services.writing.change_sets import change_sets
from services.writing.undoing import undo
from tests.contract.conftest import DATABASES
from tests.contract.test_undo import World, foreign, services_of
from tests.fakes.line_extractor import LineExtractor

__all__ = ["services_of"]

LONG = 60.0
HOME = "Ann | LIVES_IN | Rome | 2010\nann | KNOWS | Bo."
MOVE = "Ann | LIVES_IN | Paris | 2020\nBo | WORKS_FOR | Acme | 2015 | 2018"


@pytest.mark.parametrize("database", DATABASES)
def test_a_text_goes_in_whole_and_comes_out_again(
    services_of: Callable[[str], App], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    services = services_of(database)
    world = World(services)
    foreign(world)
    services.mirrors.sync(world.workspace)
    before = world.dump()
    services.jobs.start()
    for number, text in enumerate((HOME, MOVE)):
        id = services.accounts.jobs.add(
            world.workspace,
            "documents",
            "texts",
            [text_item(text, id=f"t{number}")],
            options={"extract": "rules", "write_at_once": True},
        )
        assert services.jobs.wait(id, LONG).counts == {"done": 1}

    facts = {(fact.source, fact.relation, fact.target): fact for fact in world.facts()}
    page = {episode.content: episode for episode in world.episodes()}
    assert {entity.name for entity in world.entities()} == {"Ann", "Bo", "Rome", "Paris", "Acme"}
    rome, knows = facts["Ann", "LIVES_IN", "Rome"], facts["Ann", "KNOWS", "Bo"]
    assert (rome.invalid_at, rome.ended_by) == (clock.parse_instant("2020"), page[MOVE].uuid)
    assert rome.episodes == (page[HOME].uuid,)
    assert (knows.uuid, set(knows.episodes)) == ("f-knows", {"f-page", page[HOME].uuid})
    assert set(page[HOME].entity_uuids) == {"f-ann", "f-bo", rome.target_uuid}

    for change in change_sets(services.workspace(world.workspace)):
        assert undo(services.workspace(world.workspace), change.id).left == ()
    assert world.dump() == before
    world.run(services.graph.clear(world.workspace))
