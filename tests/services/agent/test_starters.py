"""Questions to begin with: of any graph's relations, and answered by the analyst without a model."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.agent.answerer import Answerer, AskRequest
from services.agent.app import App
from services.agent.starters import starter_questions
from services.bootstrap import build_services
from services.core import clock
from services.core.answer_records import Asked
from services.core.config import Settings
from services.core.models import Entity, Fact, GraphWrite, Instants
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

W = "_"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def fact(uuid: str, source: str, relation: str, target: str, start: str, stop: str | None = None) -> Fact:
    return Fact(
        uuid,
        source.lower(),
        target.lower(),
        source,
        relation,
        target,
        valid_at=day(start),
        invalid_at=(stop and day(stop)) or None,
        created_at=day(start),
    )


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    built = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=MemoryGraphStore())
    yield built
    built.close()


def made(services: App, *facts: Fact, at: str = "2023-01-01") -> tuple[str, ...]:
    names = {name: kind for f in facts for name, kind in ((f.source, "Person"), (f.target, "Place"))}
    entities = tuple(Entity(name.lower(), name, (kind,)) for name, kind in names.items())
    services.bridge.run(services.graph.write(W, GraphWrite(entities, facts)))
    services.mirrors.sync(W)
    return starter_questions(services.mirrors.of(W), Instants(day(at), clock.now()))


def test_a_relation_that_is_a_noun_is_asked_for_by_it(services: App) -> None:
    found = made(
        services,
        fact("1", "Ann", "HAS_RANK", "Cadet", "2001-01-01", "2005-01-01"),
        fact("2", "Ann", "HAS_RANK", "Major", "2005-01-01"),
        fact("3", "Bea", "HAS_RANK", "Cadet", "2004-01-01"),
    )
    assert found == (
        "How has the rank of Ann changed?",
        "What is the rank of Bea?",
        "When did the rank of Ann become Major?",
        "How many people have the rank Cadet?",
    )


def test_a_relation_that_is_a_verb_is_asked_for_as_one(services: App) -> None:
    found = made(
        services,
        fact("1", "Ann", "LIVES_IN", "Bonn", "2001-01-01", "2005-01-01"),
        fact("2", "Ann", "LIVES_IN", "Rome", "2005-01-01"),
        fact("3", "Bea", "TEACHES", "Botany", "2004-01-01"),
    )
    assert set(found) == {
        "Where did Ann live before Rome?",
        "What does Bea teach?",
        "How long has Ann lived in Rome?",
        "How many people teach Botany?",
    }


def test_what_has_not_begun_at_the_date_is_not_asked_for(services: App) -> None:
    facts = fact("1", "Ann", "HAS_RANK", "Cadet", "2001-01-01"), fact("2", "Bea", "HAS_RANK", "Major", "2020-01-01")
    assert all(
        "Bea" not in question and "Major" not in question for question in made(services, *facts, at="2010-01-01")
    )


def test_names_that_are_sentences_are_left_out(services: App) -> None:
    assert made(services, fact("1", "Ann", "HAS_MOTTO", "Never " * 20, "2001-01-01")) == ()


def test_an_empty_graph_has_none(services: App) -> None:
    services.mirrors.sync(W)
    assert starter_questions(services.mirrors.of(W), Instants(clock.now(), clock.now())) == ()


def test_every_one_is_answered_without_a_model(services: App) -> None:
    found = made(
        services,
        fact("1", "Ann", "LIVES_IN", "Bonn", "2001-01-01", "2005-01-01"),
        fact("2", "Ann", "LIVES_IN", "Rome", "2005-01-01"),
        fact("3", "Bea", "HAS_RANK", "Major", "2004-01-01"),
        fact("4", "Bea", "WORKS_FOR", "Rome", "2004-01-01"),
    )
    assert len(found) == 4
    for question in found:
        assert not Answerer(services.workspace(W)).answer(AskRequest(Asked(question))).answer.declined, question
