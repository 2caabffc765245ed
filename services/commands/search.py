"""The terminal's commands that find things: typed arguments in, a document for JSON out."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services.commands.base import Arguments, Run, group_of
from services.commands.parser import MOST_HITS, Command, Start, hit_count, instant
from services.core import clock
from services.core.errors import AsofError, BadInput, GraphUnavailable
from services.core.json_documents import Document, fact_document, spelled
from services.queries.facts_at import read_json_line, reason

if TYPE_CHECKING:
    from services.context import Services
    from services.retrieval.hits import Hit
    from services.retrieval.items import Kind
    from services.retrieval.query import Query
    from services.retrieval.search import Found

Mode = Literal["hybrid", "vector", "keyword"]
KindChoice = Literal["facts", "chunks", "entities", "all"]
_KINDS: "dict[KindChoice, tuple[Kind, ...]]" = {
    "facts": ("fact",),
    "chunks": ("chunk",),
    "entities": ("entity",),
}


class How(BaseModel):
    """How something is looked for."""

    k: int = Field(8, ge=1, le=MOST_HITS)
    kind: KindChoice = "all"
    as_of: str | None = None
    known_at: str | None = None
    mode: Mode = "hybrid"


class SearchLine(How):
    """What is looked for, and how."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: str

    def as_query(self) -> "Query":
        """Return the query. Raises `BadInput` for an instant that cannot be read."""
        from services.retrieval.items import KINDS
        from services.retrieval.query import Query

        return Query(
            self.query, _KINDS.get(self.kind, KINDS), self.k, _instant(self.as_of), _instant(self.known_at), self.mode
        )


class SearchArguments(Arguments, SearchLine):
    """One query."""

    model_config = Arguments.model_config


class SearchBatchArguments(Arguments, How):
    """Queries as JSON lines, in bytes; what a line leaves out is as for the whole batch."""

    model_config = Arguments.model_config

    lines: tuple[bytes, ...]


class IndexArguments(Arguments):
    """`anew` forgets the vectors first, whichever model made them."""

    anew: bool = False


def search(services: "Services", arguments: SearchArguments, run: Run) -> Document:
    """The best hits, each with its scores; everything that can be found is made ready first."""
    group = group_of(services, arguments.workspace)
    query = arguments.as_query()
    mirror_of = _ready(services, group, [query], run)
    found = services.workspace(group).search(query)
    asked = {"query": query.text, "as_of": spelled(query.as_of), "known_at": spelled(query.known_at)}
    return {**asked, "mirror_of": mirror_of, **_told(found)}


def search_batch(services: "Services", arguments: SearchBatchArguments, run: Run) -> Document:
    """One answer for each line, in order; a bad line gets an error of its own and the rest are answered."""
    group = group_of(services, arguments.workspace)
    usual = arguments.model_dump(include=set(How.model_fields))
    read = [_read_query(line, usual) for line in arguments.lines if line.strip()]
    _ready(services, group, [query for _, query in read if not isinstance(query, str)], run)
    answers = []
    for done, (id, query) in enumerate(read, 1):
        answers.append({"id": id, **_answered(services, group, query)})
        run.progress(done, len(read))
    return {"answers": answers, "failed": sum("error" in answer for answer in answers)}


def _answered(services: "Services", group: str, query: "Query | str") -> Document:
    """The hits of a query, or what is wrong with it."""
    if isinstance(query, str):
        return {"error": query}
    try:
        found = services.workspace(group).search(query)
    except BadInput as error:
        return {"error": str(error)}
    return {"results": [hit_document(hit) for hit in found.hits]}


def _ready(services: "Services", group: str, queries: "Sequence[Query]", run: Run) -> str | None:
    """See that everything can be found; when the mirror was last in step, while the graph does not answer.

    Words alone need no vectors, and so work with those of any model. Raises `GraphUnavailable` where there is nothing.
    """
    status = services.mirrors.sync(group)
    if status.down and status.synced_at is None:
        raise GraphUnavailable("There is nothing to search: the graph could not be read yet.", status.down)
    if any(query.mode != "keyword" for query in queries):
        services.indexes.prepare(group, run.progress, run.cancel)
    return spelled(status.synced_at) if status.down else None


