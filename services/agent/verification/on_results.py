"""Whether the result of a call bears out a sentence: counts, rows of a table, steps of a path."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from services import clock
from services.agent.records import Evidence
from services.agent.verification.case import Problem, is_content
from services.agent.verification.clauses import Clause
from services.agent.verification.dates import Dated, dates
from services.agent.verification.held import HeldFact, Turn, stems_in
from services.agent.verification.lexicon import NEGATORS, opposites, stem, word_set, words_of
from services.agent.verification.quantities import DAYS, Quantity
from services.agent.verification.reading import Name
from services.agent.verification.roles import doers
from services.models import Fact


class HeldResult:
    """A call and its rows, as the check asks them."""

    def __init__(self, evidence: Evidence) -> None:
        self.n = evidence.n
        self.at = evidence.at
        self.rows = tuple(_flat(evidence.rows))
        self.count = len(evidence.rows)
        self.total = evidence.total
        self.text = evidence.text
        self.asked = " ; ".join(f"{value}" for value in evidence.asked.values())

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The names in its rows."""
        found = {value for row in self.rows for value in row.values() if isinstance(value, str) and _is_name(value)}
        return tuple(Name(value) for value in found)

    @cached_property
    def labels(self) -> tuple[frozenset[str], ...]:
        """The stems of the words of each row."""
        return tuple(frozenset(_stems(row)) for row in self.rows)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all that it says."""
        return frozenset().union(
            *self.labels, stems_in(f"{self.text} {self.asked}"), *(map(stem, words_of(k)) for r in self.rows for k in r)
        )

    @cached_property
    def values(self) -> tuple[tuple[float, ...], ...]:
        """The numbers of each row."""
        return tuple(
            tuple(
                float(value) for value in row.values() if isinstance(value, int | float) and not isinstance(value, bool)
            )
            for row in self.rows
        )

    @cached_property
    def dates(self) -> tuple[Dated, ...]:
        """The dates that its rows and its summary state."""
        said = [
            str(value)
            for row in self.rows
            for key, value in row.items()
            if "at" in key or "date" in key or _DATED.match(str(value))
        ]
        return tuple(dates(" ; ".join((self.text, *said))))

    @cached_property
    def facts(self) -> tuple[HeldFact, ...]:
        """Its rows that are facts."""
        return tuple(
            HeldFact(Evidence(self.n, "fact", "", self.at, ""), _fact(row))
            for row in self.rows
            if row.get("source") and row.get("relation") and row.get("target")
        )

    @cached_property
    def is_of_one(self) -> bool:
        """True for rows that leave out whose they are: that is in what was asked, which is not told here."""
        return not self.asked and not any("source" in row for row in self.rows)

    @cached_property
    def has_times(self) -> bool:
        """True when its rows say from when to when they hold."""
        return any("valid_at" in row for row in self.rows)

    def names_rows(self, clause: Clause) -> bool:
        """True when a clause names a row, or counts nothing but all of them."""
        whole = all(number.says(self.total) or number.says(self.count) for number in clause.numbers)
        return whole or self._spoken_of(clause) is not None

    def counts(self, clause: Clause) -> set[float]:
        """What a clause may count: the rows that it speaks of, else all, and their numbers."""
        spoken = self._spoken_of(clause)
        if spoken is None:
            return {
                float(self.total),
                float(self.count),
                *(v for values in self.values for v in values),
                *self._distinct(self.rows),
            }
        rows = [self.rows[i] for i in spoken]
        found = {value for i in spoken for value in self.values[i]}
        if found:
            sums = {sum(column) for column in zip(*(self.values[i] for i in spoken), strict=False)}
            return found | sums
        return {float(len(rows))} | self._distinct(rows)

    def differences(self, clause: Clause) -> set[float]:
        """The differences between the numbers of the rows that a clause names."""
        spoken = self._spoken_of(clause) or []
        found = [value for i in spoken for value in self.values[i]]
        return {abs(one - other) for one, other in combinations(found, 2)}

    def is_wrong_extreme(self, clause: Clause) -> bool:
        """True when a clause says "the most" of a row that has not the greatest number, or "the fewest" likewise."""
        spoken = self._spoken_of(clause)
        if spoken is None or len(spoken) != 1 or not self.values[spoken[0]] or not (_MOST | _LEAST) & clause.lower:
            return False
        every = [values[0] for values in self.values if values]
        return self.values[spoken[0]][0] != (max(every) if _MOST & clause.lower else min(every))

    def _spoken_of(self, clause: Clause) -> list[int] | None:
        """The rows that a clause names by what not all rows have; None where it names no such thing."""
        if _EXAMPLES & clause.lower:
            return None
        said = {stem(w) for word in clause.words for w in word.lower.split() if word.is_word}
        said |= {str(date.first.year) for date in clause.dates}
        shared = frozenset.intersection(*self.labels) if self.labels else frozenset()
        telling = [(len((labels - shared) & said), i) for i, labels in enumerate(self.labels)]
        most = max((count for count, _ in telling), default=0)
        return [i for count, i in telling if count == most] if most else None

    def _distinct(self, rows: Sequence[Mapping[str, Any]]) -> set[float]:
        """How many different values each column has."""
        columns = {key for row in rows for key in row}
        return {float(len({str(row.get(key)) for row in rows if row.get(key) is not None})) for key in columns}


_DATED = re.compile(r"[12]\d{3}(?:-\d\d)*(?!\d)")
_MOST = word_set("most highest largest biggest longest greatest top")
_LEAST = word_set("fewest least lowest smallest shortest bottom")
_EXAMPLES = frozenset(("among", "including", "includes", "such", "like"))


def _flat(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows, and the rows and names within them: a path has facts, a change has one before and one after."""
    for row in rows:
        yield {key: value for key, value in row.items() if not isinstance(value, list | tuple | Mapping)}
        for key, value in row.items():
            inside = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
            yield from _flat(one if isinstance(one, Mapping) else {key: one} for one in inside)


