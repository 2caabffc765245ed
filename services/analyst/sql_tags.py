"""A question beside a table: where it says what to do with rows, and which of its words name columns and values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.analyst import sql_cues
from services.analyst.day_counts import WORDS_OF_SPAN, days_between, days_named
from services.analyst.measure_units import column_of_unit, factor_between
from services.analyst.question_words import FUNCTION_WORDS, QuestionWord, stem
from services.analyst.sql_cues import DIRECTIONS, Rank, Span
from services.analyst.sql_plan import Aggregate, TableJoin
from services.analyst.sql_words import words_named
from services.analyst.table_words import ROWS, NamedColumn, NamedTable
from services.analyst.time_frame import TimeFrame
from services.analyst.unit_names import measured_in
from services.analyst.value_lookup import FoundValue
from services.analyst.word_likeness import SYNONYMS
from services.language.inflection import is_past

_LONGEST = 4
_LEAST, _LEAST_OF_EVENT, _LEAST_WITH_FIGURE, _WHOLE = 0.55, 0.75, 0.94, 0.99
_TIE, _MUCH = 0.04, 0.25
_JOINED, _FURTHER = 0.9, 0.85
_LEAST_MODIFIED, _MOST_MODIFIERS = 0.7, 3
OF_MODIFIERS = ("ed", "ing", "ly", "al", "ive", "ous", "ful", "less", "able", "est")
"""How adjectives end, which say of which rows something is asked."""
_PLACES = ("over", "above", "under", "below", "beyond")
DETERMINERS = words_named("determiners")
_OF_KINDS = frozenset(
    map(stem, ("type", "kind", "category", "class", "sort", "level", "group", "status", "method", "mode", "date"))
)
_MONEY = frozenset(map(stem, words_named("money")))
_ON_THE_WAY = {word for cues, _ in DIRECTIONS for word in cues.split() if word.endswith(("ing", "ed"))}
"""What flights and parcels do that says from where or to where they go."""
LABEL_WORDS = ("name", "titl", "title", "id")


@dataclass(frozen=True, slots=True)
class Tag:
    """Words of a question that name a column, a table or a value: all that they may mean, the likeliest first."""

    first: int
    last: int
    columns: tuple[tuple[float, NamedColumn], ...] = ()
    tables: tuple[tuple[float, NamedTable], ...] = ()
    values: tuple[FoundValue, ...] = ()

    @property
    def places(self) -> set[int]:
        """The places of its words."""
        return set(range(self.first, self.last))

    @property
    def score(self) -> float:
        """How well the words fit the likeliest."""
        best = [self.of_column, self.of_table]
        return max([*best, 1.0] if self.values else best)

    @property
    def of_column(self) -> float:
        """How well the words fit a column."""
        return self.columns[0][0] if self.columns else 0.0

    @property
    def of_table(self) -> float:
        """How well the words fit a table."""
        return self.tables[0][0] if self.tables else 0.0

    @property
    def is_flag(self) -> bool:
        """True for the name of a column that says yes or no."""
        return bool(self.columns) and self.columns[0][1].kind == "flag"

    def worth(self, column: NamedColumn) -> float:
        """Return how well the words fit a column."""
        return max((score for score, one in self.columns if one == column), default=0.0)

    def column(self, *kinds: str) -> NamedColumn | None:
        """Return the likeliest column of these kinds."""
        return next((column for _, column in self.columns if column.kind in kinds or not kinds), None)

    def fit(self, table: NamedTable) -> float:
        """Return how well the words name a table."""
        return max((score for score, one in self.tables if one is table), default=0.0)


class TableReading:
    """A question read as one about the rows of `table`; `joins` lead to others that it may group and choose by."""

    def __init__(
        self,
        text: str,
        words: Sequence[QuestionWord],
        when: TimeFrame,
        table: NamedTable,
        joins: Sequence[TableJoin],
        values: Sequence[FoundValue],
    ) -> None:
        self.words, self.when, self.table, self.joins, self.values = words, when, table, tuple(joins), values
        self._nearness = {one.table.table.sql_name: _FURTHER if one.via else _JOINED for one in joins}
        self.low = text.lower()
        self.tables = [table, *(join.table for join in joins)]
        self.columns = [column for one in self.tables for column in one.columns]
        self.columns += days_between(table)
        self.units = [one for one in sql_cues.units_in(self.low) if not self._is_in_name(one[0], one[1])]
        dated = {place for span in when.spans for place in self.places(*span)}
        self.taken = dated - {place for start, end, _ in self.units for place in self.places(start, end)}
        text = self._open()
        self.order = sql_cues.order_in(text)
        if self.order is not None:
            (start, end), _ = self.order
            text = text[:start] + "#" * (end - start) + text[end:]
        ranked = sql_cues.rank_in(sql_cues.without_done(text, words, self._named_done()), words)
        self.rank_spans: list[Span] = ranked[0] if ranked else []
        self.rank: Rank | None = ranked[1] if ranked else None
        self.counts = sql_cues.spans("count", text)
        cues = [*self.rank_spans, *self.counts]
        self.aggregates = [
            one for one in sql_cues.aggregates_in(text) if not any(a < one[1] and one[0] < b for a, b in cues)
        ]
        self.marks = sql_cues.spans("group", text)
        self.compared = [one for one in sql_cues.compared_in(text) if self._is_compared(one[0], one[1])]
        self.cues = self._cue_places()
        self.others: frozenset[str] = frozenset()
        """The words of all other tables' names."""
        self.rivals: tuple[NamedTable, ...] = ()
        """The other tables of the same database, but for those that rows lead to."""
        self.leading: Callable[[], tuple[TableJoin, ...]] = tuple
        """Returns the tables whose rows lead to those of this one; values may have to be compared for it."""
        self.values_in: Callable[[NamedTable], Sequence[FoundValue]] = lambda _: ()
        """Looks up the values of another table that the question names."""
        self.passed_over = 0
        """How many words are taken for events by their place alone."""
        self.modifiers: set[int] = set()
        self.tags = self._tagged()
        dated_words = {word for one in self.columns if one.kind in ("date", "year") for word in one.words}
        self.modifiers = self._modifiers() | sql_cues.before_units(self.units, words, dated_words)

    @property
    def is_asked(self) -> bool:
        """True where the question says what to do with rows."""
        cues = (self.counts, self.aggregates, self.rank, self.units, self.marks)
        return any(cues) or any(sql_cues.has(name, self.low) for name in ("contrast", "when_last", "lists", "bare"))

    @property
    def tag_places(self) -> set[int]:
        """The places of all words that name something."""
        return {place for tag in self.tags for place in tag.places}

    def places(self, start: int, end: int) -> Iterator[int]:
        """Yield the places of the words between two characters."""
        return (place for place, word in enumerate(self.words) if word.start < end and start < word.end)

    def near(self, one: NamedColumn | NamedTable) -> float:
        """Return what a fit counts: one of a table that rows lead to counts less, the further it is."""
        return self._nearness.get(one.table.sql_name, 1.0)

    def _is_compared(self, start: int, end: int) -> bool:
        """False for "under" and "over" before what is no number: "under a clear sky"."""
        behind = [word for word in self.words if word.start >= end][:3]
        is_place = self.low[start:end] in _PLACES and behind and behind[0].low in DETERMINERS
        return not is_place or any(word.is_number for word in behind)

    def _is_in_name(self, start: int, end: int) -> bool:
        """True for the "annual" of an `annual_premium`, which asks for nothing per year."""
        places = list(self.places(start, end))
        named = {word.stem for word in self.words[places[0] : places[-1] + 2]}
        return len(places) == 1 < len(named) and any(named <= set(one.words) for one in self.columns)

    def follows(self, tag: Tag, cues: Sequence[tuple[int, ...]]) -> bool:
        """True where a cue stands before a tag, with nothing but articles and chosen values in between."""
        end = self.before(tag)
        return any(cue[1] == end for cue in cues)

    def before(self, tag: Tag) -> int:
        """Return the end of the word before a tag, articles and chosen values left out; 0 where there is none."""
        chosen = {place for one in self.tags if one.values or one.is_flag for place in one.places} | self.modifiers
        chosen -= tag.places
        place = tag.first - 1
        small = DETERMINERS | _ON_THE_WAY
        while place >= 0 and (self.words[place].low in small or place in chosen) and place not in self.cues:
            place -= 1
        return self.words[place].end if place >= 0 else 0

    def _modifiers(self) -> set[int]:
        """Find what only says more of a column behind a cue: "by the home branch", "per member's branch"."""
        cues = {end for _, end, *_ in (*self.marks, *self.aggregates)}
        found: set[int] = set()
        for tag in self.tags:
            if tag.values or tag.of_column < _LEAST_MODIFIED:
                continue
            place, passed = tag.first - 1, set[int]()
            while place >= 0 and len(passed) < _MOST_MODIFIERS and self._modifies(place, tag):
                passed.add(place)
                place -= 1
            while place >= 0 and self.words[place].low in DETERMINERS and place not in self.cues:
                place -= 1
            if place >= 0 and self.words[place].end in cues:
                found |= passed
        return found

    def _modifies(self, place: int, tag: Tag) -> bool:
        word = self.words[place]
        named = next((one for one in self.tags if place in one.places), None)
        if named is not None:
            columns = {one for _, table in named.tables for one in table.columns}
            return not named.values and tag.columns[0][1] in columns
        is_noun = not word.low.endswith(OF_MODIFIERS) and not word.is_number
        return word.low == "'s" or (is_noun and word.low not in FUNCTION_WORDS and place not in self.cues | self.taken)

    def is_mere_label(self, tag: Tag, following: Tag | None) -> bool:
        """True for the "names" of "names of the customers": they are what the customers are called by anyway."""
        words = self.words
        if following is None or following.values or words[tag.last - 1].stem not in LABEL_WORDS:
            return False
        between = [word.low for word in words[tag.last : following.first]]
        return tag.last - tag.first == 1 and between[:1] == ["of"] and set(between[1:]) <= DETERMINERS

    def is_beside_count(self, tag: Tag) -> bool:
        """True for the "hometowns" of "hometowns and the number of teachers from each"."""
        end = self.words[tag.last - 1].end
        cues = [start for start, _ in self.counts] + [start for start, _, _ in self.aggregates]
        starts = [start for start in cues if start >= end]
        return self.rank is None and bool(starts) and bool(sql_cues.BESIDE.fullmatch(self.low[end : min(starts)]))

    def aggregate_before(self, tag: Tag) -> Aggregate:
        """Return the aggregate whose word stands before a tag or in it."""
        words, skipped = self.words, DETERMINERS | {"value", "number", "amount"}
        start, stop = words[tag.first].start, words[tag.last - 1].end
        for first, last, name in reversed(self.aggregates):
            between = [word.low for word in words if last <= word.start < start]
            if start <= first < stop or (last <= start and set(between) <= skipped):
                return name
        return ""

    def _open(self) -> str:
        """The question in lower case, with its dates blotted out."""
        text = self.low
        for place in self.taken:
            word = self.words[place]
            text = text[: word.start] + "#" * (word.end - word.start) + text[word.end :]
        return text

    def _named_done(self) -> set[int]:
        """Return the places of values, and of words that name a column of yes and no: "cancelled"."""
        flags = [one for one in self.columns if one.kind == "flag"]
        done = {p for span in sql_cues.spans("most_done", self.low) for p in self.places(*span)}
        named = {p for p in done if any(one.fit([self.words[p].stem]) >= _LEAST_OF_EVENT for one in flags)}
        return named | {place for one in self.values for place in range(one.first, one.last)}

    def _cue_places(self) -> set[int]:
        found = [*self.rank_spans, *self.counts, *self.marks, *([self.order[0]] if self.order else [])]
        found += [(start, end) for start, end, _ in (*self.aggregates, *self.compared, *self.units)]
        return {place for start, end in found for place in self.places(start, end)}

    def _tagged(self) -> list[Tag]:
        tags, place = [], 0
        while place < len(self.words):
            tag = self._tag_at(place)
            if tag is not None:
                tags.append(tag)
            place = place + 1 if tag is None else tag.last
        return tags

    def _tag_at(self, place: int) -> Tag | None:
        """Return what the words from a place on name: the longest that fits, where no shorter fits much better."""
        if days := days_named(self.table, self.words[place : place + WORDS_OF_SPAN]):
            return Tag(place, place + WORDS_OF_SPAN, ((1.0, days),))
        if (measured := self._in_unit(place)) is not None:
            return measured
        best: Tag | None = None
        for length in range(min(_LONGEST, len(self.words) - place), 0, -1):
            tag = self._tag(range(place, place + length))
            if tag is not None and (best is None or tag.score > best.score + _MUCH):
                best = tag
        return best

    def _in_unit(self, place: int) -> Tag | None:
        """Return "hours of exposure" as a name of what is measured, in whatever unit."""
        is_unit = [word.low for word in self.words[place + 1 : place + 2]] == ["of"] and place + 2 < len(self.words)
        named = self._tag_at(place + 2) if is_unit and measured_in(self.words[place].low) else None
        column = named.column("number") if named is not None else None
        if column is None and named is not None and named.fit(self.table) >= ROWS:  # "hours of lessons"
            column = column_of_unit(self.words[place].low, self.table)
        if named is None or column is None or factor_between(self.words[place].low, column) is None:
            return None
        return Tag(place, named.last, ((1.0, column),))

    def _tag(self, places: range) -> Tag | None:
        first, last = places.start, places.stop
        values = tuple(one for one in self.values if (one.first, one.last) == (first, last))
        small = [p for p in places if self._is_small(p, places)]
        if self._is_no_name(places, small) and not values:
            return None
        stems = self._turned(places) or [self.words[p].stem for p in places]
        small = [] if len(stems) < len(places) else small
        inside = not small or (first not in small and last - 1 not in small)
        columns = [] if self._ends_with_event(places) else self._columns(stems, self._least(places, small))
        if not inside:
            columns = [one for one in columns if one[0] >= _WHOLE and len(places) > 1]
        tables = self._tables(stems, self._least(places, small)) if inside else []
        name = "_".join(self.words[p].low for p in places)
        if exact := [one for one in tables if one[1].table.table.name.lower() == name]:
            tables = exact  # "observers" are no observations, though their stems are one
        return Tag(first, last, tuple(columns), tuple(tables), values) if columns or tables or values else None

    def _is_no_name(self, places: range, small: Sequence[int]) -> bool:
        """True for words that a date, a cue or a comma stands between, and for those that say nothing."""
        parted = any(self.words[p].gap.strip(" -'\"“”") for p in places[1:])
        return (
            parted or bool(self.taken.intersection(places)) or self._begins_small(places) or len(small) == len(places)
        )

    def _ends_with_event(self, places: range) -> bool:
        """True for "parcels weighed", which is no "weight of a parcel"."""
        rows = [self.words[p].stem for p in places[:-1]]
        return is_past(self.words[places[-1]].low) and bool(rows) and self.table.fit(rows) >= _WHOLE

    def _is_small(self, place: int, places: range) -> bool:
        """True for a small word, but for the end of a "drop-off"."""
        word = self.words[place]
        is_end = place > places.start and word.gap == "-" and place == places.stop - 1
        return not is_end and (word.low in FUNCTION_WORDS or place in self.cues)

    def _turned(self, places: range) -> list[str]:
        """Return the stems of "type of a bike" as those of "bike type"; none of other words."""
        lows = [self.words[p].low for p in places]
        kinds = [self.words[p].stem for p in places[: lows.index("of")]] if "of" in lows else []
        behind = [p for p in places[len(kinds) + 1 :] if self.words[p].low not in DETERMINERS]
        is_plain = len(kinds) == 1 and kinds[0] in _OF_KINDS and behind[-1:] == [places[-1]]
        if not is_plain or any(self._is_small(p, places) for p in behind):
            return []
        return [*(self.words[p].stem for p in behind), *kinds]

    def _begins_small(self, places: range) -> bool:
        return self.words[places.start].low in DETERMINERS

    def _least(self, places: range, small: Sequence[int]) -> float:
        """Return how well words have to fit: figures and events fit by chance."""
        if small:
            return _WHOLE
        if any(self.words[p].is_number for p in places):
            return _LEAST_WITH_FIGURE
        return _LEAST_OF_EVENT if len(places) == 1 and self.words[places.start].low.endswith("ed") else _LEAST

    def _columns(self, stems: Sequence[str], least: float) -> list[tuple[float, NamedColumn]]:
        if stems[0] in ("number", "count") and any(table.fit(stems[-1:]) > 0.9 for table in self.tables):
            return []  # "number of matches" counts matches, though there is a match_num
        is_any_key = list(stems) in (["id"], ["code"])  # of which table is not said
        columns = self.table.columns if is_any_key else self.columns
        found = [(self.near(one) * one.fit(stems), one) for one in columns]
        if stems[0].startswith("un") and len(stems) == 1:  # "unpaid"
            bare = [stem(stems[0][2:])]
            found += [(self.near(one) * one.fit(bare), one) for one in self.columns if one.kind == "flag"]
        ranked = sorted((one for one in found if one[0] >= least), key=lambda one: -one[0]) or self._of_money(stems)
        return self._unambiguous(ranked, set(stems))

    @cached_property
    def _meant(self) -> set[str]:
        """The words of columns that the one direction of a question means; none where it has both."""
        lows = {word.low for word in self.words}
        meant = [set(map(stem, columns.split())) for cues, columns in DIRECTIONS if lows & set(cues.split())]
        return meant[0] if len(meant) == 1 else set()

    def _of_money(self, stems: Sequence[str]) -> list[tuple[float, NamedColumn]]:
        """Return for "money" the one of several columns of money that another word means: "awarded the most money"."""
        if not set(stems) <= _MONEY:
            return []
        others = {word.stem for word in self.words} - _MONEY
        found = [one for one in self.table.columns if one.measures == "money" and others & set(one.words)]
        return [(_LEAST_OF_EVENT, found[0])] if len(found) == 1 else []

    def _tables(self, stems: Sequence[str], least: float) -> list[tuple[float, NamedTable]]:
        found = [(self.near(one) * one.fit(stems), one) for one in self.tables]
        if len(stems) > 1:  # the "home branch" that a `home_branch_id` leads to
            ways = [one for one in self.joins if set(stems[:-1]) <= set(one.column.words)]
            found += [(self.near(one.table) * one.table.fit(stems[-1:]), one.table) for one in ways]
        return self._of_one_way(sorted((one for one in found if one[0] >= least), key=lambda one: -one[0]))

    def _of_one_way(self, found: list[tuple[float, NamedTable]]) -> list[tuple[float, NamedTable]]:
        """Leave out tables that rows lead to in several ways, but for the one that other words mean."""
        ways = [table for _, table in found if table.role]
        if len(ways) < 2:
            return found
        asked = {word.stem for word in self.words} | self._meant
        meant = [table for table in ways if asked & set(table.role)]
        return [one for one in found if not one[1].role or meant == [one[1]]]

    def _unambiguous(self, found: list[tuple[float, NamedColumn]], phrase: set[str]) -> list[tuple[float, NamedColumn]]:
        """Return columns; of those that a phrase fits equally well the one that other words mean, or none."""
        if len(found) < 2 or found[0][0] >= 0.9 or found[1][0] < found[0][0] - _TIE:
            return found
        others = {word.stem for word in self.words} - phrase
        others |= {other for word in others for other in SYNONYMS.get(word, ())} | self._meant
        best = [one for one in found if one[0] >= found[0][0] - _TIE]
        meant = [one for one in best if others & set(one[1].words)]
        meant = meant if len(meant) == 1 else [one for one in best if one[1].is_of_rows(phrase)]
        return [*meant, *(one for one in found if one not in best)] if len(meant) == 1 else []
