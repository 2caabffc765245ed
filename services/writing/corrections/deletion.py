"""What a deletion takes with it, worked out before it happens, and the edit that does it.

A text goes with its facts, but for those that have another source; and with the entities that nothing else mentions. A
fact goes alone, and an entity with its facts. What is left names nothing that went. What was ended by nothing but what
goes holds again where that is asked for.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from services.core import clock
from services.core.errors import BadInput
from services.core.models import Episode, Fact, GraphWrite
from services.documents.versions import as_version
from services.mirror.dependents import documents_of_episodes, facts_ended_by, facts_from, left_alone
from services.mirror.mirror import Mirror
from services.writing.corrections.correction_records import Correction, DeletionScope
from services.writing.corrections.fact_corrections import Moment, reinstated, shown, title_of
from services.writing.edits import Edit, Line, Scope


def going(mirror: Mirror, asked: Scope, moment: Moment) -> DeletionScope:
    """What goes when the records of `asked` are deleted."""
    documents = asked.documents | {d.id for d in documents_of_episodes(mirror, asked.episodes)}
    episodes = {e.uuid: e for e in mirror.episodes(asked.episodes)}
    episodes |= {e.uuid: e for e in versions(mirror, moment.workspace, documents)}
    sourced = facts_from(mirror, episodes)
    alone = {f.uuid: f for f in sourced if set(f.episodes) <= episodes.keys()}
    gone = alone | {f.uuid: f for f in mirror.facts(asked.facts)}
    for entity in asked.entities:
        gone |= {f.uuid: f for f in mirror.history(entity)}
    named = {uuid for episode in episodes.values() for uuid in episode.entity_uuids}
    named |= {uuid for fact in alone.values() for uuid in (fact.source_uuid, fact.target_uuid)}
    lonely = left_alone(mirror, named - asked.entities, episodes, gone)
    touched = [fact for fact in facts_ended_by(mirror, {*gone, *episodes}) if fact.uuid not in gone]
    return DeletionScope(
        documents=tuple(sorted(documents & mirror.documents_by_id(documents).keys())),
        episodes=tuple(episodes.values()),
        facts=tuple(gone.values()),
        facts_kept=tuple(f for f in sourced if f.uuid not in gone),
        facts_touched=tuple(touched),
        facts_ended=tuple(_that_can_hold_again(mirror, touched, gone.keys(), moment)),
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


def _that_can_hold_again(
    mirror: Mirror, touched: Sequence[Fact], gone: Collection[str], moment: Moment
) -> Iterator[Fact]:
    """Those of the facts that were ended, unless one that stays, or one that holds again itself, says the same."""
    held = dict[str, list[Fact]]()
    for fact in touched:
        if fact.withdrawn_at is not None:
            continue
        if fact.source_uuid not in held:
            held[fact.source_uuid] = [one for one in mirror.history(fact.source_uuid) if one.uuid not in gone]
        try:
            again = reinstated(fact, held[fact.source_uuid], moment)
        except BadInput:
            continue
        held[fact.source_uuid] += again.edit.created.facts
        yield fact


def deletion(found: DeletionScope, stored: Iterable[Fact], moment: Moment, *, reinstate: bool) -> Correction:
    """The edit that deletes what was found; `stored` are its `facts_touched` as the graph has them. With `reinstate`
    its `facts_ended` are recorded anew."""
    gone = {episode.uuid for episode in found.episodes}
    freed = {
        fact.uuid: replace(fact, ended_by=None, episodes=tuple(uuid for uuid in fact.episodes if uuid not in gone))
        for fact in stored
    }
    ended = [freed[fact.uuid] for fact in found.facts_ended if fact.uuid in freed] if reinstate else []
    again = [reinstated(fact, (), replace(moment, note="")) for fact in ended]  # the reason is that of the deletion
    freed |= {fact.uuid: fact for one in again for fact in one.edit.replaced.facts}
    scope = Scope(
        entities=frozenset(entity.uuid for entity in found.entities),
        facts=frozenset(fact.uuid for fact in found.facts),
        episodes=frozenset(gone),
        documents=frozenset(found.documents),
    )
    created = GraphWrite(facts=tuple(fact for one in again for fact in one.edit.created.facts))
    edit = Edit(created, GraphWrite(facts=tuple(freed.values())), gone=scope)
    lines = (*_lines(found), *(line for one in again for line in one.lines), *_left_ended(found, ended))
    return Correction(_title(found), edit, lines)


def _title(found: DeletionScope) -> str:
    """What the deletion is called: by its document, text, entity or fact."""
    if found.episodes:
        names = tuple(dict.fromkeys(episode.name for episode in found.episodes))
    elif found.documents:
        names = found.documents
    elif found.entities:
        names = tuple(entity.name for entity in found.entities)
    else:
        names = tuple(title_of(fact) for fact in found.facts)
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{names[0]}{more}: deleted" if names else "Nothing was deleted"


def _left_ended(found: DeletionScope, again: Iterable[Fact]) -> Iterator[Line]:
    """Lines about what was ended by what goes, and stays so."""
    holding = {fact.uuid for fact in again}
    for fact in found.facts_touched:
        if fact.uuid not in holding and fact.withdrawn_at is None:
            yield Line("other", f"{title_of(fact)}: stays ended, but its cause is deleted", shown(fact), shown(fact))


def _lines(found: DeletionScope) -> Iterable[Line]:
    for document in found.documents:
        yield Line("deleted", f"Document {document}")
    for episode in found.episodes:
        yield Line("deleted", f"Source {episode.name}")
    for entity in found.entities:
        yield Line("deleted", f"Entity {entity.name}")
    for fact in found.facts:
        yield Line("deleted", f"{title_of(fact)}: deleted", before=shown(fact))
    for fact in found.facts_kept:
        yield Line(
            "source", f"{title_of(fact)}: kept, because it has another source", before=shown(fact), after=shown(fact)
        )
