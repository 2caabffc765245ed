"""A process that reads one file and can do little else: `python -m services.documents.sandbox MODULE`.

It imports `MODULE`; it takes from its input a line of JSON (the task and the limits), then the file's bytes; it gives
itself up to those limits; then it calls `read(task, content)` and writes what that returned as one line of JSON. A
query of SQL is such a task too, whose files are databases that stay where they are; one to a server may open sockets.

What is guaranteed where:

- Linux on x86-64 and ARM64, with seccomp in the kernel: it refuses sockets, other programs, io_uring, signals and a
  look into other processes, also to native code, and needs no privilege for that, which namespaces would.
- Linux with Landlock in the kernel (5.13 and later): no file opens but Python's, its libraries, this code, and those
  that the task names (`landlock.py`), also to native code.
- Linux: the kernel refuses memory above the limit, and ends the process above its time on the processor.
- Linux and macOS: no byte goes into any file (RLIMIT_FSIZE is nothing); Python code cannot open a socket, start a
  program, or make, rename and remove files (an audit hook, which native code does not pass).
- Everywhere: it has none of the app's environment, and whoever started it ends it when its time is over.

Elsewhere it is no guard against native code that an attacker has taken over and that only reads the user's files.
"""

import contextlib
import ctypes
import importlib
import json
import math
import os
import platform
import resource
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from services.core.errors import BadInput
from services.documents.landlock import restrict

OUT_OF_MEMORY = 71
"""The exit status for a file that needs more memory than there is."""
_OPEN_FILES = 64
_PROGRAMS = frozenset(
    ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "subprocess.Popen")
)
_CHANGES = frozenset(
    (
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.mkdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.chmod",
        "os.chown",
        "os.kill",
    )
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 13  # refused with EACCES
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_CALLS = {
    "x86_64": (
        0xC000003E,
        (
            41,
            59,
            322,
            425,
            101,  # socket, execve, execveat, io_uring_setup, ptrace
            310,
            311,
            434,
            438,  # process_vm_readv, process_vm_writev, pidfd_open, pidfd_getfd
            62,
            200,
            129,
            297,
            424,  # kill, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
            109,
            112,
            272,
            308,
            165,  # setpgid, setsid, unshare, setns, mount
            90,
            91,
            268,
            452,
            92,
            93,
            94,
            260,
            188,
            189,
            190,  # chmod, chown and setxattr in every spelling
            321,
            298,
            323,
            248,
            249,
            250,  # bpf, perf_event_open, userfaultfd, add_key, request_key, keyctl
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (
            198,
            221,
            281,
            425,
            117,
            270,
            271,
            434,
            438,
            129,
            130,
            138,
            240,
            424,
            154,
            157,
            97,
            268,
            40,
            52,
            53,
            452,
            54,
            55,
            5,
            6,
            7,
            280,
            241,
            282,
            217,
            218,
            219,
        ),
    ),
}
"""What is refused: reaching hosts, programs and other processes, and what changes files that are not written to."""
_FOREIGN_CALLS = 0x40000000
"""From here on x86-64 has a second numbering of the same calls."""


def main() -> None:
    """Read a task and a file from the input, and write what came of it, or in words why nothing did."""
    serve(importlib.import_module(sys.argv[1]).read)


def serve(read: Callable[[dict[str, Any], bytes], Any]) -> NoReturn:
    """Do the one task that stands at the input, and end the process."""
    result = os.dup(1)
    os.dup2(2, 1)  # what a library prints must not get into the result
    with os.fdopen(os.dup(0), "rb") as source:
        header, content = json.loads(source.readline()), source.read()
    confine(header["seconds"], header["memory_mb"], header["files"], reaches_hosts=header["reaches_hosts"])
    try:
        answer = {"read": read(header["task"], content)}
    except BadInput as error:
        answer = {"refused": [error.message, error.hint]}
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    sys.stdout.flush()
    with os.fdopen(result, "wb") as out:
        out.write(b"\n" + json.dumps(answer).encode() + b"\n")
    os._exit(0)  # threads of the libraries may still be there


def confine(seconds: float, memory_mb: int, files: Sequence[str] = (), *, reaches_hosts: bool = False) -> None:
    """Give up what reading a file does not need, for good; call it before any thread is there.

    `seconds` are those of the processor. Of `files` the content may be read. A client of a database `reaches_hosts`.
    """
    memory = memory_mb << 20
    for what, most in (
        ("CPU", math.ceil(seconds) + 1),
        ("DATA", memory),
        ("AS", 4 * memory),  # threads reserve far more than they use
        ("FSIZE", 0),
        ("CORE", 0),
        ("NOFILE", _OPEN_FILES),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):  # macOS knows some of these by name only
            resource.setrlimit(getattr(resource, f"RLIMIT_{what}"), (most, most))
    restrict(files, reaches_hosts=reaches_hosts)
    _refuse_calls(reaches_hosts)
    sys.addaudithook(_refuse)


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event in _PROGRAMS:
        raise FileNotFoundError("A file reader must not start programs.")  # what libraries are ready for that try one
    # a number is a file that is open already
    writes = event == "open" and not isinstance(args[0], int) and isinstance(args[2], int) and args[2] & _WRITES
    if writes or event in _CHANGES or event.startswith("socket."):
        raise PermissionError(f"A file reader must not call {event}.")


def _refuse_calls(reaches_hosts: bool) -> None:
    """Have the kernel refuse other programs, and sockets unless hosts are to be reached, where it can."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return
    architecture, (socket, *others) = _CALLS[platform.machine()]
    refused = others if reaches_hosts else [socket, *others]
    count = len(refused)
    steps = [  # what is jumped over is counted from the next step on
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, count + 3, architecture),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, count + 1, 0, _FOREIGN_CALLS),
        *((_EQUAL, count - at, 0, call) for at, call in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    program = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
    whole = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(program)))
    libc = ctypes.CDLL(None, use_errno=True)
    number = ctypes.c_ulong
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, number(1), number(0), number(0), number(0)) == 0:
        libc.prctl(_PR_SET_SECCOMP, number(_FILTER), whole, number(0), number(0))


if __name__ == "__main__":
    main()
