"""Signs that a statement does not say what was asked, though every word of the question was read."""

import re
from collections.abc import Iterator

from services.analyst import sql_cues
from services.analyst.question_words import FUNCTION_WORDS, is_plural, stem
from services.analyst.sql_plan import SqlPlan
from services.analyst.sql_tags import TableReading
from services.analyst.table_words import EVENTS, NEARLY, PARTLY, ROWS, SYNONYMS, NamedColumn, share_root, words_named
from services.analyst.unit_names import UNITS, parts_behind
from services.language.inflection import is_past
from services.sql.catalog import GRAPH

_AVERAGED = frozenset(map(stem, words_named("averaged")))
"""What nobody adds up: ratings, ages, temperatures."""
_NEVER_ADDED = frozenset(map(stem, ("age", "temperature", "humidity", "percent", "percentage", "ratio", "rating")))
_MONEY = frozenset(map(stem, words_named("of_money")))
_NEVER_EQUAL = ("money", "weight", "volume", "energy")
"""What rows are not grouped by: hardly two have the same."""
_ADDED = ("time", *_NEVER_EQUAL)
"""What there may be nothing of."""
_FEW = 5
"""A column has as many samples where it has so many values, and fewer where it has not."""
_MANY = 100
"""Figures from here on are amounts, and no grades."""
_FIGURE = re.compile(r"-?\d+(?:\.\d+)?")
_OWN_NUMBERS = re.compile(r"\b(?:with|and) (?:their|its) (?:total )?(?:number|count|total|sum|average)s?\b")
_HOW_MUCH = re.compile(r"\bhow much\b")
_WHO = re.compile(r"\W*who\b")
_KINDS = re.compile(r"\b(?:different|distinct|unique|kinds|types|sorts)\b")
_LACKS = re.compile(r"\b(?:without|no|never|none|lacking)\b")
_SECOND_DATE = re.compile(r"\bin (?:19|20)\d\d,? (?:but|and) (?:\w+ )?(\w+) in (?:19|20)\d\d\b")
_AVERAGE_OF_UNIT = re.compile(r"\b(?:average|mean|typical) (?:daily|weekly|monthly|quarterly|yearly|annual)\b")
_RATED, _RATINGS = re.compile(r"\brated\b"), re.compile(r"rating|score|star|grade|mark", re.IGNORECASE)
_VAGUE, _OF_MANY = words_named("vague"), words_named("of_many") - {"active"}
_WHOLLY = 0.95
"""How well words fit what goes by them alone."""
_FIRST = frozenset(map(stem, ("first", "last", "latest", "previous", "next")))
_OF_FIRST = _FIRST | {"new", "since", "initial"}
_BEGUN = words_named("begun")
"""What is done to rows on their first date, whatever that is called."""
_DONE_BY = re.compile(r"\b(?:is|are|was|were|been) (?!grouped|split|divided|broken)(\w+) by\b")
_PER = re.compile(r"\bper (?:\w+ )?(\w+)")
_AND_FIGURE = re.compile(r" and (?:the |their )?(?:total|average|mean|median|sum of|number of)\b")
_TOTALS = re.compile(r"\btotals?\b")
_DONE_SO_FAR = ("recorded", "listed", "registered")
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
    yield _dates_agents(reading, plan)
    yield _denies_rows(reading, plan)
    yield _is_ratio(reading)
    yield _is_better_elsewhere(reading, plan)
    yield _mixes_dates(reading)
    yield _ranks_vaguely(reading, plan)
    yield _takes_first_date(reading, plan)
    yield _counts_what_is_measured(reading, plan)
    yield _wants_nothing_of_it(reading, plan)
    yield _is_timed_twice(reading, plan)
    yield _dates_something_else(reading, plan)
    yield any(one.column.kind == "year" and one.unit not in (None, "year", "decade") for one in plan.groups)
    yield any(one.unit for one in plan.groups) and _AVERAGE_OF_UNIT.search(reading.low) is not None
    yield (
        plan.measure is not None and bool(_RATED.search(reading.low)) and not _RATINGS.search(plan.measure.column.name)
    )
    yield _splits_by_what_was_done(reading, plan)
    yield _loses_head(reading)
    yield _leaves_out_table(reading, plan)
    yield _measures_another(reading, plan)
    yield _counts_measured(reading, plan)
    yield _asks_two_figures(reading, plan)


