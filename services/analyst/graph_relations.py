"""The graph as tables that a question can name: one of the entities of each type, one of the facts of each relation.

A relation's table has a column for each side, called by the source's type and by the relation: `pep` and `status`. It
holds what is true at the question's date, or, where rows are asked for by their dates, what was true at any time, with
`since`. Neither holds what was recorded later than the graph's clock says: an entity has only that clock, since nothing
says from when to when it exists.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from services.analyst import sql_cues
from services.analyst.sql_phrases import in_plain_words
from services.analyst.time_frame import TimeFrame, time_frame
from services.analyst.value_lookup import RunSql
from services.core import clock
from services.core.errors import AsofError
from services.language.inflection import plural
from services.sql.catalog import DatabaseColumn, DatabaseTable
from services.sql.query_tables import QueryTable
from services.sql.quoting import literal

_MOST_RELATIONS = 40
_EVER_HELD = "facts_between('-infinity', 'infinity')"
"""The facts that the graph held when it is asked as known at, and that were true at some time."""
_RELATIONS = f"""
    SELECT f.relation, mode(s.types[1]), mode(f.target)
    FROM {_EVER_HELD} f JOIN entities s ON s.uuid = f.source_uuid
    GROUP BY 1 ORDER BY count(*) DESC LIMIT {_MOST_RELATIONS}
"""
_TYPES = "SELECT DISTINCT unnest(types) FROM entities"
_LIGHT = ("has", "have", "is", "was", "of")
"""What a relation's name has besides what a question calls it by."""


def graph_readings(question: str, run: RunSql) -> tuple[str, tuple[QueryTable, ...]]:
    """Return a question without the date that the facts are to hold at, and the tables of the graph's facts."""
    when = time_frame(question, question, clock.now())
    is_held = when.way == "at" and when.first is not None
    asked = _without(question, when) if is_held else question
    is_dated = not is_held and bool(sql_cues.units_in(in_plain_words(question).lower()))
    if when.way != "none" and not is_held and not is_dated:
        return question, ()  # what held at any time of a period is for the analyst to count
    held = f"TIMESTAMPTZ '{when.first:%Y-%m-%d %H:%M:%S%z}'" if is_held and when.first else ":as_of"
    try:
        return asked, (*_of_types(run(_TYPES)), *_of_relations(run(_RELATIONS), held, is_dated=is_dated))
    except AsofError:
        return question, ()


def _without(question: str, when: TimeFrame) -> str:
    for start, end in sorted(when.spans, reverse=True):
        question = question[:start].rstrip() + question[end:]
    return question


def _of_types(rows: Iterable[Sequence[object]]) -> Iterator[QueryTable]:
    for (kind,) in rows:
        name = _name(plural(str(kind)))
        recorded = "(created_at IS NULL OR created_at <= :known_at)"
        sql = f"(SELECT name FROM entities WHERE list_contains(types, {literal(str(kind))}) AND {recorded})"
        if name:
            yield _table(sql, name, name, [("name", "VARCHAR", ())])


def _of_relations(rows: Iterable[Sequence[object]], held: str, *, is_dated: bool) -> Iterator[QueryTable]:
    for place, (relation, kind, target) in enumerate(rows):
        words = [word for word in str(relation).lower().split("_") if word not in _LIGHT]
        source, other = _name(str(kind)), _name("_".join(words))
        if not source or not other or source == other:
            continue
        facts, since = (_EVER_HELD, ", valid_at AS since") if is_dated else (f"facts_as_of({held})", "")
        sql = (
            f"(SELECT source AS {source}, target AS {other}{since} FROM {facts}"
            f" WHERE relation = {literal(str(relation))})"
        )
        columns = [(source, "VARCHAR", ()), (other, "VARCHAR", (str(target),))]
        columns += [("since", "TIMESTAMP", ())] if is_dated else []
        yield _table(sql, f"relation{place}", f"facts_{place}", columns)


def _table(sql: str, database: str, name: str, columns: Iterable[tuple[str, str, tuple[str, ...]]]) -> QueryTable:
    found = tuple(DatabaseColumn(name=one, type=kind, samples=samples) for one, kind, samples in columns)
    return QueryTable(sql, database, "duckdb", DatabaseTable(name=name, columns=found, rows=0))


def _name(text: str) -> str:
    """Return a name that SQL takes as it stands; nothing where there is none."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return name if re.match(r"[a-z]", name) else ""
