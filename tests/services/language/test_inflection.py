"""The forms of verbs and nouns."""

import pytest

from services.language.inflection import (
    base_of,
    is_past,
    participle_of,
    past_of,
    plural,
    possible_bases,
    stem,
    third_person,
    without_s,
)

VERBS = [
    ("be", "is", "was"),
    ("have", "has", "had"),
    ("go", "goes", "went"),
    ("write", "writes", "wrote"),
    ("rewrite", "rewrites", "rewrote"),
    ("co-write", "co-writes", "co-wrote"),
    ("oversee", "oversees", "oversaw"),
    ("understand", "understands", "understood"),
    ("withdraw", "withdraws", "withdrew"),
    ("put", "puts", "put"),
    ("read", "reads", "read"),
    ("prove", "proves", "proved"),
    ("live", "lives", "lived"),
    ("die", "dies", "died"),
    ("organize", "organizes", "organized"),
    ("carry", "carries", "carried"),
    ("play", "plays", "played"),
    ("teach", "teaches", "taught"),
    ("publish", "publishes", "published"),
    ("pass", "passes", "passed"),
    ("fix", "fixes", "fixed"),
    ("plan", "plans", "planned"),
    ("join", "joins", "joined"),
    ("prefer", "prefers", "preferred"),
    ("offer", "offers", "offered"),
    ("commit", "commits", "committed"),
    ("visit", "visits", "visited"),
    ("limit", "limits", "limited"),
    ("control", "controls", "controlled"),
    ("cancel", "cancels", "canceled"),
    ("cover", "covers", "covered"),
    ("relax", "relaxes", "relaxed"),
]


@pytest.mark.parametrize(("verb", "third", "past"), VERBS)
def test_a_verb_has_its_third_person_and_its_past(verb: str, third: str, past: str) -> None:
    assert (third_person(verb), past_of(verb), without_s(third)) == (third, past, verb)


@pytest.mark.parametrize(
    ("verb", "participle"),
    [("live", "lived"), ("teach", "taught"), ("rewrite", "rewritten"), ("bear", "borne"), ("overcome", "overcome")],
)
def test_a_verb_has_its_participle(verb: str, participle: str) -> None:
    assert participle_of(verb) == participle


@pytest.mark.parametrize(
    ("form", "verb"),
    [("wrote", "write"), ("written", "write"), ("rewritten", "rewrite"), ("misled", "mislead"), ("overran", "overrun")],
)
def test_an_irregular_form_is_read_back_with_its_prefix(form: str, verb: str) -> None:
    assert base_of(form) == verb


@pytest.mark.parametrize(
    "word", ["ground", "bound", "wound", "put", "comet", "present", "relay", "written-off", "works"]
)
def test_a_word_that_is_more_often_another_is_not_read_back(word: str) -> None:
    assert base_of(word) == word


def test_the_forms_of_a_verb_share_a_stem() -> None:
    for forms in ("write writes wrote written writing", "carry carries carried", "supply supplied supplies"):
        assert len({stem(form) for form in forms.split()}) == 1
    assert stem("Author's") == stem("authors") == "author"
    assert stem("found") == stem("find") != stem("founded")


def test_a_past_is_told_by_its_letters_or_by_being_irregular() -> None:
    pasts = {"supported", "wrote", "written", "born", "lay", "rewrote", "underwent", "fed", "beaten"}
    others = {"need", "hundred", "embed", "put", "read", "write", "was", "had", "present", "works"}
    assert {word for word in pasts | others if is_past(word)} == pasts


def test_the_verb_of_a_form_is_among_its_possible_bases() -> None:
    forms = {"carries": "carry", "uses": "use", "treated": "treat", "planning": "plan", "taught": "teach", "use": "use"}
    assert {form: verb for form, verb in forms.items() if verb in possible_bases(form)} == forms


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("city", "cities"),
        ("day", "days"),
        ("person", "people"),
        ("branch", "branches"),
        ("box", "boxes"),
        ("PEP", "PEPs"),
    ],
)
def test_a_noun_has_its_plural(noun: str, several: str) -> None:
    assert plural(noun) == several
