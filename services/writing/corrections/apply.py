"""Changes by hand as services: the record is read again under the writer's lock, changed, and kept as a change-set.

Each returns the change-set's id, which an undo takes. `seen` is the record as the analyst saw it: where the graph has
another by then, `BadInput` says so and nothing is changed. `note` is the analyst's reason.
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from services.context import OpenWorkspace, Services
from services.core.change_records import Origin, OriginKind
from services.core.errors import BadInput
from services.core.models import Entity, Fact, Precision
from services.writing.change_sets import writing
from services.writing.corrections import deletion, entity_corrections, fact_corrections
from services.writing.corrections.correction_records import Correction, DeletionScope, EntityChanges, FactChanges
from services.writing.corrections.fact_corrections import Moment
from services.writing.edits import Scope
from services.writing.import_plan import identity
from services.writing.record_times import record_instant
from services.writing.statements import plain_attributes

_MEANWHILE = BadInput(
    "Someone else changed this record in the meantime.", "Review the record again, then repeat your change."
)


def end_fact(
    workspace: OpenWorkspace,
    seen: Fact,
    at: datetime | None,
    *,
    precision: Precision = "instant",
    by: str | None = None,
    note: str = "",
    user_id: str | None = None,
) -> str:
    """Say that a fact stopped being true at `at`, given as `precision` says, or nobody knows when.

    `by` is the uuid of the fact that ended it.
    """
    return change(
        workspace,
        _origin(user_id, note),
        lambda moment: fact_corrections.ended(stored_fact(workspace, seen), at, moment, by, precision),
    )


def withdraw_fact(workspace: OpenWorkspace, seen: Fact, *, note: str = "", user_id: str | None = None) -> str:
    """Say that the record of a fact is wrong."""
    return change(
        workspace,
        _origin(user_id, note),
        lambda moment: fact_corrections.taken_back(stored_fact(workspace, seen), moment),
    )


def edit_fact(
    workspace: OpenWorkspace,
    seen: Fact,
    changes: FactChanges,
    *,
    note: str = "",
    user_id: str | None = None,
) -> str:
    """Correct what a record says. A name that no entity has makes one."""
    return change(
        workspace,
        _origin(user_id, note),
        lambda moment: _edited(workspace, stored_fact(workspace, seen), changes, moment),
    )


def preview_edit(workspace: OpenWorkspace, seen: Fact, changes: FactChanges) -> Correction:
    """What `edit_fact` would do. Raises `BadInput` as that does."""
    return _edited(workspace, seen, changes, Moment(workspace.name, record_instant(workspace)))


def reinstate_fact(workspace: OpenWorkspace, seen: Fact, *, note: str = "", user_id: str | None = None) -> str:
    """Record anew what was ended or withdrawn wrongly."""

    def make(moment: Moment) -> Correction:
        fact = stored_fact(workspace, seen)
        others = workspace.run(workspace.graph.history(workspace.name, fact.source_uuid))
        return fact_corrections.reinstated(fact, others, moment)

    return change(workspace, _origin(user_id, note), make)


def edit_entity(
    workspace: OpenWorkspace,
    seen: Entity,
    changes: EntityChanges,
    *,
    note: str = "",
    user_id: str | None = None,
) -> str:
    """Rename an entity, or give it other types or another summary. It can still be found under its old name."""

    def make(moment: Moment) -> Correction:
        entity = _stored_entity(workspace, seen)
        named = workspace.graph.entities_named(workspace.name, changes.name.strip(), exactly=True)
        return entity_corrections.edited(entity, changes, workspace.run(named), moment)

    return change(workspace, _origin(user_id, note), make)


def merge_entities(
    workspace: OpenWorkspace, gone: Entity, kept: Entity, *, note: str = "", user_id: str | None = None
) -> str:
    """Make two entities one: all that `gone` has moves to `kept`, and its name and uuid find that."""
    return change(
        workspace,
        _origin(user_id, note, "merge"),
        lambda _: entity_corrections.merged(_stored_entity(workspace, gone), _stored_entity(workspace, kept)),
    )


def preview_delete(workspace: OpenWorkspace, asked: Scope) -> DeletionScope:
    """What goes when these records are deleted, as the graph is now."""
    workspace.sync()
    return deletion.going(workspace.mirror, asked, Moment(workspace.name, record_instant(workspace)))


def delete(
    workspace: OpenWorkspace,
    asked: Scope,
    seen: DeletionScope,
    *,
    reinstate: bool = True,
    note: str = "",
    user_id: str | None = None,
    kind: OriginKind = "delete",
) -> str:
    """Delete records with what hangs on them alone; `seen` is what `preview_delete` said. With `reinstate` the facts
    that only what goes had ended are recorded anew."""

    def make(moment: Moment) -> Correction:
        found = preview_delete(workspace, asked)
        if found.keys != seen.keys:
            raise _MEANWHILE
        return deleted(workspace.services, found, moment, reinstate=reinstate)

    origin = replace(_origin(user_id, note, kind), document_ids=seen.documents)
    return change(workspace, origin, make)


def deleted(services: Services, found: DeletionScope, moment: Moment, *, reinstate: bool) -> Correction:
    """The deletion of what was found, by the records that it touches as the graph has them."""
    touched = services.graph.facts(moment.workspace, [fact.uuid for fact in found.facts_touched])
    return deletion.deletion(found, services.bridge.run(touched, timeout=None), moment, reinstate=reinstate)


def change(workspace: OpenWorkspace, origin: Origin, make: Callable[[Moment], Correction]) -> str:
    """Make a change under the writer's lock, from what is stored by then."""
    with writing(workspace, threading.Event()) as writer:
        moment = Moment(workspace.name, record_instant(workspace), origin.note)
        change = make(moment)
        return writer.apply(change.edit, title=change.title, origin=origin, lines=change.lines, at=moment.now)


