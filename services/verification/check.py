"""The check of an answer: each sentence against the records that it cites. No model is asked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from services.core.answer_records import CitationKind, Evidence, Sentence
from services.core.models import Instants
from services.core.quotations import place_of
from services.verification.beside_question import AskedQuestion
from services.verification.claims import claims_nothing
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.fact_match import Mismatch
from services.verification.fact_sets import Verdict, check_facts
from services.verification.passage_check import check_passages, pieces_of
from services.verification.passage_parts import CheckedSentence, IndexedPassage
from services.verification.result_check import IndexedResult, check_results
from services.verification.sentence_clauses import clauses
from services.verification.sentence_reading import ReadSentence, plain, read
from services.verification.unknown_names import unknown_names


def check(
    sentences: Iterable[Sentence],
    evidence: Sequence[Evidence],
    at: Instants,
    *,
    as_of_2: datetime | None = None,
    question: str = "",
) -> tuple[Sentence, ...]:
    """The sentences with their marks: what the records that a turn returned bear out, at the answer's instants.

    `as_of_2` is the second instant of a comparison, or the end of a period. With a `question`, what does not answer it
    is marked so.
    """
    checker = _Checker(evidence, TurnInstants(at, as_of_2), question)
    return tuple(checker.marked(sentence) for sentence in sentences)


_IS_PART = re.compile(r"\s+of\s+(?:the|these|those|all)\s")
"""Behind the number in "four of the eight": such a number counts rows."""

MOST_OF_A_NAME = 3
"""So many words the name may have whose rows a result is, where they leave it out."""


class _Checker:
    """One answer's sentences in order.

    `_before` are the names spoken of so far, `_names` those of its facts, `_relations` the words of their relations.
    """

    def __init__(self, evidence: Sequence[Evidence], turn: TurnInstants, question: str) -> None:
        self._turn = turn
        self._facts = {one.n: IndexedFact(one, one.fact) for one in evidence if one.fact is not None}
        self._chunks = {one.n: IndexedPassage(one) for one in evidence if one.kind == "chunk"}
        self._results = {one.n: IndexedResult(one) for one in evidence if one.kind == "result"}
        self._before: frozenset[str] = frozenset()
        names = (name for fact in self._facts.values() for name in (fact.source, fact.target))
        self._names = {(name.key, name.cased): name for name in names}.values()
        self._relations = frozenset(word for fact in self._facts.values() for word in fact.relation)
        self._question = AskedQuestion(question, list(self._facts.values()), turn) if question else None

    def marked(self, sentence: Sentence) -> Sentence:
        """The sentence with its mark, and why it has it."""
        if sentence.mark == "quoted" and self._is_quoted(sentence):
            return sentence
        if claims_nothing(sentence.text, bool(sentence.citations)):
            if self._question is not None and sentence.text.startswith("No"):
                self._question.allow_other_times()
                self._turn = replace(self._turn, as_of_2=max(self._turn.horizon, self._turn.at.known_at))
            return replace(sentence, mark=None)
        known = [n for n in sentence.citations if n in self._facts or n in self._chunks or n in self._results]
        if not known:
            missing = ", ".join(f"[{n}]" for n in sentence.citations)
            reason = (
                f"No tool call for this answer returned {missing}." if missing else "This sentence cites no source."
            )
            return replace(sentence, mark="uncited", reason=reason)
        problem, undated = self._judged(plain(sentence.text), known)
        if problem is None:
            if aside := self._aside(sentence.text, known):
                return replace(sentence, mark="beside", undated=undated, reason=f"[{known[0]}]: {aside}.")
            return replace(
                sentence, mark="supported", undated=undated, reason="The cited fact has no date." if undated else ""
            )
        return replace(sentence, mark="contradicted", by=problem.n, reason=f"[{problem.n}]: {problem.reason}.")

    def _is_quoted(self, sentence: Sentence) -> bool:
        """True where the words that a sentence quotes stand in the passages that it cites."""
        chunks = [self._chunks[n] for n in sentence.citations if n in self._chunks]
        return bool(chunks) and all(place_of(sentence.text, chunk.text) for chunk in chunks)

    def _aside(self, text: str, known: Sequence[int]) -> str:
        """What a sentence tells of that was not asked; "" where passages or results are cited beside facts."""
        facts = [self._facts[n] for n in known if n in self._facts]
        if self._question is None or len(facts) < len(known):
            return ""
        return self._question.is_beside(text, facts)

    def _judged(self, text: str, cited: Sequence[int]) -> tuple[Mismatch | None, bool]:
        """What keeps the cited records from bearing out a sentence, and whether what bears it out is undated.

        Records of several kinds may bear it out together, each a clause.
        """
        problem, undated = self._held(text, cited)
        if problem is None or len({self._kind_of(n) for n in cited}) == 1:
            return problem, undated
        pieces = [self._held(piece.reading.text, cited) for piece in pieces_of(CheckedSentence(read(text, ())))]
        if len(pieces) > 1 and all(found is None for found, _ in pieces):
            return None, any(undated for _, undated in pieces)
        return problem, False

    def _kind_of(self, n: int) -> CitationKind:
        return "fact" if n in self._facts else "chunk" if n in self._chunks else "result"

    def _held(self, text: str, cited: Sequence[int]) -> tuple[Mismatch | None, bool]:
        facts = [self._facts[n] for n in cited if n in self._facts]
        chunks = [self._chunks[n] for n in cited if n in self._chunks]
        results = [self._results[n] for n in cited if n in self._results]
        reading = self._read(text, facts, results)
        found: list[Mismatch | None] = []
        if facts:
            borne = self._on_facts(reading, facts, results)
            self._spoke_of(reading, facts)
            if borne.problem is None:
                return None, borne.undated
            found.append(borne.problem)
        if results:
            found += self._on_results(reading, results, facts)
        if chunks:
            found.append(check_passages(read(text, ()), chunks, self._turn))
        if None in found:
            return None, False
        return max((problem for problem in found if problem is not None), key=lambda problem: problem.near), False

    def _read(self, text: str, facts: Sequence[IndexedFact], results: Sequence[IndexedResult]) -> ReadSentence:
        own = [name for fact in facts for name in (fact.source, fact.target)]
        own += [name for result in results for name in result.names]
        named = {name.key: name for name in own}
        others = {name.key: name for name in self._names if name.key not in named and name.cased in text}
        return read(text, list(named.values()), list(others.values()))

    def _on_facts(
        self, reading: ReadSentence, facts: Sequence[IndexedFact], results: Sequence[IndexedResult]
    ) -> Verdict:
        return check_facts(reading, facts, results, self._before, self._relations, self._turn)

    def _on_results(
        self, reading: ReadSentence, results: Sequence[IndexedResult], facts: Sequence[IndexedFact]
    ) -> Iterator[Mismatch | None]:
        known = frozenset[str]().union(*(result.vocabulary for result in results), *(fact.known for fact in facts))
        odd = unknown_names(reading, known, _keys(facts, results))
        parts = clauses(reading, "numbers")
        if all(result.is_of_one and all(map(result.names_rows, parts)) for result in results):
            odd = [] if len({word for name in odd for word in name.split()}) <= MOST_OF_A_NAME else odd
        if odd and any(result.rows for result in results):
            yield Mismatch(f"the result does not name “{odd[0]}”", results[0].n, 1)
        else:
            yield check_results(parts, results, self._turn, reading.text)
        counts = any(number.unit == "" for number in reading.numbers)
        timed = (result for result in results if result.has_times and (result.is_whole or not counts))
        rows = [fact for result in timed for fact in result.facts]
        if rows and not any(_IS_PART.match(reading.text, number.end) for number in reading.numbers):
            yield self._on_facts(reading, [*facts, *rows], results).problem

    def _spoke_of(self, reading: ReadSentence, facts: Sequence[IndexedFact]) -> None:
        self._before |= {word.name for word in reading.names} | {
            name.key for fact in facts for name in (fact.source, fact.target)
        }


def _keys(facts: Sequence[IndexedFact], results: Sequence[IndexedResult]) -> frozenset[str]:
    return frozenset(
        [name.key for fact in facts for name in (fact.source, fact.target)]
        + [name.key for result in results for name in result.names]
    )
