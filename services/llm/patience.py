"""How long an answer is waited for: until it is there, somebody stops it, or its time is over."""

import threading
import time
from dataclasses import dataclass

from services.core.errors import Cancelled
from services.llm.faults import ModelFault

BLINK = 0.05
"""Seconds after which whoever waits for something else looks whether it still should."""


@dataclass(frozen=True)
class Patience:
    """The end of an answer: `cancel` is set, or it has taken `seconds`, counted from `started` (monotonic)."""

    cancel: threading.Event
    seconds: float
    started: float

    @property
    def left(self) -> float:
        """Seconds until the time is over."""
        return self.started + self.seconds - time.monotonic()

    @property
    def over(self) -> bool:
        """True when nothing more may be waited for."""
        return self.cancel.is_set() or self.left <= 0

    def check(self) -> None:
        """Raise `Cancelled` when somebody stopped the answer, `ModelFault` when it has taken too long."""
        if self.cancel.is_set():
            raise Cancelled("Stopped.")
        if self.left <= 0:
            raise ModelFault(
                f"The answer took longer than {self.seconds:g} seconds.",
                "Ask a narrower question. ASOF_MAX_SECONDS sets this limit.",
            )

    def pause(self, seconds: float) -> None:
        """Do nothing for so many seconds. Raises what `check` raises, as soon as it would."""
        self.cancel.wait(max(0.0, min(seconds, self.left)))
        self.check()
