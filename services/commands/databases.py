"""`databases`: manage the databases that SQL can read besides the graph."""

import argparse
import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from services.commands.arguments import Arguments, Request, Run, group_of
from services.commands.command import Command, Terminal, action_parsers
from services.commands.files import read
from services.commands.text import aligned
from services.core.json_documents import Json
from services.core.models import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from services.context import Services
    from services.sql.catalog import SqlDatabase

Action = Literal["list", "add", "connect", "describe", "metric", "remove-metric", "remove"]


class DatabasesArguments(Arguments):
    """What to do with which database. `files` are added with their contents, `table` and `column` described.

    `place` is the path or the address of one that stays where it is. `for_all` makes it one of every workspace. A
    `metric` is kept with its SQL, and `text` says what it measures.
    """

    action: Action
    name: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    place: str = Field("", repr=False)
    for_all: bool = False
    table: str | None = None
    column: str | None = None
    text: str = ""
    metric: str = ""
    sql: str = ""


def databases(services: "Services", arguments: DatabasesArguments, _: Run) -> Json:
    """Do it. Returns the databases that the workspace then sees.

    Whoever may run a command has the data folder, and so is an administrator.
    """
    from services.sql.ask_sql import refuse_unreadable
    from services.sql.catalog import Metric
    from services.sql.external_databases import add_source
    from services.sql.warehouse import warehouse

    workspace = arguments.open_workspace(services)
    kept, owner = warehouse(workspace, for_administrator=True), group_of(services, arguments.workspace)
    match arguments.action:
        case "add":
            kept.add_files(arguments.name, None if arguments.for_all else owner, arguments.files)
        case "connect":
            add_source(workspace, arguments.name, arguments.place, for_all=arguments.for_all)
        case "describe":
            kept.describe(owner, arguments.name, arguments.text, table=arguments.table, column=arguments.column)
        case "metric":
            measured = Metric(name=arguments.metric, sql=arguments.sql, description=arguments.text)
            refuse_unreadable(workspace, arguments.name, arguments.sql)
            kept.save_metric(owner, arguments.name, measured)
        case "remove-metric":
            kept.delete_metric(owner, arguments.name, arguments.metric)
        case "remove":
            kept.remove(owner, arguments.name)
    return {"databases": [_document(one) for one in kept.databases(owner)]}


def _document(database: "SqlDatabase") -> Json:
    """Return what is known of a database, but for where it is."""
    return database.model_dump(mode="json", exclude={"place"})


_ACTIONS = {
    "list": "list the databases and their tables",
    "add": "add tables from CSV, TSV, JSON, JSONL, Parquet and Excel files",
    "connect": "connect a database in place: a SQLite file, or postgresql://user:password@host:5432/name",
    "describe": "describe a database, a table or a column",
    "metric": "add a metric to a database: a name and the SELECT statement that computes it",
    "remove-metric": "remove a metric from a database",
    "remove": "remove a database and delete its tables",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an action for each thing that can be done, with what it needs."""
    parser.set_defaults(name="", files=[], place="", for_all=False, table=None, column=None, text="", metric="", sql="")
    for action, added in action_parsers(parser, _ACTIONS):
        added.add_argument("--workspace", default=DEFAULT_WORKSPACE, metavar="NAME")
        if action != "list":
            added.add_argument("name", metavar="NAME", help="database name")
        if action == "add":
            added.add_argument("files", nargs="+", type=Path, metavar="FILE")
        if action == "connect":
            added.add_argument(
                "place",
                metavar="PLACE",
                help="the address, or - to read it from standard input and keep its password out of the command line",
            )
        if action in ("add", "connect"):
            added.add_argument("--for-all", action="store_true", help="make the database available in every workspace")
        if action in ("metric", "remove-metric"):
            added.add_argument("metric", metavar="METRIC", help="metric name")
        if action == "metric":
            added.add_argument(
                "sql", metavar="SQL", help='a whole SELECT statement, such as "SELECT sum(amount) FROM sales"'
            )
            added.add_argument("--text", default="", metavar="TEXT", help="metric description")
        if action == "describe":
            added.add_argument("text", metavar="TEXT")
            added.add_argument("--table", metavar="NAME")
            added.add_argument("--column", metavar="NAME")


def start(terminal: Terminal) -> int:
    """Change the databases, or list them."""
    files = [(file.name, read(file)) for file in terminal.options.files]
    place = _typed_place() if terminal.options.place == "-" else terminal.options.place
    return terminal.show(terminal.ask("databases", files=files, place=place), databases_text)


def _typed_place() -> str:
    """Return an address that no list of processes shows: typed unseen, or the first line of standard input."""
    return getpass.getpass("Address: ") if sys.stdin.isatty() else sys.stdin.readline().strip()


def databases_text(document: Json) -> str:
    """Return each database's tables with their rows and columns."""
    rows = [
        [f"{one['name']}.{table['name']}", f"{table['rows']:,} rows", ", ".join(c["name"] for c in table["columns"])]
        for one in document["databases"]
        for table in one["tables"]
    ]
    return "\n".join(aligned(rows)) if rows else "No databases are connected in addition to the graph."


COMMAND = Command(
    "databases",
    "manage the databases that SQL can read in addition to the graph",
    start,
    {"databases": Request(DatabasesArguments, databases)},
    add_arguments=add_arguments,
)