def _dated(plan: SqlPlan) -> list[NamedColumn]:
    """Return the columns whose dates choose rows or group them."""
    chosen = [one.column for one in plan.conditions if one.operator == "dated"]
    return [*chosen, *(one.column for one in plan.groups if one.unit)]


def _stems(reading: TableReading) -> set[str]:
    return {word.stem for word in reading.words}


def _is_no_group(column: NamedColumn, plan: SqlPlan) -> bool:
    """True for what is worked out, for what all rows have alike, and for measures: "revenue per litre"."""
    pinned = {one.column for one in plan.conditions if one.operator in ("in", "missing") and len(one.values) < 2}
    is_pinned = column in pinned and not plan.is_share
    figures = [float(one) for one in column.column.samples if _FIGURE.fullmatch(one)] if column.kind == "number" else []
    is_varied = len(figures) >= _FEW and any(one >= _MANY or one % 1 for one in figures)
    is_measure = column.measures in _NEVER_EQUAL or (is_varied and plan.measure is not None)
    return is_pinned or is_measure or (column == plan.measure and not plan.is_distinct)


def _adds_money(reading: TableReading) -> bool:
    """True for "total fees", "total billed" and "bill total", which are no number of rows."""
    behind = [found[1] for found in _TOTAL.finditer(reading.low)]
    ends = {reading.words[tag.last - 1].end for tag in reading.tags if not tag.values}
    is_behind = any(found.start() - 1 in ends for found in _TOTALS.finditer(reading.low))
    return is_behind or any(stem(one) in _MONEY or (is_past(one) and one not in _DONE_SO_FAR) for one in behind)


def _is_nobody(reading: TableReading, plan: SqlPlan) -> bool:
    """True where "who" is answered by rows that have no name."""
    is_row = not plan.aggregate and bool(plan.shown)
    return is_row and bool(_WHO.match(reading.low)) and all(_is_number(one.column) for one in plan.shown)


def _is_number(column: NamedColumn) -> bool:
    return column.kind != "text" or column.words[-1:] in (("number",), ("id",), ("code",), ("key",))


def _counts_kinds(reading: TableReading, plan: SqlPlan) -> bool:
    """True for the different medals of each team: they have many, though of few kinds."""
    column = plan.measure
    if not plan.is_distinct or column is None or column.kind != "text" or not plan.groups:
        return False
    is_key = any(column == join.column for join in plan.joins)
    return not is_key and 0 < len(column.column.samples) < _FEW and not _KINDS.search(reading.low)


def _adds_averages(reading: TableReading, plan: SqlPlan) -> bool:
    """True for ratings that are added up where the question does not ask for a sum."""
    if plan.aggregate != "sum" or plan.measure is None or any(name == "sum" for *_, name in reading.aggregates):
        return False
    asked = _stems(reading) & _AVERAGED
    return bool(asked & set(plan.measure.words)) or bool(_NEVER_ADDED & set(plan.measure.words))


def _counts_owners(reading: TableReading, plan: SqlPlan) -> bool:
    """True for rows of a table to which others lead, where "most often" tells of what is done with them."""
    is_often = reading.rank is not None and reading.rank.is_often and plan.aggregate == "count"
    if not is_often or plan.measure is not None or any(tag.fit(reading.table) >= ROWS for tag in reading.tags):
        return False
    return bool(re.search(r"\b(?:do|does|did) \w+ \w+ (?:the )?most\b", reading.low)) and bool(reading.leading())


