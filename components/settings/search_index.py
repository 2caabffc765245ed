"""What search finds things by: which model made the vectors, what waits, and what can be made anew."""

from collections.abc import Callable

import streamlit as st

from components import background_tasks, problems
from components.markup import counted, heading, note, text
from components.shell import Opened
from services import cached
from services.context import OpenWorkspace
from services.core.background import Handle
from services.writing import rebuild_section_types

_HEIGHT = 90
Work = Callable[[OpenWorkspace, Handle], None]


@problems.guarded()
def search_index(opened: Opened) -> None:
    """Draw what can be found and by which model, and the buttons to embed everything anew and to group sections."""
    heading("Search", f"of {opened.label}")
    indexes = opened.services.indexes
    with st.skeleton(height=_HEIGHT):
        ready = indexes.of(opened.name)
    counts = {kind: int(alive.sum()) for kind, alive in ready.alive.items()}
    facts, passages = counted(counts["fact"], "fact"), counted(counts["chunk"], "passage")
    words = f"{facts}, {passages}, {counted(counts['entity'], 'entity', 'entities')}"
    st.caption(
        f"{words}. Embedding model: {indexes.embedder.name}. Asof computes embeddings on this computer, unless the "
        "settings name a remote model, and keeps them in the mirror."
    )
    if ready.stale_model:
        note(
            f"<b>The embeddings come from another model</b>, {text(ready.stale_model.name)}. Until you re-embed "
            "everything, search is by keyword only."
        )
    elif ready.waiting:
        st.markdown(
            f"Search finds {counted(ready.waiting, 'item')} only by keyword until the background embedding is complete."
        )
    with st.container(horizontal=True):
        if st.button("Re-embed"):
            _start(opened.workspace, "Re-embedding", _embed)
        if counts["chunk"] and st.button("Group sections", help="Groups sections on the same topic across documents"):
            _start(opened.workspace, "Grouping sections", _group)
    background_tasks.progress(opened.name)


def _start(workspace: OpenWorkspace, title: str, work: Work) -> None:
    cached.background().start(workspace.name, title, lambda handle: work(workspace, handle))
    st.toast(f"{title} continues in the background.", icon=":material/hourglass_top:")


def _embed(workspace: OpenWorkspace, handle: Handle) -> None:
    workspace.services.indexes.embed_anew(
        workspace.name, lambda done, total: handle.report(done, total, "embedded"), handle.cancelled
    )


def _group(workspace: OpenWorkspace, handle: Handle) -> None:
    handle.report(0, 1, "grouping")
    workspace.services.indexes.prepare(workspace.name)
    found = rebuild_section_types(workspace)
    handle.report(len(found), len(found) or 1, "section types")
