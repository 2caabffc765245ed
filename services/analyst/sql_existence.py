"""Rows that other rows lead to, or none: "members who never borrowed anything", "hives without an inspection"."""

from collections.abc import Sequence

from services.analyst.question_words import FUNCTION_WORDS, stem
from services.analyst.sql_conditions import NEGATIONS, ConditionReader
from services.analyst.sql_plan import RowCondition, TableJoin
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.table_words import words_named
from services.language.inflection import is_past

_LEAST, _SHARED_ROOT = 0.75, 5
_BETWEEN = (
    DETERMINERS
    | FUNCTION_WORDS
    | words_named("before_missing")
    | words_named("links")
    | {"single", "anything", "yet", "ever"}
)
_EVENTS = frozenset(map(stem, words_named("events")))
_MOST_BETWEEN = 4


def find_without_rows(reading: TableReading, chosen: ConditionReader) -> None:
    """Take a negation before what another table's rows are called for rows that none of those lead to."""
    words = reading.words
    for place, word in enumerate(words):
        if word.low not in NEGATIONS or place in chosen.used:
            continue
        found = _named_behind(reading, place)
        if found is None or found[1] - 1 in reading.taken | chosen.used:
            continue
        named, last = [found[0]], found[1]
        chosen.used |= {*range(place, last)}
        chosen.failed |= reading.when.way != "none"
        first = named[0].via or named[0]
        chosen.conditions.append(RowCondition(first.column, "without rows", rows=named[0]))


def _named_behind(reading: TableReading, place: int) -> tuple[TableJoin, int] | None:
    """Return the one table that is named behind a negation, and where its name ends; only small words and what was
    done may stand between them."""
    words = reading.words
    for at in range(place + 1, min(place + 2 + _MOST_BETWEEN, len(words))):
        for last in (at + 2, at + 1):
            stems = [word.stem for word in words[at:last]]
            named = [join for join in reading.leading() if len(stems) == last - at and _is_named(join, stems)]
            if len(named) == 1:
                return named[0], last
        if words[at].low not in _BETWEEN and not (words[at].stem in _EVENTS and is_past(words[at].low)):
            return None
    return None


def _is_named(join: TableJoin, stems: Sequence[str]) -> bool:
    """True for the name of a table's rows, or for what was done: "inspected" beside inspections."""
    root = stems[0]
    if len(stems) > 1:
        return join.table.fit(stems) >= _LEAST
    share = any(root[:_SHARED_ROOT] == one[:_SHARED_ROOT] for one in join.table.words if len(one) >= _SHARED_ROOT)
    return join.table.fit([root]) >= _LEAST or (share and len(root) >= _SHARED_ROOT)
