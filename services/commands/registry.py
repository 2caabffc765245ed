"""The commands of the terminal as plain functions: typed arguments in, a document for JSON out.

`COMMANDS` is the one table of them. The CLI calls them in its own process, or asks the running app for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError

from services.commands.ask import AskArguments, AskBatchArguments, ask, ask_batch
from services.commands.base import Arguments, Run, group_of
from services.commands.ingest import IngestArguments, ingest
from services.commands.search import (
    IndexArguments,
    SearchArguments,
    SearchBatchArguments,
    index,
    search,
    search_batch,
)
from services.commands.users import UserArguments, user
from services.core import clock
from services.core.errors import BadInput, GraphUnavailable, QueryRejected
from services.core.json_documents import Document, diff_document, fact_document, instants_document, spelled
from services.core.models import DEFAULT_WORKSPACE, Instants
from services.queries.facts_at import (
    FactsAnswer,
    FactsQuestion,
    Name,
    answers,
    histories,
    instant,
    of_relation,
    read_line,
    reason,
    with_sources_at,
)

if TYPE_CHECKING:
    from services.agent.app import App
    from services.context import Services


class FactsArguments(Arguments, FactsQuestion):
    """One question."""

    model_config = Arguments.model_config


class FactsBatchArguments(Arguments):
    """Questions as JSON lines, in bytes: one that is no text is a bad line, and the rest are answered."""

    lines: tuple[bytes, ...]


class HistoryArguments(Arguments):
    """An entity's facts, whatever their times; with `known_at` as they were known then."""

    entity: Name
    relation: str | None = None
    known_at: str | None = None


class DiffArguments(Arguments):
    """Two pairs of instants; one that is not given is now."""

    from_: str = Field(alias="from")
    from_known: str | None = None
    to: str | None = None
    to_known: str | None = None
    entity: Name | None = None
    limit: int | None = Field(None, ge=0)


class ImportArguments(Arguments):
    """A file of facts, with its content."""

    name: str
    content: bytes
    inclusive_ends: bool = False
    dry_run: bool = False
    rejects: str | None = None
    """The name of the file for bad rows, whose ending says how they are written; without one they fail the import."""


class DemoArguments(Arguments):
    """The demo has a workspace of its own."""

    reset: bool = False


# -- facts


def facts(services: "Services", arguments: FactsArguments, _: Run) -> Document:
    """What holds at the two instants with the entity on either side, as `answers` has it."""
    (answer,) = answers(services, group_of(services, arguments.workspace), [arguments])
    if isinstance(answer, QueryRejected):
        raise answer
    asked = {"entity": arguments.entity, "relation": arguments.relation, **instants_document(answer.at)}
    told = _told(answer)
    return {**asked, **told, "note": _no_workspace(services, arguments, found=bool(answer.facts or answer.undated))}


def facts_batch(services: "Services", arguments: FactsBatchArguments, run: Run) -> Document:
    """One answer for each line, in order; a bad line gets an error of its own and the rest are answered."""
    asked = [read_line(line) for line in arguments.lines if line.strip()]
    questions = [question for _, question in asked if isinstance(question, FactsQuestion)]
    found = iter(answers(services, group_of(services, arguments.workspace), questions, run.progress))
    told = [
        {"id": id, **_told(next(found) if isinstance(question, FactsQuestion) else question)} for id, question in asked
    ]
    return {"answers": told, "failed": sum("error" in answer for answer in told)}


def _told(answer: FactsAnswer | QueryRejected | str) -> Document:
    if isinstance(answer, FactsAnswer):
        return {"facts": [fact_document(fact) for fact in answer.facts], "undated": answer.undated}
    return {"error": str(answer)}


# -- history and diff


