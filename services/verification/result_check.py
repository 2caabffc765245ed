"""Whether the result of a call bears out a sentence: counts, rows of a table, steps of a path."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import combinations
from typing import Any

from services.core import clock
from services.core.answer_records import Evidence
from services.core.models import Fact
from services.language.inflection import stem
from services.language.quantities import DAYS, Quantity
from services.language.relation_names import relation_words
from services.verification.evidence_index import IndexedFact, TurnInstants, stems_in
from services.verification.fact_match import Mismatch
from services.verification.result_columns import compared, flat, is_multiple, is_no_extreme
from services.verification.sentence_clauses import SentenceClause
from services.verification.sentence_reading import Name
from services.verification.stated_dates import StatedDate, stated_dates
from services.verification.word_classes import is_ending, is_starting, says_end, word_set


class IndexedResult:
    """A call and its rows, as the check asks them."""

    def __init__(self, evidence: Evidence) -> None:
        self.n = evidence.n
        self.at = evidence.at
        self.rows = tuple(flat(evidence.rows))
        self.count = len(evidence.rows)
        self.total = evidence.total
        self.is_whole = evidence.is_whole
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
        columns = (map(stem, relation_words(key)) for row in self.rows for key in row)
        return frozenset().union(*self.labels, stems_in(f"{self.text} {self.asked}"), *columns)

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
    def dates(self) -> tuple[StatedDate, ...]:
        """The dates that its rows and its summary state."""
        stated = [
            str(value)
            for row in self.rows
            for key, value in row.items()
            if "at" in key or "date" in key or _DATED.match(str(value))
        ]
        return tuple(stated_dates(" ; ".join((self.text, *stated))))

    @cached_property
    def facts(self) -> tuple[IndexedFact, ...]:
        """Its rows that are facts."""
        return tuple(
            IndexedFact(Evidence(self.n, "fact", "", self.at, ""), _fact(row))
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

    def names_rows(self, clause: SentenceClause) -> bool:
        """True when a clause names a row, or counts nothing but all of them."""
        whole = all(number.says(self.total) or number.says(self.count) for number in clause.numbers)
        return whole or self._spoken_of(clause) is not None

    def counts(self, clause: SentenceClause) -> set[float]:
        """What a clause may count: the rows that it speaks of, else all, and their numbers.

        How many rows a search found that stopped at its limit says nothing.
        """
        spoken = self._spoken_of(clause)
        rows = self.rows if spoken is None else [self.rows[i] for i in spoken]
        values = self.values if spoken is None else [self.values[i] for i in spoken]
        found = {value for row in values for value in row}
        found |= {sum(column) for column in zip(*values, strict=False)} if found else set()
        if not self.is_whole:
            return found
        if of_kinds := self._of_kinds(clause):
            return of_kinds
        if in_time := self.in_time(clause):
            return found | in_time
        if spoken is None:
            found |= {float(self.total), float(self.count)}
        elif len(rows) > 1 or not found:
            found.add(float(len(rows)))
        if not found - {float(self.total), float(self.count), float(len(rows))}:
            found |= self._distinct(rows)
        return found

    def _of_kinds(self, clause: SentenceClause) -> set[float]:
        """How many of its rows are changes of a kind that a clause says: "39 facts ended"."""
        kinds = Counter(str(row["kind"]) for row in self.rows if "kind" in row and "valid_at" in row)
        return {float(number) for kind, number in kinds.items() if kind in clause.lower}

    def in_time(self, clause: SentenceClause) -> set[float]:
        """How many of its facts began, ended or held at the dates of a clause: of each relation of a name in it."""
        if not self.is_whole or not self.has_times or not (clause.dates or _tells_of_change(clause)):
            return set()
        named = [fact for fact in self.facts if {fact.source.key, fact.target.key} & clause.keys]
        groups: dict[tuple[str, ...], list[IndexedFact]] = {}
        for fact in named or self.facts:
            groups.setdefault(tuple(fact.relation) if named else (), []).append(fact)
        return {float(sum(self._is_in(fact, clause) for fact in group)) for group in groups.values()}

    def _is_in(self, fact: IndexedFact, clause: SentenceClause) -> bool:
        """True for a fact that began at the dates of a clause, held then, or ended where it speaks of ends."""
        moment = fact.fact.invalid_at if _ends(clause) else fact.start()
        return moment is not None and all(_is_at(moment, fact, date, clause) for date in clause.dates)

    @cached_property
    def sizes(self) -> set[float]:
        """How many facts of each relation it has, and of all."""
        relations = Counter(tuple(fact.relation) for fact in self.facts)
        return {float(self.total), *map(float, relations.values())} if self.is_whole else set()

    def differences(self, text: str) -> set[float]:
        """The differences between the numbers of the rows that a sentence names."""
        spoken = [i for i, row in enumerate(self.rows) if any(isinstance(v, str) and v in text for v in row.values())]
        found = [value for i in spoken for value in self.values[i]]
        return {abs(one - other) for one, other in combinations(found, 2)}

    def is_of_others(self, clause: SentenceClause) -> bool:
        """True when a clause joins a source and a target of its facts that none of them joins."""
        ends = [(fact.source.key, fact.target.key) for fact in self.facts]
        targets = {target for _, target in ends} & clause.keys
        sources = {source for source, _ in ends} & clause.keys - targets
        return bool(targets) and any(not any(one == s and t in targets for s, t in ends) for one in sources)

    def has_not_ended(self, clause: SentenceClause) -> bool:
        """True when a clause says that something ended, and the facts that it names go on."""
        keys = clause.keys - self._shared_names
        named = [fact for fact in self.facts if {fact.source.key, fact.target.key} & keys]
        own = self.vocabulary
        ends = any(says_end(w.lower) and stem(w.lower) not in own for w in clause.words if not w.name)
        return self.has_times and ends and bool(named) and all(fact.fact.invalid_at is None for fact in named)

    def is_wrong_extreme(self, clause: SentenceClause, numbers: Sequence[Quantity]) -> bool:
        """True when a clause says "the most" of a row that has not the greatest number, or "the fewest" likewise."""
        spoken = self._spoken_of(clause)
        return spoken is not None and len(spoken) == 1 and is_no_extreme(self.rows, spoken[0], clause, numbers)

    def _spoken_of(self, clause: SentenceClause) -> list[int] | None:
        """The rows that a clause names by what not all rows have; None where it names no such thing."""
        if _EXAMPLES & clause.lower:
            return None
        named = [i for i, row in enumerate(self.rows) if self._own_names(row) & clause.keys]
        if named:
            return named
        stems = {stem(w) for word in clause.words for w in word.lower.split() if word.is_word}
        shared = frozenset.intersection(*self.labels) if self.labels else frozenset()
        telling = [(len((labels - shared) & stems), i) for i, labels in enumerate(self.labels)]
        most = max((count for count, _ in telling), default=0)
        return [i for count, i in telling if count == most] if most else None

    @cached_property
    def _shared_names(self) -> frozenset[str]:
        """The names that all its rows have."""
        each = [frozenset(v.lower() for v in row.values() if isinstance(v, str)) for row in self.rows]
        return frozenset.intersection(*each) if len(each) > 1 else frozenset()

    def _own_names(self, row: Mapping[str, Any]) -> set[str]:
        return {value.lower() for value in row.values() if isinstance(value, str)} - self._shared_names

    def _distinct(self, rows: Sequence[Mapping[str, Any]]) -> set[float]:
        """How many different values each column has."""
        columns = {key for row in rows for key in row}
        return {float(len({str(row.get(key)) for row in rows if row.get(key) is not None})) for key in columns}


_DATED = re.compile(r"[12]\d{3}(?:-\d\d)*(?!\d)")
_EXAMPLES = frozenset(("among", "including", "includes", "such", "like"))


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
            yield from stems_in(" ".join(relation_words(value)) if value.replace("_", "").isupper() else value)


def explained(number: Quantity, clause: SentenceClause, results: Sequence[IndexedResult], text: str) -> bool:
    """True when a number is a count of the results, or a total, a difference, a part or a multiple of them."""
    if number.unit == "ratio" and (pairs := [pair for result in results for pair in compared(result.rows, clause)]):
        return is_multiple(number, pairs, clause)
    counts = {value for result in results for value in result.counts(clause)}
    if _LESS_ONE & clause.lower or _APART.search(text):
        counts |= {value - 1 for value in (*counts, *(size for result in results for size in result.sizes))}
    if number.unit not in DAYS and any(number.says(value) for value in counts):
        return True
    if any(number.says(value) for result in results for value in result.differences(text)):
        return True
    totals = [float(result.total) for result in results if result.is_whole]
    sums = [sum(column) for result in results for column in zip(*result.values, strict=False)]
    if _is_of_all(number, text) and any(number.says(total) for total in (*totals, *sums, sum(totals))):
        return True
    everything = {value for result in results for values in result.values for value in values} | set(totals)
    if number.unit in ("percent", "ratio"):
        sizes = {size for result in results for size in result.sizes}
        parts = {value for result in results for value in result.in_time(clause)}
        return number.is_part(everything | (set(sums) if number.value <= 1 or number.unit == "percent" else set())) or (
            any(number.is_part((part, size)) for part in parts for size in sizes if part <= size)
        )
    return len(results) > 1 and any(
        number.says(abs(one - other)) or number.says(one + other) for one, other in combinations(everything, 2)
    )


_LESS_ONE = word_set("changed moved switched changes moves switches")
_APART = re.compile(
    r"\b(?:apart from|besides|except|other than|in addition to|excluding|not counting)\b", re.IGNORECASE
)


def _ends(clause: SentenceClause) -> bool:
    return any(is_ending(word.lower) for word in clause.words if not word.name)


def _starts(clause: SentenceClause) -> bool:
    return any(is_starting(word.lower) for word in clause.words if not word.name)


def _is_at(moment: datetime, fact: IndexedFact, date: StatedDate, clause: SentenceClause) -> bool:
    if date.role == "before":
        return moment < date.first
    if date.role in ("until", "by", "to") or {"or", "earlier"} <= clause.lower:
        return moment < date.last
    if date.role in ("since", "from") or {"or", "later"} <= clause.lower:
        return date.first <= moment and (date.to is None or moment < date.to.last)
    if date.role == "after":
        return moment >= date.last
    end = date.to.last if date.to else date.last
    if date.first <= moment < end:
        return True
    stop = fact.fact.invalid_at
    return (
        clause.tense == "past" and not _tells_of_change(clause) and moment < end and (stop is None or stop > date.first)
    )


def _tells_of_change(clause: SentenceClause) -> bool:
    return _starts(clause) or _ends(clause)


def _is_of_all(number: Quantity, text: str) -> bool:
    before = text[: number.start].lower().rstrip()
    return before.endswith(
        ("of the", "of all", "of all the", "of", "out of", "in", "the", "total of", "in all", "altogether")
    ) or bool(re.search(r"\b(?:number of|in total|in all|altogether)\b", text, re.IGNORECASE))


def check_results(
    clauses: Sequence[SentenceClause], results: Sequence[IndexedResult], turn: TurnInstants, text: str
) -> Mismatch | None:
    """What keeps results from bearing out a sentence; None where nothing does."""
    n, numbers = results[0].n, [number for clause in clauses for number in clause.numbers]
    for clause in clauses:
        for number in clause.numbers:
            if not explained(number, clause, results, text):
                return Mismatch(f"the result counts {results[0].total}", n, 3)
        for date in clause.dates:
            counted = bool(clause.numbers) and any(result.in_time(clause) for result in results)
            if not counted and not _is_date_of(date, results, turn):
                return Mismatch("the result is for another date", n, 2)
        if reason := _not_of_rows(clause, results, numbers) or _turned(clause, results):
            return Mismatch(reason, n, 3)
        tells = clause.numbers or clause.keys or len(clauses) > 1 or any(one.in_time(clause) for one in results)
        if not tells and not any(result.total == 0 for result in results):
            return Mismatch("the result does not say this", n)
    return None


def _not_of_rows(clause: SentenceClause, results: Sequence[IndexedResult], numbers: Sequence[Quantity]) -> str:
    """What rows have otherwise: who has the most, who has what, and whether it ended."""
    if any(result.is_wrong_extreme(clause, numbers) for result in results):
        return "a different row has the highest or lowest value"
    if not clause.numbers and any(result.is_of_others(clause) for result in results):
        return "the result does not say this"
    return (
        "according to the result, this has not ended" if any(result.has_not_ended(clause) for result in results) else ""
    )


def _is_date_of(date: StatedDate, results: Sequence[IndexedResult], turn: TurnInstants) -> bool:
    for one in filter(None, (date, date.to)):
        own = [at.as_of for result in results for at in result.at]
        known = turn.is_its_own(one) or any(one.holds(at) for at in own)
        if not known and not any(one.holds(stated.first) for result in results for stated in result.dates):
            return False
    return True


def _turned(clause: SentenceClause, results: Sequence[IndexedResult]) -> str:
    known = frozenset().union(*(result.vocabulary for result in results))
    if _NONE & clause.lower and any(0.0 in (*result.in_time(clause), *_spoken(result, clause)) for result in results):
        return ""
    negators = [word for word in clause.negators() if word not in known]
    if len(negators) % 2 and any(result.total for result in results) and not set(clause.lower) & {"longer", "yet"}:
        return "the result says the opposite"
    return ""


_NONE = word_set("no none nobody nothing")


def _spoken(result: IndexedResult, clause: SentenceClause) -> set[float]:
    return result.counts(clause) if result.names_rows(clause) else set()
