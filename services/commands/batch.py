"""Questions as lines of JSON: each is answered by a line, in order, and a bad one by what is wrong with it."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from services.commands.arguments import Option, Run, option
from services.commands.command import DONE, FAILED, Terminal, say
from services.commands.files import lines_of
from services.core.errors import AsofError, BadInput, Cancelled
from services.core.json_documents import Json, json_text, read_json
from services.core.wording import counted
from services.queries.facts_at import reason


@dataclass(frozen=True, slots=True)
class BatchLine[T]:
    """A line's `id`, and its question or what is wrong with it."""

    id: Any
    question: T | None
    problem: str = ""


def read_lines[T](lines: Iterable[bytes], read: Callable[[Json], T]) -> list[BatchLine[T]]:
    """Return the questions of lines but for empty ones; `read` makes them of what stands there."""
    return [read_line(line, read) for line in lines if line.strip()]


def read_line[T](line: bytes, read: Callable[[Json], T]) -> BatchLine[T]:
    """Return the question of a line."""
    id = None
    try:
        document = read_json_line(line)
        id = document.get("id")
        return BatchLine(id, read(document))
    except ValidationError as error:
        return BatchLine(id, None, reason(error))
    except AsofError as error:
        return BatchLine(id, None, str(error))


def read_json_line(line: bytes) -> Json:
    """Return the object of a line of JSON, whose `id` can be repeated. Raises `BadInput`."""
    document = read_json("The line", line, parse_constant=_refuse_constant)
    if not isinstance(document, dict):
        raise BadInput("The line is not a JSON object.")
    id = document.get("id")
    if isinstance(id, dict | list) or id in (math.inf, -math.inf):
        raise BadInput("id: must be text or a number.")
    return document


def _refuse_constant(name: str) -> None:
    raise BadInput(f"is not valid JSON: {name} is not a number.")


def answer_lines[T](lines: Sequence[BatchLine[T]], answer: Callable[[T], Json], run: Run) -> Json:
    """Return an answer for each line, and how many lines have none. Raises `Cancelled`."""
    answers = []
    for done, line in enumerate(lines):
        if run.cancel.is_set():
            raise Cancelled("Stopped.", f"Asof answered {done:,} of {counted(len(lines), 'question')}.")
        answers.append({"id": line.id, **_answer_line(line, answer)})
        run.progress(done + 1, len(lines))
    return {"answers": answers, "failed": sum("error" in answer for answer in answers)}


def _answer_line[T](line: BatchLine[T], answer: Callable[[T], Json]) -> Json:
    if line.question is None:
        return {"error": line.problem}
    try:
        return answer(line.question)
    except AsofError as error:
        return {"error": str(error)}


# -- on the terminal


def batch_of(things: str) -> Option:
    """Return the option that names a file of questions, instead of one that is typed."""
    return option(
        "--batch", alternative=True, metavar="FILE.jsonl", help=f"a file of {things} as JSON lines, or - for stdin"
    )


def need_one(terminal: Terminal, question: str) -> None:
    """Refuse what is neither a question nor a batch of them, both, or an empty question."""
    typed = getattr(terminal.options, question)
    if (typed is None) == (terminal.options.lines is None):
        terminal.refuse(f"give either a {question} or --batch FILE")
    if typed is not None and not typed.strip():
        terminal.refuse(f"the {question} is empty")


def start_batch(terminal: Terminal, request: str) -> int:
    """Print an answer for each line, and say how many have none, and where nobody could have one."""
    document = terminal.ask(request, lines=lines_of(terminal.options.lines))
    for answer in document["answers"]:
        print(json_text(answer))
    say(document.get("note", ""))
    if document["failed"]:
        say(f"Asof could not answer {document['failed']} of {counted(len(document['answers']), 'line')}.")
    return FAILED if document["failed"] or document.get("note") else DONE
