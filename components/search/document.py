"""A document in a drawer: its text with numbered lines, the passage marked, its sections as an outline."""

from pathlib import Path
from typing import Any

import streamlit as st

from components import dates, state
from components.markup import counted, dotted, note, plain
from components.search.search_view import SearchView, search_again
from services import cached
from services.core.models import StructuredDocument
from services.mirror import Mirror

_MOST = 20_000
_ASSETS = Path(__file__).parent / "assets"


def document_drawer(workspace: str, asked: SearchView) -> None:
    """Open the drawer on the document that the search names."""
    found = cached.ask(Mirror.document, workspace, asked.open)
    title = (found.document.title or found.document.id) if found else "Document not found"
    st.dialog(plain(title), width="large", position="right", on_dismiss=_close)(_inside)(workspace, found, asked)


def _close() -> None:
    search_again(shown=state.held().of(SearchView).shown)


def _inside(workspace: str, found: StructuredDocument | None, asked: SearchView) -> None:
    episode = cached.episode(workspace, found.document.episode_uuid) if found else None
    if found is None or episode is None:
        note(
            "<b>This document is not in this workspace.</b> Someone may have deleted it, or the link is out of date.",
            "a-warn",
        )
        return
    lines = episode.content.split("\n")
    st.caption(_about(found, len(lines)))
    reader(key="document_reader", data=reader_data(found, lines, asked))


def _about(found: StructuredDocument, lines: int) -> str:
    document = found.document
    return dotted(
        dates.day(document.reference_time),
        counted(lines, "line"),
        counted(len(found.chunks), "passage"),
        f"ingested {dates.day(document.updated_at)}",
        plain(document.path),
    )


def reader_data(found: StructuredDocument, lines: list[str], asked: SearchView) -> dict[str, Any]:
    """Return what the reader shows; of a very long text the part around the passage."""
    first, last = asked.lines or (0, 0)
    start = max(0, min(first - _MOST // 2, len(lines) - _MOST))
    shown = lines[start : start + _MOST]
    return {
        "id": found.document.id,
        "first": start + 1,
        "total": len(lines),
        "lines": shown,
        "passage": asked.lines,
        "words": {str(n): _words(asked.text, lines[n - 1]) for n in range(max(1, first), min(last, len(lines)) + 1)},
        "outline": [[s.name, s.level, s.start_line] for s in found.sections],
    }


def _words(question: str, line: str) -> list[tuple[int, int]]:
    from services.retrieval import spans

    return list(spans(question, line)) if question.strip() else []


_html, _css, _js = ((_ASSETS / f"reader.{kind}").read_text() for kind in ("html", "css", "js"))
reader = st.components.v2.component("asof_document_reader", html=_html, css=_css, js=_js)
"""The component that shows a text by lines with a passage of it marked."""
