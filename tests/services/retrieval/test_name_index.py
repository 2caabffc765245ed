"""What passages are about, and where others mention it."""

import pytest

from services.retrieval.name_index import MOST_DEFINING, NameIndex, names_of


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"Changed It" is a song.', ["Changed It"]),
        ("Edwin L. Marin (1899–1951) was a director.", ["Edwin L. Marin", "Edwin Marin", "L. Marin"]),
        ("45 Fathers is a film of 1937.", ["45 Fathers"]),
        ('Gian-Carla "Gia" Coppola (born January 1, 1987) is a director.', ["Gian-Carla Coppola", "Gia Coppola"]),
        (
            "Onika Maraj (born December 8, 1982), known professionally as Nicki Minaj, is a rapper.",
            ["Onika Maraj", "Nicki Minaj"],
        ),
        ("it is not known who wrote this", []),
    ],
)
def test_without_a_title_the_first_sentence_tells_what_a_passage_is_about(text, names):
    assert names_of("", text) == names


def test_a_title_is_the_name_without_what_stands_in_brackets():
    assert names_of("John Ince (actor)", "John Ince, also known as John E. Ince, was an actor.") == ["John Ince"]


def test_the_longest_name_at_a_place_is_mentioned_and_none_over_another():
    index = NameIndex.of([["New York"], ["New York Times"], ["Times"]])
    assert list(index.mentioned("She wrote for the New York Times.")) == [("New", "york", "times")]


def test_a_name_that_is_an_everyday_word_in_small_letters_is_not_mentioned():
    index = NameIndex.of([["May"], ["Heart"]])
    assert list(index.mentioned("it may break your heart")) == []
    assert list(index.mentioned("Heart played in May.")) == [("Heart",), ("May",)]


def test_a_name_that_many_passages_are_about_tells_nothing():
    index = NameIndex.of([["John"]] * (MOST_DEFINING + 1) + [["Ada Lovelace"]])
    assert list(index.mentioned("John met Ada Lovelace.")) == [("Ada", "lovelace")]


def test_a_question_without_capitals_still_asks_for_names_that_are_no_everyday_words():
    index = NameIndex.of([["Ada Lovelace"], ["Heartbreakers"], ["Zoo"]])
    asked = index.asked_for("did ada lovelace see the heartbreakers in a zoo")
    assert asked == {("Ada", "lovelace"), ("Heartbreakers",)}