def _fact(row: Mapping[str, Any]) -> Fact:
    start, end = (clock.parse_instant(row[name]) if row.get(name) else None for name in ("valid_at", "invalid_at"))
    source, relation, target = (str(row[name]) for name in ("source", "relation", "target"))
    return Fact("", "", "", source, relation, target, _text(row), start, end)


def _is_name(value: str) -> bool:
    if value.islower():
        return False  # "ended" is a word of the sentence, not a name in it
    return 1 < len(value) <= 120 and not re.fullmatch(r"[A-Z][A-Z_]+", value) and not value[:4].isdigit()


def _text(row: Mapping[str, Any]) -> str:
    return str(row.get("fact") or row.get("text") or "")


def _stems(row: Mapping[str, Any]) -> Iterator[str]:
    for value in row.values():
        if isinstance(value, str):
            yield from stems_in(" ".join(words_of(value)) if value.replace("_", "").isupper() else value)


def explained(number: Quantity, clause: Clause, results: Sequence[HeldResult], text: str) -> bool:
    """True when a number is a count of the results, or a total, a difference, a part or a multiple of them."""
    said = [result.counts(clause) for result in results]
    if number.unit not in DAYS and any(number.says(value) for counts in said for value in counts):
        return True
    if any(number.says(value) for result in results for value in result.differences(clause)):
        return True
    totals = [float(result.total) for result in results]
    if _is_of_all(number, text) and any(number.says(total) for total in (*totals, sum(totals))):
        return True
    if text[: number.start].lower().rstrip().endswith(("the", "these", "both")) and number.says(2):
        return True
    everything = (
        {value for result in results for values in result.values for value in values} | set(totals) | {sum(totals)}
    )
    if number.unit in ("percent", "ratio"):
        return number.is_part(everything)
    if len(results) > 1 and number.says(len(results)):
        return True
    return any(
        number.says(abs(one - other)) or number.says(one + other)
        for one, other in combinations(everything, 2)
        if len(results) > 1
    )


def _is_of_all(number: Quantity, text: str) -> bool:
    before = text[: number.start].lower().rstrip()
    return before.endswith(
        ("of the", "of all", "of all the", "of", "out of", "in", "the", "total of", "in all", "altogether")
    )


def on_results(clauses: Sequence[Clause], results: Sequence[HeldResult], turn: Turn, text: str) -> Problem | None:
    """What keeps results from bearing out a sentence; None where nothing does."""
    n = results[0].n
    for clause in clauses:
        for number in clause.numbers:
            if not explained(number, clause, results, text):
                return Problem(f"it counts {results[0].total}", n, 3)
        for date in clause.dates:
            if not _is_date_of(date, results, turn):
                return Problem("it is for another date", n, 2)
        if any(result.is_wrong_extreme(clause) for result in results):
            return Problem("another has that", n, 3)
        if reason := _turned(clause, results) or _swapped(clause, results):
            return Problem(reason, n, 3)
        if (
            not clause.numbers
            and not clause.keys
            and not any(result.total == 0 for result in results)
            and len(clauses) == 1
        ):
            return Problem("it does not say this", n)
    return None


def _is_date_of(date: Dated, results: Sequence[HeldResult], turn: Turn) -> bool:
    if date.bare and any(
        number == date.first.year for r in results for values in r.values for number in (*values, r.total)
    ):
        return True
    for one in filter(None, (date, date.to)):
        own = [at.as_of for result in results for at in result.at]
        known = turn.is_its_own(one) or any(one.holds(at) for at in own)
        if not known and not any(one.holds(stated.first) for result in results for stated in result.dates):
            return False
    return True


def _turned(clause: Clause, results: Sequence[HeldResult]) -> str:
    known = frozenset().union(*(result.vocabulary for result in results))
    negators = [word for word in clause.negators() if word not in known]
    if len(negators) % 2 and any(result.total for result in results) and not set(clause.lower) & {"longer", "yet"}:
        return "it says the opposite"
    for word in clause.words:
        own = stem(word.lower)
        if is_content(word) and own not in known and word.lower not in NEGATORS and opposites(own) & known:
            return f"it does not say “{word.text}”"
    return ""


def _swapped(clause: Clause, results: Sequence[HeldResult]) -> str:
    for fact in (fact for result in results for fact in result.facts):
        if {fact.source.key, fact.target.key} <= clause.keys:
            said = doers(clause.words, fact.source.key, fact.target.key)
            shared = [meaning for meaning in said if meaning in fact.doers]
            if shared and all(said[meaning] != fact.doers[meaning] for meaning in shared):
                return f"it has {fact.fact.source} and {fact.fact.target} the other way round"
    return ""
