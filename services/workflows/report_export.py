"""A report for those who take it elsewhere: as Markdown, and as HTML in one file, which prints as it looks."""

import html
from collections.abc import Iterator

from services.agent.export import one_line, source_line
from services.core.answer_records import MARK_SIGNS, MARK_WORDS, Sentence, citation_numbers
from services.core.date_wording import in_utc
from services.workflows.reports import ReportSection, WorkflowReport

_DEEPEST = 6

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 Georgia, "Times New Roman", serif; color: #1c1c1c; background: #fff; max-width: 44rem;
  margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.8rem 0 .5rem; break-after: avoid; }
h2 { font-size: 1.3rem; } h3 { font-size: 1.05rem; } h4, h5, h6 { font-size: 1rem; }
p { margin: .35rem 0; orphans: 3; widows: 3; }
.head, .sources { font-family: system-ui, sans-serif; font-size: .85rem; color: #555; }
.head { border-bottom: 1px solid #ccc; padding-bottom: .8rem; margin-bottom: 1.4rem; }
.mark { font-family: system-ui, sans-serif; font-size: .8em; white-space: nowrap; }
.supported { color: #1a6b3c; } .uncited, .beside { color: #8a5a00; } .contradicted { color: #a3201d; }
sup a { text-decoration: none; color: #2a5b9c; }
.sources { border-top: 1px solid #ccc; margin-top: 2rem; padding-top: .8rem; }
.sources li { margin: .3rem 0; overflow-wrap: anywhere; break-inside: avoid; }
@page { size: A4; margin: 20mm 18mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 11pt; } a { color: inherit; } }
"""


def report_markdown(report: WorkflowReport) -> str:
    """Return a report as Markdown: its head, its sections with a mark behind each sentence, and the sources."""
    parts = [f"# {one_line(report.title)}", *_head(report)]
    for section in report.sections:
        parts += [f"{'#' * _level(section)} {one_line(section.heading)}"] if section.heading else []
        parts += [" ".join(map(_marked, paragraph)) for paragraph in section.paragraphs]
    if report.answer.citations:
        parts += ["## Sources", "\n".join(_sources(report))]
    return "\n\n".join(parts) + "\n"


def report_html(report: WorkflowReport) -> str:
    """Return a report as one file of HTML that asks no host for anything; printed, it is a document."""
    title = html.escape(one_line(report.title))
    body = "\n".join(_html_parts(report))
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _head(report: WorkflowReport) -> list[str]:
    """What is said above a report: its clocks, who made it, how its sentences stand, and what it was written for."""
    answer = report.answer
    clocks = f"As of {in_utc(answer.at.as_of)}, known at {in_utc(answer.at.known_at)}. Method: {report.made_by}."
    counts = ", ".join(f"{report.count(mark)} {MARK_WORDS[mark]}" for mark in MARK_SIGNS if report.count(mark))
    return [f"{clocks} Sentences: {counts or 'none states anything'}.", f"Goal: {one_line(report.goal)}"]


def _marked(sentence: Sentence) -> str:
    numbers = citation_numbers(sentence.citations)
    if sentence.mark is None:
        return f"{sentence.text}{numbers}"
    reason = f" {MARK_WORDS[sentence.mark]}: {sentence.reason}" if sentence.mark != "supported" else ""
    return f"{sentence.text}{numbers} {MARK_SIGNS[sentence.mark]}{reason}".rstrip(": ")


def _sources(report: WorkflowReport) -> Iterator[str]:
    known = {source["metadata"]["n"]: source for source in report.sources if source.get("metadata")}
    return (source_line(one, known.get(one.n)) for one in report.answer.citations)


def _html_parts(report: WorkflowReport) -> Iterator[str]:
    yield f"<h1>{html.escape(one_line(report.title))}</h1>"
    yield '<div class="head">' + "".join(f"<p>{html.escape(line)}</p>" for line in _head(report)) + "</div>"
    cited = {one.n for one in report.answer.citations}
    for section in report.sections:
        if section.heading:
            yield f"<h{_level(section)}>{html.escape(one_line(section.heading))}</h{_level(section)}>"
        for paragraph in section.paragraphs:
            yield f"<p>{' '.join(_html_sentence(one, cited) for one in paragraph)}</p>"
    if report.answer.citations:
        items = zip(report.answer.citations, _sources(report), strict=True)
        listed = "".join(_html_source(one.n, line) for one, line in items)
        yield f'<div class="sources"><h2>Sources</h2><ol>{listed}</ol></div>'


def _html_source(n: int, line: str) -> str:
    return f'<li id="source-{n}" value="{n}">{html.escape(line.partition(". ")[2])}</li>'


def _html_sentence(sentence: Sentence, cited: set[int]) -> str:
    links = (f'<a href="#source-{n}">{n}</a>' if n in cited else str(n) for n in sentence.citations)
    numbers = "".join(f"<sup>[{link}]</sup>" for link in links)
    text = html.escape(sentence.text)
    if sentence.mark is None:
        return text + numbers
    title = html.escape(f"{MARK_WORDS[sentence.mark]}. {sentence.reason}".strip(), quote=True)
    doubt = "" if sentence.mark == "supported" else f" {MARK_WORDS[sentence.mark]}"
    sign = f'<span class="mark {sentence.mark}" title="{title}">{MARK_SIGNS[sentence.mark]}{doubt}</span>'
    return f"{text}{numbers} {sign}"


def _level(section: ReportSection) -> int:
    """The level of a section's heading; the title alone has the first."""
    return min(_DEEPEST, max(2, section.level))
