"""The words of tables: what a question can call a column or a table by, and how well a phrase fits it."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from services.analyst.name_parts import parts_of, written_parts
from services.analyst.question_words import stem
from services.analyst.sql_words import words_named
from services.analyst.unit_names import UNITS, measured_in, parts_behind
from services.analyst.word_likeness import NEARLY, PARTLY, fit, likeness, shortens
from services.sql.catalog import DatabaseColumn
from services.sql.query_tables import QueryTable, sql_name

EVENT_STEMS = frozenset(map(stem, words_named("events")))
EVENTS = words_named("events") | EVENT_STEMS
"""What may happen to rows, as words and as stems."""

ColumnKind = Literal["number", "year", "date", "flag", "key", "text", "list"]

_DATED = re.compile(r"\d{4}-\d\d?(-\d\d?)?([ T].*)?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\.0)?")
_OF_EVENTS = ("ed", "built", "born", "begun", "sold", "made", "won", "sunk", "start", "end")
"""How names of columns end that hold the years of events."""
_NUMBERS = re.compile(r"INT|DEC|NUM|DOUBLE|FLOAT|REAL|MONEY|SERIAL", re.IGNORECASE)
_TRUTHS = frozenset(("true", "false", "t", "f", "yes", "no", "y", "n", "0", "1"))
_FILLERS = frozenset(map(stem, words_named("fillers")))
"""What a question leaves out of a column's name."""
_OF_FILES = frozenset(map(stem, words_named("files")))
_GENERIC = frozenset(map(stem, words_named("generic")))
_OF_ROWS = frozenset(map(stem, ("type", "kind", "category", "ref", "reference", "status")))
"""Behind what rows are: a table with `property_type` is of properties."""
_OF_TYPES = frozenset(map(stem, ("type", "kind", "category")))
_KEYS = words_named("keys")
_AGENTS = ("er", "or")
_DOERS = (*_AGENTS, "ant", "ist", "ian", "by")
_FULL_NAME = re.compile(r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*)+")
_LABELS = ("name", "title", "label")
_IDS = (("id",), ("code",), ("number",), ("uid",), ("key",))
ROWS = 0.9
"""How well words have to fit a table to be what its rows are called."""
_OF_AGENT = 0.9
_OF_MEASURE = 0.76
"""How well "money" fits the only column of money."""
_OF_UNIT = 0.85
"""How well "kilos" fits the only column in kilos."""
_OF_OWN = 0.82
"""How well "order value" fits the total of an order, at least."""


