"""Changes of one entity by hand, each a pure function from what is stored to what changes."""

from collections.abc import Sequence
from dataclasses import replace

from services.core.errors import BadInput
from services.core.models import Entity, GraphWrite
from services.tables.cells import LONGEST_NAME, entity_type
from services.writing.corrections.correction_records import Correction, EntityChanges
from services.writing.corrections.fact_corrections import Moment
from services.writing.edits import Edit, Line, Merge
from services.writing.import_plan import identity


def changes_of_entity(entity: Entity) -> EntityChanges:
    """An entity as a form shows it."""
    return EntityChanges(entity.name, entity.types, entity.summary)


def edited(entity: Entity, changes: EntityChanges, namesakes: Sequence[Entity], moment: Moment) -> Correction:
    """The entity with another name, other types or another summary. Its uuid stays, and its old name finds it still.

    The old name is kept as that of an entity that was merged into it. `namesakes` are those that have the new name.
    Raises `BadInput` for an empty name, for what cannot be a type, for changes that change nothing, and where a
    namesake is of the same type.
    """
    name = changes.name.strip()
    kept = set(entity.types)
    types = tuple(dict.fromkeys(type_ for one in changes.types if (type_ := one if one in kept else entity_type(one))))
    if not name:
        raise BadInput("The name is empty.", "Enter a name for the entity.")
    if len(name) > LONGEST_NAME:
        raise BadInput(
            f"The name has {len(name):,} characters.", f"Shorten the name to at most {LONGEST_NAME:,} characters."
        )
    after = replace(entity, name=name, types=types, summary=changes.summary.strip())
    if after == entity:
        raise BadInput("You have not changed anything.", "Change a field, or close the form.")
    renamed = name != entity.name
    if renamed and any(same_type(after, other) for other in namesakes if other.uuid != entity.uuid):
        raise BadInput(f"Another entity is already named “{name}”.", "Merge the two entities instead.")
    edit = Edit(replaced=GraphWrite(entities=(after,)))
    if renamed:
        former = Entity(
            identity(moment.workspace, "former name", entity.uuid, moment.now),
            entity.name,
            entity.types,
            created_at=entity.created_at,
        )
        edit = replace(edit, created=GraphWrite(entities=(former,)), merges=(Merge(former.uuid, entity.uuid),))
    title = f"{entity.name}: edited" if not renamed else f"{entity.name}: renamed to {name}"
    return Correction(title, edit, tuple(_differences(entity, after)))


def merged(gone: Entity, kept: Entity) -> Correction:
    """All that `gone` has moves to `kept`, which finds its type and summary there where it has none.

    Raises `BadInput` for an entity and itself.
    """
    if gone.uuid == kept.uuid:
        raise BadInput("You cannot merge an entity with itself.", "Choose two different entities.")
    filled = replace(kept, types=kept.types or gone.types, summary=kept.summary or gone.summary)
    edit = Edit(
        replaced=GraphWrite(entities=() if filled == kept else (filled,)), merges=(Merge(gone.uuid, kept.uuid),)
    )
    title = f"{gone.name} merged into {kept.name}"
    return Correction(title, edit, (Line("merged", title),))


def same_type(one: Entity, other: Entity) -> bool:
    """True where types do not keep two entities apart; a missing type matches any."""
    return not one.types or not other.types or not set(one.types).isdisjoint(other.types)


def _differences(before: Entity, after: Entity) -> list[Line]:
    lines = []
    if before.name != after.name:
        lines.append(Line("corrected", f"Name: {before.name} → {after.name}"))
    if before.types != after.types:
        lines.append(Line("corrected", f"Type: {_types(before)} → {_types(after)}"))
    if before.summary != after.summary:
        lines.append(Line("corrected", f"Summary: {before.summary or 'none'} → {after.summary or 'none'}"))
    return lines


def _types(entity: Entity) -> str:
    return ", ".join(entity.types) or "none"
