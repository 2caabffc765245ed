"""The queries that each user ran last in a workspace, in a file of the data folder that goes with the workspace."""

import hashlib
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from services.core.data_folder import make_private
from services.core.durable_files import replace_file

if TYPE_CHECKING:
    from services.context import OpenWorkspace

QueryEnd = Literal["rows", "cut", "refused", "stopped"]
_KEPT, _HISTORY = 200, ".history"
_writing = threading.Lock()


class PastQuery(BaseModel):
    """A query that was run: when, how it ended, and with how many rows; `cut` where there were more."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sql: str
    database: str | None
    begun_at: datetime
    seconds: float
    end: QueryEnd
    rows: int = 0


def past_queries(workspace: "OpenWorkspace", user_id: str) -> tuple[PastQuery, ...]:
    """Return the queries that a user ran, newest first."""
    try:
        lines = _file(workspace, user_id).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    found = []
    for line in reversed(lines):
        with suppress(ValidationError):  # a later version wrote it
            found.append(PastQuery.model_validate_json(line))
    return tuple(found)


def keep_past_query(workspace: "OpenWorkspace", user_id: str, query: PastQuery) -> None:
    """Add a query to those that a user ran; where nothing can be written it is not kept."""
    file = _file(workspace, user_id)
    with _writing, suppress(OSError):
        make_private(file.parent.parent)
        make_private(file.parent)
        kept = [query, *past_queries(workspace, user_id)][:_KEPT]
        replace_file(file, "".join(f"{one.model_dump_json()}\n" for one in reversed(kept)).encode())


def forget_past_queries(folder: Path, workspace: str) -> None:
    """Delete what was kept below a folder for a workspace, as it is erased."""
    for file in (folder / _HISTORY).glob(f"{_digest(workspace)}.*.jsonl"):
        file.unlink(missing_ok=True)


def _file(workspace: "OpenWorkspace", user_id: str) -> Path:
    name = f"{_digest(workspace.name)}.{_digest(user_id)}.jsonl"
    return workspace.settings.folder / "sql" / _HISTORY / name


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
