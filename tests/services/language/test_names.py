"""Names are the same whatever their case, in any script, and exact ones come first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.language.names import of_name, same_name

SAME = [("straße", "STRASSE"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("i̇zmir", "İzmir"), ("ångström", "Ångström"), ("жук", "ЖУК")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_does_not_tell_names_apart_in_any_script(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Adam"), ("e", "é"), ("İ", "i"), ("", " ")])
def test_letters_and_accents_do(one: str, other: str) -> None:
    assert not same_name(one, other)


@given(
    st.lists(st.sampled_from(["Ada", "ada", "ADA", "Bob", "straße", "STRASSE"])), st.sampled_from(["ada", "strasse"])
)
def test_exact_names_hide_those_of_another_case(names: list[str], name: str) -> None:
    found = of_name(names, name, str)
    assert found == [n for n in names if n == name] or (name not in names and all(same_name(n, name) for n in found))
    assert len(found) == (names.count(name) or sum(same_name(n, name) for n in names))
