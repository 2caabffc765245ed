"""The eight queries over an agent's own records. Each answers with records as they are stored, or with nothing.

An answer is compared with the question before it is given: what the database returned beyond it is never passed on.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import BadInput, GraphUnavailable
from services.core.log import logger
from services.core.memory_records import Properties
from services.graph.memory_store import FoundRecord, RecordFilter
from services.language.names import fold
from services.memory import questions
from services.memory.confidence import confidence_of
from services.memory.query_result import MemoryResult, nothing_found
from services.memory.questions import MemoryQuestion
from services.memory.record_fields import RECORDED, recorded_at
from services.memory.related_code import MARK, candidates, code_file, related_to
from services.memory.verified import verify

SECONDS = 60
_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found: one row a match, all records in it, and how many of the matches have no recorded time."""

    rows: tuple[Properties, ...]
    records: tuple[Properties, ...]
    undated: int


class MemoryQueries:
    """The queries over a workspace. With `known_at` records that were recorded later are left out.

    `citizen` is whose memory is asked; left out, it is the only one that the workspace knows. No query raises: what
    goes wrong is the message of a result that found nothing.
    """

    def __init__(self, workspace: OpenWorkspace, known_at: datetime | None = None) -> None:
        self._workspace = workspace
        self._known_at = known_at

    def query_partnerships(self, partner_id: str, citizen: str | None = None) -> MemoryResult:
        """Find the partnership with a partner."""
        return self._ask(lambda: questions.partnerships(partner_id, citizen))

    def query_conversations(
        self, partner_id: str, keywords: Sequence[str] | None = None, citizen: str | None = None, limit: int = 5
    ) -> MemoryResult:
        """Find conversations with a partner, newest first; with keywords those whose topic has one of them."""
        return self._ask(lambda: questions.conversations(partner_id, keywords, citizen, limit))

    def query_technical_context(
        self, term: str, issue_type: str | None = None, citizen: str | None = None, limit: int = 3
    ) -> MemoryResult:
        """Find what is known of a component, by its name or description, latest first."""
        return self._ask(lambda: questions.technical_context(term, issue_type, citizen, limit))

    def query_emotional_state(
        self, context_similar_to: str, emotion_type: str | None = None, citizen: str | None = None, limit: int = 3
    ) -> MemoryResult:
        """Find emotions in a context, the most intense first."""
        return self._ask(lambda: questions.emotional_state(context_similar_to, emotion_type, citizen, limit))

    def query_strategy_patterns(
        self, situation_type: str, min_success_rate: float = 0.7, citizen: str | None = None, limit: int = 3
    ) -> MemoryResult:
        """Find approaches that work for a situation, the most successful first."""
        return self._ask(lambda: questions.strategy_patterns(situation_type, min_success_rate, citizen, limit))

    def query_related_code(
        self, filename: str, include_dependencies: bool = True, citizen: str | None = None, limit: int = 5
    ) -> MemoryResult:
        """Find files by a part of their path, each with the files that it needs and that need it."""
        return self._ask(
            lambda: questions.related_code(filename, citizen, limit, include_dependencies=include_dependencies)
        )

    def query_failed_attempts(self, context: str, citizen: str | None = None, limit: int = 5) -> MemoryResult:
        """Find what failed in a context, the latest first."""
        return self._ask(lambda: questions.failed_attempts(context, citizen, limit))

    def query_active_constraints(
        self, constraint_type: str | None = None, min_severity: str = "low", citizen: str | None = None
    ) -> MemoryResult:
        """Find what presses now, the most severe first, then what is due first."""
        return self._ask(lambda: questions.active_constraints(constraint_type, min_severity, citizen))

    # -- asking

    def _ask(self, read: Callable[[], MemoryQuestion]) -> MemoryResult:
        started = time.perf_counter()

        def elapsed() -> int:
            return max(1, int((time.perf_counter() - started) * 1000))

        try:
            question = read()
            wanted = self._with_citizen(question)
            answer = self._answer(question, wanted)
        except BadInput as error:
            return nothing_found(error.message)
        except GraphUnavailable as error:
            return nothing_found(f"Database connection failed: {error.message}")
        except ValueError as error:
            return nothing_found(f"Failed to parse graph data: {error}", elapsed())
        except Exception as error:  # noqa: BLE001 - a query answers, whatever went wrong
            _log.exception("A memory query failed.")
            return nothing_found(f"Query failed: {error}")
        return self._result(question, answer, elapsed())

    def _with_citizen(self, question: MemoryQuestion) -> RecordFilter:
        """The filter for one citizen's records; where only one is known, every record is theirs."""
        wanted, citizen = question.wanted, questions.checked_citizen(question.citizen)
        if citizen is not None:
            return replace(wanted, equal={**wanted.equal, "citizen": (citizen,)})
        workspace = self._workspace
        known = workspace.run(workspace.graph.memory.citizens(workspace.name), SECONDS)
        if len({fold(name) for name in known}) > 1:
            raise BadInput(f"Invalid citizen: name one; the workspace has {len(known)} ({', '.join(known)})")
        return wanted

    def _answer(self, question: MemoryQuestion, wanted: RecordFilter) -> _Answer:
        names = ["id", *(name for name, _ in question.by), *(RECORDED if self._known_at else ())]
        matches = sorted(self._known(self._fitting(question, wanted, names)), key=_in_order(question))
        chosen = matches[: question.limit]
        undated = sum(recorded_at(one.properties) is None for one in chosen) if self._known_at else 0
        held = self._read([one.own_id for one in chosen])
        for record in held.values():
            verify(wanted, record)
        if question.type != "Code_Reference":
            found = tuple(held[one.own_id] for one in chosen if one.own_id in held)
            return _Answer(found, found, undated)
        return self._with_related(question, wanted, held, undated)

    def _with_related(
        self, question: MemoryQuestion, wanted: RecordFilter, held: dict[int, Properties], undated: int
    ) -> _Answer:
        """Pairs of a file and those related to it, which are of the same citizen."""
        citizens = {name: texts for name, texts in wanted.equal.items() if name == "citizen"}
        primaries = {own: code_file(FoundRecord(own, record)) for own, record in held.items()}
        names = ["id", "file_path", "dependencies", *(RECORDED if self._known_at else ())]
        filters = candidates(primaries.values(), question.about, citizens) if question.related and held else []
        found = [one for each in filters for one in self._known(self._fitting(question, each, names))]
        files = {one.own_id: code_file(one) for one in found}.values()
        ties = {own: related_to(file, question.about, files) for own, file in primaries.items()}
        related = self._read({own for tied in ties.values() for own in tied})
        for record in related.values():
            verify(RecordFilter(citizens), record)
        in_order = sorted(related.items(), key=lambda pair: str(pair[1].get("id")))
        pairs = tuple(
            {
                "primary": record,
                "related": [{**other, MARK: ties[own][id]} for id, other in in_order if id in ties[own]],
            }
            for own, record in held.items()
        )
        return _Answer(pairs, (*held.values(), *related.values()), undated)

    def _fitting(self, question: MemoryQuestion, wanted: RecordFilter, names: Sequence[str]) -> Sequence[FoundRecord]:
        workspace = self._workspace
        find = workspace.graph.memory.fitting(workspace.name, question.type, wanted, list(dict.fromkeys(names)))
        return workspace.run(find, SECONDS)

    def _read(self, own_ids: Sequence[int] | set[int]) -> dict[int, Properties]:
        """The whole records, in the order asked."""
        workspace = self._workspace
        held = workspace.run(workspace.graph.memory.read(workspace.name, own_ids), SECONDS) if own_ids else {}
        return {own: held[own] for own in own_ids if own in held}

    def _known(self, found: Sequence[FoundRecord]) -> list[FoundRecord]:
        """Those that were recorded by `known_at`, or at no known time."""
        if self._known_at is None:
            return list(found)
        times = ((one, recorded_at(one.properties)) for one in found)
        return [one for one, at in times if at is None or at <= self._known_at]

    def _result(self, question: MemoryQuestion, answer: _Answer, ms: int) -> MemoryResult:
        if not answer.rows:
            return nothing_found(f"No {question.noun} found for {question.about}", ms)
        at = self._known_at or clock.now()
        confidence = min(confidence_of(question.type, one, at, question.keywords).value for one in answer.records)
        is_single = len(answer.rows) == 1 and question.type in ("Partnership", "Code_Reference")
        data = answer.rows[0] if is_single else list(answer.rows)
        message = f"{question.noun.capitalize()} found"
        if answer.undated:
            of = "has" if answer.undated == 1 else "have"
            message += (
                f"; {answer.undated} of {len(answer.rows)} {of} no recorded time, so known_at does not exclude them"
            )
        return MemoryResult(True, data, confidence, ms, message)


def _in_order(question: MemoryQuestion) -> Callable[[FoundRecord], tuple[object, ...]]:
    return lambda one: question.sort_key(one.properties)
