"""The editor of a workflow: its JSON, checked as one types, beside the graph that it draws."""

import functools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from components import problems, state
from components.markup import counted, heading, text
from components.served_assets import named_by_content, serve
from components.shell import Opened
from components.workflows.graph_panel import definition_graph
from components.workflows.workflows_view import look_at
from services.core.errors import BadInput
from services.core.json_documents import read_json
from services.workflows import (
    WorkflowProblem,
    definition_document,
    delete_workflow,
    find_workflow,
    list_workflows,
    read_definition,
    save_workflow,
    workflow_problems,
)

PROBLEM = "workflow_edit_problem"
_ASSETS = Path(__file__).parent / "assets"
_KEY, _DRAFT, _FILE = "workflow_editor", "workflow_draft", "workflow_file"
_MOST_PROBLEMS, _MOST_BYTES = 12, 1_000_000
EXAMPLE = {
    "name": "Two questions",
    "entry_node_id": "both",
    "nodes": [
        {"id": "both", "type": "fanout", "label": "Side by side", "body": ["now", "before"]},
        {
            "id": "now",
            "type": "agent",
            "agent": "AnswerAgent",
            "inputs": {"question": '"What is " + goal + " now?"'},
            "outputs": {"text": "drafts.now"},
        },
        {
            "id": "before",
            "type": "agent",
            "agent": "AnswerAgent",
            "inputs": {"question": '"What is the history of " + goal + "?"'},
            "outputs": {"text": "drafts.before"},
        },
        {
            "id": "together",
            "type": "merge",
            "strategy": "concat",
            "inputs": {"items": "drafts"},
            "outputs": {"result": "report"},
        },
    ],
    "edges": [{"from": "now", "to": "together"}, {"from": "before", "to": "together"}],
}


@dataclass
class _Draft:
    """What is being edited: `workflow` is the saved one, "" for a new one; `version` grows when we replace the text."""

    workspace: str
    workflow: str
    text: str
    version: int = 0


@dataclass(frozen=True, slots=True)
class _Checked:
    """What a text is: a document with its problems, each with its line where it has one."""

    document: Any
    problems: Sequence[tuple[int | None, str]]


def definition_editor(opened: Opened, name: str) -> None:
    """Draw the editor of a saved workflow, or of a new one for ""."""
    draft = _draft(opened, name)
    checked = _check(draft.text)
    heading("Edit a workflow" if name else "New workflow", name or "write it or import a file")
    if not name:
        _import(draft)
    writing, drawn = st.columns([6, 5], gap="medium")
    with writing:
        _editor(draft, [line for line, _ in checked.problems if line])
        _buttons(opened, draft, checked)
    with drawn:
        _problems(checked)
        if not checked.problems:
            definition_graph(read_definition(checked.document), None, lambda _: None, place="edited")
        st.markdown("`docs/workflows.md` describes every field. Use `docs/workflow.schema.json` in other editors.")


def _draft(opened: Opened, name: str) -> _Draft:
    """The draft of this session; another workflow begins another one."""
    kept: _Draft | None = state.remembered(_DRAFT)
    if kept is not None and (kept.workspace, kept.workflow) == (opened.name, name):
        return kept
    document = definition_document(find_workflow(opened.workspace, name)) if name else EXAMPLE
    version = kept.version + 1 if kept else 1
    begun = _Draft(opened.name, name, json.dumps(document, ensure_ascii=False, indent=2), version)
    state.remember(_DRAFT, begun)
    return begun


def _import(draft: _Draft) -> None:
    def take() -> None:
        file = state.remembered(_FILE)
        if file is not None:
            content = file.getvalue()[:_MOST_BYTES]
            draft.text, draft.version = content.decode("utf-8-sig", "replace"), draft.version + 1

    st.file_uploader("Import a definition (JSON)", ["json"], key=_FILE, on_change=take, max_upload_size=1)


