"""What there is is found by their words, by what they mean, and by what they lead to."""

import numpy as np
import pytest

from services.retrieval.arrays import inside, under
from services.retrieval.embedder import LocalEmbedder
from services.retrieval.index import SearchIndex, Vectors
from services.retrieval.items import KINDS, Kind, SearchItem, chunk_item, entity_item, fact_item
from services.retrieval.lexical import Field, LexicalIndex
from services.retrieval.recipes import SIMILARITY, TUNED, WORDS

PASSAGES = [
    ("The Goose Woman is a silent film of 1925 directed by Clarence Brown.", "The Goose Woman"),
    ("Clarence Brown was born in Clinton, Massachusetts.", "Clarence Brown"),
    ("Clinton is a town in Worcester County.", "Clinton, Massachusetts"),
    ("The goose is a bird that lives near water.", "Goose"),
    ("Automobiles need petrol or electricity.", "Car"),
    ("A long list of films of the silent era and of who paid for them.", "Silent films"),
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


ENTITIES = [entity_item("e-ann", "Ann Lee", ["Person"], ""), entity_item("e-acme", "Acme", ["Company"], "A maker.")]
FACTS = [
    fact_item("f-works", "Ann Lee works at Acme.", "Ann Lee", "WORKS_AT", "Acme", ("e-ann", "e-acme")),
    fact_item("f-makes", "", "Acme", "madeThings", "anvils", ("e-acme", "e-gone")),
]


def chunks(passages=PASSAGES) -> list[SearchItem]:
    return [chunk_item(f"c{number}", text, title=title) for number, (text, title) in enumerate(passages)]


def embedded(embedder, items: list[SearchItem]) -> Vectors:
    return embedder.embed([item.embedded[-1] for item in items])


def index_of(embedder, chunks=(), entities=(), facts=()) -> SearchIndex:
    items: dict[Kind, list[SearchItem]] = {"chunk": list(chunks), "entity": list(entities), "fact": list(facts)}
    return SearchIndex.of(items, {kind: embedded(embedder, items[kind]) for kind in KINDS})


@pytest.fixture(scope="module")
def index(embedder) -> SearchIndex:
    return index_of(embedder, chunks(), ENTITIES, FACTS)


def ids(index, embedder, question, kind="chunk", recipe=TUNED, k=8, allowed=None) -> list[str]:
    found = index.search(question, embedder.embed_question, recipe, k=k, allowed=allowed)
    return [hit.id for hit in found[kind]]


def titles(index, embedder, question, recipe, k=8) -> list[str]:
    return [PASSAGES[int(id[1:])][1] for id in ids(index, embedder, question, recipe=recipe, k=k)]


def test_a_passage_is_found_by_its_words(index, embedder):
    assert titles(index, embedder, "goose near the water", WORDS)[0] == "Goose"


def test_a_passage_is_found_by_what_it_means(index, embedder):
    assert titles(index, embedder, "fuel for vehicles", SIMILARITY)[0] == "Car"


def test_a_passage_without_a_word_of_the_question_is_found_by_its_meaning(index, embedder):
    question = "Where was the director of The Goose Woman born?"
    assert set(titles(index, embedder, question, TUNED, 2)) == {"The Goose Woman", "Clarence Brown"}


def test_scores_are_between_nought_and_one_and_come_in_order(index, embedder):
    hits = index.search("silent film", embedder.embed_question)["chunk"]
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    parts = [p for h in hits for p in (h.score, h.keyword_score, h.vector_score, h.graph_score, h.coverage)]
    assert all(0 <= part <= 1.0001 for part in parts)


@pytest.mark.parametrize("question", ["", "???", "zzzz qqqq", "x" * 10_000])
def test_any_question_has_an_answer(index, embedder, question):
    assert len(titles(index, embedder, question, TUNED)) == len(PASSAGES)


def test_an_empty_index_finds_nothing(embedder):
    found = index_of(embedder).search("anything", embedder.embed_question)
    assert found == {kind: [] for kind in KINDS}


def test_a_question_that_names_an_entity_finds_its_facts_first(index, embedder):
    assert ids(index, embedder, "What is known of Ann Lee?", "fact") == ["f-works", "f-makes"]
    assert ids(index, embedder, "What is known of Ann Lee?", "entity")[0] == "e-ann"


def test_a_fact_without_a_text_is_found_by_its_names_and_its_relation_in_words(index, embedder):
    assert ids(index, embedder, "made things", "fact", WORDS)[0] == "f-makes"


def test_what_is_not_allowed_is_never_found_nor_walked_through(index, embedder):
    allowed = {"fact": np.array([False, True])}
    assert ids(index, embedder, "What is known of Ann Lee?", "fact", allowed=allowed) == ["f-makes"]
    nothing = {kind: np.zeros(len(index.ids[kind]), bool) for kind in KINDS}
    assert [ids(index, embedder, "Ann Lee", kind, allowed=nothing) for kind in KINDS] == [[], [], []]


def test_later_items_are_found_beside_the_index_by_words_and_by_what_they_mean(index, embedder):
    later = chunk_item("c-later", "Bicycles are ridden along the canal.")
    items = {"chunk": [later], "entity": [], "fact": []}
    both = index.with_later(items, {kind: embedded(embedder, items[kind]) for kind in KINDS})
    assert ids(both, embedder, "bicycles at the canal")[0] == "c-later"
    assert ids(both, embedder, "ways to go by bike", recipe=SIMILARITY)[0] == "c-later"
    assert both.ids["chunk"][-1] == "c-later"
    assert ids(index, embedder, "bicycles at the canal")[0] != "c-later"


def test_an_index_of_arrays_finds_the_same(index, embedder):
    again = SearchIndex.from_arrays(inside("x", under("x", index.to_arrays())))
    for question in ("Where was the director of The Goose Woman born?", "Ann Lee", "fuel for vehicles"):
        embed = embedder.embed_question
        assert again.search(question, embed) == index.search(question, embed)


def test_a_word_in_the_title_counts_more_than_one_in_the_text():
    index = LexicalIndex.of(
        [Field(["tea and milk", "coffee or milk"]), Field(["Breakfast", "Milk"], weight=2.0, b=0.3)]
    )
    first, second = index.scores("milk")
    assert second > first > 0


def test_the_same_text_has_the_same_vector_whatever_stands_beside_it(embedder):
    alone = embedder.embed(["a short text"])[0]
    among = embedder.embed(["another one " * 80, "a short text"])[1]
    assert np.array_equal(alone, among)
    assert abs(float(alone @ alone) - 1) < 1e-5
