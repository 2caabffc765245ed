"""What narrows a search: each filter a button that says what it is set to, and opens on a click."""

from collections.abc import Callable, Sequence

import streamlit as st

from components import state
from components.lazy_containers import draw_when_open
from components.markup import clipped, plain, relation
from components.search.search_view import NO_FILTERS, SearchView, pick, search_again
from services import cached
from services.core.models import Document
from services.mirror import Mirror

_OFFERED = 2000
_WIDTH = 300


def facets(workspace: str, asked: SearchView, documents: Sequence[Document]) -> None:
    """Draw those that can apply to what is looked for, into the current row."""
    wide = asked.kind == "all"
    if wide or asked.kind == "entities":
        _several("types", "Type", [t.name for t in cached.ask(Mirror.types, workspace) if t.name], asked.types, str)
    if wide or asked.kind == "facts":
        _several(
            "relations",
            "Relation",
            [r.name for r in cached.ask(Mirror.relations, workspace)],
            asked.relations,
            relation,
        )
    if documents and (wide or asked.kind == "passages"):
        titles = {d.id: d.title or d.id for d in documents}
        _several("documents", "Source", list(titles), asked.documents, lambda id: titles.get(id, id))
        _section(workspace, asked)
        if any(d.reference_time for d in documents):
            _days(asked)
    if asked.filtered:
        st.button("Clear filters", key="clear_filters", type="tertiary", on_click=search_again, kwargs=NO_FILTERS)


def _several(
    field: str, title: str, offered: Sequence[str], chosen: tuple[str, ...], name: Callable[[str], str]
) -> None:
    """A filter of several values, any of which will do."""
    if not offered and not chosen:
        return
    summary = "" if not chosen else name(chosen[0]) if len(chosen) == 1 else f"{len(chosen):,}"
    box = st.popover(_label(title, summary), key=f"facet_{field}", on_change="rerun")
    draw_when_open(box, _values, field, title, offered, chosen, name)


def _values(
    field: str, title: str, offered: Sequence[str], chosen: tuple[str, ...], name: Callable[[str], str]
) -> None:
    key = f"facet_{field}_chosen"
    state.remember(key, list(chosen))
    st.multiselect(
        title,
        list(dict.fromkeys([*chosen, *offered[:_OFFERED]])),
        key=key,
        format_func=name,
        placeholder="Any",
        width=_WIDTH,
        on_change=pick,
        args=(field, key, tuple),
    )
    if len(offered) > _OFFERED:
        st.caption(f"Showing the first {_OFFERED:,} of {len(offered):,}.")


def _section(workspace: str, asked: SearchView) -> None:
    names = [n.name for n in cached.section_names(workspace)]
    if not names and not asked.section:
        return
    box = st.popover(_label("Section", asked.section), key="facet_section", on_change="rerun")
    draw_when_open(box, _sections, names, asked.section)


def _sections(names: Sequence[str], chosen: str) -> None:
    key = "facet_section_chosen"
    state.remember(key, chosen or None)
    st.selectbox(
        "Section",
        list(dict.fromkeys([*filter(None, [chosen]), *names[:_OFFERED]])),
        index=None,
        key=key,
        placeholder="Any",
        width=_WIDTH,
        on_change=pick,
        args=("section", key, lambda name: name or ""),
    )


def _days(asked: SearchView) -> None:
    days = f"{asked.since or ''} → {asked.until or ''}".strip() if asked.since or asked.until else ""
    with st.popover(_label("Date", days), key="facet_days", help="Document date"):
        for field, label, day in (("since", "From", asked.since), ("until", "To (inclusive)", asked.until)):
            state.remember(f"facet_{field}", day)
            st.date_input(
                label,
                key=f"facet_{field}",
                format="YYYY-MM-DD",
                min_value="0001-01-01",
                max_value="9999-12-30",
                on_change=pick,
                args=(field, f"facet_{field}"),
            )


def _label(title: str, value: str) -> str:
    return f"{title}: **{plain(clipped(value, 28))}**" if value else title
