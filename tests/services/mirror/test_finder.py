"""The finder knows an entity by its name, its title, a former name and its id."""

import pytest

from services.core.models import Entity, MergedEntity
from services.mirror.finder import find_named
from services.mirror.mirror import Mirror

TYPING = "Type Hints\n\nThis PEP introduces a standard syntax for annotations."
ENTITIES = [
    Entity("u-484", "PEP 484", ("PEP",), TYPING),
    Entity("u-483", "PEP 483", ("PEP",), "The Theory of Type Hints"),
    Entity("u-guido", "Guido van Rossum", ("Person",)),
    Entity("u-naoki", "Inada Naoki", ("Person",), "A core developer who wrote of type hints, once. " * 9),
]


@pytest.fixture
def named(mirror: Mirror) -> Mirror:
    mirror.replace_all([ENTITIES], [], [])
    mirror.hold_merged([MergedEntity("u-old", "Naoki INADA", ("Person",), "u-naoki")])
    return mirror


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("pep 48", ["PEP 483", "PEP 484"]),
        ("type hints", ["PEP 484", "PEP 483"]),
        ("  TYPE   hints ", ["PEP 484", "PEP 483"]),
        ("théory", ["PEP 483"]),
        ("rossum guido", ["Guido van Rossum"]),
        ("u-guido", ["Guido van Rossum"]),
        ("annotations", []),
        ("", []),
        ("%", []),
    ],
)
def test_names_titles_and_ids_find_entities_the_best_first(named: Mirror, typed: str, found: list[str]) -> None:
    assert [one.entity.name for one in find_named(named, typed)] == found


def test_a_former_name_or_id_finds_the_entity_and_is_said_beside_it(named: Mirror) -> None:
    (by_name,) = find_named(named, "naoki inada")[:1]
    assert (by_name.entity.name, by_name.former_name) == ("Inada Naoki", "Naoki INADA")
    (by_id,) = find_named(named, "U-OLD")
    assert (by_id.entity.name, by_id.id) == ("Inada Naoki", "u-old")


def test_no_more_than_asked_are_found(named: Mirror) -> None:
    assert len(find_named(named, "e", limit=2)) == 2
