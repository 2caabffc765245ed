"""Looks for damage: what the graph lost with a damaged file, noticed before a mirror follows it."""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from services.accounts.change_sets import StoredChangeSet
from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.config import EMBEDDED
from services.core.data_folder import HINT, save_problem, write_problem
from services.core.durable_files import flush, replace_file
from services.core.errors import AsofError, MirrorUnavailable
from services.core.json_documents import json_text
from services.core.models import GraphWrite
from services.graph import file_checksums, raw
from services.mirror.mirror import Mirror
from services.mirror.sync import GraphReader
from services.writing.changes.change_lines import fact_read
from services.writing.locks import writer_if_free
from services.writing.lost_changes import FOLDER, dismiss_lost_changes, look_for_lost_changes, lost_changes
from services.writing.missing_records import BACK, KINDS, MERGED, Acknowledged, LostRecords, records_of

_DISMISS = "To dismiss this notice, run: cli.py recover --workspace {workspace} --dismiss"
_COMMAND = "To restore missing records, run: cli.py recover --workspace {workspace}"
_ONE = {
    "facts": "fact",
    "entities": "entity",
    "episodes": "source",
    "documents": "document",
    "records": "memory record",
    MERGED: "merged entity",
}
_MANY = {kind: f"{one}s" for kind, one in _ONE.items()} | {"entities": "entities", MERGED: MERGED}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loss:
    """What was saved in a workspace and is missing from its graph, noticed at one start of the database.

    `changes` are how many change-sets the graph lacks wholly or in part; `records` how many records are missing or are
    an earlier version, or had been deleted and are back, by kind; `lost` how many of them neither the mirror nor the
    change-sets hold. `copy` is where the damaged files were kept, where files were damaged.
    """

    workspace: str
    noticed_at: datetime
    changes: int
    records: Mapping[str, int]
    lost: int
    copy: str | None
    path: Path

    @property
    def mirror(self) -> Path:
        """The mirror as it was."""
        return self.path.with_suffix(".duckdb")

    @property
    def evidence(self) -> Path:
        """Which records are missing."""
        return self.path.with_suffix(".packed")


def losses(services: Services) -> tuple[Loss, ...]:
    """Every loss that is not settled yet, oldest first."""
    paths = sorted((services.settings.folder / FOLDER).glob("*.json"))
    return tuple(loss for path in paths if (loss := _read(path)) is not None)


def losses_of(workspace: OpenWorkspace) -> tuple[Loss, ...]:
    """The losses of one workspace that are not settled yet."""
    return tuple(loss for loss in losses(workspace.services) if loss.workspace == workspace.name)


def notices(services: Services) -> list[str]:
    """What the terminal says before it answers: what cannot be saved, and what is missing."""
    missing = [f"{loss_text(loss)} {_COMMAND.format(workspace=loss.workspace)}" for loss in losses(services)]
    forgotten = [f"{lost.notice} {_DISMISS.format(workspace=lost.workspace)}" for lost in lost_changes(services)]
    return [*filter(None, [save_problem(services.settings)]), *missing, *forgotten]


def forget(loss: Loss) -> None:
    """Settle a loss: whatever is missing still is given up, with the mirror that was kept for it."""
    for path in (loss.path, loss.mirror, loss.evidence):
        path.unlink(missing_ok=True)


def dismiss(workspace: OpenWorkspace) -> int:
    """Settle what is lost of a workspace without restoring anything; how many notices there were."""
    settled = losses_of(workspace)
    for loss in settled:
        forget(loss)
    return len(settled) + dismiss_lost_changes(workspace)


def look_for_losses(services: Services) -> None:
    """Look for losses in every workspace, as whoever starts does first; what cannot be looked at is looked at later."""
    folder = _graph_folder(services)
    if folder is None:
        return
    with _later():
        services.bridge.run(services.graph.ping(), timeout=None)
        damaged = file_checksums.damage(folder)
        names = _everywhere(services)
        for name in sorted(names):
            with _later():
                look_for_lost_changes(services.workspace(name))
                if may_lack_something(services.workspace(name)):
                    services.mirrors.check(name)
        if damaged:
            file_checksums.settle_damage(folder, damaged, (), names)


@contextmanager
def _later() -> Iterator[None]:
    """Log what keeps us from looking now."""
    try:
        yield
    except AsofError as error:
        _log.warning("Could not check yet whether the graph holds everything that was saved: %s", error)


def left_unfinished(workspace: OpenWorkspace) -> tuple[StoredChangeSet, ...]:
    """What a crash left unfinished. Where the accounts lost what came after it, it was finished, and is taken so."""
    sets = workspace.accounts.change_sets
    unfinished = sets.unfinished(workspace.name)
    if not unfinished:
        return ()
    held = workspace.run(workspace.graph.position(workspace.name)) or ""
    return () if sets.take_as_finished(workspace.name, held) else unfinished


