"""What the reader does on the Ask page; callbacks, so they run before the page is drawn again."""

from collections.abc import Callable

from components import problems, state
from components.ask.ask_view import look_at
from components.ask.conversation_state import ConversationState, Exchange
from services.accounts import Conversation
from services.agent import AnswerMaker, get_services
from services.core.answer_records import Asked
from services.core.errors import AsofError
from services.llm import models

BOX, MODEL, EFFORT = "ask_box", "ask_model", "ask_effort"
PROBLEM = "ask_problem"
_AT_ONCE = 0.9
"""Seconds to wait for an answer before it is followed as it comes: one made without a model is there by then."""
_OVER = 2**62 - 1


def model_choices() -> tuple[str, ...]:
    """The models that can be chosen; "" is none."""
    return (*models(get_services().settings), "")


def model() -> str:
    """The model that is chosen."""
    chosen = state.remembered(MODEL)
    return chosen if chosen in model_choices() else model_choices()[0]


def send(chat: ConversationState) -> None:
    """Ask what stands in the box, after what is shown; it stays there where it cannot be asked."""
    question = state.remembered(BOX) or ""
    view = state.held()
    if question.strip() and not ask(chat, Asked(question, view.as_of, view.known_at), chat.last_id):
        state.remember(BOX, question)


def ask_words(chat: ConversationState, question: str) -> None:
    """Ask a question that was offered."""
    view = state.held()
    ask(chat, Asked(question, view.as_of, view.known_at), chat.last_id)


def ask_instead(chat: ConversationState, exchange: Exchange, question: str, *, alone: bool = False) -> None:
    """Ask another question in place of one, in a branch of its own; `alone` leaves out those before it as well."""
    asked = exchange.asked
    ask(chat, Asked(question, asked.as_of, asked.known_at), None if alone else asked.parent_id)


def retry(chat: ConversationState, exchange: Exchange, *, by: str | None = None) -> None:
    """Ask the same question as of the same dates in a branch of its own.

    `by` is the model that answers, "" the analyst without one; None is the one that is chosen.
    """
    asked = exchange.asked
    ask(chat, Asked(asked.content, asked.as_of, asked.known_at), asked.parent_id, by=by)


def ask_again(chat: ConversationState, exchange: Exchange, key: str = "") -> None:
    """Ask the question, or what is in the field `key`, as of the dates of the time bar in a branch of its own."""
    asked, view = exchange.asked, state.held()
    words = (state.remembered(key) or "") if key else asked.content
    ask(chat, Asked(words, view.as_of, view.known_at), asked.parent_id)


def ask_at(chat: ConversationState, exchange: Exchange, asked: Callable[[], Asked], *, beside: bool) -> None:
    """Ask a question at another date; `beside` puts both answers next to each other."""
    answered = exchange.answered
    try:
        found = asked()
    except AsofError as error:
        state.remember(PROBLEM, error)
        return
    ask(chat, found, exchange.asked.parent_id, beside=answered.id if beside and answered else None)


def ask(
    chat: ConversationState,
    asked: Asked,
    parent_id: str | None,
    *,
    beside: str | None = None,
    maker: AnswerMaker | None = None,
    by: str | None = None,
) -> bool:
    """Start a turn and look at it; False where it cannot be asked, and why is then shown."""
    state.forget(PROBLEM)
    asks = model() if by is None else by
    services = get_services()
    kept = services.accounts.conversations
    begun: Conversation | None = None
    try:
        conversation = chat.conversation
        if conversation is None:
            conversation = begun = kept.create(chat.user.id, chat.workspace)
        effort = state.remembered(EFFORT) or services.settings.effort
        turn = services.turns.start(
            chat.user,
            conversation,
            asked,
            parent_id=parent_id,
            model=asks,
            effort=effort if asks else "",
            maker=maker,
        )
    except AsofError as error:
        if begun is not None:
            kept.delete(begun.id)
        state.remember(PROBLEM, error)
        return False
    if not asks and maker is None:
        services.turns.wait(turn.id, _OVER, _AT_ONCE)
    look_at(turn.id, chat=conversation.id, beside=beside)
    return True


def stop(turn_id: str) -> None:
    """Stop an answer; what was said so far is kept."""
    turns = get_services().turns
    turns.stop(turn_id)
    turns.wait(turn_id, _OVER, _AT_ONCE)


def attempt(action: Callable[..., object], *args: object) -> None:
    """Do something that the accounts database may refuse; why is then shown."""
    problems.attempt(PROBLEM, action, *args)


def thumb(chat: ConversationState, message_id: str, key: str, note_key: str) -> None:
    """Keep what an answer was worth; a thumbed answer is a case until the thumb is taken back."""
    worth = {1: 1, 0: -1}.get(state.remembered(key), 0)
    accounts = get_services().accounts
    accounts.conversations.thumb(message_id, worth, state.remembered(note_key) or "")
    if worth:
        accounts.cases.add(message_id)
    else:
        for case in accounts.cases.of(chat.workspace):
            if case.message_id == message_id:
                accounts.cases.remove(case.id)
