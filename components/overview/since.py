"""What is new to a user on the Overview: what was recorded since his last visit, and the two clocks at his first."""

from datetime import datetime, timedelta

import streamlit as st

from components import clocks_card, dates
from components.address import View
from components.markup import link, sign
from components.shell import Opened
from services import cached
from services.accounts import Accounts, Mark
from services.core import clock
from services.core.models import ChangeKind
from services.mirror import Mirror

_PAUSE = timedelta(minutes=30)
"""Whoever comes back after so long comes for another visit."""
_KINDS: tuple[ChangeKind, ...] = ("added", "ended", "corrected", "re-dated")


def first_visit(opened: Opened) -> None:
    """Explain the two clocks, until the user has closed that."""
    user = opened.user.id
    if not user or opened.workspace.ask_accounts(lambda accounts: _has_seen_clocks(accounts, user), True):
        return
    with st.container(key="two_clocks_card", border=True):
        st.html(
            '<div class="a-h" role="heading" aria-level="2">Two clocks<small>Asof shows this card once; press “?” in '
            "the time bar to see it again</small></div>"
        )
        clocks_card.explanation()
        st.button("Got it", type="primary", key="two_clocks_seen", on_click=_mark, args=(opened, "two clocks", ""))


def since_last_visit(opened: Opened) -> None:
    """Say what was recorded since the user was here last; nothing where nothing was."""
    user = opened.user.id
    seen = opened.workspace.ask_accounts(lambda accounts: _visit(accounts, user, opened.name), None) if user else None
    if seen is None:
        return
    now = View().at.known_at
    totals = cached.ask(Mirror.recorded_totals, opened.name, seen, now)
    counts = " ".join(f"{sign(kind)} <b>{totals[kind]:,}</b> {kind}" for kind in _KINDS if totals.get(kind))
    if not counts:
        return
    there = opened.view.changed(as_of=None, to=None, known_at=seen, to_known=now)
    with st.container(key="since_last", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<div class="a-sum" role="status"><b>Recorded since your last visit</b>'
            f'<span class="a-muted a-sm">{dates.seconds_in_utc(seen)[:-4]}Z</span> {counts}</div>',
            width="content",
        )
        st.space("stretch")
        st.html(link("Explore", "Compare in Explore", there, css="a-link"), width="content")
        st.button("Mark as seen", key="mark_seen", on_click=_mark, args=(opened, "seen", opened.name))


def _has_seen_clocks(accounts: Accounts, user: str) -> bool:
    return accounts.marks.at(user, "two clocks") is not None


def _visit(accounts: Accounts, user: str, workspace: str) -> datetime:
    """Note that the user is here, and return until when he has seen what there is: the end of his last visit, or when
    he said so."""
    now, marks = clock.now(), accounts.marks
    before, seen = marks.at(user, "opened", workspace), marks.at(user, "seen", workspace)
    if before is None or seen is None or now - before > _PAUSE:
        seen = max(before or now, seen or clock.EARLIEST)
        marks.put(user, "seen", seen, workspace)
    if before is None or now - before > timedelta(minutes=1):
        marks.put(user, "opened", now, workspace)
    return seen


def _mark(opened: Opened, mark: Mark, workspace: str) -> None:
    opened.workspace.ask_accounts(
        lambda accounts: accounts.marks.put(opened.user.id, mark, clock.now(), workspace), None
    )
