"""The facts of a source, in the order of its text; the chosen one with where it leads and what can be done about it."""

from dataclasses import replace

import streamlit as st

from components import dates, state
from components.address import View
from components.buttons import show_more
from components.entity_picker import look_anew
from components.fact_actions import fact_menu
from components.fact_table import MARKS, fact_in_words, standing, standing_in_words
from components.markup import clipped, counted, dotted, heading, link, text
from components.shell import Opened
from components.sources.sources_view import SourcesView
from services.core import time_rule
from services.core.models import Fact
from services.jobs import SourceTexts

_MOST = 60
_SHOWN = "source_facts"


def facts(opened: Opened, found: SourceTexts) -> None:
    """Draw the list; facts stand as they are known now."""
    heading("Facts", _summary(found))
    if not found.facts:
        more = " Use “Extract again” to look for facts." if found.document else ""
        st.html(f'<div class="a-muted a-sm">No facts cite this source.{more}</div>')
        return
    if chosen := next((fact for fact in found.facts if fact.uuid == opened.view.fact), None):
        _chosen(opened, found, chosen)
    asked = state.remembered(_SHOWN, ("", _MOST))
    most = asked[1] if asked[0] == found.key else _MOST
    rows = "".join(f"<li>{_row(opened.view, found, fact)}</li>" for fact in found.facts[:most])
    st.html(f'<ol class="a-hits a-told" aria-label="Facts from this source">{rows}</ol>')
    if len(found.facts) > most:
        left = f"Show more · {len(found.facts) - most:,} left"
        show_more("source_facts_more", _SHOWN, (found.key, most * 4), label=left)


def _summary(found: SourceTexts) -> str:
    at = View().at
    holding = sum(standing(fact, at) == "holds" for fact in found.facts)
    alone = {found.episode.uuid, *(episode.uuid for episode in found.earlier)}
    others = sum(bool(set(fact.episodes) - alone) for fact in found.facts)
    return dotted(
        counted(len(found.facts), "fact") if found.facts else "",
        f"{holding:,} hold" if found.facts else "",
        f"{others:,} also from another source" if others else "",
    )


def _row(view: View, found: SourceTexts, fact: Fact) -> str:
    at = View().at
    stands, words = standing(fact, at), standing_in_words(fact, at)
    sign = f'<span role="img" aria-label="{words}" title="{words}">{MARKS[stands]}</span>'
    is_chosen = fact.uuid == view.fact
    there = replace(view, fact=None if is_chosen else fact.uuid)
    current = ' aria-current="true"' if is_chosen else ""
    where = "" if fact.uuid in found.places else " · not marked in the text"
    if found.episode.uuid not in fact.episodes:
        where = " · from an earlier version"
    return (
        f'{sign}<div{current}><div class="{"" if stands == "holds" else "a-muted"}">'
        f'{link("Sources", fact_in_words(fact), there)}</div><div class="a-muted a-sm">{words}{where}</div></div>'
        f'<span class="a-when">{_when(fact)}</span>'
    )


def _when(fact: Fact) -> str:
    return dates.fact_span(time_rule.as_known(fact, View().at.known_at))


def _chosen(opened: Opened, found: SourceTexts, fact: Fact) -> None:
    """The fact with its words in the text, its dates, and the ways on."""
    stands = standing_in_words(fact, View().at)
    place = found.places.get(fact.uuid)
    quote = found.episode.content[slice(*place)] if place else fact.text
    there = look_anew(opened.view.changed(SourcesView, source=None), fact.source_uuid, fact.uuid)
    recorded = f" · recorded {dates.moment(fact.created_at)}" if fact.created_at else ""
    with st.container(border=True, key="source_fact", gap="small"):
        st.html(
            f'<div class="a-lead">{fact_in_words(fact)}</div>'
            f'<div class="a-muted a-sm">{dotted(*dict.fromkeys((stands, _when(fact))))}{recorded}</div>'
            + (f'<div class="a-quote a-sm">{text(clipped(quote, 400))}</div>' if quote else "")
            + f'<div class="a-go">{link("Explore", "Show in graph", there, css="")}'
            f"{link('Timeline', 'Timeline', replace(there, fact=None), css='')}</div>"
        )
        with st.container(horizontal=True, gap="small"):
            fact_menu(opened.name, fact, key=f"correct_{fact.uuid}")
            st.button("Close", key="source_fact_close", type="tertiary", on_click=state.go, kwargs={"fact": None})
