"""Ada's working life with its documents, workflows that run on it, and a scripted model."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import anthropic
import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.context import OpenWorkspace
from services.core.config import Settings
from services.documents.versions import NewDocument
from services.llm.endpoint import _certificates
from services.workflows import RunTrace, WorkflowRuns, read_definition, workflow_runs
from services.workflows.definition import WorkflowDefinition
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, Step
from tests.fakes.word_embedder import WordEmbedder
from tests.services.retrieval.conftest import W, ingest
from tests.services.tools.conftest import MANUAL, life

MODEL = "claude-sonnet-5-5"
GOAL = "Write a report on Ada"


def open_filled(home: Path, **settings: Any) -> App:
    """Services with a life and a document."""
    chosen = Settings(home=with_tables(home), _env_file=None, **settings)
    services = build_services(chosen, graph=MemoryGraphStore(), embedder=WordEmbedder())
    services.bridge.run(services.graph.write(W, life()))
    ingest(services, NewDocument("manual", MANUAL, "Safety manual", "markdown", "docs/manual.md"))
    return services


def workflow(nodes: list[dict[str, Any]], *edges: str, **more: Any) -> WorkflowDefinition:
    """A workflow that begins at its first node; an edge is written as "a -> b" or "a -> b if condition"."""
    return read_definition(document(nodes, *edges, **more))


def document(nodes: list[dict[str, Any]], *edges: str, **more: Any) -> dict[str, Any]:
    """The JSON of such a workflow."""
    return {"name": "Test", "entry_node_id": nodes[0]["id"], "nodes": nodes, "edges": [_edge(e) for e in edges], **more}


def _edge(text: str) -> dict[str, str]:
    ends, _, condition = text.partition(" if ")
    source, _, target = ends.partition(" -> ")
    return {"from": source, "to": target, **({"condition": condition} if condition else {})}


def agent(id: str, question: str = "goal", **outputs: str) -> dict[str, Any]:
    """A node that asks the analyst, whose answer goes to `outputs`."""
    return {"id": id, "type": "agent", "agent": "AnswerAgent", "inputs": {"question": question}, "outputs": outputs}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[App]:
    services = open_filled(tmp_path)
    yield services
    services.close()


@pytest.fixture
def workspace(services: App) -> OpenWorkspace:
    return services.workspace(W)


@pytest.fixture
def runs(services: App) -> WorkflowRuns:
    return workflow_runs(services)


Run = Callable[..., RunTrace]


@pytest.fixture
def run(workspace: OpenWorkspace, runs: WorkflowRuns) -> Run:
    """Runs a workflow to its end."""

    def ran(workflow: WorkflowDefinition | str = "default", goal: str = GOAL, **given: Any) -> RunTrace:
        begun = runs.start(workspace, workflow, goal, **given)
        runs.wait(begun.id, 60)
        return runs.trace(begun.id)

    return ran


def nodes_of(trace: RunTrace) -> list[str]:
    """The nodes that ran, in order."""
    return [step.node for step in trace.steps]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., tuple[App, MessagesServer]]]:
    """Opens services on a model with a script."""
    opened: list[Any] = []
    assert anthropic.__version__, "imported before a limit of time counts it"
    _certificates()

    def begin(*script: Step, **settings: Any) -> tuple[App, MessagesServer]:
        server = MessagesServer(*script).__enter__()
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
        services = open_filled(tmp_path / f"home{len(opened)}", model=MODEL, **settings)
        opened.append((services, server))
        return services, server

    yield begin
    for services, server in opened:
        server.closing.set()
        services.close()
        server.__exit__()


def finished(services: App, workflow: WorkflowDefinition | str = "default", goal: str = GOAL, **given: Any) -> RunTrace:
    """Run a workflow by the model to its end."""
    runs = workflow_runs(services)
    begun = runs.start(services.workspace(W), workflow, goal, model=MODEL, **given)
    runs.wait(begun.id, 60)
    return runs.trace(begun.id)


def texts_sent(request: Mapping[str, Any]) -> str:
    """Everything that a request says to the model."""
    content = request["messages"][-1]["content"]
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)
