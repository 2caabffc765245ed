"""Changes of an entity by hand: edits, renames and merges."""

from datetime import UTC, datetime

import pytest

from services.core.errors import BadInput
from services.core.models import Entity
from services.writing.corrections import entity_corrections
from services.writing.corrections.correction_records import EntityChanges
from services.writing.corrections.fact_corrections import Moment
from services.writing.edits import Merge

MOMENT = Moment("team", datetime(2026, 1, 1, tzinfo=UTC))
ADA = Entity("ada", "Ada", ("Person",), "a pioneer")


def test_a_rename_keeps_the_uuid_and_the_old_name_as_that_of_a_merged_entity() -> None:
    changed = entity_corrections.edited(ADA, EntityChanges("Ada Lovelace", ("Person",), "a pioneer"), (), MOMENT)
    (after,) = changed.edit.replaced.entities
    (former,) = changed.edit.created.entities
    assert (after.uuid, after.name) == ("ada", "Ada Lovelace")
    assert former.name == "Ada"
    assert changed.edit.merges == (Merge(former.uuid, "ada"),)
    assert [line.text for line in changed.lines] == ["Name: Ada → Ada Lovelace"]


def test_other_types_and_another_summary_are_no_rename() -> None:
    changed = entity_corrections.edited(ADA, EntityChanges("Ada", ("Person", " Poet ", ""), "a poet "), (), MOMENT)
    assert changed.edit.replaced.entities == (Entity("ada", "Ada", ("Person", "Poet"), "a poet"),)
    assert changed.edit.merges == ()
    assert [line.text for line in changed.lines] == ["Type: Person → Person, Poet", "Summary: a pioneer → a poet"]


def test_a_name_taken_by_the_same_type_is_refused_but_not_by_another_type() -> None:
    changes = EntityChanges("Grace", ("Person",), "")
    with pytest.raises(BadInput, match="already named “Grace”"):
        entity_corrections.edited(ADA, changes, (Entity("grace", "Grace", ("Person",)),), MOMENT)
    assert entity_corrections.edited(ADA, changes, (Entity("ship", "Grace", ("Ship",)),), MOMENT).edit.merges


@pytest.mark.parametrize("label", ["Episodic", "MergedEntity", "a`b"])
def test_what_cannot_be_a_type_is_refused_and_one_that_is_there_already_stays(label: str) -> None:
    with pytest.raises(BadInput, match="cannot be a type"):
        entity_corrections.edited(ADA, EntityChanges("Ada", ("Person", label), "a pioneer"), (), MOMENT)
    odd = Entity("ada", "Ada", ("Person", label))
    assert entity_corrections.edited(odd, EntityChanges("Ada", odd.types, "a poet"), (), MOMENT).edit.replaced.entities


def test_an_empty_name_and_an_edit_that_changes_nothing_are_refused() -> None:
    with pytest.raises(BadInput, match="name is empty"):
        entity_corrections.edited(ADA, EntityChanges(" ", (), ""), (), MOMENT)
    with pytest.raises(BadInput, match="name has 1,001 characters"):
        entity_corrections.edited(ADA, EntityChanges("X" * 1001, (), ""), (), MOMENT)
    with pytest.raises(BadInput, match="You have not changed anything"):
        entity_corrections.edited(ADA, entity_corrections.changes_of_entity(ADA), (), MOMENT)


def test_the_kept_entity_takes_over_what_it_lacks_and_keeps_what_it_has() -> None:
    bare = Entity("a2", "Ada")
    assert entity_corrections.merged(ADA, bare).edit.replaced.entities == (
        Entity("a2", "Ada", ("Person",), "a pioneer"),
    )
    kept = entity_corrections.merged(bare, ADA).edit
    assert kept.replaced.entities == ()
    assert kept.merges == (Merge("a2", "ada"),)


def test_an_entity_is_not_merged_with_itself() -> None:
    with pytest.raises(BadInput, match="with itself"):
        entity_corrections.merged(ADA, ADA)
