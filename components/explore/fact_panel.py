"""The selected fact, beside the picture: its dates on both clocks, why it ended, and its sources."""

from datetime import datetime

import streamlit as st

from components import dates, state
from components.address import View
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import roots_of
from components.explore.sources import sources
from components.fact_actions import fact_menu
from components.fact_table import standing
from components.markup import Cell, chip, heading, link, relation, table, text
from services import cached
from services.agent import get_services
from services.core import date_wording, time_rule
from services.core.models import Fact
from services.mirror import Mirror
from services.writing import origin_of

_QUIET = {"ended", "not yet", "not recorded"}


def fact_panel(workspace: str, view: View, fact: Fact) -> None:
    """Draw the panel; `fact` as it is recorded, with what was learned later."""
    known = time_rule.as_known(fact, view.at.known_at)
    stands = standing(fact, view.at)
    css = "a-bad" if stands == "withdrawn" else "a-off" if stands in _QUIET else ""
    st.html(
        f'<span class="a-muted a-sm">Fact</span> {chip(css, _stands(fact, view))}'
        '<div class="a-big" role="heading" aria-level="2">'
        f"{_end(view, fact.source_uuid, fact.source)} {text(relation(fact.relation))} "
        f"{_end(view, fact.target_uuid, fact.target)}</div>"
        + (f'<div class="a-muted a-sm">{text(fact.text)}</div>' if fact.text else "")
    )
    with st.container(horizontal=True, gap="xsmall"):
        fact_menu(workspace, fact)
        st.button("Close", key="close_fact", icon=":material/close:", on_click=state.go, kwargs={"fact": None})
    heading("● In the world", level=3)
    table(
        _named(
            {
                "valid from": date_wording.start(known, dates.moment),
                "valid until": date_wording.stop(known, dates.moment),
            }
        ),
        label="When the fact was valid",
    )
    heading("○ In the graph", level=3)
    recorded = {
        "recorded": _when(known.created_at, "always"),
        "end recorded": _when(known.expired_at),
        "withdrawn": _when(known.withdrawn_at),
        "previous end": _when(known.believed_invalid_at),
    }
    table(_named(recorded), label="When the graph knew it")
    if cause := _cause(workspace, view, known):
        heading("Why the fact ended", level=3)
        st.html(f"<div>{cause}</div>")
    if fact.attributes:
        heading("Attributes", level=3)
        table(_named({name: str(value) for name, value in fact.attributes.items()}), label="Fact attributes")
    origin = "" if fact.episodes else origin_of(get_services().workspace(workspace), fact)
    sources(workspace, fact.episodes, key="fact_sources", origin=origin)


def _stands(fact: Fact, view: View) -> str:
    stands, doubt = standing(fact, view.at), date_wording.doubt_at(fact, view.at)
    if stands == "may have ended":
        return doubt
    words = f"{stands} on {dates.day(view.at.as_of)}"
    return f"{words}, started {doubt}" if doubt and stands == "holds" else words


def _end(view: View, uuid: str, name: str) -> str:
    return link("Explore", text(name), view.changed(ExploreView, entity=uuid, fact=None, roots=roots_of(view)))


def _when(value: datetime | None, missing: str = "") -> str:
    return dates.moment(value) if value else missing


def _named(values: dict[str, str]) -> list[list[Cell]]:
    return [[(text(name), "a-muted a-nw"), (text(value), "a-w")] for name, value in values.items() if value]


def _cause(workspace: str, view: View, fact: Fact) -> str:
    """Return what ended the fact: as recorded, else the fact of the same relation that begins where this one ends."""
    if fact.invalid_at is None:
        return ""
    if fact.ended_by:
        if later := cached.fact(workspace, fact.ended_by):
            return _linked(view, later)
        episode = cached.episode(workspace, fact.ended_by)
        return f"According to {text(episode.name)}" if episode else ""
    for later in cached.ask(Mirror.history, workspace, fact.source_uuid, view.at.known_at):
        same = later.source_uuid == fact.source_uuid and later.relation == fact.relation
        if same and later.valid_at == fact.invalid_at and later.uuid != fact.uuid:
            return f'{_linked(view, later)} <span class="a-muted">(inferred from the facts)</span>'
    return ""


def _linked(view: View, fact: Fact) -> str:
    words = f"{text(fact.source)} {text(relation(fact.relation))} <b>{text(fact.target)}</b>"
    there = view.changed(ExploreView, fact=fact.uuid, roots=roots_of(view))
    return f'{link("Explore", words, there)} <span class="a-muted">from {dates.fact_start(fact)}</span>'
