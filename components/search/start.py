"""The Search page before anything is typed: what can be searched, examples from the data, and the documents."""

from collections.abc import Sequence

import streamlit as st

from components import dates
from components.address import View
from components.markup import counted, dotted, heading, link, plain, relation, table, text
from components.search.search_view import SearchView, search_again
from services import cached
from services.core.models import Counts, Document
from services.mirror import Mirror

_DOCUMENTS, _EXAMPLES = 50, 3


def start(workspace: str, view: View, counts: Counts, documents: Sequence[Document]) -> None:
    """Draw what the workspace has, examples, and its documents."""
    heading("Searchable content", _counts(counts, documents))
    if examples := _examples(workspace, view):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="search_examples"):
            st.html('<span class="a-muted a-sm">For example</span>', width="content")
            for number, words in enumerate(examples):
                st.button(plain(words), key=f"example_{number}", on_click=search_again, kwargs={"text": words})
    if documents:
        _table(view, documents)


def _counts(counts: Counts, documents: Sequence[Document]) -> str:
    passages = counted(sum(document.chunk_count for document in documents), "passage")
    return dotted(
        counted(counts.facts, "fact"),
        counted(counts.entities, "entity", "entities"),
        f"{passages} of {counted(len(documents), 'document')}" if documents else "",
    )


def _examples(workspace: str, view: View) -> list[str]:
    """A busy entity, what sections are on, and what is said of another entity."""
    busy = [item.entity.name for item in cached.ask(Mirror.busiest, workspace, view.at, _EXAMPLES)]
    sections = [t.canonical_name for t in cached.ask(Mirror.section_types, workspace)] or [
        n.name for n in cached.section_names(workspace)
    ]
    relations = [relation(r.name) for r in cached.ask(Mirror.relations, workspace)]
    about = [f"{busy[-1]} {relations[0]}"] if busy and relations else []
    return list(dict.fromkeys([*busy[:1], *sections[:1], *about, *busy[1:]]))[:_EXAMPLES]


def _table(view: View, documents: Sequence[Document]) -> None:
    cut = f"{_DOCUMENTS:,} of " if len(documents) > _DOCUMENTS else ""
    heading("Documents", f"{cut}{len(documents):,}")
    table(
        [
            [
                (link("Search", text(d.title or d.id), view.changed(SearchView, open=d.id, lines=None)), "a-w"),
                (f"{d.chunk_count:,}", "a-n"),
                (dates.day(d.reference_time, "undated"), "a-d"),
                (dates.day(d.updated_at), "a-d"),
            ]
            for d in documents[:_DOCUMENTS]
        ],
        [("Title", ""), ("Passages", "a-n"), ("Date", "a-d"), ("Ingested", "a-d")],
        label="Documents",
    )
