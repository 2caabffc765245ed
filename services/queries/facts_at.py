"""What holds with an entity at two instants: questions that are answered many at a time."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from services.core import clock, date_wording, time_rule
from services.core.errors import QueryRejected
from services.core.models import Fact, Instants
from services.core.progress import Progress, nobody
from services.language.names import of_name

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_AT_ONCE = 8

Histories = dict[str, tuple[Fact, ...] | QueryRejected]


def _without_nul(name: str) -> str:
    if "\0" in name:
        raise PydanticCustomError("name", "a name must not contain a NUL character")
    return name


Name = Annotated[str, Field(min_length=1), AfterValidator(_without_nul)]


@dataclass(frozen=True, slots=True)
class FactsQuestion:
    """What holds with an entity at two instants; an instant that is not given is now."""

    entity: str
    relation: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None

    def instants(self) -> Instants:
        """Return the two instants."""
        now = clock.now()
        return Instants(self.as_of or now, self.known_at or now)


@dataclass(frozen=True, slots=True)
class FactsAnswer:
    """What holds, each fact as it was known then, and how many more have no date.

    `may_have_ended` ended sometime in the year or month of the instant, and do not hold by the rule.
    """

    at: Instants
    facts: tuple[Fact, ...]
    undated: int
    may_have_ended: tuple[Fact, ...] = ()


def answers(
    workspace: "OpenWorkspace", questions: Sequence[FactsQuestion], progress: Progress = nobody
) -> list[FactsAnswer | QueryRejected]:
    """An answer to each question; what they have in common is asked of the graph once.

    Where a question has a `known_at` of its own, a fact's further sources are those that the graph had then.
    """
    names = dict.fromkeys(question.entity for question in questions)
    known = histories(workspace, names, progress)
    found = [_answer(known[question.entity], question) for question in questions]
    answered = list(zip(found, questions, strict=True))
    earlier = [fact for a, q in answered if q.known_at and isinstance(a, FactsAnswer) for fact in a.facts]
    learned = _learned(workspace, earlier)
    return [_sourced(a, learned) if q.known_at and isinstance(a, FactsAnswer) else a for a, q in answered]


def _answer(history: tuple[Fact, ...] | QueryRejected, question: FactsQuestion) -> FactsAnswer | QueryRejected:
    if isinstance(history, QueryRejected):
        return history
    at = question.instants()
    recorded = [fact for fact in history if time_rule.recorded(fact, at.known_at)]
    asked = of_relation(recorded, question.relation)
    holding = tuple(time_rule.as_known(fact, at.known_at) for fact in asked if time_rule.true_at(fact, at))
    over = tuple(time_rule.as_known(fact, at.known_at) for fact in asked if date_wording.may_have_ended(fact, at))
    return FactsAnswer(at, holding, sum(time_rule.undated(fact, at) for fact in asked), over)


def _sourced(answer: FactsAnswer, learned: dict[str, datetime]) -> FactsAnswer:
    facts = tuple(_with_sources_at(fact, answer.at.known_at, learned) for fact in answer.facts)
    return replace(answer, facts=facts)


def with_sources_at(workspace: "OpenWorkspace", facts: Sequence[Fact], known_at: datetime) -> list[Fact]:
    """Facts with those of their further sources that the graph had at `known_at`."""
    learned = _learned(workspace, facts)
    return [_with_sources_at(fact, known_at, learned) for fact in facts]


def _learned(workspace: "OpenWorkspace", facts: Iterable[Fact]) -> dict[str, datetime]:
    """When the graph learned of sources; not asked for facts of a single one, which came with them."""
    uuids = dict.fromkeys(uuid for fact in facts if len(fact.episodes) > 1 for uuid in fact.episodes)
    if not uuids:
        return {}
    episodes = workspace.run(workspace.graph.episodes(workspace.name, uuids))
    return {episode.uuid: episode.created_at for episode in episodes if episode.created_at is not None}


def _with_sources_at(fact: Fact, known_at: datetime, learned: dict[str, datetime]) -> Fact:
    known = tuple(uuid for uuid in fact.episodes if learned.get(uuid, known_at) <= known_at)
    return fact if len(fact.episodes) < 2 else replace(fact, episodes=known)


def of_relation(facts: Sequence[Fact], relation: str | None) -> Sequence[Fact]:
    """Facts of exactly that relation; failing that, of the same one in another case."""
    return facts if relation is None else of_name(facts, relation, lambda fact: fact.relation)


def histories(workspace: "OpenWorkspace", names: Iterable[str], progress: Progress = nobody) -> Histories:
    """The whole history of each entity, asked for once, or why the database would not tell that one."""
    return workspace.run(_fetch(workspace, list(names), progress))


async def _fetch(workspace: "OpenWorkspace", names: list[str], progress: Progress) -> Histories:
    turns = asyncio.Semaphore(_AT_ONCE)
    found: Histories = {}

    async def one(name: str) -> None:
        async with turns:
            try:
                found[name] = await workspace.graph.facts_about(workspace.name, name)
            except QueryRejected as error:
                found[name] = error
        progress(len(found), len(names))

    await asyncio.gather(*map(one, names))
    return found


def reason(error: ValidationError) -> str:
    """The first thing that is wrong with arguments."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"])) or "arguments"
    return f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}."
