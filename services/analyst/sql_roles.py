"""What each name of a question is for: what is counted, measured, grouped by, ranked, or chosen."""

from dataclasses import replace

from services.analyst import sql_cues
from services.analyst.question_words import is_plural, stem
from services.analyst.row_names import names_of
from services.analyst.sql_agents import is_agent, is_verb_of_agent
from services.analyst.sql_conditions import ConditionReader
from services.analyst.sql_cues import Rank
from services.analyst.sql_plan import Aggregate, Group, RowCondition
from services.analyst.sql_tags import TableReading, Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.word_likeness import NEARLY
from services.language.inflection import is_past

_OF_WORTH_AND_AGE = ("good", "bad", "old", "young", "new", "recent", "early")
_OF_SPEED = ("slow", "fast", "quick")
"""What takes more time is less of it, and what takes less is more."""
OF_AMOUNTS = frozenset(map(stem, words_named("amounts")))
"""What is done more or less of, and not more or less often."""
ADDED = frozenset(map(stem, words_named("added")))
"""What a group has altogether, even where its highest is asked for."""
_BEFORE_ALL, _BEHIND_ALL = {"us", "them", "the"}, ("in", "on", "for", "at")
_SURELY = 0.95
"""How well words fit the column that they mean and no other."""


class Roles:
    """Gives each name of a question its role beside one table."""

    def __init__(self, reading: TableReading) -> None:
        self.reading = reading
        self.rank: Rank | None = reading.rank
        self.chosen = ConditionReader(reading)
        self.names: set[str] = set()
        self.groups: list[Group] = []
        self.measure: NamedColumn | None = None
        self.aggregate: Aggregate = ""
        self.is_distinct = False
        self.shown: list[NamedColumn] = []
        self.counted: Tag | None = None
        self.ranked: Tag | None = None
        self.broken_down: Tag | None = None
        self.is_crossed = False
        self._is_superlative = False
        self.is_ordered = False
        self._behind_measure = -1

    def use(self, tag: Tag) -> None:
        """Take what a tag names as read."""
        self.chosen.used |= tag.places
        self.names |= {word for _, one in tag.tables[:1] for word in one.words}
        self.names |= {word for _, one in tag.columns[:1] for word in one.words}

    # -- roles that a cue gives

    def take_superlative(self, tags: list[Tag]) -> None:
        """Take the table itself as what is ranked: "the name and weight of the oldest dog"."""
        if self.rank is None or not self.rank.adjective or self.rank.is_often:
            return
        for tag in tags:
            if tag.fit(self.reading.table) >= 0.9 and self.reading.follows(tag, self.reading.rank_spans[:1]):
                self.ranked, self._is_superlative = tag, True
                self.use(tag)
                tags.remove(tag)
                return

    def take_roles(self, tags: list[Tag]) -> list[Tag]:
        """Give each tag that a cue leads to its role, and return the others."""
        left, is_after_group = [], False
        for place, tag in enumerate(tags):
            following = tags[place + 1] if place + 1 < len(tags) else None
            is_group = False
            if (
                tag.places <= self.reading.modifiers
                or self.reading.is_mere_label(tag, following)
                or self._is_measure(tag)
                or self._is_ordered_by_rows(tag)
                or self._is_ranked(tag)
                or self._is_counted(tag)
            ):
                self.use(tag)
            elif (self._is_led_to(tag, is_after_group=is_after_group) or self._is_listed(tag)) and self.is_group(tag):
                is_group = True
                self.use(tag)
            else:
                left.append(tag)
            is_after_group = is_group
        return left

    def _is_led_to(self, tag: Tag, *, is_after_group: bool) -> bool:
        """True where rows are to be grouped by what a tag names."""
        reading, end = self.reading, self.reading.before(tag)
        is_joined = reading.low[max(0, end - 3) : end] == "and"
        is_after_unit = any(0 <= end - 4 - last <= 1 for _, last, _ in reading.units)
        is_listed = is_joined and (is_after_group or is_after_unit)
        if is_agent(self.reading, tag):
            return False
        if reading.low[reading.words[tag.last - 1].end :].startswith((" breakdown", " distribution")):
            return True
        is_led = reading.follows(tag, reading.marks) or self._is_by_number(tag)
        return is_listed or is_led or self.reading.is_beside_count(tag)

    def _is_listed(self, tag: Tag) -> bool:
        """True for the "jobs" of "Rank the jobs by average salary"."""
        reading = self.reading
        behind = reading.low[reading.words[tag.last - 1].end :]
        start = len(reading.low) - len(behind.removeprefix(" by ").removeprefix("the "))
        is_measured = start in {first for first, *_ in (*reading.aggregates, *reading.counts)}
        return tag is reading.tags[0] and not tag.values and behind.startswith(" by ") and is_measured

    def _is_counted(self, tag: Tag) -> bool:
        is_named = bool(tag.tables or tag.columns) and not tag.values and not tag.is_flag
        if self.counted is not None or not is_named or not self.reading.follows(tag, self.reading.counts):
            return False
        if self._is_by_number(tag):
            return False
        if not tag.tables and any(one.first == tag.last and one.of_table >= NEARLY for one in self.reading.tags):
            return False  # the "official" of "official languages", which are rows
        self.counted = tag
        return True

    def _is_by_number(self, tag: Tag) -> bool:
        """True for the "stars" of "reviews by number of stars", where nothing ranks: they are what rows have."""
        starts = {start - 1 for start, end in self.reading.counts if self.reading.before(tag) == end}
        is_led = any(end in starts and self.reading.low[first:end] == "by" for first, end in self.reading.marks)
        return is_led and self.rank is None and tag.column("number") is not None

    def _is_measure(self, tag: Tag) -> bool:
        """Take a column of numbers that is summed, averaged or ranked by."""
        column = tag.column("number", "flag") if not tag.values else None
        if column is None or column.kind == "flag" or self.measure is not None:
            return False
        likely = tag.columns[0][1].kind
        if tag.of_column >= _SURELY and (likely == "text" or (likely == "key" and tag.worth(column) < NEARLY)):
            return False  # "items" are no quantity
        is_spent_on = self._is_spent_on(tag) or self._is_compared_with_all(tag)
        aggregate: Aggregate = "sum" if is_spent_on else self.reading.aggregate_before(tag)
        is_order = self._is_order(tag)
        ranks = (
            is_order or is_spent_on or (not self._is_superlative and self.reading.follows(tag, self.reading.rank_spans))
        )
        if not aggregate and (not ranks or tag.of_table >= tag.of_column):
            return False
        self.measure, self.aggregate, self._behind_measure = column, aggregate, tag.last
        if ranks:
            is_done = is_past(self.reading.words[tag.first].low)  # "best paid"
            self.chosen.failed |= not (is_order or is_done) and self._is_beside_adjective(column)
            self.forget_adjective()
        self.is_ordered = is_order
        return True

    def _is_beside_adjective(self, column: NamedColumn) -> bool:
        """True for "the best time" and "the oldest price": neither says which way figures of it rank."""
        if self.rank is None or self.rank.adjective not in _OF_WORTH_AND_AGE:
            return False
        is_meant = any(column.has_words(one.column) for one in sql_cues.ADJECTIVES.get(self.rank.adjective, ()))
        return not is_meant and not ADDED & set(column.words)

    def _is_ordered_by_rows(self, tag: Tag) -> bool:
        """Take the "parcels" of "busiest centre by parcels" for what is counted."""
        is_rows = tag.fit(self.reading.table) >= 0.9 and not tag.values and self.counted is None
        if not is_rows or tag is self.reading.tags[0] or self.measure is not None or not self._is_order(tag):
            return False
        self.counted = tag
        if self.rank is not None:
            is_little = self.rank.adjective in sql_cues.LITTLE
            self.rank = replace(self.rank, adjective="", descending=self.rank.descending != is_little)
        return True

    def _is_order(self, tag: Tag) -> bool:
        """True for the "revenue" of "top 5 by revenue"."""
        end = self.reading.before(tag)
        starts = [first for first, last, _ in self.reading.aggregates if last == end]
        before = self.reading.low[: min(starts, default=end)].rstrip()
        return self.rank is not None and before.endswith(" by")

    def _is_spent_on(self, tag: Tag) -> bool:
        """True for the "parts" of "spent the most on parts"."""
        words, ends = self.reading.words, {end for _, end in self.reading.rank_spans}
        return tag.first > 1 and words[tag.first - 1].low in ("on", "in", "for") and words[tag.first - 2].end in ends

    def _is_compared_with_all(self, tag: Tag) -> bool:
        """True for the "consumption" of "when was consumption highest" and the "cost" of "what cost us the most"."""
        words, (start, end) = self.reading.words, self.reading.rank_spans[0] if self.reading.rank_spans else (0, 0)
        between = {word.low for word in words if words[tag.last - 1].end <= word.start < start}
        behind = next((word.low for word in words if word.start >= end), "in")
        is_done = words[tag.first].stem in OF_AMOUNTS or not between
        return 0 < words[tag.last - 1].end <= start and between <= _BEFORE_ALL and is_done and behind in _BEHIND_ALL

    def forget_adjective(self) -> None:
        """Keep of "the shortest" which way it ranks, where the question says what it measures."""
        if self.rank is not None and self.rank.adjective:
            is_time = self.measure is not None and self.measure.measures == "time"
            is_little = (self.rank.adjective in sql_cues.LITTLE) != (is_time and self.rank.adjective in _OF_SPEED)
            self.rank = replace(self.rank, adjective="", descending=self.rank.descending != is_little)

    def is_group(self, tag: Tag) -> bool:
        """Group by what a tag names: a column, or what another table's rows are called by."""
        own = tag.fit(self.reading.table)
        if own >= 0.9 and own >= tag.of_column:
            return False
        column = tag.column("text", "flag", "year", "key", "list") or tag.column("number")
        dated = tag.column("date")
        if tag.tables and own < tag.of_table and (column is None or tag.of_table >= tag.of_column):
            self._group_by(tag.tables[0][1])
        elif dated is not None and (column is None or tag.columns[0][1] is dated):
            self.groups += [] if self.reading.units else [Group(dated)]
        elif column is not None:
            self.groups += self.called(column)
        elif tag.tables:
            self._group_by(tag.tables[0][1])
        return bool(column or dated or tag.tables)

    def _group_by(self, table: NamedTable) -> None:
        keys = [join.other for join in self.reading.joins if join.table is table and join.other not in table.labels]
        self.groups += [*(Group(key, is_hidden=True) for key in keys), *(Group(name) for name in names_of(table))]

    def called(self, column: NamedColumn) -> list[Group]:
        """Return a group of a column; of the key of another table, what that table's rows are called."""
        for join in self.reading.joins:
            if (column.column.name, column.table) == (join.column.column.name, join.column.table):
                is_key = join.other in join.table.labels
                key = [] if is_key else [Group(join.other, is_hidden=not join.table.role)]
                return [*key, *(Group(name) for name in names_of(join.table))]
        return [Group(column)]

    def _is_ranked(self, tag: Tag) -> bool:
        """Take what is ranked: "which city", "top 5 products", "the three most common breeds"."""
        reading = self.reading
        follows = reading.follows(tag, reading.rank_spans)
        if self.rank is None or self.ranked is not None or tag.values:
            return False
        if self.counted is not None and not follows:
            return False
        before = reading.low[: reading.words[tag.first].start].rstrip()
        is_led = reading.words[tag.first].start > reading.rank_spans[0][0] or not reading.follows(tag, reading.marks)
        is_first = (
            tag is reading.tags[0] and is_led and not reading.counts and not sql_cues.has("behind_which", reading.low)
        )
        is_holder = bool(tag.tables) and sql_cues.has("has_most", self._between(tag))
        if not (follows or is_first or is_holder or tag.first == self._behind_measure or sql_cues.has("asked", before)):
            return False
        if not tag.tables and not tag.column("text", "key", "year", "flag", "date"):
            return False
        self.ranked = tag
        return True

    def _between(self, tag: Tag) -> str:
        """Return what stands between a tag and the rank behind it."""
        end, (start, _) = self.reading.words[tag.last - 1].end, self.reading.rank_spans[0]
        return self.reading.low[end:start]

    # -- what no cue leads to

    def take_leftover(self, tag: Tag) -> None:
        """Take a name that no cue leads to for a condition, or for a mention of what is read already."""
        is_capitalised = self.reading.words[tag.first].is_capitalised
        if tag.values and (tag.of_column < 0.95 or is_capitalised):
            self.chosen.choose(tag)
        elif tag.is_flag:
            self.chosen.flag(tag)
        elif (self._may_be_present(tag) and self.chosen.find_present(tag)) or self._is_mentioned(tag):
            self.use(tag)

    def _may_be_present(self, tag: Tag) -> bool:
        """True where a name may say what rows have; beside a rank only in "with a defect"."""
        is_with = [word.low for word in self.reading.words[max(0, tag.first - 2) : tag.first - 1]] == ["with"]
        return not tag.tables and (self.rank is None or is_with)

    def _is_mentioned(self, tag: Tag) -> bool:
        """True for a name that goes with the rest of the question, and says no more."""
        if tag.tables:
            if self._is_ranked_by_others(tag):
                self.counted = tag
                return True
            says_which = not (sql_cues.has("how_many_of", self.reading.low) or self._counts_value())
            if says_which and self.counted is None and not self.aggregate and not self.measure and self.reading.counts:
                self.counted = tag
            if not self._says_of_figure(tag):
                self.broken_down = self.broken_down or tag
            return True
        conditions = {one.column for one in self.chosen.conditions} | {self.measure}
        if self._is_late_measure(tag) or any(column in conditions for _, column in tag.columns):
            return True
        if self._is_noun_of_value(tag) or self._is_label_of_taken(tag) or self._is_part_of_group(tag):
            return True
        if self.ranked is not None:
            return self._is_counted_by_rank(tag) or self._is_shown(tag)
        return self._is_broken_down(tag) or self._is_crossed(tag) or self._is_repeated(tag)

    def _says_of_figure(self, tag: Tag) -> bool:
        """True for the "harvested" of "harvested kilos by farm"."""
        behind = next((one for one in self.reading.tags if one.first == tag.last), None)
        is_figure = behind is not None and behind.column("number") is not None and not behind.tables
        return is_figure and is_past(self.reading.words[tag.last - 1].low)

    def _is_ranked_by_others(self, tag: Tag) -> bool:
        """True for the "species" of "the reserve with the most species", which sightings lead to: each counts once."""
        is_free = self.ranked is not None and self.counted is None and self.measure is None
        is_key = tag.column() in {join.column for join in self.reading.joins}
        is_other = tag.of_table > max(tag.fit(self.reading.table), 0.0 if is_key else tag.of_column)
        return is_free and is_other and self.reading.follows(tag, self.reading.rank_spans)

    def _counts_value(self) -> bool:
        """True for "how many house fires", where the rows are called by a value."""
        return any(one.values and self.reading.follows(one, self.reading.counts) for one in self.reading.tags)

    def _is_noun_of_value(self, tag: Tag) -> bool:
        """True for the "students" of "advanced students", who are those of the rows."""
        before = next((one for one in self.reading.tags if one.last == tag.first and one.values), None)
        column = tag.column("text")
        is_own = column is not None and column.table == self.reading.table.table
        return is_own and before is not None and before.places <= self.chosen.used and self.counted is not None

    def _is_label_of_taken(self, tag: Tag) -> bool:
        """True for the "title" of "a crime title", which says of what table the value is."""
        taken = [*(one.column.table for one in self.chosen.conditions), *(one.column.table for one in self.groups)]
        others = [one for one in self.reading.tables[1:] if one.table in taken]
        return any(column in one.labels for _, column in tag.columns[:1] for one in others)

    def _is_part_of_group(self, tag: Tag) -> bool:
        """True for the "guests" of "which countries our guests come from", by whose country rows are grouped."""
        stems = {self.reading.words[place].stem for place in tag.places}
        columns = [group.column for group in self.groups]
        columns += [column for _, column in self.ranked.columns[:1]] if self.ranked else []
        return any(column.kind == "text" and stems < set(column.words) for column in columns)

    def _is_late_measure(self, tag: Tag) -> bool:
        column = tag.column("number")
        if column is None or self.measure is not None or not self.reading.aggregates or self.counted is not None:
            return False
        names = [name for _, _, name in self.reading.aggregates]
        self.measure, self.aggregate = column, "avg" if "avg" in names else names[0]
        return True

    def _is_counted_by_rank(self, tag: Tag) -> bool:
        """Take the "titles" of "which genre has the most titles" for what is counted."""
        table = self.reading.table.table
        is_own = any(column.table == table and column.kind in ("text", "key") for _, column in tag.columns[:1])
        if self.counted is not None or not is_own or not self.reading.follows(tag, self.reading.rank_spans):
            return False
        self.counted = tag
        return True

    def _is_shown(self, tag: Tag) -> bool:
        """Show a column beside what is ranked."""
        named = [column for _, column in tag.columns]
        is_event = tag.last - tag.first == 1 and is_past(self.reading.words[tag.first].low)
        if named and is_event and named[0] in self.reading.table.dates()[1:]:  # who "sold" most sold something
            self.chosen.conditions.append(RowCondition(named[0], "present"))
        elif named and not (is_event and named[0].kind != "text") and not is_verb_of_agent(self.reading, tag, named[0]):
            self.shown.append(named[0])
        return bool(named)

    def _is_broken_down(self, tag: Tag) -> bool:
        """Take the "revenue" of "revenue by channel"."""
        says = self.reading.counts or self.reading.aggregates
        if self.rank is not None and not says:
            return self._is_shown(tag)
        is_named = tag is self.reading.tags[0] and is_plural(self.reading.words[tag.last - 1])
        is_first = is_named and tag.column("text") == self.reading.table.columns[0]  # what rows are called by
        if says or not (is_first or tag.column("number")) or self.broken_down is not None:
            return False
        self.broken_down = tag
        return True

    def _is_crossed(self, tag: Tag) -> bool:
        """Group by the "status" of "status by line", too: rows are counted for each pair."""
        column = tag.column("text", "flag")
        is_first = tag is self.reading.tags[0] and not is_plural(self.reading.words[tag.last - 1])
        is_own = column is not None and column.table == self.reading.table.table and tag.columns[0][1] == column
        is_bare = sql_cues.has("bare", self.reading.low) and not (self.reading.counts or self.reading.aggregates)
        if (
            column is None
            or not (is_first and is_own and is_bare and self.groups)
            or column in self.reading.table.labels
        ):
            return False
        self.groups.insert(0, Group(column))
        self.is_crossed = True
        return True

    def _is_repeated(self, tag: Tag) -> bool:
        """True for what is grouped by already, for a date beside years, and for what rows are called by."""
        column = tag.column()
        if column is None:
            return False
        is_dated = column.kind in ("date", "year") and (self.reading.units or self.reading.when.way != "none")
        is_label = column.core != column.words and tag.of_column >= 0.8 and column.kind in ("text", "key")
        is_subject = is_label and (self.measure is not None or self.counted is not None)
        return bool(is_dated) or is_subject or column in {group.column for group in self.groups}
