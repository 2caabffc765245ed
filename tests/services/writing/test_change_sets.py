"""What changes the graph is kept, undone and redone; what somebody changed since stays, and is told."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from services.agent.app import App
from services.core.change_records import Origin
from services.core.errors import AccountsUnavailable, BadInput, Cancelled
from services.core.models import Entity, Fact, GraphWrite
from services.documents.versions import NewDocument
from services.graph import raw
from services.writing.change_sets import change_set_lines, change_sets, writing
from services.writing.documents import prepare_documents
from services.writing.edits import Edit, Line, Merge, Scope
from services.writing.importer import edit_of, import_rows, preview_import
from services.writing.undoing import preview_undo, redo, undo
from tests.contract.graph_dump import dump
from tests.fakes.deletion import delete
from tests.services.writing.imports import row
from tests.services.writing.test_importer import content

W = "w"
FORM = Origin("form", user_id="ada", note="a slip")


def apply(services: App, edit: Edit, **more: Any) -> str:
    with writing(services.workspace(W)) as writer:
        return writer.apply(edit, title="edit", origin=FORM, **more)


def named(services: App, name: str) -> Entity:
    (found,) = services.bridge.run(services.graph.entities_named(W, name))
    return found


def mirrored(services: App) -> tuple[Any, ...]:
    mirror = services.mirrors.of(W)
    return (
        mirror.counts(),
        {one.uuid: one for one in mirror.find_entities("", 100)},
        mirror.documents(),
        mirror.merged(),
    )


def facts(services: App) -> list[Fact]:
    return sorted(content(services)[1].values(), key=lambda f: (f.source, f.target))


def test_a_change_is_listed_with_what_it_did(services):
    import_rows(services.workspace(W), [row(2010), row(2010, source="Bo")], title="letters.csv")
    import_rows(services.workspace(W), [row(2016, 2015)], title="more.csv", origin=Origin("import", user_id="ada"))
    second, first = change_sets(services.workspace(W))
    assert (first.title, first.counts, first.can_undo) == ("letters.csv", {"added": 2, "entities": 3}, True)
    assert (second.origin.user_id, dict(second.counts)) == ("ada", {"ended": 1})
    (line,) = change_set_lines(services, second.id)
    assert (line.kind, line.before.invalid_at, line.after.invalid_at.year) == ("ended", None, 2015)


def test_an_undo_says_that_what_it_takes_was_damaged(services):
    import_rows(services.workspace(W), [row(2010)], title="letters.csv")
    with services.accounts._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE change_sets SET payload = x'00'")
    (change,) = change_sets(services.workspace(W))
    with pytest.raises(AccountsUnavailable, match=r"damaged\. Restore a backup of the accounts database"):
        undo(services.workspace(W), change.id)
    assert len(facts(services)) == 1


def test_a_correction_is_one_line_about_both_records(services):
    import_rows(services.workspace(W), [row(2010, 2012)], title="a")
    import_rows(services.workspace(W), [row(2011, 2014)], title="b")
    (line,) = change_set_lines(services, change_sets(services.workspace(W))[0].id)
    assert (line.kind, line.before.invalid_at.year, line.after.invalid_at.year) == ("corrected", 2012, 2014)


def test_only_the_first_500_lines_are_kept_and_all_are_counted(services):
    import_rows(services.workspace(W), [row(2010, source=f"Person {i}") for i in range(600)], title="many")
    (record,) = change_sets(services.workspace(W))
    assert (record.counts["added"], len(change_set_lines(services, record.id))) == (600, 500)


def test_whoever_gives_lines_has_them_kept_as_they_are(services):
    id = apply(services, Edit(created=GraphWrite((Entity("x", "X"),))), lines=[Line("reinstated", "told so")])
    assert change_set_lines(services, id) == (Line("reinstated", "told so"),)
    assert dict(change_sets(services.workspace(W))[0].counts) == {"reinstated": 1, "entities": 1}


def test_out_of_order_what_nobody_changed_since_goes_back_and_the_rest_is_told(services):
    import_rows(services.workspace(W), [row(2010), row(2010, source="Bo", target="Cog")], title="first")
    import_rows(services.workspace(W), [row(2016, 2015)], title="second")
    _, first = change_sets(services.workspace(W))
    told = preview_undo(services.workspace(W), first.id)
    assert content(services)[1].keys() == {fact.uuid for fact in facts(services)}
    assert undo(services.workspace(W), first.id, "ada") == told
    assert told.restored == 3
    assert [(left.kind, left.name) for left in told.left] == [
        ("entity", "Acme"),
        ("entity", "Ann"),
        ("fact", "Ann works at Acme"),
    ]
    assert told.left[2].reason == "A later change affected this record. Undo “second” first."
    assert [(fact.source, fact.target) for fact in facts(services)] == [("Ann", "Acme")]
    assert [(one.state, one.undone_by) for one in change_sets(services.workspace(W))] == [
        ("done", None),
        ("done", "ada"),
    ]
    assert redo(services.workspace(W), first.id).left == ()
    assert [(fact.source, fact.target) for fact in facts(services)] == [("Ann", "Acme"), ("Bo", "Cog")]


def test_an_undo_leaves_what_others_hung_on_a_new_entity(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    ann, acme = named(services, "Ann"), named(services, "Acme")
    theirs = Fact("theirs", ann.uuid, acme.uuid, "Ann", "OWNS", "Acme")
    services.bridge.run(services.graph.write(W, GraphWrite(facts=(theirs,))))
    result = undo(services.workspace(W), change_sets(services.workspace(W))[0].id)
    assert {left.name for left in result.left} == {"Ann", "Acme"}
    assert content(services)[1].keys() == {"theirs"}


def test_an_undo_leaves_an_entity_that_another_was_merged_into_since(real):
    apply(real, Edit(created=GraphWrite((Entity("old", "Old"),))))
    first = apply(real, Edit(created=GraphWrite((Entity("new", "New"),))))
    merge = apply(real, Edit(merges=(Merge("old", "new"),)))
    result = undo(real.workspace(W), first)
    assert [(left.name, left.reason) for left in result.left] == [
        ("New", "Later records depend on this one. Undo “edit” first.")
    ]
    assert named(real, "Old").uuid == "new"
    assert undo(real.workspace(W), merge).left == ()
    assert named(real, "Old").uuid == "old"


def test_what_was_deleted_does_not_come_back_without_what_it_joins(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    (fact,) = facts(services)
    gone = apply(services, Edit(gone=Scope(facts=frozenset({fact.uuid}))))
    services.bridge.run(delete(services.graph, W, entities=[fact.source_uuid]))
    result = undo(services.workspace(W), gone)
    assert [(left.kind, left.reason) for left in result.left] == [
        ("fact", "One of the fact's entities no longer exists.")
    ]


def test_what_cannot_be_undone_says_why(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    (record,) = change_sets(services.workspace(W))
    for bad in ("unknown", record.id + "x"):
        with pytest.raises(BadInput, match="This change does not exist"):
            undo(services.workspace(W), bad)
    with pytest.raises(BadInput, match="You cannot redo"):
        redo(services.workspace(W), record.id)
    undo(services.workspace(W), record.id)
    with pytest.raises(BadInput, match="undone"):
        undo(services.workspace(W), record.id)
    with pytest.raises(BadInput, match="This change does not exist"):
        undo(services.workspace("other"), record.id)


def test_records_without_a_uuid_cannot_be_edited(services):
    for gone in (Scope(facts=frozenset({"edge:3"})), Scope(entities=frozenset({"node:3"}))):
        with pytest.raises(BadInput, match="no UUID"):
            apply(services, Edit(gone=gone))
    assert change_sets(services.workspace(W)) == ()


def test_an_entity_is_not_merged_with_itself_nor_with_nothing(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    ann = named(services, "Ann").uuid
    before = content(services)
    for merges in ((Merge(ann, ann),), (Merge(ann, "nobody"),), (Merge("nobody", ann),)):
        with pytest.raises(BadInput):
            apply(services, Edit(merges=merges))
    assert content(services) == before


def test_a_merge_keeps_every_fact_and_old_names_and_uuids_find_the_kept_one(real):
    real.mirrors.of(W)
    import_rows(
        real.workspace(W),
        [row(2010, episode="A letter"), row(2012, source="Annie", target="Cog", episode="A letter")],
        title="first",
    )
    before, uuids = dump(real, W), {fact.uuid for fact in facts(real)}
    ann, annie = named(real, "Ann"), named(real, "Annie")
    merge = apply(real, Edit(merges=(Merge(annie.uuid, ann.uuid),)))
    assert {fact.uuid for fact in facts(real)} == uuids
    assert {fact.source for fact in facts(real)} == {"Ann"}
    graph, run, mirror = real.graph, real.bridge.run, real.mirrors.of(W)
    assert run(graph.entities(W, [annie.uuid])) == run(graph.entities_named(W, "annie")) == (ann,)
    assert {f.uuid for f in run(graph.facts_about(W, "Annie"))} == {f.uuid for f in run(graph.history(W, annie.uuid))}
    assert mirror.entities([annie.uuid]) == mirror.entities_named("Annie") == (ann,)
    (episode,) = content(real)[2].values()
    assert len(episode.entity_uuids) == 3
    plan = preview_import(real.workspace(W), [row(2014, source="Annie", target="Dow")])
    assert [entity.name for entity in plan.created.entities] == ["Dow"]
    assert preview_import(real.workspace(W), [row(2012, source="Annie", target="Cog")]).verdicts == ("unchanged",)
    everything = mirrored(real)
    real.mirrors.sync(W, deep=True)
    assert mirrored(real) == everything
    undo(real.workspace(W), merge)
    assert dump(real, W) == before
    assert real.mirrors.of(W).merged() == ()


def test_a_new_entity_does_not_get_the_uuid_of_one_that_was_merged(services):
    import_rows(services.workspace(W), [row(2010)], title="first")
    again = row(2011, target="Cog")._replace(source_uuid="another", source_type="Person")
    import_rows(services.workspace(W), [again], title="second")
    apply(services, Edit(merges=(Merge("another", named(services, "Acme").uuid),)))
    (created,) = preview_import(services.workspace(W), [again]).created.entities
    assert (created.name, created.uuid == "another") == ("Ann", False)


def test_merges_are_followed_as_chains(real):
    import_rows(real.workspace(W), [row(2010, source=name) for name in ("A", "B", "C")], title="first")
    a, b, c = (named(real, name) for name in "ABC")
    apply(real, Edit(merges=(Merge(a.uuid, b.uuid),)))
    apply(real, Edit(merges=(Merge(b.uuid, c.uuid),)))
    assert named(real, "A") == named(real, "B") == c
    apply(real, Edit(gone=Scope(entities=frozenset({c.uuid}))))
    assert real.bridge.run(real.graph.merged(W)) == ()


def residue(services: App) -> list[Any]:
    """Counts by label and by type, and what indexes find."""

    async def counted() -> list[Any]:
        read = services.graph._db.read
        found = [
            await read(W, "MATCH (n) UNWIND labels(n) AS l RETURN l, count(*) ORDER BY l"),
            await read(W, "MATCH ()-[e]->() RETURN type(e), count(*) ORDER BY type(e)"),
        ]
        for label, name in (
            ("Entity", "name"),
            ("Entity", "uuid"),
            ("Episodic", "uuid"),
            ("Document", "id"),
            ("Section", "document_id"),
            ("Chunk", "document_id"),
        ):
            found.append(await read(W, f"MATCH (n:{label}) WHERE n.{name} >= '' RETURN count(n)"))
        found.append(await read(W, "MATCH ()-[e:RELATES_TO]->() WHERE e.uuid >= '' RETURN count(e)"))
        found.append(await read(W, "CALL db.idx.fulltext.queryNodes('Entity', 'Zoe') YIELD node RETURN count(node)"))
        return found

    return services.bridge.run(counted())


def test_deleting_leaves_no_residue(real):
    import_rows(real.workspace(W), [row(2010, episode="A letter")], title="first")
    real.bridge.run(real.graph._db.write(W, "CALL db.idx.fulltext.createNodeIndex('Entity', 'name')"))
    before, others = residue(real), dump(real, W)
    import_rows(real.workspace(W), [row(2011, source="Zoe", target="Zoe Ltd", episode="Zoe's letter")], title="second")
    with writing(real.workspace(W)) as writer:
        ready = prepare_documents(real.workspace(W), [NewDocument("d", "# Zoe\n\nA text.\n\n## More\n\nZoe again.")])
        writer.apply(ready.edit, title="text", origin=FORM)
    assert residue(real) != before
    zoe, ltd = named(real, "Zoe"), named(real, "Zoe Ltd")
    episodes = {uuid for uuid, one in content(real)[2].items() if "Zoe" in one.content}
    assert len(episodes) == 2
    gone = Scope(entities=frozenset({zoe.uuid, ltd.uuid}), episodes=frozenset(episodes), documents=frozenset({"d"}))
    apply(real, Edit(gone=gone))
    assert (residue(real), dump(real, W)) == (before, others)


def test_a_deleted_fact_and_a_deleted_source_are_named_nowhere(real):
    import_rows(real.workspace(W), [row(2010, episode="One"), row(2010, source="Bo", episode="One")], title="first")
    import_rows(real.workspace(W), [row(2010, episode="Two")], title="second")
    ann, bo = facts(real)
    apply(real, Edit(gone=Scope(facts=frozenset({bo.uuid}))))
    (one,) = [uuid for uuid, episode in content(real)[2].items() if episode.content == "One"]
    key = raw.node_key("Episodic", one)
    held = real.bridge.run(real.graph.raw.read(W, [key]))
    assert held[key][0].properties["entity_edges"] == [ann.uuid]
    apply(real, Edit(gone=Scope(episodes=frozenset({one}))))
    (left,) = facts(real)
    assert (one in left.episodes, len(left.episodes)) == (False, 1)


def test_documents_and_their_facts_go_in_and_out_by_one_change_set(real):
    before = dump(real, W)
    real.mirrors.of(W)
    with writing(real.workspace(W)) as writer:
        ready = prepare_documents(real.workspace(W), [NewDocument("d", "# Ann\n\nAnn works at Acme.")])
        uuid = ready.episode_uuids["d"]
        plan = preview_import(real.workspace(W), [row(2010)._replace(episode_uuid=uuid)])
        id = writer.apply(edit_of(plan, ready.edit), title="text", origin=FORM)
    (fact,) = facts(real)
    assert fact.episodes == (uuid,)
    assert set(content(real)[2][uuid].entity_uuids) == {fact.source_uuid, fact.target_uuid}
    assert [d.id for d in real.mirrors.of(W).documents()] == ["d"]
    assert change_sets(real.workspace(W))[0].counts == {
        "added": 1,
        "other": 1,
        "entities": 2,
        "episodes": 1,
        "documents": 1,
    }
    undo(real.workspace(W), id)
    assert dump(real, W) == before
    assert real.mirrors.of(W).documents() == ()
    redo(real.workspace(W), id)
    assert [d.id for d in real.mirrors.of(W).documents()] == ["d"]


def test_tags_alone_leave_everything_else_of_a_document_as_it_is(real):
    text = NewDocument("d", "# Ann\n\nAnn works at Acme.", "Ann", tags=("mail",))
    with writing(real.workspace(W)) as writer:
        writer.apply(prepare_documents(real.workspace(W), [text]).edit, title="text", origin=FORM)
    before, node = dump(real, W), raw.node_key("Document", "d")
    (was,) = real.bridge.run(real.graph.raw.read(W, [node]))[node]
    with writing(real.workspace(W)) as writer:
        ready = prepare_documents(real.workspace(W), [replace(text, tags=("2026", "mail"))])
        id = writer.apply(ready.edit, title="tags", origin=FORM)
    (document,) = real.mirrors.of(W).documents()
    assert document.tags == ("mail", "2026")
    (held,) = real.bridge.run(real.graph.raw.read(W, [node]))[node]
    assert held.properties == {**was.properties, "tags": ["mail", "2026"]}
    assert [line.text for line in change_set_lines(real, id)] == ["Tags of Ann: mail, 2026"]
    undo(real.workspace(W), id)
    assert dump(real, W) == before


def test_a_cancelled_deletion_changes_nothing(real):
    import_rows(real.workspace(W), [row(2010, episode="One")], title="first")
    before, cancel = dump(real, W), threading.Event()
    edit = Edit(gone=Scope(entities=frozenset({named(real, "Ann").uuid})))
    with writing(real.workspace(W), cancel) as writer:
        cancel.set()
        with pytest.raises(Cancelled):
            writer.apply(edit, title="gone", origin=FORM)
    assert dump(real, W) == before
    assert len(change_sets(real.workspace(W))) == 1
