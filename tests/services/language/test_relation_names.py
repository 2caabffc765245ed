"""A relation's name is split into the words that people write it with."""

import pytest

from services.language.relation_names import relation_words


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("HAS_STATUS", "has status"),
        ("hasStatus", "has status"),
        ("has status", "has status"),
        ("works-for", "works for"),
        ("born.in", "born in"),
        ("CEOOf", "ceo of"),
        ("HTTPServer", "http server"),
        ("PEP8Style", "pep8 style"),
        ("_", ""),
    ],
)
def test_a_relation_is_split_at_capitals_and_at_what_is_no_letter(relation: str, words: str) -> None:
    assert " ".join(relation_words(relation)) == words