def check(services: Services, mirror: Mirror, reader: GraphReader) -> None:
    """Notice what the graph lacks of what `mirror` and the change-sets know, before the mirror follows the graph.

    Raises `MirrorUnavailable` where the mirror must wait: while something writes, and where files were damaged and the
    change-sets cannot be asked, `AccountsUnavailable`.
    """
    workspace = services.workspace(reader.workspace)
    if not may_lack_something(workspace):
        return
    with writer_if_free(services.accounts, workspace.name) as free:
        if not free:
            raise _UnderWay(
                f"Records saved in “{workspace.name}” may be missing, and another write is under way.",
                "Asof will check the workspace again after that write.",
            )
        damaged = _damage(workspace)
        _look_closely(workspace, mirror, reader, damaged)
        if damaged is not None:
            settled, folder = (workspace.name,), services.settings.folder / "graph"
            file_checksums.settle_damage(folder, damaged, settled, _everywhere(services))


def check_before_write(workspace: OpenWorkspace) -> None:
    """Notice a loss before a write would hide it, unless somebody else writes by now. For whoever holds no lock."""
    with suppress(_UnderWay):
        workspace.services.mirrors.check(workspace.name)


class _UnderWay(MirrorUnavailable):
    """Nobody can compare a graph while something is written to it."""


def may_lack_something(workspace: OpenWorkspace) -> bool:
    """True when the embedded graph is behind, or its files were damaged: as is known once it was asked something."""
    return _graph_folder(workspace.services) is not None and (_is_behind(workspace) or _damage(workspace) is not None)


def _damage(workspace: OpenWorkspace) -> str | None:
    folder = _graph_folder(workspace.services)
    return None if folder is None else file_checksums.damage(folder, workspace.name)


def _everywhere(services: Services) -> set[str]:
    """Every workspace of which something may have been in the damaged files."""
    there = services.bridge.run(services.graph.workspaces(), timeout=None)
    return {*services.accounts.change_sets.written_workspaces(), *there, *services.mirrors.named_files()}


def _graph_folder(services: Services) -> Path | None:
    """The folder of the embedded database; None for another one, which keeps its own files."""
    return services.settings.folder / "graph" if services.settings.graph_url == EMBEDDED else None


def _is_behind(workspace: OpenWorkspace) -> bool:
    """True when the graph lacks a change-set that was acknowledged.

    The change-sets are asked first: whoever asked the graph first would take a write between for a loss. What they lack
    themselves is remembered here, before the next write hides it.
    """
    sets = workspace.accounts.change_sets
    last = workspace.ask_accounts(lambda _: sets.last_position(workspace.name), None)
    held = workspace.run(workspace.graph.position(workspace.name))
    if last is None or held is None or held == last or look_for_lost_changes(workspace):
        return False
    return bool(last) and bool(sets.since(workspace.name, held))


def _look_closely(workspace: OpenWorkspace, mirror: Mirror, reader: GraphReader, damaged: str | None) -> None:
    """Compare the graph with the change-sets that it should hold, and with all that the mirror holds."""
    sets, graph, run = workspace.accounts.change_sets, workspace.graph, workspace.run
    acknowledged = Acknowledged(sets.since(workspace.name, run(graph.position(workspace.name)) or ""))
    wrong = dict(_wrong(workspace, acknowledged.digests))
    ahead = set() if mirror.synced_at is None else _ahead(reader, mirror)
    lacking = records_of((key for key in wrong if acknowledged.digests[key]), mirror)
    lacking |= ahead - acknowledged.digests.keys() - _decided_otherwise(workspace, mirror)
    now = {key: raw.digest(bag) for key, bag in run(graph.raw.read(workspace.name, lacking)).items()}
    back = {key: digest for key, digest in wrong.items() if digest and not acknowledged.digests[key]}
    evidence = LostRecords(
        now,
        tuple((ahead & lacking) | {key for key in now if now[key] and key.startswith("Episodic:")}),
        {uuid: fact for uuid, fact in _facts(workspace, acknowledged) if raw.fact_key(uuid) in lacking},
        {key: digest for key, digest in back.items() if raw.node_parts(key)[0] in KINDS and not raw.is_link(key)},
        tuple(sorted(raw.node_parts(key)[1] for key in wrong if key.startswith("MergedEntity:"))),
        {
            key: bag
            for key, bag in acknowledged.nodes.items()
            if key in lacking and raw.digest(bag) == acknowledged.digests.get(key)
        },
    )
    if evidence.now or evidence.gone or evidence.merged:
        _remember(workspace, mirror, evidence, acknowledged.count, damaged)
    run(graph.set_position(workspace.name, sets.last_position(workspace.name)))


