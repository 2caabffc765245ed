"""What a damaged file lost: said on every page, and settled on the Health page."""

from collections.abc import Iterable

import streamlit as st

from components import confirm, dates, markup, problems, state, undo_banner
from services.agent import get_services
from services.core.models import Workspace
from services.writing import losses, write_back

_WRITTEN = "what a damaged file had lost was written back"


def missing(title: str, opened: str, listed: Iterable[Workspace]) -> None:
    """Say what is missing from the workspaces that the user sees; the Health page of `opened` says it by `settle`."""
    labels = {workspace.name: workspace.label for workspace in listed}
    for number, loss in enumerate(losses.losses(get_services())):
        if loss.workspace not in labels or (title == "Health" and loss.workspace == opened):
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"missing_{number}"):
            markup.note(_notice(loss, labels[loss.workspace]), "")
            if st.button("Open Health", key=f"to_losses_{number}"):
                st.switch_page("Health.py", query_params=state.written(state.View(loss.workspace)))


def settle(workspace: str, label: str) -> None:
    """Draw what is missing from a workspace, with the buttons that write it back or let it go."""
    bound = get_services().workspace(workspace)
    found = losses.losses_of(bound)
    if not found:
        return
    for loss in found:
        kept = f"<br>A copy of the damaged files is in {markup.text(loss.copy)}." if loss.copy else ""
        markup.note(_notice(loss, label) + kept, "")
    with st.container(horizontal=True, key="settle_losses"):
        back = "Write it back" if len(found) == 1 else "Write all of it back"
        st.button(back, type="primary", key="write_back", on_click=_write_back, args=(workspace,))
        if st.button("Let it go", key="let_losses_go", type="tertiary"):
            _let_go(workspace)


@problems.in_toast()
def _write_back(workspace: str) -> None:
    undo_banner.do(workspace, _WRITTEN, lambda opened, user: write_back.write_back(opened, user).change_set_id)


def _notice(loss: losses.Loss, label: str) -> str:
    when = f"Noticed at {dates.moment(loss.noticed_at)}."
    return f"<b>{markup.text(losses.loss_text(loss, label))}</b> {when}"


@confirm.dialog("Let the missing facts go?")
def _let_go(workspace: str) -> None:
    st.write("They stay missing, and the copy of the mirror that still has them is deleted. This cannot be undone.")
    confirm.answers("Let it go", lambda: losses.let_go(get_services().workspace(workspace)))
