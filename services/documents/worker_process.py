"""Processes that read one file each: started afresh, or forked from one that has the parser ready."""

import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from services.core.errors import BadInput
from services.documents.fork_server import STATUS
from services.documents.pdf_library import temporary

_ROOT = Path(__file__).resolve().parents[2]
_PYTHON = (sys.executable, "-E", "-s", "-B", "-m")
_ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "RAYON_NUM_THREADS": "2"}
"""All that the process knows of its surroundings, with where PDF's library is: no key, no proxy, no other folder."""


@contextmanager
def fresh_worker(module: str) -> Iterator["StartedWorker"]:
    """A process started for one file. Raises `BadInput` where it does not start."""
    try:
        process = subprocess.Popen(
            [*_PYTHON, "services.documents.sandbox", module],
            cwd=_ROOT,
            env={**_ENVIRONMENT, "TMPDIR": temporary(tuple(_ENVIRONMENT.items()))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as fault:
        raise BadInput(f"Asof could not start the process that reads files: {fault.strerror}.", "Try again.") from fault
    with process:
        yield StartedWorker(process)


class StartedWorker:
    """A process started for one file, which it `takes` from one pipe; what is in it it `says` through the other."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin
        assert process.stdout
        self.takes, self.says = process.stdin, process.stdout
        self._process = process

    def end(self) -> None:
        """End it, with whatever it started, unless it has ended."""
        if self._process.returncode is None:  # until then its number is nobody else's
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def status(self) -> int:
        """Return its exit status, waited for."""
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        self.end()  # what it started and left
        return self._process.wait()


class ForkServer:
    """Begets readers by a process that has their module's parsers ready; one at a time. Any thread may ask."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._has_served = self._fails = False

    @contextmanager
    def child(self) -> Iterator["ForkedWorker | None"]:
        """A process for one file; None where there is none to be had: it is busy, or this machine has no such thing."""
        if sys.platform != "linux" or self._fails or not self._lock.acquire(blocking=False):
            yield None
            return
        try:
            child = self._forked()
            if child is None:
                yield None
                return
            try:
                with child.takes, child.says:
                    yield child
            finally:
                child.end()
                if child.status() is None:
                    self._fails = not self._has_served
                    self._stop_server()
                self._has_served = True
        finally:
            self._lock.release()

    def _forked(self) -> "ForkedWorker | None":
        """Return a forked child; its fork server is started where there is none, or it has ended, as idle ones do."""
        for _ in range(2):
            (taken, given), (heard, answered) = os.pipe(), os.pipe()
            takes, says = os.fdopen(given, "wb"), os.fdopen(heard, "rb")
            try:
                control = self._ready()
                socket.send_fds(control, [b"r"], [taken, answered])
                return ForkedWorker(takes, says, control)
            except OSError:
                takes.close()
                says.close()
                self._stop_server()
            finally:
                os.close(taken)
                os.close(answered)
        self._fails = True
        return None

    def _ready(self) -> socket.socket:
        if self._control is None:
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [*_PYTHON, "services.documents.fork_server", str(theirs.fileno()), self._module],
                    cwd=_ROOT,
                    env=_ENVIRONMENT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
            self._control = ours
            atexit.register(self._stop_server)
        return self._control

    def _stop_server(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._control = self._process = None
        atexit.unregister(self._stop_server)


class ForkedWorker:
    """A process forked for one file, with the same pipes as one that is started for it."""

    def __init__(self, takes: IO[bytes], says: IO[bytes], control: socket.socket) -> None:
        self.takes, self.says = takes, says
        self._control = control
        self._lock = threading.Lock()
        self._is_over = False
        self._status: int | None = None

    def end(self) -> None:
        """End it, with whatever it started, unless it has ended."""
        with self._lock, suppress(OSError):
            if not self._is_over:
                self._control.send(b"e")

    def status(self) -> int | None:
        """Return its exit status, waited for; None where it never was."""
        if not self._is_over:
            packed = b""
            with suppress(OSError):
                packed = self._control.recv(STATUS.size, socket.MSG_WAITALL)
            with self._lock:
                self._is_over = True
            self._status = STATUS.unpack(packed)[0] if len(packed) == STATUS.size else None
        return self._status
