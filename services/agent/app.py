"""What one process runs: the services that all share, the queue of jobs, and the turns of conversations."""

import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from services.context import Services

if TYPE_CHECKING:
    from services.agent.turns import Turns
    from services.jobs.processor import Processors
    from services.jobs.queue import Jobs

_opening = threading.Lock()
_PIN = "asof.app"


@dataclass(frozen=True)
class App(Services):
    """The services with what works on its own: jobs and turns. `processors` do the items of jobs; tests pass theirs."""

    processors: "Processors | None" = None

    @property
    def turns(self) -> "Turns":
        """The turns of conversations, which run on when their page is closed."""
        with _opening:
            return self._turns

    @cached_property
    def _turns(self) -> "Turns":
        """Imported at first use, since what it stands on takes long to import."""
        from services.agent.turns import Turns

        return Turns(self)

    @property
    def jobs(self) -> "Jobs":
        """The jobs that feed the graph, which survive a restart."""
        with _opening:
            return self._jobs

    @cached_property
    def _jobs(self) -> "Jobs":
        from services.jobs.processors import processor_of
        from services.jobs.queue import Jobs

        return Jobs(self, self.processors or processor_of)

    def close(self) -> None:
        """Stop turns and jobs, then close what they use."""
        with ExitStack() as closing:  # whatever one of them raises, the others are closed, last to first
            closing.callback(super().close)
            if "_turns" in self.__dict__:
                closing.callback(self.turns.close)
            if "_jobs" in self.__dict__:
                closing.callback(self.jobs.close)


def pin(app: App | None) -> None:
    """Make `app` the one of this process, or let go of it.

    It is pinned on `sys`, since a hot reload evicts modules and would leave pages and routes with two copies.
    """
    setattr(sys, _PIN, app)


def pinned() -> App | None:
    """The app of this process, if one was built."""
    return getattr(sys, _PIN, None)


def get_services() -> App:
    """The app of this process. Raises `RuntimeError` before `bootstrap.start_services` has built it."""
    app = pinned()
    if app is None:
        raise RuntimeError("Asof's services are not running. Start Asof with app.py.")
    return app