def _wrong(workspace: OpenWorkspace, digests: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is otherwise in the graph than it was acknowledged: keys, and digests as they are."""
    for key, bag in workspace.run(workspace.graph.raw.read(workspace.name, digests), timeout=None).items():
        if (digest := raw.digest(bag)) != digests[key]:
            yield key, digest


def _facts(workspace: OpenWorkspace, acknowledged: Acknowledged) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The facts that change-sets hold exactly as they were left."""
    for uuid, document in acknowledged.facts.items():
        key = raw.fact_key(uuid)
        expected = workspace.graph.raw.expected(workspace.name, GraphWrite(facts=(fact_read(document),)))
        if acknowledged.digests.get(key) == raw.digest(expected[key]):
            yield uuid, document


def _decided_otherwise(workspace: OpenWorkspace, mirror: Mirror) -> set[str]:
    """The keys of what the mirror need not know, since it was written after the mirror was in step, or not finished."""
    sets = workspace.accounts.change_sets
    since = () if mirror.synced_at is None else sets.finished_since(workspace.name, mirror.synced_at)
    return Acknowledged((*since, *sets.unfinished(workspace.name))).keys


def _ahead(reader: GraphReader, mirror: Mirror) -> set[str]:
    """The keys of records that the mirror holds and the graph does not, or in another version."""
    labels = {table: label for label, table in KINDS.items()}
    found = reader.missing(mirror)
    return {raw.node_key(labels[table], id) for table, both in found.items() for ids in both for id in ids}


def _remember(
    workspace: OpenWorkspace, mirror: Mirror, evidence: LostRecords, changes: int, damaged: str | None
) -> None:
    """Keep a loss on the disk. Raises `MirrorUnavailable`, and leaves nothing of it, where that cannot be."""
    at, folder = clock.now(), workspace.settings.folder / FOLDER
    path = folder / f"{at:%Y%m%d-%H%M%S-%f}.json"
    loss = Loss(workspace.name, at, changes, evidence.counts, evidence.lost, damaged, path)
    try:
        folder.mkdir(exist_ok=True)
        _keep(loss, mirror, evidence)
    except (OSError, MirrorUnavailable) as error:
        for part in (path, loss.evidence, loss.mirror, Path(f"{loss.mirror}.wal")):
            with suppress(OSError):
                part.unlink(missing_ok=True)
        problem = write_problem(workspace.settings.folder) or f"{folder} is not writable ({error})."
        raise MirrorUnavailable(
            f"{loss_text(loss)} Asof cannot save the list of missing records, so the mirror waits. {problem}", HINT
        ) from error
    _log.warning("%s", loss_text(loss))


def _keep(loss: Loss, mirror: Mirror, evidence: LostRecords) -> None:
    if mirror.synced_at is not None:
        mirror.copy_to(loss.mirror)
        flush(loss.mirror)
    replace_file(loss.evidence, evidence.packed())
    values = {part.name: getattr(loss, part.name) for part in fields(loss) if part.name != "path"}
    flush(loss.path.parent.parent)
    replace_file(loss.path, json_text(values | {"noticed_at": clock.spell(loss.noticed_at)}).encode())


def _read(path: Path) -> Loss | None:
    """The loss that a file tells of; None, and a line in the log, where it cannot be read."""
    try:
        values = json.loads(path.read_text())
        return Loss(**{**values, "noticed_at": datetime.fromisoformat(values["noticed_at"])}, path=path)
    except (OSError, ValueError, TypeError, LookupError) as error:
        _log.warning("Could not read the record of a loss in %s: %s", path, error)
        return None


def loss_text(loss: Loss, label: str = "") -> str:
    """What is missing, for people, who know the workspace by `label`."""
    name, back = label or loss.workspace, {kind: loss.records[one] for kind, one in BACK.items() if one in loss.records}
    missing = {kind: count for kind, count in loss.records.items() if kind not in BACK.values()}
    verb = "are" if sum(missing.values()) > 1 else "is"
    again = f"{_listed(back, 'deleted ')} {'are' if sum(back.values()) > 1 else 'is'} back in “{name}”." if back else ""
    if back and not missing:
        return again
    lost = f"Asof cannot restore {loss.lost:,} of them." if loss.lost else ""
    sentence = f"{_listed(missing) or 'A change'} saved in “{name}” {verb} missing from the graph."
    return " ".join(filter(None, (sentence, lost, again)))


def _listed(counts: Mapping[str, int], before: str = "") -> str:
    """Counts by kind, in words: 2 facts, 1 source."""
    return ", ".join(f"{count:,} {before}{(_ONE if count == 1 else _MANY)[kind]}" for kind, count in counts.items())
