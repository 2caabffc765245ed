"""Turns of conversations: they run here, not in a page, so a reload or a second tab finds them still running."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from uuid import uuid4

from services.accounts.account_records import Conversation, Message, MessageState, User
from services.accounts.conversations import NEW_CHAT
from services.agent.answerer import Answerer, AnswerOutcome, AskRequest
from services.agent.approval import consent_for
from services.agent.message_tree import branch, history, sources, spent, titled, topic
from services.context import Services
from services.core import clock
from services.core.answer_documents import answer_document
from services.core.answer_records import Answer, Asked, FailureKind, ToolCall
from services.core.errors import AsofError, BadInput, GraphUnavailable
from services.llm.listener import Listener
from services.tools.toolbox import CallListener

_KEPT = 50
_SAVE_EVERY = 0.5
"""Seconds between two saves of what was said so far; what was done is saved at once."""
_PATIENCE = 10.0
"""Seconds that closing waits for turns to end."""
_OVER = 2**62
_log = logging.getLogger(__name__)


class StillAnswering(BadInput):
    """A question was asked in a conversation whose last one is still being answered."""


class AnswerMaker(Protocol):
    """Makes an answer in its own way, in the place of a model or the analyst."""

    def __call__(self, question: AskRequest, on_call: CallListener, cancel: threading.Event) -> AnswerOutcome:
        """Return the answer; each call is told as it begins and when it is over."""


class DayIsSpent(BadInput):
    """A user's day has cost as much as it may."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A snapshot of a turn. `id` is that of the assistant's message; `version` grows with every change.

    `waiting` says why the model lets us wait. Once it is over, `answer` has what was said, checked as far as it could
    be, and `problem` and `hint` say why it is not whole, `failure` what was at fault.
    """

    id: str
    conversation_id: str
    question: str
    started_at: datetime
    state: MessageState = "running"
    text: str = ""
    thinking: str = ""
    waiting: str = ""
    calls: tuple[ToolCall, ...] = ()
    answer: Answer | None = None
    problem: str = ""
    hint: str = ""
    model: str = ""
    version: int = 0
    failure: FailureKind = ""


class Turns:
    """The turns of this process. Any thread may call any method."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept = services.accounts.conversations
        self._changed = threading.Condition()
        self._turns: dict[str, Turn] = {}
        self._cancels: dict[str, threading.Event] = {}
        self._answering: set[str] = set()
        self._listening: list[tuple[str, Callable[[], None]]] = []

    def start(
        self,
        user: User,
        conversation: Conversation,
        asked: Asked,
        *,
        parent_id: str | None = None,
        model: str = "",
        effort: str = "",
        maker: AnswerMaker | None = None,
    ) -> Turn:
        """Ask in a conversation, after the message `parent_id`; the answer is made on a thread of its own.

        A `maker` makes it in the place of the model or the analyst.

        Raises `BadInput` for a question that cannot be asked, `StillAnswering` while another is being answered, and
        `DayIsSpent` where the day's money is.
        """
        asking = Answerer(self._services.workspace(conversation.workspace))
        asking.check(asked)
        check_day(self._services, user, model)
        with self._changed:
            if conversation.id in self._answering:
                raise StillAnswering(
                    "Asof is still answering the previous question.", "Wait for the answer, or stop it."
                )
            self._answering.add(conversation.id)
        try:
            turn, question = self._begun(conversation, asked, parent_id, model, effort)
        except BaseException:
            with self._changed:
                self._answering.discard(conversation.id)
            raise
        with self._changed:
            self._turns[turn.id] = turn
            cancel = self._cancels[turn.id] = threading.Event()
            self._forget_old()
        listener = TurnListener(partial(self._change, turn.id), lambda: self._turns[turn.id], self._save)
        consent = consent_for(self._services, user, conversation, turn.id)
        asking = replace(asking, on_call=listener.call, listener=listener, cancel=cancel, consent=consent)
        answer = asking.answer if maker is None else partial(maker, on_call=listener.call, cancel=cancel)
        threading.Thread(target=self._run, args=(turn, answer, question), name="asof-turn", daemon=True).start()
        return turn

    def get(self, turn_id: str) -> Turn | None:
        """A turn by id; None when this process does not know it (any more): the message then has everything."""
        with self._changed:
            return self._turns.get(turn_id)

    def running(self, conversation_id: str) -> Turn | None:
        """The turn of a conversation that is under way."""
        with self._changed:
            of_it = (t for t in self._turns.values() if t.conversation_id == conversation_id and t.state == "running")
            return next(of_it, None)

    def stop(self, turn_id: str) -> None:
        """Ask a turn to stop; what was said so far is kept."""
        with self._changed:
            if turn_id in self._cancels:
                self._cancels[turn_id].set()

    def wait(self, turn_id: str, seen: int, seconds: float) -> Turn | None:
        """The turn once its version is beyond `seen`, or as it is after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._version(turn_id) > seen, seconds)
            return self._turns.get(turn_id)

    @contextmanager
    def listening(self, turn_id: str, changed: Callable[[], None]) -> Iterator[None]:
        """Call `changed` at each change of a turn, from the thread that makes it: it has to return at once.

        Unlike `wait` this holds no thread.
        """
        listener = turn_id, changed
        with self._changed:
            self._listening.append(listener)
        try:
            yield
        finally:
            with self._changed:
                self._listening.remove(listener)

    def close(self) -> None:
        """Stop every turn, and wait until what they said is kept."""
        with self._changed:
            for cancel in self._cancels.values():
                cancel.set()
            self._changed.wait_for(lambda: not self._cancels, _PATIENCE)

    # -- inside

    def _version(self, turn_id: str) -> int:
        turn = self._turns.get(turn_id)
        return _OVER if turn is None or turn.state != "running" else turn.version

    def _begun(
        self, conversation: Conversation, asked: Asked, parent_id: str | None, model: str, effort: str
    ) -> tuple[Turn, AskRequest]:
        """The two messages of a turn, kept before anything is asked of anybody, and what goes before them."""
        before = branch(self._kept.messages(conversation.id), parent_id)
        now = clock.now()
        asking = Message(
            str(uuid4()),
            conversation.id,
            "user",
            asked.question,
            now,
            parent_id,
            as_of=asked.as_of,
            known_at=asked.known_at,
        )
        answering = replace(
            asking,
            id=str(uuid4()),
            role="assistant",
            content="",
            parent_id=asking.id,
            state="running",
            model=model,
            effort=effort,
        )
        self._kept.add(asking)
        self._kept.add(answering)
        if conversation.title == NEW_CHAT:
            self._kept.rename(conversation.id, titled(asked.question))
        question = AskRequest(asked, model, effort, history(before), topic(before))
        return Turn(answering.id, conversation.id, asked.question, now, model=model), question

    def _run(self, turn: Turn, answer_it: Callable[[AskRequest], AnswerOutcome], question: AskRequest) -> None:
        """Answer, and keep what came of it, whatever that is."""
        started, outcome = time.perf_counter(), None
        failure: FailureKind
        try:
            outcome = answer_it(question)
            state = "stopped" if outcome.stopped else "failed" if outcome.problem else "done"
            ended = {"state": state, "problem": outcome.problem, "hint": outcome.hint}
            failure = outcome.failure
        except AsofError as error:
            ended = {"state": "failed", "problem": error.message, "hint": error.hint}
            failure = "graph" if isinstance(error, GraphUnavailable) else "agent"
        except Exception:  # noqa: BLE001 - whatever it is, the turn must not look as if it still ran
            _log.exception("Asof could not answer a question.")
            ended = {"state": "failed", "problem": "The answer failed.", "hint": "See Asof's log for details."}
            failure = "unexpected"
        self._keep(turn.id, outcome, ended, (time.perf_counter() - started) * 1000)
        answer: dict[str, Any] = {} if outcome is None else {"answer": outcome.answer, "text": outcome.answer.text}
        with self._changed:
            self._cancels.pop(turn.id, None)
            self._answering.discard(turn.conversation_id)
            self._change(turn.id, waiting="", failure=failure, **ended, **answer)

    def _keep(self, turn_id: str, outcome: AnswerOutcome | None, ended: Mapping[str, Any], ms: float) -> None:
        """Into the accounts database; where that fails the page still shows the turn, and the log says so."""
        turn = self._turns[turn_id]
        changes = {**ended, "ms": ms, "content": turn.text}
        calls = turn.calls
        if outcome is not None:
            calls = outcome.answer.calls
            changes |= {
                "content": outcome.answer.text,
                "answer": answer_document(outcome.answer) | {"trace": []},
                "blocks": outcome.blocks,
                "sources": sources(outcome),
            }
        try:
            self._kept.update(turn_id, **changes, **spent(calls))
            self._kept.put_calls(turn_id, calls)
        except AsofError as error:
            _log.error("Could not save an answer: %s", error)

    def _save(self, turn: Turn) -> None:
        """What was said and done so far, in case the app dies."""
        with suppress(AsofError):
            self._kept.update(turn.id, content=turn.text, **spent(turn.calls))
            self._kept.put_calls(turn.id, turn.calls)

    def _change(self, turn_id: str, **changes: Any) -> None:
        with self._changed:
            turn = self._turns[turn_id]
            self._turns[turn_id] = replace(turn, **changes, version=turn.version + 1)
            self._changed.notify_all()
            for of, changed in self._listening:
                if of == turn_id:
                    changed()

    def _forget_old(self) -> None:
        listened = {of for of, _ in self._listening}
        over = [t.id for t in self._turns.values() if t.state != "running" and t.id not in listened]
        for turn_id in over[:-_KEPT]:
            del self._turns[turn_id]


class TurnListener(Listener):
    """Puts what is heard of a turn into the turn's snapshot."""

    def __init__(self, change: Callable[..., None], turn: Callable[[], Turn], save: Callable[[Turn], None]) -> None:
        self._change, self._turn, self._save = change, turn, save
        self._saved = time.monotonic()
        self._lock = threading.Lock()

    def text(self, delta: str) -> None:
        """More of the answer."""
        self._change(text=self._turn().text + delta, waiting="")
        if time.monotonic() - self._saved > _SAVE_EVERY:
            self._keep()

    def thinking(self, delta: str) -> None:
        """More of what the model thinks."""
        self._change(thinking=self._turn().thinking + delta, waiting="")

    def waiting(self, reason: str, seconds: float) -> None:
        """Why nothing comes."""
        self._change(waiting=f"{reason} Trying again in {seconds:.0f} s." if reason else "")

    def call(self, call: ToolCall) -> None:
        """A call that began, or the same one when it is over; independent tools tell so at the same time."""
        with self._lock:
            calls = self._turn().calls
            known = any(one.id == call.id for one in calls)
            self._change(calls=tuple(call if one.id == call.id else one for one in calls) if known else (*calls, call))
        if known and self._turn().model:
            self._keep()

    def _keep(self) -> None:
        self._saved = time.monotonic()
        self._save(self._turn())


def check_day(services: Services, user: User, model: str) -> None:
    """Raise `DayIsSpent` where a user's day has cost as much as it may."""
    most = services.settings.max_daily_cost
    if not model or not most:
        return
    today = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    if (spent := services.accounts.traces.spent(user.id, today)) >= most:
        raise DayIsSpent(
            f"You have spent ${spent:.2f}; today's limit is ${most:g}.",
            "Ask again tomorrow, or choose “rule-based”.",
        )
