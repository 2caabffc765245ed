"""Questions in words: answers that name their sources, show their steps, and can be checked."""

import streamlit as st

from components import fact_actions, link_clicks, shell
from components.ask import chip_keys
from components.ask.ask_view import look_at
from components.ask.conversation_state import open_conversation
from components.ask.side_panel import side_panel
from components.ask.thread import thread
from components.markup import note

opened = shell.open_page("Ask", needs_facts=False)
shell.needs_anything(opened)
link_clicks.follow()
chip_keys.listen()
fact_actions.asked_for(opened.name)
chat = open_conversation(opened)
if chat is None:
    note(
        "<b>Conversation not found.</b> Someone may have deleted it, or its owner does not share it with you.", "a-warn"
    )
    st.button("Start a new conversation", type="primary", on_click=look_at, args=(None,), kwargs={"chat": None})
else:
    left, right = st.columns([7, 5], gap="medium")
    with left:
        thread(opened, chat)
    with right:
        side_panel(opened, chat)
