"""What the Ask page shows: a conversation, the branch of it that is looked at, and the answer in that."""

from collections.abc import Sequence
from dataclasses import dataclass

from components.ask.ask_view import AskView
from components.shell import Opened
from services.accounts import Conversation, Message, User
from services.agent import branch
from services.core.answer_documents import read_answer
from services.core.answer_records import Answer


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer, which is missing only where the app died between the two."""

    asked: Message
    answered: Message | None = None


@dataclass(frozen=True, slots=True)
class ConversationState:
    """A conversation as its reader sees it. `exchanges` are the branch that is shown, `focus` the one looked at.

    Without a conversation nothing was asked yet. Only its owner asks in it.
    """

    user: User
    workspace: str
    conversation: Conversation | None = None
    messages: tuple[Message, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    focus: Exchange | None = None

    @property
    def is_own(self) -> bool:
        """True where the reader may ask."""
        return self.conversation is None or self.conversation.user_id == self.user.id

    @property
    def last_id(self) -> str | None:
        """The message that the next question follows."""
        if not self.exchanges:
            return None
        last = self.exchanges[-1]
        return (last.answered or last.asked).id


def open_conversation(opened: Opened) -> ConversationState | None:
    """The conversation that the view names; None where there is none, or not for this user.

    An administrator may read every one: the Traces page leads him there.
    """
    user, view = opened.user, opened.view.of(AskView)
    if view.chat is None:
        return ConversationState(user, opened.name)
    kept = opened.services.accounts.conversations
    conversation = kept.get(view.chat) if user.is_admin else kept.readable(view.chat, user.id, opened.name)
    if conversation is None or conversation.workspace != opened.name:
        return None
    messages = kept.messages(conversation.id)
    branch_shown = branch(messages, _leaf(messages, view))
    answers = {one.parent_id: one for one in branch_shown if one.role == "assistant"}
    shown = tuple(Exchange(one, answers.get(one.id)) for one in branch_shown if one.role == "user")
    looked_at = next((one for one in shown if view.message in (one.asked.id, one.answered and one.answered.id)), None)
    return ConversationState(
        user, opened.name, conversation, messages, shown, looked_at or (shown[-1] if shown else None)
    )


def answer_of(message: Message | None) -> Answer | None:
    """The answer that a message keeps; None while it is made, and where it failed before anything was said."""
    return None if message is None or message.answer is None else read_answer(message.answer)


def _leaf(messages: Sequence[Message], view: AskView) -> str | None:
    """The newest end of what follows the message that the view names, or of all; messages come oldest first."""
    if not any(one.id == view.message for one in messages):
        return messages[-1].id if messages else None
    below, last = {view.message}, view.message
    for one in messages:
        if one.parent_id in below:
            below.add(one.id)
            last = one.id
    return last
