"""The report of a run as a document: a title, the two clocks, sections of sentences with their marks, and sources."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.accounts.workflow_runs import WorkflowRunStore
from services.agent.answerer import AnswerOutcome
from services.agent.message_tree import sources
from services.core.answer_documents import answer_document, read_answer
from services.core.answer_records import Answer, Mark, Sentence
from services.core.json_documents import Json
from services.language.answer_sentences import split
from services.tools.citations import citations
from services.verification.check import check
from services.workflows.goal_words import topic_of
from services.workflows.step_context import RULES, StepContext, read_found

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$", re.MULTILINE)
_PASSES = re.compile(r"^\[After \d+ review passes\]$")
_REPORTER = re.compile(r"^ReporterAgent=(.*)$")
_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report under its heading, which is empty before the first one. `level` counts from 1 at the top.

    `paragraphs` are the sentences in the order of the text; a list item is a paragraph of its own.
    """

    heading: str
    level: int
    paragraphs: tuple[tuple[Sentence, ...], ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of the part."""
        return tuple(one for paragraph in self.paragraphs for one in paragraph)


@dataclass(frozen=True, slots=True)
class WorkflowReport:
    """What a run has to say: an answer like others, with a title and in sections.

    `made_by` names the models that wrote it, or says that it is rule-based; `sources` are those of an answer.
    """

    title: str
    goal: str
    answer: Answer
    made_by: str
    sources: tuple[Mapping[str, Any], ...] = ()

    @property
    def sections(self) -> tuple[ReportSection, ...]:
        """The parts of the report, in order."""
        return tuple(_sections(self.answer.text, self.answer.sentences))

    def count(self, mark: Mark) -> int:
        """Return how many sentences have this mark."""
        return sum(one.mark == mark for one in self.answer.sentences)

    def document(self) -> Json:
        """Return it for JSON."""
        return {
            "title": self.title,
            "goal": self.goal,
            "made_by": self.made_by,
            "answer": answer_document(self.answer) | {"trace": []},
            "sources": [dict(one) for one in self.sources],
        }


def read_report(document: Mapping[str, Any]) -> WorkflowReport:
    """Return a report that was kept."""
    answer, kept = read_answer(document["answer"]), document
    return WorkflowReport(kept["title"], kept["goal"], answer, kept["made_by"], tuple(kept["sources"]))


def make_report(context: StepContext, text: str, models: Sequence[str]) -> WorkflowReport:
    """Return the report of a text that a run wrote: each sentence checked against what the run has found."""
    evidence, at = read_found(context.store, context.run.id), context.at
    sentences = tuple(map(_without_claim, check(split(text), evidence, at)))
    cited = citations(context.workspace.mirror, evidence, sentences)
    declined = not any(one.mark for one in sentences)
    made_by = ", ".join(dict.fromkeys(models)) or RULES
    answer = Answer(text, sentences, cited, at, declined, model=", ".join(dict.fromkeys(models)))
    found = [one for one in sources(AnswerOutcome(answer, evidence)) if one["metadata"]["cited"]]
    return WorkflowReport(_title(context.run.goal), context.run.goal, answer, made_by, tuple(found))


def report_of(store: WorkflowRunStore, run_id: str) -> WorkflowReport | None:
    """Return the report of a run; None where it has none."""
    kept = store.report(run_id)
    return None if kept is None else read_report(kept)


def _without_claim(sentence: Sentence) -> Sentence:
    """The remark on how often a text was reviewed claims nothing about the world."""
    return replace(sentence, mark=None, reason="") if _PASSES.match(sentence.text) else sentence


def _title(goal: str) -> str:
    topic = " ".join(topic_of(goal).split())
    topic = topic if len(topic) <= _LONGEST_TITLE else topic[:_LONGEST_TITLE].rsplit(" ", 1)[0] + " …"
    return f"{topic[:1].upper()}{topic[1:]}"


def _sections(text: str, sentences: Sequence[Sentence]) -> Iterator[ReportSection]:
    """Cut a text at its headings; one without anything below is a section too.

    What a reporter wrote stands one level below the reporter's heading.
    """
    headings = list(_HEADING.finditer(text))
    starts = [0, *(one.end() for one in headings)]
    ends = [*(one.start() for one in headings), len(text)]
    names = [("", 1), *((one[2], len(one[1])) for one in headings)]
    below = 0
    for (name, level), start, end in zip(names, starts, ends, strict=True):
        own = tuple(_paragraphs(text, [one for one in sentences if start <= one.start < end]))
        if reporter := _REPORTER.match(name):
            below = 1
            yield ReportSection(f"Reporter: {reporter[1]}", 2, own)
        elif name or own:
            yield ReportSection(name, level + below, own)


def _paragraphs(text: str, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Put sentences of one line, or of one paragraph, together."""
    open_ones: list[Sentence] = []
    for one in sentences:
        if open_ones and re.search(r"\n\s*(?:\n|[-*+•]\s|\d+[.)]\s)", text[open_ones[-1].end : one.start]):
            yield tuple(open_ones)
            open_ones = []
        open_ones.append(one)
    if open_ones:
        yield tuple(open_ones)
