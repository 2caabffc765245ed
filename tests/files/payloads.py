"""What a parser that has been taken over might try, for tests of the process that it runs in."""

import ctypes
import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.core.errors import BadInput


def read(task: Mapping[str, Any], content: bytes) -> Any:
    return globals()[task["do"]](content, *task.get("with", [])) if "do" in task else None


_met: list[bytes] = []


def remember(content: bytes) -> int:
    """How many files this process has seen."""
    _met.append(content)
    return len(_met)


def parent(content: bytes) -> int:
    return os.getppid()


def echo(content: bytes) -> int:
    return len(content)


def surroundings(content: bytes) -> dict[str, str]:
    return dict(os.environ)


def refuse(content: bytes) -> None:
    raise BadInput("It is not to be read.", "Take another.")


def connect(content: bytes, port: int) -> None:
    with socket.socket() as line:
        line.connect(("127.0.0.1", port))


def native_socket(content: bytes) -> list[int]:
    """The kernel's answers to a TCP and a Unix socket, asked for past Python."""
    libc = ctypes.CDLL(None, use_errno=True)
    return [libc.socket(family, socket.SOCK_STREAM, 0) for family in (socket.AF_INET, socket.AF_UNIX)]


def native_program(content: bytes) -> int:
    return int(ctypes.CDLL(None).system(b"exit 0"))


def run_program(content: bytes) -> None:
    subprocess.run(["true"], check=True)


def write(content: bytes, path: str) -> None:
    Path(path).write_text("x")


def native_write(content: bytes, path: str) -> None:
    libc = ctypes.CDLL(None)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    descriptor = libc.open(path.encode(), os.O_WRONLY | os.O_CREAT, 0o600)
    libc.write(descriptor, b"stolen", 6)


def native_read(content: bytes, path: str) -> int:
    """The kernel's answer to opening a file, asked for past Python."""
    return int(ctypes.CDLL(None).open(path.encode(), os.O_RDONLY))


def native_kill(content: bytes) -> int:
    return int(ctypes.CDLL(None).kill(os.getppid(), 0))


def leave_one_behind(content: bytes) -> str:
    if ctypes.CDLL(None).fork() == 0:
        signal.pause()
    return "read"


def rename(content: bytes, path: str) -> None:
    Path(path).rename(path + ".moved")


def loop(content: bytes) -> None:
    while True:
        pass


def wait(content: bytes) -> None:
    signal.pause()


def need_memory(content: bytes) -> int:
    return sum(bytearray(1 << 40)[:1])


def grow(content: bytes) -> None:
    pieces = []
    while True:
        pieces.append(bytes(1 << 20))


def crash(content: bytes) -> None:
    ctypes.string_at(0)


def say_too_much(content: bytes) -> str:
    return "x" * (100 << 20)


def chatter(content: bytes) -> str:
    print("a library has something to say")
    os.write(2, b"and so has another\n")
    return "read"
