"""What was seen as right, and the way to look at it again."""

from itertools import groupby

import streamlit as st

from components import problems
from components.health.findings import Findings
from components.markup import counted
from services.accounts import Dismissal
from services.agent import get_services

_NAMES = {
    "retirement": ("retirement", "retirements"),
    "contradiction": ("contradiction", "contradictions"),
    "same entity": ("pair of entities", "pairs of entities"),
    "same fact": ("duplicate fact", "duplicate facts"),
    "orphan": ("unused entity", "unused entities"),
    "residue": ("orphan", "orphans"),
    "dates": ("fact with different dates in its source", "facts with different dates in their sources"),
    "undated": ("undated fact", "undated facts"),
}


def seen_as_right(workspace: str, found: Findings) -> None:
    """Counts of what was dismissed, kind by kind, each with a button that has it looked at again."""
    if found.dismissed:
        with st.expander(f"Marked as correct · {len(found.dismissed):,}", key="seen_as_right"):
            ordered = sorted(found.dismissed, key=lambda one: one.kind)
            for kind, group in groupby(ordered, key=lambda one: one.kind):
                _row(workspace, kind, tuple(group))


def _row(workspace: str, kind: str, held: tuple[Dismissal, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"seen_{kind}"):
        st.html(counted(len(held), *_NAMES.get(kind, (kind, kind))), width="stretch")
        st.button("Review again", key=f"again_{kind}", type="tertiary", on_click=_look_again, args=(workspace, held))


@problems.in_toast()
def _look_again(workspace: str, held: tuple[Dismissal, ...]) -> None:
    get_services().accounts.dismissals.take_back(workspace, held[0].kind, [one.key for one in held])
