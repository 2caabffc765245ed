"""The commands `ask` and `ask --batch`: questions in words, answered with their sources."""

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from services.commands.base import Arguments, Run, group_of
from services.commands.parser import Command, Start, instant
from services.core import clock
from services.core.answer_documents import answer_document
from services.core.answer_records import Asked
from services.core.errors import AccountsUnavailable, AsofError, BadInput, Cancelled, GraphUnavailable
from services.core.json_documents import Document
from services.llm.endpoint import models
from services.queries.facts_at import read_json_line, reason

if TYPE_CHECKING:
    from services.agent.asking import Outcome
    from services.context import Services

NO_MODEL = "none"


class AskedLine(BaseModel):
    """A question and its clocks; one that is not given is now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    as_of: str | None = None
    known_at: str | None = None

    def asked(self) -> Asked:
        """The question. Raises `BadInput` for an instant that cannot be read."""
        as_of, known_at = (text and clock.parse_instant(text) for text in (self.as_of, self.known_at))
        return Asked(self.question, as_of or None, known_at or None)


class AskArguments(Arguments, AskedLine):
    """One question. `model` is one of ASOF_MODEL, "none" for the analyst without one; empty: the first there is."""

    model_config = Arguments.model_config

    model: str = ""


class AskBatchArguments(Arguments):
    """Questions as JSON lines, in bytes."""

    lines: tuple[bytes, ...]
    model: str = ""


def ask(services: "Services", arguments: AskArguments, run: Run) -> Document:
    """The answer with its citations and its trace."""
    group = _in_step(services, arguments.workspace)
    return _answered(services, group, arguments.asked(), _model(services, arguments.model), run)


def ask_batch(services: "Services", arguments: AskBatchArguments, run: Run) -> Document:
    """One answer for each line, in order; a bad line gets an error of its own and the rest are answered."""
    group, model = _in_step(services, arguments.workspace), _model(services, arguments.model)
    lines, answers = [line for line in arguments.lines if line.strip()], list[Document]()
    for done, line in enumerate(lines, 1):
        if run.cancel.is_set():
            raise Cancelled("Stopped.", f"{done - 1:,} of {len(lines):,} questions were answered.")
        id, asked = _read(line)
        try:
            told = {"error": asked} if isinstance(asked, str) else _answered(services, group, asked, model, run)
        except AsofError as error:
            told = {"error": str(error)}
        answers.append({"id": id, **told})
        run.progress(done, len(lines))
    return {"answers": answers, "failed": sum("error" in answer for answer in answers)}


def _model(services: "Services", chosen: str) -> str:
    """The model to ask; empty for none. Raises `BadInput` for one that is not configured."""
    configured = models(services.settings)
    if chosen == NO_MODEL or not (chosen or configured):
        return ""
    if chosen and chosen not in configured:
        told = ", ".join(configured) or "none is configured"
        raise BadInput(f"There is no model “{chosen}”.", f"ASOF_MODEL names: {told}.")
    return chosen or configured[0]


def _in_step(services: "Services", workspace: str) -> str:
    """The workspace's name in the graph, its mirror in step.

    Raises `GraphUnavailable` where there is no mirror yet, and `BadInput` where the workspace is empty or unknown.
    """
    from services.writing.workspaces import listed

    group = group_of(services, workspace)
    status = services.mirrors.sync(group)
    if status.down and status.synced_at is None:
        raise GraphUnavailable("There is nothing to ask: the graph could not be read yet.", status.down)
    if not status.counts.entities and not services.mirrors.of(group).documents():
        known = [one.name for one in listed(services)]
        others = ", ".join(name for name in known if name != group)
        told = f"The workspace “{workspace}” is empty." if group in known else f"There is no workspace “{workspace}”."
        raise BadInput(told, f"--workspace names one: {others}." if others else "Import facts, or load the demo.")
    return group


def _answered(services: "Services", group: str, asked: Asked, model: str, run: Run) -> Document:
    """An answer for JSON. Raises what went wrong where nothing was said."""
    from services.agent.asking import Asking, Question

    if model:
        services.indexes.prepare(group, run.progress, run.cancel)
    asking = Asking(services.workspace(group), cancel=run.cancel)
    outcome = asking.answer(Question(asked, model, services.settings.effort))
    if model:
        _count(services, group, model, outcome)
    if outcome.problem and not outcome.answer.text:
        raise AsofError(outcome.problem, outcome.hint)
    return answer_document(outcome.answer) | _problem(outcome)


def _count(services: "Services", group: str, model: str, outcome: "Outcome") -> None:
    """What the answer took, which no conversation keeps; it is told even where that cannot be written down."""
    from services.agent.thread import spent
    from services.core.log import logger

    try:
        user_id = services.accounts.users.local().id if services.settings.auth == "none" else None
        services.accounts.traces.count(user_id, group, model=model, **spent(outcome.answer.calls))
    except AccountsUnavailable as error:
        logger(__name__).warning("uncounted", model=model, reason=str(error))


def _problem(outcome: "Outcome") -> Document:
    return {"problem": outcome.problem, "hint": outcome.hint} if outcome.problem else {}


def _read(line: bytes) -> tuple[Any, Asked | str]:
    given: Any = None
    try:
        document = read_json_line(line)
        given = document.get("id")
        return given, AskedLine.model_validate(document).asked()
    except ValidationError as error:
        return given, reason(error)
    except AsofError as error:
        return given, str(error)


def add_ask(command: Command, run: Start) -> None:
    """The command that answers questions."""
    asking = command("ask", run, "answer a question with its sources, and show what was looked up")
    asking.add_argument("question", nargs="?", metavar="QUESTION")
    asking.add_argument("--batch", metavar="FILE.jsonl", help="questions as JSON lines; - is stdin")
    asking.add_argument("--as-of", type=instant, metavar="T", help="the world's clock; a date in the question beats it")
    asking.add_argument("--known-at", type=instant, metavar="K", help="the graph's clock; default: now")
    asking.add_argument("--model", default="", metavar="NAME", help="one of ASOF_MODEL, or none; default: the first")
