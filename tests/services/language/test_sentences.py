"""Where sentences end, in prose, in notes of a thought a line, and in lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.language.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    "text",
    [
        "It was directed by R. G. Springsteen in Tacoma.",
        "Dr. Watson met Mr. Holmes at St. Albans!",
        "A. M. Kuchling and B. A. Warsaw wrote it.",
        "Version 3.5 was released.",
        "I can see Mt. Fuji from here, cf. No. 5, e.g. at 5 p.m. on Sundays.",
        "I work for the U.S. Government in Virginia.",
        "He lived in Athens (c. 570 to d. 555 BC).",
        "Ole (1482? – 1554) left the method ``. next()`` alone.",
        'The group "Where are you? , who knows" left.',
        "1. The first item",
        "He said [...] that it ended, i.e. it went on etc. for long.",
        "it ends. but not here, in small letters",
    ],
)
def test_a_stop_within_a_sentence_does_not_end_it(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "It was directed by R. G. Springsteen.|He was born in Tacoma.",
        "Is it?|It is!|Yes.",
        "She joined Acme Inc.|The rest left.",
        "I live in the U.S.|How about you?",
        "It began in 1999.|12 people came.",
        "It began in version 3.|Then came 3.6.",
        'He said "Go."|"Why?"|Nobody knew.',
        "Vitamin C.|In Paris nobody came .|Macy left.",
        "これは文です。|次の文。",
    ],
)
def test_a_stop_before_another_sentence_ends_one(text: str) -> None:
    assert sentences(" ".join(text.split("|"))) == text.split("|")


def test_lines_of_notes_are_sentences_without_a_stop() -> None:
    text = "Name: Rosa Keller\nRole: head of sales\n- likes tea\n- works at Acme,\n  in Leeds\n\nTom left"
    assert [" ".join(one.split()) for one in sentences(text)] == [
        "Name: Rosa Keller",
        "Role: head of sales",
        "- likes tea",
        "- works at Acme, in Leeds",
        "Tom left",
    ]


def test_a_line_that_is_full_goes_on_in_the_next_one() -> None:
    wrapped = "The language was designed in the years after the war by the engineers\nRosa Keller and Tom Weber, whose"
    assert sentences(f"{wrapped} house stood there.") == [f"{wrapped} house stood there."]
    ended = "The language was designed in the years after the war by the engineers\nand Tom Weber\nRosa Keller left"
    assert sentences(ended)[1:] == ["Rosa Keller left"]


def test_the_sentences_of_a_part_have_their_places_in_the_whole() -> None:
    text = "One. Two is here.  Three."
    assert [text[slice(*span)] for span in sentence_spans(text, 5, len(text) - 1)] == ["Two is here.", "Three"]


@given(st.text("aB1. \n-?\"'([", max_size=80))
def test_the_sentences_of_a_text_are_all_of_it_but_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_text_without_an_end_is_cut_in_linear_time() -> None:
    for piece in (".", " ", '"', "a.\n   \n", "A line of text\n", ". "):
        assert "".join(sentences(piece * 20_000)).count("A") in (0, 20_000)
