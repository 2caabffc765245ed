"""From what the page was asked for to what the search service found."""

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from components import dates
from components.address import View
from components.search.search_view import KindChoice, SearchView
from services.context import OpenWorkspace

if TYPE_CHECKING:
    from services.retrieval import Hit, Kind, Query, SearchResult

_SERVED: dict[KindChoice, "Kind"] = {"facts": "fact", "passages": "chunk", "entities": "entity"}
_LEAST = 0.02
"""So much of the best hit's score a further one must have."""


def find(workspace: OpenWorkspace, view: View) -> "SearchResult":
    """Search as the view asks; what search stands on is imported at the first search, since that takes a while."""
    found = workspace.search(query_of(view))
    return replace(found, hits=_telling(found.hits))


def _telling(hits: tuple["Hit", ...]) -> tuple["Hit", ...]:
    """The hits without those that only fill the list up: the search ranks everything, what does not match last."""
    if not any(hit.keyword_score > 0 or hit.vector_score > 0 for hit in hits):
        return ()
    least = _LEAST * max(hit.hybrid_score for hit in hits)
    return tuple(hit for hit in hits if hit.hybrid_score > least)


def query_of(view: View) -> "Query":
    """The view's search: of facts those that hold at its instants and undated ones, or all recorded."""
    from services.retrieval import Query

    asked = view.of(SearchView)
    return Query(
        asked.text,
        kinds=tuple(_SERVED[kind] for kind in asked.kinds),
        k=asked.shown,
        as_of=None if asked.recorded else view.at.as_of,
        undated=True,
        known_at=view.known_at,
        mode=asked.mode,
        documents=asked.documents,
        types=asked.types,
        relations=asked.relations,
        section=asked.section,
        since=dates.instant_of(asked.since, None),
        until=dates.instant_of(_next(asked), None),
    )


def _next(asked: SearchView) -> date | None:
    """The day after the last one, which is included."""
    if asked.until is None or asked.until == date.max:
        return None
    return asked.until + timedelta(days=1)
