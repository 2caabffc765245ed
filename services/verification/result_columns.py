"""What the columns of a table say of its rows: which has the most, and how many times as much as another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from services.language.inflection import stem
from services.language.quantities import Quantity
from services.language.relation_names import relation_words
from services.verification.evidence_index import stems_in
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import ReadWord
from services.verification.word_classes import word_set

Row = Mapping[str, Any]


_MOST = word_set("most highest largest biggest longest greatest top")
_LEAST = word_set("fewest least lowest smallest shortest bottom")


def flat(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, and the rows and names within them: a path has facts, a change has one before and one after."""
    for row in rows:
        yield {key: value for key, value in row.items() if not isinstance(value, list | tuple | Mapping)}
        for key, value in row.items():
            inside = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
            yield from flat(one if isinstance(one, Mapping) else {key: one} for one in inside)


def is_no_extreme(rows: Sequence[Row], spoken: int, clause: SentenceClause, numbers: Sequence[Quantity]) -> bool:
    """True when a clause says "the most" of a row that has it in no column that the clause means; so "the fewest"."""
    figures = [number for number in numbers if not number.says(len(rows))]
    meant = _meant(rows[spoken], clause, figures)
    if not meant or not (_MOST | _LEAST) & clause.lower:
        return False
    end = max if _MOST & clause.lower else min
    return all(value != end(_column(rows, key)) for key, value in meant.items())


def compared(rows: Sequence[Row], clause: SentenceClause) -> list[tuple[float, float]]:
    """The numbers, column by column, of the row on each side of "three times as many A as B"; none without two."""
    words = clause.words
    place = max((i for i, word in enumerate(words) if word.lower in ("as", "than")), default=0)
    sides = [_named(rows, part) for part in (words[:place], words[place + 1 :])]
    if any(len(side) != 1 for side in sides) or sides[0] == sides[1]:
        return []
    one, other = (_numbers(rows[side[0]]) for side in sides)
    return [(one[key], other[key]) for key in one if key in other]


def is_multiple(number: Quantity, pairs: Sequence[tuple[float, float]], clause: SentenceClause) -> bool:
    """True when a multiple is that of the first of two numbers to the second; with "fewer", the other way round."""
    turned = bool(clause.lower & {"fewer", "less"})
    return any(number.is_part(pair) and ((pair[0] > pair[1]) == (number.value > 1)) != turned for pair in pairs)


def _named(rows: Sequence[Row], words: Sequence[ReadWord]) -> list[int]:
    """The rows that words name by what not all rows have."""
    labels = [_labels(row) for row in rows]
    shared = frozenset.intersection(*labels) if labels else frozenset()
    stems = frozenset(stem(part) for word in words for part in word.lower.split() if word.is_word)
    return [i for i, own in enumerate(labels) if (own - shared) & stems]


def _labels(row: Row) -> frozenset[str]:
    return stems_in(" ".join(value for value in row.values() if isinstance(value, str)))


def _numbers(row: Row) -> dict[str, float]:
    return {
        key: float(value)
        for key, value in row.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _column(rows: Sequence[Row], key: str) -> list[float]:
    return [numbers[key] for numbers in map(_numbers, rows) if key in numbers]


def _meant(row: Row, clause: SentenceClause, numbers: Sequence[Quantity]) -> dict[str, float]:
    """The columns of a row that a clause means: whose number it says, else whose name, else the first."""
    every = _numbers(row)
    stems = frozenset(stem(word.lower) for word in clause.words)
    of_number = {key: value for key, value in every.items() if any(one.says(value) for one in numbers)}
    of_name = {key: value for key, value in every.items() if stems & {stem(word) for word in relation_words(key)}}
    return of_number or of_name or dict(list(every.items())[:1])
