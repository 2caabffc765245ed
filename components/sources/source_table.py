"""The sources as a table, page by page."""

from dataclasses import replace

import streamlit as st

from components import dates, problems, state
from components.address import View, parameters_of
from components.markup import Cell, chip, clipped, heading, link, table, text
from components.pager import PagePosition, pager
from components.shell import Opened
from components.sources import filters
from components.sources.sources_view import SourcesView
from services import cached
from services.core.source_records import Source, SourceState
from services.jobs import unfinished_items
from services.mirror import has_sources

CHIPS: dict[SourceState, tuple[str, str]] = {
    "read": ("a-off", "ingested"),
    "facts read": ("a-good", "✓ facts extracted"),
    "in review": ("a-warn", "? in review"),
    "failed": ("a-bad", "✕ failed"),
}
_HEAD: tuple[Cell, ...] = (
    ("Title", "a-w"),
    ("Kind", "a-nw"),
    ("State", "a-nw"),
    ("Date", "a-d"),
    ("Recorded", "a-d"),
    ("Versions", "a-n"),
    ("Passages", "a-n"),
    ("Facts", "a-n"),
    ("Entities", "a-n"),
    ("Tags", "a-tags"),
)
_TITLE, _TAGS = 110, 3


@st.fragment
@problems.guarded()
def listing(opened: Opened, *, has_tables: bool) -> None:
    """Draw filters and table; where nothing was ever taken in, what to do first. It runs by itself while one types.

    `has_tables` is true where tables were imported, which are listed elsewhere.
    """
    unfinished = unfinished_items(opened.workspace)
    if not unfinished and not cached.ask(has_sources, opened.name):
        if not has_tables:
            _nothing_yet()
        return
    heading("Sources", "where the graph's facts come from")
    asked = filters.filters()
    found = cached.sources(opened.name, asked, unfinished)
    if not found.sources and asked.offset:
        filters.first_page()
        found = cached.sources(opened.name, replace(asked, offset=0), unfinished)
    if not found.sources:
        _nothing_found()
        return
    at = PagePosition(asked.offset, asked.limit, len(found.sources), found.total)
    pager("sources", "source", at, filters.go_to)
    table([_row(opened.view, one) for one in found.sources], _HEAD, label="Sources")


def _row(view: View, one: Source) -> list[Cell]:
    there = view.changed(SourcesView, source=one.key, fact=None)
    why = one.unfinished.problem if one.unfinished else ""
    problem = f'<div class="a-muted a-sm">{text(clipped(why, 160))}</div>' if why else ""
    shown = one.holds != "item"
    return [
        (f"<b>{link('Sources', text(clipped(one.title, _TITLE)), there)}</b>{problem}", "a-c"),
        ("text" if one.kind == "episode" else one.kind, "a-nw"),
        (chip(*CHIPS[one.state]), "a-nw"),
        (dates.day(one.date), "a-d"),
        (dates.day(one.recorded_at) if shown else "", "a-d"),
        *((f"{number:,}" if shown else "", "a-n") for number in (one.versions, one.chunks, one.facts, one.entities)),
        (tags(one.tags), "a-tags"),
    ]


def tags(names: tuple[str, ...], most: int = _TAGS) -> str:
    """Tags as chips; of many the first."""
    chips = [chip("a-off", text(clipped(name, 24))) for name in names[:most]]
    return " ".join([*chips, *([f'<span class="a-muted">+{len(names) - most}</span>'] if len(names) > most else [])])


def _nothing_found() -> None:
    with st.container(horizontal_alignment="center", key="sources_nothing"):
        st.html(
            '<div class="a-empty"><div class="a-big">No sources match.</div>'
            '<div class="a-muted">Try other words or remove a filter.</div></div>'
        )
        st.button("Show all sources", key="sources_clear", on_click=filters.clear)


def _nothing_yet() -> None:
    with st.container(horizontal_alignment="center", key="sources_nothing"):
        st.html(
            '<div class="a-empty"><div class="a-big">No sources yet</div>'
            '<div class="a-muted">Everything you ingest is listed here, '
            "with the facts extracted from it.</div></div>"
        )
        if st.button("Add a source", key="sources_ingest", type="primary", icon=":material/input:"):
            st.switch_page("Ingest.py", query_params=parameters_of(View(workspace=state.held().workspace)))
