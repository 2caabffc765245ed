"""Questions for a part of somebody's document find that person's part and nobody else's."""

import pytest

from benchmarks.scoped import SETS, ScopedCase, cases, found_by_section, made_files
from services.core import clock
from services.core.models import SectionType
from services.documents.versions import NewDocument
from tests.services.retrieval.conftest import W, ingest

pytestmark = pytest.mark.slow

OF_PEOPLE = [case for name in SETS for case in cases(name) if case.owners]


@pytest.fixture
def people(services):
    ingest(services, *made_files())
    return services.workspace(W)


def test_the_part_of_the_person_is_found_and_of_nobody_else(people):
    wrong = [case.question for case in OF_PEOPLE if not case.is_right(found_by_section(people, case.question))]
    assert wrong == []


def test_the_part_of_somebody_unknown_is_not_found_among_others(people):
    asked = ("Harry Evans's education", "harry evans's education", "Ada Jones's education", "Dr. Bob's wines")
    assert [found_by_section(people, question) for question in asked] == [[], [], [], []]


def test_a_first_name_alone_finds_everybody_of_that_name(people):
    case = ScopedCase("Ada's education", "families.md", ("Ada Lovelace", "Ada Smith"), "Level")
    found = found_by_section(people, case.question)
    assert len(found) == 2
    assert all(map(case.is_owned, found))


def test_a_topic_has_to_be_mentioned_in_the_part_of_all_documents(people):
    found = found_by_section(people, "All Spanish languages")
    assert {hit.section.path.rpartition(" > ")[0].rpartition(": ")[2] for hit in found if hit.section} == {
        "José García Márquez",
        "Jose Garcia",
    }


@pytest.mark.parametrize("question", ["Wares of Bolt", "Skills of Bolt"])
def test_other_headings_of_a_type_of_section_are_found_too(services, question):
    part = question.partition(" ")[0]
    texts = {"Acme.md": part, "Bolt.md": "Soap and knots"}
    ingest(
        services,
        *(NewDocument(k, f"# {k[:-3]}\n\n## {h}\n\nSoap of Bolt.\n", path=k) for k, h in texts.items()),
    )
    workspace, mirror = services.workspace(W), services.mirrors.of(W)
    assert found_by_section(workspace, question) == []
    sections = tuple(section.id for section in mirror.section_rows() if section.name in texts.values())
    now = clock.now()
    mirror.hold_links([SectionType("section_type:x", part, "x", tuple(texts.values()), sections, (), now, now)], ())
    assert [hit.section.name for hit in found_by_section(workspace, question) if hit.section] == ["Soap and knots"]
