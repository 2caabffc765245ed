"""The strip of figures on top of the Overview."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from components.markup import text, trend


@dataclass(frozen=True, slots=True)
class Kpi:
    """One figure: what it counts, the count, a quiet line below, and its last years for the small bars."""

    label: str
    value: int
    note: str
    history: Sequence[float] = ()


def kpi_strip(figures: Sequence[Kpi]) -> None:
    """Draw the figures side by side; they wrap on a narrow window."""
    st.html(f'<div class="a-kpi" role="list">{"".join(_cell(f) for f in figures)}</div>')


def _cell(figure: Kpi) -> str:
    return (
        f'<div role="listitem"><div><span class="a-l">{text(figure.label)}</span>'
        f'<span class="a-v">{figure.value:,}</span><span class="a-s">{text(figure.note)}</span></div>'
        f"{trend(figure.history)}</div>"
    )
