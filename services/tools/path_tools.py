"""The tool that looks for how two entities hang together."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from services.core.json_documents import Document, fact_document
from services.core.models import Path
from services.queries.facts_at import Name
from services.tools import wording
from services.tools.mirror_fallback import clocks, entities_named, marked, mirror_of, no_entity, nothing, or_fallback
from services.tools.tool import Context, ResultItem, ToolResult

MOST_PATHS = 50
"""So many shortest paths are told; two busy entities may have thousands."""


@or_fallback("Graph database is currently unavailable. Try search_knowledge instead.")
def find_path(
    context: Context,
    source: Annotated[Name, Field(description="Name of the entity to start from.")],
    target: Annotated[Name, Field(description="Name of the entity to arrive at.")],
    max_hops: Annotated[int, Field(ge=1, le=5, description="How many facts a path may have.")] = 3,
) -> ToolResult:
    """Find how TWO named entities are connected: the shortest chains of facts between them that hold at the date.

    Use this for "how is A connected to B", "is there a link between A and B", "path from A to B". NOT for all facts of
    one entity: use facts_at or get_entity_history. NOT for what else is near an entity: use search_knowledge_graph.
    """
    stale = mirror_of(context)
    starts, ends = entities_named(context, source), entities_named(context, target)
    asked = {"source": source, "target": target, "max_hops": max_hops, **clocks(context.at)}
    if not starts or not ends:
        message = no_entity(context, target if starts else source)
        return nothing({**asked, "total": 0, "paths": []}, message, stale)
    paths, total = context.mirror.shortest_paths(
        [one.uuid for one in starts], [one.uuid for one in ends], context.at, max_hops=max_hops, limit=MOST_PATHS
    )
    length = len(paths[0].facts) if paths else 0
    when = wording.when(context.as_of)
    return marked(
        ToolResult(
            {**asked, "total": total, "hops": length, "paths": [_document(path) for path in paths]},
            tuple(item for number, path in enumerate(paths, 1) for item in _items(number, path)),
            total,
            heading=f"{wording.count(total, 'shortest path')} of {wording.count(length, 'fact')} {when}.",
            message=f"No path of at most {max_hops} facts joins “{source}” and “{target}” {when}.",
            truncation="... truncated. {total} paths in all.",
            summary=wording.count(total, "path") + (f" of {wording.count(length, 'fact')}" if paths else ""),
            rows=tuple(_document(path, rows=True) for path in paths),
        ),
        stale,
    )


def _items(number: int, path: Path) -> Iterator[ResultItem]:
    """A path's facts in walking order, each with the path's number and its step."""
    for step, fact in enumerate(path.facts, 1):
        yield wording.fact_item(fact, f"- path {number}, step {step}: {wording.relation_line(fact)[2:]}")


def _document(path: Path, *, rows: bool = False) -> Document:
    told = wording.fact_row if rows else fact_document
    return {"entities": [entity.name for entity in path.entities], "facts": [told(fact) for fact in path.facts]}
