"""The Ask page: what is typed and pressed on it, and what it keeps."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from services.accounts.account_records import Conversation, Message
from services.agent.app import App
from services.core.answer_records import Asked
from tests.pages.conftest import WORKSPACE, opened

MODEL = "claude-test"
WHO = "Who does Ada work for?"
PATIENCE = 20.0
_OVER = 2**62 - 1


def asking(question: str, **address: str) -> AppTest:
    """Next page a question was typed into its box."""
    return ask(opened("Ask", w="team", **address), question)


def ask(app: AppTest, question: str) -> AppTest:
    app.chat_input[0].set_value(question).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def messages(services: App, app: AppTest) -> tuple[Message, ...]:
    return services.accounts.conversations.messages(app.query_params["c"])


def kept(services: App, question: str = WHO, *, shared: bool = False) -> tuple[Conversation, Message]:
    """A conversation of the local user with one answer in it."""
    user = services.accounts.users.local()
    conversation = services.accounts.conversations.create(user.id, WORKSPACE)
    services.mirrors.sync(WORKSPACE)
    turn = services.turns.start(user, conversation, Asked(question))
    services.turns.wait(turn.id, _OVER, PATIENCE)
    services.accounts.conversations.share(conversation.id, shared)
    found = services.accounts.conversations.get(conversation.id)
    answer = services.accounts.conversations.message(turn.id)
    assert found is not None
    assert answer is not None
    return found, answer


def open_box(app: AppTest, key: str) -> AppTest:
    """Open a popover or an expander, as a click does."""
    app.session_state[key] = True
    return app.run()


def read_source(app: AppTest) -> dict[str, Any]:
    """What the reader of a source is given to show."""
    payloads = [json.loads(c.proto.json) for c in app.get("bidi_component") if c.proto.json]
    return next(dict(payload) for payload in payloads if "outline" in payload)


def wait(services: App, app: AppTest) -> AppTest:
    """The page once what runs in its conversation is over."""
    turn = services.turns.running(app.query_params["c"])
    if turn is not None:
        services.turns.wait(turn.id, _OVER, PATIENCE)
    return app.run()
