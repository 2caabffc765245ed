"""Records from the future: a clock that was ahead wrote them, and until then nobody knows them."""

import streamlit as st

from components import confirm
from components.health.findings import Findings
from components.health.rows import listed, row, when
from components.markup import clipped, text
from services.agent import get_services
from services.writing import corrections


def from_the_future(workspace: str, found: Findings) -> None:
    """Draw them, with the way to stamp all of them anew."""
    note = "recorded while a computer's clock was ahead; ignored until their dates arrive"
    for one in listed("future", "Recorded in the future", found.future, note):
        with row(f"future_{one.key}", "review", text(clipped(one.name, 90)), when("recorded", one.at)):
            pass
    if found.future.total and st.button("Re-date them…", key="restamp"):
        _restamp(workspace)


@confirm.dialog("Re-date records", width="medium")
def _restamp(workspace: str) -> None:
    confirm.correction(
        "Re-date",
        workspace,
        "Correct this computer's clock first. The records keep their order, and you can undo this.",
        lambda: corrections.preview_restamp(get_services().workspace(workspace)),
        lambda opened, user: corrections.restamp(opened, user_id=user),
    )
