"""Scores say how likely a hit is right, whatever else was found."""

from dataclasses import replace

import pytest

from services.core.models import Entity, Fact
from services.core.wording import NOTHING_FITS
from services.retrieval.calibration import FLOOR, calibrated
from services.retrieval.hits import Hit
from services.retrieval.query import Query
from tests.services.retrieval.conftest import W, write

NAMES = ("Sarah Kane", "Kurt Gödel", "PEP 484", "PEP 48", "Ann Lee")
HIT = Hit("entity", "e", "Ann Lee", 0.0, 1.0, 1.0, 0.9, 1.0, coverage=1.0)


@pytest.fixture
def people(services):
    entities = [Entity(name, name, ("Person",)) for name in NAMES]
    address = Entity("address", "https://example.org/old-engine", ())
    engine = Entity("engine", "R2", (), "An engine of brass.")
    facts = [
        Fact(f"f{end.uuid}", engine.uuid, end.uuid, "R2", relation, end.name, f"R2 {relation.lower()} {end.name}")
        for relation, end in (("REPLACES", entities[0]), ("HAS_RESOLUTION", address))
    ]
    write(services, *entities, address, engine, *facts)
    services.indexes.prepare(W)
    return services


def find(services, text, **asked):
    return services.workspace(W).search(Query(text, **asked))


def test_scores_never_rise_and_those_that_would_share_their_mean():
    unlikely = replace(HIT, vector_score=0.1, coverage=0.2, hybrid_score=0.1)
    likely, middle, last = (hit.score for hit in calibrated([HIT, unlikely, HIT], (), "hybrid"))
    assert likely > middle == last > calibrated([unlikely], (), "hybrid")[0].score


def test_a_hit_that_lacks_a_name_of_the_question_is_less_likely():
    with_name, without = (calibrated([HIT], names, "hybrid")[0].score for names in (("Ann Lee",), ("Bob Lee",)))
    assert with_name > without
    assert calibrated([HIT], ("bob lee",), "hybrid")[0].score == with_name


def test_the_only_hit_does_not_score_full_because_it_is_the_best(people):
    found = find(people, "Harry Kane")
    assert found.hits[0].score < 0.5
    assert found.hits[0].hybrid_score == 1.0


def test_what_is_on_nothing_that_is_there_is_said_to_fit_nothing(people):
    for mode in ("hybrid", "keyword", "vector"):
        found = find(people, "submarine volcanoes Etna", mode=mode)
        assert found.fits is not bool(found.hits)
        assert found.heading == (NOTHING_FITS if found.hits else "")
        assert all(hit.score < FLOOR for hit in found.hits)
    assert find(people, "Ann Lee").fits


@pytest.mark.parametrize(
    ("question", "name"),
    [("PEP 484", "PEP 484"), ("pep 48?", "PEP 48"), ("Goedel", "Kurt Gödel"), ("kurt godel", "Kurt Gödel")],
)
def test_an_exact_name_comes_first(people, question, name):
    first = find(people, question).hits[0]
    assert first.entity is not None
    assert (first.entity.name, first.coverage) == (name, 1.0)


def test_a_fact_of_the_relation_and_of_what_is_described_comes_first(people):
    first = find(people, "what replaces Sarah Kane").hits[0]
    assert first.fact is not None
    assert first.fact.relation == "REPLACES"


def test_web_addresses_come_last_unless_they_are_asked_for(people):
    hits = find(people, "old engine", kinds=("entity", "fact")).hits
    assert [hit.id for hit in hits].index("engine") < [hit.id for hit in hits].index("address")
    assert find(people, "https://example.org/old-engine", kinds=("entity",)).hits[0].id == "address"
    assert find(people, "resolution of R2", kinds=("fact",)).hits[0].id == "faddress"
