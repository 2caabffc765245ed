"""What became of the facts that a stored answer cites, since it was given."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from services.core import clock, time_rule
from services.core.answer_records import Answer
from services.core.models import Fact
from services.mirror.mirror import Mirror


def changed_since(mirror: Mirror, answer: Answer, now: datetime | None = None) -> tuple[str, ...]:
    """A line for each fact that an answer cites and that has ended, was withdrawn or is gone since: "[2] ended …".

    Raises `MirrorUnavailable`.
    """
    cited = {one.id: one.n for one in answer.citations if one.kind == "fact"}
    given = min((call.started_at for call in answer.calls), default=answer.at.known_at)
    fates = fates_of(mirror, tuple(cited), given, now or clock.now())
    return tuple(f"[{cited[uuid]}] {fate}." for uuid, fate in fates.items())


def fates_of(mirror: Mirror, uuids: Sequence[str], given: datetime, now: datetime) -> Mapping[str, str]:
    """Facts by uuid with what happened to them from `given` to `now`: "ended 2024-05-01", "withdrawn …" or "gone".

    Those that are as they were are left out. The dates are days in UTC. Raises `MirrorUnavailable`.
    """
    known = {fact.uuid: fact for fact in mirror.facts(uuids)}
    fates = ((uuid, _fate(known.get(uuid), given, now)) for uuid in uuids)
    return {uuid: fate for uuid, fate in fates if fate}


def _fate(fact: Fact | None, given: datetime, now: datetime) -> str:
    if fact is None:
        return "gone"
    if fact.withdrawn_at is not None and given < fact.withdrawn_at <= now:
        return f"withdrawn {fact.withdrawn_at:%Y-%m-%d}"
    end, believed = time_rule.end(fact, now), time_rule.end(fact, given)
    had_ended = believed is not None and believed <= given
    return f"ended {end:%Y-%m-%d}" if end is not None and end <= now and not had_ended else ""