def _origin(user_id: str | None, note: str, kind: OriginKind = "correction") -> Origin:
    return Origin(kind, user_id=user_id, note=note.strip())


def _edited(workspace: OpenWorkspace, fact: Fact, changes: FactChanges, moment: Moment) -> Correction:
    """The correction with the entities that the changes name; those that are new are created with it."""
    source, source_is_new = _named(workspace, changes.source, fact.source, fact.source_uuid, moment)
    target, target_is_new = _named(workspace, changes.target, fact.target, fact.target_uuid, moment)
    others = workspace.run(workspace.graph.history(workspace.name, source.uuid))
    correction = fact_corrections.edited(fact, changes, (source, target), others, moment)
    fresh = {e.uuid: e for e, is_new in ((source, source_is_new), (target, target_is_new)) if is_new}
    created = replace(correction.edit.created, entities=tuple(fresh.values()))
    found = workspace.run(workspace.graph.episodes(workspace.name, fact.episodes))
    ends = {source.uuid, target.uuid}
    lacking = (
        replace(one, entity_uuids=tuple(sorted(ends.union(one.entity_uuids))))
        for one in found
        if not ends <= set(one.entity_uuids)
    )
    replaced = replace(correction.edit.replaced, episodes=tuple(lacking))
    return replace(correction, edit=replace(correction.edit, created=created, replaced=replaced))


def _named(workspace: OpenWorkspace, name: str, held: str, held_uuid: str, moment: Moment) -> tuple[Entity, bool]:
    """The entity of a name, of several one of the old one's type; whether it is new, and then of that type."""
    name = name.strip()
    if name == held:
        return Entity(held_uuid, held), False
    old = workspace.run(workspace.graph.entities(workspace.name, (held_uuid,)))
    types = old[0].types if old else ()
    found = workspace.run(workspace.graph.entities_named(workspace.name, name, exactly=True))
    if found:
        return min(found, key=lambda entity: set(entity.types).isdisjoint(types)), False
    uuid = identity(workspace.name, "entity", name, types[0] if types else "", moment.now)
    return Entity(uuid, name, types, created_at=moment.now), True


def stored_fact(workspace: OpenWorkspace, seen: Fact) -> Fact:
    """The fact as the graph has it now. Raises `BadInput` where it is not as it was seen."""
    found = workspace.run(workspace.graph.facts(workspace.name, (seen.uuid,)))
    return _as_seen(found, seen, BadInput("The fact no longer exists.", "Someone deleted it in the meantime."))


def _as_seen[R: (Fact, Entity)](found: Sequence[R], seen: R, gone: BadInput) -> R:
    """The one record that was found. Raises `gone` where there is none, and `BadInput` where it is another by now."""
    if not found:
        raise gone
    if _comparable(found[0]) != _comparable(seen):
        raise _MEANWHILE
    return found[0]


def _comparable[R: (Fact, Entity)](record: R) -> tuple[R, str]:
    """The attributes as the mirror keeps them, so that what was seen there compares with what the graph has."""
    shown = plain_attributes(record) if isinstance(record, Fact) else dict(record.attributes)
    return replace(record, attributes={}), json.dumps(shown, default=str, sort_keys=True)


def _stored_entity(workspace: OpenWorkspace, seen: Entity) -> Entity:
    """The entity as the graph has it now, which must be as it was seen."""
    found = workspace.run(workspace.graph.entities(workspace.name, (seen.uuid,)))
    gone = BadInput("The entity no longer exists.", "Someone deleted or merged it in the meantime.")
    return _as_seen(found, seen, gone)
