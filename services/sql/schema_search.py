"""Searches what databases hold: the tables, columns and metrics that a question needs, and the database that fits it.

An index is kept for each database, and is made anew when what is known of the database has changed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from services.core.errors import BadInput, EmbedderUnavailable
from services.core.json_documents import Json
from services.retrieval.embedder import Embedder, LocalEmbedder
from services.sql.catalog import DatabaseColumn, DatabaseTable, SqlDatabase
from services.sql.graph_schema import graph_database
from services.sql.schema_index import (
    TUNED_SCHEMA,
    EmbedTexts,
    SchemaIndex,
    SchemaQuestion,
    SchemaRecipe,
    SchemaScores,
)
from services.sql.schema_texts import ELEMENT_TYPES, ElementType, SchemaElement
from services.sql.schema_vectors import embed_and_keep
from services.sql.warehouse import warehouse

if TYPE_CHECKING:
    from services.context import OpenWorkspace

LONGEST_TEXT = 4_000
MOST_HITS = 200
_KEPT = 256


@dataclass(frozen=True, slots=True)
class SchemaQuery:
    """What is looked for in a database, and how. Without `element_types` it is all of them.

    `similarity_threshold` leaves out what scores less, where the best element has 1. `max_hops` is how far foreign keys
    are followed.
    """

    query: str
    top_k: int = 10
    similarity_threshold: float = 0.3
    element_types: tuple[ElementType, ...] | None = None
    use_keyword_search: bool = True
    use_graph_expansion: bool = True
    max_hops: int = 1

    def recipe(self) -> SchemaRecipe:
        """Return how elements are scored."""
        expands = self.use_graph_expansion and self.max_hops > 0
        without_words = {} if self.use_keyword_search else {"words": 0.0}
        return replace(TUNED_SCHEMA, join=TUNED_SCHEMA.join if expands else 0.0, **without_words)

    def check(self) -> None:
        """Raise `BadInput` for what cannot be asked so."""
        if not self.query.strip():
            raise BadInput("The query is empty.", "Enter what you want to find.")
        if len(self.query) > LONGEST_TEXT:
            raise BadInput(
                f"The query has {len(self.query):,} characters.", f"Use at most {LONGEST_TEXT:,} characters."
            )
        if not 1 <= self.top_k <= MOST_HITS:
            raise BadInput(f"{self.top_k} is not a valid number of results.", f"Choose 1 to {MOST_HITS} results.")
        if unknown := [one for one in self.element_types or () if one not in ELEMENT_TYPES]:
            raise BadInput(f"There is no kind of element “{unknown[0]}”.", f"Available: {', '.join(ELEMENT_TYPES)}.")


@dataclass(frozen=True, slots=True)
class SchemaHit:
    """An element with how well it matches, from 0 to 1 within a question; a column stands in a `table`."""

    element: SchemaElement
    similarity: float

    @property
    def full_name(self) -> str:
        """The name, a column's behind that of its table."""
        table = self.element.table
        return f"{table.name}.{self.element.name}" if table else self.element.name

    def document(self) -> Json:
        """Return the hit for JSON."""
        one = self.element
        return {
            "element_type": one.element_type,
            "name": one.name,
            "description": one.description,
            "similarity": round(self.similarity, 6),
            "metadata": _metadata(one),
        }


@dataclass(frozen=True, slots=True)
class SchemaResult:
    """What a question needs of a database: elements, best first, and the part of the schema that they make up."""

    database: str
    hits: tuple[SchemaHit, ...]
    tables: tuple[DatabaseTable, ...]

    def document(self) -> Json:
        """Return the result for JSON."""
        return {
            "database": self.database,
            "results": [hit.document() for hit in self.hits],
            "schema_slice": {"tables": [_table_document(table) for table in self.tables]},
            "result_count": len(self.hits),
        }


class SchemaSearch:
    """Searches databases, by words alone where there is no `embedder`. Any thread may call it.

    `vectors_file` says where the vectors of a database are kept; without it they are made in each process.
    """

    def __init__(
        self,
        databases: Iterable[SqlDatabase],
        embedder: Embedder | None = None,
        vectors_file: Callable[[SqlDatabase], Path] | None = None,
    ) -> None:
        self.databases = {one.name: one for one in databases}
        self._embedder = embedder
        self._vectors_file = vectors_file

    def database(self, name: str) -> SqlDatabase:
        """Return the database of a name. Raises `BadInput` where there is none."""
        found = self.databases.get(name) or self.databases.get(name.strip().lower())
        if found is None:
            names = ", ".join(sorted(self.databases))
            raise BadInput(
                f"There is no database “{name}”.", f"Available: {names}." if names else "Add a database first."
            )
        return found

    def find(self, name: str, query: SchemaQuery) -> SchemaResult:
        """Return what a question needs of a database. Raises `BadInput`."""
        query.check()
        index, scores = self._scores(self.database(name), query)
        most = max((float(part.max(initial=0.0)) for part in (scores.columns, scores.metrics)), default=0.0) or 1.0
        wanted = query.element_types or ELEMENT_TYPES
        ranked = sorted(
            (hit for kind in wanted for hit in _hits(index, scores, kind, most)), key=lambda hit: -hit.similarity
        )
        hits = tuple(hit for hit in ranked[: query.top_k] if hit.similarity >= query.similarity_threshold)
        return SchemaResult(index.database.name, hits, _slice(index, hits))

    def best_database(
        self, question: str, *, named: str | None = None, candidates: Sequence[str] | None = None
    ) -> str | None:
        """Return the database that a question is most likely about; the one that the user `named` in any case, be it in
        the question: "in the database crm".

        None where no database has anything to do with it. Raises `BadInput` for one that there is not.
        """
        if named:
            return self.database(named).name
        names = self.databases if candidates is None else [self.database(name).name for name in candidates]
        if in_question := [name for name in names if _names_database(question, name)]:
            return in_question[0]
        asked = self._question(question)
        fits = {name: self._index(self.databases[name]).fit(asked) for name in names}
        best = max(fits, key=lambda name: fits[name], default=None)
        return best if best is not None and fits[best] > 0 else None

    def _scores(self, database: SqlDatabase, query: SchemaQuery) -> tuple[SchemaIndex, SchemaScores]:
        index = self._index(database)
        return index, index.scores(self._question(query.query), query.recipe())

    def _index(self, database: SqlDatabase) -> SchemaIndex:
        """Return the index of a database; by words alone where no vectors can be made."""
        embedder = self._embedder
        if embedder is not None:
            path = self._vectors_file(database) if self._vectors_file else None
            with suppress(EmbedderUnavailable):
                embed = partial(embed_and_keep, embedder, path=path)
                return _kept_index(database, _Vectors(embedder.name, embed))
        return _kept_index(database, None)

    def _question(self, text: str) -> SchemaQuestion:
        if self._embedder is None:
            return SchemaQuestion.of(text, None)
        try:
            return SchemaQuestion.of(text, self._embedder.embed_question)
        except EmbedderUnavailable:  # words find what they can
            return SchemaQuestion.of(text, None)


