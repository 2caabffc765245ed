"""Words, sentences and names of a text."""

import pytest

from services.retrieval.words import capitalised_names, sentences, stems, tokens


def test_words_match_by_their_stems_and_stop_words_do_not_count():
    assert stems("What were the running dogs of Paris?") == stems("run dog PARIS")


def test_a_possessive_is_the_same_word():
    assert tokens("Ada's letter to Blind Man'S Bluff") == ["Ada", "letter", "to", "Blind", "Man", "Bluff"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It was directed by R. G. Springsteen. He was born in Tacoma.", 2),
        ("Dr. Watson met Mr. Holmes. They moved to St. Albans!", 2),
        ("Version 3.5 was released. Then came 3.6.", 2),
        ("", 1),
    ],
)
def test_a_sentence_ends_at_a_full_stop_but_not_at_an_initial_or_a_title(text, count):
    assert len(sentences(text)) == count


def test_names_are_runs_of_capitalised_words():
    assert list(capitalised_names("The Bank of England met Joan van Dyke. In Paris nobody came.")) == [
        "bank of england",
        "joan van dyke",
        "paris",
    ]
