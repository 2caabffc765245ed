"""Records from a file of JSON lines, or pasted: what would happen, which lines are bad, and the button that does it."""

from collections.abc import Sequence

import streamlit as st

from components import problems, state, undo_banner
from components.markup import Cell, chip, counted, dotted, heading, note, say_if_cut, table, text
from components.shell import Opened
from services import cached
from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.json_documents import json_text
from services.core.memory_records import MemoryRecord
from services.memory import RecordLines, read_record_lines, record_line, title_of
from services.writing import MemoryPlan, import_records, preview_records

_FILE, _TEXT, _PROBLEM, _VERSION = "memory_file", "memory_text", "memory_problem", "memory_imports"
_SHOWN = 8
EXAMPLE = '{"type": "Partnership", "id": "felix_nicolas", "citizen": "felix", "partner_name": "Nicolas"}'


def import_form(opened: Opened, *, has_records: bool) -> None:
    """Draw the form on the left and what it would do on the right."""
    version = state.remembered(_VERSION, 0)
    left, right = st.columns([5, 7], gap="medium")
    with left, st.container(border=True, key="memory_import"):
        file = st.file_uploader("JSON Lines", ["jsonl", "ndjson", "json", "txt"], key=f"{_FILE}_{version}")
        pasted = st.text_area(
            "Or paste lines",
            key=f"{_TEXT}_{version}",
            height=160,
            placeholder=EXAMPLE,
            help="One record per line, with its type and id. Fields that a line leaves out keep their values; null "
            "removes a field.",
        )
        if has_records:
            _export(opened)
    with right:
        problems.show_kept(_PROBLEM)
        content = file.getvalue() if file else pasted.encode("utf-8", "replace")
        if content.strip():
            _preview(opened, file.name if file else "pasted text", read_record_lines(content))
        else:
            note("A preview appears here once you choose a file or paste lines. Nothing is saved until you import.")


def _export(opened: Opened) -> None:
    st.download_button(
        "Export all records",
        lambda: _exported(opened.workspace),
        f"memory-{opened.name}.jsonl",
        "application/jsonl",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        key="memory_export",
    )


def _exported(workspace: OpenWorkspace) -> bytes:
    records = workspace.run(workspace.graph.memory.all_records(workspace.name))
    return "".join(f"{json_text(record_line(record))}\n" for record in records).encode()


def _preview(opened: Opened, name: str, lines: RecordLines) -> None:
    plan = preview_records(opened.workspace, lines.records)
    bad = counted(len(lines.rejected), "bad line") if lines.rejected else ""
    done = [f"{len(plan.new):,} new", f"{len(plan.changed):,} changed", f"{plan.unchanged:,} unchanged"]
    heading("Preview", dotted(*done, bad))
    if plan.new or plan.changed:
        _records(plan)
    if lines.problems:
        _bad_lines(name, lines)
    written = len(plan.new) + len(plan.changed)
    st.button(
        f"Import {counted(written, 'record')}",
        type="primary",
        key="memory_import_button",
        disabled=not written,
        on_click=problems.attempt,
        args=(_PROBLEM, _import, opened.name, name, lines.records),
    )


def _records(plan: MemoryPlan) -> None:
    rows: list[list[Cell]] = [
        [
            (chip(css, word), "a-nw"),
            (text(record.type.replace("_", " ")), "a-nw a-muted"),
            (f"{text(title_of(record.type, record.properties))}", "a-w"),
        ]
        for records, css, word in ((plan.new, "a-good", "new"), (plan.changed, "a-warn", "changed"))
        for record in records[:_SHOWN]
    ]
    table(rows[:_SHOWN], [("", ""), ("Type", ""), ("Record", "a-w")], label="Records in the file")
    say_if_cut(_SHOWN, len(plan.new) + len(plan.changed), "record", words="Showing the first")


def _bad_lines(name: str, lines: RecordLines) -> None:
    heading("Bad lines", "not imported; correct them and try again")
    table(
        [
            [(f"{one.line:,}", "a-n"), (f"<code>{text(one.field)}</code>", "a-nw"), (text(one.reason), "a-w")]
            for one in lines.problems[:_SHOWN]
        ],
        [("Line", "a-n"), ("Field", ""), ("Problem", "a-w")],
        label="Bad lines",
    )
    say_if_cut(_SHOWN, len(lines.problems), "problem", words="Showing the first")
    st.download_button(
        "Download the bad lines",
        lines.rejected_file(),
        f"bad-{name}.jsonl" if not name.endswith(".jsonl") else f"bad-{name}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        key="memory_rejects",
    )


def _import(workspace: str, name: str, records: Sequence[MemoryRecord]) -> None:
    """Import, and draw an empty form; the banner on top says what was done and takes it back."""

    def write(opened: OpenWorkspace, user_id: str | None) -> str | None:
        return import_records(opened, records, title=f"Memory: {name}", origin=Origin("import", user_id)).change_set

    undo_banner.do(workspace, f"Imported {counted(len(records), 'record')} from {name}", write)
    cached.forget_workspaces()
    state.remember(_VERSION, state.remembered(_VERSION, 0) + 1)
