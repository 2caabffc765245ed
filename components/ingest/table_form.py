"""A table of facts: what is in it, what is wrong with it, what importing it would do, and then the import."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components import dates, markup, problems, state, undo_banner
from components.ingest import columns, followed_job, open_review, review
from components.markup import counted, dotted, heading, note, say_if_cut, sign
from components.shell import Opened
from services.agent import get_services
from services.core.errors import AsofError, BadInput
from services.core.import_rows import DATES, Row
from services.jobs import import_item
from services.proposals import as_known
from services.tables import FACT_ENDINGS, FactTable, TableFile, facts_of, open_table, rejects_file
from services.writing import ImportPlan, preview_import

_SHOWN, _PROBLEMS, _PLANNED = 8, 200, 20_000
_TABLE, _TABLE_OF, _SEEN, _OPENED = "facts_table", "facts_table_of", "facts_file_seen", "facts_file_opened"
_FIELDS, _UNSEEN = "facts_fields", "facts_unseen"
"""What the fields said when the table was read; and that Import was pressed when they said something else."""
_ALL, _GOOD = "Import all rows or none", "Import the good rows; download the bad ones"
SAMPLE = """source,relation,target,source_type,target_type,valid_at,invalid_at,episode
Ada Lovelace,WORKS_FOR,Analytical Engines,Person,Company,2019-03-01,2022-07-01,Contract of 2019-02-11
Ada Lovelace,WORKS_FOR,Difference Labs,Person,Company,2022-07-01,,Announcement of 2022-06-15
Difference Labs,BASED_IN,London,Company,City,2020-01-01,,Register entry 4711
"""
_HALF_OPEN = """
A fact is valid **from** `valid_at` **up to, but not including,** `invalid_at`: an end of 2022-07-01 means that
2022-06-30 was the last day, so the next fact can start on 2022-07-01 without a gap or an overlap. With the switch on,
each end date moves to the start of the next day.
"""
_WORDS = {
    "new": "new",
    "source": "with another source",
    "change": "changed",
    "correction": "corrected",
    "unchanged": "already in the graph",
}


def choose_file(workspace: str) -> FactTable | None:
    """The form: a file, and what an end date in it means."""
    with st.container(border=True, key="file_form"):
        upload = st.file_uploader(
            "A table of facts",
            type=[ending.removeprefix(".") for ending in FACT_ENDINGS],
            key="facts_file",
            max_upload_size=get_services().settings.max_file_mb,
            help="CSV, TSV, JSON, JSONL, Parquet or Excel with a fact or an entity in each row; "
            "tables from Wikidata, ICEWS and GDELT; "
            "a STIX 2.1 bundle; a CHANGELOG.md",
        )
        inclusive = st.toggle(
            "End dates include the last day",
            key="inclusive_ends",
            help="Turn this on if each end date in the file is the last day of the fact.",
        )
        st.caption(_HALF_OPEN)
        st.download_button(
            "Download a sample file", SAMPLE, "facts.csv", "text/csv", icon=":material/download:", on_click="ignore"
        )
    if upload is None:
        return None
    if state.remembered(_SEEN) != upload.file_id:
        state.remember(_SEEN, upload.file_id)
        state.forget(_TABLE, _TABLE_OF)
        followed_job.forget()
        open_review.close_any()
    return _read(workspace, upload, inclusive)


def _read(workspace: str, upload: UploadedFile, inclusive: bool) -> FactTable | None:
    """The table as it is understood, read once for each file and meaning; a problem is said in words."""
    is_unseen = state.pop(_UNSEEN)
    try:
        file = _opened(upload)
        sheet = _chosen_sheet(file, upload.file_id)
        mapping = columns.mapping_of_columns(workspace, file, upload.file_id + sheet, sheet)
        if mapping is not None:
            mapping = as_known(get_services().workspace(workspace), mapping)
            if not inclusive and (column := columns.last_day_column(mapping)):
                st.warning(
                    f"“{markup.plain(column)}” may be the last day of the fact. "
                    "If so, turn on “End dates include the last day”.",
                    icon=":material/calendar_today:",
                )
        asked = (upload.file_id, sheet, inclusive, columns.mapping_key(mapping))
        if state.remembered(_TABLE_OF) != asked:
            with st.spinner("Reading the table…"):
                state.remember(_TABLE, facts_of(file, inclusive_ends=inclusive, mapping=mapping, sheet=sheet))
            state.remember(_TABLE_OF, asked)
            if not is_unseen:
                followed_job.forget()
            open_review.close_any()
            state.remember("facts_file_of", (file.name, file.content, inclusive, mapping, sheet))
        state.remember(_FIELDS, _field_values())
    except AsofError as problem:
        problems.show(problem)
        return None
    found: FactTable = state.remembered(_TABLE)
    return found


def _field_values() -> Mapping[str, Any]:
    return state.remembered_by(*columns.FIELDS, "sheet_", "inclusive_ends")


def _opened(upload: UploadedFile) -> TableFile:
    """The file, opened once in the session: a workbook takes seconds to unpack."""
    file: TableFile | None = state.remembered(_OPENED)
    content = upload.getvalue()
    if file is None or (file.name, file.content) != (upload.name, content):
        with st.spinner("Opening the file…"):
            file = open_table(upload.name, content)
        state.remember(_OPENED, file)
    return file


def _chosen_sheet(file: TableFile, file_id: str) -> str:
    """Ask for the sheet of a workbook that has several with rows; of other files there is none to choose."""
    if len(file.sheets) < 2:
        return ""
    chosen: str = st.selectbox("Sheet", list(file.sheets), key=f"sheet_{file_id}")
    return chosen


def preview(opened: Opened, table: FactTable | None) -> None:
    """The first rows, the problems, what would happen, and the button that makes it so."""
    if table is None:
        heading("What will change", "nothing is saved yet")
        if state.remembered("facts_file") is None:
            st.caption("Choose a file to preview its rows and any problems. Nothing is saved yet.")
        else:
            st.caption("A preview appears here once the problems in the form are fixed.")
        review.to_review(opened)
        return
    waiting = _waiting(table)
    bad = len(table.rejected.keys() - waiting)
    facts = "" if table.good == len(table.rows) else counted(len(table.rows), "fact")
    counts = dotted(
        counted(table.good, "good row"),
        counted(bad, "bad row"),
        f"{counted(len(waiting), 'row')} with ambiguous dates" if waiting else "",
        f"{counted(table.without_fact, 'row')} without a fact" if table.without_fact else "",
        facts,
        "nothing is saved yet",
    )
    heading(table.name, counts)
    if table.rows:
        st.dataframe(_first_rows(table.rows), hide_index=True, height=240, key="first_rows", alt="First rows")
    if bad:
        _problems(table)
    if waiting:
        note(
            f"To read {counted(len(waiting), 'row')}, choose under <b>Column meanings</b> whether the day or the "
            "month comes first.",
            "a-warn",
        )
    mode = st.radio("Import", [_ALL, _GOOD], key="import_mode", horizontal=True) if bad else _ALL
    rows = table.rows if not waiting and (not bad or mode == _GOOD) else ()
    if bad and mode == _ALL:
        st.caption("Correct the file and upload it again, or import only the good rows.")
    brings_nothing = bool(rows) and not _plan(opened.name, table, rows)
    label = "Nothing new to import" if brings_nothing else f"Import {counted(len(rows), 'fact' if facts else 'row')}"
    unusable = not rows or brings_nothing
    followed_job.start_button(
        label, "import_rows", _queue, opened, bool(bad), icon=":material/check:", disabled=unusable
    )
    review.to_review(opened)


def _waiting(table: FactTable) -> set[int]:
    """The rows that can be read once the open question about their dates is answered."""
    if not columns.order_is_open():
        return set()
    beside = {problem.number for problem in table.problems if not problem.needs_order}
    return {problem.number for problem in table.problems if problem.needs_order} - beside


def bad_rows() -> None:
    """The bad rows of the file that was read last, to be saved; until another one is chosen."""
    table: FactTable | None = state.remembered(_TABLE)
    if table is not None and table.rejected:
        name, content = rejects_file(table)
        st.download_button(
            "Download the bad rows", content, name, icon=":material/download:", on_click="ignore", key="bad_rows"
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
    waiting = _waiting(table)
    found = [problem for problem in table.problems if problem.number not in waiting]
    rows = [{"Row": p.number, "Column": p.column or "—", "Problem": p.reason} for p in found[:_PROBLEMS]]
    say_if_cut(_PROBLEMS, len(found), "problem")
    st.dataframe(
        rows, hide_index=True, height=min(240, 38 + 35 * len(rows)), key="problems", alt="Bad rows with reasons"
    )
    bad_rows()


def _plan(workspace: str, table: FactTable, rows: Sequence[Row]) -> bool:
    """Draw what the import would do, in counts; planned once for each file and state of the graph. False where the
    graph has all of it.
    """
    if len(rows) > _PLANNED:
        st.caption(f"With more than {_PLANNED:,} rows, Asof counts the changes during the import.")
        return True
    asked = (id(table), len(rows), get_services().mirrors.of(workspace).version)
    if state.remembered("facts_plan_of") != asked:
        with st.spinner("Comparing with the graph…"):
            state.remember("facts_plan", preview_import(get_services().workspace(workspace), rows))
        state.remember("facts_plan_of", asked)
    plan: ImportPlan = state.remembered("facts_plan")
    signs = {"new": "added", "source": "same", "change": "ended", "correction": "corrected", "unchanged": "same"}
    parts = " ".join(
        f"{sign(signs[kind])} {counted(n, _WORDS[kind], _WORDS[kind])}" for kind, n in plan.counts.items() if n
    )
    st.html(f'<div class="a-sum" role="status">{parts}</div>')
    return not plan.is_empty


def _queue(opened: Opened, good_only: bool) -> str:
    """Queue the file as it was previewed; returns the id of the job.

    Raises `BadInput` if the press on the button also ended what was typed in a field: that was not previewed.
    """
    if state.remembered(_FIELDS) != _field_values():
        state.remember(_UNSEEN, True)
        raise BadInput(
            "Asof imported nothing: a field changed as you pressed “Import”.", "Check the preview, then import."
        )
    name, content, inclusive, mapping, sheet = state.remembered("facts_file_of")
    accounts = opened.services.accounts
    digest = accounts.uploads.put(content)
    item = import_item(name, digest, inclusive_ends=inclusive, good_only=good_only, mapping=mapping, sheet=sheet)
    id = accounts.jobs.add(opened.name, "import", name, [item], user_id=opened.user.id or None)
    undo_banner.forget()  # the import is the last change now, and its result has an Undo of its own
    return id
