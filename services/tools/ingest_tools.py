"""The tools of `knowledge` that ingest files, texts and sites by jobs."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import Field

from services.core.errors import BadInput
from services.core.job_records import NewItem
from services.core.wording import counted
from services.documents.folders import Folders
from services.jobs.texts import file_item, text_item
from services.queries.facts_at import Name
from services.tools.tool import Context, ResultItem, ToolResult
from services.web.crawl_limits import left_out_in_words
from services.web.urls import read_url
from services.writing.documents import check_id

Tags = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=60)]] | None,
    Field(max_length=20, description="Words to find it by later."),
]
_TITLE = 80


def knowledge_ingest(
    context: Context,
    path: Annotated[str | None, Field(description="The full path of a file; or give a text.")] = None,
    text: Annotated[str | None, Field(description="The text itself; or give a path.")] = None,
    tags: Tags = None,
) -> ToolResult:
    """Add a file or a text to the knowledge graph, so that later searches find it.

    Use when important reference material turned up that later questions will need. It starts once the analyst
    approves it. NOT for web pages: use knowledge_crawl. NOT for looking something up: use memory_search.
    """
    item = _of_path(context, path, tags or ()) if path is not None else _of_text(text or "", tags or ())
    jobs = context.workspace.accounts.jobs
    job_id = jobs.add(
        context.workspace.name,
        "documents",
        item.title,
        [item],
        options={"tags": list(tags or ())},
        user_id=context.user_id,
        job_id=context.call_id or str(uuid4()),
    )
    state = next(one.state for one in jobs.items(job_id, limit=None) if one.key == item.key)
    document = {"jobId": job_id, "documentId": item.payload["id"], "state": state}
    return _summarized(document, f"“{item.title}” is {state}; its job is {job_id}.", "1 document")


def knowledge_crawl(
    context: Context,
    url: Annotated[Name, Field(description="Where to start: the full address of a page or a sitemap.")],
    mode: Annotated[
        Literal["single", "sitemap", "recursive"],
        Field(description="Only this page, the pages of a sitemap, or links on this host."),
    ] = "single",
    maxPages: Annotated[int, Field(ge=1, le=500, description="Maximum number of pages.")] = 20,
    tags: Tags = None,
) -> ToolResult:
    """Add a web page or a whole documentation site to the knowledge graph.

    Use when later questions will need what a site says. It starts once the analyst approves it and runs in the
    background: call knowledge_crawl_status for its progress. NOT for files and texts: use knowledge_ingest.
    """
    from services.jobs.crawl_job import start_crawl

    crawl_id = start_crawl(
        context.workspace,
        url,
        mode=mode,
        max_pages=maxPages,
        options={"tags": list(tags or ())},
        user_id=context.user_id,
        crawl_id=context.call_id,
    )
    return _summarized({"crawlId": crawl_id}, f"The crawl has started; its id is {crawl_id}.", "1 crawl")


def knowledge_crawl_status(
    context: Context, crawlId: Annotated[Name, Field(description="The id that knowledge_crawl returned.")]
) -> ToolResult:
    """Show the progress of a crawl: its state, the pages ingested, and those that failed and why.

    Use after knowledge_crawl. NOT for what the pages say: use memory_search.
    """
    from services.jobs.crawl_job import crawl_status

    status = crawl_status(context.workspace, crawlId)
    document = status.document()
    done, total, failed = document["pagesDone"], document["pagesTotal"], document["pagesFailed"]
    line = f"The crawl is {document['state']}: {done} of {counted(total, 'page')} ingested, {failed} failed."
    if status.left_out:
        line = f"{line} Skipped because of robots.txt: {left_out_in_words(status.left_out)}."
    lines = "\n- ".join([line, *document["errors"]])
    return _summarized(document, lines, f"{done} of {counted(total, 'page')}")


def exact_ingest(context: Context, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs of `knowledge_ingest` as they are shown to the analyst: the path in full.

    Raises `BadInput` for inputs that cannot be taken in.
    """
    if (given.get("path") is None) == (given.get("text") is None):
        raise BadInput("path, text: give either path or text, not both.")
    if given.get("path") is not None:
        return {**given, "path": str(Folders.of(context.workspace.settings).find(given["path"]))}
    _of_text(given["text"], ())
    return given


def exact_crawl(_: Context, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs of `knowledge_crawl` as they are shown to the analyst: the address as it will be asked for.

    Raises `FetchRefused` for an address that no page can have.
    """
    return {**given, "url": str(read_url(given["url"]))}


def _of_path(context: Context, path: str, tags: Sequence[str]) -> NewItem:
    found, content = Folders.of(context.workspace.settings).read(path)
    check_id(str(found))
    return file_item(found.name, context.workspace.accounts.uploads.put(content), path=str(found), tags=tags)


def _of_text(text: str, tags: Sequence[str]) -> NewItem:
    if not text.strip():
        raise BadInput("text: must not be empty.", "Send the text to ingest.")
    title = " ".join(text.strip().splitlines()[0].split())[:_TITLE]
    return text_item(text, title=title, tags=tags)


def _summarized(document: Mapping[str, Any], text: str, summary: str) -> ToolResult:
    items = tuple(map(ResultItem, text.split("\n")))
    return ToolResult(document, items, len(items), summary=summary, rows=(document,))
