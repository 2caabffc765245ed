"""Records from the future: a clock that was ahead wrote them, and until then nobody knows them."""

import streamlit as st

from components import change_preview, confirm
from components.health.findings import Findings
from components.health.rows import listed, row, when
from components.markup import clipped, text
from services.agent import get_services
from services.writing import corrections


def from_the_future(workspace: str, found: Findings) -> None:
    """Draw them, with the way to stamp all of them anew."""
    note = "a clock that was ahead wrote them; until then they count as unknown"
    for one in listed("future", "From the future", found.future, note):
        with row(f"future_{one.key}", "review", text(clipped(one.name, 90)), when("recorded", one.at)):
            pass
    if found.future.total and st.button("Stamp them anew…", key="restamp"):
        _restamp(workspace)


@confirm.dialog("Stamp records anew", width="medium")
def _restamp(workspace: str) -> None:
    made = corrections.preview_restamp(get_services().workspace(workspace))
    st.caption("Set this machine's clock right first. The order of the records stays, and the change can be undone.")
    change_preview.lines(made.lines)
    confirm.change("Stamp anew", workspace, made.title, lambda opened, user: corrections.restamp(opened, user_id=user))
