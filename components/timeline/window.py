"""The span of time that a chart shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.core import clock, time_rule
from services.core.models import Fact, Instants


@dataclass(frozen=True, slots=True)
class Window:
    """The span of time that a chart shows."""

    start: datetime
    stop: datetime

    def holds(self, value: datetime) -> datetime:
        """`value`, moved into the window."""
        return min(max(value, self.start), self.stop)

    @property
    def seconds(self) -> float:
        """The length of the window."""
        return max(1.0, (self.stop - self.start).total_seconds())


def window(facts: Sequence[Fact], at: Instants, since: datetime | None = None) -> Window:
    """Return the span from the first date to the last one, or to now, with the as-of date and a little air."""
    now = clock.now()
    known = [d for f in facts for d in (f.valid_at, time_rule.end(f, at.known_at)) if d is not None]
    start = since or min([*known, at.as_of])
    stop = max([*known, at.as_of, start + timedelta(days=1), min(now, clock.LATEST)])
    air = max((stop - start) * 0.02, timedelta(hours=1))
    return Window(_moved(start, -air) if since is None else start, _moved(stop, air))


def _moved(value: datetime, by: timedelta) -> datetime:
    try:
        return value + by
    except OverflowError:
        return value
