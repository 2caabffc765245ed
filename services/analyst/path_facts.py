"""Facts that join two entities, at an instant or at another time."""

from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_lookup import FactLookup
from services.analyst.fact_order import facts_of, joined_at_once, start_of
from services.core.models import Fact

_MOST_HOPS = 3


def path_between(lookup: FactLookup) -> FactSelection:
    """Select the facts of a shortest path between two entities; where none is, what joined them at another time."""
    plan, at = lookup.plan, lookup.at(lookup.asked)
    called = lookup.call("find_path", lookup.date, source=plan.subjects[0], target=plan.other, max_hops=_MOST_HOPS)
    paths = called.result.rows
    if lookup.date is None and (not paths or len(paths[0]["facts"]) > 1) and (direct := _undated_between(lookup)):
        return FactSelection("path", at, undated=direct)
    if not paths and (ended := _ended_path(lookup)):
        return FactSelection("path", at, ended[:1] if len(ended) == 1 else (), call=called, known=ended, denied=True)
    wanted = {row["uuid"] for path in paths[:1] for row in path["facts"]}
    return FactSelection("path", at, tuple(f for f in facts_of(called) if f.uuid in wanted), call=called)


def _undated_between(lookup: FactLookup) -> tuple[Fact, ...]:
    """Return the undated facts that join the ends of a path, which no path at an instant can have."""
    ends = {lookup.plan.subjects[0], lookup.plan.other}
    found = facts_of(lookup.facts_at(lookup.plan.subjects[0], "", "source"))
    return tuple(f for f in found if f.valid_at is None and {f.source, f.target} == ends)


def _ended_path(lookup: FactLookup) -> tuple[Fact, ...]:
    """Return facts that joined the ends of a path at another time: the last one, else the last two at once."""
    one, two = (
        {f.uuid: f for f in lookup.known_of(end) if f.valid_at} for end in (lookup.plan.subjects[0], lookup.plan.other)
    )
    if direct := [fact for uuid, fact in one.items() if uuid in two]:
        return (max(direct, key=start_of),)
    return joined_at_once(one.values(), two.values(), lookup.plan.subjects[0], lookup.plan.other)
