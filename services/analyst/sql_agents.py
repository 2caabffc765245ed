"""Those who did something: the "pilots" of "landings made by pilots", and the verb of "which ward orders the most"."""

from services.analyst.sql_tags import TableReading, Tag
from services.analyst.table_words import NamedColumn
from services.language.inflection import is_past


def is_agent(reading: TableReading, tag: Tag) -> bool:
    """True for the "pilots" of "landings made by pilots", who are not what rows are grouped by."""
    words, head = reading.words, tag
    while not head.tables and (head.is_flag or head.values):  # "by certified contractors"
        behind = next((one for one in reading.tags if one.first == head.last), None)
        if behind is None:
            return False
        head = behind
    end, last = reading.before(tag), words[head.last - 1]
    place = next((at for at, word in enumerate(words) if word.end == end), 0)
    is_mark = any(end == stop and start < words[place].start for start, stop in reading.marks)
    if not head.tables or last.low == last.stem or place < 1 or is_mark:
        return False
    return words[place].low == "by" and is_past(words[place - 1].low)


def is_verb_of_agent(reading: TableReading, tag: Tag, column: NamedColumn) -> bool:
    """True for the verb of "which ward orders the most tests" beside `ordered_by`."""
    is_before = reading.words[tag.last - 1].end + 1 == reading.rank_spans[0][0] - len("the ")
    return is_before and column.words[-1:] == ("by",)
