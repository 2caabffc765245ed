"""`search` and `search --batch`: find facts, chunks and entities, and an agent's own records."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.batch import answer_lines, batch_of, need_one, read_lines, start_batch
from services.commands.command import Command, Terminal, say
from services.commands.text import fact_span, mirror_note
from services.commands.values import at_most, instant, parsed
from services.core.errors import GraphUnavailable
from services.core.json_documents import Json, fact_document, spelled
from services.core.wording import NOTHING_FITS

if TYPE_CHECKING:
    from services.context import OpenWorkspace, Services
    from services.retrieval.hits import Hit
    from services.retrieval.items import Kind
    from services.retrieval.query import Query
    from services.retrieval.search import SearchResult

_MOST_HITS = 200
_WIDTH = 100
RECORDS = "records"
_UNSEARCHED = "records_problem"
"""The key that says why an agent's records were not searched; the terminal says it beside its output instead."""
_KINDS: "dict[str, tuple[Kind, ...]]" = {"facts": ("fact",), "chunks": ("chunk",), "entities": ("entity",)}


class SearchOptions(BaseModel):
    """How something is looked for."""

    kind: Annotated[Literal["facts", "chunks", "entities", "all", "records"], option()] = "all"
    k: Annotated[int, option(type=at_most(_MOST_HITS, "hits"), metavar="N", help="so many hits; default: 8")] = Field(
        8, ge=1, le=_MOST_HITS
    )
    mode: Annotated[Literal["hybrid", "vector", "keyword"], option()] = "hybrid"
    as_of: Annotated[
        str | None, option(type=instant, metavar="T", help="only facts that hold then; default: all, labelled")
    ] = None
    known_at: Annotated[
        str | None, option(type=instant, metavar="K", help="what was recorded by then; default: now")
    ] = None


class SearchLine(SearchOptions):
    """What is looked for, and how."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: Annotated[str, positional(alternative=True, nargs="?", metavar="QUERY", help="words, or a question")]

    def as_query(self) -> "Query":
        """Return the query. Raises `BadInput` for an instant that cannot be read."""
        from services.retrieval.items import KINDS
        from services.retrieval.query import Query

        kinds = _KINDS.get(self.kind, KINDS)
        return Query(self.query, kinds, self.k, parsed(self.as_of), parsed(self.known_at), self.mode)


class SearchArguments(Arguments, SearchLine):
    """One query."""

    model_config = Arguments.model_config


class SearchBatchArguments(Arguments, SearchOptions):
    """Queries as JSON lines, in bytes; what a line leaves out is as for the whole batch."""

    model_config = Arguments.model_config

    lines: Annotated[tuple[bytes, ...], batch_of("queries")]


def search(services: "Services", arguments: SearchArguments, run: Run) -> Json:
    """Return the best hits, each with its scores; everything that can be found is made ready first."""
    if arguments.kind == RECORDS:
        return _records_found(arguments.existing_workspace(services), arguments)
    workspace, query = arguments.known_workspace(services), arguments.as_query()
    mirror_of = _make_ready(workspace, [query], run)
    found = workspace.search(query)
    route = found.route
    return {
        "query": query.text,
        "as_of": spelled(query.as_of),
        "known_at": spelled(query.known_at),
        "mirror_of": mirror_of,
        "route": {
            "type": route.kind,
            "routing": route.routing,
            "section_query": route.section_query,
            "names": list(route.names),
        },
        "note": found.note,
        **_results(found),
        **(_records_beside(workspace, arguments) if arguments.kind == "all" and _may_have_records(workspace) else {}),
    }


def search_batch(services: "Services", arguments: SearchBatchArguments, run: Run) -> Json:
    """Return an answer for each line, in order."""
    workspace = arguments.open_workspace(services)
    usual = arguments.model_dump(include=set(SearchOptions.model_fields))

    def read(line: Json) -> "tuple[SearchLine, Query]":
        given = {name: value for name, value in line.items() if value is not None}
        asked = SearchLine.model_validate(usual | given)
        return asked, asked.as_query()

    def answer(asked: "tuple[SearchLine, Query]") -> Json:
        line, query = asked
        if line.kind == RECORDS:
            return _record_results(workspace, line)
        beside = _records_beside(workspace, line) if line.kind == "all" and may_have_records else {}
        return _results(workspace.search(query)) | beside

    lines = read_lines(arguments.lines, read)
    questions = [line.question for line in lines if line.question]
    may_have_records = any(asked.kind == "all" for asked, _ in questions) and _may_have_records(workspace)
    queries = [query for asked, query in questions if asked.kind != RECORDS]
    if queries or not lines:
        _make_ready(workspace, queries, run)
    document = answer_lines(lines, answer, run)
    is_empty = not any(answer.get("results") or answer.get("records") for answer in document["answers"])
    return document | {"note": arguments.missing_workspace(services) if is_empty else ""}


def _make_ready(workspace: "OpenWorkspace", queries: "Sequence[Query]", run: Run) -> str | None:
    """See that everything can be found. While the graph does not answer, return when the mirror was last in step.

    Words alone need no vectors, and so work with those of any model. Raises `GraphUnavailable` where there is nothing.
    """
    status = workspace.sync()
    if status.down and status.synced_at is None:
        raise GraphUnavailable("Search is not ready yet: Asof has not read the graph.", status.down)
    if any(query.mode != "keyword" for query in queries):
        workspace.services.indexes.prepare(workspace.name, run.progress, run.cancel)
    return spelled(status.synced_at) if status.down else None


def _results(found: "SearchResult") -> Json:
    return {"fits": found.fits, "results": [hit_document(hit) for hit in found.hits]}


def _records_found(workspace: "OpenWorkspace", line: SearchLine) -> Json:
    """Return an agent's records as hits; they are asked of the graph itself."""
    clocks = {"as_of": spelled(parsed(line.as_of)), "known_at": spelled(parsed(line.known_at))}
    return {"query": line.query, **clocks, "mirror_of": None, "note": "", **_record_results(workspace, line)}


