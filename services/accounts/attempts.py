"""How often somebody may try to sign in within a while, counted in the database for every replica of the app."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select

from services.accounts.database import Database
from services.accounts.schema import attempts
from services.core import clock


class Attempts:
    """Counts tries by keys (a name, an address) over the last `minutes`."""

    def __init__(self, database: Database, minutes: int, now: Callable[[], datetime] = clock.now) -> None:
        self._database, self._lasts, self._now = database, timedelta(minutes=minutes), now

    def take(self, limits: Mapping[str, int]) -> list[int] | None:
        """Use up one try of each key, given with its limit; None where one of them has none left.

        It counts before it is known whether it was good, and looks once that is committed, so that many at once are
        no way around. Returns what `give_back` takes.
        """
        now, graph = self._now(), self._database.graph
        rows = [{"graph": graph, "key": key, "created_at": now} for key in limits]
        with self._database.transaction() as connection:
            connection.execute(delete(attempts).where(attempts.c.created_at <= now - self._lasts))
            taken = list(connection.scalars(insert(attempts).returning(attempts.c.number), rows))
        counted = select(attempts.c.key, func.count()).where(attempts.c.graph == graph, attempts.c.key.in_(limits))
        with self._database.transaction() as connection:
            tries = connection.execute(counted.group_by(attempts.c.key)).all()
        if all(number <= limits[key] for key, number in tries):
            return taken
        self.give_back(taken)
        return None

    def give_back(self, taken: Sequence[int]) -> None:
        """The try was good, and does not count."""
        self._database.run(delete(attempts).where(attempts.c.number.in_(taken)))
