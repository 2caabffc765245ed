"""Each database's Cypher fragment says what services/core/time_rule.py says, also where Graphiti indexed the dates."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.core import clock, time_rule
from services.core.models import Entity, Fact, Instants
from tests.contract.conftest import Graph

ANCHOR = datetime(2019, 12, 31, 23, 59, 59, tzinfo=UTC)
instants = st.builds(
    lambda days, micros: ANCHOR + timedelta(days=days, microseconds=micros),
    st.integers(-3, 3),
    st.sampled_from([0, 0, 1, 999_999, 1_000_000]),
)
ENDS = (Entity("u-a", "A"), Entity("u-b", "B"))
facts = st.builds(
    Fact,
    uuid=st.uuids().map(str),
    source_uuid=st.just("u-a"),
    target_uuid=st.just("u-b"),
    source=st.just("A"),
    relation=st.just("R"),
    target=st.just("B"),
    **{
        name: st.none() | instants
        for name in ("valid_at", "invalid_at", "created_at", "expired_at", "withdrawn_at", "believed_invalid_at")
    },
)
several = st.lists(facts, min_size=1, max_size=25)
clocks = st.lists(st.builds(Instants, instants, instants), min_size=1, max_size=4)
LENIENT = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

STOCK_INDEXES = (
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.created_at)",
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.expired_at)",
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.valid_at)",
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.invalid_at)",
)


def make_stock_indexes(graph: Graph) -> None:
    """Make graphiti's own indexes and return once the database uses them; it builds them in the background."""
    for statement in STOCK_INDEXES:
        graph.cypher(statement)
    while graph.cypher("CALL db.indexes() YIELD status WHERE status <> 'OPERATIONAL' RETURN status"):
        pass


def undated(graph: Graph, at: Instants) -> int:
    """How many facts the database's fragment calls undated."""
    db = graph.store._db  # type: ignore[attr-defined]
    text = f"MATCH ()-[e:RELATES_TO{db.scope('e', graph.workspace)}]->() WHERE {db.undated('e')} RETURN count(e)"
    return graph.cypher(text, as_of=db.date(at.as_of), known_at=db.date(at.known_at))[0][0]


def agrees(graph: Graph, held: list[Fact], asked: list[Instants]) -> None:
    graph.delete(facts=[f.uuid for f in graph.scan("scan_facts")])
    graph.write(*ENDS, *held)
    for at in asked:
        assert graph.ask("count_true", at) == sum(time_rule.true_at(f, at) for f in held)
        assert undated(graph, at) == sum(time_rule.undated(f, at) for f in held)


@settings(suppress_health_check=LENIENT)
@given(held=several, asked=clocks)
def test_the_embedded_database_counts_as_the_clock_does(
    embedded: Graph, held: list[Fact], asked: list[Instants]
) -> None:
    agrees(embedded, held, asked)


@settings(suppress_health_check=LENIENT)
@given(held=several, asked=clocks)
def test_the_embedded_database_counts_so_over_stock_indexes(
    embedded: Graph, held: list[Fact], asked: list[Instants]
) -> None:
    embedded.ask("clear")
    make_stock_indexes(embedded)
    agrees(embedded, held, asked)


@pytest.mark.slow
@settings(suppress_health_check=LENIENT)
@given(held=several, asked=clocks)
def test_every_database_counts_as_the_clock_does(database: Graph, held: list[Fact], asked: list[Instants]) -> None:
    agrees(database, held, asked)


def test_stock_indexes_make_a_plain_comparison_wrong_and_the_fragment_is_right(embedded: Graph) -> None:
    """The bug that the fragment works around; when this fails, FalkorDB has been cured."""
    held = [
        Fact(f"f-{i}", "u-a", "u-b", "A", "R", "B", valid_at=ANCHOR + timedelta(days=i), created_at=ANCHOR)
        for i in range(-20, 20)
    ]
    embedded.write(*ENDS, *held)
    make_stock_indexes(embedded)
    at = Instants(ANCHOR, ANCHOR + timedelta(days=99))
    plain = "MATCH ()-[e:RELATES_TO]->() WHERE e.valid_at <= $t RETURN count(e)"
    assert embedded.cypher(plain, t=clock.spell(at.as_of))[0][0] != 21
    assert embedded.ask("count_true", at) == 21
    assert [f.uuid for f in embedded.ask("changed_since", ANCHOR - timedelta(days=1), None).facts] != []
    assert embedded.ask("changed_since", ANCHOR, ANCHOR).facts == ()


def test_the_fragment_reads_dates_that_end_in_z(database: Graph) -> None:
    fact = Fact("f", "u-a", "u-b", "A", "R", "B", valid_at=ANCHOR, created_at=ANCHOR)
    database.write(*ENDS, replace(fact, invalid_at=ANCHOR + timedelta(days=1)))
    database.cypher("MATCH ()-[e:RELATES_TO]->() SET e.valid_at = $t, e.created_at = $t", t="2019-12-31T23:59:59Z")
    counted = [
        database.ask("count_true", Instants(ANCHOR + timedelta(seconds=s), ANCHOR + timedelta(days=9)))
        for s in (-1, 0, 1, 86_399, 86_400)
    ]
    assert counted == [0, 1, 1, 1, 0]
