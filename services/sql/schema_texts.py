"""What the tables, columns and metrics of a database are called and described by: the texts that searches compare."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Literal

from services.language.inflection import stems_of
from services.language.relation_names import relation_words
from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey, Metric, SqlDatabase

ElementType = Literal["table", "column", "metric"]
ELEMENT_TYPES: tuple[ElementType, ...] = ("table", "column", "metric")

_LABEL = 5
"""A description of so many words at most says the name better than the identifier does."""
_KEYS = ("id", "key", "code", "no", "number")
"""How the names of columns end that lead to another table."""


@dataclass(frozen=True, slots=True)
class SchemaElement:
    """A table, a column or a metric; `label` is its name in words. A table or a metric stands in no other `table`."""

    element_type: ElementType
    table: DatabaseTable | None
    of: DatabaseTable | DatabaseColumn | Metric
    label: str

    @property
    def name(self) -> str:
        """Its name as SQL takes it."""
        return self.of.name

    @property
    def description(self) -> str:
        """What it holds, in words."""
        return self.of.description

    @property
    def samples(self) -> str:
        """Some of the values of a column."""
        return ", ".join(self.of.samples) if isinstance(self.of, DatabaseColumn) else ""

    @property
    def details(self) -> str:
        """What is known of it beside its name: a longer description, and values."""
        described = self.description if self.description.lower() != self.label else ""
        return ". ".join(filter(None, (described, self.samples)))


def label_of(name: str, description: str = "") -> str:
    """Return a name in words: those of a short description, else those of the identifier without its schema."""
    described = description.lower().split()
    return " ".join(described if 0 < len(described) <= _LABEL else relation_words(name.rpartition(".")[2])) or name


def table_elements(database: SqlDatabase) -> list[SchemaElement]:
    """Return the tables of a database."""
    return [SchemaElement("table", None, one, label_of(one.name, one.description)) for one in database.tables]


def column_elements(database: SqlDatabase) -> list[SchemaElement]:
    """Return the columns of a database, in the order of its tables."""
    return [
        SchemaElement("column", table, one, label_of(one.name, one.description))
        for table in database.tables
        for one in table.columns
    ]


def metric_elements(database: SqlDatabase) -> list[SchemaElement]:
    """Return the metrics of a database."""
    return [SchemaElement("metric", None, one, label_of(one.name)) for one in database.metrics]


def joins(database: SqlDatabase) -> tuple[ForeignKey, ...]:
    """Return the foreign keys of a database, and those that names suggest for two tables that no known key joins."""
    joined = {frozenset((key.table, key.other_table)) for key in database.foreign_keys}
    named = (key for key in suggested_keys(database.tables) if {key.table, key.other_table} not in joined)
    return (*database.foreign_keys, *named)


def suggested_keys(tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield the pairs of columns of two tables whose names are those of one key, or of a table and its key."""
    for one, other in combinations(tables, 2):
        for column, same in product(one.columns, other.columns):
            if _are_one_key(_Named.of(one, column), _Named.of(other, same)):
                yield ForeignKey(
                    table=one.name,
                    column=column.name,
                    other_table=other.name,
                    other_column=same.name,
                    is_declared=False,
                )


@dataclass(frozen=True, slots=True)
class _Named:
    """The words of a column's name and the stems of its table's."""

    name: str
    words: tuple[str, ...]
    table: tuple[str, ...]

    @classmethod
    def of(cls, table: DatabaseTable, column: DatabaseColumn) -> "_Named":
        return _named(table.name, column.name)

    def leads_to(self, other: "_Named") -> bool:
        """True for a name like `customer_id` beside the `id` of a table `customers`."""
        return (*stems_of(self.words[:-1]), self.words[-1]) == (*other.table, *other.words)


@lru_cache(maxsize=4096)
def _named(table: str, column: str) -> _Named:
    return _Named(column.lower(), relation_words(column), tuple(stems_of(relation_words(table.rpartition(".")[2]))))


def _are_one_key(one: _Named, other: _Named) -> bool:
    if not one.name.endswith(_KEYS) or not other.name.endswith(_KEYS):
        return False
    is_same = one.name == other.name and one.name not in _KEYS
    ends_alike = len(one.words) > 1 and len(other.words) > 1 and one.words[-2:] == other.words[-2:]
    return is_same or ends_alike or one.leads_to(other) or other.leads_to(one)
