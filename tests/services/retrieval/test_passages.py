"""Passages are found by their words, by what they mean, and by what they lead to."""

import numpy as np
import pytest

from services.retrieval.embedder import LocalEmbedder
from services.retrieval.lexical import Field, LexicalIndex
from services.retrieval.passages import SIMILARITY, TUNED, WORDS, Passage, PassageIndex

PASSAGES = [
    Passage("The Goose Woman is a silent film of 1925 directed by Clarence Brown.", "The Goose Woman"),
    Passage("Clarence Brown was born in Clinton, Massachusetts.", "Clarence Brown"),
    Passage("Clinton is a town in Worcester County.", "Clinton, Massachusetts"),
    Passage("The goose is a bird that lives near water.", "Goose"),
    Passage("Automobiles need petrol or electricity.", "Car"),
    Passage("A long list of films of the silent era and of who paid for them.", "Silent films"),
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="module")
def index(embedder) -> PassageIndex:
    return PassageIndex(PASSAGES, embedder.embed([passage.text for passage in PASSAGES]))


def titles(index, embedder, question, recipe, k=8) -> list[str]:
    hits = index.search(question, embedder.embed_question(question), recipe, k)
    return [PASSAGES[hit.position].title for hit in hits]


def test_a_passage_is_found_by_its_words(index, embedder):
    assert titles(index, embedder, "goose near the water", WORDS)[0] == "Goose"


def test_a_passage_is_found_by_what_it_means(index, embedder):
    assert titles(index, embedder, "fuel for vehicles", SIMILARITY)[0] == "Car"


def test_a_passage_that_shares_no_word_with_the_question_is_found_by_what_it_is_about(index, embedder):
    question = "Where was the director of The Goose Woman born?"
    assert set(titles(index, embedder, question, TUNED, 2)) == {"The Goose Woman", "Clarence Brown"}


def test_scores_are_between_nought_and_one_and_come_in_order(index, embedder):
    hits = index.search("silent film", embedder.embed_question("silent film"), TUNED)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    parts = [p for h in hits for p in (h.score, h.keyword_score, h.vector_score, h.graph_score)]
    assert all(0 <= part <= 1.0001 for part in parts)


@pytest.mark.parametrize("question", ["", "???", "zzzz qqqq", "x" * 10_000])
def test_any_question_has_an_answer(index, embedder, question):
    assert len(titles(index, embedder, question, TUNED)) == len(PASSAGES)


def test_an_empty_index_finds_nothing(embedder):
    empty = PassageIndex([], embedder.embed([]))
    assert empty.search("anything", embedder.embed_question("anything")) == []


def test_a_word_in_the_title_counts_more_than_one_in_the_text():
    index = LexicalIndex([Field(["tea and milk", "coffee or milk"]), Field(["Breakfast", "Milk"], weight=2.0, b=0.3)])
    first, second = index.scores("milk")
    assert second > first > 0


def test_the_same_text_has_the_same_vector_whatever_stands_beside_it(embedder):
    alone = embedder.embed(["a short text"])[0]
    among = embedder.embed(["another one " * 80, "a short text"])[1]
    assert np.array_equal(alone, among)
    assert abs(float(alone @ alone) - 1) < 1e-5
