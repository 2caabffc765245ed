"""The report of a run as a document: its head, sections with a mark behind each sentence, and sources at the end."""

from collections.abc import Mapping

import streamlit as st

from components import dates
from components.ask.answer_html import Chips, not_backed
from components.ask.copy_button import copy_button
from components.ask.inline_markdown import inline
from components.ask.retrieved import Retrieved, retrieved_of
from components.ask.sources import titles_of
from components.fact_table import fact_in_words
from components.markup import clipped, counted, dotted, link, note, text
from components.shell import Opened
from components.sources.sources_view import SourcesView
from components.workflows.print_button import print_button
from components.workflows.run_words import clock_chips
from services.core.answer_records import MARK_SIGNS, MARK_WORDS, Citation, Sentence
from services.workflows import ReportSection, WorkflowReport, WorkflowRun, report_html, report_markdown

_CHIPS = {"supported": "a-good", "contradicted": "a-bad", "uncited": "a-warn", "beside": "a-off", "quoted": "a-off"}
_UNDERLINED = {"uncited": "a-none", "contradicted": "a-wrong"}
_QUOTE = 200


def report_document(opened: Opened, run: WorkflowRun, report: WorkflowReport) -> None:
    """Draw the report."""
    with st.container(key="workflow_report"):
        parts = f"{_head(run, report)}{_body(report)}{_sources(opened, report)}"
        st.html(f'<article class="a-report" aria-label="Report">{parts}</article>')
        if warning := not_backed(report.answer.sentences):
            note(warning, "")
    with st.container(horizontal=True, gap="xsmall", key="workflow_export"):
        name = f"report-{run.id[:8]}"
        _download("Markdown", report_markdown(report), f"{name}.md", "text/markdown")
        _download("HTML", report_html(report), f"{name}.html", "text/html")
        print_button("Print or PDF", key="workflow_print")
        copy_button("Copy with sources", report_markdown(report), key="workflow_copy")


def _download(label: str, content: str, name: str, mime: str) -> None:
    key = f"workflow_export_{label.lower()}"
    st.download_button(label, content, name, mime, icon=":material/download:", on_click="ignore", key=key)


def _head(run: WorkflowRun, report: WorkflowReport) -> str:
    counts = "".join(
        f'<span class="a-chip {_CHIPS[mark]}">{MARK_SIGNS[mark]} {report.count(mark)} {MARK_WORDS[mark]}</span>'
        for mark in MARK_SIGNS
        if report.count(mark)
    )
    return (
        f'<h2>{text(report.title)}</h2><div class="a-sum">{clock_chips(run)}{counts}'
        f'<span class="a-muted a-sm">{text(report.made_by)}</span></div>'
    )


def _body(report: WorkflowReport) -> str:
    cited = {one.n: one for one in report.answer.citations}
    return "".join(_section(one, cited) for one in report.sections)


def _section(section: ReportSection, cited: Mapping[int, Citation]) -> str:
    level = min(6, max(3, section.level + 1))
    head = f"<h{level}>{text(section.heading)}</h{level}>" if section.heading else ""
    paragraphs = [" ".join(sentence_html(one, cited) for one in paragraph) for paragraph in section.paragraphs]
    if len(paragraphs) > 1 and all(len(one) == 1 for one in section.paragraphs):
        return f"{head}<ul>{''.join(f'<li>{one}</li>' for one in paragraphs)}</ul>"
    return head + "".join(f"<p>{one}</p>" for one in paragraphs)


def sentence_html(sentence: Sentence, cited: Mapping[int, Citation]) -> str:
    """Return a sentence with its mark; each number leads to its source at the end of the document."""
    words = inline(sentence.text, lambda _: "")
    css = _UNDERLINED.get(sentence.mark or "")
    words = f'<span class="{css}">{words}</span>' if css else words
    numbers = "".join(_number(n, sentence, cited) for n in sentence.citations if n != sentence.by)
    return words + numbers + Chips(citations=cited).verdict(sentence)


def _number(n: int, sentence: Sentence, cited: Mapping[int, Citation]) -> str:
    sign, css = ("✓ ", "a-added") if sentence.mark == "supported" else ("", "a-same")
    one = cited.get(n)
    if one is None:
        return f'<span class="a-mk {css}">{sign}{n}</span>'
    quote = clipped(" ".join(one.quote.split()), 120)
    return f'<a class="a-mk {css}" href="#source-{n}" title="{text(f"Source {n}: {quote}")}">{sign}{n}</a>'


def _sources(opened: Opened, report: WorkflowReport) -> str:
    citations = report.answer.citations
    if not citations:
        return ""
    read = {one.n: one for one in retrieved_of(report.sources)}
    titles = titles_of(opened.name, citations)
    rows = "".join(
        f'<li id="source-{one.n}">{_source(opened, one, read.get(one.n), titles.get(one.n, ""))}</li>'
        for one in citations
    )
    head = f"<h3>Sources <small>{counted(len(citations), 'record')}</small></h3>"
    return f'{head}<ol class="a-sources" aria-label="Sources">{rows}</ol>'


def _source(opened: Opened, one: Citation, read: Retrieved | None, title: str) -> str:
    fact = read.fact if read else None
    quote = " ".join(one.quote.split())
    if fact is not None:
        body = link("Timeline", fact_in_words(fact), opened.view.changed(entity=fact.source_uuid, fact=fact.uuid))
    elif one.document_id:
        body = link("Sources", text(clipped(quote, _QUOTE)), opened.view.changed(SourcesView, source=one.document_id))
    else:
        body = text(clipped(quote or (read.text if read else ""), _QUOTE))
    recorded = f"recorded {dates.day(fact.created_at)}" if fact and fact.created_at else ""
    return (
        f'<span class="a-sg a-added">{one.n}</span><div>{body}</div>'
        f'<span class="a-when">{dates.fact_span(fact) if fact else ""}</span>'
        f'<div class="a-muted a-sm a-about">{text(dotted(title or one.title, recorded))}</div>'
    )
