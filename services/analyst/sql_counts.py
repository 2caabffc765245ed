"""What a question counts: rows of the table, the different values of a column, or those that other rows lead to."""

import re

from services.analyst import sql_cues
from services.analyst.question_words import FUNCTION_WORDS, is_plural
from services.analyst.sql_roles import Roles
from services.analyst.sql_tags import DETERMINERS, TableReading, Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import EVENTS, ROWS, NamedColumn
from services.analyst.word_likeness import PARTLY, share_root

_ROOT = 4
_LEAST_SUMMED = 0.8
"""How well the name of a column has to be said where what it counts is added up."""
_SURELY, _WHOLE = 0.95, 0.99
_PEOPLE = words_named("people")
_GOES = ("go", "went", "gone", "come", "came", "get", "got", "have", "had")
"""Verbs that tell nothing by themselves."""
_OF_DAYS = frozenset(("day", "date", "night"))
"""What a column of dates may hold itself, and not what happened on them."""


class CountRoles(Roles):
    """Roles of which one may be what is counted."""

    def __init__(self, reading: TableReading) -> None:
        super().__init__(reading)
        self.is_share = sql_cues.has("share", reading.low)

    def is_count(self) -> bool:
        """Count rows; or the different values of a column, where that is what the counted are."""
        if self._counts_doers() or self._counts_flagged():
            return True
        if self.counted is None:
            self.aggregate = "count"
            return not self.reading.aggregates and bool(self.reading.units or self.groups or self.chosen.conditions)
        return self.is_count_of(self.counted)

    def _counts_doers(self) -> bool:
        """Count the "people" of "how many different people made a claim", each once."""
        words, tagged = self.reading.words, self.reading.tag_places
        ends = {end + 1 for _, end in self.reading.counts}
        place = next((at for at, word in enumerate(words) if word.low in _PEOPLE and at not in tagged), None)
        before = place
        while before and words[before - 1].low in DETERMINERS:
            before -= 1
        doer = self.reading.table.doer()
        if place is None or before is None or words[before].start not in ends or doer is None:
            return False
        self.measure, self.is_distinct, self.aggregate = doer, True, "count"
        self.chosen.used.add(place)
        return True

    def names_rows(self) -> bool:
        """True where a word of the question is what rows are called by, or what was done."""
        table = self.reading.table
        return any(
            table.fit([word.stem]) >= PARTLY or any(share_root(word.stem, one, _ROOT) for one in table.words)
            for word in self.reading.words
            if word.low not in FUNCTION_WORDS
        )

    def _counts_flagged(self) -> bool:
        """Count the "smokers" of "how many smokers were tested" beside tests, each once."""
        head = next((one for one in self.reading.tags if self.reading.follows(one, self.reading.counts)), None)
        if head is None or not head.is_flag or head.values or (self.counted and self.counted.first <= head.last):
            return False
        joins = [one for one in self.reading.joins if one.table.table == head.columns[0][1].table and not one.via]
        is_alone = is_plural(self.reading.words[head.last - 1]) and len(joins) == 1
        if is_alone:
            self.measure, self.is_distinct, self.aggregate = joins[0].column, True, "count"
        return is_alone

    def counts_rows_of_another(self) -> bool:
        """True for the "phones" of "how many phones were claimed" beside claims: they are rows of items."""
        tags = self.reading.tags
        head = next((one for one in tags if one.values and self.reading.follows(one, self.reading.counts)), None)
        while head is not None and (behind := next((one for one in tags if one.first == head.last), None)):
            if behind.fit(self.reading.table) > 0:
                return False
            if not behind.values:
                break
            head = behind
        if self.counted and any(join.column == self.measure for join in self.reading.joins):
            return False  # each brewer is counted once
        chosen = {one.column for one in self.chosen.conditions}
        columns = {one.column for one in head.values} & chosen if head else set()
        return bool(columns) and all(one.table != self.reading.table.table for one in columns)

    def _is_of_rival(self, tag: Tag) -> bool:
        """True for rows that another table is called by, and this one at most in part."""
        stems = [self.reading.words[place].stem for place in sorted(tag.places)]
        own = self.reading.table.fit(stems)
        return own < _SURELY and any(one.fit(stems) >= _WHOLE for one in self.reading.rivals)

    def is_count_of(self, tag: Tag) -> bool:
        """Count what a tag names: rows, the values of a column, or what rows lead to; False where none fits."""
        table, column, own = self.reading.table, tag.column(), tag.fit(self.reading.table)
        if sql_cues.has("times", self.reading.low):
            self.aggregate = "count"
            return True
        is_distinct = bool(re.search(r"\b(?:distinct|different|unique)\b", self.reading.low))
        self.aggregate = "count"
        if own and self._is_of_rival(tag):
            return False
        if own and is_distinct and self.chosen.conditions and own >= tag.of_column:
            return False  # of its own rows no two are the same: those of another table lead to them
        if own and own >= tag.of_column - 0.15 and not (is_distinct and tag.of_column > own):
            return True
        if column is None or column.table != table.table:
            return self._is_count_of_joined(tag, column if is_distinct else None)
        is_chosen = any(column == one.column for one in self.chosen.conditions)
        if column.kind == "date" or is_chosen:  # "arrivals" are rows with a date of arrival
            self._take_days(tag, column)
            return True
        if (
            column.kind == "number"
            and not is_distinct
            and tag.of_column < _LEAST_SUMMED
            and tag is not self.broken_down
        ):
            return False
        if column.kind == "number" and not is_distinct:
            is_average = any(name == "avg" for *_, name in self.reading.aggregates)
            self.measure, self.aggregate = column, "avg" if is_average else "sum"
        elif column != table.key and not (self.is_share and not is_distinct):
            self.measure, self.is_distinct = column, True
        return True

    def _take_days(self, tag: Tag, column: NamedColumn) -> None:
        """Count the nights of "how many nights", each once."""
        is_days = {self.reading.words[place].stem for place in tag.places} <= _OF_DAYS
        if column.kind == "date" and is_days and not self.is_share:
            self.measure, self.is_distinct = column, True

    def _is_count_of_joined(self, tag: Tag, column: NamedColumn | None) -> bool:
        """Count those that the rows of the table lead to, or what a column says of them, each once."""
        for join in self.reading.joins:
            if tag.fit(join.table) and self._says_what_was_done():
                self.measure, self.is_distinct = join.column, True
                return True
        if column is not None and column.kind == "text" and self.names_rows():
            self.measure, self.is_distinct = column, True
            return True
        return False

    def _says_what_was_done(self) -> bool:
        """False where nothing tells of the rows that lead to what is counted: "how many lots went unsold"."""
        read = [*(one.column for one in self.chosen.conditions), *(one.column for one in self.groups)]
        is_chosen = any(one.table == self.reading.table.table and one.kind != "date" for one in read)
        words = self.reading.words
        return is_chosen or self.names_rows() or any(word.low in EVENTS and word.low not in _GOES for word in words)

    def take_only_figure(self) -> None:
        """Take the only amount of money of bids for an "average bid" and "the ten highest bids"."""
        figures = [column for column in self.reading.table.columns if column.is_measured_by(("money",))]
        if self.measure is not None or len(figures) != 1:
            return
        for tag in self.reading.tags:
            is_rows = tag.fit(self.reading.table) >= ROWS and not tag.values and tag is not self.counted
            aggregate = self.reading.aggregate_before(tag)
            if is_rows and aggregate in ("avg", "median", "max", "min"):
                self.measure, self.aggregate = figures[0], aggregate
                return
            if is_rows and self.rank is not None and self.reading.follows(tag, self._highest()):
                self.measure = figures[0]
                self.forget_adjective()
                return

    def _highest(self) -> list[tuple[int, int]]:
        """Return where "highest" or "lowest" stands, by which rows are ranked and not counted."""
        spans = self.reading.rank_spans
        return [span for span in spans if sql_cues.HIGHEST.search(self.reading.low[slice(*span)])]

    def take_value(self) -> None:
        """Take the "nitrate" of "average nitrate" for the values of a table that measures it among other things."""
        values = [one for one in self.reading.table.columns if one.only_value]
        if self.measure is not None or len(values) != 1:
            return
        chosen = {one.column for one in self.chosen.conditions if one.column.table == self.reading.table.table}
        for tag in self.reading.tags:
            is_chosen = any(one.column in chosen for one in tag.values)
            aggregate = self.reading.aggregate_before(tag)
            is_ranked = self.reading.follows(tag, self.reading.rank_spans) and not self._describes_rows(tag)
            if is_chosen and (aggregate or is_ranked):
                self.measure, self.aggregate = values[0], aggregate
                self.forget_adjective()
                return

    def _describes_rows(self, tag: Tag) -> bool:
        """True for "cancelled" of "the most cancelled orders": those are counted."""
        table, tags = self.reading.table, self.reading.tags
        return any(one.first == tag.last and one.fit(table) >= ROWS for one in tags)
