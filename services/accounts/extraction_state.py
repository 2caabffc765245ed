"""Which types and relations a workspace looks for in texts, and in which texts there are none."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, select

from services.accounts.database import Store
from services.accounts.schema import readings, schemas


class Schemas(Store):
    """The schemas of one graph's workspaces, as documents; `services/extraction/schemas.py` reads them."""

    def get(self, workspace: str) -> Mapping[str, Any] | None:
        """The schema that a workspace was given; None where it has none of its own."""
        return self._database.scalar(select(schemas.c.document).where(*self._of(schemas, workspace)))

    def set(self, workspace: str, document: Mapping[str, Any]) -> None:
        """Give a workspace a schema in the place of the one it has."""
        row = {"graph": self._database.graph, "workspace": workspace, "document": dict(document)}
        self._database.put(schemas, row, ["graph", "workspace"])

    def remove(self, workspace: str) -> None:
        """Let a workspace have no schema of its own."""
        self._database.run(delete(schemas).where(*self._of(schemas, workspace)))


class Readings(Store):
    """The texts in which a reader found no facts; a reader is an extractor with its schema."""

    def add(self, workspace: str, episode_uuid: str, reader: str) -> None:
        """Remember that a reader found nothing in a version of a document."""
        row = {"graph": self._database.graph, "workspace": workspace, "episode_uuid": episode_uuid, "reader": reader}
        self._database.run(self._database.insert(readings).values(row).on_conflict_do_nothing())

    def found_nothing(self, workspace: str, episode_uuid: str, reader: str) -> bool:
        """True where the reader looked through that version before, and found nothing."""
        same = readings.c.episode_uuid == episode_uuid, readings.c.reader == reader
        asked = select(readings.c.reader).where(*self._of(readings, workspace), *same)
        return self._database.scalar(asked) is not None
