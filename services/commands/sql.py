"""`sql` and `sql --batch`: one statement that reads, over the graph at both clocks and the tables beside it."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.batch import answer_lines, batch_of, need_one, read_lines, start_batch
from services.commands.command import Command, Terminal, say
from services.commands.text import aligned, printable, short
from services.commands.values import instant, parsed
from services.core.json_documents import Json, spelled

if TYPE_CHECKING:
    from services.context import Services
    from services.sql.ask_sql import SqlAnswer, SqlQuestion

_WIDTH = 60
"""A longer value is cut on the terminal."""


class SqlOptions(BaseModel):
    """Where SQL is asked, and at which instants; one that is not given is now."""

    database: Annotated[str | None, option(metavar="NAME", help="whose tables need no prefix")] = None
    as_of: Annotated[str | None, option(type=instant, metavar="T", help="what :as_of stands for; default: now")] = None
    known_at: Annotated[
        str | None, option(type=instant, metavar="K", help="the graph's clock, and :known_at; default: now")
    ] = None


class SqlLine(SqlOptions):
    """A statement, with where and when it is asked."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sql: Annotated[str, positional(alternative=True, nargs="?", metavar="SQL", help="one statement that reads")]

    def question(self) -> "SqlQuestion":
        """Return the question. Raises `BadInput` for an instant that cannot be read."""
        from services.sql.ask_sql import SqlQuestion

        return SqlQuestion(self.sql, self.database, parsed(self.as_of), parsed(self.known_at))


class SqlArguments(Arguments, SqlLine):
    """One statement."""

    model_config = Arguments.model_config


class SqlBatchArguments(Arguments, SqlOptions):
    """Statements as JSON lines, in bytes; what a line leaves out is as for the whole batch."""

    model_config = Arguments.model_config

    lines: Annotated[tuple[bytes, ...], batch_of("statements")]


def sql(services: "Services", arguments: SqlArguments, run: Run) -> Json:
    """Return the rows of one statement, at which instants, and when the copy of the graph was in step with it."""
    from services.sql.ask_sql import ask_sql

    answer = ask_sql(arguments.open_workspace(services), arguments.question(), cancel=run.cancel)
    return {
        "sql": arguments.sql,
        "database": arguments.database,
        "as_of": spelled(answer.as_of),
        "known_at": spelled(answer.known_at),
        "snapshot_of": spelled(answer.snapshot.synced_at) if answer.snapshot else None,
        "note": answer.note,
        "types": list(answer.result.types),
        **_rows(answer),
    }


def sql_batch(services: "Services", arguments: SqlBatchArguments, run: Run) -> Json:
    """Return the rows of each line's statement, in order."""
    from services.sql.ask_sql import ask_sql

    workspace = arguments.open_workspace(services)
    usual = arguments.model_dump(include=set(SqlOptions.model_fields))

    def read(line: Json) -> "SqlQuestion":
        given = {name: value for name, value in line.items() if value is not None}
        return SqlLine.model_validate(usual | given).question()

    lines = read_lines(arguments.lines, read)
    return answer_lines(lines, lambda question: _rows(ask_sql(workspace, question, cancel=run.cancel)), run)


def _rows(answer: "SqlAnswer") -> Json:
    result = answer.result
    return {
        "columns": list(result.columns),
        "rows": [list(row) for row in result.rows],
        "row_count": len(result.rows),
        "truncated": result.truncated,
    }


def start(terminal: Terminal) -> int:
    """Answer one statement, or a file of them."""
    need_one(terminal, "sql")
    if terminal.options.lines is not None:
        return start_batch(terminal, "sql-batch")
    document = terminal.ask("sql")
    if document["truncated"]:
        say(f"Showing only the first {document['row_count']:,} rows. To see the others, narrow the query.")
    if document["note"]:
        say(document["note"])
    return terminal.show(document, rows_text)


def rows_text(document: Json) -> str:
    """Return the rows as a table, with their number and when the graph's copy was in step."""
    count = f"{document['row_count']:,} row{'' if document['row_count'] == 1 else 's'}"
    copied = f", the graph as of {short(document['snapshot_of'])}" if document["snapshot_of"] else ""
    rows = [[_cell(value) for value in row] for row in document["rows"]]
    return "\n".join([*aligned([[_cell(name) for name in document["columns"]], *rows]), f"({count}{copied})"])


def _cell(value: object) -> str:
    text = "" if value is None else printable(short(" ".join(str(value).split())))
    return f"{text[: _WIDTH - 1]}…" if len(text) > _WIDTH else text


COMMAND = Command(
    "sql",
    "run read-only SQL on the graph and your tables",
    start,
    {"sql": Request(SqlArguments, sql), "sql-batch": Request(SqlBatchArguments, sql_batch)},
)
