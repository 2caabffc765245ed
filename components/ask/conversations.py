"""Draws the row above the thread: conversations to go back to, a new one, and a menu for this one."""

import json
from datetime import timedelta
from urllib.parse import urlencode

import streamlit as st

from components import confirm, link_clicks, state
from components.address import View, parameters_of
from components.ask import actions
from components.ask.answer_html import outcome_of
from components.ask.ask_view import AskView, look_at
from components.ask.conversation_state import ConversationState
from components.lazy_containers import draw_when_open
from components.markup import clipped, dotted, plain, text
from components.shell import Opened
from services.accounts import Conversation
from services.agent import branch, conversation_markdown, get_services
from services.core import clock
from services.core.answer_documents import read_answer
from services.core.wording import counted

_SEARCH, _TITLE, _SHARED = "ask_search", "ask_title", "ask_shared"
_LIST, _MENU, _DELETING = "ask_list", "ask_more", "ask_deleting"
_SHOWN = 40


def head(opened: Opened, chat: ConversationState) -> None:
    """Draw the row."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="ask_head"):
        box = st.popover("Conversations", icon=":material/history:", type="tertiary", key=_LIST, on_change="rerun")
        draw_when_open(box, _listed, opened, chat)
        title = chat.conversation.title if chat.conversation else ""
        st.html(f'<span class="a-muted a-sm">{text(clipped(title, 60))}</span>')
        if chat.conversation is not None:
            st.button(
                "Start new",
                icon=":material/add:",
                type="tertiary",
                key="ask_new",
                on_click=look_at,
                args=(None,),
                kwargs={"chat": None},
            )
            more = st.popover("More", icon=":material/more_horiz:", type="tertiary", key=_MENU, on_change="rerun")
            draw_when_open(more, _menu, chat, chat.conversation)
            if state.pop(_DELETING) == chat.conversation.id:
                _delete(chat.conversation)


def _listed(opened: Opened, chat: ConversationState) -> None:
    """List the reader's own conversations on this workspace, the last used first."""
    st.text_input(
        "Search conversations",
        key=_SEARCH,
        type="search",
        live="200ms",
        placeholder="Search conversations",
        label_visibility="collapsed",
    )
    words = state.remembered(_SEARCH) or ""
    found = opened.services.accounts.conversations.listed(chat.user.id, opened.name, words)
    if not found:
        st.caption("No conversations match your search." if words.strip() else "No conversations yet.")
    answers = opened.services.accounts.conversations.last_answers([one.id for one in found[:_SHOWN]])
    for one in found[:_SHOWN]:
        outcome = _outcome(answers[one.id]) if one.id in answers else ""
        here = chat.conversation is not None and one.id == chat.conversation.id
        st.button(
            plain(dotted(clipped(one.title, 48), outcome, _ago(one))),
            key=f"open_{one.id}",
            type="tertiary",
            icon=":material/check:" if here else ":material/chat_bubble:",
            on_click=_open,
            args=(one.id,),
        )
    if len(found) > _SHOWN:
        st.caption(f"Showing the latest {_SHOWN} of {counted(len(found), 'conversation')}. Search to find the rest.")


@st.cache_resource(ttl=timedelta(hours=1), max_entries=512, show_spinner=False)
def _outcome(message_id: str) -> str:
    """Return in one line how an answer went: it is read once, since the list is drawn with each letter of a search."""
    answer = get_services().accounts.conversations.answer(message_id)
    return outcome_of(read_answer(answer)) if answer else ""


def _open(conversation_id: str) -> None:
    state.remember(_LIST, False)
    look_at(None, chat=conversation_id)


def _ago(one: Conversation) -> str:
    days = (clock.now().date() - one.updated_at.date()).days
    return "today" if days <= 0 else "yesterday" if days == 1 else one.updated_at.date().isoformat()


def _menu(chat: ConversationState, conversation: Conversation) -> None:
    shown = branch(chat.messages, chat.last_id)
    name = f"asof-{conversation.id[:8]}"
    st.download_button(
        "Export as Markdown",
        conversation_markdown(conversation, shown),
        f"{name}.md",
        "text/markdown",
        key="export_md",
        icon=":material/download:",
        on_click="ignore",
    )
    st.download_button(
        "Export as JSON",
        lambda: _json(conversation),
        f"{name}.json",
        "application/json",
        key="export_json",
        icon=":material/download:",
        on_click="ignore",
    )
    if chat.is_own:
        _own(conversation)


def _own(conversation: Conversation) -> None:
    """Draw what only the owner does with a conversation."""
    kept = get_services().accounts.conversations
    st.toggle(
        "Share with this workspace",
        conversation.is_shared,
        key=_SHARED + conversation.id,
        on_change=lambda: actions.attempt(
            lambda: kept.share(conversation.id, bool(state.remembered(_SHARED + conversation.id)))
        ),
    )
    if conversation.is_shared:
        st.caption(f"Link to this conversation{'; ' + link_clicks.ONLY_HERE if link_clicks.is_local() else ''}:")
        st.code(_link(conversation), language=None, wrap_lines=True)
    key = _TITLE + conversation.id
    st.text_input(
        "Title",
        conversation.title,
        key=key,
        on_change=lambda: actions.attempt(lambda: kept.rename(conversation.id, state.remembered(key) or "")),
    )
    st.button("Delete", icon=":material/delete:", key="ask_delete", on_click=_ask_to_delete, args=(conversation.id,))


def _ask_to_delete(conversation_id: str) -> None:
    """The menu closes, since the question would stand below it."""
    state.remember(_MENU, False)
    state.remember(_DELETING, conversation_id)


@confirm.dialog("Delete this conversation?")
def _delete(conversation: Conversation) -> None:
    st.markdown(
        f"This deletes “{plain(clipped(conversation.title, 80))}” with its answers and traces, but keeps its cases."
    )
    confirm.answers("Delete conversation", _forget, conversation.id)


def _forget(conversation_id: str) -> None:
    get_services().accounts.conversations.delete(conversation_id)
    look_at(None, chat=None)


def _link(conversation: Conversation) -> str:
    here = (st.context.url or "Ask").partition("?")[0]
    view = View(conversation.workspace).changed(AskView, chat=conversation.id)
    return f"{here}?{urlencode(parameters_of(view))}"


def _json(conversation: Conversation) -> str:
    """Write every branch, with the traces."""
    from services.agent import conversation_document

    kept = get_services().accounts.conversations
    messages = kept.messages(conversation.id)
    calls = kept.calls_of([message.id for message in messages])
    return json.dumps(conversation_document(conversation, messages, calls), ensure_ascii=False, indent=2)