_CURRENCIES = ("euro", "dollar", "pound")
_OF_MONEY = frozenset(map(stem, words_named("of_money")))
_MEASURE_WORDS = {
    "money": frozenset(map(stem, words_named("money"))),
    "time": frozenset(map(stem, words_named("duration"))),
    "weight": frozenset(("weight", "mass")),
    "energy": frozenset(map(stem, ("energy", "consumption", "usage"))),
    "area": frozenset(map(stem, ("area", "size", "surface"))),
}
_OF_VALUES = frozenset(map(stem, ("value", "amount", "reading", "measurement", "result", "quantity", "level")))
"""What a column is called that says only together with another one what it measures."""
_UNIT_STEMS = {stem(name): unit for name, unit in UNITS.items() if len(name) > 2}
_OF_PIECES = frozenset(map(stem, ("unit", "quantity", "pieces")))
"""What says that a price is of one piece, and not of all."""
TURNAROUND = (stem("turnaround"),)
"""What the days that a row took are called."""
_OF_TURNAROUND = frozenset(" ".join(map(stem, one.split("_"))) for one in words_named("turnaround"))
_SHORT_DATES = ("date", "dt", "time", "ts")


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the stems of the words in the name of a column or table, written out where they are shortened."""
    return tuple(map(stem, parts_of(name)))


@lru_cache(maxsize=65_536)
def spelled_words(name: str) -> tuple[str, ...]:
    """Return the stems of the words in a name as they are spelled, without those that a question leaves out."""
    words = tuple(map(stem, written_parts(name)))
    return tuple(word for word in words if word not in _FILLERS and word not in _SHORT_DATES) or words


@dataclass(frozen=True)
class NamedColumn:
    """A column of a table that SQL can be written over, with the words that it goes by."""

    table: QueryTable
    column: DatabaseColumn
    words: tuple[str, ...]
    formula: str = ""
    """SQL over other columns that gives its values, with `{0}` before each of their names."""

    def __hash__(self) -> int:
        """By its names alone: the hash of a table goes through all its columns and samples."""
        return hash((self.table.database, self.table.table.name, self.column.name, self.words, self.formula))

    @property
    def sql(self) -> str:
        """Its name as SQL takes it: PostgreSQL folds capitals that are not quoted."""
        name = self.column.name
        if self.table.dialect == "postgres" and name != name.lower():
            return f'"{name}"'
        return sql_name(name)

    @cached_property
    def kind(self) -> ColumnKind:
        """What its values are."""
        declared, samples = self.column.type.upper(), self.column.samples
        last = self.words[-1] if self.words else ""
        if declared.endswith("[]"):
            return "list"
        if "BOOL" in declared or (samples and {value.lower() for value in samples} <= _TRUTHS and _TRUTHS):
            return "flag"
        if "DATE" in declared or "TIMESTAMP" in declared or _all_fit(_DATED, samples):
            return "date"
        if _NUMBERS.search(declared):
            is_named = "year" in self.words or self.column.name.lower().endswith(_OF_EVENTS)
            if is_named and samples and all(_YEAR.fullmatch(value) for value in samples):
                return "year"
            is_foreign = any(key.column == self.column.name for key in self.table.foreign_keys)
            return "key" if is_foreign or last in _KEYS or (last == "number" and len(self.words) > 1) else "number"
        return "text"

    @property
    def _is_key(self) -> bool:
        return self.kind == "key" or self.words[-1:] in _IDS

    @cached_property
    def core(self) -> tuple[str, ...]:
        """Its words without those that a question leaves out."""
        named = self.words[:-1] if measured_in(self.column.name) else self.words
        return tuple(word for word in named if word not in _FILLERS) or self.words

    @cached_property
    def measures(self) -> str:
        """What its numbers are of: money, or what the unit in its name measures; nothing where that is not said."""
        if self.kind != "number":
            return ""
        unit = measured_in(self.column.name)
        is_money = unit in _CURRENCIES or (not unit and bool(_OF_MONEY & set(self.words)))
        return "money" if is_money else unit

    @property
    def has_full_names(self) -> bool:
        """True where its values look like first and last names."""
        return self.kind == "text" and _all_fit(_FULL_NAME, self.column.samples)

    @property
    def only_value(self) -> bool:
        """True for what is measured of many things, each of which another column names."""
        return self.kind == "number" and bool(self.core) and set(self.core) <= _OF_VALUES

    @property
    def is_of_pieces(self) -> bool:
        """True for a number of pieces."""
        return self.kind == "number" and bool(_OF_PIECES & set(self.words))

    def is_of_rows(self, phrase: Set[str]) -> bool:
        """True for the `prem_type` of premises beside "type": its other words are what the rows are called."""
        own = name_words(self.table.table.name)
        is_of_type = bool(phrase & _OF_TYPES) and all(likeness(word, own) for word in phrase - _OF_TYPES)
        return is_of_type and all(likeness(word, phrase) or likeness(word, own) for word in self.words)

    def _names_another(self, phrase: Sequence[str]) -> bool:
        """True for the "plant category" of plants that have a category: their name is none."""
        own = name_words(self.table.table.name)
        is_of_rows = all(word in own for word in phrase[:-1]) and phrase[-1] not in self.words
        return is_of_rows and any(name_words(one.name) == (phrase[-1],) for one in self.table.table.columns)

    def is_measured_by(self, phrase: Sequence[str]) -> bool:
        """True where a phrase says what it measures, and no other column of its table measures that."""
        what = self.measures
        is_named = bool(what) and all(word in _MEASURE_WORDS.get(what, ()) for word in phrase)
        return (is_named or self._is_counted_in(phrase)) and self._alone_measures(what)

    def _is_counted_in(self, phrase: Sequence[str]) -> bool:
        """True for the "kilos" of a column in `kg`."""
        unit = next((UNITS[part] for part in parts_behind(self.column.name, 0)[-1:] if part in UNITS), None)
        return unit is not None and len(phrase) == 1 and _UNIT_STEMS.get(phrase[0]) == unit

    def _alone_measures(self, what: str) -> bool:
        columns = NamedTable(self.table).columns
        is_of_pieces = what == "money" and any(_OF_PIECES & set(column.words) for column in columns)
        return not is_of_pieces and sum(column.measures == what for column in columns) == (0 if self.formula else 1)

    def has_words(self, stems: Sequence[str]) -> bool:
        """True where each stem is one of its words, perhaps shortened, or what it alone measures."""
        shortened = all(any(word == one or shortens(word, one) for word in self.words) for one in stems)
        return shortened or self.is_measured_by(stems)

    def fit(self, phrase: Sequence[str]) -> float:
        """Return how well stems of a question name it, from 0 to 1."""
        if self.formula:
            is_turnaround = self.words == TURNAROUND and " ".join(phrase) in _OF_TURNAROUND
            return _OF_UNIT if is_turnaround else float(tuple(phrase) == self.words)
        if _is_of_money(phrase, self.words) and self.kind in ("key", "date"):
            return 0.0  # revenue is no number of a sale
        spelled = spelled_words(self.column.name) if name_words(self.column.name) == self.words else ()
        named = max(fit(phrase, self.words), 0.95 * fit(phrase, self.core), 0.95 * fit(phrase, spelled))
        if len(phrase) > 1 and phrase[-1] in _MEASURE_WORDS.get(self.measures, ()):  # "floor area" of floor_m2
            named = max(named, 0.9 * fit(phrase[:-1], self.core))
        if len(phrase) > 1 and self.measures == "money" and phrase[0] in _MEASURE_WORDS["money"]:  # "money awarded"
            named = max(named, 0.9 * fit(phrase[1:], self.core))
        is_of_money = phrase[-1] in _MEASURE_WORDS["money"] and self.kind != "number"
        is_generic = len(phrase) > 1 and phrase[-1] in _GENERIC and not self._names_another(phrase)
        if is_generic and not self._is_key and not is_of_money:
            named = max(named, 0.9 * fit(phrase[:-1], self.core))
        if len(self.words) > 1 and self.words[-1] in _OF_TYPES:  # "by owner" of `owner_type`
            named = max(named, NEARLY * fit(phrase, self.words[:-1]))
        own = name_words(self.table.table.name)
        if len(phrase) > 1 and not self._is_key and all(word in own for word in phrase[:-1]):  # "product category"
            of_rest = fit(phrase[-1:], self.core)
            named = max(named, 0.9 * of_rest, _OF_OWN if of_rest >= PARTLY else 0.0)
        if self.words[-1:] == ("by",) and len(phrase) == 1 and phrase[0].endswith(_AGENTS):  # "inspector", inspected_by
            named = max(named, _OF_AGENT if likeness(phrase[0], self.words[:-1]) >= NEARLY else 0.0)
        if self.is_measured_by(phrase):
            named = max(named, _OF_UNIT if self._is_counted_in(phrase) else _OF_MEASURE)
        described = set(name_words(self.column.description))
        return max(named, PARTLY if described and set(phrase) <= described else 0.0)


@dataclass(frozen=True)
class NamedTable:
    """A table with the words that it and its columns go by."""

    table: QueryTable
    role: tuple[str, ...] = ()
    """What it is to rows that lead to it in several ways: the destination of a flight."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name; of a file's that has a year or a place behind it, too."""
        words = [word for word in name_words(self.table.table.name.rpartition(".")[2]) if not word.isdigit()]
        return (*self.role, *(tuple(word for word in words if word not in _OF_FILES) or words))

    @cached_property
    def columns(self) -> tuple[NamedColumn, ...]:
        """Its columns, without what all their names begin with."""
        own = [name_words(column.name) for column in self.table.table.columns]
        shared = 0
        while (
            len(own) > 2
            and all(len(words) > shared + 1 for words in own)
            and len({words[shared] for words in own}) == 1
        ):
            shared += 1
        columns = zip(self.table.table.columns, own, strict=True)
        return tuple(NamedColumn(self.table, column, (*self.role, *words[shared:])) for column, words in columns)

    @cached_property
    def key(self) -> NamedColumn | None:
        """The column that tells its rows apart: `id`, or one that is the id of what the table is called."""
        for column in self.columns:
            if column.words in (("id",), ("uuid",), ("uid",)):
                return column
        for column in self.columns:
            if column.words[-1:] in _IDS and (
                column.core == column.words or any(likeness(word, self.words) >= NEARLY for word in column.core)
            ):
                return column
        return None

    @cached_property
    def labels(self) -> tuple[NamedColumn, ...]:
        """What a row is called by: its name or title, the parts of a person's name, else its key or first column."""
        for word in _LABELS:
            for column in self.columns:
                if column.words == (word,) or (
                    column.words[-1:] == (word,) and set(column.words[:-1]) <= set(self.words)
                ):
                    return (column,)
        parts = [c for c in self.columns if c.words in (("first", "name"), ("last", "name"))]
        named = [c for c in self.columns if c.words[-1:] in (("name",), ("titl",), ("title",)) and c.kind == "text"]
        texts = [c for c in self.columns if c.kind == "text" and set(c.core) <= set(self.words)]
        for found in (parts, named[:1], texts[:1]):
            if found:
                return tuple(found)
        return (self.key,) if self.key else self.columns[:1]

    def fit(self, phrase: Sequence[str]) -> float:
        """Return how well stems of a question name what its rows are."""
        if _is_of_money(phrase, self.words):
            return 0.0  # revenue is no sale
        of_key = self.key.core if self.key is not None and self.key.core != self.key.words else ()
        if len(phrase) == 1 and phrase[0].endswith(_AGENTS) and any(phrase[0].startswith(one) for one in self.words):
            return 1.0 if phrase[0] in self.words else 0.0  # an inspector is no inspection
        of_kind = any(one.words[:-1] == tuple(phrase) and one.words[-1] in _OF_ROWS for one in self.columns)
        return max(fit(phrase, self.words), 0.9 * fit(phrase, of_key) if of_key else 0.0, 0.85 if of_kind else 0.0)

    def column(self, name: str) -> NamedColumn | None:
        """Return the column of a name."""
        return next((one for one in self.columns if one.column.name == name), None)

    def doer(self) -> NamedColumn | None:
        """Return its only column of people who do something, by their full names: a "sampler", a "claimant"."""
        found = [one for one in self.columns if one.has_full_names and one not in self.labels]
        called = [one for one in found if one.words and one.words[-1].endswith(_DOERS)]
        return next((some[0] for some in (called, found) if len(some) == 1), None)

    def only_amount(self) -> NamedColumn | None:
        """Return its only column of weights, volumes or quantities; None where there is none, or several."""
        amounts = ("weight", "volume", "energy")
        found = [one for one in self.columns if one.measures in amounts or one.is_of_pieces]
        return found[0] if len(found) == 1 else None

    def dates(self) -> tuple[NamedColumn, ...]:
        """Its columns that hold dates or years."""
        return tuple(column for column in self.columns if column.kind in ("date", "year"))


def _is_of_money(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """True for a phrase that speaks of money in other words than these."""
    is_named = all(any(word.startswith(one) for word in words) for one in phrase)
    return set(phrase) <= _MEASURE_WORDS["money"] and not is_named


def _all_fit(pattern: re.Pattern[str], values: Sequence[str]) -> bool:
    return bool(values) and all(pattern.fullmatch(value) for value in values)
