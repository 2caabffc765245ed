"""What a change-set keeps of the elements that it touched, read."""

from collections.abc import Set
from functools import cached_property

from services.accounts.change_sets import StoredChangeSet
from services.graph import raw
from services.graph.raw import Raw
from services.writing.changes import legacy_payload


class Images:
    """The images of a change-set, read: `digests` of what it wrote that stands, `redo` of what was undone of it."""

    def __init__(self, kept: StoredChangeSet) -> None:
        self.id = kept.id
        self.earlier: legacy_payload.Document | None = None
        document = raw.unpacked(kept.payload) if kept.payload else {"before": {}, "made": []}
        if "made" not in document:
            self.earlier, document = document, legacy_payload.as_images(document)
        self.before: dict[str, tuple[Raw, ...]] = raw.image_of(document["before"])
        self.made: list[str] = document["made"]
        stands = kept.digests is not None and kept.state != "undone"
        self.digests: dict[str, str] = raw.unpacked(kept.digests) if kept.digests and stands else {}
        self.redo: dict[str, tuple[Raw, ...]] = raw.image_of(raw.unpacked(kept.redo)) if kept.redo else {}

    @cached_property
    def own(self) -> Set[str]:
        """The keys of what it wrote; what went with a passage when it was undone is not among them."""
        return self.before.keys() | set(self.made)
