"""Quotations: the words of a passage, taken out of the sentence that quotes them."""

import pytest

from services.core.models import Chunk
from services.core.quotations import place_of, quotation, quoted_words


@pytest.mark.parametrize("text", ["Plain words.", "He wrote “Foo” (1999) and left."])
@pytest.mark.parametrize("title", ["PEP 8", "Notes (old)", "A, lines 3"])
def test_the_words_of_a_quotation_are_those_of_the_passage(text: str, title: str) -> None:
    chunk = Chunk("c", "d", "", 0, text, start_line=3, end_line=3)
    sentence = quotation(chunk, title, 0, len(text))
    assert quoted_words(sentence) == text
    assert place_of(sentence, text) == (0, len(text))
