"""An undo while later changes stand: what they rest on stays, what they say is not said twice, the rest goes later."""

import threading
from dataclasses import replace

import pytest

from services.agent.app import App
from services.core.change_records import Origin
from services.core.errors import BadInput, WriteFailed
from services.core.models import Entity, Episode, Fact, GraphWrite, SectionType, SimilarChunks
from services.documents.versions import NewDocument
from services.graph import raw
from services.writing.change_sets import ChangeSetWriter, change_sets, writing
from services.writing.corrections import EntityChanges, edit_entity, merge_entities
from services.writing.documents import ingest_documents
from services.writing.edits import Edit, Merge, Scope, Undone
from services.writing.importer import import_rows
from services.writing.undoing import preview_redo, preview_undo, redo, undo
from tests.contract.graph_dump import dump
from tests.services.writing.imports import row, year
from tests.services.writing.test_importer import content

pytestmark = pytest.mark.slow

W = "w"
BUSY = "Later records depend on this one. Undo “{}” first."
SAID = "Someone has recorded the same fact again since. Undo “{}” first."


@pytest.fixture(params=["memory", "embedded"])
def either(request: pytest.FixtureRequest) -> App:
    """Services on a graph in memory, then on the embedded database."""
    return request.getfixturevalue("services" if request.param == "memory" else "real")


def apply(services: App, edit: Edit) -> str:
    with writing(services.workspace(W)) as writer:
        return writer.apply(edit, title="edit", origin=Origin("form"))


def imported(services: App, *rows: object, title: str = "rows") -> str:
    import_rows(services.workspace(W), rows, title=title)
    return change_sets(services.workspace(W))[0].id


def only_fact(services: App) -> Fact:
    (fact,) = content(services)[1].values()
    return fact


def test_a_source_stays_with_the_fact_that_somebody_found_elsewhere_since(either: App) -> None:
    before = dump(either, W)
    first = imported(either, row(2010, episode="One"))
    second = imported(either, row(2010, episode="Two"))
    told = preview_undo(either.workspace(W), first)
    assert ("episode", "One", BUSY.format("rows")) in [(one.kind, one.name, one.reason) for one in told.left]
    whole = dump(either, W)
    assert undo(either.workspace(W), first) == told
    assert dump(either, W) == whole
    undo(either.workspace(W), second)
    assert undo(either.workspace(W), first).left == ()
    assert dump(either, W) == before


def test_a_fact_stays_that_is_named_as_the_end_of_another_one_since(either: App) -> None:
    imported(either, row(2010))
    old = only_fact(either)
    first = imported(either, row(2012, start=2012, target="Cog"))
    (new,) = [fact for fact in content(either)[1].values() if fact.uuid != old.uuid]
    ended = replace(old, invalid_at=year(2012), expired_at=year(2013), ended_by=new.uuid)
    second = apply(either, Edit(replaced=GraphWrite(facts=(ended,))))
    assert [one.reason for one in undo(either.workspace(W), first).left] == [BUSY.format("edit")] * 2
    assert new.uuid in content(either)[1]
    undo(either.workspace(W), second)
    assert undo(either.workspace(W), first).left == ()
    assert only_fact(either) == old


def test_what_named_a_record_before_it_was_made_does_not_hold_it(either: App) -> None:
    ends = (Entity("a", "A"), Entity("b", "B"))
    fact = Fact("f", "a", "b", "A", "R", "B", invalid_at=year(2012), expired_at=year(2013), ended_by="e")
    apply(either, Edit(created=GraphWrite(ends, (fact,))))
    before = dump(either, W)
    id = apply(either, Edit(created=GraphWrite(episodes=(Episode("e", "E", "A text."),))))
    assert undo(either.workspace(W), id).left == ()
    assert dump(either, W) == before


def test_a_deleted_fact_does_not_come_back_beside_another_record_of_it(either: App) -> None:
    first = imported(either, row(2010))
    gone = apply(either, Edit(gone=Scope(facts=frozenset({only_fact(either).uuid}))))
    again = imported(either, row(2011))
    result = undo(either.workspace(W), gone)
    assert [(one.kind, one.name, one.reason) for one in result.left] == [
        ("fact", "Ann works at Acme", SAID.format("rows"))
    ]
    assert only_fact(either).created_at == year(2011)
    undo(either.workspace(W), again)
    assert undo(either.workspace(W), gone).left == ()
    assert only_fact(either).created_at == year(2010)
    assert undo(either.workspace(W), first).left == ()


def test_a_deleted_double_comes_back_when_nobody_said_it_since(either: App) -> None:
    imported(either, row(2010))
    double = replace(only_fact(either), uuid="double")
    apply(either, Edit(created=GraphWrite(facts=(double,))))
    gone = apply(either, Edit(gone=Scope(facts=frozenset({"double"}))))
    imported(either, row(2010, source="Bo"))
    assert undo(either.workspace(W), gone).left == ()
    assert content(either)[1]["double"] == double


