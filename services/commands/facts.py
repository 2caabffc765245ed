"""The commands `facts` and `facts --batch`: what holds with an entity at two instants."""

from typing import TYPE_CHECKING

from services.commands.base import Arguments, Run, group_of, no_workspace
from services.core.errors import QueryRejected
from services.core.json_documents import Document, fact_document, instants_document
from services.queries.facts_at import (
    FactsAnswer,
    FactsQuestion,
    answers,
    read_line,
)

if TYPE_CHECKING:
    from services.context import Services


class FactsArguments(Arguments, FactsQuestion):
    """One question."""

    model_config = Arguments.model_config


class FactsBatchArguments(Arguments):
    """Questions as JSON lines, in bytes: one that is no text is a bad line, and the rest are answered."""

    lines: tuple[bytes, ...]


def facts(services: "Services", arguments: FactsArguments, _: Run) -> Document:
    """What holds at the two instants with the entity on either side, as `answers` has it."""
    (answer,) = answers(services.workspace(group_of(services, arguments.workspace)), [arguments])
    if isinstance(answer, QueryRejected):
        raise answer
    asked = {"entity": arguments.entity, "relation": arguments.relation, **instants_document(answer.at)}
    told = _told(answer)
    return {**asked, **told, "note": no_workspace(services, arguments, found=bool(answer.facts or answer.undated))}


def facts_batch(services: "Services", arguments: FactsBatchArguments, run: Run) -> Document:
    """One answer for each line, in order; a bad line gets an error of its own and the rest are answered."""
    asked = [read_line(line) for line in arguments.lines if line.strip()]
    questions = [question for _, question in asked if isinstance(question, FactsQuestion)]
    found = iter(answers(services.workspace(group_of(services, arguments.workspace)), questions, run.progress))
    told = [
        {"id": id, **_told(next(found) if isinstance(question, FactsQuestion) else question)} for id, question in asked
    ]
    return {"answers": told, "failed": sum("error" in answer for answer in told)}


def _told(answer: FactsAnswer | QueryRejected | str) -> Document:
    if isinstance(answer, FactsAnswer):
        return {"facts": [fact_document(fact) for fact in answer.facts], "undated": answer.undated}
    return {"error": str(answer)}
