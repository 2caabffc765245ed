"""Finding passages and facts: words, vectors, and a walk over what they mention."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.retrieval.duplicates import same_entities
    from services.retrieval.hits import Hit
    from services.retrieval.items import Kind
    from services.retrieval.query import Query
    from services.retrieval.search import SearchResult
    from services.retrieval.tokens import spans
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["Hit", "Kind", "Query", "SearchResult", "same_entities", "spans"]
