"""Which texts a crawl has met, so that a page that has several addresses is taken in once."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.core.job_records import ItemSummary
from services.jobs.processor import JobContext
from services.mirror.mirror import Mirror

_CRAWLS = 8
"""So many crawls are remembered; of another one, what is in the graph is read again."""


@dataclass(slots=True)
class _Met:
    """The texts of one crawl: the address of each by its digest, and the digest at each address."""

    places: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, digest: str) -> None:
        self.digests[place] = digest
        self.places.setdefault(digest, place)


class Seen:
    """What crawls have met. Any thread may use it; pages of one crawl come one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crawls: dict[str, _Met] = {}

    def place(
        self, context: JobContext, items: Sequence[ItemSummary], text: str, url: str, canonical: str
    ) -> tuple[str, str]:
        """Where to keep the text of a page, and the address under which the same text was met, if it was.

        That is its canonical address, unless another text of this crawl is there.
        """
        met, digest = self._of(context, items), _digest(text)
        place = canonical if met.digests.get(canonical, digest) == digest else url
        same = met.places.get(digest, "")
        met.add(place, digest)
        return place, "" if same in (place, url) else same

    def _of(self, context: JobContext, items: Sequence[ItemSummary]) -> _Met:
        with self._lock:
            met = self._crawls.pop(context.job.id, None)
        if met is None:
            met = _in_graph(context.workspace.mirror, items)
        with self._lock:
            self._crawls[context.job.id] = met
            for old in list(self._crawls)[:-_CRAWLS]:
                del self._crawls[old]
        return met


def _in_graph(mirror: Mirror, items: Sequence[ItemSummary]) -> _Met:
    """What the crawl took in before this process began."""
    met = _Met()
    kept = [item.document_id for item in items if item.state == "done"]
    if any(kept):
        ids = {document.episode_uuid: document.id for document in mirror.documents_by_id(kept).values()}
        for episode in sorted(mirror.episodes(list(ids)), key=lambda one: ids[one.uuid]):
            met.add(ids[episode.uuid], _digest(episode.content))
    return met


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
