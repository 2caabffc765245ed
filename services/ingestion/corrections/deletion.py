"""What a deletion takes with it, worked out before it happens, and the edit that does it.

A text goes with its facts, but for those that have another source; and with the entities that are in nothing else. A
fact goes alone, and an entity with its facts. What is left names nothing that went.
"""

from collections.abc import Iterable
from dataclasses import replace

from services import clock
from services.ingestion.corrections.facts import said, shown
from services.ingestion.corrections.records import Correction, Going
from services.ingestion.edits import Edit, Line, Scope
from services.ingestion.versions import as_version
from services.mirror.hangs import documents_told_in, facts_ended_by, facts_from, left_alone
from services.mirror.mirror import Mirror
from services.models import Episode, Fact, GraphWrite


def going(mirror: Mirror, workspace: str, asked: Scope) -> Going:
    """What goes when the records of `asked` are deleted."""
    documents = asked.documents | {d.id for d in documents_told_in(mirror, asked.episodes)}
    episodes = {e.uuid: e for e in mirror.episodes(asked.episodes)}
    episodes |= {e.uuid: e for e in versions(mirror, workspace, documents)}
    told = facts_from(mirror, episodes)
    alone = {f.uuid: f for f in told if set(f.episodes) <= episodes.keys()}
    gone = alone | {f.uuid: f for f in mirror.facts(asked.facts)}
    for entity in asked.entities:
        gone |= {f.uuid: f for f in mirror.history(entity)}
    named = {uuid for episode in episodes.values() for uuid in episode.entity_uuids} | _ends(alone.values())
    lonely = left_alone(mirror, named - asked.entities, episodes, gone)
    touched = facts_ended_by(mirror, {*gone, *episodes})
    return Going(
        documents=tuple(sorted(documents & mirror.documents_by_id(documents).keys())),
        episodes=tuple(episodes.values()),
        facts=tuple(gone.values()),
        facts_kept=tuple(f for f in told if f.uuid not in gone),
        facts_touched=tuple(f for f in touched if f.uuid not in gone),
        entities=(*mirror.entities(sorted(asked.entities)), *lonely),
    )


def versions(mirror: Mirror, workspace: str, document_ids: Iterable[str]) -> list[Episode]:
    """The episodes that are or were the text of these documents."""
    return [
        episode
        for document in mirror.documents_by_id(document_ids).values()
        for episode in mirror.possible_versions(document, clock.LATEST)
        if as_version(workspace, document, episode) is not None
    ]


def deletion(found: Going, stored: Iterable[Fact]) -> Correction:
    """The edit that deletes what was found; `stored` are its `facts_touched` as the graph has them."""
    gone = {episode.uuid for episode in found.episodes}
    freed = tuple(
        replace(fact, ended_by=None, episodes=tuple(uuid for uuid in fact.episodes if uuid not in gone))
        for fact in stored
    )
    scope = Scope(
        entities=frozenset(entity.uuid for entity in found.entities),
        facts=frozenset(fact.uuid for fact in found.facts),
        episodes=frozenset(gone),
        documents=frozenset(found.documents),
    )
    return Correction(_title(found), Edit(replaced=GraphWrite(facts=freed), gone=scope), tuple(_lines(found)))


def _ends(facts: Iterable[Fact]) -> set[str]:
    return {uuid for fact in facts for uuid in (fact.source_uuid, fact.target_uuid)}


def _title(found: Going) -> str:
    """What the deletion is called: by its document, text, entity or fact."""
    if found.episodes:
        names = tuple(dict.fromkeys(episode.name for episode in found.episodes))
    elif found.documents:
        names = found.documents
    elif found.entities:
        names = tuple(entity.name for entity in found.entities)
    else:
        names = tuple(said(fact) for fact in found.facts)
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{names[0]}{more}: deleted" if names else "Nothing: deleted"


def _lines(found: Going) -> Iterable[Line]:
    for document in found.documents:
        yield Line("deleted", f"Document {document}")
    for episode in found.episodes:
        yield Line("deleted", f"Source {episode.name}")
    for entity in found.entities:
        yield Line("deleted", f"Entity {entity.name}")
    for fact in found.facts:
        yield Line("deleted", f"{said(fact)}: deleted", before=shown(fact))
    for fact in found.facts_kept:
        yield Line("source", f"{said(fact)}: stays, for it has another source", before=shown(fact), after=shown(fact))
