"""The source behind a citation in a drawer: the text that it stands in, with its words marked."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components import dates, link_clicks, state
from components.ask.ask_view import AskView
from components.ask.retrieved import Retrieved
from components.buttons import pencil
from components.fact_table import fact_in_words
from components.markup import counted, dotted, note, plain, text
from components.search.document import reader
from services import cached
from services.agent import get_services
from services.core.answer_records import Citation, ToolCall
from services.core.models import Fact
from services.mirror import Mirror
from services.writing import origin_of

_Spans = dict[str, list[tuple[int, int]]]


def drawer(workspace: str, one: Citation, read: Retrieved | None, calls: Sequence[ToolCall]) -> None:
    """Open it."""
    title = {"fact": "Fact", "chunk": "Passage", "result": "Query result"}[one.kind]
    inside = st.dialog(f"Source {one.n} · {title}", width="large", position="right", on_dismiss=_close)
    inside(_in_drawer)(workspace, one, read, calls)


def _close() -> None:
    state.update(AskView, cited=None)


def _in_drawer(workspace: str, one: Citation, read: Retrieved | None, calls: Sequence[ToolCall]) -> None:
    """Draw what is inside; by the container's key the stylesheet leaves half of the page free."""
    with st.container(key="drawer"):
        _inside(workspace, one, read, calls)


def _inside(workspace: str, one: Citation, read: Retrieved | None, calls: Sequence[ToolCall]) -> None:
    if one.kind == "fact" and (fact := _fact(workspace, one, read)) is not None:
        recorded = f" · recorded {dates.day(fact.created_at)}" if fact.created_at else ""
        st.html(
            f'<div class="a-lead">{fact_in_words(fact)}</div><div class="a-muted a-sm">'
            f"{dates.fact_span(fact)}{recorded}</div>"
        )
        if pencil("Edit fact", "correct_cited"):
            _correct(fact.uuid)
            st.rerun()
    if one.kind == "result":
        _result(one, calls)
    elif one.kind == "chunk":
        _passage(workspace, one)
    else:
        _episode(workspace, one, read)


def _correct(fact_uuid: str) -> None:
    """The form is a dialog too, so this one closes first."""
    _close()
    state.remember(link_clicks.CORRECT, fact_uuid)


def _fact(workspace: str, one: Citation, read: Retrieved | None) -> Fact | None:
    """The fact as the answer knew it; of one that its message did not keep, as it stands."""
    return read.fact if read is not None else cached.fact(workspace, one.id)


def _result(one: Citation, calls: Sequence[ToolCall]) -> None:
    """Draw the call behind a citation of no record, such as a count or a path, with all that it gave."""
    call = next((call for call in calls if call.id == one.id), None)
    if call is None:
        note("The cited query result no longer exists. Ask the question again to get a new one.", "a-warn")
        return
    st.caption(plain(f"{call.tool} · {call.summary}"))
    st.json(dict(call.input))
    st.json(call.output, expanded=2)


def _episode(workspace: str, one: Citation, read: Retrieved | None) -> None:
    episode = cached.episode(workspace, one.episode_id)
    if episode is None:
        fact = _fact(workspace, one, read)
        origin = origin_of(get_services().workspace(workspace), fact) if fact else ""
        note(f"{text(origin)}." if origin else "The graph records no source for this fact.", "a-info")
        return
    st.caption(plain(dotted(episode.name, episode.source_description, dates.day(episode.valid_at))))
    lines = episode.content.split("\n")
    passage, words = spanned(lines, one.start, one.end)
    reader(key="source_reader", data=_data(episode.uuid, lines, passage, words, []))


def _passage(workspace: str, one: Citation) -> None:
    found = cached.ask(Mirror.document, workspace, one.document_id or "")
    episode = cached.episode(workspace, found.document.episode_uuid) if found else None
    if found is None or episode is None:
        note("The document is no longer in this workspace. The quoted text was:", "a-warn")
        st.text(one.quote)
        return
    chunk = next((chunk for chunk in found.chunks if chunk.id == one.id), None)
    lines = episode.content.split("\n")
    st.caption(plain(f"{found.document.title or found.document.id} · {counted(len(lines), 'line')}"))
    passage = (chunk.start_line, chunk.end_line) if chunk else None
    outline = [[section.name, section.level, section.start_line] for section in found.sections]
    words = quoted(lines, one.quote, passage or (1, len(lines)))
    reader(key="source_reader", data=_data(found.document.id, lines, passage, words, outline))


def _data(
    id: str, lines: list[str], passage: tuple[int, int] | None, words: _Spans, outline: list[Any]
) -> dict[str, Any]:
    return {
        "id": id,
        "first": 1,
        "total": len(lines),
        "lines": lines,
        "passage": passage,
        "words": words,
        "outline": outline,
    }


def spanned(lines: Sequence[str], start: int | None, end: int | None) -> tuple[tuple[int, int] | None, _Spans]:
    """The lines that a span of the whole text covers, counted from 1, and what of each it covers."""
    words: _Spans = {}
    at = 0
    for number, line in enumerate(lines, 1):
        first, last = max(0, (start or 0) - at), min(len(line), (end or 0) - at)
        if first < last:
            words[str(number)] = [(first, last)]
        at += len(line) + 1
    numbers = [int(number) for number in words]
    return ((min(numbers), max(numbers)) if numbers else None), words


def quoted(lines: Sequence[str], quote: str, within: tuple[int, int]) -> _Spans:
    """Return the spans of each line that a quotation covers; one of several lines is looked for line by line."""
    words: _Spans = {}
    for part in filter(None, (part.strip() for part in quote.split("\n"))):
        for number in range(max(1, within[0]), min(within[1], len(lines)) + 1):
            at = lines[number - 1].find(part)
            if at >= 0:
                words.setdefault(str(number), []).append((at, at + len(part)))
                break
    return words
