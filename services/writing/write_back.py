"""Settles a loss: writes back what a damaged graph lacks, with its own uuids and record times, or lets it go."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.models import Entity, GraphWrite
from services.graph import raw
from services.mirror.mirror import Mirror
from services.writing.change_sets import writing
from services.writing.changes.change_lines import fact_read
from services.writing.edits import Edit, Merge, Scope
from services.writing.losses import Loss, forget, losses_of
from services.writing.lost_records import LostRecords

TITLE = "Wrote back what a damaged file had lost"


@dataclass(frozen=True, slots=True)
class WrittenBack:
    """How many records were written back, how many could not be, and the change-set, if there was anything to write."""

    records: int
    left: int
    change_set_id: str | None


def write_back(workspace: OpenWorkspace, user_id: str | None = None) -> WrittenBack:
    """Write back all that is known to be missing from a workspace, oldest loss first, and settle that."""
    done = [_write_back(workspace, loss, user_id) for loss in losses_of(workspace)]
    ids = [one.change_set_id for one in done if one.change_set_id]
    return WrittenBack(sum(one.records for one in done), sum(one.left for one in done), ids[-1] if ids else None)


def _write_back(workspace: OpenWorkspace, loss: Loss, user_id: str | None) -> WrittenBack:
    evidence = LostRecords.unpacked(loss.evidence.read_bytes())
    origin = Origin("import", user_id)
    with closing(Mirror(loss.mirror if loss.mirror.exists() else None)) as mirror, writing(workspace) as writer:
        edit = _edit(workspace, evidence, mirror)
        sources = {key for key in evidence.held if evidence.now[key] and key.startswith("Episodic:")}
        written = (_keys(edit) | sources) & {*evidence.now, *evidence.gone}
        id = writer.apply(edit, title=TITLE, origin=origin) if edit != Edit() else None
        if revived := _revived(evidence, mirror):  # their names find again what they were merged into
            merges = tuple(Merge(entity.uuid, into) for entity, into in revived)
            writer.apply(Edit(merges=merges), title=f"{TITLE}: merges", origin=origin)
    forget(loss)
    return WrittenBack(len(written), len(evidence.now) + len(evidence.gone) - len(written), id)


def _revived(evidence: LostRecords, mirror: Mirror) -> list[tuple[Entity, str]]:
    """Entities of which nothing is left in the graph, and what they had been merged into."""
    back = {raw.node_parts(key)[1] for key in evidence.gone}
    return [
        (Entity(one.uuid, one.name, one.types), one.into)
        for one in mirror.merged()
        if one.uuid in evidence.merged and one.uuid not in back
    ]


def _edit(workspace: OpenWorkspace, evidence: LostRecords, mirror: Mirror) -> Edit:
    """What to write: only what nobody wrote since."""
    as_noticed = {**evidence.now, **evidence.gone}
    there = workspace.run(workspace.graph.raw.read(workspace.name, as_noticed), timeout=None)
    untouched = {key for key, digest in as_noticed.items() if raw.digest(there[key]) == digest}
    merges = _merges(evidence, mirror, untouched)
    gone = untouched & evidence.gone.keys()
    records = _records(workspace, evidence, mirror, untouched)
    return Edit(
        created=_those(records, evidence.now, there=False),
        replaced=_those(records, evidence.now, there=True),
        documents=tuple(
            whole
            for id in _ids(untouched & set(evidence.held), "Document")
            if (whole := mirror.document(id)) is not None
        ),
        gone=Scope(
            frozenset(_ids(gone, "Entity")) - {merge.gone for merge in merges},
            frozenset(_ids(gone, raw.FACT)),
            frozenset(_ids(gone, "Episodic")),
            frozenset(_ids(gone, "Document")),
        ),
        merges=merges,
    )


def _records(workspace: OpenWorkspace, evidence: LostRecords, mirror: Mirror, untouched: set[str]) -> GraphWrite:
    """The records that are written, facts only where what they join is there.

    A source that is there lists its facts again once these are written, be it as they are.
    """
    graph, run, name = workspace.graph, workspace.run, workspace.name
    held = untouched & set(evidence.held)
    stated = {uuid: fact_read(document) for uuid, document in evidence.facts.items()}
    facts = {fact.uuid: fact for fact in mirror.facts(_ids(held, raw.FACT))}
    facts |= {uuid: fact for uuid, fact in stated.items() if raw.fact_key(uuid) in untouched}
    sources = [uuid for uuid in _ids(held, "Episodic") if evidence.now[raw.node_key("Episodic", uuid)]]
    listed = _ids(run(graph.raw.naming(name, sources), timeout=None), raw.FACT)
    facts = {fact.uuid: fact for fact in run(graph.facts(name, listed), timeout=None)} | facts
    entities = mirror.entities(_ids(held, "Entity"))
    missing = set(_ids(untouched & evidence.now.keys(), "Entity")) - {one.uuid for one in entities}
    absent = {uuid for uuid in missing if not evidence.now[raw.node_key("Entity", uuid)]}
    entities += tuple(entity for uuid, entity in evidence.named().items() if uuid in absent)
    entities += tuple(entity for entity, _ in _revived(evidence, mirror))
    ends = {end for fact in facts.values() for end in (fact.source_uuid, fact.target_uuid)}
    joined = {one.uuid for one in (*entities, *run(graph.entities(name, ends), timeout=None))}
    possible = tuple(fact for fact in facts.values() if {fact.source_uuid, fact.target_uuid} <= joined)
    return GraphWrite(entities, possible, mirror.episodes(_ids(held, "Episodic")))


def _those(records: GraphWrite, now: Mapping[str, str], *, there: bool) -> GraphWrite:
    """The records of which there is a version in the graph, or of which there is none; what is not lost is there."""
    return GraphWrite(
        tuple(one for one in records.entities if bool(now.get(raw.node_key("Entity", one.uuid))) == there),
        tuple(one for one in records.facts if bool(now.get(raw.fact_key(one.uuid), "there")) == there),
        tuple(one for one in records.episodes if bool(now[raw.node_key("Episodic", one.uuid)]) == there),
    )


def _merges(evidence: LostRecords, mirror: Mirror, untouched: set[str]) -> tuple[Merge, ...]:
    into = {one.uuid: one.into for one in mirror.merged()}
    back = {uuid for uuid in evidence.merged if raw.node_key("Entity", uuid) in untouched & evidence.gone.keys()}
    return tuple(Merge(uuid, into[uuid]) for uuid in sorted(back & into.keys()))


def _ids(keys: Iterable[str], label: str) -> list[str]:
    return sorted(id for own, id in map(raw.node_parts, keys) if own == label)


def _keys(edit: Edit) -> set[str]:
    """The keys of what an edit writes, deletes or merges."""
    gone, writes = edit.gone, (edit.created, edit.replaced)
    entities = {*(one.uuid for w in writes for one in w.entities), *gone.entities, *(m.gone for m in edit.merges)}
    episodes = {*(one.uuid for w in writes for one in w.episodes), *gone.episodes}
    documents = {*(whole.document.id for whole in edit.documents), *gone.documents}
    return {
        *(raw.node_key("Entity", uuid) for uuid in entities),
        *(raw.node_key("Episodic", uuid) for uuid in episodes),
        *(raw.node_key("Document", id) for id in documents),
        *(raw.fact_key(uuid) for uuid in {*(fact.uuid for w in writes for fact in w.facts), *gone.facts}),
    }
