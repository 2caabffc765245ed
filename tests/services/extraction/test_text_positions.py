"""Where in a text a fact stands, and the passages that a long one is read in."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from services.extraction.text_positions import LONGEST_PASSAGE, Sentences, passages


def test_a_short_text_is_one_passage_and_an_empty_one_none() -> None:
    assert passages("Ada works.") == [(0, 10)]
    assert passages(" \n") == []


@given(st.lists(st.text(alphabet="ab .\n#-", min_size=0, max_size=900), max_size=40))
def test_passages_hold_every_word_once_in_order_and_none_is_too_long(parts: list[str]) -> None:
    text = "Ada works. ".join(parts)
    spans = passages(text)
    assert all(end - start <= LONGEST_PASSAGE for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    held = "".join(text[slice(*span)] for span in spans)
    assert "".join(held.split()) == "".join(text.split())


def test_a_word_without_end_is_cut() -> None:
    assert max(end - start for start, end in passages("a" * 20_000)) <= LONGEST_PASSAGE


def test_the_sentence_that_shares_most_words_says_it() -> None:
    text = "Ada met Bob. Ada left ACME in 2015.\nACME was sold. Ada left ACME in 2015."
    start, end = Sentences(text, (0, len(text))).saying("Ada Lovelace left ACME in 2015.", "Ada Lovelace", "ACME")
    assert (start, text[start:end]) == (13, "Ada left ACME in 2015.")
    start, end = Sentences(text, (35, len(text))).saying("Ada left ACME in 2015.", "Ada", "ACME")
    assert start > 35
    assert text[start:end] == "Ada left ACME in 2015."


def test_where_no_word_is_shared_there_is_no_place() -> None:
    assert Sentences("It rained.", (0, 10)).saying("Ada works for ACME.", "Ada", "ACME") == (0, 0)
    assert Sentences("", (0, 0)).saying("Ada works for ACME.") == (0, 0)
