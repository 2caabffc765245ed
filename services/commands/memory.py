"""`memory`: an agent's own records, imported from lines of JSON, asked by the eight queries, and exported again."""

import argparse
import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.batch import answer_lines, batch_of, read_lines, start_batch
from services.commands.command import DONE, Command, Terminal, say
from services.commands.files import read, replaced
from services.commands.values import instant, parsed
from services.core.errors import BadInput
from services.core.json_documents import Json, json_text, read_json
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.context import OpenWorkspace, Services

PREFIX = "query_"


class MemoryImportArguments(Arguments):
    """A file of records, with its content. With `rejects` its bad lines are returned as they were."""

    name: str
    content: bytes
    dry_run: bool = False
    rejects: bool = False


class MemoryQueryLine(BaseModel):
    """A query by its name, with its inputs; `known_at` leaves out what was recorded later."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: str
    args: dict[str, Any] = Field(default_factory=dict)
    known_at: str | None = None


class MemoryQueryArguments(Arguments, MemoryQueryLine):
    """One query."""

    model_config = Arguments.model_config


class MemoryBatchArguments(Arguments):
    """Queries as JSON lines."""

    lines: Annotated[tuple[bytes, ...], batch_of("queries")]
    known_at: Annotated[str | None, option(type=instant, metavar="K")] = None


class MemoryExportArguments(Arguments):
    """All records of a workspace."""


def import_memory(services: "Services", arguments: MemoryImportArguments, run: Run) -> Json:
    """Import the good lines of a file as one change; a dry run writes nothing."""
    from services.memory.record_lines import read_record_lines
    from services.writing.memory_import import import_records, preview_records

    workspace, lines = arguments.open_workspace(services), read_record_lines(arguments.content)
    if arguments.dry_run:
        plan = preview_records(workspace, lines.records)
    else:
        title = f"Memory: {arguments.name}"
        plan = import_records(workspace, lines.records, title=title, progress=run.progress, cancel=run.cancel)
    return {
        "file": arguments.name,
        "dry_run": arguments.dry_run,
        **plan.document(),
        "problems": [{"line": p.line, "field": p.field, "problem": p.reason} for p in lines.problems],
        "rejects": lines.rejected_file().decode(errors="backslashreplace") if arguments.rejects else None,
    }


def query_memory(services: "Services", arguments: MemoryQueryArguments, _: Run) -> Json:
    """Return the result of a query."""
    document = _answer(arguments.open_workspace(services), arguments)
    if not document["found"]:
        arguments.refuse_missing_workspace(services)
    return document


def query_memory_batch(services: "Services", arguments: MemoryBatchArguments, run: Run) -> Json:
    """Return a result for each line, in order."""
    workspace = arguments.open_workspace(services)

    def answer(line: MemoryQueryLine) -> Json:
        chosen = line if line.known_at else line.model_copy(update={"known_at": arguments.known_at})
        return _answer(workspace, chosen)

    document = answer_lines(read_lines(arguments.lines, MemoryQueryLine.model_validate), answer, run)
    found = any(one.get("found") for one in document["answers"])
    return document | {"note": "" if found else arguments.missing_workspace(services)}


def export_memory(services: "Services", arguments: MemoryExportArguments, _: Run) -> Json:
    """Return every record as the line that imports it."""
    from services.memory.record_lines import record_line

    workspace = arguments.existing_workspace(services)
    records = workspace.run(workspace.graph.memory.all_records(workspace.name))
    return {"records": [record_line(record) for record in records]}


def _answer(workspace: "OpenWorkspace", line: MemoryQueryLine) -> Json:
    """The result of a line's query. Raises `BadInput` for one that there is not, and for inputs of a wrong kind."""
    from services.tools.memory_tools import MEMORY_TOOLS
    from services.tools.tool import Context

    tools = {tool.name: tool for tool in MEMORY_TOOLS}
    name = line.query if line.query.startswith(PREFIX) else PREFIX + line.query
    if name not in tools:
        raise BadInput(f"query: there is no query “{line.query}”.", f"Available: {', '.join(tools)}.")
    document: Json = tools[name](Context(workspace, known_at=parsed(line.known_at)), line.args).document
    return document


# -- on the terminal

