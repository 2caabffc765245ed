"""Entities that may be one: which pairs are found, why, and which are left alone."""

from datetime import UTC, datetime

import numpy as np
import pytest

from services.core.health_records import SameEntity
from services.core.models import Entity, Fact, GraphWrite
from services.mirror.mirror import Mirror
from services.mirror.vectors import VectorModel
from services.retrieval.duplicates import same_entities
from services.retrieval.items import text_key

NOW = datetime(2024, 1, 1, tzinfo=UTC)


def mirror_of(*named: tuple[str, str], facts: tuple[tuple[str, str], ...] = ()) -> Mirror:
    """A mirror with entities of names and types, and facts between them by name."""
    mirror = Mirror()
    entities = tuple(Entity(f"{n} {name}", name, (type_,) if type_ else ()) for n, (name, type_) in enumerate(named))
    uuids = {entity.name: entity.uuid for entity in entities}
    made = tuple(
        Fact(f"f{n}", uuids[a], uuids[b], a, "KNOWS", b, valid_at=NOW, created_at=NOW) for n, (a, b) in enumerate(facts)
    )
    mirror.apply(GraphWrite(entities, made))
    return mirror


def pairs(mirror: Mirror) -> dict[frozenset[str], SameEntity]:
    return {frozenset((one.kept.name, one.gone.name)): one for one in same_entities(mirror, 50).items}


def the_pair(mirror: Mirror) -> SameEntity:
    (found,) = same_entities(mirror, 50).items
    return found


def test_the_same_name_and_type_is_the_surest() -> None:
    found = the_pair(mirror_of(("Ada", "Person"), ("Ada", "Person"), ("Bob", "Person")))
    assert (found.score, found.reasons) == (1.0, ("the same name",))


def test_the_same_name_of_different_types_is_told_with_both() -> None:
    found = the_pair(mirror_of(("Draft", "Status"), ("Draft", "Type")))
    assert found.reasons == ("the same name", "of different types: Status and Type")
    assert found.score < 0.9


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("ADA Lovelace", "Ada  Lovelace", "the same name except for case or spaces"),
        ("Acme, Inc.", "ACME Inc", "the same name except for case or punctuation"),
        ("Acme", "Acme GmbH", "the same name except for the legal form"),
        ("Marc-André Lemburg", "Marc Andre Lemburg", "the same name except for case or punctuation"),
        ("Covid-19", "Covid 19", "the same name except for case or punctuation"),
        ("5 %", "5%", "the same name except for case or punctuation"),
        ("−5 °C", "-5°C", "the same name except for case or punctuation"),
    ],
)
def test_another_spelling_is_found(one: str, other: str, reason: str) -> None:
    assert the_pair(mirror_of((one, "Company"), (other, ""))).reasons == (reason,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Python 3.5", "Python 35"),
        ("PEP 1", "PEP 11"),
        ("C", "C++"),
        ("C#", "C"),
        ("Acme", "Acne"),
        ("…", "!!"),
        ("-5", "5"),
        ("−5", "5"),
        ("$5", "-5"),
        ("5%", "5"),
        ("€5", "5%"),
        ("€5", "$5"),
        ("-$5", "$5"),
        ("5 €", "5"),
    ],
)
def test_another_name_is_no_duplicate(one: str, other: str) -> None:
    assert pairs(mirror_of((one, ""), (other, ""))) == {}


def test_another_spelling_of_another_type_is_no_duplicate() -> None:
    assert pairs(mirror_of(("Mercury", "Planet"), ("MERCURY.", "Company"))) == {}


def test_a_last_name_or_initials_need_a_neighbour_in_common() -> None:
    names = (("Ada Lovelace", "Person"), ("A. Lovelace", "Person"), ("Lovelace", ""), ("Labs", "Company"))
    assert pairs(mirror_of(*names)) == {}
    facts = (("Ada Lovelace", "Labs"), ("A. Lovelace", "Labs"))
    found = the_pair(mirror_of(*names, facts=facts))
    assert found.reasons == ("the same last name with matching initials", "a neighbour in common")
    with_last_name = pairs(mirror_of(*names, facts=(*facts, ("Lovelace", "Labs"))))
    assert frozenset(("Lovelace", "Ada Lovelace")) in with_last_name


def test_initials_that_do_not_fit_are_no_pair() -> None:
    names = (("Ada Smith", "Person"), ("Bob Smith", "Person"), ("Labs", "Company"))
    assert pairs(mirror_of(*names, facts=(("Ada Smith", "Labs"), ("Bob Smith", "Labs")))) == {}


def test_a_fact_between_the_two_speaks_against_a_weak_pair() -> None:
    names = (("Ada Smith", "Person"), ("A. Smith", "Person"), ("Labs", "Company"))
    facts = (("Ada Smith", "Labs"), ("A. Smith", "Labs"), ("Ada Smith", "A. Smith"))
    assert pairs(mirror_of(*names, facts=facts)) == {}


def test_most_words_in_common_count_where_the_vectors_are_close_too() -> None:
    mirror = mirror_of(("Bank of the North", "Company"), ("North Bank", "Company"))
    assert pairs(mirror) == {}
    vectors = np.array([[1, 0], [0.99, 0.14]], np.float32)
    mirror.vectors.add(VectorModel("m", 2), [text_key("Bank of the North"), text_key("North Bank")], vectors)
    assert the_pair(mirror).reasons == ("most words of the names are the same", "nearly the same meaning")


def test_other_numbers_are_other_things_however_close() -> None:
    mirror = mirror_of(("release plan 3 beta", ""), ("release plan 4 beta", ""))
    vectors = np.array([[1, 0], [1, 0]], np.float32)
    mirror.vectors.add(VectorModel("m", 2), [text_key("release plan 3 beta"), text_key("release plan 4 beta")], vectors)
    assert pairs(mirror) == {}


def test_a_number_with_another_sign_or_unit_is_another_thing_however_close() -> None:
    names = ("growth of 5%", "growth of 5")
    mirror = mirror_of(*((name, "") for name in names))
    mirror.vectors.add(VectorModel("m", 2), [text_key(name) for name in names], np.array([[1, 0], [1, 0]], np.float32))
    assert pairs(mirror) == {}


def test_the_one_in_more_facts_is_kept() -> None:
    found = the_pair(mirror_of(("Acme", ""), ("ACME", ""), ("Bob", ""), facts=(("ACME", "Bob"),)))
    assert (found.kept.name, found.gone.name) == ("ACME", "Acme")


def test_what_was_dismissed_is_left_out_and_the_limit_cuts_what_is_shown_only() -> None:
    mirror = mirror_of(("A1", ""), ("a1", ""), ("B1", ""), ("b1", ""))
    found = same_entities(mirror, 1)
    assert (len(found.items), found.total) == (1, 2)
    assert same_entities(mirror, 5, (found.items[0].key,)).total == 1


def test_a_crowd_of_one_name_gives_each_a_pair_and_no_explosion() -> None:
    found = same_entities(mirror_of(*[("Ada", "Person")] * 60), 5)
    assert found.total == 59
