"""`facts` and `facts --batch`: what holds with an entity at two instants."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict

from services.commands.arguments import Arguments, Request, Run, option
from services.commands.batch import answer_lines, batch_of, read_lines, start_batch
from services.commands.command import Command, Terminal
from services.commands.text import clocks, fact_table
from services.commands.values import instant, not_blank, parsed
from services.core import clock
from services.core.errors import QueryRejected
from services.core.json_documents import Json, fact_document, instants_document
from services.core.models import Instants
from services.queries.facts_at import FactsAnswer, FactsQuestion, Name, answers
from services.queries.unknown_names import note_on_name

if TYPE_CHECKING:
    from services.context import Services


class FactsLine(BaseModel):
    """What holds with an entity at two instants; an instant that is not given is now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    entity: Annotated[Name, option(alternative=True, type=not_blank, metavar="NAME")]
    relation: Annotated[str | None, option(metavar="NAME")] = None
    as_of: Annotated[
        str | None, option(type=instant, metavar="T", help="list facts valid on this date; default: now")
    ] = None
    known_at: Annotated[
        str | None, option(type=instant, metavar="K", help="what was recorded by then; default: now")
    ] = None

    def question(self) -> FactsQuestion:
        """Return the question. Raises `BadInput` for an instant that cannot be read."""
        return FactsQuestion(self.entity, self.relation, parsed(self.as_of), parsed(self.known_at))


class FactsArguments(Arguments, FactsLine):
    """One question."""

    model_config = Arguments.model_config


class FactsBatchArguments(Arguments):
    """Questions as JSON lines, in bytes: one that is no text is a bad line, and the rest are answered."""

    lines: Annotated[tuple[bytes, ...], batch_of("questions")]


def facts(services: "Services", arguments: FactsArguments, _: Run) -> Json:
    """Return what holds at the two instants with the entity on either side."""
    workspace = arguments.open_workspace(services)
    (found,) = answers(workspace, [arguments.question()])
    answer = _unless_rejected(found)
    document = _document(answer)
    note = ""
    if not document["facts"] and not document["undated"]:
        arguments.refuse_missing_workspace(services)
        note = note_on_name(workspace, arguments.entity, answer.at.known_at)
    asked = {"entity": arguments.entity, "relation": arguments.relation, **instants_document(answer.at)}
    return {**asked, **document, "note": note}


def facts_batch(services: "Services", arguments: FactsBatchArguments, run: Run) -> Json:
    """Return an answer for each line, in order."""
    lines = read_lines(arguments.lines, lambda line: FactsLine.model_validate(line).question())
    questions = [line.question for line in lines if line.question]
    found = iter(answers(arguments.open_workspace(services), questions, run.progress))
    document = answer_lines(lines, lambda _: _document(_unless_rejected(next(found))), Run(cancel=run.cancel))
    is_empty = not any(answer.get("facts") or answer.get("undated") for answer in document["answers"])
    return document | {"note": arguments.missing_workspace(services) if is_empty else ""}


def _unless_rejected(answer: FactsAnswer | QueryRejected) -> FactsAnswer:
    if isinstance(answer, QueryRejected):
        raise answer
    return answer


def _document(answer: FactsAnswer) -> Json:
    document: Json = {"facts": [fact_document(fact) for fact in answer.facts], "undated": answer.undated}
    if answer.may_have_ended:
        document["may_have_ended"] = [fact_document(fact) for fact in answer.may_have_ended]
    return document


def start(terminal: Terminal) -> int:
    """Answer one question, or a file of them."""
    options = terminal.options
    if options.lines is None:
        return terminal.show(terminal.ask("facts"), facts_text)
    if options.relation or options.as_of or options.known_at:
        terminal.refuse("with --batch, give relation, as_of and known_at on each line of the file")
    return start_batch(terminal, "facts-batch")


def facts_text(document: Json) -> str:
    """Return the facts that hold, as a table."""
    at = Instants(clock.parse_instant(document["as_of"]), clock.parse_instant(document["known_at"]))
    undated = [f"({document['undated']} more without a date)"] if document["undated"] else []
    over = fact_table(document.get("may_have_ended", ()), at=at)
    holding = fact_table(document["facts"], at=at) or [document.get("note") or "No dated facts are valid on this date."]
    return "\n".join([clocks(document), *holding, *(["May have ended:", *over] if over else []), *undated])


COMMAND = Command(
    "facts",
    "list an entity's facts that hold on one date, as known on another",
    start,
    {"facts": Request(FactsArguments, facts), "facts-batch": Request(FactsBatchArguments, facts_batch)},
)
