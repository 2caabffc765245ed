"""What the roles of a question's names come to: the plan of one statement, or nothing where it is not surely read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from services.analyst import sql_cues
from services.analyst.measure_units import measured_as
from services.analyst.question_words import FUNCTION_WORDS, is_plural
from services.analyst.row_names import names_of
from services.analyst.sql_agents import is_agent
from services.analyst.sql_column_pairs import compare_columns
from services.analyst.sql_contrast import take_contrast
from services.analyst.sql_cues import ADJECTIVES
from services.analyst.sql_days import compare_dates, find_weekdays, last_date
from services.analyst.sql_dialect_functions import has_median
from services.analyst.sql_existence import find_used_up, find_without_rows
from services.analyst.sql_having import GroupCondition, take_having
from services.analyst.sql_plan import Group, RowCondition, SqlPlan
from services.analyst.sql_ranks import RankRoles
from services.analyst.sql_tags import DETERMINERS, LABEL_WORDS, TableReading, Tag
from services.analyst.sql_unexplained_words import has_unexplained
from services.analyst.table_words import ROWS, NamedColumn
from services.analyst.unit_names import measured_in
from services.analyst.word_likeness import NEARLY
from services.language.inflection import is_past

_MOST_SHOWN = 10
_WHO = re.compile(r"\W*who (\w+)")
_OF_SEVERAL, _OF_ONE = ("are", "were", "have"), re.compile(r"\b(?:has|is|was)\b")
"""Verbs whose form tells whether several are asked for, or one."""


def read_plan(reading: TableReading) -> SqlPlan | None:
    """Return what is asked of a table; None where it is not one of the shapes, or where a word means something else."""
    having = take_having(reading)
    if reading.when.problem or not (reading.is_asked or having):
        return None
    return _Outcome(reading, having).plan()


class _Outcome(RankRoles):
    def __init__(self, reading: TableReading, having: GroupCondition | None) -> None:
        super().__init__(reading)
        self.having = having
        self.per: NamedColumn | None = None
        self.among: tuple[RowCondition, ...] = ()

    def plan(self) -> SqlPlan | None:
        """Return what it comes to."""
        tags = list(self.reading.tags)
        if self.having is not None and not self._take_having(self.having, tags):
            return None
        compare_columns(self.reading, self.chosen, tags)
        compare_dates(self.reading, self.chosen, tags)
        find_weekdays(self.reading, self.chosen)
        self.chosen.compare(tags)
        self.chosen.equal(tags)
        find_used_up(self.reading, self.chosen, tags)
        self.chosen.find_missing(tags)
        self.chosen.find_undone(tags)
        find_without_rows(self.reading, self.chosen)
        self.take_superlative(tags)
        left = self.take_roles(tags)
        for tag in sorted(left, key=lambda one: not one.values):
            self.take_leftover(tag)
        self.groups += take_contrast(self.reading, self.chosen)
        self.chosen.dates(self.groups, is_which=bool(sql_cues.which_units(self.reading.low)))
        if (
            self.chosen.failed
            or self._asks_more_of_what_is_missing()
            or not self._is_settled_in_unit()
            or self._has_lost_group(left)
            or (not self._is_per_owner() and self._has_lost_aggregate())
            or self._counts_twice()
            or (self.aggregate == "count" and self.counts_rows_of_another())
            or self._denies_of_some()
            or self._is_done_unread()
            or self._is_of_unnamed()
            or self._lacks_name()
            or has_unexplained(self.reading, self.chosen, self.groups, self.names)
        ):
            return None
        is_whole = self._is_sorted() and (not self.is_share or self._is_settled_share())
        return self._planned() if is_whole and (self.groups or self.aggregate) else None

    def _asks_more_of_what_is_missing(self) -> bool:
        """True where a column is to be empty and to have a value as well: no row has both."""
        missing = {one.column for one in self.chosen.conditions if one.operator == "missing"}
        return any(one.column in missing and one.operator != "missing" for one in self.chosen.conditions)

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
            counts_groups=self.having is not None and bool(self.reading.counts),
            having=None if self.having is None else (self.having.sign, self.having.figure),
            is_share=self.is_share,
            among=self.among,
            per=self.per,
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
        is_group = self.is_group(having.group)
        may_be_empty = any(group.column.table != self.reading.table.table for group in self.groups)
        is_counted = may_be_empty and bool(self.reading.counts)
        return is_group and not (is_counted and having.sign.startswith("<"))

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
            if tag is not None and is_agent(reading, tag):
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
        if self.aggregate == "median" and not has_median(self.reading.table.table.dialect):
            return True
        if self.aggregate == "count":
            return bool(named - {"sum"}) or self._has_lost_total()
        return bool(self.aggregate) and bool(named - {"sum", self.aggregate})

    def _is_per_owner(self) -> bool:
        """Read "how many tickets are there per customer on average": rows for each of those that they lead to."""
        named = {name for _, _, name in self.reading.aggregates}
        if len(self.reading.marks) > 1:
            return False  # "bids per lot by category"
        is_plain = self.aggregate == "count" and self.measure is None and self.rank is None and self.having is None
        if named != {"avg"} or not is_plain or self.reading.units or self.is_share or not self.reading.counts:
            return False
        keys = {group.column for group in self.groups if group.is_hidden}
        shown = [group.column for group in self.groups if not group.is_hidden]
        own = [
            join.column
            for join in self.reading.joins
            if join.other in keys or (shown[:1] == [join.other] and {one.table for one in shown} == {join.other.table})
        ]
        if len(own) != 1 or own[0].table != self.reading.table.table:
            return False
        self.per, self.groups = own[0], []
        return True

    def _has_lost_total(self) -> bool:
        """True for the "total cost" of what is counted nevertheless."""
        counted = self.counted.places if self.counted is not None else set()
        ends = {end + 1 for start, end, _ in self.reading.aggregates if self.reading.low[start:end] == "total"}
        words = enumerate(self.reading.words)
        behind = [at for at, word in words if word.start in ends and word.low not in FUNCTION_WORDS]
        return any(at not in counted | self.reading.cues | self.chosen.used for at in behind)

    def _denies_of_some(self) -> bool:
        """True for "customers without a paid order" that are counted by their orders: those paid may be others."""
        counted = [join.table.table for join in self.reading.joins if join.column == self.measure]
        others = [one for one in self.chosen.conditions if one.column.table not in counted]
        return self.is_distinct and any(one.operator in ("not in", "false", "missing") for one in others)

    def _is_done_unread(self) -> bool:
        """True for all rows of "how many shows sold out": what it says of them is of a number, and chooses some."""
        is_whole = self.aggregate == "count" and not (self.chosen.conditions or self.groups or self.measure)
        behind = [tag for tag in self.reading.tags if self.counted and tag.first == self.counted.last]
        words = self.reading.words
        return is_whole and any(
            tag.column() == tag.column("number") and is_past(words[tag.first].low) for tag in behind
        )

    def _is_of_unnamed(self) -> bool:
        """True where rows are counted for a rank, and nothing in the question says which rows."""
        low = self.reading.low
        is_named = sql_cues.has("ends_most", low) or sql_cues.has("most_done", low)
        is_often = self.rank is not None and self.rank.is_often and not is_named
        if self.rank is None or is_often or self.aggregate != "count" or self.counted is not None:
            return False
        table = self.reading.table
        own = [*(one.column.table for one in self.groups), *(one.column.table for one in self.chosen.conditions)]
        if table.table in own and not sql_cues.has("most_done", low):
            return False
        return not self.names_rows()

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
        is_plain = self.aggregate == "count" and self.measure is None and self.having is None
        if self.groups and not self.chosen.conditions:
            return is_plain and self.rank is None
        if is_plain and self._is_share_among(chosen):
            return True
        is_within = chosen and (chosen[0].operator in ("true", "false") or self.rank is not None)
        says = is_within or sql_cues.has("share_having", self.reading.low)
        return is_plain and len(chosen) == 1 and (not self.groups or says)

    def _is_share_among(self, chosen: Sequence[RowCondition]) -> bool:
        """Read "of trade orders what share was returned": the verb parts what is asked from the rows that it is of."""
        words, where = self.reading.words, self.chosen.where
        head = self.counted.last if self.counted is not None else len(words)
        starts = {one: words[where[one.column]].start for one in chosen if one.column in where}
        ends = [end for _, end in sql_cues.spans("share_having", self.reading.low)]
        verbs = [end for end in ends if head == len(words) or end > words[head - 1].end]
        parts = [[one for one, start in starts.items() if start >= verb] for verb in sorted(verbs, reverse=True)]
        parts.append([one for one in starts if where[one.column] == head])
        behind = next((part for part in parts if part), [])
        compared = max((start for start, *_ in sql_cues.compared_in(self.reading.low)), default=-1)
        if len(behind) != 1 or self.rank is not None or compared > max(verbs, default=compared):
            return False
        self.among = tuple(one for one in chosen if one not in behind)
        return bool(self.among) or where[behind[0].column] == head

    def _take_unit(self) -> None:
        """Give what is measured in the unit that is asked for: "downtime in hours"."""
        if self.measure is None or self.aggregate == "count":
            return
        words = self.reading.words
        for place, word in enumerate(words):
            is_of = [following.low for following in words[place + 1 : place + 2]] == ["of"]  # "hours of exposure"
            is_free = is_of or place not in self.chosen.used | self.reading.taken | self.reading.cues
            if not is_free or not measured_in(word.low) or not self.measure.measures:
                continue
            measured = measured_as(word.low, self.measure)
            if measured is not None:
                self.measure = measured
                self.chosen.used.add(place)

    def _limit(self) -> int:
        """One where a single one is asked for; of several without a number ten."""
        low = self.reading.low
        if sql_cues.which_units(low) or self.ranked is None:
            return 1
        word = self.reading.words[self.ranked.last - 1]
        who = _WHO.match(low)
        if who is not None and who[1] not in _OF_SEVERAL:
            return 1  # "who took the most samples", of whatever many samples
        has_one = _OF_ONE.search(low)
        return _MOST_SHOWN if (is_plural(word) and not has_one) or sql_cues.spans("ranking", low) else 1

    # -- what it comes to

    def _is_list(self) -> bool:
        """Show which rows meet conditions that are no dates: "which premises have no meter"."""
        reading, first = self.reading, self.reading.tags[0]
        is_of_table = first.fit(reading.table) >= NEARLY and not first.values
        is_plain = not (self.groups or self.measure or reading.units or reading.aggregates or reading.counts)
        chosen = [one.operator for one in self.chosen.conditions]
        if not (is_of_table and is_plain and chosen and "dated" not in chosen):
            return False
        self.groups = [Group(name) for name in names_of(reading.table)]
        return True

    def _is_settled_in_unit(self) -> bool:
        is_settled = self._is_settled()
        self._take_unit()
        return is_settled

    def _asks_which(self) -> bool:
        """True for "which premises ..." and for nothing but the rows that lack others: "members without a loan".

        "Members without a loan?" asks how many there are.
        """
        low = self.reading.low
        lacks = any(one.operator == "without rows" for one in self.chosen.conditions)
        return sql_cues.has("lists", low) or (lacks and sql_cues.has("bare", low) and not low.endswith("?"))

    def _is_settled(self) -> bool:
        if self.having is not None:
            return bool(self.groups)
        if self.rank is None and self._asks_which() and self.reading.tags and self._is_list():
            return True
        if found := last_date(self.reading, self.chosen):
            (self.measure, is_latest), is_plain = found, not (self.groups or self.measure)
            self.aggregate = "max" if is_latest else "min"
            return is_plain
        self.take_value()
        self.take_only_figure()
        if self.rank is not None:
            return self.is_settled_rank(self.rank)
        self._take_how()
        if self.measure is not None:
            is_average = self.aggregate == "sum" and "on average" in self.reading.low
            self.aggregate = "avg" if is_average else self.aggregate or "sum"
            return True
        says = bool(self.reading.counts or self.reading.units) or self._says_alone()
        is_bare = sql_cues.has("bare", self.reading.low) and bool(self.chosen.conditions)
        if self.broken_down is not None and not self.reading.counts and (self.groups or is_bare):
            self.counted, says = self.broken_down, True
        return says and self.is_count()

    def _says_alone(self) -> bool:
        """True for a breakdown, and for nothing but the rows: "open orders of the web shop"."""
        low, table = self.reading.low, self.reading.table
        is_named = any(tag.fit(table) >= ROWS and not tag.values for tag in self.reading.tags)
        is_named |= any(NEARLY <= tag.fit(table) >= tag.of_column for tag in self.reading.tags[:1])
        first = self.reading.tags[0] if self.reading.tags else None
        is_of_value = first is not None and bool(first.values) and is_plural(self.reading.words[first.last - 1])
        if sql_cues.has("bare", low) and is_of_value and self.groups:
            return True  # "hires per recruiter"
        is_bare = sql_cues.has("bare", low) and is_named and not self.groups and bool(self.chosen.conditions)
        return is_bare or self.is_crossed or sql_cues.has("shares_out", low)

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
