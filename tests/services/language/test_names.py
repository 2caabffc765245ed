"""Names are the same whatever their case, in any script, and exact ones come first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.language.names import fold, mention_key, name_key, of_name, same_name, without_accents

SAME = [("straße", "STRASSE"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("i̇zmir", "İzmir"), ("ångström", "Ångström"), ("жук", "ЖУК")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_does_not_tell_names_apart_in_any_script(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Adam"), ("e", "é"), ("İ", "i"), ("", " ")])
def test_letters_and_accents_tell_names_apart(one: str, other: str) -> None:
    assert not same_name(one, other)


@given(
    st.lists(st.sampled_from(["Ada", "ada", "ADA", "Bob", "straße", "STRASSE"])), st.sampled_from(["ada", "strasse"])
)
def test_exact_names_hide_those_of_another_case(names: list[str], name: str) -> None:
    found = of_name(names, name, str)
    assert found == [n for n in names if n == name] or (name not in names and all(same_name(n, name) for n in found))
    assert len(found) == (names.count(name) or sum(same_name(n, name) for n in names))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Łódź’s", "lodz's"), ("Æthel Straße", "aethel STRASSE"), ("José", "jose"), ("İzmir", "izmir"), ("Ｎ−1", "n-1")],
)
def test_folding_leaves_out_case_accents_and_the_marks_of_print(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text(max_size=40))
def test_a_text_without_accents_has_its_letters_in_their_places(text: str) -> None:
    plain = without_accents(text)
    assert len(plain) == len(text)
    assert all(a == b for a, b in zip(text, plain, strict=True) if a.isascii() and a != "`")


def test_accents_keep_names_apart_that_are_written_without_a_question() -> None:
    assert name_key("J. R.  SMITH") == name_key("j r smith")
    assert name_key("José") != name_key("Jose")
    assert name_key("The Times") != name_key("Times")


def test_mentions_are_the_same_without_quotes_and_article() -> None:
    assert mention_key("“The  Times”") == mention_key("the times.") == mention_key("Times")
    assert mention_key("A. Smith") == "a smith"
    assert mention_key("") == mention_key(" “” ") == ""
