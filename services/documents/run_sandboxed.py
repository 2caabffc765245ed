"""Files are parsed in a process of their own: whatever a file does to its parser, the app goes on.

One process per file (`worker_process.py`), so that no file sees what another left. What it may not do stands in
`sandbox.py`.
"""

from collections.abc import Mapping
from typing import Any

from services.core.errors import BadInput
from services.core.log import logger
from services.documents.exchange import Outcome, SandboxTask, TaskLimits, exchange
from services.documents.read_text import MEGABYTE, ReadLimits

log = logger(__name__)
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
    held_to = TaskLimits(limits.seconds, limits.memory_mb, _TEXT_BYTES + _TIMES_THE_FILE * len(content))
    return _read(exchange(SandboxTask(module, task, content), held_to, is_one_of_many=is_one_of_many), limits)


def _read(outcome: Outcome, limits: ReadLimits) -> Any:
    """What the process returned. Raises `BadInput` that says why it did not."""
    if outcome.answer is not None:
        if "refused" in outcome.answer:
            raise BadInput(*outcome.answer["refused"])
        return outcome.answer["read"]
    if outcome.end == "oversized":
        raise BadInput("This file contains too much text.", "Split the file.")
    if outcome.end == "late":
        raise BadInput(
            f"Reading this file takes longer than {limits.seconds:.0f} seconds.",
            "Split the file, or save the file again.",
        )
    log.info("reader_died", status=outcome.status, output=outcome.output[-_LOGGED_BYTES:].decode("utf-8", "replace"))
    if outcome.end == "starved":
        raise BadInput(f"Reading this file needs more than {limits.memory_mb:,} MB of memory.", "Split the file.")
    raise BadInput(
        "This file is damaged: its parser crashed.",
        "Open the file in the application that created it, then save the file again.",
    )
