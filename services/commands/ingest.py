"""`ingest`: take in files, texts and web pages by jobs of the queue, which are waited for."""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.batch import read_json_line, read_line
from services.commands.command import Command, Terminal
from services.commands.files import files_of, lines_of
from services.commands.values import address, at_most, instant, not_blank, parsed
from services.core.errors import BadInput, Cancelled
from services.core.job_records import Job, JobItem, NewItem
from services.core.json_documents import Json
from services.core.wording import counted
from services.documents.file_types import Format, type_by_ending
from services.llm.endpoint import models
from services.web.crawl_limits import MOST_PAGES, left_out, left_out_in_words

if TYPE_CHECKING:
    from services.agent.app import App
    from services.context import OpenWorkspace

_MOMENT = 0.2
_RULES = "rules"


class DocumentLine(BaseModel):
    """A document as a line of JSON."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str = Field(min_length=1)
    text: str
    title: str | None = None
    format: Format | None = None
    path: str = ""
    reference_time: str | None = None
    thread: str | None = None

    def item(self) -> NewItem:
        """Return the document to take in. Raises `BadInput` for an id or a reference time that cannot be used."""
        from services.jobs.texts import text_item
        from services.writing.documents import check_id

        check_id(self.id)
        return text_item(
            self.text,
            id=self.id,
            title=self.title or "",
            format=self.format or "",
            path=self.path,
            thread=self.thread or "",
            reference_time=parsed(self.reference_time),
        )


class TextGiven(BaseModel):
    """A text that has no name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    title: str = ""


class FileGiven(BaseModel):
    """A file with its content, under the path that it was named by."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    path: str = Field(min_length=1)
    content: bytes


class IngestArguments(Arguments):
    """What to take in. `extract` is "rules" or a model to write the facts by that are sure; empty: none."""

    files: tuple[FileGiven, ...] = ()
    documents: tuple[TextGiven, ...] = ()
    url: Annotated[str | None, option(type=address, metavar="URL", help="a page, or where a site begins")] = None
    mode: Annotated[
        Literal["single", "sitemap", "recursive"],
        option(help="the page alone (default), the pages of the site's map, or those it links to"),
    ] = "single"
    max_pages: Annotated[
        int, option(type=at_most(MOST_PAGES, "pages"), metavar="N", help="so many pages of a site; default: 20")
    ] = Field(20, ge=1, le=MOST_PAGES)
    lines: Annotated[
        tuple[bytes, ...], option("--documents", metavar="FILE.jsonl|-", help="documents as lines of JSON")
    ] = ()
    written_on: Annotated[
        str | None,
        option(
            type=instant,
            metavar="DATE",
            help="when files and text were written that do not give a date; “last March” counts from it",
        ),
    ] = None
    extract: Annotated[
        str,
        option(
            nargs="?",
            const=_RULES,
            metavar="MODEL",
            help="write the facts that are sure: by rules, or by one of ASOF_MODEL",
        ),
    ] = ""


def ingest(services: "App", arguments: IngestArguments, run: Run) -> Json:
    """Take in files, texts and pages by the queue; what cannot be used is left out and listed."""
    known = (_RULES, *models(services.settings))
    if arguments.extract and arguments.extract not in known:
        hint = f"--extract takes {', '.join(known)}. Put paths before it."
        raise BadInput(f"There is no model “{arguments.extract}”.", hint)
    given = [line for line in arguments.lines if line.strip()]
    if given and not any(map(_is_object, given)):
        hint = 'Write each line as {"id": "…", "text": "…"}. For other kinds of file, leave out --documents.'
        raise BadInput("The --documents file is not in JSON Lines format.", hint)
    problems: list[Json] = []
    ingestion = _Ingestion(services, arguments.open_workspace(services), run)
    services.jobs.start()
    jobs = [ingestion.wait(job_id) for job_id in ingestion.add(arguments, problems)]
    items = [item for job in jobs for item in services.accounts.jobs.items(job.id, limit=None)]
    problems += [_problem(item) for item in items if item.state in ("failed", "cancelled", "queued")]
    results = [item.result or {} for item in items if item.state in ("done", "review")]
    ingestion.make_findable(results)
    return _document(arguments, results, problems, jobs)


@dataclass(frozen=True, slots=True)
class _Ingestion:
    """One run of the command."""

    services: "App"
    workspace: "OpenWorkspace"
    run: Run

    def add(self, arguments: IngestArguments, problems: list[Json]) -> list[str]:
        """Queue what was given. Returns the ids of the jobs."""
        from services.jobs.crawl_job import start_crawl
        from services.jobs.texts import text_item

        options = {"extract": arguments.extract, "write_at_once": bool(arguments.extract), "tags": []}
        items = [
            *self._files(arguments.files, parsed(arguments.written_on)),
            *(
                text_item(one.text, title=one.title, reference_time=parsed(arguments.written_on))
                for one in arguments.documents
            ),
            *_items_of_lines(arguments.lines, problems),
        ]
        added = []
        if items:
            title = items[0].title if len(items) == 1 else f"{len(items):,} documents"
            add = self.services.accounts.jobs.add
            added.append(add(self.workspace.name, "documents", title, items, options=options))
        if arguments.url:
            begin = partial(start_crawl, self.workspace, options=options)
            added.append(begin(arguments.url, mode=arguments.mode, max_pages=arguments.max_pages))
        return added

    def _files(self, files: Sequence[FileGiven], written_on: datetime | None) -> Iterator[NewItem]:
        from services.jobs.texts import file_item, text_item

        for file in files:
            if (text := _plain_text(file)) is not None:
                yield text_item(text, path=file.path, reference_time=written_on)
            else:
                digest = self.services.accounts.uploads.put(file.content)
                yield file_item(PurePath(file.path).name, digest, path=file.path, reference_time=written_on)

    def wait(self, job_id: str) -> Job:
        """Return the job when it has come to an end, or stands still. Raises `Cancelled` when nobody waits any more."""
        jobs = self.services.jobs
        while True:
            job = jobs.wait(job_id, _MOMENT)
            self.run.progress(job.done, job.total)
            if job.state != "running":
                return job
            if self.run.cancel.is_set():
                jobs.cancel(job_id)
                raise Cancelled(
                    "Ingestion stopped early.",
                    f"Asof ingested {counted(job.counts.get('done', 0), 'document')} completely.",
                )

    def make_findable(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Give what is in its vectors, and link its chunks to those that mean nearly the same."""
        from services.writing.linking import link_chunks

        self.services.indexes.prepare(self.workspace.name, self.run.progress, self.run.cancel)
        written = {one.get("document_id") for one in results if one.get("document") in ("new", "changed")}
        rows = self.workspace.mirror.chunk_rows() if written else ()
        link_chunks(self.workspace, {row.id for row in rows if row.document_id in written})


