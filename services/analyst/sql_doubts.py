"""Signs that a statement does not say what was asked, though every word of the question was read."""

import re
from collections.abc import Iterator

from services.analyst import sql_cues
from services.analyst.question_words import stem
from services.analyst.sql_plan import SqlPlan
from services.analyst.sql_tags import TableReading
from services.analyst.table_words import ROWS, NamedColumn, words_named

_AVERAGED = frozenset(map(stem, words_named("averaged")))
"""What nobody adds up: ratings, ages, temperatures."""
_MONEY = frozenset(map(stem, words_named("of_money")))
_NEVER_EQUAL = ("money", "weight", "volume", "energy")
"""What rows are not grouped by: hardly two have the same."""
_FEW = 5
"""A column has as many samples where it has so many values, and fewer where it has not."""
_OWN_NUMBERS = re.compile(r"\b(?:with|and) (?:their|its) (?:total )?(?:number|count|total|sum|average)s?\b")
_HOW_MUCH = re.compile(r"\bhow much\b")
_WHO = re.compile(r"\W*who\b")
_KINDS = re.compile(r"\b(?:different|distinct|unique|kinds|types|sorts)\b")
_TOTAL = re.compile(r"\b(?:total|sum of)(?: the)? (\w+)")


def is_doubtful(reading: TableReading, plan: SqlPlan) -> bool:
    """True where a statement is not likely meant: a wrong answer is worse than none."""
    return any(_doubts(reading, plan))


def _doubts(reading: TableReading, plan: SqlPlan) -> Iterator[bool]:
    shown = [one.column for one in plan.shown]
    yield bool(plan.aggregate) and any(_is_no_group(one, plan) for one in shown)
    yield plan.aggregate == "count" and bool(_HOW_MUCH.search(reading.low) or _adds_money(reading))
    yield not plan.groups and _OWN_NUMBERS.search(reading.low) is not None
    yield _is_nobody(reading, plan)
    yield _counts_kinds(reading, plan)
    yield _adds_averages(reading, plan)
    yield _counts_owners(reading, plan)
    yield _takes_far_money(reading, plan)


def _is_no_group(column: NamedColumn, plan: SqlPlan) -> bool:
    """True for what is worked out, for what all rows have alike, and for measures: "revenue per litre"."""
    pinned = {one.column for one in plan.conditions if one.operator in ("in", "missing") and len(one.values) < 2}
    is_pinned = column in pinned and not plan.is_share
    is_measure = column.measures in _NEVER_EQUAL
    return is_pinned or is_measure or (column == plan.measure and not plan.is_distinct)


def _adds_money(reading: TableReading) -> bool:
    """True for "total fees", which are no number of rows."""
    return any(stem(found[1]) in _MONEY for found in _TOTAL.finditer(reading.low))


def _is_nobody(reading: TableReading, plan: SqlPlan) -> bool:
    """True where "who" is answered by rows that have no name."""
    is_row = not plan.aggregate and bool(plan.shown)
    return is_row and bool(_WHO.match(reading.low)) and all(one.column.kind != "text" for one in plan.shown)


def _counts_kinds(reading: TableReading, plan: SqlPlan) -> bool:
    """True for the different medals of each team: they have many, though of few kinds."""
    column = plan.measure
    if not plan.is_distinct or column is None or column.kind != "text" or not plan.groups:
        return False
    is_key = any(column == join.column for join in plan.joins)
    return not is_key and len(column.column.samples) < _FEW and not _KINDS.search(reading.low)


def _adds_averages(reading: TableReading, plan: SqlPlan) -> bool:
    """True for ratings that are added up where the question does not ask for a sum."""
    if plan.aggregate != "sum" or plan.measure is None or any(name == "sum" for *_, name in reading.aggregates):
        return False
    asked = {word.stem for word in reading.words} & _AVERAGED
    return bool(asked & set(plan.measure.words))


def _counts_owners(reading: TableReading, plan: SqlPlan) -> bool:
    """True for rows of a table to which others lead, where "most often" tells of what is done with them."""
    is_often = reading.rank is not None and reading.rank.is_often and plan.aggregate == "count"
    if not is_often or plan.measure is not None or any(tag.fit(reading.table) >= ROWS for tag in reading.tags):
        return False
    return bool(re.search(r"\b(?:do|does|did) \w+ \w+ (?:the )?most\b", reading.low)) and bool(reading.leading())


def _takes_far_money(reading: TableReading, plan: SqlPlan) -> bool:
    """True for money of rows that lead to others with money of their own, and those to what is asked about."""
    column = plan.measure
    if column is None or column.measures != "money" or sql_cues.has("times", reading.low):
        return False
    asked = {word.stem for word in reading.words}
    tables = {one.column.table for one in plan.groups}
    far = [join for join in plan.joins if join.via and join.table.table in tables]
    between = [one for join in far if join.via for one in join.via.table.columns if one.measures == "money"]
    return bool(between) and not asked & (set(column.words) | set(reading.table.words))
