"""The tool that finds how two entities are connected."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from services.core.json_documents import Json, fact_document, instants_document
from services.core.models import Fact, Path
from services.queries.facts_at import Name
from services.tools import wording
from services.tools.mirror_fallback import entities_named, from_mirror, no_entity, nothing
from services.tools.tool import Context, ToolResult

MOST_PATHS = 50
"""So many shortest paths are listed; two busy entities may have thousands."""


@from_mirror("Graph database is currently unavailable. Try search_knowledge instead.")
def find_path(
    context: Context,
    source: Annotated[Name, Field(description="Name of the entity to start from.")],
    target: Annotated[Name, Field(description="Name of the entity to reach.")],
    max_hops: Annotated[int, Field(ge=1, le=5, description="Maximum number of facts in a path.")] = 3,
) -> ToolResult:
    """Find how TWO named entities are connected: the shortest chains of facts that hold between them on the date.

    Undated facts count too and are marked. A path goes through a value that most entities share (a status, a type)
    only if every other path is longer by more than two facts.

    Use this for "how is A connected to B", "is there a link between A and B", "path from A to B". NOT for all facts of
    one entity: use facts_at or get_entity_history. NOT for an entity's surroundings: use search_knowledge_graph.
    """
    starts, ends = entities_named(context, source), entities_named(context, target)
    asked = {"source": source, "target": target, "max_hops": max_hops, **instants_document(context.at)}
    if not starts or not ends:
        message = no_entity(context, target if starts else source)
        return nothing({**asked, "total": 0, "paths": []}, message)
    paths, total = context.mirror.shortest_paths(
        [one.uuid for one in starts], [one.uuid for one in ends], context.at, max_hops=max_hops, limit=MOST_PATHS
    )
    length = len(paths[0].facts) if paths else 0
    when = wording.when(context.as_of)
    return ToolResult(
        {**asked, "total": total, "hops": length, "paths": [_document(path, fact_document) for path in paths]},
        tuple(
            wording.fact_item(fact, f"- path {number}, step {step}: {wording.relation_line(fact)[2:]}")
            for number, path in enumerate(paths, 1)
            for step, fact in enumerate(path.facts, 1)
        ),
        total,
        heading=f"{wording.counted(total, 'shortest path')} of {wording.counted(length, 'fact')} {when}.",
        message=f"No path of up to {max_hops} facts connects “{source}” and “{target}” {when}.",
        truncation="{total} paths in all.",
        summary=wording.counted(total, "path") + (f" of {wording.counted(length, 'fact')}" if paths else ""),
        rows=tuple(_document(path, wording.fact_row) for path in paths),
    )


def _document(path: Path, of_fact: Callable[[Fact], Json]) -> Json:
    return {"entities": [entity.name for entity in path.entities], "facts": [of_fact(fact) for fact in path.facts]}
