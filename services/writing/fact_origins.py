"""Which of our changes recorded a fact: its change-set has the instant that the fact was recorded at.

Nothing in the graph says so. `record_times.py` gives no two changes of a workspace one instant.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from services.context import OpenWorkspace
from services.core.change_records import ChangeSetRecord
from services.core.models import Cause, Change, Fact


def origin_of(workspace: OpenWorkspace, fact: Fact) -> str:
    """Say which change recorded a fact; "" where none of ours is known to have."""
    found = _origins(workspace, [fact.created_at])
    return next((cause.text for cause in found.values()), "")


def with_origins(workspace: OpenWorkspace, changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes, caused by the change of ours that recorded their fact where only the record's time was known."""
    found = _origins(workspace, (change.fact.created_at for change in changes if _says_when_recorded(change)))
    return tuple(
        replace(change, cause=found[change.fact.created_at])
        if change.fact.created_at in found and _says_when_recorded(change)
        else change
        for change in changes
    )


def _says_when_recorded(change: Change) -> bool:
    is_withdrawn = change.kind == "corrected" and change.after is None
    return change.cause.kind == "record" and change.kind != "ended" and not is_withdrawn


def _origins(workspace: OpenWorkspace, instants: Iterable[datetime | None]) -> Mapping[datetime | None, Cause]:
    asked = {instant for instant in instants if instant is not None}
    if not asked:
        return {}
    records = workspace.accounts.change_sets.begun_at(workspace.name, asked)
    users = {record.origin.user_id for record in records} - {None}
    names = {id: user.display_name or user.name for id in users if id and (user := workspace.accounts.users.get(id))}
    return {record.created_at: Cause("change", _words(record, names), record.id) for record in records}


def _words(record: ChangeSetRecord, names: Mapping[str, str]) -> str:
    name = names.get(record.origin.user_id or "")
    by = f" by {name}" if name else ""
    how = {
        "import": f"Recorded by the import “{record.title}”",
        "text": f"Recorded from the text “{record.title}”",
        "form": f"Recorded manually{by}",
        "correction": f"Corrected manually{by}",
    }.get(record.origin.kind, f"Recorded by the change “{record.title}”")
    return f"{how} on {record.created_at:%Y-%m-%d}"
