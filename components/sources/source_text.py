"""A source's text, in pieces where it is long, with what says its facts marked; a click on a mark opens the fact."""

from typing import Any

import streamlit as st

from components import state
from components.buttons import icon_button
from components.markup import note
from components.search.document import reader
from components.shell import Opened
from services.documents import Span, by_line, pieces
from services.jobs import SourceTexts

MOST = 30_000
"""Characters of a piece."""
_KEY, _PIECE = "source_reader", "source_piece"


def text_with_facts(opened: Opened, found: SourceTexts) -> None:
    """Draw the text, at the words of the chosen fact where one is chosen."""
    content = found.episode.content
    if not content.strip():
        note("The graph has no text for this source.", "a-warn")
        return
    cuts = pieces(content, MOST)
    chosen = found.places.get(opened.view.fact or "")
    number = _piece(found, cuts, chosen, opened.view.fact)
    if len(cuts) > 1:
        _turns(found, number, len(cuts))
    with st.container(key="source_text"):
        reader(key=_KEY, data=_data(found, cuts[number], chosen), on_chosen_change=_choose)


def _piece(found: SourceTexts, cuts: tuple[Span, ...], chosen: Span | None, fact: str | None) -> int:
    """The piece to show: the one turned to, or the one with the fact that was chosen since."""
    turned = state.remembered(_PIECE, ("", None, 0))
    if turned[:2] == (found.key, fact):
        return min(int(turned[2]), len(cuts) - 1)
    at = chosen[0] if chosen else 0
    return next(n for n, (_, stop) in enumerate(cuts) if at < stop or stop == cuts[-1][1])


def _turns(found: SourceTexts, number: int, count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="source_pieces"):
        st.html(f'<span class="a-muted a-sm" role="status">Part {number + 1} of {count}</span>', width="content")
        st.space("stretch")
        for label, name, icon, to in (
            ("Previous part", "before", ":material/chevron_left:", number - 1),
            ("Next part", "after", ":material/chevron_right:", number + 1),
        ):
            icon_button(f"piece_{name}", label, icon, _turn, found.key, to, disabled=not 0 <= to < count)


def _turn(key: str, to: int) -> None:
    state.remember(_PIECE, (key, state.held().fact, to))


def part(id: str, content: str, shown: Span) -> dict[str, Any]:
    """A part of a text for the reader, with nothing marked in it."""
    return {
        "id": id,
        "first": content.count("\n", 0, shown[0]) + 1,
        "total": content.removesuffix("\n").count("\n") + 1,
        "lines": content[slice(*shown)].removesuffix("\n").split("\n"),
        "passage": None,
        "words": {},
        "outline": [],
    }


def _data(found: SourceTexts, shown: Span, chosen: Span | None) -> dict[str, Any]:
    """The part with its facts marked; of facts that one sentence says the first stands for all."""
    content = found.episode.content
    data = part(found.episode.uuid, content, shown)
    lines = range(data["first"], data["first"] + len(data["lines"]))
    data["words"] = {str(number): marks for number, marks in by_line(content, shown, found.places).items()}
    data["outline"] = [[s.name, s.level, s.start_line] for s in found.sections if s.start_line in lines]
    if chosen is not None:
        data["chosen"] = min(uuid for uuid, place in found.places.items() if place == chosen)
        if chosen[0] < shown[1] and chosen[1] > shown[0]:
            start = content.count("\n", 0, chosen[0]) + 1
            data["passage"] = [start, start + content.count("\n", *chosen)]
    return data


def _choose() -> None:
    if chosen := state.remembered(_KEY, {}).get("chosen"):
        state.update(fact=None if state.held().fact == chosen else str(chosen))
