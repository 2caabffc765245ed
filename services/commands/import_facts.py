"""The command `import`: facts from a file of rows."""

from typing import TYPE_CHECKING

from services.commands.base import Arguments, Run, group_of
from services.core.json_documents import Document

if TYPE_CHECKING:
    from services.context import Services


class ImportArguments(Arguments):
    """A file of facts, with its content."""

    name: str
    content: bytes
    inclusive_ends: bool = False
    dry_run: bool = False
    rejects: str | None = None
    """The name of the file for bad rows, whose ending says how they are written; without one they fail the import."""


def import_(services: "Services", arguments: ImportArguments, run: Run) -> Document:
    """Import a file of facts whole, or its good rows when the bad ones are set aside; a dry run only tells."""
    from services.tables.rejects import rejects_file
    from services.tables.tables import read_facts
    from services.writing.importer import import_rows, imported_document, preview_import, summary

    table = read_facts(arguments.name, arguments.content, inclusive_ends=arguments.inclusive_ends)
    if arguments.rejects is None and not arguments.dry_run:
        table.needs_all()
    group = group_of(services, arguments.workspace)
    if arguments.dry_run:
        done = summary(preview_import(services.workspace(group), table.rows))
    else:
        done = import_rows(
            services.workspace(group), table.rows, title=table.name, progress=run.progress, cancel=run.cancel
        )
    problems = [{"row": p.number, "column": p.column, "problem": p.reason} for p in table.problems]
    told = {"file": table.name, "dry_run": arguments.dry_run, **imported_document(done), "problems": problems}
    aside = None if arguments.rejects is None or arguments.dry_run else rejects_file(table, arguments.rejects)[1]
    return {**told, "rejects": None if aside is None else aside.decode()}