def _may_have_records(workspace: "OpenWorkspace") -> bool:
    """True where an agent keeps records here, or where nobody knows, since the graph does not answer."""
    try:
        return bool(workspace.run(workspace.graph.memory.counts(workspace.name)))
    except GraphUnavailable:
        return True


def _records_beside(workspace: "OpenWorkspace", line: SearchLine) -> Json:
    """Return an agent's records that hold every word, beside the hits: no score compares the two."""
    try:
        found = _record_results(workspace, line)["results"]
    except GraphUnavailable as error:
        return {_UNSEARCHED: f"Asof did not search an agent's records. {error}"}
    return {"records": found} if found else {}


def _record_results(workspace: "OpenWorkspace", line: SearchLine) -> Json:
    from services.memory.findings import synthesis
    from services.memory.record_search import search_records

    hits = search_records(workspace, line.query, line.k, parsed(line.known_at))
    return {
        "fits": True,
        "results": [
            {
                "id": hit.record.get("id"),
                "kind": "record",
                "document_id": None,
                "title": hit.title,
                "text": synthesis(hit.type, hit.record),
                "score": round(hit.score, 6),
                "label": hit.type,
                "record": dict(hit.record),
            }
            for hit in hits
        ],
    }


def hit_document(hit: "Hit") -> Json:
    """Return a hit for JSON. `document_id` is the id that was ingested; none for facts and entities."""
    document, section, chunk = hit.document, hit.section, hit.chunk
    described: Json = {
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
        assert section is not None, "a section led to it"
        described |= {
            "section_name": section.name,
            "section_similarity": round(hit.section_similarity or 0.0, 6),
            "combined_score": round(hit.score, 6),
            "section_level": section.level,
            "level": section.level,
            "section_query": hit.section_query,
            "routing": "hard_section",
        }
    if hit.fact is not None:
        described["fact"] = fact_document(hit.fact)
    if hit.entity is not None:
        described["entity"] = {"uuid": hit.entity.uuid, "name": hit.entity.name, "types": list(hit.entity.types)}
    return described


def start(terminal: Terminal) -> int:
    """Answer one query, or a file of them."""
    need_one(terminal, "query")
    if terminal.options.lines is not None:
        return start_batch(terminal, "search-batch")
    document = terminal.ask("search")
    say(mirror_note(document))
    say(document.pop(_UNSEARCHED, ""))
    return terminal.show(document, found_text)


def found_text(document: Json) -> str:
    """Return the hits, each with where it stands and the beginning of its text."""
    lines = [document["note"]] if document["note"] else []
    lines += [] if document["fits"] else [NOTHING_FITS]
    lines += _listed(document["results"])
    if records := document.get("records"):
        lines += ["Records:", *_listed(records)]
    return "\n".join(lines) or "No results. Try other words."


def _listed(hits: Sequence[Json]) -> Iterator[str]:
    for number, hit in enumerate(hits, 1):
        yield f"{number}. {hit['score']:.2f} {hit['kind']} {_place(hit)}".rstrip()
        text = " ".join(hit["text"].split())
        yield f"   {text[:_WIDTH]}{'…' if len(text) > _WIDTH else ''}"


def _place(hit: Json) -> str:
    """Return where a hit stands: its document, section and lines, or its fact's times."""
    if fact := hit.get("fact"):
        return f"{hit['label']}, {fact_span(fact)}"
    if hit["kind"] == "entity":
        return str(hit["title"])
    if hit["kind"] == "record":
        return f"{hit['label']} · {hit['title']}"
    lines = f"lines {hit['start_line']}-{hit['end_line']}"
    return " · ".join(part for part in (hit["title"] or hit["document_id"], hit["section_path"], lines) if part)


COMMAND = Command(
    "search",
    "find facts, passages and entities, or an agent's records",
    start,
    {"search": Request(SearchArguments, search), "search-batch": Request(SearchBatchArguments, search_batch)},
)
