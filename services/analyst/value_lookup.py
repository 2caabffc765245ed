"""Finds the values of tables that a question names, by asking the tables themselves."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from services.analyst.question_words import FUNCTION_WORDS, QuestionWord, lines_of, stem, words_of
from services.analyst.table_words import NamedColumn
from services.language.inflection import is_past
from services.sql.catalog import GRAPH

_MOST_COLUMNS, _MOST_VALUES, _LONGEST_PHRASE = 40, 60, 5

_LENGTH_OF_TEXTS = 40
_OF_QUESTIONS = FUNCTION_WORDS | {"how", "many", "much", "number", "count"}
_SAME = [frozenset(line.split()) for line in lines_of("value_synonyms.txt")]
_DEMONYMS = {
    country: set(words.split()) for country, _, words in (one.partition(" ") for one in lines_of("demonyms.txt"))
}
_SHORT_VALUES = 4
"""A column of single letters has so many values at most."""
_FEW_VALUES, _SHORTEST_CODE = 12, 3
"""Values that a question calls by other words are few; codes have so many letters at least."""
_SHORTEST_ROOT = 5
_OF_COUNTRIES = frozenset(map(stem, ("country", "nation", "origin")))
_NAMES_OF_GRAPH = ("name", "source", "relation", "target", "title")
"""The columns of the graph that hold what a question can name without saying so."""

RunSql = Callable[[str], Iterable[Sequence[object]]]
"""Runs SQL over the tables of one database, and returns its rows."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value of a column at the words `first` to before `last` of a question."""

    column: NamedColumn
    value: str
    first: int
    last: int


def values_in(words: Sequence[QuestionWord], columns: Sequence[NamedColumn], run: RunSql) -> tuple[FoundValue, ...]:
    """Return the values of text columns that the words of a question name."""
    texts = [column for column in columns if column.kind in ("text", "list")][:_MOST_COLUMNS]
    phrases = _phrases(words)
    if not texts or not phrases:
        return ()
    known = [(texts[int(str(place))], str(value)) for place, value in run(_sql(texts, list(phrases)))]
    return tuple(_found(known, words))


def partly_named(
    words: Sequence[QuestionWord], places: Iterable[int], columns: Sequence[NamedColumn], run: RunSql
) -> Iterable[FoundValue]:
    """Yield the one value that a word is a part of or derived from: "spruce" of "Norway spruce", "privately"."""
    files = [column for column in columns if column.table.database != GRAPH]
    texts = [column for column in files if column.kind == "text"][:_MOST_COLUMNS]
    phrases = _phrases(words)
    if not texts or not phrases:
        return
    known = [(texts[int(str(place))], str(value)) for place, value in run(_sql(texts, list(phrases)))]
    counted = Counter(column for column, _ in known)
    for place in places:
        found = [one for one in known if counted[one[0]] <= _FEW_VALUES and _is_of_value(words[place], one[1])]
        if len(found) == 1:
            yield FoundValue(*found[0], place, place + 1)


def _is_of_value(word: QuestionWord, value: str) -> bool:
    """True for the last word of a value of several, and for what is derived from one of one: "cancellations"."""
    own = [one.stem for one in words_of(value)]
    if len(own) > 1:
        return word.stem == own[-1]
    return len(own[0]) >= _SHORTEST_ROOT and word.low.startswith(own[0]) if own else False


def _phrases(words: Sequence[QuestionWord]) -> dict[str, None]:
    """Return what a value could be called: each few words, as they stand and without a plural's ending."""
    found: dict[str, None] = {}
    for first in range(len(words)):
        for last in range(first + 1, min(first + _LONGEST_PHRASE, len(words)) + 1):
            part = words[first:last]
            if not all(word.low in FUNCTION_WORDS for word in part):
                text = "".join(word.gap * (place > 0) + word.low for place, word in enumerate(part))
                found |= dict.fromkeys((text, text.removesuffix("s"), " ".join(word.low for word in part)))
    return found


def _sql(columns: Sequence[NamedColumn], phrases: Sequence[str]) -> str:
    listed = ", ".join("'" + phrase.replace("'", "''") + "'" for phrase in phrases)
    return " UNION ALL ".join(_of_column(place, column, listed) for place, column in enumerate(columns))


def _of_column(place: int, column: NamedColumn, listed: str) -> str:
    """Return SQL for the values of a column that a phrase equals, and for those that most rows have."""
    name, table = column.sql, column.table.read_from
    if column.kind == "list":
        name, table = "v", f"(SELECT unnest({name}) AS v FROM {table}) AS listed"
    if "CHAR" not in column.column.type.upper() and column.kind != "list":  # a time of the day
        name = f"CAST({name} AS VARCHAR)"
    rows = f"SELECT {name} AS v, count(*) AS n FROM {table} WHERE {name} IS NOT NULL GROUP BY 1"
    wanted = f"SELECT v FROM ({rows}) AS counted ORDER BY lower(v) IN ({listed}) DESC, n DESC LIMIT {_MOST_VALUES}"
    return f"SELECT {place} AS place, v FROM ({wanted}) AS wanted"


