"""What a deletion takes with it, what it leaves, and that it leaves no trace."""

from services.agent.app import App
from services.core import time_rule
from services.core.models import GraphWrite, Instants
from services.documents.versions import NewDocument
from services.writing.change_sets import change_set_lines, change_sets
from services.writing.corrections import apply
from services.writing.documents import ingest_documents
from services.writing.edits import Scope
from services.writing.undoing import undo
from tests.services.writing.corrections.conftest import WORKSPACE, day, fact
from tests.services.writing.corrections.test_apply import dump


def uuids(records: tuple) -> list[str]:
    return sorted(record.uuid for record in records)


def test_a_deleted_text_takes_the_facts_and_entities_that_nothing_else_has(
    team: App,
) -> None:
    asked = Scope(episodes=frozenset({"first"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert (uuids(going.facts), uuids(going.facts_kept), uuids(going.entities)) == (["one"], ["both"], ["bob", "dan"])
    apply.delete(team.workspace(WORKSPACE), asked, going, reinstate=False)
    left = dump(team)
    assert [e.uuid for e in left["entities"]] == ["ada", "cy"]
    assert [(f.uuid, f.episodes, f.ended_by) for f in left["facts"]] == [
        ("both", ("second",), None),
        ("ended", ("second",), None),
    ]
    assert [e.uuid for e in left["episodes"]] == ["second"]


def test_an_entity_goes_with_its_facts_and_the_others_stay(team: App) -> None:
    asked = Scope(entities=frozenset({"cy"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert (uuids(going.facts), uuids(going.entities), going.episodes) == (["both", "ended"], ["cy"], ())
    apply.delete(team.workspace(WORKSPACE), asked, going)
    left = dump(team)
    assert [f.uuid for f in left["facts"]] == ["one"]
    assert all("cy" not in episode.entity_uuids for episode in left["episodes"])


def test_a_fact_goes_alone(team: App) -> None:
    asked = Scope(facts=frozenset({"one"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert (uuids(going.facts), going.entities, uuids(going.facts_touched)) == (["one"], (), ["ended"])
    apply.delete(team.workspace(WORKSPACE), asked, going, reinstate=False)
    left = dump(team)
    assert [f.uuid for f in left["facts"]] == ["both", "ended"]
    assert left["facts"][1].ended_by is None
    assert len(left["entities"]) == 4


def test_what_only_a_deleted_fact_had_ended_holds_again_and_undo_puts_all_back(team: App) -> None:
    before, asked = dump(team), Scope(facts=frozenset({"one"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert uuids(going.facts_ended) == ["ended"]
    id = apply.delete(team.workspace(WORKSPACE), asked, going, note="It was never so.")
    held = {f.uuid: f for f in dump(team)["facts"]}
    (again,) = (f for uuid, f in held.items() if uuid not in ("both", "ended"))
    assert (again.relation, again.valid_at, again.invalid_at, again.expired_at) == ("LIKES", day(1), None, None)
    assert (again.episodes, again.ended_by) == (("second",), None)
    assert (held["ended"].ended_by, held["ended"].withdrawn_at) == (None, again.created_at)
    assert time_rule.true_at(held["ended"], Instants(day(3), day(7)))
    told = change_set_lines(team, id)
    assert [(line.kind, line.text) for line in told] == [
        ("deleted", "Ada knows Bob: deleted"),
        ("reinstated", "Ada likes Cy: reinstated"),
    ]
    assert undo(team.workspace(WORKSPACE), id).left == ()
    assert dump(team) == before


def test_what_a_deleted_source_had_ended_holds_again_and_names_it_no_more(team: App) -> None:
    by_note = fact(
        "over", "bob", "second", "first", relation="HELPS", invalid_at=day(5), expired_at=day(6), ended_by="first"
    )
    team.bridge.run(team.graph.write(WORKSPACE, GraphWrite(facts=(by_note,))))
    team.mirrors.sync(WORKSPACE, deep=True)
    before, asked = dump(team), Scope(episodes=frozenset({"first"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert uuids(going.facts_ended) == ["ended", "over"]
    id = apply.delete(team.workspace(WORKSPACE), asked, going)
    left = dump(team)["facts"]
    assert {f.relation for f in left if f.invalid_at is None and f.withdrawn_at is None} == {"KNOWS", "LIKES", "HELPS"}
    assert all(f.episodes == ("second",) and f.ended_by is None for f in left)
    assert undo(team.workspace(WORKSPACE), id).left == ()
    assert dump(team) == before


def test_what_stays_ended_is_said(team: App) -> None:
    asked = Scope(facts=frozenset({"one"}))
    id = apply.delete(
        team.workspace(WORKSPACE), asked, apply.preview_delete(team.workspace(WORKSPACE), asked), reinstate=False
    )
    texts = [line.text for line in change_set_lines(team, id)]
    assert texts[1:] == ["Ada likes Cy: stays ended, but its cause is deleted"]


def test_what_another_fact_says_or_what_was_withdrawn_is_not_offered_to_hold_again(team: App) -> None:
    times = {"relation": "LIKES", "invalid_at": day(5), "expired_at": day(6), "ended_by": "one"}
    twin = fact("twin", "cy", "second", **times)
    said = fact("said", "dan", "second", **times)
    says_it = fact("says it", "dan", "second", relation="LIKES", created_at=day(7))
    wrong = fact("wrong", "bob", "second", **times, withdrawn_at=day(6))
    team.bridge.run(team.graph.write(WORKSPACE, GraphWrite(facts=(twin, said, says_it, wrong))))
    team.mirrors.sync(WORKSPACE, deep=True)
    going = apply.preview_delete(team.workspace(WORKSPACE), Scope(facts=frozenset({"one"})))
    assert uuids(going.facts_touched) == ["ended", "said", "twin", "wrong"]
    assert uuids(going.facts_ended) == ["ended"]


def test_a_document_goes_with_all_its_versions_and_what_they_told(team: App) -> None:
    for text in ("Ada knows Dan.", "Ada knows Dan well."):
        ingest_documents(team.workspace(WORKSPACE), [NewDocument("report", text, title="Report")])
    mirror = team.mirrors.of(WORKSPACE)
    document = mirror.documents_by_id(["report"])["report"]
    versions = [e.uuid for e in mirror.possible_versions(document, document.updated_at) if e.name == "Report"]
    assert len(versions) == 2
    old = next(uuid for uuid in versions if uuid != document.episode_uuid)
    told = (fact("told", "dan", old), fact("more", "bob", document.episode_uuid, "second", relation="HELPS"))
    team.bridge.run(team.graph.write(WORKSPACE, GraphWrite(facts=told)))
    asked = Scope(documents=frozenset({"report"}))
    going = apply.preview_delete(team.workspace(WORKSPACE), asked)
    assert (going.documents, uuids(going.episodes)) == (("report",), sorted(versions))
    assert (uuids(going.facts), uuids(going.facts_kept)) == (["told"], ["more"])
    apply.delete(team.workspace(WORKSPACE), asked, going)
    left = dump(team)
    assert [e.uuid for e in left["episodes"]] == ["first", "second"]
    assert next(f for f in left["facts"] if f.uuid == "more").episodes == ("second",)
    assert team.bridge.run(team.graph.documents.all_documents(WORKSPACE)) == ()
    assert mirror.documents() == ()
    assert change_sets(team.workspace(WORKSPACE), 1)[0].title == "Report: deleted"


def test_the_present_text_of_a_document_does_not_go_without_it(team: App) -> None:
    ingest_documents(team.workspace(WORKSPACE), [NewDocument("report", "Nothing much.")])
    document = team.mirrors.of(WORKSPACE).documents_by_id(["report"])["report"]
    going = apply.preview_delete(team.workspace(WORKSPACE), Scope(episodes=frozenset({document.episode_uuid})))
    assert going.documents == ("report",)


def test_what_is_not_there_takes_nothing_with_it(team: App) -> None:
    nothing = Scope(frozenset({"x"}), frozenset({"x"}), frozenset({"x"}), frozenset({"x"}))
    assert all(not keys for keys in apply.preview_delete(team.workspace(WORKSPACE), nothing).keys)
