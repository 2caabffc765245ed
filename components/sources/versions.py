"""The versions of a document, and what differs between two of them."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.markup import Cell, counted, note, say_if_cut, sign, table, text
from components.search.excerpt import marked
from services.core.models import Episode
from services.documents import LONGEST_DIFF, DiffLine, differences
from services.jobs import SourceTexts

_ROWS = 400
_BEFORE, _AFTER = "version_before", "version_after"


def versions(found: SourceTexts) -> None:
    """Draw the list of versions, and the comparison of two."""
    every = (found.episode, *found.earlier)
    table(
        [_row(found, episode, len(every) - place) for place, episode in enumerate(every)],
        [("Version", "a-nw"), ("Recorded", "a-d"), ("Date", "a-d"), ("Length", "a-n"), ("Facts", "a-n")],
        label="Versions",
    )
    names = {episode.uuid: _name(episode, len(every) - place) for place, episode in enumerate(every)}
    texts = {episode.uuid: episode.content for episode in every}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="versions_compared"):
        before = _choose("From", names, _BEFORE, every[1].uuid)
        after = _choose("To", names, _AFTER, every[0].uuid)
    found_lines = differences(texts[before], texts[after])
    if found_lines is None:
        note(f"These versions are too long to compare: the limit is {LONGEST_DIFF:,} lines.", "a-warn")
    elif not found_lines:
        st.html('<div class="a-muted a-sm">The texts are the same.</div>')
    else:
        _lines(found_lines)


def _row(found: SourceTexts, episode: Episode, number: int) -> list[Cell]:
    facts = sum(episode.uuid in fact.episodes for fact in found.facts)
    recorded = dates.moment(episode.created_at) if episode.created_at else ""
    name = f"{number} · present" if number == len(found.earlier) + 1 else str(number)
    return [
        (name, "a-nw"),
        (recorded, "a-d"),
        (dates.day(episode.valid_at), "a-d"),
        (f"{counted(len(episode.content), 'character')}", "a-n"),
        (f"{facts:,}", "a-n"),
    ]


def _name(episode: Episode, number: int) -> str:
    return f"{number} · {dates.moment(episode.created_at)}" if episode.created_at else str(number)


def _choose(label: str, names: dict[str, str], key: str, default: str) -> str:
    if state.remembered(key) not in names:
        state.remember(key, default)
    chosen = st.selectbox(label, list(names), key=key, format_func=names.__getitem__, width=230)
    return chosen if chosen in names else default


def _lines(lines: Sequence[DiffLine]) -> None:
    """The lines with their signs; of very many the first."""
    added, ended = (counted(sum(line.kind == kind for line in lines), "line") for kind in ("added", "ended"))
    st.html(f'<div class="a-sum" role="status">{sign("added")} {added} added {sign("ended")} {ended} removed</div>')
    rows = "".join(_line(line) for line in lines[:_ROWS])
    st.html(f'<div class="a-diff" tabindex="0" role="region" aria-label="What differs">{rows}</div>')
    say_if_cut(_ROWS, len(lines), "line", words="Showing the first")


def _line(line: DiffLine) -> str:
    if line.kind == "gap":
        return f'<div class="a-gap a-muted">{line.text} unchanged {"line" if line.text == "1" else "lines"}</div>'
    mark = "" if line.kind == "same" else sign(line.kind)
    words = marked(line.text, line.changed) if line.changed else text(line.text)
    return f'<div class="a-line a-{line.kind}-line"><span>{mark}</span><span>{words}</span></div>'