def _found(known: Iterable[tuple[NamedColumn, str]], words: Sequence[QuestionWord]) -> Iterable[FoundValue]:
    """Yield the values that a question names; each word may name several."""
    known = list(known)
    return (one for one in (*_alike(known, words), *_called_otherwise(known, words)) if _is_meant(one, words))


def _called_otherwise(known: Sequence[tuple[NamedColumn, str]], words: Sequence[QuestionWord]) -> Iterable[FoundValue]:
    """Yield the "F" of "how many women", and the "cancelled" of "canceled"."""
    counted = Counter(column for column, _ in known)
    for column, value in known:
        low = value.lower()
        is_telling = len(low) > 1 or counted[column] <= _SHORT_VALUES
        same = next((one for one in _SAME if low in one), frozenset[str]()) - {low} if is_telling else frozenset()
        is_one_of_few = counted[column] <= _FEW_VALUES
        peoples = _demonyms(low) if _OF_COUNTRIES & set(column.words) else frozenset[str]()
        for place, word in enumerate(words):
            is_short = is_one_of_few and _is_code_of(value, word)
            if is_short or word.low in peoples or same & _singulars(word.low):
                yield FoundValue(column, value, place, place + 1)


def _demonyms(country: str) -> set[str]:
    """Return what may come from a country: "kenyan", "italian", "chinese", "dutch"."""
    return _DEMONYMS.get(country, set()) | {
        f"{country}n",
        f"{country}ian",
        f"{country}ese",
        f"{country[:-1]}ian",
        f"{country[:-1]}ese",
    }


def _is_code_of(value: str, word: QuestionWord) -> bool:
    """True for the "ELEC" of "electricity"."""
    is_code = value.isalpha() and value.isupper() and len(value) >= _SHORTEST_CODE
    return is_code and len(word.low) > len(value) and word.low.startswith(value.lower())


def _is_meant(found: FoundValue, words: Sequence[QuestionWord]) -> bool:
    """False for words that are a value by chance: a keyword that a text happens to have, or a part of a name."""
    own = words[found.first : found.last]
    if all(word.low in _OF_QUESTIONS for word in own) or _is_part(found, words):
        return False
    is_of_graph = found.column.table.database == GRAPH
    others = {word.stem for word in (*words[: found.first], *words[found.last :])}
    if _holds_many_words(found.column) and not others & set(found.column.words):
        return False
    return not is_of_graph or found.value.lower() == _written(own)


def _is_part(found: FoundValue, words: Sequence[QuestionWord]) -> bool:
    """True within a name such as HAS_STATUS, which means itself alone."""
    after = words[found.last].gap if found.last < len(words) else ""
    return "_" in (words[found.first].gap, after)


def _holds_many_words(column: NamedColumn) -> bool:
    """True for lists and texts, among whose words most words of a question are by chance."""
    if column.table.database == GRAPH:
        return column.column.name not in _NAMES_OF_GRAPH
    samples = column.column.samples
    return column.kind == "list" or (bool(samples) and min(map(len, samples)) >= _LENGTH_OF_TEXTS)


def _written(words: Sequence[QuestionWord]) -> str:
    return "".join(word.gap * (place > 0) + word.text for place, word in enumerate(words)).lower()


def _alike(known: Iterable[tuple[NamedColumn, str]], words: Sequence[QuestionWord]) -> Iterable[FoundValue]:
    stems = [word.stem for word in words]
    for column, value in known:
        own = [word.stem for word in words_of(value)]
        if not own or all(word in FUNCTION_WORDS for word in own):
            continue
        for first in range(len(stems) - len(own) + 1):
            if stems[first : first + len(own)] == own and _is_value(words[first + len(own) - 1].low, value.lower()):
                yield FoundValue(column, value, first, first + len(own))
        turned = [*own[2:], own[0]] if len(own) > 2 and own[1] == "of" else []  # "water escape", an escape of water
        for first in range(len(stems) - len(turned) + 1 if turned else 0):
            if stems[first : first + len(turned)] == turned:
                yield FoundValue(column, value, first, first + len(turned))


def _is_value(word: str, value: str) -> bool:
    """True for a value's last word or its plural, and for "cancel" where it is "cancelled".

    "Opened" tells of an event where the value is "open".
    """
    last = words_of(value)[-1].low
    return bool(_singulars(word) & _singulars(last)) or (is_past(last) and not is_past(word))


def _singulars(word: str) -> set[str]:
    """Return a word and what it may be the plural of."""
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    return {word, *(word.removesuffix(plural) + one for plural, one in endings if word.endswith(plural))}
