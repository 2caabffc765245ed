"""`ask` and `ask --batch`: questions in words, answered with their sources."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict

from services.commands.arguments import Arguments, Request, Run, option, positional
from services.commands.batch import answer_lines, batch_of, need_one, read_lines, start_batch
from services.commands.command import Command, Terminal
from services.commands.text import clocks
from services.commands.values import instant, parsed
from services.core.answer_documents import answer_document
from services.core.answer_records import MARK_SIGNS, MARK_WORDS, Asked
from services.core.errors import AccountsUnavailable, AsofError, BadInput, GraphUnavailable
from services.core.json_documents import Json
from services.llm.endpoint import models
from services.llm.faults import INSTEAD
from services.llm.listener import NullListener

if TYPE_CHECKING:
    from services.agent.answerer import AnswerOutcome
    from services.context import OpenWorkspace, Services

NO_MODEL = "none"
_BY_ITSELF = "Or use --model none for a rule-based answer."
_WIDTH = 100
_MODEL = option(metavar="NAME", help="a model in ASOF_MODEL, or none; default: the first")


class AskedLine(BaseModel):
    """A question and its clocks; one that is not given is now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: Annotated[str, positional(alternative=True, nargs="?", metavar="QUESTION")]
    as_of: Annotated[
        str | None,
        option(type=instant, metavar="T", help="use facts valid on this date; a date in the question takes precedence"),
    ] = None
    known_at: Annotated[
        str | None, option(type=instant, metavar="K", help="what was recorded by then; default: now")
    ] = None

    def asked(self) -> Asked:
        """Return the question. Raises `BadInput` for an instant that cannot be read."""
        return Asked(self.question, parsed(self.as_of), parsed(self.known_at))


class AskArguments(Arguments, AskedLine):
    """One question. `model` is one of ASOF_MODEL, "none" for the analyst without one; empty: the first there is."""

    model_config = Arguments.model_config

    model: Annotated[str, _MODEL] = ""


class AskBatchArguments(Arguments):
    """Questions as JSON lines, in bytes."""

    lines: Annotated[tuple[bytes, ...], batch_of("questions")]
    model: Annotated[str, _MODEL] = ""


def ask(services: "Services", arguments: AskArguments, run: Run) -> Json:
    """Return the answer with its citations and its trace."""
    workspace = bring_in_step(services, arguments)
    return _answer(workspace, arguments.asked(), chosen_model(services, arguments.model), run)


def ask_batch(services: "Services", arguments: AskBatchArguments, run: Run) -> Json:
    """Return an answer for each line, in order."""
    workspace, model = bring_in_step(services, arguments), chosen_model(services, arguments.model)
    lines = read_lines(arguments.lines, lambda line: AskedLine.model_validate(line).asked())
    return answer_lines(lines, lambda asked: _answer(workspace, asked, model, run), run)


def chosen_model(services: "Services", chosen: str) -> str:
    """Return the model to ask; empty for none. Raises `BadInput` for one that is not configured."""
    configured = models(services.settings)
    if chosen == NO_MODEL or not (chosen or configured):
        return ""
    if chosen and chosen not in configured:
        names = ", ".join(configured) or "none"
        raise BadInput(f"There is no model “{chosen}”.", f"Models in ASOF_MODEL: {names}.")
    return chosen or configured[0]


def bring_in_step(services: "Services", arguments: Arguments) -> "OpenWorkspace":
    """Return the workspace, its mirror in step.

    Raises `GraphUnavailable` where there is no mirror yet, and `BadInput` where the workspace is empty or unknown.
    """
    workspace = arguments.open_workspace(services)
    status = workspace.sync()
    if status.down and status.synced_at is None:
        raise GraphUnavailable("Asof cannot answer questions yet: it has not read the graph.", status.down)
    if not status.counts.entities and not workspace.mirror.has_documents():
        problem = arguments.missing_workspace(services) or f"The workspace “{arguments.workspace}” is empty."
        raise BadInput(problem, arguments.other_workspaces(services))
    return workspace


