"""What hangs on what: the facts of a source, what something ended, and what nothing else holds."""

from collections.abc import Collection, Iterable

from services.core.models import Document, Entity, Fact
from services.mirror.reads import Reads
from services.mirror.record_tables import DOCUMENTS, ENTITIES

_FROM = "SELECT {fact} FROM facts WHERE list_has_any(episodes, $episodes::VARCHAR[]) ORDER BY valid_at, uuid"

_ENDED_BY = "SELECT {fact} FROM facts WHERE ended_by IN (SELECT unnest($uuids::VARCHAR[])) ORDER BY valid_at, uuid"

_DOCUMENTS_OF = f"""
    SELECT {DOCUMENTS.columns()} FROM documents WHERE episode_uuid IN (SELECT unnest($episodes::VARCHAR[]))
    ORDER BY id"""

_WITH_FACTS = f"""
    SELECT {DOCUMENTS.columns()} FROM documents WHERE episode_uuid IN (
        SELECT episodes[1] FROM facts WHERE len(episodes) = 1 AND withdrawn_at IS NULL)
    ORDER BY id"""

_LEFT_ALONE = f"""
    WITH asked AS MATERIALIZED (SELECT unnest($entities::VARCHAR[]) AS uuid),
    held AS (
        SELECT source_uuid AS uuid FROM facts
        WHERE source_uuid IN (FROM asked) AND uuid NOT IN (SELECT unnest($facts::VARCHAR[]))
        UNION SELECT target_uuid FROM facts
        WHERE target_uuid IN (FROM asked) AND uuid NOT IN (SELECT unnest($facts::VARCHAR[]))
        UNION SELECT unnest(entity_uuids) FROM episodes
        WHERE list_has_any(entity_uuids, $entities::VARCHAR[]) AND uuid NOT IN (SELECT unnest($episodes::VARCHAR[])))
    SELECT {ENTITIES.columns()} FROM entities
    WHERE uuid IN (FROM asked) AND uuid NOT IN (SELECT uuid FROM held) ORDER BY name, uuid"""


def facts_from(mirror: Reads, episodes: Collection[str]) -> tuple[Fact, ...]:
    """The facts that have one of these episodes among their sources."""
    return mirror._facts(_FROM, {"episodes": list(episodes)}) if episodes else ()


def facts_ended_by(mirror: Reads, uuids: Collection[str]) -> tuple[Fact, ...]:
    """The facts that one of these facts or episodes ended, as far as that was recorded."""
    return mirror._facts(_ENDED_BY, {"uuids": list(uuids)}) if uuids else ()


def documents_of_episodes(mirror: Reads, episodes: Collection[str]) -> tuple[Document, ...]:
    """The documents whose present text one of these episodes is."""
    if not episodes:
        return ()
    return mirror._records(DOCUMENTS, _DOCUMENTS_OF, {"episodes": list(episodes)})


def documents_with_facts(mirror: Reads) -> tuple[Document, ...]:
    """The documents whose present text alone states a fact."""
    return mirror._records(DOCUMENTS, _WITH_FACTS, {})


def left_alone(
    mirror: Reads, entities: Iterable[str], without_episodes: Iterable[str], without_facts: Iterable[str]
) -> tuple[Entity, ...]:
    """Those of the entities that no other episode mentions and that are in no other fact."""
    asked = {"entities": list(entities), "episodes": list(without_episodes), "facts": list(without_facts)}
    return mirror._records(ENTITIES, _LEFT_ALONE, asked) if asked["entities"] else ()
