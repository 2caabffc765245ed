"""Rows that other rows lead to, or none: "members who never borrowed anything", "hives without an inspection"."""

from collections.abc import Sequence

from services.analyst.question_words import FUNCTION_WORDS
from services.analyst.sql_conditions import NEGATIONS, ConditionReader
from services.analyst.sql_plan import RowCondition, TableJoin
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.table_words import EVENT_STEMS, share_root, words_named
from services.language.inflection import is_past

_LEAST = 0.75
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
        found = _named_behind(reading, place)
        if found is None or found[1] - 1 in reading.taken | chosen.used:
            continue
        join, last = found
        chosen.used |= {*range(place, last)}
        chosen.failed |= reading.when.way != "none"
        first = join.via or join
        chosen.conditions.append(RowCondition(first.column, "without rows", rows=join))


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
        if words[at].low not in _BETWEEN and not (words[at].stem in EVENT_STEMS and is_past(words[at].low)):
            return None
    return None


def _is_named(join: TableJoin, stems: Sequence[str]) -> bool:
    """True for the name of a table's rows, or for what was done: "inspected" beside inspections."""
    root = stems[0]
    if len(stems) > 1:
        return join.table.fit(stems) >= _LEAST
    return join.table.fit([root]) >= _LEAST or any(share_root(root, word) for word in join.table.words)
