"""Facts from a file: what is in it, what is wrong with it, what importing it would do, and then the import."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import dates, job_list, markup, shell, state
from components.markup import counted, heading
from services import cached
from services.bootstrap import get_services
from services.errors import AsofError
from services.ingestion.importer import Imported, import_rows, preview_import
from services.ingestion.plan import Plan
from services.ingestion.rejects import rejects_file
from services.ingestion.rows import DATES, Row
from services.ingestion.tables import FactTable, read_facts
from services.jobs import Handle, Job

_KINDS = ["csv", "tsv", "json", "jsonl", "parquet"]
_SHOWN, _PROBLEMS, _PLANNED = 8, 200, 20_000
_ALL, _GOOD = "All rows or none", "The good rows; the bad ones as a file"
SAMPLE = """source,relation,target,source_type,target_type,valid_at,invalid_at,episode
Ada Lovelace,WORKS_FOR,Analytical Engines,Person,Company,2019-03-01,2022-07-01,Contract of 2019-02-11
Ada Lovelace,WORKS_FOR,Difference Labs,Person,Company,2022-07-01,,Announcement of 2022-06-15
Difference Labs,BASED_IN,London,Company,City,2020-01-01,,Register entry 4711
"""
_HALF_OPEN = """
A fact holds **from** `valid_at` **until, not including** `invalid_at`: an end of 2022-07-01 means that 2022-06-30 was
its last day, so that the next fact can begin on 2022-07-01 without a gap or an overlap. With the switch on, an end date
is moved to the start of the next day.
"""
_WORDS = {
    "new": "new",
    "source": "further source",
    "change": "change",
    "correction": "correction",
    "unchanged": "already there",
}


def choose_file() -> FactTable | None:
    """The form: a file, and what an end date in it means."""
    with st.container(border=True, key="file_form"):
        upload = st.file_uploader(
            "A file of facts",
            type=_KINDS,
            key="facts_file",
            help="CSV, TSV, JSON, JSONL or Parquet with source, relation and target",
        )
        inclusive = st.toggle(
            "The last day is included",
            key="inclusive_ends",
            help="For files whose end dates name the last day on which a fact held.",
        )
        st.caption(_HALF_OPEN)
        st.download_button(
            "A sample file", SAMPLE, "facts.csv", "text/csv", icon=":material/download:", on_click="ignore"
        )
    if upload is None:
        return None
    asked = (upload.file_id, inclusive)
    if state.remembered("facts_table_of") != asked:
        try:
            table = read_facts(upload.name, upload.getvalue(), inclusive_ends=inclusive)
        except AsofError as problem:
            shell.show_problem(problem)
            return None
        state.remember("facts_table", table)
        state.remember("facts_table_of", asked)
    found: FactTable = state.remembered("facts_table")
    return found


def preview(workspace: str, table: FactTable | None) -> None:
    """The first rows, the problems, what would happen, and the button that makes it so."""
    if table is None:
        heading("What is in the file", "nothing is saved yet")
        st.caption("Choose a file to see its first rows, and what is wrong with it, before anything is saved.")
        return
    bad = len(table.rejected)
    heading(table.name, f"{counted(len(table.rows), 'good row')} · {counted(bad, 'bad row')} · nothing is saved yet")
    if table.rows:
        st.dataframe(_first_rows(table.rows), hide_index=True, height=240, key="first_rows", alt="The first rows")
    if bad:
        _problems(table)
    mode = st.radio("What to import", [_ALL, _GOOD], key="import_mode", horizontal=True) if bad else _ALL
    rows = table.rows if not bad or mode == _GOOD else ()
    if bad and mode == _ALL:
        st.caption("Correct the file and upload it again, or take the good rows.")
    if rows:
        _plan(workspace, table, rows)
    st.button(
        f"Import {counted(len(rows), 'row')}",
        type="primary",
        icon=":material/check:",
        disabled=not rows,
        key="import_rows",
        on_click=_start,
        args=(workspace, table.name, rows),
    )


def _first_rows(rows: Sequence[Row]) -> list[Mapping[str, Any]]:
    """The first rows as they were understood; dates are in the order of DESIGN's columns."""
    given = [name for name in DATES if any(getattr(r, name) for r in rows[:_SHOWN])]
    return [
        {
            "Row": row.number,
            "Source": _typed(row.source, row.source_type),
            "Relation": row.relation,
            "Target": _typed(row.target, row.target_type),
            **{name: dates.moment(value) if (value := getattr(row, name)) else None for name in given},
            **{str(name): str(value) for name, value in row.attributes.items()},
        }
        for row in rows[:_SHOWN]
    ]


def _typed(name: str, kind: str) -> str:
    return f"{name} ({kind})" if kind else name


def _problems(table: FactTable) -> None:
    rows = [{"Row": p.number, "Column": p.column or "—", "What is wrong": p.reason} for p in table.problems[:_PROBLEMS]]
    if len(table.problems) > _PROBLEMS:
        st.caption(f"Showing {_PROBLEMS} of {counted(len(table.problems), 'problem')}.")
    st.dataframe(
        rows, hide_index=True, height=min(240, 38 + 35 * len(rows)), key="problems", alt="Bad rows with reasons"
    )
    name, content = rejects_file(table)
    st.download_button("The bad rows as a file", content, name, icon=":material/download:", on_click="ignore")


def _plan(workspace: str, table: FactTable, rows: Sequence[Row]) -> None:
    """What the import would do, in counts; planned once for each file and state of the graph."""
    if len(rows) > _PLANNED:
        st.caption(f"More than {_PLANNED:,} rows: what they do is counted while they are imported.")
        return
    asked = (id(table), len(rows), get_services().mirrors.of(workspace).version)
    if state.remembered("facts_plan_of") != asked:
        with st.spinner("Comparing with the graph"):
            state.remember("facts_plan", preview_import(get_services(), workspace, rows))
        state.remember("facts_plan_of", asked)
    plan: Plan = state.remembered("facts_plan")
    signs = {"new": "added", "source": "same", "change": "ended", "correction": "corrected", "unchanged": "same"}
    parts = " ".join(
        f"{markup.sign(signs[kind])} {counted(n, _WORDS[kind], _WORDS[kind])}" for kind, n in plan.counts.items() if n
    )
    st.html(f'<div class="a-sum" role="status">{parts}</div>')


def _start(workspace: str, name: str, rows: Sequence[Row]) -> None:
    services = get_services()

    def work(handle: Handle) -> Imported:
        return import_rows(services, workspace, rows, title=name, progress=handle.report, cancel=handle.cancelled)

    cached.jobs().start(workspace, name, work)


def outcome(job: Job) -> str:
    """What came of an import, in words and counts."""
    done = job.result
    if not isinstance(done, Imported):
        return "loaded"
    rows = " · ".join(f"{n:,} {_WORDS[kind]}" for kind, n in done.rows.items() if n)
    view = state.View(workspace=job.workspace)
    return f"{rows or 'nothing'} · {counted(done.entities, 'new entity', 'new entities')} · " + markup.link(
        "Explore", "Open in Explore", view, css=""
    )


def jobs(workspace: str) -> None:
    """The imports of this workspace."""
    job_list.progress(workspace, outcome)
