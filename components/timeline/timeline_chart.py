"""The chart of the Timeline with what is said of it: what is left out, and what contradicts what."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.markup import counted, note, relation, say_if_cut, text
from components.timeline.gantt import gantt, gantt_key
from components.timeline.lanes import Laid, lay_out
from components.timeline.ruler import clicked_instant
from components.timeline.subject import Subject
from components.timeline.timeline_view import MOST_LANES, TimelineView
from components.timeline.window import window
from services import cached
from services.core import clock, contradictions
from services.core.models import Fact, Instants
from services.mirror import one_valued_relations

_MORE = 36
_CLASHES = 3


def lines(subject: Subject, shown: Sequence[Fact]) -> None:
    """Draw the facts by relation, those that contradict each other framed and told."""
    if not shown:
        st.info(
            "No facts match. Choose “All facts” or clear the “since” date."
            if subject.facts
            else "The graph had no facts about this entity on the “as known on” date. Choose a later date."
        )
        return
    view, about = subject.view, subject.entity.uuid
    chosen = view.of(TimelineView)
    one_valued = cached.ask(one_valued_relations, subject.workspace, Instants(clock.LATEST, subject.at.known_at))
    clashes = contradictions.overlaps(shown, subject.at.known_at, one_valued)
    laid = lay_out(shown, about, subject.at, limit=chosen.lanes, one_valued=one_valued)
    span = window([f for lane in laid.lanes for f in lane.facts], subject.at, chosen.since)
    clashing = {o.first.uuid for o in clashes} | {o.second.uuid for o in clashes}
    gantt(laid.lanes, about, view, span, clashing=clashing, on_click=_go_to)
    _below(laid, chosen.lanes)
    _contradictions(clashes)


def _go_to() -> None:
    if clicked := clicked_instant():
        state.update(as_of=clicked)


def _below(laid: Laid, most: int) -> None:
    """The key, and what was left out."""
    cut = [lane for lane in laid.lanes if lane.total > len(lane.facts)]
    with st.container(horizontal=True, vertical_alignment="center", key="gantt_below"):
        gantt_key()
        st.markdown(
            ":gray[:small[Click the chart to jump to a date; the facts that hold then are listed below.]]",
            width="content",
        )
        st.space("stretch")
        if cut:
            few, all_of_them = sum(len(lane.facts) for lane in cut), sum(lane.total for lane in cut)
            lanes = "a crowded row" if len(cut) == 1 else f"{len(cut)} crowded rows"
            words = f"In {lanes}, showing the {few:,} of {counted(all_of_them, 'fact')} nearest to the selected date"
            st.markdown(f":gray[{words}]", width="content")
        if laid.total > len(laid.lanes):
            st.markdown(f":gray[Showing {len(laid.lanes):,} of {counted(laid.total, 'row')}]", width="content")
            more = {"lanes": min(laid.total, most + _MORE, MOST_LANES)}
            st.button("Show more", key="more_lanes", on_click=state.go, args=(TimelineView,), kwargs=more)


def _contradictions(clashes: Sequence[contradictions.Overlap]) -> None:
    for clash in clashes[:_CLASHES]:
        first, second = text(clash.first.target), text(clash.second.target)
        note(
            f"<b>Contradiction:</b> {text(relation(clash.first.relation))} “{first}” and “{second}” both "
            f"hold from {dates.day(clash.start)} to {dates.day(clash.stop, 'now')}.",
            "",
        )
    say_if_cut(_CLASHES, len(clashes), "contradiction")