def schema_search(workspace: "OpenWorkspace") -> SchemaSearch:
    """Return the search over the databases of a workspace, its graph among them."""
    kept = warehouse(workspace)
    databases = [graph_database(), *kept.databases(workspace.name)]
    return SchemaSearch(databases, embedder_of(workspace), kept.vectors_file)


def search_schema(workspace: "OpenWorkspace", database: str, query: SchemaQuery) -> SchemaResult:
    """Return what a question needs of a database of a workspace. Raises `BadInput`."""
    return schema_search(workspace).find(database, query)


def find_best_database(workspace: "OpenWorkspace", question: str, *, named: str | None = None) -> str | None:
    """Return the database that a question is about, or none; one that the user `named` is never overruled."""
    return schema_search(workspace).best_database(question, named=named)


def embedder_of(workspace: "OpenWorkspace") -> Embedder | None:
    """Return the embedder of the settings where it runs on this machine, else the local one; none that is missing.

    Names and values of somebody's databases are not sent to a service.
    """
    try:
        chosen = workspace.services.indexes.embedder
        embedder = chosen if isinstance(chosen, LocalEmbedder) else _local()
        embedder.embed_question("name")
    except (BadInput, EmbedderUnavailable, ImportError):
        return None
    return embedder


def _names_database(question: str, name: str) -> bool:
    named = re.escape(name)
    return re.search(rf"\b(?:database\s+{named}|{named}\s+database)\b", question, re.IGNORECASE) is not None


@cache
def _local() -> LocalEmbedder:
    return LocalEmbedder()


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Makes the vectors of a database's elements; two of the same model are the same."""

    model: str
    embed: EmbedTexts = field(compare=False)


@lru_cache(maxsize=_KEPT)
def _kept_index(database: SqlDatabase, vectors: _Vectors | None) -> SchemaIndex:
    return SchemaIndex(database, vectors.embed if vectors else None)


def _hits(index: SchemaIndex, scores: SchemaScores, kind: ElementType, most: float) -> list[SchemaHit]:
    elements, found = {
        "table": (index.tables, scores.tables),
        "column": (index.columns, scores.columns),
        "metric": (index.metrics, scores.metrics),
    }[kind]
    pairs = zip(elements, found.tolist(), strict=True)
    return [SchemaHit(element, score / most) for element, score in pairs if score > 0]


def _slice(index: SchemaIndex, hits: Sequence[SchemaHit]) -> tuple[DatabaseTable, ...]:
    """Return the tables of hits, best first, with the columns that were found and those that join these tables."""
    tables = dict.fromkeys(one.table.name if one.table else one.name for one in _in_tables(hits))
    wanted = {(hit.element.table.name, hit.element.name) for hit in hits if hit.element.table}
    for one, other in index.joins:
        ends = [_place(index.columns[one]), _place(index.columns[other])]
        if all(table in tables for table, _ in ends):
            wanted |= set(ends)
    by_name = {one.name: one for one in index.database.tables}
    return tuple(_narrowed(by_name[name], wanted) for name in tables)


def _in_tables(hits: Sequence[SchemaHit]) -> list[SchemaElement]:
    return [hit.element for hit in hits if hit.element.element_type != "metric"]


def _place(element: SchemaElement) -> tuple[str, str]:
    return (element.table.name if element.table else "", element.name)


def _narrowed(table: DatabaseTable, wanted: set[tuple[str, str]]) -> DatabaseTable:
    """Return a table with the columns that are wanted of it; with all where it was found and none of them was."""
    columns = tuple(one for one in table.columns if (table.name, one.name) in wanted)
    return table.model_copy(update={"columns": columns or table.columns})


def _table_document(table: DatabaseTable) -> Json:
    return {
        "name": table.name,
        "description": table.description,
        "rows": table.rows,
        "columns": [_column_document(column) for column in table.columns],
    }


def _column_document(column: DatabaseColumn) -> Json:
    return {"name": column.name, "type": column.type, "description": column.description, "samples": [*column.samples]}


def _metadata(element: SchemaElement) -> dict[str, Any]:
    one = element.of
    if isinstance(one, DatabaseColumn):
        return {"table": element.table.name if element.table else "", "type": one.type, "samples": [*one.samples]}
    if isinstance(one, DatabaseTable):
        return {"rows": one.rows, "columns": len(one.columns)}
    return {"sql": one.sql}
