"""The sentence on top of every page that says, and sets, which dates the page speaks of.

"What was true on [● date] as known on [○ date]"; comparing, "What changed from [●] to [●] as known on [○]". ● is the
world's clock, ○ the graph's.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import streamlit as st

from components import dates, state
from components.buttons import icon_button
from components.markup import plain
from services.core.models import Workspace

Step = Callable[[int], None]


def as_of_bar(view: state.View, *, label: str, summary: str, workspaces: Sequence[Workspace], step: Step) -> None:
    """Draw the bar. `step` moves to the change before (-1) or after (+1) the as-of date."""
    with st.container(key="asofbar", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("What changed from" if view.comparing else "What was true on", width="content")
        _clock("as_of", f"● {_named(view.as_of, 'now')}", "As of", view.as_of, view.at.as_of)
        if view.comparing:
            st.markdown("to", width="content")
            _clock("to", f"● {dates.moment(view.then.as_of)}", "To", view.to, view.then.as_of)
        st.markdown("as known on", width="content")
        _known(view)
        st.space("stretch")
        _workspace_menu(label, summary, workspaces)
        _moves(view, step)


def _named(value: datetime | None, word: str) -> str:
    return dates.moment(value) if value else f"{dates.day(datetime.now(UTC))} · {word}"


def _clock(slot: str, title: str, label: str, asked: datetime | None, meant: datetime) -> None:
    with st.popover(title, key=f"clock_{slot}", help=f"{label}: a date on the world's clock. {dates.in_utc(meant)}"):
        _picker(slot, label, asked, meant)
        if slot == "as_of":
            st.button("Now", key="as_of_now", on_click=state.go, kwargs={"as_of": None})


def _known(view: state.View) -> None:
    title = f"○ {_named(view.known_at, 'latest')}"
    if view.to_known:
        title += f" and ○ {dates.moment(view.to_known)}"
    meaning = f"Known at: what the graph had recorded by then. {dates.in_utc(view.at.known_at)}"
    with st.popover(title, key="clock_known", help=meaning):
        _picker("known_at", "Known at", view.known_at, view.at.known_at)
        st.button("Latest", key="known_latest", on_click=state.go, kwargs={"known_at": None})
        st.toggle(
            "Compare with what was known on another date",
            value=view.to_known is not None,
            key="known_second",
            help="Shows corrections: records that were added, withdrawn or re-dated between the two.",
            on_change=_toggle_second_record_date,
        )
        if view.to_known:
            _picker("to_known", "And known at", view.to_known, view.then.known_at)


def _picker(slot: str, label: str, asked: datetime | None, meant: datetime) -> None:
    """A date and a time that set one instant of the view; they show what was asked for, or the day that now is."""
    state.remember(f"{slot}_date", dates.shown(meant))
    state.remember(f"{slot}_time", dates.split(meant)[1] if asked else None)
    dates.field(label, key=f"{slot}_date", on_change=_picked, args=(slot,))
    st.time_input(
        f"{label}: time, {dates.zone()}",
        key=f"{slot}_time",
        step=1,
        help="Leave it empty for the start of that day in UTC.",
        on_change=_picked,
        args=(slot, f"{slot}_time"),
    )


def _picked(slot: str, time_key: str = "") -> None:
    """Another date begins at its start: the time of the old one was not meant for it."""
    if day := state.remembered(f"{slot}_date"):
        state.update(**{slot: dates.join(day, state.remembered(time_key) if time_key else None)})


def _toggle_second_record_date() -> None:
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    view = state.held()
    if view.to_known:
        state.update(to_known=None)
    else:
        state.update(to_known=now, known_at=view.known_at or now - timedelta(days=365))


def _workspace_menu(label: str, summary: str, workspaces: Sequence[Workspace]) -> None:
    with st.popover(f"{plain(label)} · {summary}", key="workspace_menu", type="tertiary", help="Switch the workspace"):
        for workspace in workspaces:
            st.button(
                plain(workspace.label),
                key=f"workspace_{workspace.name}",
                type="tertiary",
                icon=":material/check:" if workspace.label == label else ":material/database:",
                on_click=state.open_workspace,
                args=(workspace.name,),
            )
        st.page_link("Settings.py", label="Manage workspaces", icon=":material/settings:")


def _moves(view: state.View, step: Step) -> None:
    icon_button("previous_change", "Previous change", ":material/chevron_left:", step, -1)
    icon_button("next_change", "Next change", ":material/chevron_right:", step, 1)
    if view.comparing:
        icon_button("compare", "Back to one date", ":material/close:", state.go, to=None, to_known=None)
    else:
        there = view.at.as_of
        before = there - timedelta(days=365) if there.year > 1 else there
        icon_button("compare", "Compare two dates", ":material/compare_arrows:", state.go, to=there, as_of=before)
    st.button(
        "Latest",
        key="latest",
        help="Both clocks to now",
        on_click=state.go,
        kwargs=dict.fromkeys(("as_of", "known_at", "to", "to_known")),
    )