_ACTIONS = {
    "import": "import records from a JSON Lines file; each line needs a type and an id",
    "query": "run one of the eight queries",
    "export": "export every record as a line of JSON",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions, and the batch that needs none."""
    _add_common(parser, batch=True)
    actions = parser.add_subparsers(metavar="ACTION", dest="action")
    for action, summary in _ACTIONS.items():
        added = actions.add_parser(action, help=summary, description=summary)
        _add_common(added, batch=action == "query", again=True)
        if action == "import":
            added.add_argument("file", type=Path, metavar="FILE.jsonl")
            added.add_argument("--dry-run", action="store_true", help="show what would change, but write nothing")
            added.add_argument(
                "--rejects", type=Path, metavar="FILE", help="write the bad lines to this file, unchanged"
            )
        if action == "query":
            added.add_argument("query", nargs="?", metavar="NAME", help="query name, such as conversations")
            added.add_argument(
                "--args",
                default="{}",
                metavar="JSON",
                help='inputs of the query, such as \'{"partner_id": "nicolas"}\'',
            )


def _add_common(parser: argparse.ArgumentParser, *, batch: bool, again: bool = False) -> None:
    """Add what can be typed before an action and after it; what is typed `again` overrides what was there."""

    def default(value: object) -> Any:
        return argparse.SUPPRESS if again else value

    parser.add_argument("--workspace", default=default(DEFAULT_WORKSPACE), metavar="NAME")
    parser.add_argument(
        "--json", action="store_true", default=default(False), help=("write one JSON document to standard output")
    )
    if batch:
        help = "a file of queries as JSON lines, or - for stdin"
        parser.add_argument("--batch", dest="lines", default=default(None), metavar="FILE.jsonl", help=help)
        known_at = {
            "default": default(None),
            "type": instant,
            "metavar": "K",
            "help": "ignore anything recorded after this date",
        }
        parser.add_argument("--known-at", **known_at)


def start(terminal: Terminal) -> int:
    """Import, ask or export."""
    options = terminal.options
    if options.lines is not None:
        if getattr(options, "query", None):
            terminal.refuse("give either a query or --batch FILE")
        return start_batch(terminal, "memory-batch")
    if options.action is None:
        terminal.refuse("name an action, or give --batch FILE")
    return {"import": _start_import, "query": _start_query, "export": _start_export}[options.action](terminal)


def _start_import(terminal: Terminal) -> int:
    file, rejects = terminal.options.file, terminal.options.rejects
    if rejects and rejects.resolve() == file.resolve():
        terminal.refuse("--rejects: choose a file other than the one to import")
    aside = None if terminal.options.dry_run else rejects
    given = {"name": file.name, "content": read(file), "rejects": rejects is not None}
    with nullcontext() if aside is None else replaced(aside) as fill:
        document = terminal.ask("memory-import", **given)
        rejected = document.pop("rejects")
        if fill is not None:
            fill(rejected)
    return terminal.show(document, imported_memory_text, failed=document["problems"] and rejects is None)


def imported_memory_text(document: Json) -> str:
    """Return what an import did or would do, and what is wrong with which lines."""
    would = "would be " if document["dry_run"] else ""
    counts = (
        f"{document['new']:,} {would}new, {document['changed']:,} {would}changed, {document['unchanged']:,} unchanged"
    )
    types = [f"  {type}: {count:,}" for type, count in document["types"].items()]
    problems = [
        f"line {p['line']}{', ' + p['field'] if p['field'] else ''}: {p['problem']}" for p in document["problems"]
    ]
    return "\n".join([f"records: {counts}", *types, *problems])


def _start_query(terminal: Terminal) -> int:
    if terminal.options.query is None:
        terminal.refuse("name a query, or give --batch FILE")
    try:
        args = read_json("--args", terminal.options.args)
    except BadInput as error:
        terminal.refuse(str(error))
    if not isinstance(args, dict):
        terminal.refuse("--args must be a JSON object")
    document = terminal.ask("memory-query", args=args)
    return terminal.show(document, result_text, failed=not document["query_time_ms"])


def result_text(document: Json) -> str:
    """Return a result, its records one by one."""
    if not document["found"]:
        return str(document["message"])
    head = f"{document['message']} (confidence {document['confidence']:.2f}, {document['query_time_ms']:,} ms)"
    rows = document["data"] if isinstance(document["data"], list) else [document["data"]]
    return "\n".join([head, *(json.dumps(row, indent=2, ensure_ascii=False) for row in rows)])


def _start_export(terminal: Terminal) -> int:
    document = terminal.ask("memory-export")
    if terminal.options.json:
        print(json_text(document))
    for record in () if terminal.options.json else document["records"]:
        print(json_text(record))
    say(f"{len(document['records']):,} records.")
    return DONE


COMMAND = Command(
    "memory",
    "import, query and export an agent's records",
    start,
    {
        "memory-import": Request(MemoryImportArguments, import_memory),
        "memory-query": Request(MemoryQueryArguments, query_memory),
        "memory-batch": Request(MemoryBatchArguments, query_memory_batch),
        "memory-export": Request(MemoryExportArguments, export_memory),
    },
    add_arguments=add_arguments,
)
