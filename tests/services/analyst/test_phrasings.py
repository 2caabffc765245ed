"""Questions as different people write them, over three graphs; what is right is worked out by the time rule."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.questions.truth import AmbiguousTruth, Facts, Wanted, cited
from services.agent.app import App
from services.analyst.analyst import Analyst
from services.core import clock
from services.core.answer_records import Asked
from services.jobs.demo import WORKSPACE, load_demo
from services.tables.tables import read_facts
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from services.writing.importer import import_rows
from tests.conftest import FULL
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.retrieval.conftest import open_services

DATA = Path(__file__).parent / "data"
GRAPHS = Path(__file__).parents[3] / "benchmarks" / "ask"


def questions(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    services = open_services(tmp_path_factory.mktemp("phrasings"), MemoryGraphStore())
    yield services
    services.close()


def loaded(services: App, name: str) -> None:
    if name == WORKSPACE:
        load_demo(services)
        return
    path = GRAPHS / f"{name}.csv"
    import_rows(services.workspace(name), read_facts(path.name, path.read_bytes()).rows, title=path.name)


def facts_of(services: App, workspace: str) -> Facts:
    mirror = services.mirrors.of(workspace)
    return Facts(mirror.facts(row.uuid for row in mirror.fact_rows()))


def outcome(services: App, workspace: str, facts: Facts, asked: Mapping[str, Any]) -> str:
    """ "right", "declined" or "wrong"; empty where the facts give the question no one answer."""
    try:
        wanted = cited(facts, Wanted.model_validate(asked["expect"]), None, None, clock.now())
    except AmbiguousTruth:
        return ""
    toolbox = Toolbox(Context(services.workspace(workspace)), TOOLS.values())
    answer = Analyst().answer(Asked(asked["question"]), toolbox)
    told = {e.n: e.id for e in toolbox.evidence if e.kind == "fact"}
    found = {told[n] for sentence in answer.sentences for n in sentence.citations if n in told}
    if found == wanted and answer.declined is not bool(wanted):
        return "right"
    return "declined" if answer.declined else "wrong"


@pytest.mark.parametrize(
    "graph", [pytest.param("companies"), pytest.param("agents"), pytest.param("peps", marks=pytest.mark.slow)]
)
def test_most_phrasings_are_answered_and_hardly_any_wrongly(services: App, graph: str) -> None:
    loaded(services, graph)
    facts = facts_of(services, graph)
    asked = questions(graph)[:: 1 if FULL else 3]
    outcomes = [outcome(services, graph, facts, one) for one in asked]
    answerable = [o for o, one in zip(outcomes, asked, strict=True) if o and one["expect"]["class"] != "unanswerable"]
    others = [o for o, one in zip(outcomes, asked, strict=True) if one["expect"]["class"] == "unanswerable"]
    assert answerable.count("right") / len(answerable) >= 0.94
    assert others.count("right") / len(others) >= 0.97
    assert outcomes.count("wrong") / len(outcomes) <= 0.02
