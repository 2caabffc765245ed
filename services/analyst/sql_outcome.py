"""What the roles of a question's names come to: the plan of one statement, or nothing where it is not surely read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from services.analyst import sql_cues
from services.analyst.question_words import FUNCTION_WORDS, is_plural, stem
from services.analyst.sql_cues import ADJECTIVES, Rank
from services.analyst.sql_existence import find_without_rows
from services.analyst.sql_having import GroupCondition, take_having
from services.analyst.sql_plan import Aggregate, Group, SqlPlan
from services.analyst.sql_roles import Roles
from services.analyst.sql_tags import DETERMINERS, LABEL_WORDS, TableReading, Tag
from services.analyst.table_words import PARTLY, NamedColumn, words_named
from services.analyst.unexplained_words import has_unexplained, share_root

_ADDED = frozenset(map(stem, words_named("added")))
"""What a group has altogether, even where its highest is asked for."""
_MOST_SHOWN = 10
_ROOT = 4
_SURELY, _WHOLE = 0.95, 0.99
_LEAST_SUMMED = 0.8
"""How well the name of a column has to be said where what it counts is added up."""
_OF_AMOUNTS = frozenset(map(stem, words_named("amounts")))
"""What is done more or less of, and not more or less often."""


def read_plan(reading: TableReading) -> SqlPlan | None:
    """Return what is asked of a table; None where it is not one of the shapes, or where a word means something else."""
    having = take_having(reading)
    if reading.when.problem or not (reading.is_asked or having):
        return None
    return _Outcome(reading, having).plan()


class _Outcome(Roles):
    def __init__(self, reading: TableReading, having: GroupCondition | None) -> None:
        super().__init__(reading)
        self.having = having
        self.is_share = sql_cues.has("share", reading.low)

    def plan(self) -> SqlPlan | None:
        """Return what it comes to."""
        tags = list(self.reading.tags)
        if self.having is not None and not self._take_having(self.having, tags):
            return None
        self.chosen.compare(tags)
        self.chosen.equal(tags)
        self.chosen.find_missing(tags)
        self.chosen.find_undone()
        find_without_rows(self.reading, self.chosen)
        self.take_superlative(tags)
        left = self.take_roles(tags)
        for tag in sorted(left, key=lambda one: not one.values):
            self.take_leftover(tag)
        self.chosen.dates(self.groups, is_which=bool(sql_cues.which_units(self.reading.low)))
        if (
            self.chosen.failed
            or not self._is_settled()
            or self._has_lost_group(left)
            or self._counts_twice()
            or self._has_lost_aggregate()
            or (self.aggregate == "count" and self._counts_rows_of_another())
            or self._is_of_unnamed()
            or self._lacks_name()
            or has_unexplained(self.reading, self.chosen, self.groups, self.names)
        ):
            return None
        is_whole = self._is_sorted() and (not self.is_share or self._is_settled_share())
        return self._planned() if is_whole and (self.groups or self.aggregate) else None

    def _planned(self) -> SqlPlan:
        rank, order = self.rank if self.groups else None, self.reading.order
        if self._asks_for_key():
            self._show_key()
        return SqlPlan(
            self.reading.table,
            self.aggregate,
            self.measure,
            self.is_distinct,
            tuple(dict.fromkeys(self.groups)),
            tuple(self.chosen.conditions),
            is_ranked=rank is not None or order is not None,
            limit=None if rank is None else rank.limit or self._limit(),
            descending=rank.descending if rank else order is None or order[1],
            joins=self.reading.joins,
            having=None if self.having is None else (self.having.sign, self.having.figure),
            is_share=self.is_share,
        )

    def _asks_for_key(self) -> bool:
        return bool({"id", "code"} & {word.stem for word in self.reading.words})

    def _show_key(self) -> None:
        """Show what tells the groups apart, or of single rows their key."""
        self.groups = [replace(group, is_hidden=False) for group in self.groups]
        key = self.reading.table.key
        is_shown = any(group.column.kind == "key" or group.column == key for group in self.groups)
        if not self.aggregate and self.groups and key is not None and not is_shown:
            self.groups.append(Group(key))

    def _lacks_name(self) -> bool:
        """True where names are asked for, and there are none to show beside keys."""
        asks = any(word.stem in LABEL_WORDS and word.stem != "id" for word in self.reading.words)
        if not asks or not self.groups or any(group.column.kind != "key" for group in self.groups):
            return False
        keys = {group.column for group in self.groups}
        names = [label for join in self.reading.joins if join.other in keys for label in join.table.labels]
        self.groups += [Group(label) for label in names if label not in keys]
        return not names

    def _take_having(self, having: GroupCondition, tags: list[Tag]) -> bool:
        for tag in having.named:
            self.use(tag)
            tags.remove(tag)
        self.chosen.used |= having.places
        self.measure, self.aggregate = having.measure, having.aggregate
        return self.is_group(having.group)

    def _has_lost_group(self, left: Sequence[Tag]) -> bool:
        """True where "per", "by" or "each" leads to a word by which nothing is grouped, ranked or chosen."""
        reading = self.reading
        for start, end in reading.marks:
            places = (place for place, word in enumerate(reading.words) if word.start >= end)
            place = next((one for one in places if reading.words[one].low not in DETERMINERS), None)
            is_ranked_by = self.rank is not None and reading.low[start:end].endswith("by")
            if place is None or is_ranked_by or place in reading.cues | reading.taken:
                continue
            tag = next((one for one in reading.tags if place in one.places), None)
            is_pronoun = self.rank is not None and reading.low[start:end] == "each"  # "and how much each earned"
            if tag is not None and self.is_agent(tag):
                continue
            if tag is None and not is_pronoun and place not in self.chosen.used | reading.modifiers:
                return True
            is_chosen = tag is not None and (bool(tag.values) or tag.is_flag)
            if tag in left and self.aggregate != "avg" and not is_chosen:
                return True
        return False

    def _has_lost_aggregate(self) -> bool:
        """True where a question asks for an average or an extreme, too, that is not worked out: "the total cost"."""
        named = {name for _, _, name in self.reading.aggregates}
        if self.aggregate == "count":
            return bool(named - {"sum"})
        return bool(self.aggregate) and bool(named - {"sum", self.aggregate})

    def _is_of_unnamed(self) -> bool:
        """True where rows are counted for a rank, and nothing in the question says which rows."""
        is_often = self.rank is not None and self.rank.is_often and not sql_cues.has("ends_most", self.reading.low)
        if self.rank is None or is_often or self.aggregate != "count" or self.counted is not None:
            return False
        table = self.reading.table
        own = [one.column.table for one in (*self.groups, *self.chosen.conditions)]
        if table.table in own:
            return False
        return not any(
            table.fit([word.stem]) >= PARTLY or any(share_root(word.stem, one, _ROOT) for one in table.words)
            for word in self.reading.words
            if word.low not in FUNCTION_WORDS
        )

    def _counts_twice(self) -> bool:
        """True where what is added up is of a table to which several rows lead."""
        other = self.measure is not None and self.measure.table != self.reading.table.table
        return other and self.aggregate in ("sum", "avg")

    def _is_sorted(self) -> bool:
        """False where a question says which way to sort, and there is nothing to sort."""
        return self.reading.order is None or bool(self.groups and self.aggregate)

    def _is_settled_share(self) -> bool:
        """True for rows counted in each group, or of which one thing is asked."""
        chosen = [one for one in self.chosen.conditions if one.operator != "dated"] or self.chosen.conditions
        is_plain = self.aggregate == "count" and self.measure is None and self.rank is None and self.having is None
        return is_plain and (not self.chosen.conditions if self.groups else len(chosen) == 1)

    def _limit(self) -> int:
        """One where a single one is asked for; of several without a number ten."""
        low = self.reading.low
        if sql_cues.which_units(low) or self.ranked is None:
            return 1
        word = self.reading.words[self.ranked.last - 1]
        has_one = re.search(r"\b(?:has|is|was|had)\b", low)
        return _MOST_SHOWN if (is_plural(word) and not has_one) or sql_cues.spans("ranking", low) else 1

    # -- what it comes to

    def _is_settled(self) -> bool:
        if self.having is not None:
            return bool(self.groups)
        if self.rank is not None:
            return self._is_settled_rank(self.rank)
        self._take_how()
        if self.measure is not None:
            is_average = self.aggregate == "sum" and "on average" in self.reading.low
            self.aggregate = "avg" if is_average else self.aggregate or "sum"
            return True
        says = bool(self.reading.counts or self.reading.units)
        if self.broken_down is not None and not self.reading.counts and self.groups:
            self.counted, says = self.broken_down, True
        return says and self._is_count()

    def _take_how(self) -> None:
        """Read "how tall are the trees on average" as the average height."""
        if all(name != "avg" for *_, name in self.reading.aggregates):
            return
        for place, (how, adjective) in enumerate(pairwise(self.reading.words)):
            if how.low == "how" and adjective.low in ADJECTIVES:
                column = self.measure or self.chosen.of_adjective(adjective.low)[0]
                if column is not None and column.kind == "number" and self._alone_measures(column):
                    self.measure, self.aggregate = column, "avg"
                    self.chosen.used |= {place, place + 1}

    def _alone_measures(self, column: NamedColumn) -> bool:
        """False for one of several columns of hours or days: nothing says which "how long" is about."""
        return column.measures != "time" or column.is_measured_by(("time",))

    def _is_count(self) -> bool:
        """Count rows; or the different values of a column, where that is what the counted are."""
        if self.counted is None:
            self.aggregate = "count"
            return not self.reading.aggregates and bool(self.reading.units or self.groups or self.chosen.conditions)
        return self._is_count_of(self.counted)

    def _counts_rows_of_another(self) -> bool:
        """True for the "phones" of "how many phones were claimed" beside claims: they are rows of items."""
        tags = self.reading.tags
        head = next((one for one in tags if one.values and self.reading.follows(one, self.reading.counts)), None)
        while head is not None and (behind := next((one for one in tags if one.first == head.last), None)):
            if behind.fit(self.reading.table) > 0:
                return False
            if not behind.values:
                break
            head = behind
        chosen = {one.column for one in self.chosen.conditions}
        columns = {one.column for one in head.values} & chosen if head else set()
        return bool(columns) and all(one.table != self.reading.table.table for one in columns)

    def _is_of_rival(self, tag: Tag) -> bool:
        """True for rows that another table is called by, and this one at most in part."""
        stems = [self.reading.words[place].stem for place in sorted(tag.places)]
        own = self.reading.table.fit(stems)
        others = [one for one in self.reading.rivals if one not in self.reading.tables]
        return own < _SURELY and any(one.fit(stems) >= _WHOLE for one in others)

    def _is_count_of(self, tag: Tag) -> bool:
        table, column, own = self.reading.table, tag.column(), tag.fit(self.reading.table)
        if sql_cues.has("times", self.reading.low):
            self.aggregate = "count"
            return True
        is_distinct = bool(re.search(r"\b(?:distinct|different|unique)\b", self.reading.low))
        self.aggregate = "count"
        if own and self._is_of_rival(tag):
            return False
        if own and own >= tag.of_column - 0.15 and not (is_distinct and tag.of_column > own):
            return True
        if column is None or column.table != table.table:
            return self._is_count_of_joined(tag)
        is_chosen = any(column == one.column for one in self.chosen.conditions)
        if column.kind == "date" or is_chosen:  # "arrivals" are rows with a date of arrival
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

    def _is_count_of_joined(self, tag: Tag) -> bool:
        """Count those that the rows of the table lead to, each once."""
        for join in self.reading.joins:
            if tag.fit(join.table):
                self.measure, self.is_distinct = join.column, True
                return True
        return False

    def _is_settled_rank(self, rank: Rank) -> bool:
        if re.match(r"\W*where\b", self.reading.low):
            return False
        if rank.adjective and not rank.is_often and not self._is_measured_by(rank.adjective):
            return False
        if not self.groups:
            if self.ranked is None:
                is_of_row = self._asks_other_figure() or self._ranks_chosen() or self._asks_who()
                return self._is_row_rank() if is_of_row else self._is_extreme()
            if self._ranks_rows(self.ranked):
                return self._is_row_rank()
            if not self.is_group(self.ranked):
                return False
            if self._is_called_by_group(self.ranked):
                self.aggregate = ""
                self.groups += [Group(column) for column in self.shown if column != self.measure]
                return True
        elif self._is_extreme_of_each(rank):
            return True
        elif self.ranked is not None and self._ranks_rows(self.ranked) and self._is_of_each():
            return False  # the first few of each group
        return self._is_group_rank()

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
        ranked_by = " ".join(self.reading.low[start:end] for start, end in self.reading.rank_spans)
        is_value = self.measure is not None and not self.aggregate and self.ranked is None and rank.limit is None
        asks_who = sql_cues.has("asks_who", self.reading.low) or bool(sql_cues.which_units(self.reading.low))
        if not is_value or asks_who or not self._is_of_each() or not sql_cues.HIGHEST.search(ranked_by):
            return False
        self.aggregate, self.rank = "max" if rank.descending else "min", None
        return True

    def _is_measured_by(self, adjective: str) -> bool:
        """Rank by what an adjective measures; "the highest average" says it by itself."""
        if self.measure is not None:
            ends = {end + 1 for _, end in self.reading.rank_spans}
            self.forget_adjective()
            return self.is_ordered or any(start in ends for start, _, _ in self.reading.aggregates)
        self.measure, ascending = self.chosen.of_adjective(adjective)
        if self.rank is not None:
            self.rank = replace(self.rank, descending=self.rank.descending != ascending)
        return self.measure is not None

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
        self.shown = [keys.get(column, column) if keys.get(column) in hidden else column for column in self.shown]
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
        return self.counted is None or (self.rank is not None and self.rank.is_often) or self._is_count_of(self.counted)

    def _ranks_by_amount(self) -> bool:
        """True for "the most honey": what is no several of things is weighed or measured, and not counted."""
        tags = [tag for tag in self.reading.tags if tag is not self.ranked]
        behind = [tag for tag in tags if self.reading.follows(tag, self.reading.rank_spans)]
        word = self.reading.words[behind[0].last - 1] if behind else None
        if word is None or behind[0].values or self.reading.counts:
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
        return self.counted is None and not rows and bool(_OF_AMOUNTS & set(before))

    def _only_figure(self) -> NamedColumn | None:
        """Return the table's only column of money, or its only column of numbers."""
        columns = self.reading.table.columns
        figures = [column for column in columns if column.kind == "number"]
        money = [column for column in figures if column.is_measured_by(("money",))]
        return next(iter(money or (figures if len(figures) == 1 else [])), None)

    def _usual_aggregate(self, measure: NamedColumn) -> Aggregate:
        """Return a sum for "the most sales" and "top 5 by sales"; the highest price is one price."""
        ranked_by = " ".join(self.reading.low[start:end] for start, end in self.reading.rank_spans)
        is_one = bool(sql_cues.HIGHEST.search(ranked_by)) or (self.rank is not None and bool(self.rank.adjective))
        if _ADDED & set(measure.words) or not is_one:
            return "sum"
        return "max" if self.rank is None or self.rank.descending else "min"

    def _is_extreme(self) -> bool:
        """Give the highest value itself, where no row is asked for."""
        if self.measure is None or self.shown or (self.rank is not None and self.rank.limit):
            return False
        self.aggregate = self.aggregate or ("max" if self.rank is None or self.rank.descending else "min")
        return True
