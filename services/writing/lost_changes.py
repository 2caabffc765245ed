"""Which changes the accounts database has lost that the graph holds, remembered until they are back or dismissed."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.durable_files import replace_file
from services.core.json_documents import json_text

FOLDER = "losses"
_SUFFIX = ".changes"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LostChanges:
    """The last `changes` of a workspace up to the graph's `position`, of which the accounts database knows nothing."""

    workspace: str
    noticed_at: datetime
    changes: int
    position: str
    path: Path

    def text(self, label: str = "") -> str:
        """Which changes are lost, for people, who know the workspace by `label`."""
        which = f"{self.changes:,} changes" if self.changes > 1 else "change"
        return f"The accounts database is missing the last {which} of “{label or self.workspace}”."

    @property
    def advice(self) -> str:
        """What that means, and what to do."""
        are, them = ("They are", "them") if self.changes > 1 else ("It is", "it")
        return (
            f"{are} in the graph, but Asof does not list {them} and cannot undo {them}. Either the database comes from "
            "an older copy or its file was damaged; users and conversations may be missing, too. If you have a newer "
            "copy, stop Asof and restore it. Otherwise dismiss this notice."
        )

    @property
    def notice(self) -> str:
        """All of it, as the terminal says it."""
        return f"{self.text()} {self.advice}"


def lost_changes(services: Services) -> tuple[LostChanges, ...]:
    """What the accounts database lacks of every workspace, as far as nobody has dismissed it, oldest first."""
    paths = sorted((services.settings.folder / FOLDER).glob(f"*{_SUFFIX}"))
    return tuple(lost for path in paths if (lost := _read(path)) is not None)


def lost_changes_of(workspace: OpenWorkspace) -> tuple[LostChanges, ...]:
    """What it lacks of one workspace."""
    return tuple(lost for lost in lost_changes(workspace.services) if lost.workspace == workspace.name)


def look_for_lost_changes(workspace: OpenWorkspace) -> bool:
    """Remember what the accounts database lacks, and forget what it knows again; True where it lacks something now."""
    sets, held = workspace.accounts.change_sets, _position(workspace)
    remembered = lost_changes_of(workspace)
    for lost in remembered:
        if sets.knows(workspace.name, lost.position):
            lost.path.unlink(missing_ok=True)
    count = sets.lacking(workspace.name, held)
    if not count or _position(workspace) != held:  # what was being written is being taken back
        return False
    if workspace.name not in workspace.run(workspace.graph.workspaces()):  # it was deleted, and its changes with it
        reset_position(workspace)
        return False
    if held not in [lost.position for lost in remembered]:
        _remember(workspace, count, held)
    return True


def dismiss_lost_changes(workspace: OpenWorkspace) -> int:
    """Give up what the accounts database lacks of a workspace; how many notices there were.

    The graph then holds the last change that is known, or the next start would notice the same again.
    """
    dismissed = lost_changes_of(workspace)
    if dismissed and look_for_lost_changes(workspace):
        reset_position(workspace)
    for lost in lost_changes_of(workspace):
        lost.path.unlink(missing_ok=True)
    return len(dismissed)


def reset_position(workspace: OpenWorkspace) -> None:
    """Leave in the graph that it holds the last change that is known: it was emptied, or what it lacks was settled."""
    last = workspace.accounts.change_sets.last_position(workspace.name)
    workspace.run(workspace.graph.set_position(workspace.name, last))


def _position(workspace: OpenWorkspace) -> str:
    return workspace.run(workspace.graph.position(workspace.name)) or ""


def _remember(workspace: OpenWorkspace, changes: int, position: str) -> None:
    """Keep it on the disk. Where that cannot be, nothing can be written that would hide it, and it is noticed again."""
    at, folder = clock.now(), workspace.settings.folder / FOLDER
    lost = LostChanges(workspace.name, at, changes, position, folder / f"{at:%Y%m%d-%H%M%S-%f}{_SUFFIX}")
    values = {
        "workspace": lost.workspace,
        "noticed_at": clock.spell(at),
        "changes": changes,
        "position": position,
    }
    _log.warning("%s %s", lost.text(), lost.advice)
    try:
        folder.mkdir(exist_ok=True)
        replace_file(lost.path, json_text(values).encode())
    except OSError as error:
        _log.warning("Could not save the notice of lost changes: %s", error)


def _read(path: Path) -> LostChanges | None:
    """What a file tells; None, and a line in the log, where it cannot be read."""
    try:
        values = json.loads(path.read_text())
        return LostChanges(**{**values, "noticed_at": datetime.fromisoformat(values["noticed_at"])}, path=path)
    except (OSError, ValueError, TypeError, LookupError) as error:
        _log.warning("Could not read the notice of lost changes in %s: %s", path, error)
        return None
