"""What a question ranks: rows by a column, or groups by what is counted or added up in each."""

import re
from dataclasses import replace

from services.analyst import sql_cues
from services.analyst.question_words import is_plural
from services.analyst.sql_counts import CountRoles
from services.analyst.sql_cues import Rank
from services.analyst.sql_plan import Aggregate, Group
from services.analyst.sql_roles import ADDED, OF_AMOUNTS
from services.analyst.sql_tags import Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import ROWS, NamedColumn

_OF_MANY = words_named("of_many")
"""What a month or a person is with many rows, and with few."""


class RankRoles(CountRoles):
    """Roles of which one may be what is ranked."""

    def is_settled_rank(self, rank: Rank) -> bool:
        """Settle what is ranked and by what; False where that is not surely read."""
        is_often = rank.is_often and not sql_cues.has("ends_most", self.reading.low)
        if re.match(r"\W*where\b", self.reading.low) or (is_often and self.measure is not None):
            return False  # what is done most often is counted, and not measured
        if self.is_share and self.measure is None:
            self.forget_adjective()
        elif rank.adjective and not rank.is_often and not self._is_measured_by(rank.adjective):
            return False
        if not self.groups:
            return (
                self._is_rank_of_one() if self.ranked is None or self._is_of_doer() else self._is_rank_of(self.ranked)
            )
        if self._is_extreme_of_each(rank):
            return True
        if self.ranked is not None and self._ranks_rows(self.ranked) and self._is_of_each():
            return False  # the first few of each group
        return self._is_group_rank()

    def _is_rank_of_one(self) -> bool:
        """Settle a rank of what no name says: whoever did something, a row, or the highest value itself."""
        if self._is_of_doer():
            doer = self.reading.table.doer()
            self.groups = [Group(doer)] if doer else []
            return doer is not None and self._is_group_rank()
        is_of_row = self._asks_other_figure() or self._ranks_chosen() or self._asks_who()
        return self._is_row_rank() if is_of_row else self._is_extreme()

    def _is_rank_of(self, ranked: Tag) -> bool:
        if self._ranks_rows(ranked):
            return self._is_row_rank()
        if not self.is_group(ranked):
            return False
        for column in self._paired_with(ranked):
            self.shown.remove(column)
            self.groups += self.called(column)
        if self._is_called_by_group(ranked):
            self.aggregate = ""
            self.groups += [Group(column) for column in self.shown if column != self.measure]
            return True
        return self._is_group_rank()

    def _paired_with(self, ranked: Tag) -> list[NamedColumn]:
        """Return the "destination" of "top 5 origin and destination", which rows are grouped by, too."""
        words = self.reading.words
        tag = next((one for one in self.reading.tags if one.first == ranked.last + 1), None)
        column, own = tag.column("text", "key") if tag else None, ranked.column("text", "key")
        is_pair = words[ranked.last].low == "and" if tag else False
        columns = [one for one in self.reading.table.columns if one not in self.reading.table.labels]
        is_own = not ranked.tables and own in columns and column in columns
        return [column] if column in self.shown and is_pair and is_own else []

    def _asks_other_figure(self) -> bool:
        """Show the "cylinders" of "how many cylinders has the car with the most power"."""
        column = self.counted.column("number") if self.counted is not None else None
        if column is None or self.measure is None or column == self.measure:
            return False
        self.shown.append(column)
        return True

    def _is_of_each(self) -> bool:
        return any(self.reading.low[start:end].endswith(("each", "every", "per")) for start, end in self.reading.marks)

    def _is_extreme_of_each(self, rank: Rank) -> bool:
        """Give the highest value of each group where "the highest humidity in each room" is asked for."""
        is_value = self.measure is not None and not self.aggregate and self.ranked is None and rank.limit is None
        asks_who = sql_cues.has("asks_who", self.reading.low) or bool(sql_cues.which_units(self.reading.low))
        is_extreme = self._is_highest() or bool(self.reading.rank and self.reading.rank.adjective)
        if not is_value or asks_who or not self._is_of_each() or not is_extreme:
            return False
        self.aggregate, self.rank = "max" if rank.descending else "min", None
        return True

    def _is_measured_by(self, adjective: str) -> bool:
        """Rank by what an adjective measures; "the highest average" says it by itself."""
        if self.measure is not None:
            self.forget_adjective()
            return self.is_ordered or self._ranks_aggregate()
        if not self.rank or not self.rank.adjective:
            return self.counted is not None
        if self._ranks_aggregate():
            return False  # of "the highest average nitrate" the adjective says nothing
        self.measure, ascending = self.chosen.of_adjective(adjective)
        if self.measure is not None and self._is_age_of_others(self.measure):
            return False
        if self.measure is None and adjective in _OF_MANY and (self.reading.units or self._is_of_group()):
            self.rank = replace(self.rank, adjective="", descending=adjective not in sql_cues.LITTLE)
            return True
        if self.rank is not None:
            self.rank = replace(self.rank, descending=self.rank.descending != ascending)
        return self.measure is not None

    def _is_of_group(self) -> bool:
        """True for "the most active members", who are not the rows themselves."""
        is_other = self.counted is not None and self.counted.fit(self.reading.table) < ROWS
        return self.ranked is not None and bool(self.ranked.tables) and not (is_other or self._ranks_rows(self.ranked))

    def _is_age_of_others(self, measure: NamedColumn) -> bool:
        """True for the "oldest telescope" beside dates of what was seen with it."""
        if measure.formula:  # "slowest contractor", "our longest-serving agent"
            return self.ranked is not None and not self._ranks_rows(self.ranked)
        return self._is_of_group() and measure.kind == "date" and measure.table == self.reading.table.table

    def _ranks_aggregate(self) -> bool:
        """True where the word of an aggregate follows what ranks: "the highest average"."""
        ends = {end + 1 for _, end in self.reading.rank_spans}
        return any(start in ends for start, _, _ in self.reading.aggregates)

    def _is_highest(self) -> bool:
        """True for "the highest", "the lowest" and their like: one value, and not several added up."""
        ranked_by = " ".join(self.reading.low[start:end] for start, end in self.reading.rank_spans)
        return bool(sql_cues.HIGHEST.search(ranked_by))

    def _ranks_rows(self, tag: Tag) -> bool:
        """True where the rows of the table themselves are ranked."""
        table, own = self.reading.table, tag.fit(self.reading.table)
        joined = max((score for score, one in tag.tables if one is not table), default=0.0)
        is_key = bool(tag.columns) and tag.columns[0][1] == table.key and not joined
        return is_key or (own > 0 and own >= max(tag.of_column, joined))

    def _ranks_chosen(self) -> bool:
        """True for "the five cheapest flats", where rows are chosen by what they are called."""
        ends = {end + 1 for _, end in self.reading.rank_spans}
        chosen = {one.column for one in self.chosen.conditions}
        return any(
            tag.values and self.reading.words[tag.first].start in ends and {one.column for one in tag.values} & chosen
            for tag in self.reading.tags
        )

    def _asks_who(self) -> bool:
        """True for "who has the widest stall", which names no row."""
        return bool(re.match(r"\W*who\b", self.reading.low)) and self.counted is None

    def _is_row_rank(self) -> bool:
        columns = dict.fromkeys((*self.reading.table.labels, *self.shown))
        self.groups = [Group(column) for column in columns if column != self.measure]
        return self.measure is not None and not self.aggregate

    def _is_called_by_group(self, tag: Tag) -> bool:
        """True for "the ten longest titles", where a title is what a row is called by."""
        is_label = self.groups[0].column in self.reading.table.labels and tag.of_column > tag.of_table
        return is_label and self.measure is not None and not self.aggregate and not self.reading.aggregates

    def _is_group_rank(self) -> bool:
        figure = self._only_figure() if self._asks_how_much() else None
        hidden = {group.column for group in self.groups if group.is_hidden}
        grouped = {column.table for column in hidden}
        keys = {join.column: join.other for join in self.reading.joins}
        known = {group.column for group in self.groups}
        self.shown = [keys.get(column, column) if keys.get(column) in known else column for column in self.shown]
        of_group = [column for column in self.shown if column.table in grouped]
        if not set(self.shown) <= {figure, *(group.column for group in self.groups), *of_group}:
            return False  # a group has no single value of another column
        known = {group.column for group in self.groups if not group.is_hidden}
        self.groups += [Group(column) for column in of_group if column not in known]
        if self.measure is not None:
            named = {name for _, _, name in self.reading.aggregates}
            self.aggregate = self.aggregate or (named.pop() if len(named) == 1 else self._usual_aggregate(self.measure))
            return True
        if self._asks_how_much():
            self.measure, self.aggregate = figure, "sum"
            return figure is not None
        self.aggregate = "count"
        if self._ranks_by_amount():
            self.measure, self.aggregate = self.reading.table.only_amount(), "sum"
            return self.measure is not None
        return self.counted is None or (self.rank is not None and self.rank.is_often) or self.is_count_of(self.counted)

    def _ranks_by_amount(self) -> bool:
        """True for "the most honey": what is no several of things is weighed or measured, and not counted."""
        tags = [tag for tag in self.reading.tags if tag is not self.ranked]
        behind = [tag for tag in tags if self.reading.follows(tag, self.reading.rank_spans)]
        heads = [tag for tag in behind if not (tag.is_flag or tag.values)] or behind
        word = self.reading.words[heads[0].last - 1] if heads else None
        is_of_rows = bool(behind) and bool(behind[0].values) and behind[0].last in self.reading.tag_places
        if word is None or is_of_rows or self.reading.counts:
            return False
        return not word.is_number and not is_plural(word)

    def _asks_how_much(self) -> bool:
        """True for "who spent the most", where nothing is named that could be counted."""
        words, (start, _) = self.reading.words, self.reading.rank_spans[0]
        before = [word.stem for word in words if word.end <= start]
        behind = [tag for tag in self.reading.tags if words[tag.first].start > start]
        rows = [
            tag
            for tag in behind
            if tag.fit(self.reading.table) or (tag.values and self.reading.follows(tag, self.reading.rank_spans))
        ]
        return self.counted is None and not rows and bool(OF_AMOUNTS & set(before))

    def _only_figure(self) -> NamedColumn | None:
        """Return the table's only column of money, or its only column of numbers."""
        columns = self.reading.table.columns
        figures = [column for column in columns if column.kind == "number"]
        money = [column for column in figures if column.is_measured_by(("money",))]
        return next(iter(money or (figures if len(figures) == 1 else [])), None)

    def _usual_aggregate(self, measure: NamedColumn) -> Aggregate:
        """Return a sum for "the most sales" and "top 5 by sales"; the highest price is one price."""
        is_one = (self._is_highest() and not self.is_ordered) or (self.rank is not None and bool(self.rank.adjective))
        is_of_time = bool(self.reading.units) and measure.measures == "energy"
        named = {word.stem for word in self.reading.words[self._behind_measure - 1 : self._behind_measure + 1]}
        if ADDED & (set(measure.words) | named) or is_of_time or not is_one:
            return "sum"
        return "max" if self.rank is None or self.rank.descending else "min"

    def _is_extreme(self) -> bool:
        """Give the highest value itself, where no row is asked for."""
        if self.measure is None or self.shown or (self.rank is not None and self.rank.limit):
            return False
        self.aggregate = self.aggregate or ("max" if self.rank is None or self.rank.descending else "min")
        return True

    def _is_of_doer(self) -> bool:
        """True for "who took the most samples", where no person is named."""
        is_who = re.match(r"\W*who\b", self.reading.low) is not None and not self.groups
        if not is_who or self.ranked is None:
            return is_who and self.counted is not None
        if self.ranked.fit(self.reading.table) >= ROWS and self.measure is None and self.reading.table.doer():
            return True
        return bool(self.ranked.columns) and self.ranked.columns[0][1].kind == "date"
