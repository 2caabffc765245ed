"""Which parts of passages are quoted, and in which order."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from services.retrieval.lexical import Statistics
from services.retrieval.passage_quotes import OPENING, FoundPassage, quotes

STATISTICS = Statistics(100, {"lantern": 20, "mast": 20, "green": 5, "harbour": 30}, (20.0,))


def all_alike(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.zeros(len(texts), np.float32)


def quoted(question: str, *passages: FoundPassage, most: int = 3) -> list[str]:
    return [one.passage_id for one in quotes(question, passages, STATISTICS, all_alike, most)]


def passage(id: str, text: str, place: int, score: float = 0.5) -> FoundPassage:
    return FoundPassage(id, text, "", "", place, score)


QUESTION = "which lantern hangs on the mast?"
LATE = [passage(f"late {n}", "The lantern on the mast hangs low there.", OPENING + n) for n in range(3)]


def test_the_last_quote_is_rather_of_where_a_document_opens() -> None:
    opening = passage("opening", "On the mast hangs a green one.", OPENING - 1)
    assert quoted(QUESTION, *LATE, opening) == ["late 0", "late 1", "opening"]


@pytest.mark.parametrize("place", [0, OPENING - 1, OPENING])
def test_a_single_quote_is_of_the_best_sentence_wherever_it_stands(place: int) -> None:
    opening = passage("opening", "On the mast hangs a green one.", place)
    assert quoted(QUESTION, *LATE, opening, most=1) == ["late 0"]


def test_of_equal_sentences_the_one_is_quoted_whose_passage_says_more_beside_it() -> None:
    filler = " ".join(["Gulls nest there, and nobody minds them."] * 20)
    poor = passage("poor", f"The lantern hangs low. {filler}", 9)
    rich = passage("rich", f"The lantern hangs low. {filler} Later the mast was felled.", 9)
    assert quoted(QUESTION, poor, rich, most=1) == ["rich"]
