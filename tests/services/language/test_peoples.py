"""Lands and their peoples."""

import pytest

from services.language.peoples import words_of_land


@pytest.mark.parametrize(("word", "land"), [("maltese", "malta"), ("danes", "denmark"), ("wales", "wales")])
def test_a_people_has_the_words_of_its_land(word: str, land: str) -> None:
    assert words_of_land(word)[0] == land


def test_a_word_that_names_no_land_has_none() -> None:
    assert not words_of_land("table")
