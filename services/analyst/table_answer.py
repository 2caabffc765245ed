"""Answers from tables beside the graph, for questions that count, sum, rank or break down what is in files."""

from collections.abc import Iterator, Mapping
from typing import Any

from services.core.answer_records import Answer, Asked, Sentence, Topic
from services.core.errors import AsofError
from services.core.wording import counted
from services.sql.warehouse import warehouse
from services.tools.toolbox import Called, Toolbox

_MOST_LISTED = 12
_TOOL = "query_database"


def from_tables(asked: Asked, toolbox: Toolbox) -> Answer | None:
    """Return what the tables from files say to a question; None where there are none, or no SQL is surely read."""
    workspace = toolbox.context.workspace
    write = workspace.services.write_sql
    if write is None or _TOOL not in toolbox.tools or not _has_files(toolbox):
        return None
    try:
        sql = write(workspace, asked.question, None).sql
        called = None if sql is None else toolbox.call(_TOOL, {"sql": sql})
    except AsofError:  # the trace says why
        return None
    return None if called is None else _answer(called, toolbox)


def _has_files(toolbox: Toolbox) -> bool:
    workspace = toolbox.context.workspace
    return any(one.kind == "files" for one in warehouse(workspace).databases(workspace.name))


def _answer(called: Called, toolbox: Toolbox) -> Answer:
    number = toolbox.number("result", called.call.id)
    rows = called.result.rows
    text, sentences = "", []
    for line in _lines(rows):
        text += ("\n- " if len(rows) > 1 else " ") if text else "- " if len(rows) > 1 else ""
        start = len(text)
        text += f"{line} [{number}]"
        sentences.append(Sentence(line, (number,), "supported", start=start, end=len(text)))
    more = len(rows) - _MOST_LISTED
    hint = f"The table below has {counted(more, 'more row')}." if more > 0 else ""
    return Answer(text, tuple(sentences), (), toolbox.context.at, hint=hint, topic=Topic())


def _lines(rows: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """Yield a sentence for each row: what it is of, and its figures."""
    if not rows:
        yield "No rows match."
    for row in rows[:_MOST_LISTED]:
        cells = list(row.items())
        if len(cells) == 1:
            yield f"The {_worded(cells[0][0])} is {_figure(cells[0][1])}."
        else:
            named = ", ".join(_figure(value) for _, value in cells[:-1])
            yield f"{named}: {_figure(cells[-1][1])}."


def _worded(column: str) -> str:
    return column.replace("_", " ")


def _figure(value: object) -> str:
    """Return a value as it is told: whole numbers with commas, others with two decimals."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.2f}"
    return f"{int(value):,}" if isinstance(value, int | float) and not 1000 <= value <= 2100 else str(value)
