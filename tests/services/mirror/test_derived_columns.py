"""What follows from a mirror's records is the same whether it is worked out for a batch or for everything."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.models import Entity, Fact, GraphWrite
from services.mirror import derived_columns
from services.mirror.mirror import Mirror
from tests.services.mirror.graphs import ENTITIES, facts

Followed = tuple[list[tuple[object, ...]], list[tuple[object, ...]]]

batches = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(ENTITIES), st.sampled_from(["", " II"])), max_size=2),
        st.lists(st.integers(0, 5).flatmap(facts), max_size=3, unique_by=lambda fact: fact.uuid),
        st.lists(st.sampled_from([entity.uuid for entity in ENTITIES]), max_size=1),
        st.lists(st.sampled_from([f"f{number}" for number in range(6)]), max_size=2, unique=True),
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    mirror = Mirror()
    yield mirror
    mirror.close()


def followed(mirror: Mirror) -> Followed:
    """The degrees, and the names in the facts."""
    degrees = mirror._rows("SELECT key, degree FROM degrees ORDER BY ALL")
    return degrees, mirror._rows("SELECT uuid, source, target FROM facts ORDER BY ALL")


def worked_out(mirror: Mirror) -> Followed:
    with mirror._database.write() as cursor:
        derived_columns.work_out_everything(cursor)
    return followed(mirror)


@pytest.mark.slow
@given(changes=batches, few=st.sampled_from([0, 3, 400]))
def test_a_batch_leaves_what_working_out_everything_would(
    mirror: Mirror, changes: list[tuple[list[tuple[Entity, str]], list[Fact], list[str], list[str]]], few: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derived_columns, "_FEW", few)
        mirror.replace_all([ENTITIES], [], [])
        for renamed, said, gone_entities, gone_facts in changes:
            entities = {entity.uuid: replace(entity, name=entity.name + more) for entity, more in renamed}
            batch = GraphWrite(tuple(entities.values()), tuple(said))
            mirror.apply(batch, gone_entities=gone_entities, gone_facts=gone_facts)
            assert followed(mirror) == worked_out(mirror)
