"""What was true of the entity on the date, what changed about it, and what the graph believed when."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.change_list import change_list
from components.fact_actions import correct_link, fact_menu
from components.fact_table import fact_table
from components.lazy_containers import draw_when_open
from components.markup import clipped, counted, heading, relation, say_if_cut, table, text
from components.timeline import two_clocks
from components.timeline.lanes import value
from components.timeline.subject import Subject
from services import cached
from services.agent import get_services
from services.core import clock, date_wording, time_rule
from services.core.models import Change, Fact, Instants
from services.mirror import Mirror, one_valued_relations
from services.writing import with_origins

_CHANGES, _BELIEFS, _VALUES, _ROWS = 12, 40, 6, 2000


def entity_details(subject: Subject) -> None:
    """Draw the parts; the two clocks stand beside the rest, where the entity has dated facts of its own."""
    history = cached.ask(Mirror.history, subject.workspace, subject.entity.uuid)
    own = [f for f in history if f.source_uuid == subject.entity.uuid and f.valid_at is not None]
    if not own:
        _what_was_true(subject)
        _what_may_have_ended(subject)
        _what_changed(subject)
        return
    left, right = st.columns([7.2, 4.8], gap="medium")
    with left:
        _what_was_true(subject)
        _what_may_have_ended(subject)
        _what_changed(subject)
    with right:
        _clocks(subject, own)


def _what_was_true(subject: Subject) -> None:
    """The card: what holds on the date, relation by relation."""
    view = subject.view
    heading(
        f"Valid on {dates.named(view.as_of, view.at.as_of)}",
        f"as known on {dates.named(view.known_at, view.at.known_at)}",
    )
    held = [f for f in subject.facts if time_rule.true_at(f, subject.at)]
    if not held:
        dated = [f for f in subject.facts if f.valid_at]
        first = min(dated, key=lambda f: f.valid_at or clock.LATEST, default=None)
        later = first is not None and first.valid_at is not None and first.valid_at > subject.at.as_of
        st.caption(f"Nothing yet. The first fact starts {dates.fact_begins(first)}." if first and later else "Nothing.")
    else:
        _by_relation(held, subject, "Facts valid on the date")
    _what_is_undated(subject, is_more=bool(held))


def _what_is_undated(subject: Subject, *, is_more: bool) -> None:
    """What may be true on the date, since nobody knows when it began: counted, and listed at a click."""
    undated = [f for f in subject.facts if time_rule.undated(f, subject.at)]
    if not undated:
        return
    kept = f"undated_{subject.entity.uuid}"
    if state.remembered(kept):
        _by_relation(undated, subject, "Without a date")
    words = (
        "Hide facts without a date"
        if state.remembered(kept)
        else f"Show {counted(len(undated), 'more fact' if is_more else 'fact')} without a date"
    )
    st.button(words, key="undated_facts", type="tertiary", on_click=state.toggle, args=(kept,))


def _what_may_have_ended(subject: Subject) -> None:
    """What ended sometime in the year or month of the date: by the rule it is not true any more."""
    over = [f for f in subject.facts if date_wording.may_have_ended(f, subject.at)]
    if over:
        heading("May have ended", f"by {dates.day(subject.at.as_of)}")
        _by_relation(over, subject, "Facts that may have ended by this date")


def _by_relation(facts: Sequence[Fact], subject: Subject, label: str) -> None:
    rows: dict[str, list[Fact]] = {}
    for fact in facts:
        incoming = fact.source_uuid != subject.entity.uuid
        rows.setdefault(relation(fact.relation) + (" of" if incoming else ""), []).append(fact)
    table(
        [
            [(text(name), "a-nw a-muted"), (_values(group, subject), "a-w"), (_since(group, subject.at), "a-d")]
            for name, group in rows.items()
        ],
        label=label,
    )


def _values(group: Sequence[Fact], subject: Subject) -> str:
    """The values; each with its start where these differ."""
    apart, shown = not _since(group, subject.at), group[:_VALUES]
    last = shown[-1]
    names = [
        f"<b>{text(clipped(value(f, subject.entity.uuid)))}</b>{' ' + _since([f], subject.at) if apart else ''}"
        f'{"," if f is not last else ""} <span class="a-sm">{correct_link("Timeline", subject.view, f.uuid)}</span>'
        for f in shown
    ]
    return " ".join(names) + (f" and {len(group) - _VALUES:,} more" if len(group) > _VALUES else "")


def _since(group: Sequence[Fact], at: Instants) -> str:
    """Say when all of them began, or what is not known of that on the date; "" where they began on different days."""
    words = {date_wording.doubt_at(f, at) or f"since {dates.fact_start(f, '')}" for f in group}
    return words.pop() if len(words) == 1 else ""


def _what_changed(subject: Subject) -> None:
    """The changes with their causes: all of them, or those between two dates when comparing."""
    view, about = subject.view, subject.entity.uuid
    asked = f"changes_{about}"
    limit = state.remembered(asked, _CHANGES)
    note = f"{dates.moment(view.at.as_of)} → {dates.moment(view.then.as_of)}" if view.comparing else "newest first"
    heading("What changed", note)
    found = _changes(subject, limit + 1)
    if not found:
        st.caption("Nothing changed between the two dates." if view.comparing else "Nothing has changed.")
        return
    shown = with_origins(get_services().workspace(subject.workspace), found[:limit])
    change_list(shown, view, about=about, marked=not view.comparing)
    if len(found) > limit:
        st.button("Show more", key="more_changes", on_click=state.remember, args=(asked, limit * 4))


def _changes(subject: Subject, limit: int) -> tuple[Change, ...]:
    view, about = subject.view, subject.entity.uuid
    if view.comparing:
        found = cached.ask(Mirror.diff, subject.workspace, view.at, view.then, entity_uuids=(about,), limit=limit)
        return found.changes
    ever = Instants(clock.LATEST, subject.at.known_at)
    return cached.ask(Mirror.latest_changes, subject.workspace, ever, entity_uuid=about, limit=limit)


def _clocks(subject: Subject, own: Sequence[Fact]) -> None:
    """The two-clock chart of one relation, and how to read it."""
    one_valued = cached.ask(one_valued_relations, subject.workspace, Instants(clock.LATEST, subject.at.known_at))
    names = sorted({f.relation for f in own}, key=lambda n: (n not in one_valued, -sum(f.relation == n for f in own)))
    with st.container(horizontal=True, vertical_alignment="center", key="clocks_head"):
        heading("Two clocks", "what the graph knew, and when")
        chosen = st.selectbox(
            "Relation",
            names,
            format_func=relation,
            key="clocks_relation",
            width=190,
            label_visibility="collapsed",
        )
    facts = [f for f in own if f.relation == chosen]
    shown = facts[-_BELIEFS:]
    two_clocks.two_clock_chart(shown, subject.view, name=relation(chosen))
    reading = text(two_clocks.reading(shown, subject.view, relation(chosen)))
    st.html(f'<div class="a-sm a-muted">{two_clocks.LESSON} {reading}</div>')
    say_if_cut(len(shown), len(facts), "fact", words="Showing the last")


def as_table(subject: Subject, shown: Sequence[Fact]) -> None:
    """The facts of the chart as rows, once they are asked for."""
    title = f"Show {counted(len(shown), 'fact')} as a table"
    draw_when_open(st.expander(title, key="timeline_rows", on_change="rerun"), _table, subject, shown)


def _table(subject: Subject, shown: Sequence[Fact]) -> None:
    chosen = fact_table(shown[-_ROWS:], subject.at, total=len(shown), key="timeline_table")
    if chosen and (recorded := cached.fact(subject.workspace, chosen.uuid)):
        fact_menu(subject.workspace, recorded)
    else:
        st.caption("Select a row to correct its fact.")
