"""Two runs beside each other: which sentences of the report changed, and what each run took."""

from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from components.ask.trace import took
from components.markup import Cell, clipped, counted, dotted, heading, link, note, sign, table, text
from components.refreshing import draw_until_done
from components.shell import Opened
from components.workflows.report_document import sentence_html
from components.workflows.run_actions import may_steer, run_of
from components.workflows.run_words import clock_chips, dollars, model_of, state_chip, took_so_far, when
from components.workflows.workflows_view import look_at, there
from services.core.answer_records import Sentence
from services.workflows import ReportChanges, RunTrace, WorkflowReport, WorkflowRun, workflow_runs

_FIGURES = {
    "steps": "Steps",
    "ms": "Time",
    "input_tokens": "Input tokens",
    "output_tokens": "Output tokens",
    "cost": "Cost",
}


def compare_runs(opened: Opened, before_id: str, run_id: str) -> None:
    """Draw the comparison; while the later run is under way, how far it is."""
    run_of(opened, before_id)
    run_of(opened, run_id)
    runs = workflow_runs(opened.services)
    draw_until_done(lambda: _draw(opened, before_id, run_id), lambda: runs.is_here(run_id), every="0.5s")


def _draw(opened: Opened, before_id: str, run_id: str) -> bool:
    """Draw both sides and what is between them; returns True where a click leads to another part of the page."""
    runs = workflow_runs(opened.services)
    before, after = runs.trace(before_id), runs.trace(run_id)
    sides = _side(opened, "ended", "Before", before.run) + _side(opened, "added", "After", after.run)
    st.html(f'<div class="a-big" role="heading" aria-level="2">What changed</div><div class="a-pair">{sides}</div>')
    with st.container(horizontal=True, gap="xsmall", key="workflow_compare_actions"):
        swapped = _button("Swap", "swap_horiz", "swap", run=before_id, before=run_id)
        left = _button("Open the report", "article", "open_run", run=run_id)
        if not after.run.is_over and runs.is_here(run_id) and may_steer(opened, after.run):
            st.button("Cancel", icon=":material/stop:", key="workflow_cancel", on_click=runs.cancel, args=(run_id,))
    if not after.run.is_over:
        _under_way(after)
        return swapped or left
    compared = runs.compare(before_id, run_id)
    _changes(before.report, after.report, compared.changes)
    _figures(compared.figures, before, after)
    return swapped or left


def _button(label: str, icon: str, key: str, **there: str) -> bool:
    return st.button(label, icon=f":material/{icon}:", key=f"workflow_{key}", on_click=look_at, kwargs=there)


def _side(opened: Opened, kind: str, title: str, run: WorkflowRun) -> str:
    goal = link("Workflows", text(clipped(" ".join(run.goal.split()), 120)), there(opened.view, run=run.id))
    about = dotted(run.name, when(run.created_at), model_of(run))
    return (
        f'<div><div class="a-sum">{sign(kind)}<b>{title}</b>{state_chip(run.state)}</div><div>{goal}</div>'
        f'<div class="a-muted a-sm">{text(about)}</div><div class="a-sum">{clock_chips(run)}</div></div>'
    )


def _under_way(after: RunTrace) -> None:
    done = sum(node.state not in ("waiting", "running") for node in after.nodes)
    so_far = f"{done} of {counted(len(after.nodes), 'step')}, {took_so_far(after.run)}"
    st.html(
        f'<div class="a-busy a-muted" role="status">The later run is {text(after.run.state)}: {text(so_far)}. '
        "The changes appear here when it is done.</div>"
    )


def _changes(before: WorkflowReport | None, after: WorkflowReport | None, found: ReportChanges) -> None:
    if before is None or after is None:
        which = "earlier" if before is None else "later"
        missing = "Neither run has a report." if before is after else f"The {which} run has no report."
        note(f"<b>{missing}</b> Open the run to see why.", "a-warn")
        return
    parts = [
        counted(len(found.changed), "changed sentence") if found.changed else "",
        f"{len(found.added)} added" if found.added else "",
        f"{len(found.removed)} removed" if found.removed else "",
        f"{found.kept} unchanged" if found.kept else "",
    ]
    heading("Sentences", dotted(*parts) or "neither report has sentences")
    rows = "".join(_rows(before, after, found))
    if rows:
        st.html(f'<div class="a-diff" role="list" aria-label="Changed sentences">{rows}</div>')
    elif found.kept:
        note("<b>Nothing changed.</b> Both reports have the same sentences.")


def _rows(before: WorkflowReport, after: WorkflowReport, found: ReportChanges) -> Iterator[str]:
    """Changed sentences first, each under what it was before; then what is new, then what is gone."""
    for old, new in found.changed:
        yield f'<div class="a-change" role="listitem">{_line(before, old, "ended")}{_line(after, new, "added")}</div>'
    for new in found.added:
        yield f'<div class="a-change" role="listitem">{_line(after, new, "added")}</div>'
    for old in found.removed:
        yield f'<div class="a-change" role="listitem">{_line(before, old, "ended")}</div>'


def _line(report: WorkflowReport, words: str, kind: str) -> str:
    sentence = next((one for one in report.answer.sentences if one.text == words and one.mark), Sentence(words))
    cited = {one.n: one for one in report.answer.citations}
    html = sentence_html(sentence, cited).replace('href="#', 'data-source="')
    return f'<div class="a-line a-{kind}-line">{sign(kind)}<span>{html}</span></div>'


def _figures(figures: Mapping[str, tuple[Any, Any]], before: RunTrace, after: RunTrace) -> None:
    named = {title: figures[name] for name, title in _FIGURES.items() if any(figures[name])}
    rows: list[list[Cell]] = [
        [(title, ""), *((_figure(title, value), "a-n") for value in values)] for title, values in named.items()
    ]
    spent = (before.metrics.by_node, after.metrics.by_node)
    for node in dict.fromkeys(node for one in spent for node in one):
        times = [took(one[node]) if node in one else "–" for one in spent]
        rows.append(
            [(f'<span class="a-muted">{text(node.replace("_", " "))}</span>', ""), *((t, "a-n") for t in times)]
        )
    heading("Figures", "with the time of each step")
    with st.container(key="workflow_figures"):
        table(rows, [("", "a-w"), ("Before", "a-n"), ("After", "a-n")], label="Figures for both runs")


def _figure(title: str, value: Any) -> str:
    if value is None:
        return "–"
    return took(value) if title == "Time" else dollars(value) if title == "Cost" else f"{value:,}"