def test_an_undo_that_restores_nothing_leaves_the_change_done(services: App) -> None:
    first = imported(services, row(2010))
    second = imported(services, row(2016, 2015))
    assert undo(services.workspace(W), first).restored == 0
    _, record = change_sets(services.workspace(W))
    assert (record.id, record.state, record.can_undo, record.can_redo) == (first, "done", True, False)
    undo(services.workspace(W), second)
    assert undo(services.workspace(W), first).left == ()
    assert content(services) == ({}, {}, {})


def test_what_an_undo_left_can_be_undone_later_and_all_of_it_redone(either: App) -> None:
    before = dump(either, W)
    first = imported(either, row(2010), row(2010, source="Bo", target="Cog"))
    whole = dump(either, W)
    second = imported(either, row(2016, 2015))
    undo(either.workspace(W), first)
    record = change_sets(either.workspace(W))[1]
    assert (record.state, record.can_undo, record.can_redo) == ("done", True, True)
    undo(either.workspace(W), second)
    assert undo(either.workspace(W), first, "ada").left == ()
    assert dump(either, W) == before
    record = change_sets(either.workspace(W))[1]
    assert (record.state, record.undone_by, record.can_undo, record.can_redo) == ("undone", "ada", False, True)
    assert redo(either.workspace(W), first).left == ()
    assert dump(either, W) == whole
    assert undo(either.workspace(W), first).left == ()
    assert dump(either, W) == before


def test_a_redo_that_puts_nothing_back_leaves_the_change_undone(services: App) -> None:
    first = imported(services, row(2010))
    undo(services.workspace(W), first)
    imported(services, row(2010)._replace(fact="Somebody else wrote this."))
    assert redo(services.workspace(W), first).restored == 0
    assert change_sets(services.workspace(W))[1].can_redo


def documents(services: App, *texts: str) -> list[str]:
    ids = []
    for text in texts:
        ingest_documents(services.workspace(W), [NewDocument(text.split()[1], text, format="markdown")])
        ids.append(change_sets(services.workspace(W))[0].id)
    return ids


def parts(services: App, document: str, label: str) -> list[str]:
    keys = services.bridge.run(services.graph.raw.parts(W, [document]))
    return sorted(raw.node_parts(key)[1] for key in keys if key.startswith(f"{label}:"))


def test_links_between_passages_go_with_the_passage_and_come_back_with_it(either: App) -> None:
    before = dump(either, W)
    first, second = documents(either, "# a\n\nLeek and bean.", "# b\n\nLeek and beans.")
    alone = [parts(either, name, "Chunk")[0] for name in ("a", "b")]
    links = apply(either, Edit(similar=(SimilarChunks(*alone, 0.9),)))
    whole = dump(either, W)
    assert undo(either.workspace(W), second).left == ()
    assert parts(either, "b", "Chunk") == []
    assert either.mirrors.of(W).similar_chunks() == ()
    assert redo(either.workspace(W), second).left == ()
    assert dump(either, W) == whole
    for id in (second, links, first):
        assert undo(either.workspace(W), id).left == ()
    assert dump(either, W) == before


def test_a_section_goes_though_it_is_of_a_type_since(either: App) -> None:
    _, second = documents(either, "# a\n\n## Soups\n\nLeek.", "# b\n\n## Soups\n\nBean.")
    sections = tuple(parts(either, name, "Section")[0] for name in ("a", "b"))
    kind = SectionType("section_type:1", "Soups", "soups", (), sections, (0.5, 0.25), year(2001), year(2002))
    apply(either, Edit(section_types=(kind,)))
    assert undo(either.workspace(W), second).left == ()
    assert parts(either, "b", "Section") == []
    (left,) = either.bridge.run(either.graph.documents.section_types(W))
    assert left.section_ids == sections[:1]


def test_merges_in_a_circle_are_refused(either: App) -> None:
    entities = tuple(Entity(name, name) for name in "abc")
    mentioning = Episode("e", "E", "A text.", entity_uuids=("a",))
    apply(either, Edit(created=GraphWrite(entities, (), (mentioning,))))
    for merges in ((Merge("a", "b"), Merge("b", "a")), (Merge("a", "b"), Merge("b", "c"), Merge("c", "b"))):
        with pytest.raises(BadInput):
            apply(either, Edit(merges=merges))


