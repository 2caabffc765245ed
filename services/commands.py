"""The commands of the terminal as plain functions: typed arguments in, a document for JSON out.

`COMMANDS` is the one table of them. The CLI calls them in its own process, or asks the running app for them.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services import clock
from services.bootstrap import Services
from services.documents import Document, diff_document, fact_document, imported_document, instants_document, spelled
from services.errors import BadInput
from services.ingestion.demo import load_demo
from services.ingestion.importer import Progress, import_rows, nobody, preview_import, summary
from services.ingestion.rejects import rejects_file
from services.ingestion.tables import read_facts
from services.models import Fact, Instants

DEFAULT = "default"
"""The name under which every database's own default group goes."""

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Run:
    """What a command may use while it works: it tells how far it is, and hears when nobody waits any more."""

    progress: Progress = nobody
    cancel: threading.Event = field(default_factory=threading.Event)


class Arguments(BaseModel):
    """What every command takes. Bytes travel as base64 in JSON."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, ser_json_bytes="base64", val_json_bytes="base64"
    )

    workspace: str = DEFAULT


class Question(BaseModel):
    """What holds with an entity at two instants; an instant that is not given is now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    entity: str = Field(min_length=1)
    relation: str | None = None
    as_of: str | None = None
    known_at: str | None = None


class FactsArguments(Arguments, Question):
    """One question."""

    model_config = Arguments.model_config


class FactsBatchArguments(Arguments):
    """Questions as JSON lines."""

    lines: tuple[str, ...]


class HistoryArguments(Arguments):
    """An entity's facts, whatever their times; with `known_at` as they were known then."""

    entity: str = Field(min_length=1)
    relation: str | None = None
    known_at: str | None = None


class DiffArguments(Arguments):
    """Two pairs of instants; one that is not given is now."""

    from_: str = Field(alias="from")
    from_known: str | None = None
    to: str | None = None
    to_known: str | None = None
    entity: str | None = None
    limit: int | None = Field(None, ge=0)


class ImportArguments(Arguments):
    """A file of facts, with its content."""

    name: str
    content: bytes
    inclusive_ends: bool = False
    dry_run: bool = False
    set_bad_rows_aside: bool = False


class DemoArguments(Arguments):
    """The demo has a workspace of its own."""

    reset: bool = False


# -- facts


def facts(services: Services, arguments: FactsArguments, _: Run) -> Document:
    """What holds at the two instants with the entity on either side."""
    known = _histories(services, arguments.workspace, [arguments.entity])
    at = _instants(arguments)
    asked = {"entity": arguments.entity, "relation": arguments.relation, **instants_document(at)}
    return {**asked, **_answer(known[arguments.entity], arguments.relation, at)}


def facts_batch(services: Services, arguments: FactsBatchArguments, run: Run) -> Document:
    """One answer for each line, in order; a bad line gets an error of its own and the rest are answered."""
    asked = [_read_line(line) for line in arguments.lines]
    names = dict.fromkeys(question.entity for _, question in asked if isinstance(question, Question))
    known = _histories(services, arguments.workspace, names, run.progress)
    answers = [_answer_line(known, given, question) for given, question in asked]
    return {"answers": answers, "failed": sum("error" in answer for answer in answers)}


def _read_line(line: str) -> tuple[Any, Question | str]:
    """The line's `id`, and its question or what is wrong with it."""
    try:
        document = json.loads(line)
    except ValueError as error:
        return None, f"The line is not JSON: {error}."
    if not isinstance(document, dict):
        return None, "The line is no JSON object."
    try:
        return document.get("id"), Question.model_validate(document)
    except ValidationError as error:
        return document.get("id"), _reason(error)


def _answer_line(known: Mapping[str, Sequence[Fact]], given: Any, question: Question | str) -> Document:
    if isinstance(question, str):
        return {"id": given, "error": question}
    try:
        at = _instants(question)
    except BadInput as error:
        return {"id": given, "error": str(error)}
    return {"id": given, **_answer(known[question.entity], question.relation, at)}


def _answer(history: Sequence[Fact], relation: str | None, at: Instants) -> Document:
    asked = _of_relation(history, relation)
    holding = [clock.as_known(fact, at.known_at) for fact in asked if clock.true_at(fact, at)]
    return {"facts": [fact_document(f) for f in holding], "undated": sum(clock.undated(f, at) for f in asked)}


def _of_relation(history: Sequence[Fact], relation: str | None) -> Sequence[Fact]:
    """Facts of exactly that relation; failing that, without regard to case."""
    if relation is None:
        return history
    exact = [fact for fact in history if fact.relation == relation]
    return exact or [fact for fact in history if fact.relation.casefold() == relation.casefold()]


def _histories(
    services: Services, workspace: str, names: Iterable[str], progress: Progress = nobody
) -> dict[str, tuple[Fact, ...]]:
    """The whole history of each entity, asked for once."""
    return services.bridge.run(_fetch(services, _group(services, workspace), list(names), progress), timeout=None)