def _answer(workspace: "OpenWorkspace", asked: Asked, model: str, run: Run) -> Json:
    """Return an answer for JSON. Raises `AsofError` where there is none."""
    from services.agent.answerer import Answerer, AskRequest

    services = workspace.services
    if model:
        services.indexes.prepare(workspace.name, run.progress, run.cancel)
    asking = Answerer(workspace, cancel=run.cancel, listener=_Waiting(run))
    outcome = asking.answer(AskRequest(asked, model, services.settings.effort))
    if model:
        _count_tokens(workspace, model, outcome, run.user_id)
    hint = without_model(outcome.hint) if outcome.failure == "endpoint" else outcome.hint
    if outcome.problem and not outcome.answer.text:
        raise AsofError(outcome.problem, hint)
    problem = {"problem": outcome.problem, "hint": hint} if outcome.problem else {}
    return answer_document(outcome.answer) | problem


class _Waiting(NullListener):
    """Shows the seconds that the model's endpoint makes us wait as progress."""

    def __init__(self, run: Run) -> None:
        self._run, self._longest = run, 0.0

    def waiting(self, reason: str, seconds: float) -> None:
        """Report how many of the seconds have passed."""
        self._longest = max(self._longest, seconds) if reason else 0.0
        if reason:
            self._run.progress(round(self._longest - seconds), round(self._longest))


def without_model(hint: str) -> str:
    """Return what to do about an endpoint, with how the terminal asks the analyst instead."""
    return f"{hint.removesuffix(INSTEAD)} {_BY_ITSELF}".strip()


def _count_tokens(workspace: "OpenWorkspace", model: str, outcome: "AnswerOutcome", user_id: str | None) -> None:
    """Write down what the answer took, which no conversation keeps; the answer is given even where that fails."""
    from services.agent.message_tree import spent
    from services.core.log import logger

    accounts = workspace.accounts
    try:
        if user_id is None and workspace.settings.auth == "none":
            user_id = accounts.users.local().id
        accounts.traces.count(user_id, workspace.name, model=model, **spent(outcome.answer.calls))
    except AccountsUnavailable as error:
        logger(__name__).warning("uncounted", model=model, reason=str(error))


def start(terminal: Terminal) -> int:
    """Answer one question, or a file of them."""
    need_one(terminal, "question")
    options = terminal.options
    if options.lines is None:
        document = terminal.ask("ask")
        return terminal.show(document, answer_text, failed=document.get("problem"))
    if options.as_of or options.known_at:
        terminal.refuse("with --batch, give as_of and known_at on each line of the file")
    return start_batch(terminal, "ask-batch")


def answer_text(document: Json) -> str:
    """Return an answer sentence by sentence with its marks, then what it cites, then what was called."""
    dated = f", date taken from “{document['dated_by']}”" if document["dated_by"] else ""
    sentences = [_sentence(sentence) for sentence in document["sentences"]] or [document["answer"]]
    hints = filter(None, (document["hint"], document["offers_in_words"]))
    parts = ["\n".join([clocks(document) + dated, *sentences, *hints])]
    parts += ["\n".join(map(_citation, document["citations"]))] if document["citations"] else []
    parts.append("\n".join([f"({document['model'] or 'rule-based'})", *map(_call, document["trace"])]))
    return "\n\n".join(parts)


def _sentence(sentence: Json) -> str:
    numbers = "".join(f"[{n}]" for n in sentence["citations"])
    reason = sentence["reason"].removeprefix(f"[{sentence['by']}]: ")
    why = f": {reason}" if reason else ""
    mark = sentence["mark"]
    verdict = "" if mark is None else MARK_SIGNS[mark]
    if mark not in (None, "supported"):
        verdict += f" {MARK_WORDS[mark]}"
    if mark == "contradicted":
        verdict += (f" by [{sentence['by']}]" if sentence["by"] else "") + why
    return " ".join(filter(None, [sentence["text"], numbers, verdict]))


def _citation(one: Json) -> str:
    quote = " ".join(one["quote"].split())[:_WIDTH]
    where = f"{one['title']}: " if one["title"] else ""
    return f"[{one['n']}] {where}“{quote}” ({one['kind']} {one['id']})"


def _call(call: Json) -> str:
    indent, given = "  " if call["parent_id"] else "", call["input"]
    is_model = call["kind"] == "model"
    asked = f"{given['messages']} messages" if is_model else ", ".join(f"{k}={v}" for k, v in given.items())
    return f"{indent}{call['tool']} {asked} → {call['error'] or call['summary']}  {call['ms']:.0f} ms"


COMMAND = Command(
    "ask",
    "answer a question and show the sources and trace of the answer",
    start,
    {"ask": Request(AskArguments, ask), "ask-batch": Request(AskBatchArguments, ask_batch)},
)
