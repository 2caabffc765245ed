"""When the graph records what is written, whatever the machine's clock does."""

from datetime import datetime, timedelta

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import WriteFailed

_MOST_AHEAD = timedelta(days=1)
_TICK = timedelta(microseconds=1)


def record_instant(workspace: OpenWorkspace) -> datetime:
    """Return the instant that a write is stamped with: now, or just after the newest record where that lies ahead.

    Raises `WriteFailed` where it lies more than a day ahead, since then the clock is wrong, or was.
    """
    now, newest = clock.now(), _newest_record(workspace)
    if newest is None or newest < now:
        return now
    if newest - now > _MOST_AHEAD:
        raise WriteFailed(
            f"Nothing was saved: the newest record is dated {newest:%Y-%m-%d %H:%M} UTC, but this computer's "
            f"clock says {now:%Y-%m-%d %H:%M} UTC.",
            "Correct the clock. If it is right, open Health and re-date the records from the future.",
        )
    return newest + _TICK


def _newest_record(workspace: OpenWorkspace) -> datetime | None:
    if workspace.services.mirrors.wants(workspace.name):
        return workspace.mirror.watermark().newest
    return workspace.run(workspace.graph.watermark(workspace.name)).newest
