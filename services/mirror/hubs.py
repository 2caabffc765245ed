"""Entities that nearly everything hangs on: they join what has nothing else in common."""

from collections.abc import Iterable, Mapping

from services.core.models import CommonValue
from services.mirror.reads import Reads

LEAST_HANGING = 12
"""Fewer facts make no entity a hub, however small its graph is."""
SHARE = 0.1

_BUSY = f"""
    SELECT key FROM degrees WHERE degree >= {LEAST_HANGING} AND degree > {SHARE} * (SELECT count(*) FROM entities)"""

# A relation is common where one of its values is busy by it alone; then all its values are, also the rare ones.
_BY_RELATION = """
    SELECT target_uuid AS uuid, target_key AS key, relation, count(*) AS hanging, any_value(degree) AS degree
    FROM facts JOIN degrees ON degrees.key = target_key GROUP BY ALL HAVING hanging >= 0.9 * any_value(degree)"""

_VALUES = f"""
    WITH busy AS ({_BUSY}), by_relation AS ({_BY_RELATION})
    SELECT uuid, key, relation, hanging FROM by_relation
    WHERE relation IN (SELECT relation FROM by_relation WHERE key IN (FROM busy))"""

_HUBS = f"SELECT key FROM ({_VALUES}) UNION {_BUSY}"


class HubReads(Reads):
    """Tells which entities say little of what hangs on them."""

    version: int
    _hubs: tuple[int, tuple[int, ...]] = (-1, ())

    def hub_keys(self) -> tuple[int, ...]:
        """Return the keys of common values and of all other busy entities, worked out once for each version."""
        version = self.version
        if self._hubs[0] != version:
            self._hubs = (version, tuple(key for (key,) in self._rows(_HUBS)))
        return self._hubs[1]

    def common_values(self) -> tuple[CommonValue, ...]:
        """Return values of relations with one on which more than a tenth of all entities hang, the busiest first."""
        found = self._rows(f"SELECT uuid, relation FROM ({_VALUES}) ORDER BY hanging DESC, uuid")
        return tuple(CommonValue(uuid, relation) for uuid, relation in found)


def folded_relations(values: Iterable[CommonValue], hanging: Mapping[str, int], entities: int) -> tuple[str, ...]:
    """Return the relations with a value on which more than a tenth of so many entities hang, and at least twelve."""
    busy = (value for value in values if SHARE * entities < hanging.get(value.uuid, 0) >= LEAST_HANGING)
    return tuple(dict.fromkeys(value.relation for value in busy))
