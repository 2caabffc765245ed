"""Facts that were retired: by what, with which others, and which look wrong."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.core.health_records import Suspicion
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.mirror import retirements
from services.mirror.mirror import Mirror

START = datetime(2024, 1, 1, tzinfo=UTC)


def day(n: int) -> datetime:
    return START + timedelta(days=n)


def episode(uuid: str, content: str, *mentions: str, created: datetime = START) -> Episode:
    return Episode(uuid, f"mail {uuid}", content, created_at=created, valid_at=created, entity_uuids=mentions)


def fact(uuid: str, source: str = "ada", relation: str = "WORKS_FOR", target: str = "labs", **more: object) -> Fact:
    made = Fact(uuid, source, target, source.title(), relation, target.title(), valid_at=day(0), created_at=day(1))
    return replace(made, **more)  # type: ignore[arg-type]


def ended(uuid: str, by: str | None = None, at: datetime | None = None, **more: object) -> Fact:
    when = at or day(9)
    return fact(uuid, invalid_at=when, expired_at=when, ended_by=by, **more)


def mirror_of(*facts: Fact, episodes: Sequence[Episode] = ()) -> Mirror:
    mirror = Mirror()
    names = {end for f in facts for end in (f.source_uuid, f.target_uuid)}
    mirror.apply(GraphWrite(tuple(Entity(name, name.title()) for name in names), facts, tuple(episodes)))
    return mirror


def reasons(mirror: Mirror) -> dict[str, tuple[Suspicion, ...]]:
    return {one.fact.uuid: one.reasons for one in retirements.suspicious_retirements(mirror, 50).items}


def test_a_successor_of_the_same_subject_and_relation_is_no_reason_to_look() -> None:
    mirror = mirror_of(ended("old", "new"), fact("new", target="engines", valid_at=day(9)))
    assert reasons(mirror) == {}
    (group,) = retirements.retired_together(mirror, 5)[0].items
    assert (group.source.kind, group.source.uuid, group.total) == ("fact", "new", 1)


def test_a_fact_about_another_subject_or_of_another_relation_is() -> None:
    mirror = mirror_of(ended("a", "b"), fact("b", source="bob"), ended("c", "d"), fact("d", relation="LIKES"))
    assert reasons(mirror) == {"a": ("subject",), "c": ("relation",)}
    (first, _) = sorted(retirements.suspicious_retirements(mirror, 5).items, key=lambda one: one.fact.uuid)
    assert (first.cause.kind, first.cause.uuid, first.cause.text) == ("fact", "b", "Bob works for Labs")


@pytest.mark.parametrize(
    ("told", "suspicious"),
    [
        (episode("m", "It is about cake."), True),
        (episode("m", "ADA has left."), False),
        (episode("m", "She has left.", "ada"), False),
    ],
)
def test_a_source_that_does_not_name_the_subject_is(told: Episode, suspicious: bool) -> None:
    mirror = mirror_of(ended("a", "m"), episodes=[told])
    assert reasons(mirror) == ({"a": ("silent",)} if suspicious else {})


@pytest.mark.parametrize(("told", "suspicious"), [("The EU has moved.", False), ("Neutral ground.", True)])
def test_a_name_of_two_letters_is_looked_for_as_a_word(told: str, suspicious: bool) -> None:
    gone = replace(ended("a", "m"), source_uuid="eu", source="EU")
    mirror = mirror_of(gone, episodes=[episode("m", told)])
    assert reasons(mirror) == ({"a": ("silent",)} if suspicious else {})


def test_many_at_one_instant_by_one_source_are() -> None:
    said = episode("m", "Ada, and others.", "ada")
    few = [ended(f"f{n}", "m", target=f"t{n}") for n in range(retirements.MANY - 1)]
    assert reasons(mirror_of(*few, episodes=[said])) == {}
    mirror = mirror_of(*few, ended("one more", "m", target="t9"), episodes=[said])
    assert set(reasons(mirror).values()) == {("many",)}
    groups, total = retirements.retired_together(mirror, 5)
    assert ([group.total for group in groups.items], total) == ([5], 5)
    assert groups.items[0].source.text == "mail m"


def test_an_end_before_the_start_is() -> None:
    mirror = mirror_of(fact("a", invalid_at=day(-5), expired_at=day(9)))
    assert reasons(mirror) == {"a": ("backwards",)}


def test_where_nobody_wrote_it_down_the_source_that_came_in_just_before_is_taken() -> None:
    """As Graphiti leaves it: the fact is ended in place, a moment after the episode was recorded."""
    mail = episode("m", "It is about cake.", created=day(9))
    late = day(9) + timedelta(seconds=20)
    mirror = mirror_of(ended("a", at=late, episodes=("first",)), episodes=[episode("first", "Ada", "ada"), mail])
    (one,) = retirements.suspicious_retirements(mirror, 5).items
    assert (one.reasons, one.cause.uuid, one.cause.inferred) == (("silent",), "m", True)
    (group,) = retirements.retired_together(mirror, 5)[0].items
    assert group.source.inferred


def test_what_arrived_ended_was_not_retired() -> None:
    arrived = ended("a", at=day(1))
    told = ended("b", at=day(9) + timedelta(seconds=20), episodes=("m",))
    mirror = mirror_of(arrived, told, episodes=[episode("m", "cake", created=day(9))])
    assert retirements.retired_together(mirror, 5) == (retirements.FindingPage(), 0)


def test_what_was_said_anew_is_no_longer_listed() -> None:
    mirror = mirror_of(ended("a"), fact("again", created_at=day(20)))
    assert retirements.retired_together(mirror, 5)[1] == 0


def test_a_correction_is_the_cause_of_what_it_replaced() -> None:
    wrong = fact("a", withdrawn_at=day(9), expired_at=day(9))
    mirror = mirror_of(wrong, fact("b", target="engines", created_at=day(9)))
    (group,) = retirements.retired_together(mirror, 5)[0].items
    assert (group.source.uuid, group.source.inferred) == ("b", True)
    assert reasons(mirror) == {}


def test_what_was_dismissed_is_left_out_and_counted_out() -> None:
    mirror = mirror_of(ended("a", "b"), fact("b", source="bob"), ended("c", "b", target="acme"))
    assert retirements.suspicious_retirements(mirror, 1).total == 2
    found = retirements.suspicious_retirements(mirror, 5, ("a",))
    assert ([one.key for one in found.items], found.total) == (["c"], 1)


def test_the_newest_come_first_and_the_limit_cuts_what_is_shown_only() -> None:
    mirror = mirror_of(*(ended(f"f{n}", at=day(n), target=f"t{n}") for n in range(2, 9)))
    groups, total = retirements.retired_together(mirror, 3)
    assert [group.at for group in groups.items] == [day(8), day(7), day(6)]
    assert (groups.total, total) == (7, 7)
