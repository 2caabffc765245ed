"""Questions by what is hard about them, over two small graphs and the demo: each cites exactly what its key says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.analyst.analyst import Analyst
from services.bootstrap import build_services
from services.core.answer_records import Answer, Asked
from services.core.config import Settings
from services.core.models import Fact
from services.jobs.demo import WORKSPACE, load_demo
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.services.analyst.class_graphs import FIRM_TYPES, FIRMS, OFFICE_TYPES, OFFICES
from tests.services.analyst.conftest import opened
from tests.services.retrieval.conftest import W

_FILE = Path(__file__).parent / "data" / "question_classes.tsv"
_LINES = [line.split("\t") for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
SMALL = [line for line in _LINES if line[0] != "peps"]
OF_DEMO = [line for line in _LINES if line[0] == "peps"]


class Asking:
    """Graphs by name, and the analyst to ask of them."""

    def __init__(self, workspaces: dict[str, Context]) -> None:
        self._workspaces = workspaces

    def ask(self, graph: str, question: str) -> tuple[Answer, list[Fact]]:
        """The answer, and the facts that it cites."""
        toolbox = Toolbox(self._workspaces[graph], TOOLS.values())
        answer = Analyst().answer(Asked(question), toolbox)
        facts = {evidence.n: evidence.fact for evidence in toolbox.evidence if evidence.fact is not None}
        numbers = dict.fromkeys(n for sentence in answer.sentences for n in sentence.citations if n in facts)
        return answer, [facts[n] for n in numbers]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    graphs = {
        "offices": opened(tmp_path_factory.mktemp("offices"), OFFICE_TYPES, OFFICES),
        "firms": opened(tmp_path_factory.mktemp("firms"), FIRM_TYPES, FIRMS),
    }
    yield Asking({name: Context(graph.services.workspace(W), None, None) for name, graph in graphs.items()})
    for graph in graphs.values():
        graph.services.close()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    services = build_services(Settings(home=tmp_path_factory.mktemp("peps")))
    load_demo(services)
    workspace = services.workspace(WORKSPACE)
    workspace.sync()
    yield Asking({"peps": Context(workspace, None, None)})
    services.close()


def is_right(key: str, answer: Answer, cited: list[Fact]) -> bool:
    """True where the answer is what the key says: see the head of the file of questions."""
    if key.startswith("!") or answer.declined:
        return key.startswith("!") and answer.declined and key[1:] in answer.text
    parts = [part.strip() for part in key.split(";")]
    wanted = [part for part in parts if ">" in part or part.startswith("*")]
    return (
        all(_says(answer.text, part) for part in parts if part not in wanted)
        and all(any(_is(fact, part) for part in wanted) for fact in cited)
        and all(any(_is(fact, part) for fact in cited) for part in wanted)
    )


def _says(text: str, part: str) -> bool:
    if part.startswith("="):
        return re.search(rf"(?<!\d){part[1:]}(?!\d)", text) is not None
    return text.lower().startswith(part)


def _is(fact: Fact, part: str) -> bool:
    if part.startswith("*"):
        return part[1:] in ("", fact.source, fact.target)
    source, target, *start = part.split(">")
    return (fact.source, fact.target) == (source, target) and str(fact.valid_at).startswith(start[0] if start else "")


@pytest.mark.parametrize(("graph", "kind", "question", "key"), SMALL, ids=[line[2] for line in SMALL])
def test_a_question_of_a_class_is_answered_or_declined(
    small: Asking, graph: str, kind: str, question: str, key: str
) -> None:
    answer, cited = small.ask(graph, question)
    assert is_right(key, answer, cited), answer.text


@pytest.mark.slow
@pytest.mark.parametrize(("graph", "kind", "question", "key"), OF_DEMO, ids=[line[2] for line in OF_DEMO])
def test_a_question_of_a_class_over_the_demo_is_answered_or_declined(
    demo: Asking, graph: str, kind: str, question: str, key: str
) -> None:
    answer, cited = demo.ask(graph, question)
    assert is_right(key, answer, cited), answer.text
