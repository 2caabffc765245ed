"""Words and names of a text."""

from services.retrieval.tokens import capitalised_names, stems, tokens


def test_words_match_by_their_stems_and_stop_words_do_not_count():
    assert stems("What were the running dogs of Paris?") == stems("run dog PARIS")


def test_a_possessive_is_the_same_word():
    assert tokens("Ada's letter to Blind Man'S Bluff") == ["Ada", "letter", "to", "Blind", "Man", "Bluff"]


def test_names_are_runs_of_capitalised_words():
    assert list(capitalised_names(["The Bank of England met Joan van Dyke.", "In Paris nobody came."])) == [
        "bank of england",
        "joan van dyke",
        "paris",
    ]
