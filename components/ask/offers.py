"""Offers other questions for one that was declined: each is a button, the last one a link that searches."""

from collections.abc import Sequence

import streamlit as st

from components.address import View
from components.ask import actions
from components.ask.conversation_state import ConversationState, Exchange
from components.markup import link, plain, text
from components.search.search_view import SearchView
from services.core.answer_records import Answer, Offer


def offers(chat: ConversationState, one: Exchange, answer: Answer, *, busy: bool) -> None:
    """Draw the offers of an answer; only the link for those who may not ask."""
    if chat.is_own and not busy:
        near = [offer for offer in answer.offers if offer.kind in ("question", "name")]
        _row(chat, one, "Did you mean", near, "near")
        of_entity = [offer for offer in answer.offers if offer.kind == "relation"]
        _row(chat, one, "The graph records", of_entity, "relations")
    for offer in answer.offers:
        if offer.kind == "search":
            st.html(f'<div class="a-sm a-search">{_search(chat, offer)}</div>')


def _row(chat: ConversationState, one: Exchange, title: str, found: Sequence[Offer], key: str) -> None:
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"offers_{key}_{one.asked.id}"):
        st.html(f'<span class="a-muted a-sm">{title}</span>', width="content")
        for number, offer in enumerate(found):
            st.button(
                plain(_label(offer)),
                key=f"offered_{key}_{number}_{one.asked.id}",
                help=plain(offer.question) if offer.kind == "relation" else None,
                on_click=actions.ask_instead,
                args=(chat, one, offer.question),
            )


def _label(offer: Offer) -> str:
    return offer.label.removeprefix("has ") if offer.kind == "relation" else offer.question


def _search(chat: ConversationState, offer: Offer) -> str:
    there = View(chat.workspace).changed(SearchView, text=offer.question, kind="passages")
    return link("Search", text(offer.label), there, css="")