async def _fetch(services: Services, group: str, names: list[str], progress: Progress) -> dict[str, tuple[Fact, ...]]:
    turns = asyncio.Semaphore(_AT_ONCE)
    found: dict[str, tuple[Fact, ...]] = {}

    async def one(name: str) -> None:
        async with turns:
            found[name] = await services.graph.facts_about(group, name)
        progress(len(found), len(names))

    await asyncio.gather(*map(one, names))
    return found


# -- history and diff


def history(services: Services, arguments: HistoryArguments, _: Run) -> Document:
    """Every record with the entity on either side, by start, then by when it was recorded."""
    found = _of_relation(_histories(services, arguments.workspace, [arguments.entity])[arguments.entity],
                         arguments.relation)  # fmt: skip
    known_at = clock.parse_instant(arguments.known_at) if arguments.known_at else None
    if known_at is not None:
        found = [clock.as_known(f, known_at) for f in found if f.created_at is None or f.created_at <= known_at]
    ordered = sorted(found, key=lambda f: (f.valid_at or clock.EARLIEST, f.created_at or clock.EARLIEST))
    return {"entity": arguments.entity, "known_at": spelled(known_at), "facts": [fact_document(f) for f in ordered]}


def diff(services: Services, arguments: DiffArguments, _: Run) -> Document:
    """What was added, ended, corrected and re-dated, each with its cause."""
    now = clock.now()
    first = Instants(clock.parse_instant(arguments.from_), _instant(arguments.from_known, now))
    second = Instants(_instant(arguments.to, now), _instant(arguments.to_known, now))
    group = _group(services, arguments.workspace)
    entities: list[str | None] = [None]
    if arguments.entity is not None:
        entities = [e.uuid for e in services.bridge.run(services.graph.entities_named(group, arguments.entity))]
    services.mirrors.sync(group)
    mirror = services.mirrors.of(group)
    found = [mirror.diff(first, second, entity_uuid=uuid, limit=arguments.limit) for uuid in entities]
    return {"from": instants_document(first), "to": instants_document(second), **diff_document(found)}


# -- import and demo


def import_(services: Services, arguments: ImportArguments, run: Run) -> Document:
    """Import a file of facts whole, or its good rows when the bad ones are set aside; a dry run only tells."""
    table = read_facts(arguments.name, arguments.content, inclusive_ends=arguments.inclusive_ends)
    if not (arguments.set_bad_rows_aside or arguments.dry_run):
        table.needs_all()
    group = _group(services, arguments.workspace)
    if arguments.dry_run:
        done = summary(preview_import(services, group, table.rows))
    else:
        done = import_rows(services, group, table.rows, title=table.name, progress=run.progress, cancel=run.cancel)
    problems = [{"row": p.number, "column": p.column, "problem": p.reason} for p in table.problems]
    told = {"file": table.name, "dry_run": arguments.dry_run, **imported_document(done), "problems": problems}
    return {**told, "rejects": rejects_file(table)[1].decode() if problems else None}


def demo(services: Services, arguments: DemoArguments, run: Run) -> Document:
    """Load the demo into the workspace `peps`; with `reset`, empty that first."""
    return {"workspace": "peps", **imported_document(load_demo(services, run.progress, reset=arguments.reset))}


# -- the table


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its arguments' type and its function."""

    arguments: type[Arguments]
    function: Callable[[Services, Any, Run], Document]

    def read(self, given: Mapping[str, Any] | bytes) -> Arguments:
        """Arguments from values, or from a request's JSON.

        Raises `BadInput` that names the first that is missing or of the wrong kind.
        """
        try:
            if isinstance(given, bytes):
                return self.arguments.model_validate_json(given)
            return self.arguments.model_validate(dict(given))
        except ValidationError as error:
            raise BadInput(_reason(error)) from error


COMMANDS: Mapping[str, Command] = {
    "facts": Command(FactsArguments, facts),
    "facts-batch": Command(FactsBatchArguments, facts_batch),
    "history": Command(HistoryArguments, history),
    "diff": Command(DiffArguments, diff),
    "import": Command(ImportArguments, import_),
    "demo": Command(DemoArguments, demo),
}


def run_command(services: Services, name: str, given: Mapping[str, Any] | bytes, run: Run) -> Document:
    """Run a command of the table. Raises `BadInput` for arguments that do not fit, and what the command raises."""
    command = COMMANDS[name]
    return command.function(services, command.read(given), run)


# -- in and out


def _reason(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"])) or "arguments"
    return f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}."


def _group(services: Services, workspace: str) -> str:
    return services.graph.default_workspace if workspace == DEFAULT else workspace


def _instants(question: Question) -> Instants:
    now = clock.now()
    return Instants(_instant(question.as_of, now), _instant(question.known_at, now))


def _instant(text: str | None, default: datetime) -> datetime:
    return clock.parse_instant(text) if text else default
