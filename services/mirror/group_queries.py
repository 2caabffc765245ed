"""Communities and sagas in the mirror: all of them, and those that an entity is part of."""

from datetime import datetime

from services.core.group_records import Community, Saga
from services.core.models import Episode
from services.mirror.reads import Reads
from services.mirror.record_tables import COMMUNITIES, EPISODES, SAGAS


class GroupReads(Reads):
    """What Graphiti gathered. It keeps no past of it, so it is the same whatever the instants."""

    def communities(self) -> tuple[Community, ...]:
        """Every community, by uuid."""
        return self._records(COMMUNITIES, f"SELECT {COMMUNITIES.columns()} FROM communities ORDER BY uuid")

    def sagas(self) -> tuple[Saga, ...]:
        """Every saga, by uuid."""
        return self._records(SAGAS, f"SELECT {SAGAS.columns()} FROM sagas ORDER BY uuid")

    def communities_of(self, entity_uuid: str) -> tuple[Community, ...]:
        """The communities that an entity is a member of, the smallest first."""
        sql = "FROM communities WHERE list_contains(member_uuids, $uuid) ORDER BY len(member_uuids), name, uuid"
        return self._records(COMMUNITIES, f"SELECT {COMMUNITIES.columns()} {sql}", {"uuid": entity_uuid})

    def sagas_of(self, entity_uuid: str) -> tuple[Saga, ...]:
        """The sagas with an episode that mentions an entity, by name."""
        mentions = "SELECT list(uuid) FROM episodes WHERE list_contains(entity_uuids, $uuid)"
        sql = f"FROM sagas WHERE list_has_any(episode_uuids, coalesce(({mentions}), [])) ORDER BY name, uuid"
        return self._records(SAGAS, f"SELECT {SAGAS.columns()} {sql}", {"uuid": entity_uuid})

    def episodes_of(self, saga_uuid: str, known_at: datetime) -> tuple[Episode, ...]:
        """The episodes of a saga that the graph had at `known_at`, without their texts, in their order."""
        columns = EPISODES.columns("e.").replace('e."content"', "''")
        sql = (
            f"SELECT {columns} FROM (SELECT unnest(episode_uuids) AS uuid,"
            " generate_subscripts(episode_uuids, 1) AS place"
            " FROM sagas WHERE uuid = $saga) AS held JOIN episodes AS e USING (uuid)"
            " WHERE e.created_at IS NULL OR e.created_at <= $k ORDER BY place"
        )
        return self._records(EPISODES, sql, {"saga": saga_uuid, "k": known_at})
