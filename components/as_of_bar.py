"""The sentence on top of every page that says, and sets, which dates the page speaks of.

"Facts valid on [● date] as known on [○ date]"; comparing, "What changed from [●] to [●] as known on [○]". ● is the
world's clock, ○ the graph's.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import streamlit as st

from components import clocks_card, dates, state, time_field
from components.address import View
from components.buttons import icon_button
from components.markup import clipped, plain, text
from services import cached
from services.core import clock
from services.core.models import Workspace
from services.language import add
from services.mirror import Mirror

Step = Callable[[int], None]

_UNREAD = 16
"""How much of a text that could not be read leaves the bar on one row at a width of 1280."""


def as_of_bar(view: View, workspace: str, *, label: str, summary: str, listed: Sequence[Workspace], step: Step) -> None:
    """Draw the bar. `step` moves to the change before (-1) or after (+1) the as-of date."""
    with st.container(key="asofbar", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="clocks", horizontal=True, vertical_alignment="center", gap="small", width="content"):
            _clocks(view, workspace)
        st.space("stretch")
        _workspace_menu(label, summary, listed)
        with st.container(key="steps", horizontal=True, vertical_alignment="center", gap="small", width="content"):
            _moves(view, step)


def _clocks(view: View, workspace: str) -> None:
    _words("What changed from" if view.comparing else "Facts valid on", "From" if view.comparing else "Valid on")
    world = _world_presets(workspace)
    _clock(
        "as_of",
        f"● {_named(view.as_of, view.at.as_of, 'now')}",
        "Valid on",
        view.as_of,
        view.at.as_of,
        workspace,
        world,
    )
    if view.comparing:
        backwards = "back to" if view.then.as_of < view.at.as_of else "to"
        _words(backwards, backwards)
        _clock("to", f"● {dates.moment(view.then.as_of)}", "And valid on", view.to, view.then.as_of, workspace, world)
    _words("as known on", "known on")
    _known(view, workspace)
    clocks_card.help_button()
    for slot in ("as_of", "to", "known_at", "to_known"):
        if words := time_field.unread(slot, getattr(view, slot)):
            title = f"“{words}” is not a date. Enter one such as 2018-06-15 or June 2018."
            st.html(f'<span class="a-chip a-warn" title="{text(title)}">? {text(clipped(words, _UNREAD))}</span>')


def _words(wide: str, narrow: str) -> None:
    st.html(
        f'<span class="a-wide">{wide}</span><span class="a-narrow" aria-hidden="true">{narrow}</span>', width="content"
    )


def _named(value: datetime | None, meant: datetime, word: str) -> str:
    """The instant, or the day that a word means; narrow windows show the word alone."""
    return dates.moment(value) if value else f"*{dates.day(meant)} ·* {word}"


def _ago() -> dict[str, datetime | None]:
    today = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return {"A month ago": add(today, -1, "month"), "A year ago": add(today, -1, "year")}


def _world_presets(workspace: str) -> time_field.Presets:
    """Today, a month and a year ago, and the first and last date of any fact."""
    bounds = cached.ask(Mirror.bounds, workspace)
    ends = {f"First: {dates.day(bounds[0])}": bounds[0], f"Last: {dates.day(bounds[1])}": bounds[1]} if bounds else {}
    return {"Today": None, **_ago(), **ends}


def _clock(
    slot: str,
    title: str,
    label: str,
    asked: datetime | None,
    meant: datetime,
    workspace: str,
    presets: time_field.Presets,
) -> None:
    with st.popover(title, key=f"clock_{slot}", help=f"Facts valid on this date. {dates.seconds_in_utc(meant)}"):
        time_field.time_field(workspace, slot, label, asked, presets)
        _picker(slot, label, asked, meant)


def _known(view: View, workspace: str) -> None:
    title = f"○ {_named(view.known_at, view.at.known_at, 'latest')}"
    if view.to_known:
        title += f" and ○ {dates.moment(view.to_known)}"
    meaning = f"What the graph had recorded by this date. {dates.seconds_in_utc(view.at.known_at)}"
    presets = {"Latest": None, **_ago()}
    with st.popover(title, key="clock_known", help=meaning):
        time_field.time_field(workspace, "known_at", "Known on", view.known_at, presets)
        _picker("known_at", "Known on", view.known_at, view.at.known_at)
        st.toggle(
            "Compare with another “known on” date",
            value=view.to_known is not None,
            key="known_second",
            help="Shows corrections: facts recorded, withdrawn or re-dated between the two dates.",
            on_change=_toggle_second_record_date,
        )
        if view.to_known:
            time_field.time_field(workspace, "to_known", "And known on", view.to_known, presets)
            _picker("to_known", "And known on", view.to_known, view.then.known_at)


def _picker(slot: str, label: str, asked: datetime | None, meant: datetime) -> None:
    """A date and a time that set one instant of the view; they show what was asked for, or the day that now is."""
    day_key, time_key = (time_field.widget_key(f"{slot}_{part}", asked) for part in ("date", "time"))
    state.remember(day_key, dates.shown(meant))
    state.remember(time_key, dates.split(meant)[1] if asked else None)
    day, time = st.columns(2)
    by_click = f"{label}: pick a date"
    dates.field("Calendar", key=day_key, place=day, on_change=_picked, args=(slot, day_key), help=by_click)
    time.time_input(
        f"Time, {dates.zone()}",
        key=time_key,
        step=1,
        help="Leave empty for the start of the day in UTC.",
        on_change=_picked,
        args=(slot, day_key, time_key),
    )


def _picked(slot: str, day_key: str, time_key: str = "") -> None:
    """Another date begins at its start: the time of the old one was not meant for it."""
    if day := state.remembered(day_key):
        state.update(**{slot: dates.join(day, state.remembered(time_key) if time_key else None)})


def _toggle_second_record_date() -> None:
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    view = state.held()
    if view.to_known:
        state.update(to_known=None)
    else:
        state.update(to_known=now, known_at=view.known_at or now - timedelta(days=365))


def _workspace_menu(label: str, summary: str, workspaces: Sequence[Workspace]) -> None:
    name = f"**{plain(label)}** · {summary}"
    with st.popover(name, key="workspace_menu", icon=":material/database:", help="Switch workspace"):
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


def _moves(view: View, step: Step) -> None:
    icon_button("previous_change", "Previous change", ":material/chevron_left:", step, -1)
    icon_button("next_change", "Next change", ":material/chevron_right:", step, 1)
    if view.comparing:
        icon_button("compare", "Back to one date", ":material/close:", state.go, to=None, to_known=None)
    else:
        there = view.at.as_of
        before = dates.join(dates.split(there - timedelta(days=365))[0], None) if there.year > 1 else there
        icon_button("compare", "Compare two dates", ":material/compare_arrows:", state.go, to=there, as_of=before)
    st.button(
        "Latest",
        key="latest",
        help="Set both clocks to now",
        on_click=state.go,
        kwargs=dict.fromkeys(("as_of", "known_at", "to", "to_known")),
    )
