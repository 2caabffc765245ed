"""Thumbed answers as a set of cases: asked again all at once, and compared with what was said then."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import background_tasks, dates, state
from components.ask import actions
from components.ask.answer_html import Chips, answer_html
from components.lazy_containers import draw_when_open
from components.markup import clipped, counted, dotted, plain, text
from components.shell import Opened
from services import cached
from services.accounts import Case, CaseRun, User
from services.agent import CaseOutcome, Comparison, answer_of, compared, get_services, rerun
from services.core.background import Handle

_MODEL = "cases_model"
_SIGNS: dict[CaseOutcome, str] = {"same": "=", "changed": "→", "now declined": "?", "failed": "✕"}


def cases(opened: Opened) -> None:
    """Draw the set, and what runs it again."""
    kept = opened.services.accounts.cases
    found = kept.of(opened.name)
    if not found:
        st.html('<div class="a-empty a-muted">No cases yet. Rate an answer on Ask to add one.</div>')
        return
    job = _job(opened.name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="cases_tools"):
        models = actions.model_choices()
        if len(models) > 1:
            st.selectbox(
                "Model",
                models,
                key=_MODEL,
                format_func=lambda name: name or "rule-based",
                width=220,
                label_visibility="collapsed",
                persist_state="session",
            )
        label = f"Ask all {len(found)} again" if len(found) > 1 else "Ask again"
        st.button(
            label,
            key="cases_rerun",
            type="primary",
            disabled=background_tasks.is_running(job),
            on_click=_rerun,
            args=(opened.name, opened.user, found),
        )
    background_tasks.progress(job, lambda task: f"{counted(task.result, 'case')} asked again")
    for case in found:
        runs = kept.runs(case.id)
        _case(opened, case, runs[-1] if runs else None)


def _job(workspace: str) -> str:
    """Return the name of these jobs in the list, apart from those that write to the workspace."""
    return f"{workspace}/cases"


def _rerun(workspace: str, user: User, found: Sequence[Case]) -> None:
    model = state.remembered(_MODEL) or ""

    def work(handle: Handle) -> int:
        for number, case in enumerate(found):
            handle.report(number, len(found), plain(clipped(case.question, 40)))
            rerun(get_services(), case, user, model, handle.cancelled)
        handle.report(len(found), len(found))
        return len(found)

    cached.background().start(_job(workspace), f"Asking cases again ({model or 'rule-based'})", work)


def _case(opened: Opened, case: Case, run: CaseRun | None) -> None:
    thumb = ":material/thumb_up:" if case.thumb > 0 else ":material/thumb_down:"
    words = compared(case, run) if run else None
    verdict = f"{_SIGNS[words.outcome]} {words.outcome}" if words else ""
    label = dotted(plain(clipped(" ".join(case.question.split()), 80)), verdict)
    box = st.expander(label, icon=thumb, type="compact", key=f"case_{case.id}", on_change="rerun")
    draw_when_open(box, _answers, opened, case, run, words)


def _answers(opened: Opened, case: Case, run: CaseRun | None, words: Comparison | None) -> None:
    if case.note:
        st.html(f'<div class="a-muted">“{text(case.note)}”</div>')
    left, right = st.columns(2, gap="medium")
    with left:
        _side(f"Then, {dates.day(case.created_at)}", case.answer)
    with right:
        if run is None:
            st.html('<div class="a-muted">Nobody has asked this again yet.</div>')
        else:
            took = f"{run.ms:,.0f} ms" + (f", ${run.cost:.4f}" if run.cost is not None else "")
            _side(f"{dates.moment(run.created_at)}, {run.model or 'rule-based'}, {took}", run.answer, run.problem)
    if words is not None and words.outcome != "failed":
        _difference(words.gone, words.new, same_words=words.same_words)
    st.button(
        "Remove case",
        key=f"remove_{case.id}",
        icon=":material/delete:",
        type="tertiary",
        on_click=opened.services.accounts.cases.remove,
        args=(case.id,),
    )


def _side(title: str, document: Mapping[str, Any], problem: str = "") -> None:
    st.html(f'<div class="a-h" role="heading" aria-level="3">{text(title)}</div>')
    answer = answer_of(document)
    if problem:
        st.html(f'<div class="a-note">{text(problem)}</div>')
    if answer is not None:
        st.html(answer_html(answer.text, answer.sentences, Chips()))


def _difference(gone: Sequence[str], new: Sequence[str], *, same_words: bool) -> None:
    words = dotted(
        f"− {counted(len(gone), 'record')} no longer cited" if gone else "",
        f"+ {counted(len(new), 'record')} newly cited" if new else "",
        "" if gone or new else "= same records cited",
        "" if same_words else "different wording",
    )
    st.html(f'<div class="a-muted a-sm">{words}</div>')