def _dates_agents(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "brewers who brewed in 2024", whose own dates tell nothing of what they did."""
    name = reading.table.table.table.name.lower().removesuffix("s")
    own = [word for word in reading.table.words if name.endswith(("er", "or"))]
    dated = _dated(plan)
    done = [word.stem for word in reading.words if is_past(word.low) and word.stem not in own]
    is_own = any(one.table == reading.table.table for one in dated)
    return is_own and any(share_root(one, word) for one in done for word in own)


def _denies_rows(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "pubs without a late delivery", of which deliveries that were not late tell nothing."""
    denied = [one for one in plan.conditions if one.operator in ("false", "not in")]
    first = reading.tags[0] if reading.tags else None
    if not denied or first is None or not first.tables or first.fit(reading.table):
        return False
    return bool(_LACKS.search(reading.low))


def _is_ratio(reading: TableReading) -> bool:
    """True for "cost per lost hour" and "bill per litre"."""
    return any(one in UNITS and len(one) > 1 and not one.startswith("day") for one in _PER.findall(reading.low))


def _measures_another(reading: TableReading, plan: SqlPlan) -> bool:
    """True where "how long" is asked of members, and the answer is how long their visits took."""
    subject = next((tag for tag in reading.tags if tag.tables), None)
    is_other = subject is not None and subject.fit(plan.table) == 0
    return is_other and re.match(r"\W*how (?:long|old|tall|big|large|far)\b", reading.low) is not None


def _is_better_elsewhere(reading: TableReading, plan: SqlPlan) -> bool:
    """True for a figure of which the question says no head, or where one of another table goes by the very word."""
    tag = next((one for one in reading.tags if plan.measure and one.worth(plan.measure)), None)
    least = 1.0 if plan.measure and "per" in plan.measure.words else NEARLY  # "words" are no `rate_per_word`
    if tag is None or plan.measure is None or tag.worth(plan.measure) >= least:
        return False
    if tag.worth(plan.measure) <= PARTLY and plan.aggregate == "sum" and not (reading.aggregates or reading.rank):
        return True  # of `entry_fee` "entries" say what it is for
    stems = [reading.words[place].stem for place in sorted(tag.places)]
    return any(one.kind == "number" and one.fit(stems) >= _WHOLLY for table in reading.rivals for one in table.columns)


def _mixes_dates(reading: TableReading) -> bool:
    """True for "ordered in 2023 but paid in 2024", which are two dates of a row."""
    return any(is_past(found[1]) for found in _SECOND_DATE.finditer(reading.low))


def _dates_something_else(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "returned in May" of rows with several dates, none of which is one of a return."""
    dates = [one for one in reading.table.dates() if one.kind == "date"]
    dated = _dated(plan)
    if len(dates) < 2 or not dated or dated[0] not in dates:
        return False
    place = min(reading.taken, default=len(reading.words))
    while place and reading.words[place - 1].low in FUNCTION_WORDS:
        place -= 1
    done = reading.words[place - 1] if place else None
    if done is None or not is_past(done.low) or done.low in _BEGUN or place - 1 in _chosen(reading):
        return False
    known = {*dated[0].words, *reading.table.words}
    return not any(share_root(done.stem, word, 4) or word in SYNONYMS.get(done.stem, ()) for word in known)


def _chosen(reading: TableReading) -> set[int]:
    """Return the places of values and of what is said with yes or no."""
    return {place for tag in reading.tags if tag.values or tag.is_flag for place in tag.places}


def _counts_what_is_measured(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "rainfall by station": no several of things is said, so its figures are meant and not its rows."""
    first = reading.tags[0] if reading.tags else None
    is_bare = sql_cues.has("bare", reading.low) and not (reading.counts or reading.aggregates or reading.rank)
    if first is None or first.values or not is_bare or plan.aggregate != "count" or plan.measure is not None:
        return False
    word = reading.words[first.last - 1]
    is_mass = first.fit(reading.table) >= ROWS and not is_plural(word) and not word.low.endswith("ing")
    return is_mass and any(one.kind == "number" for one in reading.table.columns)


def _wants_nothing_of_it(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "days with no rain", of which the rain may be 0 as well as unknown."""
    missing = [one.column for one in plan.conditions if one.operator == "missing"]
    return any(one.measures in _ADDED for one in missing) and re.search(r"\bno\b", reading.low) is not None


def _is_timed_twice(reading: TableReading, plan: SqlPlan) -> bool:
    """True for a time between two dates of rows that have a column of hours, too."""
    is_between = any(one.column.formula and one.operator in (">", ">=", "<", "<=") for one in plan.conditions)
    names = [set(parts_behind(one.column.name, 0)) for one in reading.table.columns if not one.formula]
    return is_between and any(name & {"hour", "hours", "hrs", "min", "mins", "minutes"} for name in names)


def _takes_first_date(reading: TableReading, plan: SqlPlan) -> bool:
    """True for a `first_visit` where the question says nothing of a first one."""
    dated = _dated(plan)
    asked = _stems(reading)
    return not asked & _OF_FIRST and any(_FIRST & set(one.words) for one in dated)


def _ranks_vaguely(reading: TableReading, plan: SqlPlan) -> bool:
    """True for the "largest order" by what its invoices come to, and the "busiest day" by rows that nothing names."""
    rank = reading.rank
    if rank is None or not plan.groups or not plan.aggregate:
        return False
    is_named = any(tag.fit(reading.table) >= NEARLY for tag in reading.tags)
    if rank.adjective in _OF_MANY and plan.aggregate == "count":
        return not is_named
    is_of_others = all(one.column.table != plan.table.table for one in plan.groups)
    asked = _stems(reading)
    is_measured = plan.measure is not None and bool(asked & set(plan.measure.words))
    return rank.adjective in _VAGUE and is_of_others and not is_named and not is_measured


def _leaves_out_table(reading: TableReading, plan: SqlPlan) -> bool:
    """True where the rows of a table that the statement does not read are named, and nothing else by that word."""
    read = {one.rows.table.table for one in plan.conditions if one.rows}
    is_of_graph = plan.table.table.database == GRAPH  # each of its relations names the types that it joins
    others = [one for one in reading.rivals if one.table not in read and len(one.words) == 1 and not is_of_graph]
    known = reading.tag_places | reading.cues | reading.taken
    free = [word for place, word in enumerate(reading.words) if place not in known and is_plural(word)]
    return any(one.fit([word.stem]) >= _WHOLLY for one in others for word in free)


def _splits_by_what_was_done(reading: TableReading, plan: SqlPlan) -> bool:
    """True for both shares of "what share of visits was paid by voucher", of which those paid so are asked for."""
    is_split = plan.is_share and any(one.column.kind == "flag" for one in plan.shown)
    return is_split and any(is_past(found[1]) for found in _DONE_BY.finditer(reading.low))


def _loses_head(reading: TableReading) -> bool:
    """True for the "bills" of "bills of the northern shops" beside shops: it is no verb that tells what was done."""
    first = reading.words[0]
    is_read = 0 in reading.tag_places | reading.cues | reading.taken | reading.modifiers
    return sql_cues.has("bare", reading.low) and not is_read and first.stem in EVENTS and is_plural(first)


def _counts_measured(reading: TableReading, plan: SqlPlan) -> bool:
    """True for rows that are counted where a figure of theirs comes first: "capacity of the northern plants"."""
    first = reading.tags[0] if reading.tags else None
    column = None if first is None or first.tables or first.values else first.column()
    is_plain = plan.aggregate == "count" and plan.measure is None and not (plan.is_ranked or reading.counts)
    used = {*(one.column for one in plan.conditions), *(one.column for one in plan.groups)}
    return is_plain and column is not None and column.kind == "number" and column not in used


def _asks_two_figures(reading: TableReading, plan: SqlPlan) -> bool:
    """True for "members, visits and total fees", of which one figure is worked out."""
    groups = {one.column for one in plan.groups}
    tables = {one.table for one in groups}
    for found in _AND_FIGURE.finditer(reading.low):
        tag = next((one for one in reading.tags if reading.words[one.last - 1].end == found.start()), None)
        if tag is None or tag.values or {one for _, one in tag.columns} & groups:
            continue
        if not tables & {one.table for _, one in tag.tables}:
            return True
    return False


def _takes_far_money(reading: TableReading, plan: SqlPlan) -> bool:
    """True for money of rows that lead to others with money of their own, and those to what is asked about."""
    column = plan.measure
    if column is None or column.measures != "money" or sql_cues.has("times", reading.low):
        return False
    asked = _stems(reading)
    tables = {one.column.table for one in plan.groups}
    far = [join for join in plan.joins if join.via and join.table.table in tables]
    between = [one for join in far if join.via for one in join.via.table.columns if one.measures == "money"]
    return bool(between) and not asked & (set(column.words) | set(reading.table.words))
