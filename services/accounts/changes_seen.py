"""How far each client has been told what changed."""

from sqlalchemy import select

from services.accounts.client_tables import changes_seen
from services.accounts.database import Store
from services.core.change_records import ReadPosition


class ChangesSeen(Store):
    """How far each client has been told what changed in a workspace."""

    def position(self, workspace: str, client: str) -> ReadPosition | None:
        """Return how far that is; None for a client that never asked."""
        asked = select(changes_seen.c.until.label("recorded"), changes_seen.c.version)
        asked = asked.where(*self._of(changes_seen, workspace), changes_seen.c.client == client)
        return self._database.first(asked, ReadPosition)

    def note(self, workspace: str, client: str, position: ReadPosition) -> None:
        """Remember how far a client has been told; an earlier record time than before changes nothing."""
        before = self.position(workspace, client)
        if before is None or before.recorded <= position.recorded:
            key = {"graph": self._database.graph, "workspace": workspace, "client": client}
            row = {**key, "until": position.recorded, "version": position.version}
            self._database.put(changes_seen, row, list(key))
