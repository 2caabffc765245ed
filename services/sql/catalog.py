"""What is known of databases: their tables with columns, counts and samples, as it is kept beside them."""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.core.errors import BadInput

GRAPH = "graph"
"""The name that a workspace's own tables go by."""
SAMPLES, SAMPLE_LENGTH = 5, 60
"""So many values of a column are kept, each cut to so many characters."""
_RESERVED = frozenset((GRAPH, "memory", "main", "temp", "system", "information_schema", "pg_catalog"))
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")

Kind = Literal["files", "sqlite", "postgres"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class DatabaseColumn(_Kept):
    """A column: its type as the database names it, and some of its values as text."""

    name: str
    type: str
    description: str = ""
    samples: tuple[str, ...] = ()


class DatabaseTable(_Kept):
    """A table; `source` is the file that it was read from, `digest` tells one state of its content from another."""

    name: str
    columns: tuple[DatabaseColumn, ...]
    rows: int
    description: str = ""
    source: str = ""
    digest: str = ""


class ForeignKey(_Kept):
    """A column whose values are those of another table's column: the database says so, or it was guessed."""

    table: str
    column: str
    other_table: str
    other_column: str
    is_declared: bool = True


class Metric(_Kept):
    """A measure that somebody keeps for a database: its name, the SQL that gives it, and what it says in words."""

    name: str
    sql: str
    description: str = ""


class SqlDatabase(_Kept):
    """A named database of a workspace, or of all where `workspace` is None.

    `place` is the file in the data folder that holds its tables, the path of an SQLite file, or a server's address.
    """

    name: str
    workspace: str | None
    kind: Kind
    place: str = Field(repr=False)
    tables: tuple[DatabaseTable, ...] = ()
    description: str = ""
    foreign_keys: tuple[ForeignKey, ...] = ()
    metrics: tuple[Metric, ...] = ()


def checked_name(name: str) -> str:
    """Return a database's name in lower case. Raises `BadInput` for one that SQL would not take as it stands."""
    lower = name.strip().lower()
    if not _NAME.fullmatch(lower):
        raise BadInput(
            f"“{name}” is not a valid database name.", "Use letters, digits and underscores, starting with a letter."
        )
    if lower in _RESERVED:
        raise BadInput(f"Asof reserves the name “{name}”.", "Choose another name.")
    return lower


def table_name(text: str, taken: frozenset[str] = frozenset()) -> str:
    """Return a name for a table that SQL takes as it stands, made of a file's or a sheet's, unlike those taken."""
    words = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "table"
    name = base = (f"t_{words}" if words[0].isdigit() else words)[:60]
    number = 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name
