"""A workspace's facts as columns in DuckDB, in step with its graph, and the queries over them."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.mirror.finder import FoundEntity, find_named
    from services.mirror.health_queries import future_records, orphans, residues, same_facts, undated_facts
    from services.mirror.hubs import folded_relations
    from services.mirror.mirror import Mirror
    from services.mirror.retirements import retired_together, suspicious_retirements
    from services.mirror.review_queries import (
        change_after,
        change_before,
        changes_between,
        one_valued_relations,
        review_list,
    )
    from services.mirror.source_queries import has_sources
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "FoundEntity",
    "Mirror",
    "change_after",
    "change_before",
    "changes_between",
    "find_named",
    "folded_relations",
    "future_records",
    "has_sources",
    "one_valued_relations",
    "orphans",
    "residues",
    "retired_together",
    "review_list",
    "same_facts",
    "suspicious_retirements",
    "undated_facts",
]
