"""A schema suggested from a sample of texts."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from services.core.draft_records import RelationKind, Schema
from services.extraction.offline import sample_relations
from services.extraction.schemas import DEFAULT_SCHEMA

SAMPLE = 200
"""How many texts a schema is suggested from at most."""
_OFTEN, _HARDLY = 2, 0.5


def suggest_schema(texts: Sequence[str]) -> Schema:
    """The types and relations that a sample of texts tells of, the most frequent first, found without a model.

    Each draft counts by its confidence; what is told less than half a time in all is left out. Verbs between two names
    that no rule reads are suggested as relations of their own when they come at least twice.
    Raises `ExtractorUnavailable`.
    """
    drafts, unknown = sample_relations(texts[:SAMPLE], DEFAULT_SCHEMA)
    counts: dict[str, float] = defaultdict(float)
    for draft in drafts:
        counts[draft.relation] += draft.confidence
    frequent = {name: count for name, count in counts.items() if count >= _HARDLY}
    types = Counter(
        type
        for draft in drafts
        if draft.relation in frequent
        for type in (draft.source_type, draft.target_type)
        if type
    )
    kinds = {kind.name: kind for kind in DEFAULT_SCHEMA.relations}
    kinds |= {name: RelationKind(name) for name, count in unknown.items() if count >= _OFTEN}
    counted = Counter(frequent | {name: count for name, count in unknown.items() if count >= _OFTEN})
    meanings = {kind.name: kind for kind in DEFAULT_SCHEMA.types}
    return Schema(
        tuple(meanings[name] for name, _ in types.most_common() if name in meanings),
        tuple(kinds[name] for name, _ in counted.most_common()),
    )
