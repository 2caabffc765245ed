"""Finds the tables, columns and metrics of one database that a question needs.

A column matches by words (BM25), by the vector of its name within its table, by the one word of the question that is
most like its name, and by its table. The columns that join two tables which match count as well.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class SchemaRecipe:
    """How much each part counts in the score of a column: its words, its vector, the word of the question that is most
    like its name, its table by words and by vectors each, that it names the things of its table, and that it joins two
    tables that match.
    """

    words: float = 0.5
    vectors: float = 0.5
    nearest_word: float = 0.5
    table: float = 0.2
    is_name: float = 0.1
    join: float = 0.7


TUNED_SCHEMA = SchemaRecipe()
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

    def nearest_word(self, question: SchemaQuestion) -> Scores:
        """Return how alike the name of each column and the word of a question are that is most like it."""
        likest: Scores = np.zeros(len(self.names), np.float32)
        if question.words is not None and len(question.words):
            likest = np.maximum(self.names @ question.words.T, 0).max(axis=1)
        return likest


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

    def scores(self, question: SchemaQuestion, recipe: SchemaRecipe = TUNED_SCHEMA) -> SchemaScores:
        """Return how well each element matches; without vectors words alone tell, whatever the recipe says."""
        if self._vectors is None or question.vector is None:
            recipe = replace(recipe, words=1, vectors=0, nearest_word=0)
        own, metrics = self._matches(question, recipe)
        columns = own + self._of_tables(question, recipe)[self.table_of]
        columns += recipe.is_name * self._is_name * (own > 0)
        tables = self._best_of_tables(columns)
        if recipe.join and len(self.joins):
            columns = columns + recipe.join * self._joining(tables)
        return SchemaScores(tables, columns, metrics)

    def fit(self, question: SchemaQuestion) -> float:
        """Return how much of a question the database could be about, to be compared with that of other databases."""
        asked = set(stems(question.text))
        held = len(asked & self._stems) / max(len(asked), 1)
        if self._vectors is None or question.vector is None or not len(self.columns):
            return held
        return held + float(np.sort(self._vectors.columns @ question.vector)[-_BEST:].mean())

    def _matches(self, question: SchemaQuestion, recipe: SchemaRecipe) -> tuple[Scores, Scores]:
        """Return how well columns and metrics match by themselves, on one scale."""
        words = [self._words.scores(question.text), self._metric_words.scores(question.text)]
        matched = recipe.words * _scaled(np.concatenate(words))
        nearest: Scores = np.zeros(len(self.columns), np.float32)
        if self._vectors is not None and question.vector is not None:
            vectors = [self._vectors.columns @ question.vector, self._vectors.metrics @ question.vector]
            matched = matched + recipe.vectors * _scaled(np.concatenate(vectors))
            nearest = self._vectors.nearest_word(question)
        columns, metrics = np.split(matched, [len(self.columns)])
        return columns + recipe.nearest_word * nearest, metrics

    def _of_tables(self, question: SchemaQuestion, recipe: SchemaRecipe) -> Scores:
        """Return what each table gives to its columns."""
        found: Scores = np.zeros(len(self.tables), np.float32)
        if recipe.words:
            found = found + recipe.table * _scaled(self._table_words.scores(question.text))
        if recipe.vectors and self._vectors is not None and question.vector is not None:
            found = found + recipe.table * _scaled(self._vectors.tables @ question.vector)
        return found

    def _joining(self, tables: Scores) -> Scores:
        """Return what the columns get that join two tables: the square of how well the one matches that matches less,
        for a table that hardly matches is no reason to join it.
        """
        found: Scores = np.zeros(len(self.columns), np.float32)
        least = tables[self.table_of[self.joins]].min(axis=1) / max(float(tables.max(initial=0.0)), 1e-9)
        for side in range(2):
            np.maximum.at(found, self.joins[:, side], least**2)
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
        """Return the vectors of all elements: a column's is the mean of its name with its table's, in both orders, and
        of what describes it.
        """
        tables = {element.name: element.label for element in self.tables}
        named = [(element.label, tables[_table(element)]) for element in self.columns]
        described = [place for place, element in enumerate(self.columns) if element.details]
        parts = (
            [name for name, _ in named],
            [f"{name} of {table}" for name, table in named],
            [f"{table} {name}" for name, table in named],
            [f"{named[place][0]}: {self.columns[place].details}" for place in described],
            [element.label for element in self.tables],
            [f"{one.label}: {one.description}" if one.description else one.label for one in self.metrics],
        )
        made = embed([text for part in parts for text in part])
        names, of_table, with_table, details, own, metrics = np.split(made, np.cumsum([*map(len, parts)])[:-1])
        columns = of_table + with_table
        columns[described] += details
        counts = np.full((len(named), 1), 2, np.float32)
        counts[described] += 1
        return _Vectors(columns / counts, names, own, metrics)


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
    """Return the words of a question that say what it is on."""
    words = (word for word in folded_words(text) if len(word) > 1 and word not in STOP_WORDS and not word.isdigit())
    return list(dict.fromkeys(words))
