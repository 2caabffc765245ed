"""What every page opens with: the services, the workspace, the time bar, and plain words when something is missing."""

from dataclasses import dataclass

import streamlit as st

from components import (
    as_of_bar,
    background_tasks,
    damage_notice,
    dates,
    link_clicks,
    markup,
    problems,
    sign_in,
    state,
    still_reading,
    undo_banner,
)
from components.address import View
from services import cached
from services.accounts import User
from services.agent import App, get_services
from services.context import OpenWorkspace
from services.core.data_folder import HINT
from services.core.mirror_records import MirrorStatus
from services.core.models import Instants, TrueCounts, Workspace
from services.mirror import Mirror, change_after, change_before

DEMO = "peps"
_PATIENCE = 3.0
"""Seconds that a page waits for a mirror that is being made, before it says how far that is."""

_WAYS_IN = {
    "Text": ("Paste text", ":material/content_paste:"),
    "Files": ("Upload files", ":material/upload_file:"),
    "Table": ("Import a table", ":material/table:"),
}
"""Ways into an empty workspace: the form of the page Ingest, with the words of its button."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open page: what it works with, and for whom."""

    services: App
    user: User
    workspace: OpenWorkspace
    label: str
    view: View
    status: MirrorStatus

    @property
    def name(self) -> str:
        """The workspace's name, which is what services are asked with."""
        return self.workspace.name

    @property
    def at(self) -> Instants:
        """The two clocks of the view."""
        return self.view.at


def open_page(title: str, *, needs_facts: bool = True, dim_bar: bool = False) -> Opened:
    """The guard that each page calls first; it draws the time bar and stops a page that has nothing to show.

    `needs_facts` is false for pages that make sense on an empty workspace; `dim_bar` for those that the dates do not
    touch.
    """
    st.html(f'<h1 class="a-hidden">{markup.text(title)}</h1>')
    user = sign_in.signed_in()
    services = get_services()
    if problem := cached.save_problem():
        markup.note(f"<b>{markup.text(problem)}</b> You can read, but not save. {HINT}", "a-warn")
    link_clicks.take_from_address()
    listed = cached.workspaces_of(user)
    view = state.view()
    workspace = _chosen(listed, view)
    with st.skeleton():  # in the place of the bar, if the mirror is not open yet
        services.mirrors.open_within(workspace.name, _PATIENCE)
        if view.entity:
            cached.refresh_entity(workspace.name, view.entity)
    bound = services.workspace(workspace.name)
    opened = Opened(services, user, bound, workspace.label, state.view(), bound.status)
    with st.container(key="quiet_bar" if dim_bar else "bar"):
        _bar(opened, listed)
    damage_notice.missing(title, opened.name, listed)
    undo_banner.last_change_banner(opened.name)
    if opened.status.down:
        _graph_is_down(opened)
    if opened.status.reading:
        still_reading.still_reading(opened.workspace)
    if needs_facts and not opened.status.counts.facts:
        _nothing_here(opened)
    return opened


def needs_anything(opened: Opened) -> None:
    """Stop a page that needs facts or documents where the workspace has neither, with what to do first."""
    if not opened.status.counts.facts and not cached.ask(Mirror.documents, opened.name):
        _nothing_here(opened)


def _chosen(listed: tuple[Workspace, ...], view: View) -> Workspace:
    """The workspace of the view; the one to start with, where the address names none."""
    if not listed:
        markup.note("<b>You do not have access to a workspace yet.</b> Ask an administrator.")
        st.stop()
    name = view.workspace
    if name is None:
        name = _first(listed)
        state.update(workspace=name)
    found = next((w for w in listed if w.name == name), None)
    if found is None:
        markup.note(f"<b>There is no workspace “{markup.text(name)}”.</b> The link may be out of date.", "")
        st.button(
            "Open the first workspace",
            type="primary",
            on_click=state.open_workspace,
            args=(_first(listed),),
        )
        st.stop()
    return found


def _first(listed: tuple[Workspace, ...]) -> str:
    """The name of the workspace to start with, among those that the user sees."""
    home = cached.home()
    return home if any(w.name == home for w in listed) else listed[0].name


def _bar(opened: Opened, listed: tuple[Workspace, ...]) -> None:
    reading, totals = opened.status.reading, cached.ask(Mirror.totals, opened.name, opened.at)
    as_of_bar.as_of_bar(
        opened.view,
        opened.name,
        label=opened.label,
        summary=f"{reading.share:.0%} read" if reading else _summary(totals),
        listed=listed,
        step=lambda direction: _step(opened, direction),
    )


def _summary(totals: TrueCounts) -> str:
    return f"{totals.true:,} of {markup.counted(totals.recorded, 'fact')} hold"


@problems.in_toast()
def _step(opened: Opened, direction: int) -> None:
    """Move the as-of date to the change before or after it: of the selected entity, where there is one."""
    find = change_before if direction < 0 else change_after
    view = state.held()
    if found := cached.ask(find, opened.name, view.at, view.entity):
        state.update(as_of=found)
    else:
        st.toast("No earlier change." if direction < 0 else "No later change.")


@st.fragment(run_every="5s")
def _graph_is_down(opened: Opened) -> None:
    """Says what cannot be reached, and runs the page again once it is back."""
    status = opened.workspace.status
    if not status.down:
        st.rerun()
    shown = (
        f"the graph as last synced on {dates.moment(status.synced_at)}"
        if status.synced_at
        else "nothing, because Asof has no copy of the graph"
    )
    if (problem := cached.save_problem()) and problem in (status.down or ""):  # the page says so on top
        markup.note(f"Pages show {shown}.", "a-warn")
        return
    markup.note(
        f"<b>{markup.text(status.down or '')}</b> Pages show {shown}. "
        "You can save changes once the graph responds again. "
        "Test the connection on Settings.",
        "a-warn",
    )


def _nothing_here(opened: Opened) -> None:
    """The empty workspace: what to do first, and the demo's progress while it loads."""
    if opened.status.reading:
        st.stop()  # the page says how far it is
    if opened.status.down or damage_notice.has_losses(opened.name):
        st.stop()  # it is not known to be empty, and a notice says why
    admin = opened.user.is_admin  # the demo is a workspace of its own, which others have to be granted
    with st.container(horizontal_alignment="center", key="nothing_here"):
        st.html(
            '<div class="a-empty"><div class="a-big">No facts yet</div><div class="a-muted">'
            "Add your data. You review the facts before Asof saves them.</div></div>"
        )
        with st.container(horizontal=True, horizontal_alignment="center"):
            for place, (way, (label, icon)) in enumerate(_WAYS_IN.items()):
                if st.button(label, key=f"way_{way}", icon=icon, type="primary" if place == 0 else "secondary"):
                    state.remember("how", way)
                    st.switch_page("Ingest.py")
        if admin:
            about = "How 736 Python Enhancement Proposals have changed since 2000"
            is_there = opened.name != DEMO and cached.ask(Mirror.totals, DEMO, opened.at).recorded
            if is_there:
                st.button("Open the PEP demo", type="tertiary", help=about, on_click=state.open_workspace, args=(DEMO,))
            else:
                st.button("Load the PEP demo", type="tertiary", help=about, on_click=load_demo)
            background_tasks.progress(DEMO)
    st.stop()


def load_demo(*, reset: bool = False) -> None:
    """Load the demo in the background and open its workspace; for callbacks."""
    background_tasks.start_demo(DEMO, reset=reset)
    cached.forget_workspaces()
    state.open_workspace(DEMO)
