"""Restores what a damaged graph lacks, with its own uuids and record times, as far as that can be done."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.durable_files import replace_file
from services.core.errors import MirrorUnavailable
from services.core.json_documents import json_text
from services.core.models import Entity, Fact, GraphWrite
from services.graph import raw
from services.mirror.mirror import Mirror
from services.writing.change_sets import writing
from services.writing.changes.change_lines import fact_read
from services.writing.damage_check import Loss, forget, losses_of
from services.writing.edits import Edit, Merge, Scope
from services.writing.missing_records import LostRecords

TITLE = "Restored missing records"
_UNREADABLE = "Asof cannot read the copy that holds the missing records: {}."
_OTHER_VERSION = "The graph is unchanged. Use the version of Asof that made the copy, or dismiss the missing records."


@dataclass(frozen=True, slots=True)
class Restored:
    """How many records were restored, how many could not be, and the change-set, if there was anything to write."""

    records: int
    left: int
    change_set_id: str | None

    @property
    def text(self) -> str:
        """Return what came of it, for people."""
        return restored_text(self.records, self.left)


@dataclass(frozen=True, slots=True)
class _Missing:
    """A loss, what it is known to lack, and the copy of the mirror that holds that."""

    loss: Loss
    evidence: LostRecords
    mirror: Mirror


def restored_text(records: int, left: int) -> str:
    """Return how many records were restored, and how many were not, for people."""
    restored = "Asof restored 1 record" if records == 1 else f"Asof restored {records:,} records"
    rest = "1 other record is lost or has" if left == 1 else f"{left:,} other records are lost or have"
    return f"{restored}; {rest} changed since." if left else f"{restored}."


def restore(workspace: OpenWorkspace, user_id: str | None = None) -> Restored:
    """Restore all that is known to be missing from a workspace, in one change.

    Losses are read only once nobody else writes, who might settle them. Those of which something is left last. Raises
    `MirrorUnavailable` where the copy of a mirror cannot be read; nothing is settled then.
    """
    with ExitStack() as opened, writing(workspace) as writer:
        found = _without_repeats(list(_missing(workspace, opened)))
        edits = [_edit(workspace, one.evidence, one.mirror) for one in found]
        edit, origin = _together(edits), Origin("import", user_id)
        id = writer.apply(edit, title=TITLE, origin=origin) if edit != Edit() else None
        written = [_written(own, one.evidence) for own, one in zip(edits, found, strict=True)]
        rests = [one.evidence.without(keys) for one, keys in zip(found, written, strict=True)]
        for one, rest in zip(found, rests, strict=True):
            _settle(one.loss, rest)
    return Restored(sum(map(len, written)), sum(len(rest.keys) for rest in rests), id)


def _settle(loss: Loss, rest: LostRecords) -> None:
    """Forget a loss of which nothing is left; otherwise it lasts, about the rest, until somebody dismisses it."""
    if not rest.keys:
        forget(loss)
    elif loss.path.exists():
        values = json.loads(loss.path.read_text()) | {"records": rest.counts, "lost": rest.lost}
        replace_file(loss.evidence, rest.packed())
        replace_file(loss.path, json_text(values).encode())


def _missing(workspace: OpenWorkspace, opened: ExitStack) -> Iterator[_Missing]:
    """The losses that nobody settled meanwhile, oldest first, with copies of their mirrors, which `opened` closes."""
    for loss in losses_of(workspace):
        try:
            evidence = LostRecords.unpacked(loss.evidence.read_bytes())
        except FileNotFoundError:
            continue
        yield _Missing(loss, evidence, opened.enter_context(closing(_copy_of(loss))))


def _copy_of(loss: Loss) -> Mirror:
    """What the mirror of a loss holds, in memory: opened itself, a file that cannot be read would be made anew."""
    if not loss.mirror.exists():
        return Mirror()
    try:
        mirror = Mirror(copied_from=loss.mirror)
    except MirrorUnavailable as error:
        raise MirrorUnavailable(_UNREADABLE.format(loss.mirror), _OTHER_VERSION) from error
    if mirror.synced_at is None:  # it has another layout: nothing was copied
        mirror.close()
        raise MirrorUnavailable(_UNREADABLE.format(loss.mirror), _OTHER_VERSION)
    return mirror


def _without_repeats(found: Sequence[_Missing]) -> list[_Missing]:
    """Losses of which each record is in the last one that names it, since that knows best what is in its place."""
    kept, named = list[_Missing](), set[str]()
    for one in reversed(found):
        kept.insert(0, _Missing(one.loss, one.evidence.without(named), one.mirror))
        named |= one.evidence.keys
    return kept


def _together(edits: Sequence[Edit]) -> Edit:
    """One edit that does what several do; a fact that several write again is written once."""
    scopes = [edit.gone for edit in edits]
    return Edit(
        created=_joined([edit.created for edit in edits]),
        replaced=_joined([edit.replaced for edit in edits]),
        documents=tuple(whole for edit in edits for whole in edit.documents),
        gone=Scope(
            frozenset().union(*(scope.entities for scope in scopes)),
            frozenset().union(*(scope.facts for scope in scopes)),
            frozenset().union(*(scope.episodes for scope in scopes)),
            frozenset().union(*(scope.documents for scope in scopes)),
        ),
        merges=tuple(merge for edit in edits for merge in edit.merges),
        nodes={key: bag for edit in edits for key, bag in edit.nodes.items()},
    )


def _joined(writes: Sequence[GraphWrite]) -> GraphWrite:
    return GraphWrite(
        tuple({one.uuid: one for one in chain.from_iterable(write.entities for write in writes)}.values()),
        tuple({one.uuid: one for one in chain.from_iterable(write.facts for write in writes)}.values()),
        tuple({one.uuid: one for one in chain.from_iterable(write.episodes for write in writes)}.values()),
    )


def _revived(workspace: OpenWorkspace, evidence: LostRecords, mirror: Mirror) -> list[tuple[Entity, str]]:
    """Entities of which nothing is left in the graph, and what they had been merged into.

    Written and merged again, they are found by their names as before.
    """
    gone = [one for one in mirror.merged() if raw.node_key("MergedEntity", one.uuid) in evidence.remnants]
    keys = [raw.node_key(label, one.uuid) for one in gone for label in ("Entity", "MergedEntity")]
    there = workspace.run(workspace.graph.raw.read(workspace.name, keys), timeout=None) if keys else {}
    ends = {raw.node_parts(key)[1] for key, bag in there.items() if bag}
    return [(Entity(one.uuid, one.name, one.types), one.into) for one in gone if one.uuid not in ends]


def _edit(workspace: OpenWorkspace, evidence: LostRecords, mirror: Mirror) -> Edit:
    """What to write: only what nobody wrote since."""
    as_noticed = {**evidence.now, **evidence.gone}
    there = workspace.run(workspace.graph.raw.read(workspace.name, as_noticed), timeout=None)
    untouched = {key for key, digest in as_noticed.items() if raw.digest(there[key]) == digest}
    revived = _revived(workspace, evidence, mirror)
    gone = untouched & evidence.gone.keys()
    records = _records(workspace, evidence, mirror, untouched)
    merges = _possible(workspace, [*_merges(evidence, mirror, untouched), *_of(revived)], records)
    again = {merge.gone for merge in merges}
    entities = (*records.entities, *(entity for entity, _ in revived if entity.uuid in again))
    records = GraphWrite(entities, records.facts, records.episodes)
    return Edit(
        created=_those(records, evidence.now, there=False),
        replaced=_those(records, evidence.now, there=True),
        documents=tuple(
            whole
            for id in _ids(untouched & set(evidence.held), "Document")
            if (whole := mirror.document(id)) is not None
        ),
        gone=Scope(
            frozenset(_ids(gone, "Entity")) - again,
            frozenset(_ids(gone, raw.FACT)),
            frozenset(_ids(gone, "Episodic")),
            frozenset(_ids(gone, "Document")),
        ),
        merges=merges,
        nodes={key: bag for key, bag in evidence.nodes.items() if key in untouched}
        | {key: () for key in gone if raw.is_agents_record(key)},
    )


def _of(revived: Iterable[tuple[Entity, str]]) -> Iterator[Merge]:
    return (Merge(entity.uuid, into) for entity, into in revived)


def _possible(workspace: OpenWorkspace, merges: Sequence[Merge], records: GraphWrite) -> tuple[Merge, ...]:
    """The merges into entities that are in the graph, or written with them."""
    found = workspace.run(workspace.graph.entities(workspace.name, {one.kept for one in merges}), timeout=None)
    ends = {one.uuid for one in (*found, *records.entities)} - {one.gone for one in merges}
    return tuple(one for one in merges if one.kept in ends)


def _written(edit: Edit, evidence: LostRecords) -> set[str]:
    """Which of the missing records an edit restores; sources that are there have their facts listed again."""
    sources = {key for key in evidence.held if evidence.now[key] and key.startswith("Episodic:")}
    return (_keys(edit) | sources) & evidence.keys


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
    ends = {end for fact in facts.values() for end in (fact.source_uuid, fact.target_uuid)}
    joined = {one.uuid for one in (*entities, *run(graph.entities(name, ends), timeout=None))}
    possible = [fact for fact in facts.values() if {fact.source_uuid, fact.target_uuid} <= joined]
    absent_facts = [fact for fact in possible if not evidence.now.get(raw.fact_key(fact.uuid), "there")]
    again = _entered_again(workspace, mirror, absent_facts)
    kept = tuple(fact for fact in possible if fact.uuid not in again)
    return GraphWrite(entities, kept, mirror.episodes(_ids(held, "Episodic")))


def _entered_again(workspace: OpenWorkspace, mirror: Mirror, absent: Iterable[Fact]) -> set[str]:
    """The facts that somebody has stated since as new ones, perhaps with an end, and that would contradict those."""
    current = {fact.uuid: _statement(fact) for fact in absent if fact.expired_at is None}
    sources = {source for source, *_ in current.values()}
    histories = [workspace.run(workspace.graph.history(workspace.name, uuid)) for uuid in sorted(sources)]
    stated = {fact.uuid: _statement(fact) for history in histories for fact in history}
    stood_beside = {fact.uuid for fact in mirror.facts(stated)}
    since = {statement for uuid, statement in stated.items() if uuid not in stood_beside}
    return {uuid for uuid, statement in current.items() if statement in since}


def _statement(fact: Fact) -> tuple[str, str, str, datetime | None]:
    """What a fact says, but for when it ended: in the same words it is the same fact."""
    return fact.source_uuid, fact.relation, fact.target_uuid, fact.valid_at


def _those(records: GraphWrite, now: Mapping[str, str], *, there: bool) -> GraphWrite:
    """The records of which there is a version in the graph, or of which there is none; what is not lost is there."""
    return GraphWrite(
        tuple(one for one in records.entities if bool(now.get(raw.node_key("Entity", one.uuid))) == there),
        tuple(one for one in records.facts if bool(now.get(raw.fact_key(one.uuid), "there")) == there),
        tuple(one for one in records.episodes if bool(now[raw.node_key("Episodic", one.uuid)]) == there),
    )


def _merges(evidence: LostRecords, mirror: Mirror, untouched: set[str]) -> tuple[Merge, ...]:
    """The merges of entities that are back as if they had never been merged."""
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
        *(raw.node_key("MergedEntity", merge.gone) for merge in edit.merges),
        *(raw.node_key("Episodic", uuid) for uuid in episodes),
        *(raw.node_key("Document", id) for id in documents),
        *(raw.fact_key(uuid) for uuid in {*(fact.uuid for w in writes for fact in w.facts), *gone.facts}),
        *edit.nodes,
    }
