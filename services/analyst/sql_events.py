"""Words that by their place in a question about tables only say what happened to rows, and choose none of them."""

import re

from services.analyst.question_words import FUNCTION_WORDS, stem
from services.analyst.sql_conditions import ConditionReader
from services.analyst.sql_tags import DETERMINERS, OF_MODIFIERS, TableReading
from services.analyst.table_words import EVENT_STEMS, NamedColumn
from services.language.inflection import is_past

_BEFORE_SUBJECT = ("did", "do", "does", "has", "have")
_BEFORE_PARTICIPLE = ("is", "are", "was", "were", "be", "been", "being", "get", "got")
_SUBJECTS = frozenset(("we", "you", "they", "i", "he", "she", "it", "people", "everyone", "anyone"))
_OF_PLACES = ("in", "at", "to", "from", "for", "with", "by", "on", "under", "into", "through")
_OF_STATUS = frozenset(map(stem, ("status", "state", "outcome", "result", "condition", "stage", "phase")))
_BEFORE_RANK = {"the", "up", "out", "off", "down", *_OF_PLACES}


def is_event(reading: TableReading, chosen: ConditionReader, place: int) -> bool:
    """True for "handled" in "who handled the most jobs", "fix" in "did we fix", and "based" in "are based in Ghent"."""
    return not _is_value(reading, place) and (
        _is_anybody(reading, place)
        or _is_before_rank(reading, place)
        or _leads_to_value(reading, chosen, place)
        or (not _may_be_status(reading, chosen) and (_is_behind_subject(reading, place) or _is_dated(reading, place)))
        or _is_of_us(reading, place)
        or _is_row(reading, chosen, place)
        or _is_row_of_date(reading, chosen, place)
        or _is_kind_of_money(reading, place)
    )


def _is_anybody(reading: TableReading, place: int) -> bool:
    """True for the "people" of "what do people borrow"."""
    words = reading.words
    return place > 0 and words[place].low in _SUBJECTS and words[place - 1].low in ("do", "did", "does")


def _is_value(reading: TableReading, place: int) -> bool:
    """True for "imported" where a column tells "import" from "export": it may well choose rows."""
    texts = [column.column.samples for column in reading.columns if column.kind == "text"]
    return any(stem(value.lower()) == reading.words[place].stem for values in texts for value in values)


def _is_before_rank(reading: TableReading, place: int) -> bool:
    """True for a word between what is ranked and "the most"."""
    if not reading.rank_spans or place == 0:
        return False
    end, start = reading.words[place].end, reading.rank_spans[0][0]
    between = {word.low for word in reading.words if end <= word.start < start}
    subject = {p for tag in reading.tags for p in tag.places if not tag.values}
    return end < start and between <= _BEFORE_RANK and _before_auxiliaries(reading, place) in subject


def _before_auxiliaries(reading: TableReading, place: int) -> int:
    """Return the place of the last word before one, auxiliaries and pronouns left out."""
    small = (*_BEFORE_SUBJECT, *_BEFORE_PARTICIPLE, "had", "that", "who", "which")
    place -= 1
    while place > 0 and reading.words[place].low in small:
        place -= 1
    return place


def _leads_to_value(reading: TableReading, chosen: ConditionReader, place: int) -> bool:
    """True for a participle before a place or a doer by whom rows are chosen."""
    words = reading.words
    behind = place + 2
    while behind < len(words) and words[behind].low in DETERMINERS:
        behind += 1
    is_led = place + 1 < len(words) and words[place + 1].low in _OF_PLACES and behind in chosen.used
    return is_led and place > 0 and is_past(words[place].low)


def _is_behind_subject(reading: TableReading, place: int) -> bool:
    """True for the verb of "did we fix" and "does each mechanic handle"."""
    words, tagged = reading.words, {p for tag in reading.tags for p in tag.places}
    if not (reading.counts or reading.aggregates or reading.rank):
        return False
    before = place - 1
    while before > 0 and (words[before].low in _SUBJECTS | DETERMINERS or before in tagged or before in reading.cues):
        before -= 1
    return before >= 0 and before < place - 1 and words[before].low in _BEFORE_SUBJECT


def _is_dated(reading: TableReading, place: int) -> bool:
    """True for the participle of "bikes fixed per year" and "bikes were fixed in 2022"."""
    words = reading.words
    if place == 0 or not is_past(words[place].low) or not (reading.units or reading.when.way != "none"):
        return False
    dates = reading.table.dates()
    if words[place].stem not in EVENT_STEMS and (len(dates) > 1 or any("birth" in one.words for one in dates)):
        return False  # of which of its dates it tells, nothing says
    tagged = {p for tag in reading.tags for p in tag.places}
    return place - 1 in tagged or words[place - 1].low in _BEFORE_PARTICIPLE


def _may_be_status(reading: TableReading, chosen: ConditionReader) -> bool:
    """True where a column of the table tells what became of a row, and nothing says that it is read."""
    read = {condition.column for condition in chosen.conditions}
    return any(_tells_status(column) and column not in read for column in reading.table.columns)


def _tells_status(column: NamedColumn) -> bool:
    is_done = column.kind == "flag" and any(map(is_past, re.findall(r"[a-z]+", column.column.name.lower())))
    return is_done or bool(_OF_STATUS & set(column.words))


def _is_of_us(reading: TableReading, place: int) -> bool:
    """True for the "club" of "in our club", to which all rows belong."""
    before = [word.low for word in reading.words[max(0, place - 2) : place]]
    return len(before) == 2 and before[1] == "our" and before[0] in _OF_PLACES


def _is_row(reading: TableReading, chosen: ConditionReader, place: int) -> bool:
    """True for the "jobs" of "how many plumbing jobs": right behind a value that is counted, they are its rows."""
    words = reading.words
    if place == 0 or words[place].low == words[place].stem or place - 1 not in chosen.used:
        return False
    tag = next((one for one in reading.tags if one.last == place and one.values), None)
    start = 0 if tag is None else words[tag.first].start
    return tag is not None and any(end == start - 1 for _, end in reading.counts)


def _is_row_of_date(reading: TableReading, chosen: ConditionReader, place: int) -> bool:
    """True for the "homes" of "how many homes were sold in 2022", where the dates of sales choose the rows."""
    words = reading.words
    behind = next((p for p in range(place + 1, len(words)) if words[p].low not in _BEFORE_PARTICIPLE), len(words))
    is_counted = any(end == words[place].start - 1 for _, end in reading.counts)
    tag = next((one for one in reading.tags if one.first == behind), None)
    dates = {condition.column for condition in chosen.conditions if condition.column.kind in ("date", "year")}
    is_named = tag is not None and any(column in dates for _, column in tag.columns)
    return is_counted and is_named and words[place].low != words[place].stem and behind > place + 1


def _is_kind_of_money(reading: TableReading, place: int) -> bool:
    """True for the "tuition" of "tuition fees", where a table has one column of money."""
    tag = next((one for one in reading.tags if one.first == place + 1), None)
    column = tag.column("number") if tag is not None and not tag.values else None
    low = reading.words[place].low
    if low.startswith("un") or low.endswith(OF_MODIFIERS):
        return False  # "unpaid fees" are some of them
    is_first = place == 0 or reading.words[place - 1].low in FUNCTION_WORDS or place - 1 in reading.cues
    return is_first and column is not None and column.is_measured_by(("money",))
