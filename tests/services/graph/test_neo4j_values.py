"""Neo4j's own dates and vectors come back from JSON as they were, zone and all."""

import json

import pytest
from neo4j.time import DateTime
from neo4j.vector import Vector, VectorDType

from services.graph.neo4j_values import native, spelled

ZONED = (
    ("2020-07-01T10:00:00.123456789+02:00", "Europe/Berlin"),
    ("2020-01-01T10:00:00.123456789+01:00", "Europe/Berlin"),
    ("2020-10-25T02:30:00.000000001+02:00", "Europe/Berlin"),
    ("2020-10-25T02:30:00.000000001+01:00", "Europe/Berlin"),
    ("2020-07-01T13:30:00.000000000+05:30", "Asia/Kolkata"),
    ("2020-07-01T13:30:00.000000000+05:30", None),
)


@pytest.mark.parametrize(("told", "zone"), ZONED)
def test_a_date_keeps_its_zone_its_offset_and_its_nanoseconds(told: str, zone: str | None) -> None:
    held = {"datetime": [told, zone]}
    assert spelled(native(held)) == held


@pytest.mark.parametrize(("told", "zone"), ZONED)
def test_a_date_with_a_zone_can_be_hashed_and_compared_by_the_driver(told: str, zone: str | None) -> None:
    at = native({"datetime": [told, zone]})
    assert {hash(at) for _ in range(200)} == {hash(at)}
    assert at == DateTime.from_iso_format(told)


@pytest.mark.parametrize(("numbers", "kind"), [([0.1, -2.5], "f32"), ([1e300], "f64"), ([1, -2], "i8")])
def test_a_vector_comes_back_with_its_numbers_and_their_kind(numbers: list[float], kind: str) -> None:
    vector = Vector(numbers, VectorDType(kind))
    found = native(json.loads(json.dumps(spelled([vector]))))[0]
    assert (found.dtype, found.raw()) == (vector.dtype, vector.raw())
