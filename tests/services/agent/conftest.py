"""A conversation with a scripted endpoint, through the real client."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from services.agent.loop import ModelAgent
from services.context import OpenWorkspace
from services.core.answer_records import Asked, ToolCall
from services.core.config import Settings
from services.core.errors import BadInput
from services.core.models import Fact
from services.llm.listener import Prompt, Spoken
from services.tools.tool import Context, ResultItem, Tool, ToolResult
from services.tools.toolbox import Toolbox
from tests.fakes.messages_server import MessagesServer, Step

MODEL = "claude-sonnet-5-5"
KEY = "sk-ant-a-very-secret-key"
PROMPT = Prompt("You answer from a graph.", "test-1")


def status_of(name: str) -> ToolResult:
    """The status of a PEP."""
    if name == "PEP 0":
        raise BadInput("“PEP 0” is not in the graph.", "Look for it first.")
    if name == "PEP 13":
        raise RuntimeError("a secret of the inside")
    fact = Fact(f"f-{name}", "s", "t", name, "HAS_STATUS", "Final", f"{name} is Final.")
    return ToolResult(
        {"facts": [name]}, (ResultItem(f"{name} HAS_STATUS Final", fact=fact),), total=1, summary="1 fact"
    )


def find_status(context: Context, name: str) -> ToolResult:
    """What status a PEP has."""
    return status_of(name)


@dataclass
class RecordingListener:
    """Keeps what a model writes, thinks and waits for."""

    texts: list[str] = field(default_factory=list)
    thought: list[str] = field(default_factory=list)
    waited: list[tuple[str, float]] = field(default_factory=list)
    on_text: Callable[[], None] = lambda: None
    on_waiting: Callable[[], None] = lambda: None

    def text(self, delta: str) -> None:
        self.texts.append(delta)
        self.on_text()

    def thinking(self, delta: str) -> None:
        self.thought.append(delta)

    def waiting(self, reason: str, seconds: float) -> None:
        self.waited.append((reason, seconds))
        self.on_waiting()


@dataclass
class Talk:
    """A conversation: each question is sent with everything before it."""

    server: MessagesServer
    settings: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Tool, ...] = (Tool("analyst", find_status),)
    silence: float = 5.0
    listener: RecordingListener = field(default_factory=RecordingListener)
    cancel: threading.Event = field(default_factory=threading.Event)
    blocks: list[Mapping[str, Any]] = field(default_factory=list)
    calls: tuple[ToolCall, ...] = ()
    reported: list[ToolCall] = field(default_factory=list)
    on_call: Callable[[ToolCall], None] = lambda _: None

    def ask(self, question: str = "What status has PEP 8?", model: str = MODEL, effort: str = "") -> Spoken:
        toolbox = Toolbox(Context(cast(OpenWorkspace, None)), self.tools, self._tell)
        agent = ModelAgent(
            Settings(_env_file=None, **self.settings),
            toolbox,
            PROMPT,
            model=model,
            effort=effort,
            listener=self.listener,
            cancel=self.cancel,
            silence=self.silence,
        )
        spoken = agent.answer(Asked(question), self.blocks)
        self.blocks += spoken.blocks
        self.calls = toolbox.calls
        return spoken

    def _tell(self, call: ToolCall) -> None:
        self.reported.append(call)
        self.on_call(call)

    def goes_on(self) -> bool:
        """True when the next question is sent, taken and answered."""
        self.cancel = threading.Event()
        self.server.add({**_NEXT})
        spoken = self.ask("And now?")
        assert self.server.refused == []
        return (spoken.state, spoken.text) == ("done", "It goes on.")


_NEXT: Step = {
    "blocks": [{"text": ["It goes on."], "gate": ""}],
    "stop": "end_turn",
    "cut": "",
    "usage": {},
}


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Talk]]:
    """Begins a conversation with a script, under settings."""
    servers: list[MessagesServer] = []

    def begin(*script: Step, **settings: Any) -> Talk:
        server = MessagesServer(*script).__enter__()
        servers.append(server)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        return Talk(server, settings)

    yield begin
    for server in servers:
        server.__exit__()
