"""One source: what it is, its text with its facts marked in it, the facts, its versions, and what can be done."""

import streamlit as st

from components import dates, state
from components.lazy_containers import draw_when_open
from components.markup import chip, counted, dotted, note, text
from components.shell import Opened
from components.sources import actions, facts, source_text, unfinished_item, versions
from components.sources.source_table import CHIPS, tags
from components.sources.sources_view import SourcesView
from services import cached
from services.core.source_records import Unfinished
from services.jobs import SourceTexts, unfinished_items


def one(opened: Opened, key: str) -> None:
    """Draw the document, episode or item of that key."""
    st.button(
        "All sources",
        key="all_sources",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=state.go,
        args=(SourcesView,),
        kwargs={"source": None, "fact": None},
    )
    found = cached.source_texts(opened.name, key) or _of_item(opened, key)
    about = (key, found.key) if found else (key,)
    unfinished = unfinished_items(opened.workspace)
    item = next((one for one in unfinished if one.item_id == key or one.document_id in about), None)
    if found is not None:
        _source(opened, found, item)
    elif not unfinished_item.alone(opened, key, item):
        note(
            "<b>This workspace has no such source.</b> Someone may have deleted it, or the link is out of date.",
            "a-warn",
        )


def _of_item(opened: Opened, key: str) -> SourceTexts | None:
    """The document that an item took in since."""
    item = unfinished_item.item_of(opened, key)
    return cached.source_texts(opened.name, str((item.result or {}).get("document_id") or "")) if item else None


def _source(opened: Opened, found: SourceTexts, item: Unfinished | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="source_head"):
        st.html(_head(found, item), width="stretch")
        actions.buttons(opened, found)
    actions.followed(opened, found)
    if item is not None:
        unfinished_item.banner(opened, item)
    left, right = st.columns([7, 5], gap="medium")
    with left:
        _texts(opened, found)
    with right:
        facts.facts(opened, found)


def _head(found: SourceTexts, item: Unfinished | None) -> str:
    document, episode = found.document, found.episode
    stands = CHIPS[item.state if item else "facts read" if found.facts else "read"]
    kind = "document" if document and not document.thread else "message" if document else "text"
    recorded = (document.updated_at if document else None) or episode.created_at
    dated = document.reference_time if document else episode.valid_at
    place = (document.path or document.id) if document else episode.source_description
    about = dotted(
        kind,
        f"of {dates.day(dated)}" if dated else "undated",
        f"recorded {dates.moment(recorded)}" if recorded else "",
        counted(len(found.earlier) + 1, "version"),
        counted(len(episode.entity_uuids), "entity", "entities") + " mentioned",
        text(place) if place != found.title else "",
    )
    return (
        f'<div class="a-title"><span class="a-big" role="heading" aria-level="2">{text(found.title)}</span>'
        f"{chip(*stands)}{tags(document.tags, 12) if document else ''}</div>"
        f'<div class="a-muted a-sm">{about}</div>'
    )


def _texts(opened: Opened, found: SourceTexts) -> None:
    """The text; where there are several versions, their comparison beside it."""
    if not found.earlier:
        source_text.text_with_facts(opened, found)
        return
    names = ["Text", f"Versions · {len(found.earlier) + 1}"]
    words, compared = st.tabs(names, key="source_tabs", on_change="rerun")
    draw_when_open(words, source_text.text_with_facts, opened, found)
    draw_when_open(compared, versions.versions, found)
