"""Graphiti's communities and sagas beside the picture: what each is about, and who or what is part of it."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.address import View
from components.buttons import show_more
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import roots_of
from components.markup import Cell, clipped, counted, glyph, heading, link, of_today, prose, table, text
from components.palette import looks_of
from components.sources.sources_view import SourcesView
from services import cached
from services.core.group_records import Community, Saga
from services.core.models import Entity, Episode
from services.mirror import Mirror

_ROWS = 12
_LONG = 60


def group_of(workspace: str, view: View) -> Community | Saga | None:
    """The community or saga that the view shows, if there is one."""
    uuid = view.of(ExploreView).group
    if not uuid:
        return None
    groups: Sequence[Community | Saga] = (
        *cached.ask(Mirror.communities, workspace),
        *cached.ask(Mirror.sagas, workspace),
    )
    return next((group for group in groups if group.uuid == uuid), None)


def group_panel(workspace: str, view: View, group: Community | Saga) -> None:
    """Draw the panel of a community or a saga."""
    kind = "Community" if isinstance(group, Community) else "Saga"
    st.html(
        f'<span class="a-muted a-sm">{kind}</span>'
        f'<div class="a-big" role="heading" aria-level="2">{text(group.name)}</div>'
        + (f'<div class="a-muted a-sm">{prose(group.summary)}{of_today(view)}</div>' if group.summary else "")
    )
    st.button("Close", key="close_group", icon=":material/close:", on_click=show_group, args=(None,))
    if isinstance(group, Community):
        _members(workspace, view, cached.ask(Mirror.entities, workspace, group.member_uuids), group.uuid)
    else:
        _episodes(view, cached.ask(Mirror.episodes_of, workspace, group.uuid, view.at.known_at), group)


def show_group(uuid: str | None) -> None:
    """Show a community or a saga in the panel; None closes it."""
    state.update(ExploreView, group=uuid, entity=None, fact=None, roots=roots_of(state.held()))


def groups_of_entity(workspace: str, view: View, entity: Entity) -> None:
    """A line with the communities and the sagas that an entity is part of; nothing where there is none."""
    groups: Sequence[Community | Saga] = (
        *cached.ask(Mirror.communities_of, workspace, entity.uuid),
        *cached.ask(Mirror.sagas_of, workspace, entity.uuid),
    )
    if groups:
        shown = " · ".join(_link(view, group) for group in groups[:_ROWS])
        st.html(f'<div class="a-sm"><span class="a-muted">In</span> {shown}</div>')


def all_groups(workspace: str, view: View) -> None:
    """Lists of the communities and the sagas, the largest first; nothing where there are none."""
    communities = sorted(cached.ask(Mirror.communities, workspace), key=lambda one: -len(one.member_uuids))
    sagas = sorted(cached.ask(Mirror.sagas, workspace), key=lambda one: -len(one.episode_uuids))
    _list(
        "Communities",
        [_row(view, one, counted(len(one.member_uuids), "entity", "entities")) for one in communities],
    )
    _list("Sagas", [_row(view, one, counted(len(one.episode_uuids), "source")) for one in sagas])


def _list(title: str, rows: Sequence[Sequence[Cell]]) -> None:
    if rows:
        heading(title, f"{len(rows):,}", level=3)
        _cut(rows, title, title.lower())


def _cut(rows: Sequence[Sequence[Cell]], label: str, key: str) -> None:
    """A table of the first rows, with a button for the rest."""
    shown = rows if state.remembered(f"all_{key}") else rows[:_ROWS]
    table(shown, label=label)
    if len(shown) < len(rows):
        show_more(f"show_all_{key}", f"all_{key}", True, label=f"Show all {len(rows):,}")


def _row(view: View, group: Community | Saga, note: str) -> list[Cell]:
    return [(_link(view, group), "a-w"), (note, "a-muted a-nw")]


def _link(view: View, group: Community | Saga) -> str:
    there = view.changed(ExploreView, group=group.uuid, entity=None, fact=None, roots=roots_of(view))
    return link("Explore", text(clipped(group.name, _LONG)), there)


def _members(workspace: str, view: View, members: Sequence[Entity], uuid: str) -> None:
    heading("Members", counted(len(members), "entity", "entities"), level=3)
    looks, roots = looks_of(workspace), roots_of(view)
    rows: list[list[Cell]] = []
    for entity in members:
        there = view.changed(ExploreView, group=None, entity=entity.uuid, fact=None, roots=roots)
        name = link("Explore", text(clipped(entity.name, _LONG)), there)
        rows.append([(f'<span class="a-ty">{glyph(looks.get(entity.type))}{name}</span>', "a-w")])
    _cut(rows, "Community members", f"members_{uuid}")


def _episodes(view: View, episodes: Sequence[Episode], saga: Saga) -> None:
    """The episodes in their order; what happens after the as-of date is quiet."""
    until = f", summary up to {dates.day(saga.summarized_until)}" if saga.summary and saga.summarized_until else ""
    heading("Sources", f"{counted(len(episodes), 'source')} in order{until}", level=3)
    rows: list[list[Cell]] = []
    for number, episode in enumerate(episodes, 1):
        there = view.changed(SourcesView, source=episode.uuid, fact=None)
        later = episode.valid_at is not None and episode.valid_at > view.at.as_of
        rows.append(
            [
                (f"{number}.", "a-n a-muted"),
                (link("Sources", text(clipped(episode.name or "its text", _LONG)), there), "a-w"),
                (f"{dates.day(episode.valid_at)}{' · not yet' if later else ''}", "a-d a-muted" if later else "a-d"),
            ]
        )
    _cut(rows, "Sources in this saga", f"episodes_{saga.uuid}")
