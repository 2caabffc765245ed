"""The real app on a loopback port with the demo in it, for browser tests and benchmarks; and where Chromium is."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import MappingProxyType

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
def served(*commands: Sequence[str], settings: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """The address of `streamlit run app.py` on a data folder of its own, after commands of the command line."""
    home = Path(tempfile.mkdtemp(prefix="asof-"))
    for command in commands:
        run_command(home, command, settings)
    try:
        with running(home, free_port(), settings) as url:
            yield url
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run_command(home: Path, command: Sequence[str], settings: Mapping[str, str], typed: str = "") -> None:
    """A command of the command line on a data folder; what is typed is its standard input."""
    done = subprocess.run(
        [sys.executable, "cli.py", *command],
        cwd=ROOT,
        env=environment_of(home, settings),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@contextmanager
def running(home: Path, port: int, settings: Mapping[str, str], options: Sequence[str] = ()) -> Iterator[str]:
    """The address of the app on a data folder and a loopback port."""
    with process(home, port, settings, options):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def process(
    home: Path, port: int, settings: Mapping[str, str], options: Sequence[str] = ()
) -> Iterator["subprocess.Popen[bytes]"]:
    """The app on a data folder and a loopback port, once it answers; it leads a process group of its own."""
    switches = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    switches += ["--server.fileWatcherType", "none", *options]
    with _started(["-m", "streamlit", "run", "app.py", *switches], home, port, settings) as server:
        yield server


@contextmanager
def serving(home: Path, app: str) -> Iterator[str]:
    """The address of an ASGI app on a data folder, `module:name` as uvicorn takes it."""
    port = free_port()
    with _started(["-m", "uvicorn", app, "--port", str(port), "--log-level", "warning"], home, port, {}):
        yield f"http://127.0.0.1:{port}"


def started_by_make_run(home: Path, port: int) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    """What `make run` starts on a data folder and a loopback port, once it answers."""
    return _started(["tools/run.py"], home, port, {"ASOF_PORT": str(port), "STREAMLIT_SERVER_HEADLESS": "true"})


@contextmanager
def _started(
    arguments: Sequence[str], home: Path, port: int, settings: Mapping[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, *arguments]
    with (home / "server.log").open("w") as log:
        environment = environment_of(home, settings)
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        _wait_until_healthy(server, f"http://127.0.0.1:{port}/_stcore/health", home / "server.log")
        yield server
    finally:
        stop(server, home / "server.log")


def stop(server: "subprocess.Popen[bytes]", log: Path, within: float = 20) -> None:
    """Stop a server. One that does not stop in time is killed with all that it started, and its log fails the test."""
    server.terminate()
    try:
        server.wait(within)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        raise AssertionError(f"The server did not stop within {within} seconds.\n{log.read_text()}") from None


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def environment_of(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process of the project on a data folder."""
    others = {name: value for name, value in os.environ.items() if name not in ("ASOF_GRAPH_URL", "ASOF_AUTH")}
    return {**others, "ASOF_HOME": str(home), **settings}


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
            time.sleep(0.05)  # leaves the processor to the server
