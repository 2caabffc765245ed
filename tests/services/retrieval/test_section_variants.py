"""Which headings name a part of documents."""

import pytest

from services.retrieval.section_variants import is_on, parts_asked

EDUCATION, SKILL = parts_asked("education"), parts_asked("python skills")


@pytest.mark.parametrize(
    "heading",
    ["Education", "2. Education", "Academic background", "Studies", "Degrees and awards", "Education in Leeds",
     "Ada Lovelace's studies", "Training & Education", "My studies", "Education (1990–1994)"],
)  # fmt: skip
def test_headings_of_the_same_part_are_taken(heading):
    assert is_on(heading, EDUCATION)


@pytest.mark.parametrize("heading", ["Case studies", "History of schools", "Skills", "Lovelace", ""])
def test_headings_of_something_else_are_not(heading):
    assert not is_on(heading, EDUCATION)


def test_a_part_is_asked_for_by_any_of_its_names():
    assert parts_asked("work history") == {"experience"}
    assert is_on("Technical Expertise", SKILL)
