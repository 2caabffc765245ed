"""The real app on a loopback port with the demo in it, for browser tests and benchmarks; and where Chromium is."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Switches of a Chromium that starts in a container and asks nobody anything."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The Chromium on PATH, if there is one."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def served_demo() -> AbstractContextManager[str]:
    """The address of the app with the demo in it."""
    return served(["demo"])


@contextmanager
def served(*commands: Sequence[str], graph_url: str | None = None) -> Iterator[str]:
    """The address of `streamlit run app.py` on a data folder of its own, after commands of the command line."""
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    environment = {**os.environ, "ASOF_HOME": str(home)}
    environment.pop("ASOF_GRAPH_URL", None)
    environment |= {"ASOF_GRAPH_URL": graph_url} if graph_url else {}
    for command in commands:
        done = subprocess.run(
            [sys.executable, "cli.py", *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    options += ["--server.fileWatcherType", "none"]
    with (home / "server.log").open("w") as log:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        _wait_until_healthy(server, f"http://127.0.0.1:{port}/_stcore/health", home / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(home, ignore_errors=True)


def _wait_until_healthy(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            continue
