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
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def served_demo() -> Iterator[str]:
    """The address of `streamlit run app.py` on a data folder of its own; the command line loads the demo first."""
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    environment = {**os.environ, "ASOF_HOME": str(home)}
    environment.pop("ASOF_GRAPH_URL", None)
    loaded = subprocess.run(
        [sys.executable, "cli.py", "demo"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert loaded.returncode == 0, loaded.stderr
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
