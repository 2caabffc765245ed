"""What pages ask the mirror for, on one small history of two proposals."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from services.core.errors import MirrorUnavailable
from services.core.models import (
    Cause,
    Counts,
    Entity,
    Fact,
    GraphWrite,
    Instants,
    NameCount,
    SeriesPoint,
)
from services.mirror.mirror import Mirror
from tests.services.mirror.small_history import (
    ENTITIES,
    EPISODES,
    FACTS,
    IS_FINAL,
    NOW,
    OTHER,
    WAS_DRAFT,
    WRONG,
    history,
    year,
)

__all__ = ["history"]


def test_a_new_mirror_is_empty_and_answers() -> None:
    empty = Mirror()
    assert (empty.version, empty.synced_at, empty.bounds()) == (0, None, None)
    assert empty.counts() == Counts(0, 0, 0)
    assert empty.totals(NOW).true == 0
    assert [p.count for p in empty.true_over_time([year(2000), year(2001)], year(2020))] == [0, 0]
    assert empty.diff(NOW, NOW).changes == empty.latest_changes(NOW) == empty.busiest(NOW) == ()
    assert empty.overview(year(2020)).entities == empty.find_entities("a") == empty.types() == ()
    assert empty.neighbourhood("p1", year(2020), hops=2, limit=10).total_entities == 0
    assert empty.shortest_path("p1", "p2", NOW) is None
    empty.close()


def test_the_latest_changes_come_newest_first_each_with_its_cause(history: Mirror) -> None:
    found = [(c.kind, c.fact.uuid, c.at, c.cause) for c in history.latest_changes(NOW)]
    assert found == [
        ("corrected", "right", year(2010), Cause("episode", "Subject: a mail", "mail")),
        ("ended", "was draft", year(2005), Cause("fact", "Replaced by Final", "is final", inferred=True)),
        ("added", "is final", year(2005), Cause("episode", "Status header", "header")),
        ("added", "other", year(2003), Cause("record", "Recorded on 2003-01-01")),
        ("added", "was draft", year(2001), Cause("episode", "Subject: a mail", "mail")),
        ("added", "right", year(2001), Cause("episode", "Subject: a mail", "mail")),
    ]
    assert [c.fact.uuid for c in history.latest_changes(NOW, limit=2)] == ["right", "was draft"]
    assert {c.fact.uuid for c in history.latest_changes(NOW, entity_uuid="p2")} == {"other"}
    before = history.latest_changes(Instants(year(2004), year(2004)))
    assert [c.fact.uuid for c in before] == ["other", "was draft", "wrong"]


@pytest.mark.parametrize(
    ("ended_by", "cause"),
    [
        ("other", Cause("fact", "PEP 12 AUTHOR Ánn Réal", "other")),
        ("header", Cause("episode", "Status header", "header")),
        ("nowhere", Cause("fact", "Replaced by Final", "is final", inferred=True)),
    ],
)
def test_a_cause_that_was_written_down_comes_before_one_that_is_inferred(
    mirror: Mirror, ended_by: str, cause: Cause
) -> None:
    ended = replace(WAS_DRAFT, ended_by=ended_by)
    mirror.replace_all([ENTITIES], [(ended, IS_FINAL, OTHER)], [EPISODES])
    changes = mirror.diff(Instants(year(2004), year(2020)), NOW, entity_uuids=["draft"]).changes
    assert [(c.kind, c.cause) for c in changes] == [("ended", cause)]


def test_an_end_without_a_successor_is_told_by_its_record(mirror: Mirror) -> None:
    mirror.replace_all([ENTITIES], [(WAS_DRAFT,)], [EPISODES])
    (change,) = mirror.diff(Instants(year(2004), year(2004)), NOW).changes
    assert change.cause == Cause("record", "End recorded on 2005-01-01")


def test_a_withdrawal_without_a_better_record_has_no_after(mirror: Mirror) -> None:
    mirror.replace_all([ENTITIES], [(WRONG,)], [EPISODES])
    (change,) = mirror.diff(Instants(year(2004), year(2004)), NOW).changes
    assert (change.kind, change.after, change.cause) == ("corrected", None, Cause("record", "Withdrawn on 2010-01-01"))


def test_the_busiest_entities_are_those_whose_own_facts_changed_most(history: Mirror) -> None:
    assert [(b.entity.uuid, b.count) for b in history.busiest(NOW)] == [("p1", 4), ("p2", 1)]


def test_counts_over_time_fall_into_groups(history: Mirror) -> None:
    by_target = history.true_over_time([year(2002), year(2006)], year(2020), relation="STATUS", by="target")
    assert by_target == (
        SeriesPoint(year(2002), "Draft", 1),
        SeriesPoint(year(2006), "Draft", 0),
        SeriesPoint(year(2002), "Final", 0),
        SeriesPoint(year(2006), "Final", 1),
    )


def test_true_facts_are_the_newest_first_and_say_how_many_there_are(history: Mirror) -> None:
    page = history.facts_true(NOW, limit=2)
    assert [f.uuid for f in page.facts] == ["is final", "other"]
    assert (page.total, page.undated) == (3, 1)
    assert history.facts_true(NOW, entity_uuid="bob").undated == 1
    assert [f.uuid for f in history.facts_true(NOW, entity_uuid="p1", relation="STATUS").facts] == ["is final"]
    assert history.facts_true(NOW, relation="AUTHOR").total == 2


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("final", ["Final", "Bob Final"]),
        ("pep 1", ["PEP 1", "PEP 12"]),
        ("ann re", ["Ánn Réal"]),
        ("REAL", ["Ánn Réal"]),
        ("inal", ["Bob Final", "Final"]),
        ("' OR 1=1 --", []),
        ("%", []),
    ],
)
def test_a_type_ahead_finds_names_whatever_case_and_accents_are_typed(
    history: Mirror, typed: str, found: list[str]
) -> None:
    assert [entity.name for entity in history.find_entities(typed)] == found


def test_types_and_relations_are_counted(history: Mirror) -> None:
    assert history.types() == (
        NameCount("", 2),
        NameCount("Proposal", 2),
        NameCount("Status", 2),
        NameCount("Author", 1),
        NameCount("Person", 1),
    )
    assert history.relations() == (NameCount("AUTHOR", 3), NameCount("STATUS", 2), NameCount("DELEGATE", 1))


def test_records_are_found_by_uuid_and_by_name(history: Mirror) -> None:
    assert history.entities(["final", "nobody", "p1", "final"]) == (ENTITIES[3], ENTITIES[0])
    assert history.facts(["wrong", "nothing"]) == (WRONG,)
    assert history.episodes(["header", "mail"]) == (EPISODES[1], EPISODES[0])
    assert history.episode_names(["header", "nothing", "mail", "header"]) == {"header": "Status header", "mail": ""}
    assert history.episode_names([]) == {}
    assert history.entities_named("pep 1") == history.entities_named("PEP 1") == (ENTITIES[0],)
    assert history.entities_named("PEP") == ()


def test_what_is_there_already_does_not_grow_the_version(history: Mirror) -> None:
    before = history.version
    history.apply(GraphWrite(tuple(ENTITIES), FACTS, EPISODES))
    assert history.version == before
    history.apply(GraphWrite(facts=(replace(OTHER, text="said better"),)))
    assert history.version > before
    assert history.counts() == Counts(7, 6, 2)


def test_an_entity_goes_with_its_facts_and_mentions(history: Mirror) -> None:
    history.apply(GraphWrite(), gone_entities=["final"])
    assert history.facts(["is final"]) == ()
    assert history.episodes(["header"]) == (replace(EPISODES[1], entity_uuids=("p1",)),)


def test_the_latest_changes_are_the_first_of_a_longer_list_also_where_instants_tie(mirror: Mirror) -> None:
    names = ["d", "b", "c", "a"]
    entities = tuple(Entity(name, name) for name in (*names, "x"))
    tied = tuple(Fact(f"f-{n}", n, "x", n, "R", "x", valid_at=year(2015), created_at=year(2015)) for n in names)
    mirror.replace_all([entities], [tied], [])
    at = Instants(year(2020), year(2020))
    longer = mirror.latest_changes(at, limit=4)
    assert mirror.latest_changes(at, limit=2) == longer[:2]
    assert [change.fact.source for change in longer] == sorted(names)


def test_a_mirror_is_closed_once_its_readers_are_done_and_then_refuses(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "m.duckdb")
    reading, closed = threading.Event(), threading.Event()

    def close() -> None:
        reading.wait()
        mirror.close()
        closed.set()

    closing = threading.Thread(target=close)
    closing.start()
    with mirror._database.read() as cursor:
        reading.set()
        assert not closed.wait(0.05)
        assert cursor.execute("SELECT count(*) FROM facts").fetchone() == (0,)
    assert closed.wait(10)
    closing.join()
    with pytest.raises(MirrorUnavailable):
        mirror.counts()
