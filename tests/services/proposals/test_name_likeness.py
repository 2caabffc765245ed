"""When a name in a text may be an entity's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.models import Entity, GraphWrite
from services.language.names import name_key
from services.mirror.mirror import Mirror
from services.mirror.name_candidates import entities_alike
from services.proposals.name_likeness import is_part, likeness

NEAR = [
    ("Lee", "Person", "Ann Lee", "Person", "a last name"),
    ("Ann Lee", "Person", "Lee", "Person", "a last name"),
    ("J. Smith", "Person", "John Smith", "Person", "the same last name with matching initials"),
    ("John Smith", "", "John R. Smith", "Person", "the same last name with matching initials"),
    ("WHO", "Organization", "World Health Organization", "Organization", "an acronym"),
    ("Bank of England", "", "BE", "", "an acronym"),
    ("Acme", "Organization", "Acme, Inc.", "Organization", "the same name except for the legal form"),
    ("Giudo van Rossum", "Person", "Guido van Rossum", "Person", "one letter apart"),
    ("Berlin", "Place", "Berlinn", "Place", "one letter apart"),
    ("Asof", "Product", "ASOF", "Project", "the same name, but of type Project"),
]
FAR = [
    ("Ann Smith", "Person", "Abe Smith", "Person"),
    ("PEP 484", "Document", "PEP 483", "Document"),
    ("Python 3.5", "Version", "Python 3.6", "Version"),
    ("Rome", "Place", "Rose", "Place"),
    ("Lee", "Organization", "Ann Lee", "Person"),
    ("University", "Organization", "Oxford University", "Organization"),
    ("who", "Person", "World Health Organization", "Organization"),
    ("Berlin", "Place", "Merlin", "Person"),
]


@pytest.mark.parametrize(("name", "kind", "other", "other_kind", "reason"), NEAR, ids=lambda value: str(value))
def test_a_name_near_an_entitys_is_offered_with_the_reason(name, kind, other, other_kind, reason):
    entity = Entity("e", other, (other_kind,) if other_kind else ())
    assert likeness(name, kind, entity) == reason


@pytest.mark.parametrize(("name", "kind", "other", "other_kind"), FAR, ids=lambda value: str(value))
def test_a_name_far_from_an_entitys_is_not(name, kind, other, other_kind):
    assert likeness(name, kind, Entity("e", other, (other_kind,))) == ""


@pytest.mark.parametrize(("name", "kind", "other", "other_kind", "reason"), NEAR, ids=lambda value: str(value))
def test_the_mirror_finds_every_near_name_among_others(name, kind, other, other_kind, reason):
    mirror = Mirror()
    mirror.apply(GraphWrite((*(Entity(f"e{n}", f"Stranger {n}") for n in range(50)), Entity("near", other))))
    assert [entity.uuid for entity in entities_alike(mirror, [name])] == ["near"]
    mirror.close()


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Turing", "Turing Labs"),
        ("turing labs", "The Turing-Labs and Turing Labs Company"),
        ("Ada", "Ada Lovelace"),
        ("Oxford University", "University of Oxford"),
    ],
)
def test_the_mirror_finds_longer_names_with_the_words_of_a_name(name, other):
    mirror = Mirror()
    others = [Entity(f"e{n}", f"Stranger {n}") for n in range(50)]
    mirror.apply(GraphWrite((*others, Entity("near", other), Entity("far", "Turingia Ltd"))))
    assert [entity.uuid for entity in entities_alike(mirror, [name])] == ["near"]
    assert is_part(name, Entity("near", other))
    mirror.close()


@pytest.mark.parametrize(
    ("name", "other"),
    [("the", "The Times"), ("Inc", "Acme Inc"), ("Tur", "Turing Labs"), ("Acme", "acme"), ("Acme Labs", "Acme")],
)
def test_a_name_without_telling_words_or_of_other_words_is_no_part(name, other):
    assert not is_part(name, Entity("e", other))


def test_longer_names_take_nobodys_place():
    mirror = Mirror()
    longer = [Entity(f"z{n}", f"Lee {n} Tower") for n in range(60)]
    mirror.apply(GraphWrite((*longer, *(Entity(f"p{n}", f"A{n} Lee") for n in range(60)))))
    found = [entity.uuid for entity in entities_alike(mirror, ["Lee"])]
    assert sum(uuid.startswith("p") for uuid in found) == 24
    assert sum(uuid.startswith("z") for uuid in found) == 6
    mirror.close()


def test_a_longer_name_is_found_beside_many_of_the_same_last_word():
    mirror = Mirror()
    names = {"Turing Labs", *(f"{first} Turing" for first in ("Alan", "Ethel", "Inagh", "John", "Julius", "Sara"))}
    mirror.apply(GraphWrite(tuple(Entity(name, name) for name in names)))
    assert {entity.name for entity in entities_alike(mirror, ["Turing"])} == names
    mirror.close()


def test_an_entity_of_the_same_name_is_found_however_many_share_its_last_word():
    mirror = Mirror()
    mirror.apply(GraphWrite((*(Entity(f"e{n}", f"A{n} Lee") for n in range(60)), Entity("same", "lee"))))
    assert "same" in {entity.uuid for entity in entities_alike(mirror, ["Lee"])}
    mirror.close()


def test_no_names_find_nothing():
    mirror = Mirror()
    assert entities_alike(mirror, ["", "  "]) == ()
    mirror.close()


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_takes_any_name(one, other):
    told = likeness(one, "", Entity("e", other))
    assert isinstance(told, str)
    if name_key(one) == name_key(other):
        assert told == ""
