"""Beside the thread: the facts behind the answer that is looked at, as a graph, as sources, as a table."""

from dataclasses import replace

import streamlit as st

from components.ask.ask_view import AskView
from components.ask.conversation_state import ConversationState, answer_of
from components.ask.retrieved import facts_of, retrieved
from components.ask.source_drawer import drawer
from components.ask.sources import sources
from components.ask.spotlight import spotlight
from components.markup import counted, glyph, heading, relation, table, text
from components.palette import looks_of
from components.shell import Opened
from services import cached
from services.mirror import Mirror

_MOST = 12


def side_panel(opened: Opened, chat: ConversationState) -> None:
    """Draw the facts behind the answer that is looked at; without a question, what the graph is about."""
    message = chat.focus.answered if chat.focus else None
    answer = answer_of(message)
    if message is None or answer is None:
        if chat.exchanges:
            st.html('<div class="a-empty a-muted">The facts behind the answer appear here when it is ready.</div>')
        else:
            _contents(opened.name)
        return
    read = retrieved(message)
    facts = facts_of(read)
    heading("Spotlight", "the facts behind this answer" if facts else "this answer used no facts")
    if facts:
        at = replace(answer.at, as_of=answer.as_of_2 or answer.at.as_of)  # by the later of two dates all have begun
        spotlight(opened.name, facts, [one.id for one in read if one.cited and one.fact], at)
    sources(opened.name, opened.view.changed(AskView, message=message.id), answer, read)
    one = next((citation for citation in answer.citations if citation.n == opened.view.of(AskView).cited), None)
    if one is not None:
        calls = opened.services.accounts.conversations.calls_of([message.id]).get(message.id, ())
        drawer(opened.name, one, next((record for record in read if record.n == one.n), None), calls)


def _contents(workspace: str) -> None:
    """Draw what can be asked about: the graph's types and relations."""
    types, relations = cached.ask(Mirror.types, workspace), cached.ask(Mirror.relations, workspace)
    if not relations:
        return
    named = sum(bool(one.name) for one in types)
    heading(
        "In this graph", f"{counted(named, 'type') if named else 'no types'}, {counted(len(relations), 'relation')}"
    )
    looks = looks_of(workspace)
    table(
        [
            [
                (f'<span class="a-ty">{glyph(looks.get(one.name))}{text(one.name or "no type")}</span>', "a-w"),
                (f"{one.count:,}", "a-n"),
            ]
            for one in types[:_MOST]
        ],
        [("Entity types", ""), ("Count", "a-n")],
        label="Types",
    )
    table(
        [[(text(relation(one.name)), "a-w"), (f"{one.count:,}", "a-n")] for one in relations[:_MOST]],
        [("Relations", ""), ("Facts", "a-n")],
        label="Relations",
    )