def history(services: "Services", arguments: HistoryArguments, _: Run) -> Document:
    """Every record with the entity on either side, by start, then by when it was recorded."""
    group = group_of(services, arguments.workspace)
    found = histories(services, group, [arguments.entity])[arguments.entity]
    if isinstance(found, QueryRejected):
        raise found
    known_at = clock.parse_instant(arguments.known_at) if arguments.known_at else None
    if known_at is not None:
        known = [clock.as_known(f, known_at) for f in found if f.created_at is None or f.created_at <= known_at]
        found = tuple(with_sources_at(services, group, known, known_at))
    asked = of_relation(found, arguments.relation)
    ordered = sorted(asked, key=lambda f: (f.valid_at or clock.EARLIEST, f.created_at or clock.EARLIEST))
    return {
        "entity": arguments.entity,
        "known_at": spelled(known_at),
        "facts": [fact_document(f) for f in ordered],
        "note": _no_workspace(services, arguments, found=bool(found)),
    }


def _no_workspace(services: "Services", arguments: Arguments, *, found: bool) -> str:
    """What an empty answer does not say by itself: that there is no such workspace."""
    from services.writing.workspaces import listed

    if found or group_of(services, arguments.workspace) in {workspace.name for workspace in listed(services)}:
        return ""
    return f"There is no workspace “{arguments.workspace}”."


def diff(services: "Services", arguments: DiffArguments, _: Run) -> Document:
    """What was added, ended, corrected and re-dated, each with its cause.

    While the graph does not answer this is what its mirror says; `mirror_of` is then when that was last in step.
    """
    now = clock.now()
    first = Instants(clock.parse_instant(arguments.from_), instant(arguments.from_known, now))
    second = Instants(instant(arguments.to, now), instant(arguments.to_known, now))
    group = group_of(services, arguments.workspace)
    status = services.mirrors.sync(group)
    if status.down and status.synced_at is None:
        raise GraphUnavailable("There is nothing to compare: the graph could not be read yet.", status.down)
    mirror = services.mirrors.of(group)
    about = arguments.entity and [entity.uuid for entity in mirror.entities_named(arguments.entity)]
    found = mirror.diff(first, second, entity_uuids=about, limit=arguments.limit)
    asked = {"from": instants_document(first), "to": instants_document(second)}
    return {**asked, "mirror_of": spelled(status.synced_at) if status.down else None, **diff_document(found)}


# -- import and demo


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


def demo(services: "Services", arguments: DemoArguments, run: Run) -> Document:
    """Load the demo into the workspace `peps`; with `reset`, empty that first."""
    from services.jobs.demo import WORKSPACE, load_demo
    from services.writing.importer import imported_document

    if arguments.workspace not in {DEFAULT_WORKSPACE, WORKSPACE}:
        raise BadInput(f"The demo has a workspace of its own, {WORKSPACE}.", "Leave the workspace out.")
    done = load_demo(services, run.progress, reset=arguments.reset, cancel=run.cancel)
    return {"workspace": WORKSPACE, **imported_document(done)}


# -- the table


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its arguments' type and its function."""

    arguments: type[Arguments]
    function: Callable[["App", Any, Run], Document]

    def read(self, given: Mapping[str, Any] | bytes) -> Arguments:
        """Arguments from values, or from a request's JSON.

        Raises `BadInput` that names the first that is missing or of the wrong kind.
        """
        try:
            if isinstance(given, bytes):
                return self.arguments.model_validate_json(given)
            return self.arguments.model_validate(dict(given))
        except ValidationError as error:
            raise BadInput(reason(error)) from error


COMMANDS: Mapping[str, Command] = {
    "facts": Command(FactsArguments, facts),
    "facts-batch": Command(FactsBatchArguments, facts_batch),
    "history": Command(HistoryArguments, history),
    "diff": Command(DiffArguments, diff),
    "import": Command(ImportArguments, import_),
    "demo": Command(DemoArguments, demo),
    "ingest": Command(IngestArguments, ingest),
    "search": Command(SearchArguments, search),
    "search-batch": Command(SearchBatchArguments, search_batch),
    "index": Command(IndexArguments, index),
    "ask": Command(AskArguments, ask),
    "ask-batch": Command(AskBatchArguments, ask_batch),
    "user": Command(UserArguments, user),
}


def run_command(services: "App", name: str, given: Mapping[str, Any] | bytes, run: Run) -> Document:
    """Run a command of the table. Raises `BadInput` for arguments that do not fit, and what the command raises."""
    command = COMMANDS[name]
    return command.function(services, command.read(given), run)
