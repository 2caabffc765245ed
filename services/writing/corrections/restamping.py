"""Stamps records from the future anew, in their order: a clock that was ahead wrote them, and nobody knows them yet."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from services.context import OpenWorkspace
from services.core import clock
from services.core.change_records import Origin
from services.core.errors import AlreadyDone
from services.core.models import STATEMENTS
from services.graph import raw
from services.mirror import Mirror, future_records
from services.writing.change_sets import writing
from services.writing.corrections.correction_records import Correction
from services.writing.edits import Edit, Line
from services.writing.statements import restamped

_TICK = timedelta(microseconds=1)
Times = Mapping[str, datetime | None]
"""The instants of a record on the graph's clock, by the name of the property."""


def preview_restamp(workspace: OpenWorkspace) -> Correction:
    """What `restamp` would do, without doing it. Raises `AlreadyDone` where no record is from the future."""
    workspace.sync()
    now = clock.now()
    found = {one.key: one for one in future_records(workspace.mirror, now).items}
    times = {key: one for key, one in _times(workspace.mirror, found) if one}
    late = sorted({at for one in times.values() for at in one.values() if at is not None and at > now})
    stamps = {at: now - (len(late) - place) * _TICK for place, at in enumerate(late)}
    if not stamps:
        raise AlreadyDone("No records are from the future.", "Someone re-dated them in the meantime.")
    spelled = workspace.graph.raw.instant
    values = {
        key: {name: spelled(stamps[at]) for name, at in one.items() if at in stamps} for key, one in times.items()
    }
    for fact in workspace.mirror.facts(raw.node_parts(key)[1] for key in times if raw.is_fact(key)):
        if isinstance(log := fact.attributes.get(STATEMENTS), str):
            values[raw.fact_key(fact.uuid)][STATEMENTS] = restamped(log, stamps)
    lines = tuple(
        Line("other", f"{found[key].name}: {found[key].at:%Y-%m-%d %H:%M} → {stamps[found[key].at]:%Y-%m-%d %H:%M}")
        for key in times
    )
    more = "record" if len(times) == 1 else "records"
    return Correction(f"{len(times):,} {more} from the future re-dated", Edit(values=values), lines)


def restamp(workspace: OpenWorkspace, *, user_id: str | None = None) -> str:
    """Give every record from the future an instant just before now, in their order; returns the change-set's id.

    Raises `AlreadyDone` where there is none.
    """
    with writing(workspace) as writer:
        made = preview_restamp(workspace)
        return writer.apply(made.edit, title=made.title, origin=Origin("clean-up", user_id), lines=made.lines)


def _times(mirror: Mirror, keys: Mapping[str, object]) -> Iterator[tuple[str, Times]]:
    """The instants of records on the graph's clock, by the record's key."""
    ids: dict[str, list[str]] = {}
    for label, id in map(raw.node_parts, keys):
        ids.setdefault(label, []).append(id)
    for entity in mirror.entities(ids.get("Entity", ())):
        yield raw.node_key("Entity", entity.uuid), {"created_at": entity.created_at}
    for fact in mirror.facts(ids.get(raw.FACT, ())):
        retired = {"expired_at": fact.expired_at, "withdrawn_at": fact.withdrawn_at}
        yield raw.fact_key(fact.uuid), {"created_at": fact.created_at, **retired}
    for episode in mirror.episodes(ids.get("Episodic", ())):
        dated = {"valid_at": episode.valid_at} if episode.valid_at == episode.created_at else {}
        yield raw.node_key("Episodic", episode.uuid), {"created_at": episode.created_at, **dated}
    for document in mirror.documents_by_id(ids.get("Document", ())).values():
        times = {"created_at": document.created_at, "updated_at": document.updated_at}
        yield raw.node_key("Document", document.id), times
