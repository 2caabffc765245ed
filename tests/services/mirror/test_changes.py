"""Differences between two views of the graph, against a plain reading of what they are."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given

from services.core import clock, date_wording, time_rule
from services.core.models import Change, Fact, Instants
from services.mirror.mirror import Mirror
from tests.services.mirror.graphs import ENTITIES, EPISODES, clocks, several_facts


@dataclass(frozen=True)
class Expected:
    kind: str
    before: Fact | None
    after: Fact | None
    at: datetime | None


def expected(facts: tuple[Fact, ...], first: Instants, second: Instants) -> list[Expected]:
    """The differences, fact by fact, as the brief of a comparison words them."""
    if first.known_at > second.known_at:
        turned = {"added": "ended", "ended": "added"}
        return [Expected(turned.get(e.kind, e.kind), e.after, e.before, e.at) for e in expected(facts, second, first)]
    pairs = corrections(facts, first.known_at, second.known_at)
    replaced = {new.uuid for new in pairs.values()}
    found = []
    for fact in facts:
        before, after = time_rule.as_known(fact, first.known_at), time_rule.as_known(fact, second.known_at)
        was, is_now = time_rule.true_at(fact, first), time_rule.true_at(fact, second)
        if withdrawn_between(fact, first.known_at, second.known_at):
            new = pairs.get(fact.uuid)
            if new is None and was:
                found.append(Expected("corrected", before, None, fact.withdrawn_at))
            elif new is not None and (was or time_rule.true_at(new, second)):
                same = all(getattr(fact, name) == getattr(new, name) for name in ("target_uuid", "text", "attributes"))
                kind = "re-dated" if same else "corrected"
                found.append(Expected(kind, before, time_rule.as_known(new, second.known_at), fact.withdrawn_at))
        elif fact.uuid in replaced:
            continue
        elif was and is_now and before.invalid_at != after.invalid_at:
            found.append(Expected("re-dated", before, after, fact.expired_at))
        elif was and not is_now:
            found.append(Expected("ended", before, None, after.invalid_at))
        elif is_now and not was:
            found.append(Expected("added", None, after, fact.valid_at))
    return found


def withdrawn_between(fact: Fact, k1: datetime, k2: datetime) -> bool:
    return time_rule.recorded(fact, k1) and fact.withdrawn_at is not None and fact.withdrawn_at <= k2


def corrections(facts: tuple[Fact, ...], k1: datetime, k2: datetime) -> dict[str, Fact]:
    """The record that took the place of each withdrawn one; those with most in common find each other first."""
    order = sorted(facts, key=lambda f: (f.valid_at or clock.LATEST, f.uuid))
    withdrawn = [f for f in order if withdrawn_between(f, k1, k2)]
    free = [f for f in order if time_rule.recorded(f, k2) and not time_rule.recorded(f, k1)]
    pairs: dict[str, Fact] = {}
    for common in (("target_uuid", "valid_at"), ("target_uuid",), ("valid_at",), ()):
        for old in withdrawn:
            for new in free:
                if (
                    old.uuid not in pairs
                    and new not in pairs.values()
                    and new.created_at == old.withdrawn_at
                    and all(getattr(old, n) == getattr(new, n) for n in ("source_uuid", "relation", *common))
                ):
                    pairs[old.uuid] = new
    return pairs


def bare(changes: tuple[Change, ...]) -> list[Expected]:
    return [Expected(c.kind, c.before, c.after, c.at) for c in changes]


def in_order(changes: list[Expected]) -> list[Expected]:
    return sorted(changes, key=lambda c: (c.kind, c.before.uuid if c.before else "", c.after.uuid if c.after else ""))


@pytest.mark.slow
@given(facts=several_facts(), first=clocks, second=clocks)
def test_a_diff_has_each_difference_once_and_counts_it(
    mirror: Mirror, facts: tuple[Fact, ...], first: Instants, second: Instants
) -> None:
    mirror.replace_all([ENTITIES], [facts], [EPISODES])
    diff = mirror.diff(first, second)
    wanted = expected(facts, first, second)
    assert in_order(bare(diff.changes)) == in_order(wanted)
    assert diff.totals == Counter(change.kind for change in wanted)
    assert (diff.first, diff.second) == (first, second)
    instants = [change.at or clock.LATEST for change in diff.changes]
    assert instants == sorted(instants)
    cut = mirror.diff(first, second, limit=2)
    assert cut.changes == diff.changes[:2]
    assert cut.totals == diff.totals


@pytest.mark.slow
@given(facts=several_facts(), first=clocks, second=clocks)
def test_a_diff_about_one_entity_has_the_changes_that_touch_it(
    mirror: Mirror, facts: tuple[Fact, ...], first: Instants, second: Instants
) -> None:
    mirror.replace_all([ENTITIES], [facts], [EPISODES])
    about = mirror.diff(first, second, entity_uuids=["e2"])
    whole = mirror.diff(first, second)
    assert about.changes == tuple(
        c for c in whole.changes if any(f and "e2" in (f.source_uuid, f.target_uuid) for f in (c.before, c.after))
    )


@pytest.mark.slow
@given(facts=several_facts(), first=clocks, second=clocks)
def test_every_change_names_its_cause(
    mirror: Mirror, facts: tuple[Fact, ...], first: Instants, second: Instants
) -> None:
    mirror.replace_all([ENTITIES], [facts], [EPISODES])
    for change in mirror.diff(first, second).changes:
        cause = change.cause
        assert cause.text
        if cause.kind == "episode":
            assert cause.uuid in {"p0", "p1"}
        elif cause.kind == "fact":
            assert cause.uuid in {f.uuid for f in facts}
        else:
            assert cause.uuid is None


def test_an_end_learned_between_two_record_dates_is_dated_as_the_later_one_knows_it(mirror: Mirror) -> None:
    year = {number: datetime(number, 1, 1, tzinfo=UTC) for number in (1970, 1990, 2019, 2020, 2021)}
    held = Fact("f", "e1", "e2", "e1", "R", "e2", valid_at=year[1970], created_at=year[1990], expired_at=year[2020])
    may = replace(held, uuid="may", invalid_at=datetime(1979, 5, 1, tzinfo=UTC), invalid_at_precision="month")
    mirror.replace_all([ENTITIES], [(may, replace(held, ended_unknown=True))], [EPISODES])
    before, after = Instants(year[2021], year[2019]), Instants(year[2021], year[2021])
    for first, second in ((before, after), (after, before)):
        found = mirror.diff(first, second).changes
        assert [date_wording.of(c.dated_by, c.at) for c in found] == ["May 1979", "before 2020-01-01"]
