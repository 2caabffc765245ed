"""Finds the tables, columns and metrics of one database that a question needs.

A column matches by words (BM25), by the vector of its name within its table, by the one word of the question that is
most like its name, and by its table. The columns that join two tables which match count as well.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.language.relation_names import relation_words
from services.retrieval.lexical import Field, LexicalIndex, Scores
from services.retrieval.tokens import STOP_WORDS, folded_words, stems
from services.sql.catalog import SqlDatabase
from services.sql.schema_texts import SchemaElement, column_elements, joins, metric_elements, table_elements

Vectors = NDArray[np.float32]
EmbedTexts = Callable[[Sequence[str]], Vectors]
"""Gives each text a vector of length 1, a row each."""

_OF_TABLE = 0.2
"""How much a column's table counts, by words and by vectors each, where the column itself counts 1."""
_NEAREST_WORD = 0.5
_IS_NAME = 0.1
"""What a column gets that names the things of its table: questions want to see them."""
_JOIN = 0.5
_BEST = 3
"""So many columns tell how well a question fits a database."""
_NAMES = frozenset(("name", "title"))


@dataclass(frozen=True, slots=True)
class SchemaQuestion:
    """A question with its vector, and the vectors of its words; none where there is no model."""

    text: str
    vector: Vectors | None = None
    words: Vectors | None = None

    @classmethod
    def of(cls, text: str, embed: Callable[[str], Vectors] | None) -> "SchemaQuestion":
        """Return a question with the vectors that `embed` makes."""
        if embed is None:
            return cls(text)
        vector = embed(text)
        words = [embed(word) for word in _telling_words(text)]
        return cls(text, vector, np.stack(words) if words else np.zeros((0, len(vector)), np.float32))


@dataclass(frozen=True, slots=True)
class SchemaScores:
    """How well the elements of a database match a question, in the order of the index."""

    tables: Scores
    columns: Scores
    metrics: Scores


@dataclass(frozen=True)
class _Vectors:
    """The vectors of elements: of columns within their tables, of their names alone, of tables and of metrics."""

    columns: Vectors
    names: Vectors
    tables: Vectors
    metrics: Vectors


