"""The terminal's command that feeds the graph: jobs of the queue, waited for, and what came of them as a document."""

import codecs
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services.commands.base import Arguments, Run, group_of
from services.commands.parser import MODES, Command, Start, address, name, page_count
from services.core import clock
from services.core.errors import AsofError, BadInput, Cancelled
from services.core.job_records import Item, Job, NewItem
from services.core.json_documents import Document
from services.documents.file_types import Format, type_by_ending
from services.llm.endpoint import models
from services.queries.facts_at import read_json_line, reason
from services.web.crawl import left_out

if TYPE_CHECKING:
    from services.agent.app import App

_MOMENT = 0.2


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
        """The document to take in. Raises `BadInput` for an id or a reference time that cannot be used."""
        from services.jobs.texts import text_item
        from services.writing.documents import check_id

        check_id(self.id)
        when = clock.parse_instant(self.reference_time) if self.reference_time else None
        return text_item(
            self.text,
            id=self.id,
            title=self.title or "",
            format=self.format or "",
            path=self.path,
            thread=self.thread or "",
            reference_time=when,
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
    lines: tuple[bytes, ...] = ()
    url: str | None = None
    mode: Literal["single", "sitemap", "recursive"] = "single"
    max_pages: int = Field(20, ge=1, le=500)
    extract: str = ""


@dataclass(frozen=True, slots=True)
class _Feeding:
    """One run of the command."""

    services: "App"
    workspace: str
    run: Run

    def add(self, arguments: IngestArguments, problems: list[Document]) -> list[str]:
        """Queue what was given; returns the ids of the jobs."""
        from services.jobs.texts import text_item

        options = {"extract": arguments.extract, "write_at_once": bool(arguments.extract), "tags": []}
        items = [
            *self._files(arguments.files),
            *(text_item(one.text, title=one.title) for one in arguments.documents),
            *_lines(arguments.lines, problems),
        ]
        added = []
        if items:
            title = items[0].title if len(items) == 1 else f"{len(items):,} documents"
            added.append(self.services.accounts.jobs.add(self.workspace, "documents", title, items, options=options))
        if arguments.url:
            from services.jobs.crawl_job import start_crawl

            added.append(
                start_crawl(
                    self.services.workspace(self.workspace),
                    arguments.url,
                    mode=arguments.mode,
                    max_pages=arguments.max_pages,
                    options=options,
                )
            )
        return added

    def _files(self, files: Sequence[FileGiven]) -> Iterator[NewItem]:
        from services.jobs.texts import file_item, text_item

        for file in files:
            if (text := _plain(file)) is not None:
                yield text_item(text, path=file.path)
            else:
                digest = self.services.accounts.uploads.put(file.content)
                yield file_item(PurePath(file.path).name, digest, path=file.path)

    def wait(self, job_id: str) -> Job:
        """The job when it has come to an end, or stands still. Raises `Cancelled` when nobody waits any more."""
        jobs = self.services.jobs
        while True:
            job = jobs.wait(job_id, _MOMENT)
            self.run.progress(job.done, job.total)
            if job.state != "running":
                return job
            if self.run.cancel.is_set():
                jobs.cancel(job_id)
                raise Cancelled(
                    "It was stopped.", f"{job.counts.get('done', 0):,} documents are in, each of them whole."
                )


def ingest(services: "App", arguments: IngestArguments, run: Run) -> Document:
    """Take in files, texts and pages by the queue; what cannot be used is left out and told."""
    _check_extractor(services, arguments.extract)
    _check_lines(arguments.lines)
    problems: list[Document] = []
    feeding = _Feeding(services, group_of(services, arguments.workspace), run)
    services.jobs.start()
    done = [feeding.wait(job_id) for job_id in feeding.add(arguments, problems)]
    items = [item for job in done for item in services.accounts.jobs.items(job.id, limit=None)]
    problems += [_problem(item) for item in items if item.state in ("failed", "cancelled", "queued")]
    told = [item.result or {} for item in items if item.state in ("done", "review")]
    _make_findable(feeding, told)
    return {**_document(arguments, told, problems), **_left_out(done)}


def _check_extractor(services: "App", name: str) -> None:
    """Raise `BadInput` for what is neither the rules nor a configured model."""
    from services.extraction.extractors import RULES

    configured = models(services.settings)
    if name and name != RULES and name not in configured:
        told = ", ".join((RULES, *configured))
        hint = f"Facts can be looked for by: {told}. Paths stand before --extract."
        raise BadInput(f"There is no model “{name}”.", hint)


def _check_lines(lines: Sequence[bytes]) -> None:
    """Raise `BadInput` for lines of which none is an object of JSON: another kind of file was given."""
    given = [line for line in lines if line.strip()]
    if given and not any(map(_is_object, given)):
        hint = 'A line is {"id": "…", "text": "…"}. A file of another kind is given without --documents.'
        raise BadInput("The file of --documents holds no lines of JSON.", hint)


def _is_object(line: bytes) -> bool:
    try:
        read_json_line(line)
    except BadInput:
        return False
    return True


def _make_findable(feeding: _Feeding, told: Sequence[Mapping[str, Any]]) -> None:
    """Give what is in its vectors, and link its chunks to those that mean nearly the same."""
    from services.writing.linking import link_chunks

    services, workspace = feeding.services, feeding.workspace
    services.indexes.prepare(workspace, feeding.run.progress, feeding.run.cancel)
    written = {one.get("document_id") for one in told if one.get("document") in ("new", "changed")}
    rows = services.mirrors.of(workspace).chunk_rows() if written else ()
    link_chunks(services.workspace(workspace), {row.id for row in rows if row.document_id in written})


def _document(arguments: IngestArguments, told: Sequence[Mapping[str, Any]], problems: list[Document]) -> Document:
    states = Counter(one.get("document") for one in told)
    document: Document = {
        "documents": {name: states[name] for name in ("new", "changed", "unchanged")},
        "chunks": sum(one.get("chunks", 0) for one in told),
    }
    if arguments.extract:
        document["facts"] = {name: sum(one.get(name, 0) for one in told) for name in ("added", "ended", "held")}
    return {**document, "problems": problems}


def _left_out(done: Sequence[Job]) -> Document:
    """How many pages a crawl did not ask for, since robots.txt does not allow them; nothing where none was begun."""
    crawls = [job for job in done if job.kind == "crawl"]
    return {"left_out": sum(left_out(job.options) for job in crawls)} if crawls else {}


def _problem(item: Item) -> Document:
    id = item.payload.get("id") or item.payload.get("url") or item.key
    reason = f"{item.problem} {item.hint}".strip() or "It was not done."
    return {"id": id, "problem": reason}


def _plain(file: FileGiven) -> str | None:
    """The text of a file that needs no reader; None for any other."""
    named = type_by_ending(file.path)
    if named is None or named.reader or not named.format:
        return None
    try:
        return file.content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:
        return None


def _lines(lines: Sequence[bytes], problems: list[Document]) -> Iterator[NewItem]:
    """The documents of lines of JSON; of several with one id the last counts. Bad lines go to `problems`."""
    found: dict[str, NewItem] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = DocumentLine.model_validate(read_json_line(line)).item()
        except ValidationError as error:
            problems.append({"line": number, "problem": reason(error)})
        except AsofError as error:
            problems.append({"line": number, "problem": str(error)})
        else:
            found[item.key] = item
    yield from found.values()


def add_ingest(command: Command, run: Start) -> None:
    """The command that takes in files, texts and pages."""
    ingest = command("ingest", run, "take in files, texts and web pages, and the facts in them")
    ingest.add_argument("path", nargs="*", type=Path, help="files, or folders of them")
    ingest.add_argument("--text", type=name, metavar="TEXT", help="a text itself")
    ingest.add_argument("--title", metavar="TITLE", default="", help="the title of --text")
    ingest.add_argument("--url", type=address, metavar="URL", help="a page, or where a site begins")
    ingest.add_argument("--mode", choices=MODES, default="single", help="what of --url; default: this page alone")
    ingest.add_argument("--max-pages", type=page_count, default=20, metavar="N", help="of --url; default: 20")
    ingest.add_argument("--documents", metavar="FILE.jsonl", help="documents as JSON lines; - is stdin")
    ingest.add_argument(
        "--extract",
        nargs="?",
        const="rules",
        default="",
        metavar="MODEL",
        help="write the facts that are sure: by rules, or by one of ASOF_MODEL",
    )
