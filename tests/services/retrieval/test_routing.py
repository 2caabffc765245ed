"""Questions and the part of the documents that they ask for."""

import pytest

from services.retrieval.routing import route

SCOPED, ACROSS, SEMANTIC = "section_based_scoped", "section_based_cross_document", "semantic"


@pytest.mark.parametrize(
    ("question", "kind", "routing", "section"),
    [
        ("Alexis Skills section only", SCOPED, "hard", "skills"),
        ("Kevin's industry experience", SCOPED, "hard", "experience"),
        ("All Python skills", ACROSS, "hard", "python skills"),
        ("Tell me about AI", SEMANTIC, "soft", None),
        ("What projects did Sarah work on?", SCOPED, "hard", "projects"),
        ("Tell me about machine learning", SEMANTIC, "soft", None),
        ("What's Sarah's background?", SCOPED, "hard", "background"),
        ("technical skills summary", ACROSS, "hard", "technical skills"),
        ("who has which certifications", ACROSS, "hard", "certifications"),
    ],
)
def test_a_question_is_routed_by_name_and_attribute(question, kind, routing, section):
    found = route(question)
    assert (found.kind, found.routing, found.section_query) == (kind, routing, section)


def test_the_names_that_the_graph_knows_come_before_those_that_capitals_tell():
    found = route("all of PEP 484's Rationale and skills", lambda _: ("PEP 484",))
    assert (found.kind, found.names) == (SCOPED, ("PEP 484",))
    assert route("Show Ada Lovelace's education").names == ("Ada", "Lovelace")


def test_a_name_that_is_an_attribute_is_no_attribute():
    assert route("Where is Project Gutenberg?", lambda _: ("Project Gutenberg",)).kind == SEMANTIC


@pytest.mark.parametrize("question", ["", "?", "   "])
def test_a_question_without_words_is_semantic(question):
    assert route(question).kind == SEMANTIC
