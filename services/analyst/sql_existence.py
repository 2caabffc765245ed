"""Rows that other rows lead to, or none: "members who never borrowed anything", "hives without an inspection"."""

from services.analyst.question_words import FUNCTION_WORDS
from services.analyst.sql_conditions import NEGATIONS, ConditionReader
from services.analyst.sql_plan import RowCondition, TableJoin
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.table_words import words_named

_LEAST, _SHARED_ROOT = 0.75, 5
_BETWEEN = (
    DETERMINERS
    | FUNCTION_WORDS
    | words_named("before_missing")
    | words_named("links")
    | {"single", "anything", "yet", "ever"}
)
_MOST_BETWEEN = 4


def find_without_rows(reading: TableReading, chosen: ConditionReader) -> None:
    """Take a negation before what another table's rows are called for rows that none of those lead to."""
    words = reading.words
    for place, word in enumerate(words):
        if word.low not in NEGATIONS or place in chosen.used:
            continue
        behind = range(place + 1, min(place + 2 + _MOST_BETWEEN, len(words)))
        at = next((one for one in behind if words[one].low not in _BETWEEN), None)
        named = [] if at is None else [join for join in reading.leading() if _is_named(join, words[at].stem)]
        if at is None or len(named) != 1 or at in reading.taken | chosen.used:
            continue
        chosen.used |= {*range(place, at + 1)}
        chosen.failed |= reading.when.way != "none"
        chosen.conditions.append(RowCondition(named[0].column, "without rows", rows=named[0]))


def _is_named(join: TableJoin, root: str) -> bool:
    """True for the name of a table's rows, or for what was done: "inspected" beside inspections."""
    share = any(root[:_SHARED_ROOT] == one[:_SHARED_ROOT] for one in join.table.words if len(one) >= _SHARED_ROOT)
    return join.table.fit([root]) >= _LEAST or (share and len(root) >= _SHARED_ROOT)
