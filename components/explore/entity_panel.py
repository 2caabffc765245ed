"""The selected entity, beside the picture: what holds, what ended, what is not yet, and where it comes from."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components import dates, state
from components.address import View, parameters_of
from components.buttons import show_more
from components.entity_actions import entity_menu
from components.explore import path_finder
from components.explore.canvas import expand
from components.explore.explore_view import ExploreView
from components.explore.group_panel import groups_of_entity
from components.explore.shown_graph import roots_of
from components.explore.sources import sources
from components.fact_table import Standing, standing
from components.markup import (
    Cell,
    clipped,
    counted,
    first_line,
    glyph,
    heading,
    link,
    of_today,
    prose,
    relation,
    table,
    text,
    titled,
    without_markup,
)
from components.palette import Look, looks_of
from services import cached
from services.core import date_wording, time_rule
from services.core.models import Entity, Fact, Path
from services.mirror import Mirror

_ROWS = 12
_LONG, _NAME, _WORD = 160, 36, 20
_GROUPS: tuple[tuple[Standing, str], ...] = (
    ("holds", "Holds"),
    ("undated", "Undated"),
    ("may have ended", "May have ended"),
    ("ended", "Ended"),
    ("not yet", "Not yet"),
)


def entity_panel(workspace: str, view: View, entity: Entity, path: Path | None) -> None:
    """Draw the panel."""
    looks = looks_of(workspace)
    _head(workspace, view, entity, looks)
    groups_of_entity(workspace, view, entity)
    path_finder.path_panel(workspace, view, entity, path)
    facts = cached.ask(Mirror.history, workspace, entity.uuid, view.at.known_at)
    others = tuple(dict.fromkeys(_other(fact, entity).uuid for fact in facts))
    types = {e.uuid: e.type for e in cached.ask(Mirror.entities, workspace, others)}
    groups: dict[str, list[Fact]] = {name: [] for name, _ in _GROUPS}
    for fact in facts:
        groups.setdefault(standing(fact, view.at), []).append(fact)
    for name, title in _GROUPS:
        if groups[name] or name == "holds":
            _group(view, entity, name, title, groups[name], {u: looks.get(t) for u, t in types.items()})
    sources(workspace, _episodes(groups["holds"] or facts), key="entity_sources")


def _head(workspace: str, view: View, entity: Entity, looks: Mapping[str, Look]) -> None:
    types = text(", ".join(entity.types) or "no type")
    kind = f'<span class="a-ty a-muted a-sm">{glyph(looks.get(entity.type))}{types}</span>'
    title = titled(entity.name, entity.summary)
    named = f'class="a-big" role="heading" aria-level="2" data-entity="{text(entity.name)}"'
    st.html(f"{kind}<div {named}>{text(title)}</div>{_summary(entity, title, of_today(view))}")
    with st.container(horizontal=True, gap="xsmall"):
        if st.button("Timeline", icon=":material/view_timeline:", key="to_timeline"):
            st.switch_page("Timeline.py", query_params=parameters_of(view.changed(ExploreView, roots=(), fact=None)))
        st.button("Expand", icon=":material/open_in_full:", key="expand", on_click=expand, args=(entity.uuid,))
        path_finder.path_box(workspace)
        entity_menu(workspace, entity)


def _summary(entity: Entity, title: str, dated: str) -> str:
    """Return the summary without what the title says; a long one unfolds, so that the facts stay in sight.

    `dated` says of which day it is.
    """
    words = entity.summary.strip()
    if title != entity.name:
        words = words.removeprefix(first_line(words)).strip()
    if len(words) <= _LONG:
        return f'<div class="a-muted a-sm">{prose(words)}{dated}</div>' if words else ""
    return (
        f'<details class="a-muted a-sm a-summary"><summary>{text(clipped(without_markup(words), _LONG))}</summary>'
        f"{prose(words)}{dated}</details>"
    )


def _group(
    view: View, entity: Entity, name: str, title: str, facts: Sequence[Fact], looks: Mapping[str, Look | None]
) -> None:
    when = {"holds": " on", "may have ended": " by", "not yet": ", after"}.get(name)
    note = f"{counted(len(facts), 'fact')}{when} {dates.day(view.at.as_of)}" if when else counted(len(facts), "fact")
    heading(title, note, level=3)
    if not facts:
        return
    key = f"all_{name}"
    shown = facts if state.remembered(key) == entity.uuid else facts[:_ROWS]
    table([_row(view, entity, fact, looks) for fact in shown], label=f"{title}: facts of {entity.name}")
    if len(shown) < len(facts):
        show_more(f"show_{key}", key, entity.uuid, label=f"Show all {len(facts):,}")


def _row(view: View, entity: Entity, fact: Fact, looks: Mapping[str, Look | None]) -> list[Cell]:
    other = _other(fact, entity)
    backwards = "" if fact.source_uuid == entity.uuid else "← "
    there = view.changed(ExploreView, entity=other.uuid, fact=None, group=None, roots=roots_of(view))
    itself = view.changed(ExploreView, fact=fact.uuid, roots=roots_of(view))
    value = f'<span class="a-ty">{glyph(looks.get(other.uuid))}{link("Explore", _name(other), there)}</span>'
    known = time_rule.as_known(fact, view.at.known_at)
    is_over = known.invalid_at is not None and known.invalid_at <= view.at.as_of
    when = dates.fact_span(known) if is_over and not known.ended_unknown else dates.fact_start(known)
    if more := _left_open(known, view, is_over=is_over):
        value += f'<div class="a-muted a-sm">{more}</div>'
    return [
        (link("Explore", backwards + text(relation(fact.relation)), itself), "a-muted a-nw"),
        (value, "a-w"),
        (when, "a-d"),
    ]


def _left_open(known: Fact, view: View, *, is_over: bool) -> str:
    """What the dates of a fact leave open, which is too long for their narrow column."""
    if known.ended_unknown and is_over:
        return date_wording.ended_unknown(known)
    doubt = date_wording.doubt(known, view.at.as_of)
    return doubt if is_over or not doubt else f"started {doubt}"


def _name(entity: Entity) -> str:
    """The name in a narrow column; of a long one the beginning, and the whole where the mouse rests."""
    short = clipped(entity.name, _NAME if " " in entity.name else _WORD)
    return text(short) if short == entity.name else f'<span title="{text(entity.name)}">{text(short)}</span>'


def _other(fact: Fact, entity: Entity) -> Entity:
    """The entity at the fact's other end, as far as the fact names it."""
    if fact.source_uuid == entity.uuid:
        return Entity(fact.target_uuid, fact.target)
    return Entity(fact.source_uuid, fact.source)


def _episodes(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(uuid for fact in facts for uuid in fact.episodes))
