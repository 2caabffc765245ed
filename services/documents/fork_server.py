"""A process that has a parser ready and forks a worker for each file: `python -m …fork_server FD MODULE`.

Importing a parser can take longer than reading a page with it. This process imports it once and has it `warm_up`, if
it does; it never sees a file. For each file it is given two pipes, and forks: the child locks itself in and reads
that one file as a process started afresh would (`sandbox.py`), so no file sees what another left. What ends
a child, when its time is over or the app is gone, is here too: only its parent knows for sure which process it is.

It speaks over the socket FD: pipes come, the child's exit status goes; anything that comes meanwhile means "end it".
"""

import gc
import importlib
import os
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path

from services.documents.sandbox import serve

STATUS = struct.Struct("i")
_IDLE = 60.0
"""After so many seconds without a file it ends."""
_THREADS = Path("/proc/self/task")


def main() -> None:
    """Fork a child for each file that comes."""
    control, module = socket.socket(fileno=int(sys.argv[1])), importlib.import_module(sys.argv[2])
    getattr(module, "warm_up", lambda: None)()
    if len(list(_THREADS.iterdir())) > 1:  # a fork would lose them
        return
    gc.freeze()  # so that children share what is there
    while select.select([control], [], [], _IDLE)[0]:
        request, pipes, _, _ = socket.recv_fds(control, 1, 2)
        if not request:
            return
        if len(pipes) == 2:
            child = os.fork()
            if child == 0:
                _become_reader(pipes)
                serve(module.read)
            for pipe in pipes:
                os.close(pipe)
            control.sendall(STATUS.pack(_ended(child, control)))


def _become_reader(pipes: list[int]) -> None:
    """Let go of all but the pipes."""
    os.setpgid(0, 0)
    for place, pipe in enumerate((pipes[0], pipes[1], pipes[1])):
        os.dup2(pipe, place)
    os.closerange(3, 1 << 16)


def _ended(child: int, control: socket.socket) -> int:
    """How a child ended, as `subprocess` tells it; whatever it started ends with it."""
    with suppress(OSError):  # it may have done so itself
        os.setpgid(child, child)
    process = os.pidfd_open(child)
    try:
        select.select([process, control.fileno()], [], [])
        os.killpg(child, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        os.close(process)


if __name__ == "__main__":
    main()
