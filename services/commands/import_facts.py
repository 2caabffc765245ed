"""`import`: facts from a file of rows."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.command import Command, Terminal, say
from services.commands.files import read, replaced
from services.core.json_documents import Json
from services.core.wording import counted

if TYPE_CHECKING:
    from services.context import Services
    from services.tables.day_order import DayOrder

_REJECTS = {".csv", ".tsv", ".json", ".jsonl"}
"""How bad rows can be written."""
_ORDERS: Mapping[str, "DayOrder"] = {"day-first": "day first", "month-first": "month first", "": ""}


class ImportArguments(Arguments):
    """A file of facts, with its content.

    `rejects` is the name of the file for bad rows, whose ending says how they are written; without one they fail the
    import.
    """

    name: str
    content: bytes
    dry_run: Annotated[bool, option(help="say what would change, and write nothing")] = False
    rejects: Annotated[
        str | None, option(type=Path, metavar="FILE", help="import the good rows, put the bad ones here")
    ] = None
    date_order: Annotated[
        Literal["day-first", "month-first", ""],
        option(choices=("day-first", "month-first"), help="what comes first in dates such as 02.05.2016"),
    ] = ""
    sheet: Annotated[
        str, option(metavar="NAME", help="the sheet of an Excel file to import; without it the first that has rows")
    ] = ""
    inclusive_ends: Annotated[bool, option(help="an end date means: through that day")] = False


def import_(services: "Services", arguments: ImportArguments, run: Run) -> Json:
    """Import a file of facts whole, or its good rows when the bad ones are set aside; a dry run writes nothing."""
    from services.tables.bad_rows import rejects_file
    from services.tables.tables import read_facts
    from services.writing.importer import import_rows, imported_document, preview_import, summary

    order = _ORDERS[arguments.date_order]
    table = read_facts(
        arguments.name,
        arguments.content,
        inclusive_ends=arguments.inclusive_ends,
        day_order=order,
        sheet=arguments.sheet,
    )
    workspace = arguments.open_workspace(services)
    rejects = None
    if arguments.dry_run:
        done = summary(preview_import(workspace, table.rows))
    else:
        if arguments.rejects is None:
            table.needs_all()
        else:
            rejects = rejects_file(table, arguments.rejects)[1].decode()
        done = import_rows(workspace, table.rows, title=table.name, progress=run.progress, cancel=run.cancel)
    return {
        "file": table.name,
        "dry_run": arguments.dry_run,
        "sheet": table.sheet,
        "other_sheets": list(table.other_sheets),
        **imported_document(done),
        "problems": [{"row": p.number, "column": p.column, "problem": p.reason} for p in table.problems],
        "rejects": rejects,
    }


def start(terminal: Terminal) -> int:
    """Import a file. Bad rows fail the whole, unless there is a file to put them in."""
    file, rejects = terminal.options.file, terminal.options.rejects
    if rejects and rejects.suffix.lower() not in _REJECTS:
        terminal.refuse(f"Asof can write bad rows only as {', '.join(sorted(_REJECTS))}")
    if rejects and rejects.resolve() == file.resolve():
        terminal.refuse("--rejects: choose a file other than the one to import")
    aside = None if terminal.options.dry_run else rejects
    given = {"name": file.name, "content": read(file), "rejects": rejects and rejects.name}
    with nullcontext() if aside is None else replaced(aside) as fill:
        document = terminal.ask("import", **given)
        rejected = document.pop("rejects")
        if fill is not None:
            fill(rejected)
    if document["other_sheets"] and not terminal.options.sheet:
        others = ", ".join(f"“{name}”" for name in document["other_sheets"])
        say(f"Asof read sheet “{document['sheet']}”, not {others}. Choose another sheet with --sheet NAME.")
    if aside is not None and document["problems"]:
        count = len({problem["row"] for problem in document["problems"]})
        say(f"Asof skipped {counted(count, 'bad row')}; see {aside}.")
    return terminal.show(document, imported_text, failed=document["problems"] and rejects is None)


def imported_text(document: Json) -> str:
    """Return what an import did or would do."""
    rows = ", ".join(f"{count:,} {meaning}" for meaning, count in document["rows"].items() if count) or "none"
    created = ", ".join(f"{count:,} {kind}" for kind, count in document["created"].items())
    problems = [
        f"row {p['row']}{', column ' + p['column'] if p['column'] else ''}: {p['problem']}"
        for p in document.get("problems", ())
    ]
    would = "would be new" if document.get("dry_run") else "new"
    return "\n".join([f"rows: {rows}", f"{would}: {created}", *problems])


COMMAND = Command(
    "import",
    "import facts from CSV, TSV, JSON, JSONL, Parquet or Excel",
    start,
    {"import": Request(ImportArguments, import_)},
    {"file": positional(type=Path)},
)
