"""Reads databases in Spider's format: a list of schemas whose columns are pairs of a table's number and a name.

Yu and others, "Spider" (EMNLP 2018); other sets of questions over databases are published in the same format.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from services.core.errors import BadInput
from services.core.json_documents import read_json
from services.sql.catalog import DatabaseColumn, DatabaseTable, ForeignKey, SqlDatabase


class _SpiderSchema(BaseModel):
    model_config = ConfigDict(extra="ignore")

    db_id: str
    table_names_original: list[str]
    column_names_original: list[tuple[int, str]]
    table_names: list[str] = Field(default_factory=list)
    column_names: list[tuple[int, str]] = Field(default_factory=list)
    column_types: list[str] = Field(default_factory=list)
    foreign_keys: list[tuple[int, int]] = Field(default_factory=list)


_SCHEMAS = TypeAdapter(list[_SpiderSchema])


def read_schemas(name: str, content: bytes) -> list[SqlDatabase]:
    """Return the databases of a file in Spider's format. Raises `BadInput`."""
    hint = "The file must be a list of schemas with db_id, table_names_original and column_names_original."
    try:
        return [_database(one) for one in _SCHEMAS.validate_python(read_json(name, content))]
    except (ValidationError, IndexError) as error:
        raise BadInput(f"{name} is not a valid schema file.", hint) from error


def _database(schema: _SpiderSchema) -> SqlDatabase:
    """Return a schema as a database; the names in words are its descriptions. Raises `IndexError`."""
    tables = tuple(
        DatabaseTable(
            name=name, columns=tuple(_columns(schema, number)), rows=0, description=_at(schema.table_names, number)
        )
        for number, name in enumerate(schema.table_names_original)
    )
    keys = tuple(_key(schema, one, other) for one, other in schema.foreign_keys)
    return SqlDatabase(name=schema.db_id, workspace=None, kind="files", place="", tables=tables, foreign_keys=keys)


def _columns(schema: _SpiderSchema, table: int) -> list[DatabaseColumn]:
    return [
        DatabaseColumn(
            name=name,
            type=_at(schema.column_types, number),
            description=_at([words for _, words in schema.column_names], number),
        )
        for number, (owner, name) in enumerate(schema.column_names_original)
        if owner == table
    ]


def _key(schema: _SpiderSchema, one: int, other: int) -> ForeignKey:
    (table, column), (other_table, other_column) = (schema.column_names_original[place] for place in (one, other))
    tables = schema.table_names_original
    return ForeignKey(table=tables[table], column=column, other_table=tables[other_table], other_column=other_column)


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""
