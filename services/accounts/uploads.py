"""Files that jobs have yet to read."""

import hashlib
from datetime import datetime

from sqlalchemy import Text, delete, select, type_coerce

from services.accounts.database import Store
from services.accounts.schema import items, uploads
from services.core import clock
from services.core.errors import BadInput

_NEEDED = ("queued", "running", "failed", "review")
"""States in which an item may be done (again)."""


class Uploads(Store):
    """The files kept about one graph, by the digest of their content. An item names its own as `upload`."""

    def put(self, content: bytes) -> str:
        """Keep a file until the items that read it have ended; returns its digest."""
        digest, now = hashlib.sha256(content).hexdigest(), clock.now()
        row = {"graph": self._database.graph, "digest": digest, "size": len(content), "created_at": now}
        statement = self._database.insert(uploads).values(**row, content=content)
        again = {"created_at": now}
        self._database.run(statement.on_conflict_do_update(index_elements=["graph", "digest"], set_=again))
        return digest

    def get(self, digest: str) -> bytes:
        """The content of a file. Raises `BadInput` where it is kept no longer."""
        asked = select(uploads.c.content).where(uploads.c.graph == self._database.graph, uploads.c.digest == digest)
        content: bytes | None = self._database.scalar(asked)
        if content is None:
            raise BadInput("This file no longer exists in Asof.", "Upload the file again.")
        return content

    def forget(self, before: datetime) -> int:
        """Forget the files put before that instant which no item needs any more; how many."""
        old = uploads.c.graph == self._database.graph, uploads.c.created_at < before
        payload = type_coerce(items.c.payload, Text)
        needing = select(items.c.payload).where(items.c.state.in_(_NEEDED), payload.contains('"upload":'))
        with self._database.transaction() as connection:
            if not (digests := set(connection.scalars(select(uploads.c.digest).where(*old)))):
                return 0
            digests -= {held.get("upload") for held in connection.scalars(needing)}
            for digest in digests:
                connection.execute(delete(uploads).where(*old, uploads.c.digest == digest))
        return len(digests)
