"""What the rows of a question have to have: values that it names, numbers that it compares with, and dates."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from services.analyst import sql_cues
from services.analyst.day_counts import start_and_end
from services.analyst.measure_units import column_of_unit, factor_between, own_figures
from services.analyst.question_words import FUNCTION_WORDS, QuestionWord, stem
from services.analyst.sql_cues import ADJECTIVES, DIRECTIONS
from services.analyst.sql_joins import date_of_event
from services.analyst.sql_plan import Group, RowCondition
from services.analyst.sql_tags import TableReading, Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import EVENTS, NamedColumn
from services.analyst.value_lookup import FoundValue
from services.analyst.word_likeness import SYNONYMS, share_root
from services.language.inflection import is_past

_VAGUE = words_named("vague")
"""Adjectives that say nothing where several columns could be meant."""
_OF_TIME = ("new", "early", "old", "young")
_BOUND = frozenset(map(stem, ("leaving", "left", "departing", "bound", "headed", "heading", "destined")))
"""What is for a place goes to it."""
_LACKS = ("no", "without", "lacking", "missing")
_BEFORE_MISSING = words_named("before_missing")
NEGATIONS = words_named("negations")
"""Words that no question says without meaning them."""
_BESIDE_VALUE = {"the", "in", "a", "an", "from", "any", "-"}
_UNDONE, _STATE_VERBS = words_named("undone"), words_named("state_verbs")
_ENDINGS = frozenset(map(stem, words_named("endings")))
_LEAST_DONE = 0.75
_SURELY = 0.85
"""How well words have to fit a column that rows are to have a value of."""
_LIMITS = words_named("limits")
_BESIDE_NUMBER = ("is", "of", "was", "equals", "equal", "to")


class ConditionReader:
    """Reads conditions off a question; `failed` where one is there that cannot be read."""

    def __init__(self, reading: TableReading) -> None:
        self.reading = reading
        self.conditions: list[RowCondition] = []
        self.where: dict[NamedColumn, int] = {}
        """The places of the words that conditions on columns were read from."""
        self.used: set[int] = set()
        self.failed = False
        self.has_placed_dates = False
        """True where the dates of the question choose rows of another table."""

    # -- numbers

    def compare(self, tags: list[Tag]) -> None:
        """Take what is compared with a number, and its column, out of the tags."""
        words = self.reading.words
        self._between(tags)
        for start, end, sign in self.reading.compared:
            behind = [p for p, word in enumerate(words) if word.start >= end][:3]
            places = [p for p in (*self.reading.places(start, end), *behind) if words[p].is_number]
            if not places or places[0] in self.reading.taken:
                self.failed = True
                return
            self._compare(tags, start, places[0], sign)
        for place in range(len(words) - 2):
            if words[place + 1].low == "than" and words[place + 2].is_number and place not in self.reading.cues:
                self._by_adjective(place)

    def _between(self, tags: list[Tag]) -> None:
        """Read "an amount between 100 and 200"."""
        for start, end in sql_cues.spans("between", self.reading.low):
            places = list(self.reading.places(start, end))
            ends = [place for place in places if self.reading.words[place].is_number]
            if set(ends) & self.reading.taken:
                continue
            known = len(self.conditions)
            self._compare(tags, start, ends[1], "<=")
            self.used |= set(places)
            if not self.failed:
                low = _figure(self.reading.words[ends[0]].text)
                self.conditions.insert(known, RowCondition(self.conditions[known].column, ">=", (low,)))

    def _compare(self, tags: list[Tag], start: int, at: int, sign: str) -> None:
        tag = self._compared(tags, start, at)
        words = self.reading.words
        unit = words[at + 1].low if at + 1 < len(words) else ""
        column = tag.column("number", "year") if tag else None
        measured = column_of_unit(unit, self.reading.table)
        if column is None or (measured is not None and factor_between(unit, column) is None):
            column, tag = measured, None
        if column is None:
            self.failed = True
            return
        factor = factor_between(unit, column)
        if tag is not None:
            tags.remove(tag)
        self.used |= {at, *(tag.places if tag else ()), *((at + 1,) if factor else ())}
        figure = _figure(words[at].text) * (factor or 1)
        self.conditions.append(RowCondition(column, sign, (figure,)))  # type: ignore[arg-type]

    # -- what is missing

    def find_missing(self, tags: list[Tag]) -> None:
        """Take "no closing date", "without a reason" and "have not been returned" for rows that lack a value."""
        for tag in list(tags):
            column = next((one for _, one in tag.columns if one.table == self.reading.table.table), None)
            if column is None or tag.values or tag.is_flag or tag.fit(self.reading.table):
                continue
            negation = self._negation_before(tag)
            denying = [word.low for word in self.reading.words[negation[0] : tag.first]] if negation else []
            if denying and (column.kind == "date" or denying[0] in _LACKS or "have" in denying):
                tags.remove(tag)
                self.used |= {*negation, *tag.places}
                self.where[column] = negation[0]
                self.conditions.append(RowCondition(column, "missing"))

    def find_undone(self, tags: list[Tag]) -> None:
        """Take "unfinished", "not done yet" and "still open" for rows without a date of it."""
        words = self.reading.words
        self._find_open(tags)
        dates = {one.core: one for one in self.reading.table.dates() if one.kind == "date"}
        for place, word in enumerate(words):
            is_negated = place > 0 and words[place - 1].low in NEGATIONS
            column = dates.get((word.stem,)) if is_negated else None
            if word.low.startswith("un") and is_past(word.low.removeprefix("un")):
                column = dates.get((stem(word.low.removeprefix("un")),))
            if column is not None and place not in self.used and place not in self.reading.taken:
                self.used |= {place, *((place - 1,) if is_negated else ())}
                self.where[column] = place
                self.conditions.append(RowCondition(column, "missing"))

    def _find_open(self, tags: list[Tag]) -> None:
        """Take what is "still open" or "outstanding" for rows without a date of their end."""
        words = self.reading.words
        for place, word in enumerate(words):
            before = words[place - 1].low if place else ""
            behind = next((tag for tag in tags if tag.first == place + 1), None)
            is_state = before in _STATE_VERBS or (behind is not None and behind.fit(self.reading.table) >= _SURELY)
            own = next((tag for tag in tags if place in tag.places), None)
            is_dated = own is not None and self.reading.when.way != "none"  # "were open before 2009"
            if word.low not in _UNDONE or not is_state or place in self.used or is_dated or (own and own.values):
                continue
            ends = [one for one in self.reading.table.dates() if one.kind == "date" and set(one.words) & _ENDINGS]
            ends = ends or list(start_and_end(self.reading.table) or ())[1:]
            self.failed |= len(ends) != 1
            if own is not None:
                tags.remove(own)
            self.used.add(place)
            self.conditions += [RowCondition(one, "missing") for one in ends]

    def _negation_before(self, tag: Tag) -> list[int]:
        """Return the places of a negation shortly before a tag, with only small words in between."""
        words, place = self.reading.words, tag.first - 1
        if place > 0 and tag.columns[0][1].kind == "date" and words[place].stem in EVENTS:  # "not come back"
            place -= 1
        while place >= 0 and words[place].low in _BEFORE_MISSING:
            place -= 1
        return [place] if place >= 0 and words[place].low in NEGATIONS else []

    def find_present(self, tag: Tag) -> bool:
        """Take "led to a complaint" and "were cancelled" for the rows that have one, or a date of it."""
        words = self.reading.words
        if self._is_done(tag):
            self.used |= tag.places
            self.where[tag.columns[0][1]] = tag.first
            self.conditions.append(RowCondition(tag.columns[0][1], "present"))
            return True
        column = next((one for _, one in tag.columns if one.table == self.reading.table.table), None)
        is_one = tag.first > 0 and words[tag.first - 1].low in ("a", "an", "any", "some")
        if column is None or not is_one or column.kind not in ("text", "date") or tag.of_column < _SURELY:
            return False
        self.used |= tag.places
        self.conditions.append(RowCondition(column, "present"))
        return True

    def _is_done(self, tag: Tag) -> bool:
        """True for the participle of a date that some rows lack, where no date is asked for."""
        reading, column = self.reading, tag.columns[0][1] if tag.columns else None
        is_participle = tag.last - tag.first == 1 and is_past(reading.words[tag.first].low)
        is_dated = bool(reading.units) or reading.when.way != "none" or sql_cues.has("when_last", reading.low)
        is_later = column is not None and column.kind == "date" and column in reading.table.dates()[1:]
        return is_participle and is_later and not is_dated and tag.of_column >= _LEAST_DONE

    def _compared(self, tags: Sequence[Tag], start: int, at: int) -> Tag | None:
        """Return the column that is compared: within, right behind the number, or close before the comparison."""
        words = self.reading.words
        keys = {join.column for join in self.reading.joins}
        figures = [tag for tag in tags if tag.column("number", "year") not in (None, *keys)]
        inside = [tag for tag in figures if words[tag.first].start >= start and tag.last <= at]
        behind = [tag for tag in figures if tag.first in (at + 1, at + 2) and tag.of_table <= 0.9]
        ahead = [tag for tag in figures if 0 <= start - words[tag.last - 1].end < 16]
        return next(iter((*inside, *behind, *reversed(ahead))), None)

    def _by_adjective(self, place: int) -> None:
        """Read "older than 30"."""
        words = self.reading.words
        column, ascending = self.of_adjective(sql_cues.adjective_of(words[place].low, "er"))
        if column is None:
            self.failed = True
            return
        unit = words[place + 3].low if place + 3 < len(words) else ""
        factor = factor_between(unit, column)
        self.used |= {place, place + 1, place + 2, *((place + 3,) if factor else ())}
        figure = _figure(words[place + 2].text) * (factor or 1)
        self.conditions.append(RowCondition(column, "<" if ascending else ">", (figure,)))

    def of_adjective(self, adjective: str) -> tuple[NamedColumn | None, bool]:
        """Return the column that an adjective compares by, and whether more of it is less of the column's values."""
        figures = [one for one in self.reading.columns if one.kind in ("number", "year", "date")]
        named = {column for tag in self.reading.tags for _, column in tag.columns[:1]}
        meant = ADJECTIVES.get(adjective, ())
        found = [(one, by.ascending) for by in meant for one in figures if one.has_words(by.column)]
        ranked = {
            self.reading.words[place].stem for span in self.reading.rank_spans for place in self.reading.places(*span)
        }
        if done := [one for one in self.reading.table.dates() if ranked & set(one.core)]:
            return done[0], False  # "most recently hired"
        if mentioned := [one for one in found if one[0] in named]:
            return mentioned[0]
        if adjective in _VAGUE and len({column for column, _ in found}) > 1:
            return None, False
        dates = self.reading.table.dates()
        if not found and dates and adjective in _OF_TIME:
            return dates[0], adjective in ("early", "old")
        only = own_figures(self.reading.table)
        is_by_column = " by " in self.reading.low
        if (
            not any(one in self.reading.table.columns for one, _ in found)
            and adjective in _VAGUE
            and len(only) == 1
            and not is_by_column
        ):
            return only[0], adjective == "small"
        return found[0] if found else (None, False)

    def equal(self, tags: list[Tag]) -> None:
        """Take a number right beside a column as its value: "grade 9", "4 cylinders", "level is 1"."""
        for tag in list(tags):
            column, at = tag.column("number", "year"), self._number_beside(tag)
            if column is None or at is None or tag.of_table > tag.of_column or tag.values:
                continue
            words = self.reading.words
            is_either = [word.low for word in words[at + 1 : at + 2]] == ["or"]
            places = [at, *(p for p in (at + 2,) if is_either and p < len(words) and words[p].is_number)]
            tags.remove(tag)
            self.used |= {*places, *tag.places}
            self.conditions.append(RowCondition(column, "in", tuple(_figure(words[p].text) for p in places)))

    def _number_beside(self, tag: Tag) -> int | None:
        reading, words = self.reading, self.reading.words
        ranked = {place for start, end in reading.rank_spans for place in reading.places(start, end)}
        free = set(range(len(words))) - reading.taken - self.used - ranked
        for place in range(tag.last, min(tag.last + 3, len(words))):
            if words[place].is_number:
                return place if place in free else None
            if words[place].low not in _BESIDE_NUMBER:
                break
        before = tag.first - 1
        return before if before in free and words[before].text.isdigit() else None

    # -- values

    def choose(self, tag: Tag) -> None:
        """Choose the rows that have a value; two of one column are either of them."""
        value = self._meant(tag)
        if value is None:
            self.failed = True
            return
        self.used |= tag.places
        operator: Literal["in", "not in", "has"] = "not in" if self._is_negated(tag) else "in"
        if value.column.kind == "list":
            self.failed |= operator == "not in"
            operator = "has"
        for place, known in enumerate(self.conditions):
            if (known.column, known.operator) == (value.column, operator) and operator != "has":
                self.conditions[place] = replace(known, values=(*known.values, value.value))
                return
        self.where[value.column] = tag.first
        self.conditions.append(RowCondition(value.column, operator, (value.value,)))

    def flag(self, tag: Tag) -> None:
        """Choose the rows of which a column says yes; or no, where the question does."""
        behind = [place for place in (tag.last, tag.last + 1) if place < len(self.reading.words)]
        limit = next((place for place in behind if self.reading.words[place].low in _LIMITS), tag.last - 1)
        self.used |= {*tag.places, limit}  # "exceeded the limit", which no column holds
        self.where.setdefault(tag.columns[0][1], tag.first)
        condition = RowCondition(tag.columns[0][1], "false" if self._is_negated(tag) else "true")
        if condition not in self.conditions:  # "flagged with damage"
            self.conditions.append(condition)

    def _meant(self, tag: Tag) -> FoundValue | None:
        """Return the value that is meant; None where several columns of a table have it, and nothing says which."""
        nearest = max(self.reading.near(one.column) for one in tag.values)
        found = {one.column.words: one for one in tag.values if self.reading.near(one.column) == nearest}
        if len(found) == 1:
            return next(iter(found.values()))
        words = self.reading.words
        beside = {word.stem for word in words[max(0, tag.first - 2) : tag.last + 2]}
        named = [one for one in found.values() if beside & set(one.column.words)]
        whole = [one for one in named if set(one.column.words) <= beside]
        named = whole if len(whole) == 1 else named
        before = [word.low for word in reversed(words[max(0, tag.first - 2) : tag.first])]
        is_bound = before[:1] == ["for"] and stem(before[-1]) in _BOUND
        for cues, meant in reversed(DIRECTIONS) if is_bound else DIRECTIONS:
            if (is_bound or set(before) & set(cues.split())) and not named:
                named = [one for one in found.values() if set(map(stem, meant.split())) & set(one.column.words)]
        return named[0] if len(named) == 1 else None

    def _is_negated(self, tag: Tag) -> bool:
        reading = self.reading
        start = reading.words[tag.first].start
        if tag.is_flag and reading.words[tag.first].low.startswith("un"):
            return True
        for first, last in sql_cues.spans("negation", reading.low):
            between = [word for word in reading.words if last <= word.start < start]
            is_near = len(between) <= 1 and {word.low for word in between} <= _BESIDE_VALUE
            if last <= start and (is_near or self._is_verb(between)):
                self.used |= set(reading.places(first, last))
                return True
        return False

    def _is_verb(self, between: Sequence[QuestionWord]) -> bool:
        """True for the "live in" of "do not live in Ghent"."""
        tagged = self.reading.tag_places
        first = [word.low for word in between[:1]]
        is_free = not any(word in between for place, word in enumerate(self.reading.words) if place in tagged)
        is_event = any(word in EVENTS or stem(word) in EVENTS for word in first)
        return is_free and is_event and {word.low for word in between[1:]} <= _BESIDE_VALUE | {"at", "on", "as", "to"}

    # -- dates

    def dates(self, groups: list[Group], *, is_which: bool) -> None:
        """Add the groups by years or other units, and what the dates of the question choose."""
        reading = self.reading
        way, column = "none" if self.has_placed_dates else reading.when.way, self.date_column()
        if (reading.units or way != "none") and column is None:
            self.failed = True
        if self.failed or column is None:
            return
        for _, _, unit in reading.units:
            if reading.rank is not None or not is_which or not groups:
                groups.append(Group(column, None if column.kind == "year" and unit == "year" else unit))
        if way != "none":
            self.conditions.append(self.dated(column))
            self._number_units(groups, column)
        elif reading.units and column in reading.table.dates()[1:] and self._named(column):
            self.conditions.append(RowCondition(column, "present"))  # what was never sold is of no year of sales

    def _number_units(self, groups: list[Group], column: NamedColumn) -> None:
        """Show months and quarters of a single year as numbers, too."""
        dated = self.conditions[-1]
        is_one = dated.first and dated.last and (dated.last - dated.first).days in (365, 366)
        for one in list(groups):
            if is_one and one.column == column and one.unit in ("month", "quarter"):
                groups.insert(groups.index(one) + 1, replace(one, is_numbered=True))

    def dated(self, column: NamedColumn) -> RowCondition:
        """Return what the dates of the question choose by a column."""
        when = self.reading.when
        if when.way == "pair" and when.first and when.second and when.second.year - when.first.year > 1:
            return self._in_years(column, (when.first.year, when.second.year))
        ends = {"before": (None, when.first), "since": (when.first, None), "after": (when.first, None)}
        first, last = ends.get(when.way, (when.first, when.last))
        return RowCondition(column, "dated", first=first, last=last)

    def _in_years(self, column: NamedColumn, years: tuple[int, int]) -> RowCondition:
        """Choose two years with others between them; of other dates that are apart nothing is read."""
        named = re.findall(r"(?<![\d-])(?:1[5-9]|20)\d\d(?![\d-])", self.reading.low)
        between = rf"{years[0]} (?:or|and) (?:in )?{years[1]}"
        self.failed |= len(named) != len(years) or not re.search(between, self.reading.low)
        return RowCondition(column, "in years", years)

    def date_column(self) -> NamedColumn | None:
        """Return the dates that a question means: those that it names, else the first of the table."""
        reading = self.reading
        own = reading.table.dates()
        dates = [one for one in reading.columns if one.kind in ("date", "year")]
        worth = {one: (one in own, self._named(one), -place) for place, one in enumerate(dates)}
        best = max(dates, key=lambda one: worth[one], default=None)
        if not own and not any(self._named(one) > 0 for one in dates):
            return date_of_event(reading.table, reading.joins)
        return best if best is not None and (best in own or self._named(best) > 0) else None

    def _named(self, column: NamedColumn) -> float:
        """Return how much a question speaks of a column of dates; what the table is called says little."""
        plain = [word for word in self.reading.words if word.low not in FUNCTION_WORDS]
        stems = {word.stem for word in plain} - {"date", "time", "year", "day", "month"}
        own = self.reading.table.words
        named = sum(0.3 if word in own else 1.0 for word in column.words if word in stems)
        named += sum(0.8 for word in column.words for one in stems if word != one and one in SYNONYMS.get(word, ()))
        alike = [word for word in column.words if word not in own and word not in stems]
        named += sum(0.6 for word in alike for one in stems if share_root(word, one))  # "delivery", delivered_on
        return named + (0.5 if column.words == ("year",) else 0.0)


def _figure(text: str) -> float:
    return float(text) if "." in text else int(text)
