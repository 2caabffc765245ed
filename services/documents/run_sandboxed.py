"""Files are parsed in a process of their own: whatever a file does to its parser, the app goes on.

One process per file (`worker_process.py`), so that no file sees what another left. What it may not do stands in
`sandbox.py`.
"""

import contextlib
import functools
import json
import signal
import threading
from collections.abc import Mapping
from typing import Any

from services.core.errors import BadInput
from services.core.log import logger
from services.documents.read_text import MEGABYTE, ReadLimits
from services.documents.sandbox import OUT_OF_MEMORY
from services.documents.worker_process import ForkedWorker, ForkServer, StartedWorker, fresh_worker

log = logger(__name__)
_OUT_OF_MEMORY_WORDS = (b"memory allocation of", b"MemoryError", b"bad_alloc", b"Cannot allocate memory")
_TIMES_THE_FILE = 4
_TEXT_BYTES = 64 * MEGABYTE
"""What is read from a file may be so much, and four times the file: its attachments come out with it."""
_LOGGED_BYTES = 2000
"""So many of the last bytes of a parser that died are logged."""


def run_sandboxed(
    module: str, task: Mapping[str, Any], content: bytes, limits: ReadLimits, *, is_one_of_many: bool = False
) -> Any:
    """What `module.read(task, content)` returns in a process of its own; it must be JSON.

    For pages, of which many come one after the other, the process is forked from one that has their parser ready.

    Raises `BadInput` when it raises that, takes longer or needs more than the limits, or dies.
    """
    if is_one_of_many:
        with _fork_server(module).child() as child:
            exchanged = None if child is None else _exchanged(child, task, content, limits)
        if exchanged is not None:
            return _answer(*exchanged, limits)
    with fresh_worker(module) as child:
        exchanged = _exchanged(child, task, content, limits)
    return _answer(*exchanged, limits) if exchanged is not None else None


_fork_server = functools.cache(ForkServer)


def _exchanged(
    child: StartedWorker | ForkedWorker, task: Mapping[str, Any], content: bytes, limits: ReadLimits
) -> tuple[int, bytes] | None:
    """The exit status of a process that was given a file, and what it said; None where it never began."""
    most = _TEXT_BYTES + _TIMES_THE_FILE * len(content)
    header = json.dumps({"task": task, "seconds": limits.seconds, "memory_mb": limits.memory_mb}).encode()
    late = threading.Event()
    watch = threading.Timer(limits.seconds, _end, (child, late))
    feeder = threading.Thread(target=_feed, args=(child, header + b"\n", content), daemon=True)
    try:
        watch.start()
        feeder.start()
        output = child.says.read(most)
        status = child.status() if len(output) < most else 0
    finally:
        watch.cancel()
        child.end()
        feeder.join()
    if len(output) >= most:
        raise BadInput("This file holds too much text.", "Split it.")
    if (late.is_set() and status != 0) or status == -signal.SIGXCPU:
        raise BadInput(
            f"This file takes longer than {limits.seconds:.0f} seconds to read.", "Split it, or save it anew."
        )
    return None if status is None else (status, output)


def _end(child: StartedWorker | ForkedWorker, late: threading.Event) -> None:
    late.set()
    child.end()


def _feed(child: StartedWorker | ForkedWorker, header: bytes, content: bytes) -> None:
    """Give the process its file; one that is gone by then takes nothing more."""
    with contextlib.suppress(OSError), child.takes as pipe:
        pipe.write(header)
        pipe.write(content)


def _answer(status: int, output: bytes, limits: ReadLimits) -> Any:
    """What the process returned, which is the last line that it said."""
    if status == 0 and (answer := _json(output.rstrip(b"\n").rpartition(b"\n")[2])):
        if "refused" in answer:
            raise BadInput(*answer["refused"])
        return answer["read"]
    log.info("reader_died", status=status, output=output[-_LOGGED_BYTES:].decode("utf-8", "replace"))
    if status in (OUT_OF_MEMORY, -signal.SIGKILL) or any(word in output for word in _OUT_OF_MEMORY_WORDS):
        raise BadInput(f"This file needs more than {limits.memory_mb:,} MB of memory to be read.", "Split it.")
    raise BadInput("This file is damaged: its parser stopped at it.", "Save it again from its program.")


def _json(line: bytes) -> dict[str, Any]:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return {}
