"""Changes by hand on a graph: what they leave there and in the mirror, what they refuse, and how they are undone."""

from dataclasses import replace
from typing import Any

import pytest

from services.agent.app import App
from services.core import clock
from services.core.errors import BadInput
from services.core.models import Entity, Fact, GraphWrite
from services.mirror.health_queries import residues
from services.writing.change_sets import change_sets
from services.writing.corrections import apply
from services.writing.corrections.correction_records import EntityChanges
from services.writing.corrections.fact_corrections import changes_of_fact
from services.writing.edits import Scope
from services.writing.undoing import undo
from tests.services.writing.corrections.conftest import WORKSPACE, day


def seen(services: App, uuid: str) -> Fact:
    """A fact as a page shows it."""
    (found,) = services.mirrors.of(WORKSPACE).facts((uuid,))
    return found


def entity(services: App, uuid: str) -> Entity:
    (found,) = services.mirrors.of(WORKSPACE).entities((uuid,))
    return found


def dump(services: App) -> dict[str, Any]:
    """All that the graph and the mirror hold."""

    async def read() -> list[Any]:
        graph = services.graph
        scans = (graph.scan_entities(WORKSPACE), graph.scan_facts(WORKSPACE), graph.scan_episodes(WORKSPACE))
        return [sorted([r async for batch in scan for r in batch], key=lambda r: r.uuid) for scan in scans]

    mirror = services.mirrors.of(WORKSPACE)
    graph = services.bridge.run(read())
    assert list(mirror.facts([f.uuid for f in graph[1]])) == graph[1]
    assert list(mirror.entities([e.uuid for e in graph[0]])) == graph[0]
    assert list(mirror.episodes([e.uuid for e in graph[2]])) == graph[2]
    assert mirror.counts().facts == len(graph[1])
    return {"entities": graph[0], "facts": graph[1], "episodes": graph[2]}


def test_an_end_is_in_graph_and_mirror_with_its_reason_and_its_user(team: App) -> None:
    id = apply.end_fact(team.workspace(WORKSPACE), seen(team, "one"), day(9), note="They fell out.", user_id="me")
    after = seen(team, "one")
    assert (after.invalid_at, after.believed_invalid_at) == (day(9), None)
    (reason,) = team.mirrors.of(WORKSPACE).episodes((after.ended_by or "",))
    assert reason.content == "They fell out."
    (kept,) = change_sets(team.workspace(WORKSPACE))
    assert (kept.id, kept.origin.kind, kept.origin.user_id, kept.origin.note) == (
        id,
        "correction",
        "me",
        "They fell out.",
    )
    assert kept.counts["ended"] == 1


def test_every_correction_can_be_undone(team: App) -> None:
    before = dump(team)
    one, both, ended = (seen(team, uuid) for uuid in ("one", "both", "ended"))
    ids = [
        apply.end_fact(team.workspace(WORKSPACE), one, day(9), note="why"),
        apply.withdraw_fact(team.workspace(WORKSPACE), both),
        apply.reinstate_fact(team.workspace(WORKSPACE), ended),
    ]
    changes = replace(changes_of_fact(seen(team, "one"), clock.now()), target="Eve", invalid_at=None)
    ids.append(apply.edit_fact(team.workspace(WORKSPACE), seen(team, "one"), changes, note="It was Eve."))
    ids.append(apply.edit_entity(team.workspace(WORKSPACE), entity(team, "bob"), EntityChanges("Rob", ("Person",), "")))
    ids.append(apply.merge_entities(team.workspace(WORKSPACE), entity(team, "dan"), entity(team, "cy")))
    asked = Scope(facts=frozenset({"both"}))
    ids.append(apply.delete(team.workspace(WORKSPACE), asked, apply.preview_delete(team.workspace(WORKSPACE), asked)))
    dump(team)
    for id in reversed(ids):
        assert undo(team.workspace(WORKSPACE), id, "me").left == ()
    assert dump(team) == before


