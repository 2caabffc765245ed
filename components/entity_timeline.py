"""The parts of the Timeline page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import streamlit as st

from components import dates, entity_picker, markup, state, timeline, two_clocks
from components.change_list import change_list
from components.fact_table import fact_table, standing
from components.lanes import lay_out, value
from components.markup import clipped, counted, first_line, glyph, heading, relation, text
from components.palette import palette
from services import cached, clock, review
from services.models import Entity, Fact, Instants

_LANES, _CHANGES, _BELIEFS = 12, 12, 40
ALL, HOLDING = "All facts", "Only what holds"


@dataclass(frozen=True, slots=True)
class Subject:
    """The entity of the page, and every fact about it as it was known on the date."""

    workspace: str
    entity: Entity
    facts: tuple[Fact, ...]
    view: state.View

    @property
    def at(self) -> Instants:
        """The two clocks of the view."""
        return self.view.at


@dataclass(frozen=True, slots=True)
class Shown:
    """What the reader chose to see of it."""

    facts: tuple[Fact, ...]
    since: datetime | None


def find_subject(workspace: str, view: state.View) -> Subject | None:
    """The entity that the view names; None when there is none, which the page then says."""
    found = cached.entities(workspace, (view.entity,)) if view.entity else ()
    if not found and view.entity:
        found = cached.entities_named(workspace, view.entity)
    if found:
        if view.entity != found[0].uuid:
            view = state.update(entity=found[0].uuid)
        history = cached.history(workspace, found[0].uuid, view.at.known_at)
        return Subject(workspace, found[0], history, view)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<span class="a-big">Select an entity to see its facts.</span>', width="content")
        st.space("stretch")
        entity_picker.entity_picker(workspace)
    if view.entity:
        markup.note("The address names an entity that is not in this workspace.", "a-warn")
    entity_picker.hits(workspace)
    st.caption("Or start from one that changed most.")
    entity_picker.busiest(workspace, view.at)
    return None


def header(subject: Subject) -> Shown:
    """Name and counts, and what to show of it."""
    looks = palette([t.name for t in cached.types(subject.workspace)])
    mark = glyph(looks.get(subject.entity.type), subject.entity.type)
    held = sum(clock.true_at(f, subject.at) for f in subject.facts)
    counts = (
        f"{counted(len({f.relation for f in subject.facts}), 'relation')} · {counted(len(subject.facts), 'fact')} · "
        f"{held:,} hold on {dates.day(subject.at.as_of)}"
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="entity_head"):
        st.html(
            f'<div class="a-title">{mark}<span class="a-big">{text(_title(subject.entity))}</span>'
            f'<span class="a-muted">{counts}</span></div>',
            width="content",
        )
        if subject.entity.summary:
            with st.popover("About", type="tertiary"):
                st.text(subject.entity.summary)
        st.space("stretch")
        entity_picker.entity_picker(subject.workspace)
        st.markdown(":gray[since]", width="content")
        since = st.date_input(
            "Since",
            None,
            key="since",
            format="YYYY-MM-DD",
            label_visibility="collapsed",
            width=150,
            min_value=date(1, 1, 1),
            max_value=date(9999, 12, 31),
            persist_state="session",
            help="Show nothing that ended before this date",
        )
        which = st.segmented_control(
            "Show",
            [ALL, HOLDING],
            default=ALL,
            required=True,
            key="which_facts",
            label_visibility="collapsed",
            persist_state="session",
        )
    entity_picker.hits(subject.workspace)
    start = dates.join(since, None) if since else None
    return Shown(tuple(f for f in subject.facts if _is_shown(f, subject.at, start, which == HOLDING)), start)


def _title(entity: Entity) -> str:
    """The name, with the first line of the summary where that is short enough to be a title."""
    line = first_line(entity.summary)
    return f"{entity.name} · {line}" if line and len(line) <= 60 and line != entity.name else entity.name


def _is_shown(fact: Fact, at: Instants, since: datetime | None, holding: bool) -> bool:
    stop = clock.end(fact, at.known_at)
    if since is not None and stop is not None and stop <= since:
        return False
    return not holding or standing(fact, at) in {"holds", "undated"}


def gantt(subject: Subject, shown: Shown) -> tuple[review.Overlap, ...]:
    """The chart by relation; returns the facts that contradict each other."""
    one_valued = cached.one_valued_relations(subject.workspace, Instants(clock.LATEST, subject.at.known_at))
    clashes = review.overlaps(shown.facts, subject.at.known_at, one_valued)
    if not shown.facts:
        st.info("No fact to show here." if subject.facts else "The graph has no fact about it at this date of record.")
        return clashes
    asked = f"lanes_{subject.entity.uuid}"
    limit = state.remembered(asked, _LANES)
    laid = lay_out(shown.facts, subject.entity.uuid, subject.at, limit=limit, one_valued=one_valued)
    span = timeline.window([f for lane in laid.lanes for f in lane.facts], subject.at, shown.since)
    clashing = {o.first.uuid for o in clashes} | {o.second.uuid for o in clashes}
    timeline.gantt(laid.lanes, subject.entity.uuid, subject.view, span, clashing=clashing, on_click=_go_to)
    with st.container(horizontal=True, vertical_alignment="center"):
        timeline.gantt_key()
        if laid.total > len(laid.lanes):
            st.space("stretch")
            st.markdown(f":gray[Showing {len(laid.lanes):,} of {counted(laid.total, 'line')}]", width="content")
            more = min(laid.total, limit + 3 * _LANES)
            st.button("Show more", key="more_lanes", on_click=state.remember, args=(asked, more))
    return clashes


def _go_to() -> None:
    clicked = timeline.clicked_instant()
    if clicked is not None:
        state.update(as_of=clicked)


def contradictions(clashes: Sequence[review.Overlap]) -> None:
    """Facts that contradict each other, in words."""
    for clash in clashes[:3]:
        first, second = text(clash.first.target), text(clash.second.target)
        markup.note(
            f"<b>These contradict each other:</b> {text(relation(clash.first.relation))} “{first}” and “{second}” both "
            f"hold from {dates.day(clash.start)} to {dates.day(clash.stop, 'now')}.",
            "",
        )
    if len(clashes) > 3:
        st.caption(f"Showing 3 of {counted(len(clashes), 'contradiction')}.")


def what_was_true(subject: Subject) -> None:
    """The card: what holds on the date, relation by relation."""
    view = subject.view
    known = dates.named(view.known_at, view.at.known_at)
    heading(f"True on {dates.named(view.as_of, view.at.as_of)}", f"as known on {known}")
    held = [f for f in subject.facts if clock.true_at(f, subject.at)]
    if not held:
        first = min((f.valid_at for f in subject.facts if f.valid_at), default=None)
        later = first is not None and first > subject.at.as_of
        st.caption(f"Nothing yet. Its first fact begins on {dates.day(first)}." if later else "Nothing.")
        return
    rows: dict[str, list[Fact]] = {}
    for fact in held:
        incoming = fact.source_uuid != subject.entity.uuid
        rows.setdefault(relation(fact.relation) + (" of" if incoming else ""), []).append(fact)
    markup.table(
        [
            [(text(name), "a-nw a-muted"), (_values(group, subject), "a-w"), (_since(group), "a-d")]
            for name, group in rows.items()
        ],
        label="What was true on the date",
    )


def _values(group: Sequence[Fact], subject: Subject) -> str:
    names = [f"<b>{text(clipped(value(f, subject.entity.uuid)))}</b>" for f in group[:6]]
    return ", ".join(names) + (f" and {len(group) - 6:,} more" if len(group) > 6 else "")


def _since(group: Sequence[Fact]) -> str:
    return f"since {dates.day(min(f.valid_at for f in group if f.valid_at))}"


def what_changed(subject: Subject) -> None:
    """The changes with their causes: all of them, or those between two dates when comparing."""
    view, about = subject.view, subject.entity.uuid
    asked = f"changes_{about}"
    limit = state.remembered(asked, _CHANGES)
    if view.comparing:
        diff = cached.diff(subject.workspace, view.at, view.then, entity_uuid=about, limit=limit)
        found, total = diff.changes, sum(diff.totals.values())
        heading("What changed", f"{dates.moment(view.at.as_of)} → {dates.moment(view.then.as_of)}")
    else:
        ever = Instants(clock.LATEST, subject.at.known_at)
        found = cached.latest_changes(subject.workspace, ever, entity_uuid=about, limit=limit + 1)
        total = len(found)
        found = found[:limit]
        heading("What changed", "newest first")
    change_list(found, view, about=about, marked=not view.comparing)
    if total > limit:
        st.button("Show more", key="more_changes", on_click=state.remember, args=(asked, limit * 4))


def details(subject: Subject) -> None:
    """What was true and what changed; beside it the two clocks, where the entity has dated facts of its own."""
    history = cached.history(subject.workspace, subject.entity.uuid)
    own = [f for f in history if f.source_uuid == subject.entity.uuid and f.valid_at is not None]
    if not own:
        what_was_true(subject)
        what_changed(subject)
        return
    left, right = st.columns([7.2, 4.8], gap="medium")
    with left:
        what_was_true(subject)
        what_changed(subject)
    with right:
        _clocks(subject, own)


def _clocks(subject: Subject, own: Sequence[Fact]) -> None:
    """The two-clock chart of one relation, and how to read it."""
    one_valued = cached.one_valued_relations(subject.workspace, Instants(clock.LATEST, subject.at.known_at))
    names = sorted({f.relation for f in own}, key=lambda n: (n not in one_valued, -sum(f.relation == n for f in own)))
    with st.container(horizontal=True, vertical_alignment="center", key="clocks_head"):
        heading("Two clocks", "what the graph believed, and when")
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
    st.html(f'<div class="a-sm a-muted">{two_clocks.lesson()} {reading}</div>')
    if len(facts) > len(shown):
        st.caption(f"Showing the last {len(shown)} of {counted(len(facts), 'fact')}.")


def as_table(subject: Subject, shown: Shown) -> None:
    """The facts of the chart as rows."""
    with st.expander(f"The {counted(len(shown.facts), 'fact')} as a table"):
        fact_table(shown.facts[-2000:], subject.at, total=len(shown.facts), key="timeline_table")
