"""Conversations of the Ask page: reopened, listed, renamed, deleted, and shared."""

from services.agent.app import App
from tests.pages.ask import kept, open_box, press
from tests.pages.conftest import WORKSPACE, opened, words


def test_a_conversation_is_reopened_with_its_trace(filled: App) -> None:
    conversation, _ = kept(filled)
    app = opened("Ask", w="team", c=conversation.id)
    assert "Ada works for Labs" in words(app)
    assert "facts_at" in words(app)


def test_conversations_are_listed_searched_and_renamed(filled: App) -> None:
    kept(filled, "Who does Ada know?")
    conversation, _ = kept(filled)
    app = open_box(opened("Ask", w="team", c=conversation.id), "ask_list")
    assert len([button for button in app.button if (button.key or "").startswith("open_")]) == 2
    app.text_input(key="ask_search").set_value("know").run()
    assert [b.label for b in app.button if (b.key or "").startswith("open_")] == [
        "Who does Ada know? · ✓ 2 of 2 claims supported · today"
    ]
    open_box(app, "ask_more")
    app.text_input(key=f"ask_title{conversation.id}").set_value("Employers").run()
    assert filled.accounts.conversations.get(conversation.id).title == "Employers"  # type: ignore[union-attr]


def test_a_conversation_is_deleted_after_a_question(filled: App) -> None:
    conversation, _ = kept(filled)
    app = open_box(opened("Ask", w="team", c=conversation.id), "ask_more")
    press(app, "Delete")
    assert filled.accounts.conversations.get(conversation.id) is not None
    press(app, "Delete conversation")
    assert filled.accounts.conversations.get(conversation.id) is None
    assert "c" not in app.query_params


def test_a_shared_conversation_is_read_but_not_continued(filled: App) -> None:
    filled.accounts.users.add("eve@x.example", "long enough a secret", is_admin=False)
    eve = filled.accounts.users.named("eve@x.example")
    assert eve is not None
    conversation = filled.accounts.conversations.create(eve.id, WORKSPACE, "Eve's")
    filled.accounts.conversations.share(conversation.id, True)
    app = opened("Ask", w="team", c=conversation.id)
    assert "You can only read it" in words(app)
    assert len(app.chat_input) == 0


def test_a_link_to_a_conversation_that_is_gone_has_a_way_out(filled: App) -> None:
    app = opened("Ask", w="team", c="nothing")
    assert "Conversation not found." in words(app)
    press(app, "Start a new conversation")
    assert "c" not in app.query_params
    assert len(app.chat_input) == 1
