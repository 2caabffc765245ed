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
    assert route("Show Ada Lovelace's education").names == ("Ada Lovelace",)


def test_a_name_that_is_an_attribute_is_no_attribute():
    assert route("Where is Project Gutenberg?", lambda _: ("Project Gutenberg",)).kind == SEMANTIC


@pytest.mark.parametrize("question", ["", "?", "   "])
def test_a_question_without_words_is_semantic(question):
    assert route(question).kind == SEMANTIC


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Dr. Ada K. Lovelace's education", ("Dr. Ada K. Lovelace",)),
        ("the education of Lovelace, Ada", ("Lovelace, Ada",)),
        ("Ada and Bob Lovelace's education", ("Ada", "Bob Lovelace")),
        ("James’ education", ("James",)),
        ("Seán O'Brien's education", ("Seán O'Brien",)),
        ("van der Berg's education", ("van der Berg",)),
        ("Will Smith's education", ("Will Smith",)),
        ("harry kane's education", ("harry kane",)),
        ("Ada Carter née Jones's education", ("Ada Carter née Jones",)),
        ("Which projects did Sarah do with Bob at Google?", ("Sarah",)),
        ("PEP 484's Education and Training", ("PEP 484",)),
    ],
)
def test_a_name_is_read_whole(question, names):
    assert (route(question).kind, route(question).names) == (SCOPED, names)


def test_a_known_first_name_is_read_with_the_last_name_that_follows():
    assert route("Ada Lovelace's education", lambda _: ("Ada",)).names == ("Ada Lovelace",)


@pytest.mark.parametrize("question", ["All Python skills", "Who has Python skills?", "every skill in Python"])
def test_a_known_name_that_qualifies_the_part_of_all_documents_is_a_topic(question):
    found = route(question, lambda _: ("Python",))
    assert (found.kind, found.names, found.topics) == (ACROSS, (), ("Python",))


def test_all_of_what_somebody_has_is_scoped():
    assert route("all of Kevin's Python skills").names == ("Kevin",)


def test_a_heading_of_a_named_document_is_a_part_of_it():
    def is_heading(names, heading):
        return (names, heading) == (("PEP 484",), "rationale")

    found = route("Rationale of PEP 484", lambda _: ("PEP 484",), is_heading)
    assert (found.kind, found.section_query) == (SCOPED, "rationale")
    assert route("The history of PEP 484", lambda _: ("PEP 484",), is_heading).kind == SEMANTIC


def test_another_name_of_a_part_is_one_where_somebody_is_named():
    assert route("Ada's work history").section_query == "work history"
    assert route("work history of mankind").kind == SEMANTIC
