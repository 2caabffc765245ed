"""A run whose process is killed goes on in another one, and runs nothing twice that had finished."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.workflows import workflow_runs
from tests.fakes.messages_server import MessagesServer, hang, say
from tests.services.accounts.conftest import postgres_server, postgres_url, url
from tests.services.retrieval.conftest import W
from tests.services.workflows.conftest import MODEL, open_filled
from tests.services.workflows.test_default_workflow import FOUND, REPORT, read, verdict

__all__ = ["postgres_server", "postgres_url", "url"]
ROOT = Path(__file__).parents[3]
CHILD = """
import sys
from pathlib import Path
from services.workflows import workflow_runs
from tests.services.workflows.conftest import GOAL, MODEL, W, open_filled
services = open_filled(Path(sys.argv[1]), database_url=sys.argv[2], model=MODEL)
runs = workflow_runs(services)
runs.wait(runs.start(services.workspace(W), "default", GOAL, model=MODEL).id)
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    script = [read("ai_search", "news_script", "multi"), *FOUND, say(REPORT), hang(), hang()]
    with MessagesServer(*script) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
        yield server
        server.closing.set()


@pytest.mark.slow
def test_a_run_survives_kill_9_and_runs_no_finished_node_twice(
    url: str, tmp_path: Path, server: MessagesServer
) -> None:
    command = [sys.executable, "-c", CHILD, str(tmp_path / "home"), url]
    child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        deadline = time.monotonic() + 60
        # One reporter has written, and its review hangs or is not reached; the other one's request hangs.
        while len(server.requests) < 5:
            assert child.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.3)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    asked = len(server.requests)
    services = open_filled(tmp_path / "home", database_url=url, model=MODEL)
    try:
        runs = workflow_runs(services)
        (left,) = runs.of(services.workspace(W))
        assert left.state == "running"
        finished = {s.key: s.finished_at for s in runs.trace(left.id).steps if s.is_finished}
        server._script.clear()
        server.add(say(REPORT), *[verdict(decision="accept")] * 2)
        assert runs.resume_interrupted() == (left.id,)
        assert runs.wait(left.id, 60).state == "done"
        trace = runs.trace(left.id)
        assert {s.key: s.finished_at for s in trace.steps if s.key in finished} == finished
        assert len({step.key for step in trace.steps}) == len(trace.steps)
        assert len(server.requests) == asked + 3, "the reporter that hung, and two reviews"
        assert (trace.run.executor, trace.report is not None) == ("graph", True)
        assert runs.resume_interrupted() == ()
    finally:
        services.close()
