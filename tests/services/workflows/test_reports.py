"""A report is a document: a head with both clocks, sections, marked sentences, sources; exported as one file."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from services.core.answer_records import MARK_SIGNS, MARK_WORDS, Answer, Citation, Mark, Sentence
from services.core.models import Instants
from services.language.answer_sentences import split
from services.workflows import WorkflowReport, report_html, report_markdown
from services.workflows.reports import read_report
from services.workflows.step_context import renumbered
from tests.services.tools.conftest import day
from tests.services.workflows.conftest import Run

TEXT = """[After 3 review passes]
Ada left. [1]

## Work <b>

- Ada works for Labs. [2] She is happy.
- Bob is her friend. [7]

### ReporterAgent=brief
"""
MARKS = {
    "Ada left.": "contradicted",
    "Ada works for Labs.": "supported",
    "She is happy.": "uncited",
    "Bob is her friend.": "uncited",
}


@pytest.fixture
def report() -> WorkflowReport:
    sentences = tuple(
        Sentence(
            s.text,
            s.citations,
            MARKS.get(s.text),
            reason="[1]: she stayed." if "left" in s.text else "",
            start=s.start,
            end=s.end,
        )
        for s in split(TEXT)
    )
    cited = (Citation(1, "fact", "f1", quote="Ada <stayed>", title="A note"), Citation(2, "fact", "f2"))
    answer = Answer(TEXT, sentences, cited, Instants(day("2020-01-01"), day("2021-05-01").replace(hour=7)))
    return WorkflowReport("Ada & Co", "Report on <Ada>", answer, "rule-based")


def test_a_text_is_cut_into_sections_and_paragraphs(report: WorkflowReport) -> None:
    assert [(section.heading, section.level) for section in report.sections] == [
        ("", 1),
        ("Work <b>", 2),
        ("Reporter: brief", 2),
    ]
    texts = [[one.text for one in paragraph] for paragraph in report.sections[1].paragraphs]
    assert texts == [["Ada works for Labs.", "She is happy."], ["Bob is her friend."]]


def test_what_a_reporter_wrote_stands_below_the_reporter(report: WorkflowReport) -> None:
    text = "### ReporterAgent=news\n## Ada\n\n### 2020\n- Ada left.\n\n---\n\n### ReporterAgent=brief\nAda left."
    written = replace(report, answer=replace(report.answer, text=text, sentences=split(text)))
    assert [(section.heading, section.level) for section in written.sections] == [
        ("Reporter: news", 2),
        ("Ada", 3),
        ("2020", 4),
        ("Reporter: brief", 2),
    ]


def test_markdown_has_the_clocks_the_marks_and_the_sources(report: WorkflowReport) -> None:
    text = report_markdown(report)
    assert text.startswith(
        "# Ada & Co\n\nAs of 2020-01-01, known at 2021-05-01 07:00 UTC. Method: rule-based. "
        "Sentences: 1 supported, 2 no source, 1 contradicted.\n\nGoal: Report on <Ada>\n"
    )
    assert "Ada left. [1] ✕ contradicted: [1]: she stayed." in text
    assert "Ada works for Labs. [2] ✓ She is happy. ∅ no source" in text
    assert text.rstrip().endswith("1. “Ada <stayed>” in A note (fact f1)\n2. fact (fact f2)")


@pytest.mark.parametrize("mark", MARK_WORDS)
def test_a_report_shows_every_mark_that_a_sentence_can_have(report: WorkflowReport, mark: Mark) -> None:
    sentences = tuple(replace(one, mark=mark if one.mark else None) for one in report.answer.sentences)
    marked = replace(report, answer=replace(report.answer, sentences=sentences))
    for written in (report_markdown(marked), report_html(marked)):
        assert written.count(MARK_SIGNS[mark]) == len(MARKS)
        assert f"{len(MARKS)} {MARK_WORDS[mark]}" in written


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.words, self.links = list[str](), list[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_html_is_one_file_that_asks_no_host_and_runs_nothing(report: WorkflowReport) -> None:
    text = report_html(report)
    page = _Page(text)
    assert page.links == ["#source-1", "#source-2"], "what is not cited has no link"
    assert not {"script", "img", "link", "iframe", "b"} & set(page.tags)
    assert not re.search(r"https?://|url\(|@import", text)
    assert "default-src 'none'" in text
    assert "@media print" in text
    words = " ".join(page.words)
    assert "Work <b>" in words
    assert "“Ada <stayed>” in A note (fact f1)" in words
    assert [tag for tag in page.tags if re.fullmatch(r"h\d", tag)] == ["h1", "h2", "h2", "h2"]


def test_a_report_is_read_back_as_it_was_kept(run: Run) -> None:
    report = run().report
    assert report is not None
    assert read_report(report.document()) == report
    assert report.sources[0]["metadata"]["fact"]["source"] == "Ada"
    assert report_markdown(report).count("✓") == 3


def test_citations_get_the_numbers_of_the_run() -> None:
    numbers = {1: 4, 2: 1, 3: 2, 12: 9}
    assert renumbered("A [1], B [2, 3]. C [1-3] [12][7] [x] [1](http://a)", numbers) == (
        "A [4], B [1][2]. C [4][1][2] [9][7] [x] [1](http://a)"
    )
