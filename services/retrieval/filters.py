"""What a query may find: what is as it was indexed, at the right time, and within its facets."""

import numpy as np
from numpy.typing import NDArray

from services.core import clock
from services.core.models import Instants
from services.mirror.mirror import Mirror
from services.mirror.search_rows import Keys
from services.retrieval.items import Kind
from services.retrieval.live_index import LiveIndex
from services.retrieval.query import Query


def allowances(mirror: Mirror, ready: LiveIndex, query: Query) -> dict[Kind, NDArray[np.bool_]]:
    """For each kind which items a query may find, by their positions in the index."""
    allowed = dict(ready.alive)

    def only(kind: Kind, keys: Keys) -> None:
        allowed[kind] = allowed[kind] & ready.having(kind, keys)

    if query.as_of is not None:
        only("fact", mirror.keys_true(Instants(query.as_of, query.known_at or clock.now())))
    elif query.known_at is not None:
        only("fact", mirror.keys_recorded(query.known_at))
    if query.relations:
        only("fact", mirror.keys_of_facts(query.relations))
    if query.types or query.known_at is not None:
        only("entity", mirror.keys_of_entities(query.types, query.known_at))
    if query.documents or query.section or query.since or query.until or query.known_at is not None:
        only("chunk", mirror.keys_of_chunks(query.documents, query.section, query.since, query.until, query.known_at))
    return allowed