def _read_query(line: bytes, usual: dict[str, Any]) -> tuple[Any, "Query | str"]:
    given: Any = None
    try:
        document = read_json_line(line)
        given = document.get("id")
        return given, SearchLine.model_validate(usual | {k: v for k, v in document.items() if v is not None}).as_query()
    except ValidationError as error:
        return given, reason(error)
    except AsofError as error:
        return given, str(error)


def index(services: "Services", arguments: IndexArguments, run: Run) -> Document:
    """Give everything a vector, link what means the same, and group the sections of documents by what they are on."""
    from services.retrieval.items import KINDS
    from services.writing.linking import link_chunks, rebuild_section_types

    group = group_of(services, arguments.workspace)
    services.mirrors.sync(group)
    if arguments.anew:
        services.indexes.embed_anew(group, run.progress, run.cancel)
    ready = services.indexes.prepare(group, run.progress, run.cancel)
    counts = {kind: int(ready.alive[kind].sum()) for kind in KINDS}
    links, types = link_chunks(services.workspace(group)), rebuild_section_types(services.workspace(group))
    return {"model": services.indexes.embedder.name, "items": counts, "links": links, "section_types": len(types)}


def _told(found: "Found") -> Document:
    told = {
        "type": found.route.kind,
        "routing": found.route.routing,
        "section_query": found.route.section_query,
        "names": list(found.route.names),
    }
    return {"route": told, "note": found.note, "results": [hit_document(hit) for hit in found.hits]}


def hit_document(hit: "Hit") -> Document:
    """A hit for JSON. `document_id` is the id that was ingested; none for facts and entities."""
    document, section, chunk = hit.document, hit.section, hit.chunk
    told: Document = {
        "id": hit.id,
        "kind": hit.kind,
        "document_id": chunk.document_id if chunk else None,
        "title": document.title if document else hit.entity.name if hit.entity else None,
        "section_path": section.path if section else None,
        "anchor": section.anchor if section else None,
        "start_line": chunk.start_line if chunk else None,
        "end_line": chunk.end_line if chunk else None,
        "text": hit.text,
        "score": round(hit.score, 6),
        "hybrid_score": round(hit.hybrid_score, 6),
        "vector_score": round(hit.vector_score, 6),
        "keyword_score": round(hit.keyword_score, 6),
        "graph_score": round(hit.graph_score, 6),
        "route": hit.routing,
        "source": hit.source,
        "label": hit.label,
    }
    if hit.section_query is not None:
        told |= _scoped(hit)
    if hit.fact is not None:
        told["fact"] = fact_document(hit.fact)
    if hit.entity is not None:
        told["entity"] = {"uuid": hit.entity.uuid, "name": hit.entity.name, "types": list(hit.entity.types)}
    return told


def _scoped(hit: "Hit") -> Document:
    """What seeds of hard routes carry."""
    assert hit.section is not None, "a section led to it"
    return {
        "section_name": hit.section.name,
        "section_similarity": round(hit.section_similarity or 0.0, 6),
        "combined_score": round(hit.score, 6),
        "section_level": hit.section.level,
        "level": hit.section.level,
        "section_query": hit.section_query,
        "routing": "hard_section",
    }


def _instant(text: str | None) -> datetime | None:
    return clock.parse_instant(text) if text else None


def add_search(command: Command, run: Start, run_index: Start) -> None:
    """The commands that find things, and see to what finds them."""
    search = command("search", run, "find facts, chunks and entities")
    search.add_argument("query", nargs="?", metavar="QUERY", help="words, or a question")
    search.add_argument("--batch", metavar="FILE.jsonl", help="queries as JSON lines; - is stdin")
    search.add_argument("--kind", choices=("facts", "chunks", "entities", "all"), default="all")
    search.add_argument("--k", type=hit_count, default=8, metavar="N", help="so many hits; default: 8")
    search.add_argument("--mode", choices=("hybrid", "vector", "keyword"), default="hybrid")
    search.add_argument("--as-of", type=instant, metavar="T", help="only facts that hold then; default: all, labelled")
    search.add_argument("--known-at", type=instant, metavar="K", help="the graph's clock; default: now")

    index = command("index", run_index, "give everything a vector, and group what means the same")
    index.add_argument("--anew", action="store_true", help="forget the vectors first: after a change of model")
