"""Writes an edit to the graph, and says how it left what it touched."""

import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace

from services.context import OpenWorkspace
from services.core.errors import Cancelled, WriteFailed
from services.core.models import GraphWrite
from services.core.progress import Progress
from services.graph import raw
from services.graph.store import GraphStore
from services.mirror.record_tables import Columns, in_columns
from services.writing.changes.before_images import BeforeImages, listed_facts, operated_on
from services.writing.changes.merge_delete import operated
from services.writing.edits import Edit

BATCH = 5_000
_AT_ONCE = 2


@dataclass
class Written:
    """What a write left behind: digests by key, of what it changed, and the mirror's columns where it wants them."""

    digests: dict[str, str] = field(default_factory=dict)
    columns: list[Columns] = field(default_factory=list)


def apply_edit(
    workspace: OpenWorkspace,
    edit: Edit,
    touched: BeforeImages,
    *,
    mirrored: bool,
    progress: Progress,
    cancel: threading.Event,
) -> Written:
    """Write all of an edit.

    Raises `Cancelled` once `cancel` is set; what is in by then is for the caller to take back.
    """
    written = Written()
    total = size(edit)
    done = 0
    progress(done, total)
    for count in _write_records(workspace, edit, written, mirrored, cancel):
        done += count
        progress(done, total)
    if edit.documents:
        stop_if(cancel)
        write = workspace.graph.documents.write(workspace.name, edit.documents, edit.embeddings)
        workspace.run(write)
        progress(total, total)
    _set_values(workspace, edit)
    if edit.nodes:
        stop_if(cancel)
        workspace.services.bridge.run(workspace.graph.raw.put(workspace.name, edit.nodes), timeout=None)
        progress(total, total)
    _link(workspace, edit)
    stop_if(cancel)
    if edit.merges or edit.gone != Edit().gone:
        _operate(workspace, edit, touched)
        written.digests.clear()
    stop_if(cancel)
    _digest_the_rest(workspace, touched, written.digests)
    return written


def size(edit: Edit) -> int:
    """How many records an edit writes."""
    writes = (edit.created, edit.replaced)
    return sum(len(w.entities) + len(w.facts) + len(w.episodes) for w in writes) + len(edit.documents) + len(edit.nodes)


def _set_values(workspace: OpenWorkspace, edit: Edit) -> None:
    store, run = workspace.graph.raw, workspace.services.bridge.run
    values = {**edit.values, **{raw.node_key("Document", id): {"tags": list(tags)} for id, tags in edit.tags.items()}}
    if values:
        held = run(store.read(workspace.name, values), timeout=None)
        wanted = {
            key: tuple(replace(one, properties={**one.properties, **values[key]}) for one in bag)
            for key, bag in held.items()
        }
        run(store.put(workspace.name, wanted), timeout=None)


def _link(workspace: OpenWorkspace, edit: Edit) -> None:
    documents, run = workspace.graph.documents, workspace.services.bridge.run
    if edit.similar or edit.only_similar:
        run(documents.write_similar(workspace.name, edit.similar, only=edit.only_similar), timeout=None)
    if edit.section_types is not None:
        run(documents.replace_section_types(workspace.name, edit.section_types), timeout=None)


def _operate(workspace: OpenWorkspace, edit: Edit, touched: BeforeImages) -> None:
    image = workspace.run(operated_on(workspace.graph, workspace.name, edit))
    wanted = operated(image, edit.merges, edit.gone, touched.now)
    if wanted.keys() - touched.keys:
        raise WriteFailed("Another program changed the graph in the meantime. Nothing was saved.", "Try again.")
    workspace.run(workspace.graph.raw.put(workspace.name, wanted))


def _digest_the_rest(workspace: OpenWorkspace, touched: BeforeImages, digests: dict[str, str]) -> None:
    """Digests of all that was not written anew; what is as it was before is no part of the change."""
    after = workspace.run(workspace.graph.raw.read(workspace.name, touched.keys - digests.keys()))
    for key, bag in after.items():
        digest = raw.digest(bag)
        if digest != raw.digest(touched.before.get(key, ())):
            digests[key] = digest


@dataclass(frozen=True, slots=True)
class _Batch:
    """A part of a write; `new` where nothing of it is stored yet."""

    records: GraphWrite
    new: bool

    @property
    def size(self) -> int:
        return len(self.records.entities) + len(self.records.facts) + len(self.records.episodes)


def _batches(edit: Edit) -> list[_Batch]:
    """Entities first, then the sources that mention them, then the facts that join them."""
    batches = []
    for kind in ("entities", "episodes", "facts"):
        for write, new in ((edit.created, True), (edit.replaced, False)):
            records = getattr(write, kind)
            for start in range(0, len(records), BATCH):
                batches.append(_Batch(GraphWrite(**{kind: records[start : start + BATCH]}), new))
    return batches


def _write_records(
    workspace: OpenWorkspace, edit: Edit, written: Written, mirrored: bool, cancel: threading.Event
) -> Iterator[int]:
    """Write batches in order and give each one's size once it is in; when this ends, nothing is under way.

    Facts hang on no other facts: one batch of them is made ready while the database takes in the one before. Digests
    and the mirror's columns are made meanwhile, too.
    """
    batches = _batches(edit)
    listed = listed_facts([b.records.facts for b in batches])
    under_way: deque[tuple[_Batch, Future[None]]] = deque()
    try:
        for batch in batches:
            stop_if(cancel)
            while under_way and (len(under_way) == _AT_ONCE or not under_way[0][0].records.facts):
                yield _next(under_way)
            work = _write(workspace.graph, workspace.name, batch, listed, written.digests)
            under_way.append((batch, workspace.services.bridge.submit(work)))
            if mirrored:
                written.columns.append(in_columns(batch.records))
        while under_way:
            yield _next(under_way)
    finally:
        wait([future for _, future in under_way])


async def _write(
    graph: GraphStore, workspace: str, batch: _Batch, listed: Mapping[str, Sequence[str]], digests: dict[str, str]
) -> None:
    if batch.new:
        digests.update(await graph.raw.create(workspace, batch.records, listed))
    else:
        await graph.write(workspace, batch.records)


def _next(under_way: deque[tuple[_Batch, Future[None]]]) -> int:
    batch, future = under_way[0]
    future.result()
    under_way.popleft()
    return batch.size


def stop_if(cancel: threading.Event) -> None:
    """Raise `Cancelled` once `cancel` is set."""
    if cancel.is_set():
        raise Cancelled("The write stopped early. Nothing was saved.")