def test_an_edit_creates_an_entity_for_a_new_name_and_takes_an_existing_one(team: App) -> None:
    fact = seen(team, "one")
    apply.edit_fact(
        team.workspace(WORKSPACE), fact, replace(changes_of_fact(fact, clock.now()), target="Eve"), note="It was Eve."
    )
    (eve,) = team.mirrors.of(WORKSPACE).entities_named("Eve")
    assert eve.types == ("Person",)
    (made,) = [f for f in team.mirrors.of(WORKSPACE).history("ada") if f.target == "Eve"]
    assert residues(team.mirrors.of(WORKSPACE), "mention", 5).total == 0
    apply.edit_fact(team.workspace(WORKSPACE), made, replace(changes_of_fact(made, clock.now()), target="Dan"))
    assert [f.target_uuid for f in team.mirrors.of(WORKSPACE).history("dan")] == ["dan"]


def test_an_edit_that_duplicates_a_fact_is_refused_in_the_form_and_on_saving(team: App) -> None:
    fact = seen(team, "one")
    changes = replace(changes_of_fact(fact, clock.now()), target="Cy")
    for ask in (apply.preview_edit, apply.edit_fact):
        with pytest.raises(BadInput, match="Another fact already says this"):
            ask(team.workspace(WORKSPACE), fact, changes)
    assert change_sets(team.workspace(WORKSPACE)) == ()


def test_what_was_changed_meanwhile_is_not_changed_on_top(team: App) -> None:
    fact, bob = seen(team, "one"), entity(team, "bob")
    apply.end_fact(team.workspace(WORKSPACE), fact, day(9))
    with pytest.raises(BadInput, match="changed this record in the meantime"):
        apply.withdraw_fact(team.workspace(WORKSPACE), fact)
    apply.edit_entity(team.workspace(WORKSPACE), bob, EntityChanges("Rob", ("Person",), ""))
    with pytest.raises(BadInput, match="changed this record in the meantime"):
        apply.edit_entity(team.workspace(WORKSPACE), bob, EntityChanges("Bert", ("Person",), ""))
    asked = Scope(episodes=frozenset({"first"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    apply.merge_entities(team.workspace(WORKSPACE), entity(team, "dan"), entity(team, "cy"))
    with pytest.raises(BadInput, match="changed this record in the meantime"):
        apply.delete(team.workspace(WORKSPACE), asked, going)


def test_what_is_gone_meanwhile_is_said(team: App) -> None:
    fact, asked = seen(team, "one"), Scope(facts=frozenset({"one"}))
    apply.delete(team.workspace(WORKSPACE), asked, apply.preview_delete(team.workspace(WORKSPACE), asked))
    with pytest.raises(BadInput, match="no longer exists"):
        apply.end_fact(team.workspace(WORKSPACE), fact, day(9))


def test_a_renamed_entity_is_found_by_its_old_name(team: App) -> None:
    apply.edit_entity(team.workspace(WORKSPACE), entity(team, "bob"), EntityChanges("Rob", ("Person",), ""))
    found = team.bridge.run(team.graph.entities_named(WORKSPACE, "Bob"))
    assert [(e.uuid, e.name) for e in found] == [("bob", "Rob")]
    assert seen(team, "one").target == "Rob"


def test_a_merged_entity_leaves_its_facts_and_mentions_to_the_kept_one(team: App) -> None:
    apply.merge_entities(team.workspace(WORKSPACE), entity(team, "bob"), entity(team, "cy"), user_id="me")
    mirror = team.mirrors.of(WORKSPACE)
    assert {f.uuid for f in mirror.history("cy")} == {"one", "both", "ended"}
    assert mirror.episodes(("first",))[0].entity_uuids.count("cy") == 1
    assert change_sets(team.workspace(WORKSPACE))[0].origin.kind == "merge"
    dump(team)


def test_a_kept_entity_without_a_type_gets_that_of_the_other_and_loses_it_by_undo(team: App) -> None:
    team.bridge.run(team.graph.write(WORKSPACE, GraphWrite((Entity("d2", "Dan"),))))
    team.mirrors.sync(WORKSPACE, deep=True)
    before = dump(team)
    id = apply.merge_entities(team.workspace(WORKSPACE), entity(team, "dan"), entity(team, "d2"))
    assert entity(team, "d2").types == ("Person",)
    undo(team.workspace(WORKSPACE), id)
    assert dump(team) == before