class SchemaIndex:
    """The elements of one database, ready to be searched. It never changes."""

    def __init__(self, database: SqlDatabase, embed: EmbedTexts | None = None) -> None:
        self.database = database
        self.tables, self.columns = table_elements(database), column_elements(database)
        self.metrics = metric_elements(database)
        numbers = {element.name: number for number, element in enumerate(self.tables)}
        self.table_of = np.array([numbers[_table(element)] for element in self.columns], np.int64)
        self._words = LexicalIndex.of(self._column_fields(self.columns))
        self._table_words = LexicalIndex.of(self._table_fields())
        self._metric_words = LexicalIndex.of(self._column_fields(self.metrics), beside=self._words)
        self._stems = set(stems(_all_words(database, [*self.tables, *self.columns, *self.metrics])))
        self._vectors = self._embedded(embed) if embed is not None else None
        self.joins = np.array(list(self._joins()), np.int64).reshape(-1, 2)
        self._is_name = np.array([not _NAMES.isdisjoint(one.label.split()) for one in self.columns], np.float32)

    def scores(self, question: SchemaQuestion, *, by_words: bool = True, hops: int = 1) -> SchemaScores:
        """Return how well each element matches; without vectors words alone tell, whatever `by_words` says."""
        own, metrics = self._matches(question, by_words)
        columns = own + self._of_tables(question, by_words)[self.table_of]
        columns += _IS_NAME * self._is_name * (own > 0)
        tables = self._best_of_tables(columns)
        if hops and len(self.joins):
            columns = columns + self._joining(tables)
        return SchemaScores(self._best_of_tables(columns), columns, metrics)

    def fit(self, question: SchemaQuestion) -> float:
        """Return how much of a question the database could be about, to be compared with that of other databases."""
        asked = set(stems(question.text))
        held = len(asked & self._stems) / max(len(asked), 1)
        if self._vectors is None or question.vector is None or not len(self.columns):
            return held
        return held + float(np.sort(self._vectors.columns @ question.vector)[-_BEST:].mean())

    def _matches(self, question: SchemaQuestion, by_words: bool) -> tuple[Scores, Scores]:
        """Return how well columns and metrics match by themselves, on one scale."""
        vectors, parts = self._vectors, list[Scores]()
        if by_words or vectors is None or question.vector is None:
            parts.append(np.concatenate([self._words.scores(question.text), self._metric_words.scores(question.text)]))
        if vectors is not None and question.vector is not None:
            parts.append(np.concatenate([vectors.columns @ question.vector, vectors.metrics @ question.vector]))
        matched = sum(map(_scaled, parts)) / len(parts)
        columns, metrics = np.split(matched, [len(self.columns)])
        if vectors is not None and question.words is not None and len(question.words):
            columns = columns + _NEAREST_WORD * np.maximum(vectors.names @ question.words.T, 0).max(axis=1)
        return columns, metrics

    def _of_tables(self, question: SchemaQuestion, by_words: bool) -> Scores:
        """Return what each table gives to its columns."""
        found: Scores = np.zeros(len(self.tables), np.float32)
        if by_words or self._vectors is None or question.vector is None:
            found = found + _OF_TABLE * _scaled(self._table_words.scores(question.text))
        if self._vectors is not None and question.vector is not None:
            found = found + _OF_TABLE * _scaled(self._vectors.tables @ question.vector)
        return found

    def _joining(self, tables: Scores) -> Scores:
        """Return what the columns get that join two tables: as much as the one that matches less."""
        found: Scores = np.zeros(len(self.columns), np.float32)
        least = tables[self.table_of[self.joins]].min(axis=1) / max(float(tables.max(initial=0.0)), 1e-9)
        for side in range(2):
            np.maximum.at(found, self.joins[:, side], _JOIN * least)
        return found

    def _best_of_tables(self, columns: Scores) -> Scores:
        best: Scores = np.zeros(len(self.tables), np.float32)
        np.maximum.at(best, self.table_of, columns.astype(np.float32))
        return best

    def _joins(self) -> Iterator[tuple[int, int]]:
        places = {(_table(one), one.name): place for place, one in enumerate(self.columns)}
        for key in joins(self.database):
            one, other = places.get((key.table, key.column)), places.get((key.other_table, key.other_column))
            if one is not None and other is not None:
                yield one, other

    def _column_fields(self, elements: Sequence[SchemaElement]) -> list[Field]:
        """Return the texts of columns or metrics for words: their names, their tables', descriptions and values."""
        tables = {element.name: element.label for element in self.tables}
        return [
            Field([element.label for element in elements], 2.0, 0.3),
            Field([tables.get(_table(element), "") for element in elements], 1.0, 0.4),
            Field([element.description for element in elements], 1.0, 0.4),
            Field([element.samples for element in elements], 1.0, 0.4),
        ]

    def _table_fields(self) -> list[Field]:
        names = [" ".join(one.label for one in self.columns if one.table is element.of) for element in self.tables]
        return [
            Field([element.label for element in self.tables], 1.0, 0.3),
            Field([element.description for element in self.tables], 0.5, 0.4),
            Field(names, 0.3, 0.4),
        ]

    def _embedded(self, embed: EmbedTexts) -> _Vectors:
        return _Vectors(
            self._embedded_columns(embed),
            embed([element.label for element in self.columns]),
            embed([element.label for element in self.tables]),
            embed([f"{one.label}: {one.description}" if one.description else one.label for one in self.metrics]),
        )

    def _embedded_columns(self, embed: EmbedTexts) -> Vectors:
        """Return the mean of a column's name with its table's, in both orders, and of what describes it."""
        tables = {element.name: element.label for element in self.tables}
        names = [(element.label, tables[_table(element)]) for element in self.columns]
        found = embed([f"{name} of {table}" for name, table in names])
        found = found + embed([f"{table} {name}" for name, table in names])
        described = [place for place, element in enumerate(self.columns) if element.details]
        counts = np.full((len(names), 1), 2, np.float32)
        if described:
            found[described] += embed([f"{names[place][0]}: {self.columns[place].details}" for place in described])
            counts[described] += 1
        return found / counts


def _table(element: SchemaElement) -> str:
    return element.table.name if element.table else ""


def _all_words(database: SqlDatabase, elements: Sequence[SchemaElement]) -> str:
    texts = (f"{one.label} {one.description} {one.samples}" for one in elements)
    return " ".join([*relation_words(database.name), database.description, *texts])


def _scaled(scores: Scores) -> Scores:
    """Return scores from 0 to 1, the best of them 1."""
    most = float(scores.max(initial=0.0))
    return (np.maximum(scores, 0) / most).astype(np.float32) if most > 0 else np.zeros_like(scores)


def _telling_words(text: str) -> list[str]:
    """Return the words of a question that say what it is on, and each two that stand side by side."""
    words = [word for word in folded_words(text) if len(word) > 1 and word not in STOP_WORDS and not word.isdigit()]
    return list(dict.fromkeys([*words, *map(" ".join, pairwise(words))]))
