"""The entity that the Timeline is about, and what the reader chose to see of it."""

from dataclasses import dataclass

import streamlit as st

from components import dates, entity_picker, state
from components.address import View
from components.entity_actions import entity_menu
from components.fact_table import standing
from components.header.finder import entity_finder
from components.markup import counted, dotted, glyph, note, of_today, prose, text, titled
from components.palette import looks_of
from components.timeline.timeline_view import TimelineView
from services import cached
from services.core import time_rule
from services.core.models import Entity, Fact, Instants
from services.mirror import Mirror

ALL, HOLDING = "All facts", "Valid facts only"
_SINCE = "since"


@dataclass(frozen=True, slots=True)
class Subject:
    """The entity of the page, and every fact about it as it was known on the date."""

    workspace: str
    entity: Entity
    facts: tuple[Fact, ...]
    view: View

    @property
    def at(self) -> Instants:
        """The two clocks of the view."""
        return self.view.at


def find_subject(workspace: str, view: View) -> Subject | None:
    """The entity that the view names; None when there is none, which the page then says."""
    view = entity_picker.by_name(workspace, view)
    entity = cached.entity(workspace, view.entity)
    if entity is None:
        _offer(workspace, view)
        return None
    return Subject(workspace, entity, cached.ask(Mirror.history, workspace, entity.uuid, view.at.known_at), view)


def _offer(workspace: str, view: View) -> None:
    """Ways to an entity: its name, or one that changed most."""
    if view.entity:
        note(
            "<b>This entity is not in this workspace.</b> Someone may have deleted it, or the link is out of date.",
            "a-warn",
        )
    with st.container(key="nobody", horizontal_alignment="center", gap="medium"):
        st.html('<div class="a-big">Select an entity to see its facts.</div>', width="content")
        entity_finder(workspace, entity_picker.open_entity, key="find_entity", width=360)
        st.html('<div class="a-muted">Or start with one of the most changed entities.</div>', width="content")
        entity_picker.busiest(workspace, view.at)


def header(subject: Subject) -> tuple[Fact, ...]:
    """Name and counts, and what to show of it; returns the facts to show."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="entity_head"):
        st.html(_named(subject), width="content")
        if subject.entity.summary:
            with st.popover("About", type="tertiary"):
                st.html(f'<div class="a-prose">{prose(subject.entity.summary)}{of_today(subject.view)}</div>')
        entity_menu(subject.workspace, subject.entity)
        st.space("stretch")
        entity_finder(subject.workspace, entity_picker.open_entity, key="find_entity")
        which = _choices(subject.view)
    return tuple(f for f in subject.facts if _is_shown(f, subject, holding=which == HOLDING))


def _named(subject: Subject) -> str:
    entity, facts = subject.entity, subject.facts
    held = sum(time_rule.true_at(f, subject.at) for f in facts)
    counts = dotted(
        counted(len({f.relation for f in facts}), "relation"),
        counted(len(facts), "fact"),
        f"{held:,} hold on {dates.day(subject.at.as_of)}",
    )
    return (
        f'<div class="a-title">{glyph(looks_of(subject.workspace).get(entity.type), entity.type)}'
        f'<span class="a-big" role="heading" aria-level="2">{text(titled(entity.name, entity.summary))}</span>'
        f'<span class="a-muted">{counts}</span></div>'
    )


def _choices(view: View) -> str:
    state.remember(_SINCE, dates.shown(view.of(TimelineView).since))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
        st.markdown(":gray[since]", width="content")
        dates.field(
            "Since",
            key=_SINCE,
            label_visibility="collapsed",
            width=140,
            help="Hide facts that ended before this date",
            on_change=_begin_from,
        )
    return st.segmented_control(
        "Show",
        [ALL, HOLDING],
        default=ALL,
        required=True,
        key="which_facts",
        label_visibility="collapsed",
        persist_state="session",
    )


def _begin_from() -> None:
    state.update(TimelineView, since=dates.instant_of(state.remembered(_SINCE), None))


def _is_shown(fact: Fact, subject: Subject, *, holding: bool) -> bool:
    stop, since = time_rule.end(fact, subject.at.known_at), subject.view.of(TimelineView).since
    if since is not None and stop is not None and stop <= since:
        return False
    return not holding or standing(fact, subject.at) in {"holds", "undated", "may have ended"}