def test_whoever_lost_the_lock_takes_out_its_own_elements_alone(services: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process took our write back, wrote the same entity otherwise, and we hear of it when we are through."""
    sets = services.accounts.change_sets
    ours, theirs = Entity("x", "Ours"), Entity("x", "Theirs")

    def taken_over(id: str, **_: object) -> bool:
        sets.drop(id)
        services.bridge.run(services.graph.write(W, GraphWrite((theirs,))))
        return False

    with monkeypatch.context() as patch:
        patch.setattr(sets, "finish", taken_over)
        writer = ChangeSetWriter(services.workspace(W), threading.Event())
        with pytest.raises(WriteFailed, match="Another process"):
            writer.apply(Edit(created=GraphWrite((ours, Entity("y", "Ours")))), title="lost", origin=Origin("form"))
    assert content(services)[0] == {"x": theirs}


def test_a_merge_of_a_renamed_entity_is_redone_whole(either: App) -> None:
    imported(either, row(2010), row(2010, source="Annie"))
    annie, ann = (one for name in ("Annie", "Ann") for one in content(either)[0].values() if one.name == name)
    edit_entity(either.workspace(W), annie, EntityChanges("Anna", annie.types, annie.summary))
    (anna,) = (one for one in content(either)[0].values() if one.name == "Anna")
    merge = merge_entities(either.workspace(W), anna, ann)
    merged = dump(either, W)
    assert undo(either.workspace(W), merge).left == ()
    assert redo(either.workspace(W), merge).left == ()
    assert dump(either, W) == merged


def test_what_is_as_it_was_by_a_later_change_is_undone_after_that_one(either: App) -> None:
    before, made = dump(either, W), GraphWrite((Entity("x", "X"),))
    first = apply(either, Edit(created=made))
    second = apply(either, Edit(gone=Scope(entities=frozenset({"x"}))))
    assert not preview_undo(either.workspace(W), first).works
    undo(either.workspace(W), second)
    assert undo(either.workspace(W), first) == Undone(1)
    assert dump(either, W) == before


def test_what_a_later_change_would_put_back_keeps_what_it_hangs_on(either: App) -> None:
    before, ends = dump(either, W), (Entity("a", "A"), Entity("b", "B"))
    apply(either, Edit(created=GraphWrite(ends)))
    third = apply(either, Edit(created=GraphWrite((Entity("c", "C"),))))
    fact = Fact("f", "a", "c", "A", "R", "C")
    apply(either, Edit(created=GraphWrite(facts=(fact,))))
    apply(either, Edit(replaced=GraphWrite(facts=(replace(fact, target_uuid="b", target="B"),))))
    (left,) = preview_undo(either.workspace(W), third).left
    assert (left.name, left.reason) == ("C", BUSY.format("edit"))
    for record in change_sets(either.workspace(W)):
        assert undo(either.workspace(W), record.id).left == ()
    assert dump(either, W) == before


def test_a_redo_waits_for_what_was_written_since_it_was_undone(either: App) -> None:
    first = apply(either, Edit(created=GraphWrite((Entity("x", "X"),))))
    undo(either.workspace(W), first)
    second = apply(either, Edit(created=GraphWrite((Entity("x", "Another"),))))
    third = apply(either, Edit(gone=Scope(entities=frozenset({"x"}))))
    assert [one.reason for one in preview_redo(either.workspace(W), first).left] == [
        "A later change affected this record. Undo “edit” first."
    ]
    for id in (third, second):
        undo(either.workspace(W), id)
    assert redo(either.workspace(W), first) == Undone(1)


def test_what_a_redo_left_can_be_redone_later(either: App) -> None:
    first = apply(either, Edit(created=GraphWrite((Entity("x", "X"), Entity("y", "Y")))))
    undo(either.workspace(W), first)
    other = apply(either, Edit(created=GraphWrite((Entity("x", "Another"),))))
    assert redo(either.workspace(W), first).restored == 1
    assert change_sets(either.workspace(W))[1].can_redo
    undo(either.workspace(W), other)
    assert redo(either.workspace(W), first) == Undone(1)
    assert {one.name for one in content(either)[0].values()} == {"X", "Y"}
    assert undo(either.workspace(W), first) == Undone(2)


def test_a_document_whose_passage_is_still_needed_stays_whole(either: App) -> None:
    _, second = documents(either, "# a\n\nLeek and bean.", "# b\n\nLeek and beans.")
    alone = [parts(either, name, "Chunk")[0] for name in ("a", "b")]
    apply(either, Edit(similar=(SimilarChunks(*alone, 0.9),)))
    apply(either, Edit(only_similar=True))
    whole = dump(either, W)
    (left, *_) = preview_undo(either.workspace(W), second).left
    assert (left.kind, left.reason) == ("document", BUSY.format("edit"))
    undo(either.workspace(W), second)
    assert [len(parts(either, "b", label)) for label in ("Document", "Chunk")] == [1, 1]
    for record in change_sets(either.workspace(W)):
        assert undo(either.workspace(W), record.id).left == ()
    assert dump(either, W) != whole
    assert parts(either, "b", "Chunk") == []
