"""`schema-search` and `schema-search --batch`: find the tables and columns that a question needs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.batch import answer_lines, batch_of, need_one, read_lines, start_batch
from services.commands.command import Command, Terminal
from services.commands.files import read
from services.commands.text import aligned
from services.commands.values import at_most
from services.core.errors import BadInput
from services.core.json_documents import Json

if TYPE_CHECKING:
    from services.context import Services
    from services.sql.schema_search import SchemaSearch

_MOST = 200


class SchemaOptions(BaseModel):
    """Where something is looked for, and how many columns are wanted."""

    database: Annotated[str | None, option(metavar="NAME", help="default: the one that fits the question best")] = (
        Field(None, validation_alias=AliasChoices("db_id", "database"))
    )
    k: Annotated[int, option(type=at_most(_MOST, "columns"), metavar="N", help="so many columns; default: 10")] = Field(
        10, ge=1, le=_MOST
    )


class SchemaLine(SchemaOptions):
    """A question, with where it is asked."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    question: Annotated[str, positional(alternative=True, nargs="?", metavar="QUESTION")]


class _GivenSchemas(BaseModel):
    """Databases in Spider's format, which stand in the place of those that are registered."""

    schema_name: str = ""
    schema_content: bytes | None = None


class SchemaArguments(Arguments, SchemaLine, _GivenSchemas):
    """One question."""

    model_config = Arguments.model_config


class SchemaBatchArguments(Arguments, SchemaOptions, _GivenSchemas):
    """Questions as JSON lines, in bytes; what a line leaves out is as for the whole batch."""

    model_config = Arguments.model_config

    lines: Annotated[tuple[bytes, ...], batch_of("questions")]


def schema_search(services: "Services", arguments: SchemaArguments, _: Run) -> Json:
    """Return what a question needs, with the part of the schema that it makes up."""
    from services.sql.schema_search import SchemaQuery

    search = _search(services, arguments)
    database = _database(search, arguments)
    found = search.find(database, SchemaQuery(arguments.question, arguments.k))
    return {"question": arguments.question, **_names(search, database, arguments), **found.document()}


def schema_search_batch(services: "Services", arguments: SchemaBatchArguments, run: Run) -> Json:
    """Return the tables and columns for each line, in order."""
    search = _search(services, arguments)
    usual = arguments.model_dump(include=set(SchemaOptions.model_fields))

    def read_question(line: Json) -> SchemaLine:
        given = {("database" if name == "db_id" else name): value for name, value in line.items() if value is not None}
        return SchemaLine.model_validate(usual | given)

    lines = read_lines(arguments.lines, read_question)
    return answer_lines(lines, lambda line: _names(search, _database(search, line), line), run)


def _search(services: "Services", arguments: SchemaArguments | SchemaBatchArguments) -> "SchemaSearch":
    from services.sql import schema_search as searches
    from services.sql.spider_schema import read_schemas

    workspace = arguments.open_workspace(services)
    if arguments.schema_content is None:
        return searches.schema_search(workspace)
    databases = read_schemas(arguments.schema_name, arguments.schema_content)
    return searches.SchemaSearch(databases, searches.embedder_of(workspace))


def _database(search: "SchemaSearch", line: SchemaLine) -> str:
    """Return where a question is asked. Raises `BadInput` where nothing fits it."""
    database = search.best_database(line.question, named=line.database)
    if database is None:
        raise BadInput("No database fits this question.", "Choose a database with --database.")
    return database


def _names(search: "SchemaSearch", database: str, line: SchemaLine) -> Json:
    """Return the names of the tables and columns that a question needs, best first."""
    from services.sql.schema_search import SchemaQuery

    def named(kind: str) -> list[str]:
        query = SchemaQuery(line.question, line.k, 0.0, (kind,))  # type: ignore[arg-type]
        return [hit.full_name for hit in search.find(database, query).hits]

    return {"tables": named("table"), "columns": named("column")}


def start(terminal: Terminal) -> int:
    """Answer one question, or a file of them."""
    need_one(terminal, "question")
    schema = terminal.options.schema
    terminal.options.schema_name, terminal.options.schema_content = "", None
    if schema is not None:
        terminal.options.schema_name, terminal.options.schema_content = schema.name, read(schema)
    if terminal.options.lines is not None:
        return start_batch(terminal, "schema-search-batch")
    return terminal.show(terminal.ask("schema-search"), found_text)


def found_text(document: Json) -> str:
    """Return the elements that were found, each with how well it matches."""
    rows = [
        [f"{one['similarity']:.2f}", one["element_type"], _name(one), one["description"]] for one in document["results"]
    ]
    return "\n".join([document["database"], *aligned(rows)]) if rows else "No tables or columns match. Try other words."


def _name(result: Json) -> str:
    table = result["metadata"].get("table")
    return f"{table}.{result['name']}" if table else str(result["name"])


COMMAND = Command(
    "schema-search",
    "find the tables and columns that a question needs",
    start,
    {
        "schema-search": Request(SchemaArguments, schema_search),
        "schema-search-batch": Request(SchemaBatchArguments, schema_search_batch),
    },
    {
        "schema": option(
            type=Path,
            metavar="FILE",
            help="a file of databases in Spider's format, instead of the connected databases",
        )
    },
)