def _is_object(line: bytes) -> bool:
    try:
        read_json_line(line)
    except BadInput:
        return False
    return True


def _document(
    arguments: IngestArguments, results: Sequence[Mapping[str, Any]], problems: list[Json], jobs: Sequence[Job]
) -> Json:
    states = Counter(one.get("document") for one in results)
    document: Json = {
        "documents": {name: states[name] for name in ("new", "changed", "unchanged")},
        "chunks": sum(one.get("chunks", 0) for one in results),
    }
    if arguments.extract:
        document["facts"] = {name: sum(one.get(name, 0) for one in results) for name in ("added", "ended", "held")}
    document["problems"] = problems
    if crawls := [job for job in jobs if job.kind == "crawl"]:
        document["left_out"] = sum(left_out(job.options) for job in crawls)
    return document


def _problem(item: JobItem) -> Json:
    id = item.payload.get("id") or item.payload.get("url") or item.key
    reason = f"{item.problem} {item.hint}".strip() or "Asof did not ingest this item."
    return {"id": id, "problem": reason}


def _plain_text(file: FileGiven) -> str | None:
    """Return the text of a file that needs no reader; None for any other."""
    named = type_by_ending(file.path)
    if named is None or named.reader or not named.format:
        return None
    try:
        return file.content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:
        return None


def _items_of_lines(lines: Sequence[bytes], problems: list[Json]) -> Iterable[NewItem]:
    """Return the documents of lines of JSON; of several with one id the last counts. Bad lines go to `problems`."""
    found: dict[str, NewItem] = {}
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        line = read_line(text, lambda document: DocumentLine.model_validate(document).item())
        if line.question is None:
            problems.append({"line": number, "problem": line.problem})
        else:
            found[line.question.key] = line.question
    return found.values()


def start(terminal: Terminal) -> int:
    """Take in files and folders, a text, web pages, or lines of JSON; with --extract the facts in them."""
    options = terminal.options
    if options.extract not in ("", _RULES) and Path(options.extract).exists():
        terminal.refuse(f"--extract takes at most the name of a model; write: ingest {options.extract} --extract")
    if not any((options.path, options.text, options.url, options.lines)):
        terminal.refuse("name a file or a folder, or give --text, --url or --documents")
    document = terminal.ask(
        "ingest",
        files=[file for path in options.path for file in files_of(path)],
        documents=[] if options.text is None else [{"text": options.text, "title": options.title}],
        lines=lines_of(options.lines) if options.lines else [],
    )
    return terminal.show(document, ingested_text, failed=document["problems"])


def ingested_text(document: Json) -> str:
    """Return what was taken in."""
    documents = ", ".join(f"{count:,} {what}" for what, count in document["documents"].items())
    lines = [f"documents: {documents}", f"chunks: {document['chunks']:,}"]
    if (facts := document.get("facts")) is not None:
        where = " on this workspace's Ingest page" if facts["held"] else ""
        held = f"{facts['held']:,} to review{where}"
        lines.append(f"facts: {facts['added']:,} added, {facts['ended']:,} ended, {held}")
    if pages := document.get("left_out"):
        lines.append(f"blocked by robots.txt: {left_out_in_words(pages)} page{'s' if pages > 1 else ''}")
    lines += [
        f"{f'line {one["line"]}' if 'line' in one else f'document {one["id"]}'}: {one['problem']}"
        for one in document["problems"]
    ]
    return "\n".join(lines)


COMMAND = Command(
    "ingest",
    "ingest files, text and web pages, and extract their facts",
    start,
    {"ingest": Request(IngestArguments, ingest)},
    {
        "path": positional(nargs="*", type=Path, help="files or folders"),
        "text": option(type=not_blank, metavar="TEXT", help="a text to ingest"),
        "title": option(default="", metavar="TITLE", help="title for --text"),
    },
)
