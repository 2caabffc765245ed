"""What may want mending, asked of a mirror in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.core.health_records import Residue, ResidueKind
from services.core.models import (
    Chunk,
    Document,
    Entity,
    Episode,
    Fact,
    GraphWrite,
    Instants,
    StructuredDocument,
)
from services.mirror import health_queries
from services.mirror.mirror import Mirror

START = datetime(2024, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=100)


def day(n: int) -> datetime:
    return START + timedelta(days=n)


def fact(uuid: str, **more: object) -> Fact:
    made = Fact(uuid, "ada", "labs", "Ada", "WORKS_FOR", "Labs", valid_at=day(0), created_at=day(1), episodes=("e",))
    return replace(made, **more)  # type: ignore[arg-type]


TOLD = Episode("e", "a mail", "words", created_at=day(0), entity_uuids=("ada", "labs"))


def mirror_of(*facts: Fact, entities: Sequence[str] = (), episodes: Sequence[Episode] = (TOLD,)) -> Mirror:
    mirror = Mirror()
    names = {"ada", "labs", *entities}
    held = tuple(Entity(name, name.title(), created_at=day(0)) for name in sorted(names))
    mirror.apply(GraphWrite(held, facts, tuple(episodes)))
    return mirror


def found(mirror: Mirror, kind: ResidueKind) -> list[str]:
    return [one.key for one in health_queries.residues(mirror, kind, 50).items]


def test_a_sound_graph_has_nothing_to_mend() -> None:
    mirror = mirror_of(fact("a"), fact("b", relation="LIKES", invalid_at=day(5), expired_at=day(5), ended_by="a"))
    assert all(health_queries.residues(mirror, kind, 5).total == 0 for kind in health_queries._RESIDUES)
    assert health_queries.same_facts(mirror, 5).total == health_queries.orphans(mirror, 5).total == 0


def test_current_facts_with_the_same_ends_relation_and_dates_are_the_same_fact() -> None:
    twins = (fact("old"), fact("new", created_at=day(3), text="other words"))
    others = (
        fact("other day", valid_at=day(1)),
        fact("other end", invalid_at=day(9)),
        fact("gone", withdrawn_at=day(4), expired_at=day(4)),
        fact("undated", valid_at=None),
        fact("undated too", valid_at=None),
    )
    mirror = mirror_of(*twins, *others)
    same = health_queries.same_facts(mirror, 5)
    assert [[f.uuid for f in one.facts] for one in same.items] == [["old", "new"], ["undated", "undated too"]]
    assert health_queries.same_facts(mirror, 1, (same.items[0].key,)).total == 1


def test_an_entity_in_no_fact_and_no_source_is_an_orphan() -> None:
    mentioned = replace(TOLD, entity_uuids=("ada", "labs", "named"))
    mirror = mirror_of(fact("a"), entities=("alone", "named"), episodes=(mentioned,))
    orphans = health_queries.orphans(mirror, 5)
    assert ([entity.uuid for entity in orphans.items], orphans.total) == (["alone"], 1)
    assert health_queries.orphans(mirror, 5, ("alone",)).total == 0


def test_undated_facts_are_those_that_are_recorded_and_not_ended() -> None:
    gone = fact("gone", valid_at=None, withdrawn_at=day(2), expired_at=day(2))
    mirror = mirror_of(fact("u", valid_at=None), fact("v", valid_at=None, invalid_at=day(9)), gone, fact("dated"))
    undated = health_queries.undated_facts(mirror, Instants(NOW, NOW), 5)
    assert ([f.uuid for f in undated.items], undated.total) == (["u"], 1)


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("source", fact("x", episodes=("e", "lost"))),
        ("cause", fact("x", invalid_at=day(9), expired_at=day(9), ended_by="lost")),
        ("backwards", fact("x", invalid_at=day(0))),
        ("backwards", fact("x", expired_at=day(-3))),
    ],
)
def test_a_fact_that_refers_to_nothing_or_is_never_true_is_found(kind: ResidueKind, broken: Fact) -> None:
    mirror = mirror_of(broken, fact("sound"))
    assert found(mirror, kind) == ["x"]
    residue = health_queries.residues(mirror, kind, 5).items[0]
    assert residue == Residue(kind, "x", "Ada works for Labs", day(1))
    assert health_queries.residues(mirror, kind, 5, (residue.dismissal,)).total == 0


def test_a_withdrawn_fact_that_ends_before_it_begins_is_mended_already() -> None:
    assert found(mirror_of(fact("x", invalid_at=day(0), withdrawn_at=day(2), expired_at=day(2))), "backwards") == []


def test_a_source_that_does_not_mention_an_end_of_its_fact_is_found_once() -> None:
    mirror = mirror_of(fact("a"), fact("b", relation="LIKES"), episodes=(replace(TOLD, entity_uuids=("ada",)),))
    assert found(mirror, "mention") == ["e"]


def _document(id: str, episode: str, **more: object) -> Document:
    made = Document(id, id.title(), "hash", episode, created_at=day(0), updated_at=day(5))
    return replace(made, **more)  # type: ignore[arg-type]


def test_a_source_of_nothing_is_found_and_texts_of_documents_are_not() -> None:
    episodes = (
        TOLD,
        Episode("lone", "a note", "milk", created_at=day(1)),
        Episode("text", "Report", "text", created_at=day(5), source_description="text document"),
        Episode("earlier", "Report", "older", created_at=day(1), source_description="text document"),
        Episode("placed", "Plan", "older", created_at=day(1), source_description="docs/plan.md"),
        Episode("reason", "why", "because", created_at=day(1)),
    )
    ended = fact("b", relation="LIKES", invalid_at=day(9), expired_at=day(9), ended_by="reason")
    mirror = mirror_of(fact("a"), ended, episodes=episodes)
    mirror.put_documents(
        [
            StructuredDocument(_document("report", "text"), (), ()),
            StructuredDocument(_document("plan", "gone", path="docs/plan.md"), (), ()),
        ]
    )
    assert found(mirror, "episode") == ["lone"]
    assert found(mirror, "document") == ["plan"]


def test_a_passage_under_a_heading_that_is_not_there_is_found_by_its_document() -> None:
    mirror = mirror_of(fact("a"), episodes=(TOLD, Episode("t", "T", "text")))
    chunk = Chunk("c", "report", "lost", 0, "text", 1, 1)
    mirror.put_documents([StructuredDocument(_document("report", "t"), (), (chunk,))])
    assert found(mirror, "section") == ["report"]
