"""What the tables, columns and metrics of a database are called and described by: the texts that searches compare."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from services.language.relation_names import relation_words
from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey, Metric, SqlDatabase

ElementType = Literal["table", "column", "metric"]
ELEMENT_TYPES: tuple[ElementType, ...] = ("table", "column", "metric")

_LABEL = 5
"""A description of so many words at most says the name better than the identifier does."""
_KEYS = ("id", "key", "code", "no", "number")
"""The last words of the names of columns that lead to another table."""


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
    """Return the foreign keys of a database; where none are known, those that the names of its columns suggest."""
    return database.foreign_keys or tuple(_named_alike(database.tables))


def _named_alike(tables: Sequence[DatabaseTable]) -> Iterator[ForeignKey]:
    """Yield the pairs of columns that have one name which is a key's, in two tables."""
    for one, other in combinations(tables, 2):
        others = {column.name.lower(): column.name for column in other.columns}
        for column in one.columns:
            same = others.get(column.name.lower())
            if same is not None and relation_words(column.name)[-1:] and _is_key(column.name):
                yield ForeignKey(
                    table=one.name, column=column.name, other_table=other.name, other_column=same, is_declared=False
                )


def _is_key(name: str) -> bool:
    return name.lower().endswith(_KEYS)
