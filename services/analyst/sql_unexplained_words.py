"""Whether a word of a question about tables says something that was not read."""

import re
from collections.abc import Sequence

from services.analyst import sql_cues
from services.analyst.question_words import FUNCTION_WORDS, QuestionWord
from services.analyst.sql_conditions import NEGATIONS, ConditionReader
from services.analyst.sql_events import is_event
from services.analyst.sql_plan import Group
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.sql_words import words_named
from services.analyst.table_words import EVENTS, name_words
from services.analyst.word_likeness import SYNONYMS, share_root

_SAYING_NOTHING = FUNCTION_WORDS | words_named("plain") | DETERMINERS
_PEOPLE = words_named("people")
_SMALL = words_named("small")
"""Words that call nothing by a name, though they change what is asked."""
_OF_PEOPLE = {"first", "gender", "birth", "surname"}
_SECOND_QUESTION = re.compile(r"\band (?:who|whom|whose|which|what|where|how(?! many (?:of |in |for |from )?each))\b")


def has_unexplained(reading: TableReading, chosen: ConditionReader, groups: Sequence[Group], names: set[str]) -> bool:
    """True where a word is neither a cue nor one of `names`, nor chooses rows, and says something nevertheless."""
    known = reading.cues | reading.taken | chosen.used | reading.modifiers | _ranking_places(reading)
    every = names | _words_of_dates(chosen, groups)
    if reading.units or reading.when.way != "none":  # "new members each year"
        known |= {place for place, word in enumerate(reading.words) if word.low == "new"}
    left = [(place, word) for place, word in enumerate(reading.words) if place not in known]
    used = {p for tag in reading.tags for p in tag.places if not tag.values} | reading.cues
    known |= {
        place
        for place, word in enumerate(reading.words)
        if word.low == "people" and {place - 1, place + 1} & used and groups and reading.rank is None
    }  # "injured people"
    left = [(place, word) for place, word in left if place not in known]
    unknown = [
        (place, word)
        for place, word in left
        if word.low in NEGATIONS
        or not (word.low in _SAYING_NOTHING or _is_explained(reading, word.low, word.stem, every))
    ]
    ends = {end for _, end, *_ in (*reading.rank_spans, *reading.aggregates)}
    unknown += [(p, word) for p, word in left if word.start - 1 in ends and _is_theme(reading, word.stem)]
    is_dated = bool(reading.units) or reading.when.way != "none"  # and rows of another table are, too
    reading.passed_over = sum(
        is_event(reading, chosen, place) and not (is_dated and _is_of_rival(reading, word.stem))
        for place, word in unknown
    )
    is_denied = any(word.low in NEGATIONS for _, word in unknown)
    is_double = _SECOND_QUESTION.search(reading.low) is not None
    return is_double or _is_other_counted(reading) or is_denied or reading.passed_over < len(unknown)


def unexplained_words(readings: Sequence[TableReading]) -> list[QuestionWord]:
    """Return the words of a question that in none of these readings are a cue, or name a table, a column or a value."""
    words = readings[0].words if readings else ()
    known = {place for reading in readings for place in _known_places(reading)}
    return [word for place, word in enumerate(words) if place not in known]


def _known_places(reading: TableReading) -> set[int]:
    """Return where words say anything about a table; figures may be values that are not looked up."""
    chosen, names = ConditionReader(reading), {one for column in reading.columns for one in column.words}
    plain = {
        place
        for place, word in enumerate(reading.words)
        if word.is_number
        or word.low in _SAYING_NOTHING | _SMALL | NEGATIONS | _PEOPLE
        or _is_explained(reading, word.low, word.stem, names | reading.others)
        or is_event(reading, chosen, place)
    }
    return plain | _ranking_places(reading) | reading.tag_places | reading.cues | reading.taken | reading.modifiers


def _ranking_places(reading: TableReading) -> set[int]:
    return {place for span in sql_cues.spans("ranking", reading.low) for place in reading.places(*span)}


def _is_other_counted(reading: TableReading) -> bool:
    """True where what is counted is no name of a table: "ships", which else is taken for an event."""
    tagged = reading.tag_places | reading.cues | reading.taken
    for _, end in reading.counts:
        following = [place for place, word in enumerate(reading.words) if word.start >= end]
        place = next((one for one in following if reading.words[one].low not in DETERMINERS), None)
        word = None if place is None else reading.words[place]
        if word and _is_theme(reading, word.stem):
            continue
        if word and place not in tagged and word.low not in FUNCTION_WORDS | _PEOPLE and word.stem in EVENTS:
            return True
    return False


def _is_explained(reading: TableReading, word: str, root: str, names: set[str]) -> bool:
    """True for an event, and for words of what is named: "conducted" beside "conductor"."""
    is_person = word in _PEOPLE and any(_OF_PEOPLE & set(one.words) for one in reading.table.columns)
    is_named = root in names or reading.table.fit([root]) > 0.8
    is_done = (word in EVENTS or root in EVENTS) and not _is_of_rival(reading, root)
    named = names | set(reading.table.words)  # "absent" where absences are counted
    is_like = any(share_root(root, name) for name in named)
    return is_person or _is_theme(reading, root) or is_named or is_done or is_like


def _is_of_rival(reading: TableReading, root: str) -> bool:
    """True for what another table is called by that rows do not lead to: "checked" beside checks chooses rows."""
    return any(share_root(root, word) for one in reading.rivals for word in one.words)


def _is_theme(reading: TableReading, root: str) -> bool:
    """True for what a whole database is called: "lost items" in lost_property."""
    return root in name_words(reading.table.table.database) and root not in reading.others


def _words_of_dates(chosen: ConditionReader, groups: Sequence[Group]) -> set[str]:
    """Return what columns of dates that are used go by, and the words that mean the same."""
    columns = [*(one.column for one in groups), *(one.column for one in chosen.conditions)]
    words = {word for one in columns if one.kind in ("date", "year") for word in one.words}
    return words | {other for word in words for other in SYNONYMS.get(word, ())}
