"""Where facts come from: the episodes, with their text, read only when they are asked for."""

import streamlit as st

from components import dates, state
from components.lazy_containers import draw_when_open
from components.markup import dotted, link, plain, say_if_cut, text
from components.sources.sources_view import SourcesView
from services import cached
from services.core.models import Episode
from services.mirror import Mirror

_SHOWN = 10
_LONGEST = 4000


def sources(workspace: str, episode_uuids: tuple[str, ...], *, key: str, origin: str = "") -> None:
    """An expander with the episodes' text; where there is none a line that says the `origin` instead."""
    if not episode_uuids:
        st.caption(f"{plain(origin)}." if origin else "The graph records no source.")
        return
    title = f"Sources · {len(episode_uuids):,}"
    draw_when_open(st.expander(title, key=key, on_change="rerun"), _episodes, workspace, episode_uuids)


def _episodes(workspace: str, uuids: tuple[str, ...]) -> None:
    for episode in cached.ask(Mirror.episodes, workspace, uuids[:_SHOWN]):
        _episode(episode)
    say_if_cut(_SHOWN, len(uuids), "source")


def _episode(episode: Episode) -> None:
    words = episode.content if len(episode.content) <= _LONGEST else episode.content[:_LONGEST] + " …"
    about = dotted(episode.source_description, dates.day(episode.valid_at))
    there = state.held().changed(SourcesView, source=episode.uuid, fact=None)
    name = link("Sources", text(episode.name or "its text"), there)
    st.html(
        f'<div class="a-h" role="heading" aria-level="4">{name}<small>{text(about)}</small></div>'
        f'<div class="a-source">{text(words)}</div>'
    )
