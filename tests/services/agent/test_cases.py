"""Cases asked again, and compared with the answer that was thumbed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.accounts.cases import Case, CaseRun
from services.agent.app import App
from services.agent.cases import compared, rerun
from services.bootstrap import build_services
from services.core.answer_documents import answer_document
from services.core.answer_records import Answer, Asked, Citation
from services.core.config import Settings
from services.core.models import Entity, Fact, GraphWrite, Instants
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

W = "_"
NOW = datetime(2026, 11, 22, tzinfo=UTC)
BEGUN = datetime(2019, 3, 1, tzinfo=UTC)


def answered(text: str, *ids: str, declined: bool = False) -> Answer:
    cited = tuple(Citation(n, "result" if one.startswith("call") else "fact", one) for n, one in enumerate(ids, 1))
    return Answer(text, (), cited, Instants(NOW, NOW), declined)


def verdict(then: Answer, now: Answer | None, problem: str = "") -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    case = Case("k", W, "m", "Who?", answer_document(then), 1, NOW)
    found = compared(case, CaseRun("r", "k", NOW, answer_document(now) if now else {}, problem=problem))
    return found.outcome, found.gone, found.new


def test_the_same_records_are_the_same_answer_in_whatever_words() -> None:
    assert verdict(answered("A.", "f1", "call1"), answered("It is A.", "f1", "call2")) == ("same", (), ())


def test_other_records_are_a_change() -> None:
    assert verdict(answered("A.", "f1", "f2"), answered("A.", "f2", "f3")) == ("changed", ("f1",), ("f3",))


def test_an_answer_that_is_now_declined_is_told_apart() -> None:
    assert verdict(answered("A.", "f1"), answered("No.", declined=True)) == ("now declined", ("f1",), ())


def test_without_records_the_words_decide() -> None:
    assert verdict(answered("No.", declined=True), answered("No.", declined=True))[0] == "same"
    assert verdict(answered("No.", declined=True), answered("None.", declined=True))[0] == "changed"


def test_a_fault_is_no_answer() -> None:
    assert verdict(answered("A.", "f1"), None, "The model did not answer.")[0] == "failed"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    built = build_services(Settings(home=with_tables(tmp_path), _env_file=None), graph=MemoryGraphStore())
    entities = Entity("ada", "Ada", ("Person",)), Entity("labs", "Labs", ("Company",))
    works = Fact("f", "ada", "labs", "Ada", "WORKS_FOR", "Labs", valid_at=BEGUN, created_at=BEGUN)
    built.bridge.run(built.graph.write(W, GraphWrite(entities, (works,))))
    built.mirrors.sync(W)
    yield built
    built.close()


def case_of(services: App, *questions: str) -> Case:
    """The last of these questions as a case."""
    user = services.accounts.users.local()
    conversation = services.accounts.conversations.create(user.id, W)
    last = None
    for question in questions:
        last = services.turns.start(user, conversation, Asked(question), parent_id=(last and last.id) or None)
        services.turns.wait(last.id, 2**62 - 1, 20.0)
    assert last is not None
    services.accounts.conversations.thumb(last.id, 1)
    return services.accounts.cases.add(last.id)


def test_a_case_is_asked_again_and_its_run_is_kept(services: App) -> None:
    case = case_of(services, "Who does Ada work for?")
    run = rerun(services, case, services.accounts.users.local())
    assert compared(case, run).outcome == "same"
    assert [one.id for one in services.accounts.cases.runs(case.id)] == [run.id]


def test_a_follow_up_is_asked_again_after_what_it_followed(services: App) -> None:
    case = case_of(services, "Who does Ada work for?", "Since when?")
    assert compared(case, rerun(services, case, services.accounts.users.local())).outcome == "same"


def test_a_model_that_cannot_be_asked_fails_the_case_alone(services: App) -> None:
    case = case_of(services, "Who does Ada work for?")
    run = rerun(services, case, services.accounts.users.local(), model="claude-test")
    assert run.problem
    assert compared(case, run).outcome == "failed"
