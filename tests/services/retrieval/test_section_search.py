"""From which cosine on a heading is taken for what was asked for: judged by hand, with the model that is installed."""

from services.retrieval.embedder import LocalEmbedder
from services.retrieval.section_search import SECTION_THRESHOLD

SAME = [
    ("skills", "Skills"),
    ("skills", "Technical Expertise"),
    ("skills", "Core Competencies"),
    ("skills", "Technical Skills"),
    ("experience", "Industry Experience"),
    ("experience", "Professional Background"),
    ("experience", "Work History"),
    ("experience", "Employment"),
    ("education", "Academic Background"),
    ("education", "Degrees"),
    ("background", "Professional Background"),
    ("projects", "Selected Projects"),
    ("projects", "Portfolio"),
    ("projects", "Side projects"),
    ("python skills", "Skills"),
    ("python skills", "Technical Expertise"),
    ("qualifications", "Certifications"),
    ("awards", "Honors"),
    ("languages", "Spoken languages"),
    ("summary", "Profile"),
    ("summary", "Abstract"),
    ("language", "Language"),
    ("reference implementation", "Reference Implementation"),
    ("reference", "References"),
    ("role", "Responsibilities"),
    ("position", "Employment"),
]
OTHER = [
    ("skills", "Education"),
    ("skills", "Experience"),
    ("skills", "References"),
    ("skills", "Languages"),
    ("skills", "Certifications"),
    ("skills", "Projects"),
    ("experience", "Education"),
    ("experience", "Skills"),
    ("experience", "Summary"),
    ("experience", "Contact"),
    ("education", "Training"),
    ("education", "Experience"),
    ("education", "Projects"),
    ("background", "About"),
    ("projects", "Publications"),
    ("projects", "Experience"),
    ("python skills", "Programming Languages"),
    ("python skills", "Education"),
    ("awards", "Publications"),
    ("languages", "Skills"),
    ("summary", "Education"),
    ("skills", "Rationale"),
    ("language", "Rationale"),
    ("language", "Specification"),
]


def taken(pairs: list[tuple[str, str]]) -> set[tuple[str, str]]:
    embed = LocalEmbedder().embed_question
    return {(asked, heading) for asked, heading in pairs if embed(asked) @ embed(heading) >= SECTION_THRESHOLD}


def test_the_threshold_takes_most_headings_that_say_the_same():
    assert len(taken(SAME)) == 15


def test_the_threshold_takes_one_heading_that_says_something_else():
    assert taken(OTHER) == {("education", "Training")}