def _editor(draft: _Draft, bad_lines: Sequence[int]) -> None:
    def typed() -> None:
        sent = state.remembered(_KEY, {}).get("typed") or {}
        if sent.get("version") == draft.version:
            draft.text = str(sent["text"])[:_MOST_BYTES]

    data = {"label": "Definition as JSON", "text": draft.text, "version": draft.version, "bad": list(bad_lines)}
    _component(serve(named_by_content("workflow_editor", _ASSETS), _ASSETS))(key=_KEY, data=data, on_typed_change=typed)


@functools.cache
def _component(name: str) -> Any:
    html, css = ((_ASSETS / f"editor.{kind}").read_text() for kind in ("html", "css"))
    return st.components.v2.component(name, html=html, css=css, js="editor.js")


def _check(words: str) -> _Checked:
    try:
        document = read_json("The text", words)
    except BadInput as error:
        found = re.search(r"line (\d+)", error.message)
        return _Checked(None, [(int(found[1]) if found else 1, f"{error.message} {error.hint}".strip())])
    return _Checked(document, [(_line_of(words, one), str(one)) for one in workflow_problems(document)])


def _line_of(words: str, problem: WorkflowProblem) -> int | None:
    """The line of the node that a problem names, or of its field within it; None where none is named."""
    lines = words.split("\n")
    start = 0
    if problem.node:
        named = re.compile(rf'"id"\s*:\s*{re.escape(json.dumps(problem.node, ensure_ascii=False))}')
        start = next((number for number, line in enumerate(lines) if named.search(line)), -1)
        if start < 0:
            return None
    field = re.split(r"[.\[]", problem.field)[0]
    below = (
        n for n, line in enumerate(lines[start:], start) if field and re.search(rf'"{re.escape(field)}"\s*:', line)
    )
    found = next(below, None)
    later = next(
        (n for n, line in enumerate(lines[start + 1 :], start + 1) if problem.node and '"id"' in line), len(lines)
    )
    return (found if found is not None and found < later else start if problem.node else found or 0) + 1


def _problems(checked: _Checked) -> None:
    if not checked.problems:
        st.html('<div class="a-sum" role="status"><span class="a-chip a-good">✓ valid</span></div>')
        return
    shown = "".join(
        f'<li><b class="a-nw">{f"Line {line}" if line else "File"}</b> {text(words)}</li>'
        for line, words in checked.problems[:_MOST_PROBLEMS]
    )
    more = len(checked.problems) - _MOST_PROBLEMS
    rest = f'<li class="a-muted">and {more} more</li>' if more > 0 else ""
    st.html(
        f'<div class="a-note" role="status"><b>{counted(len(checked.problems), "problem")}</b>'
        f'<ul class="a-ways" aria-label="Problems">{shown}{rest}</ul></div>'
    )


def _buttons(opened: Opened, draft: _Draft, checked: _Checked) -> None:
    problems.show_kept(PROBLEM)
    new_name = checked.document.get("name") if isinstance(checked.document, dict) else None
    taken = {one.name for one in list_workflows(opened.workspace)}
    replaces = isinstance(new_name, str) and new_name in taken and new_name != draft.workflow
    with st.container(horizontal=True, vertical_alignment="center", key="workflow_edit_actions"):
        st.button(
            "Replace" if replaces else "Save",
            type="primary",
            key="workflow_save",
            disabled=bool(checked.problems),
            on_click=problems.attempt,
            args=(PROBLEM, _save, opened, draft),
        )
        st.button("Discard", key="workflow_discard", on_click=_discard, args=(draft.workflow,))
        if replaces:
            st.html(f'<span class="a-muted a-sm">A workflow “{text(str(new_name))}” already exists.</span>')


def _save(opened: Opened, draft: _Draft) -> None:
    """Save what was typed; one that has another name now takes the place of the one that was opened."""
    saved = save_workflow(opened.workspace, read_json("The text", draft.text), opened.user.id)
    if draft.workflow and saved.name != draft.workflow:
        delete_workflow(opened.workspace, draft.workflow)
    state.forget(_DRAFT, PROBLEM)
    look_at(saved.name)


def _discard(name: str) -> None:
    state.forget(_DRAFT, PROBLEM)
    look_at(name)
