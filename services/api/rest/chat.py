"""`/api/auth` and `/api/chat`: signing in, sessions, and messages with their answers."""

import asyncio
from typing import Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from services.accounts.account_records import Conversation, Message
from services.accounts.conversations import NEW_CHAT
from services.accounts.sign_in import TooManyTries, WrongPassword
from services.agent import Turn
from services.agent.app import App
from services.agent.export import message_document, session_document
from services.api.rest.callers import token_lifetime
from services.api.rest.chat_models import (
    ChatAnswer,
    ChatMessage,
    ChatSession,
    LoginAnswer,
    LoginBody,
    MessageBody,
    NewSession,
    SessionTitle,
)
from services.api.rest.message_sources import find_sources, shown_sources
from services.api.rest.operations import Call, Operation, in_json, in_thread
from services.api.rest.problems import RestProblem, refuse
from services.api.rest.turn_stream import ended, events
from services.commands.ask import chosen_model
from services.commands.values import parsed
from services.core.answer_records import Asked, FailureKind
from services.core.errors import AsofError
from services.core.json_documents import Json
from services.core.log import logger
from services.mcp.pin import workspace_named

_SHOWN = tuple(field.alias or name for name, field in ChatMessage.model_fields.items())
_INSTANTS = ("createdAt", "updatedAt")
_SSE = "text/event-stream"
_log = logger(__name__)
_finishing: set[asyncio.Task[Json]] = set()
"""Answers that are under way: the loop itself keeps no hold of them."""


async def login(call: Call) -> Response:
    """Sign in by a password."""
    body: LoginBody = call.body
    services, client = call.services, call.request.client
    if services.settings.auth != "local":
        refuse(404, "Password sign-in requires ASOF_AUTH=local. Send a token from `cli.py token create` instead.")
    check = services.accounts.sign_in.check
    try:
        user_id = await in_thread(check, body.username, body.password, client.host if client else "")
    except TooManyTries as error:
        refuse(429, str(error), Retry_After="300")
    except WrongPassword as error:
        refuse(401, str(error), WWW_Authenticate="Bearer")
    lasts = token_lifetime(services.settings)
    token = await in_thread(services.accounts.signed_tokens.make, user_id, lasts)
    answer = LoginAnswer(access_token=token, expires_in=int(lasts.total_seconds()))
    return JSONResponse(answer.model_dump(), headers={"Cache-Control": "no-store"})


async def list_sessions(call: Call) -> Response:
    """List the caller's own sessions."""
    return await in_json(_sessions, call)


async def create_session(call: Call) -> Response:
    """Begin a session."""
    return await in_json(_created, call, status=201)


async def rename_session(call: Call) -> Response:
    """Give a session another title."""
    return await in_json(_renamed, call)


async def delete_session(call: Call) -> Response:
    """Forget a session with its messages."""
    await in_thread(_delete, call)
    return Response(status_code=204)


async def list_messages(call: Call) -> Response:
    """List the messages of a session."""
    return await in_json(_messages, call)


async def post_message(call: Call) -> Response:
    """Ask. The message is kept before anything is looked for, and stays whatever fails then."""
    turn, workspace = await in_thread(_asked, call)
    finishing = asyncio.create_task(_finished(call.services, turn, workspace))
    _finishing.add(finishing)
    finishing.add_done_callback(_let_go)
    if _SSE not in call.request.headers.get("accept", ""):
        return JSONResponse(await asyncio.shield(finishing))
    stream = events(call.services, turn, finishing)
    return StreamingResponse(stream, media_type=_SSE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


# -- sessions


def _sessions(call: Call) -> list[Json]:
    kept = call.services.accounts.conversations.of_user(call.caller.user.id)
    return [_session(one) for one in kept if call.caller.may_see(one.workspace)]


def _created(call: Call) -> Json:
    body: NewSession = call.body
    workspace = workspace_named(call.services, call.caller.access, body.workspace)
    title = " ".join(body.title.split()) or NEW_CHAT
    return _session(call.services.accounts.conversations.create(call.caller.user.id, workspace, title))


def _renamed(call: Call) -> Json:
    body: SessionTitle = call.body
    call.services.accounts.conversations.rename(_own(call).id, body.title)
    return _session(_own(call))


def _delete(call: Call) -> None:
    call.services.accounts.conversations.delete(_own(call).id)


def _own(call: Call) -> Conversation:
    """Return the caller's session of the path. Refuses with 404 what is none, or somebody else's."""
    id = call.id("session_id")
    found = call.services.accounts.conversations.get(id) if id else None
    if found is None or found.user_id != call.caller.user.id or not call.caller.may_see(found.workspace):
        refuse(404, "Session not found")
    return found


def _session(conversation: Conversation) -> Json:
    return _in_zulu(session_document(conversation))


def _in_zulu(document: Json) -> Json:
    return document | {name: document[name].replace("+00:00", "Z") for name in _INSTANTS if name in document}


# -- messages


def _messages(call: Call) -> list[Json]:
    session = _own(call)
    call.caller.need_all_times()
    kept = call.services.accounts.conversations.messages(session.id)
    return [_message(call.services, session, one) for one in kept]


def _message(services: App, session: Conversation, message: Message) -> Json:
    document = _in_zulu(message_document(message, session.user_id))
    if message.role == "assistant":
        document["sources"] = shown_sources(services.workspace(session.workspace), message.sources) or None
    return {name: document.get(name) for name in _SHOWN}


def _asked(call: Call) -> tuple[Turn, str]:
    """Keep the message behind the last one, and begin to answer it."""
    body: MessageBody = call.body
    services, caller, session = call.services, call.caller, _own(call)
    if not (body.content or "").strip():
        refuse(400, "Message content required")
    caller.need_all_times()
    model = chosen_model(services, body.model)
    asked = Asked(body.content or "", parsed(body.as_of), parsed(body.known_at))
    before = services.accounts.conversations.messages(session.id)
    parent_id = before[-1].id if before else None
    effort = services.settings.effort if model else ""
    turn = services.turns.start(caller.user, session, asked, parent_id=parent_id, model=model, effort=effort)
    return turn, session.workspace


async def _finished(services: App, turn: Turn, workspace: str) -> Json:
    """Return the answer of a turn when it is over, its sources kept with it. Raises `RestProblem` where it failed."""
    finding = asyncio.create_task(in_thread(_sources, services, workspace, turn.question))
    last = await ended(services, turn)
    sources = await finding
    if last.state == "failed":
        raise _problem(last)
    await in_thread(_keep, services, turn.id, sources)
    return {"response": last.text, "sources": sources, "conversation_id": turn.conversation_id}


def _sources(services: App, workspace: str, question: str) -> list[Json]:
    """Return the passages for a question; without any where they cannot be looked for, for the answer goes on."""
    try:
        return find_sources(services.workspace(workspace), question)
    except Exception:  # noqa: BLE001 - whatever it is, the answer does not need it
        _log.exception("Asof could not search for sources.")
        return []


def _keep(services: App, message_id: str, sources: list[Json]) -> None:
    """Put the sources before what the answer's tools read."""
    conversations = services.accounts.conversations
    try:
        message = conversations.message(message_id)
        if message is not None and sources:
            conversations.update(message_id, sources=(*sources, *message.sources))
    except AsofError as error:
        _log.error("Could not save the sources of an answer.", problem=error.message)


def _problem(turn: Turn) -> RestProblem:
    reason = f"{turn.problem} {turn.hint}".strip()
    answers: dict[FailureKind, tuple[int, str]] = {
        "endpoint": (503, reason),
        "graph": (503, reason),
        "unexpected": (500, f"Chat processing failed: {reason}"),
    }
    return RestProblem(*answers.get(turn.failure, (500, f"Agent workflow failed: {reason}")))


def _let_go(task: asyncio.Task[Any]) -> None:
    _finishing.discard(task)
    if not task.cancelled():
        task.exception()  # a client that has gone hears of no problem, and that is none


_ONE = "/api/chat/sessions/{session_id}"
CHAT = (
    Operation(
        "POST",
        "/api/auth/login",
        "Exchange a name and password for a token",
        login,
        lambda: LoginBody,
        LoginAnswer,
        problems=(404, 429),
        is_open=True,
    ),
    Operation(
        "GET",
        "/api/chat/sessions",
        "List your sessions, most recently used first",
        list_sessions,
        answer=list[ChatSession],
    ),
    Operation(
        "POST", "/api/chat/sessions", "Start a session", create_session, lambda: NewSession, ChatSession, status=201
    ),
    Operation(
        "PATCH",
        _ONE,
        "Rename a session",
        rename_session,
        lambda: SessionTitle,
        ChatSession,
        problems=(404,),
        writes=True,
    ),
    Operation("DELETE", _ONE, "Delete a session", delete_session, status=204, problems=(404,), writes=True),
    Operation(
        "GET",
        f"{_ONE}/messages",
        "List a session's messages, oldest first",
        list_messages,
        answer=list[ChatMessage],
        problems=(404,),
    ),
    Operation(
        "POST",
        f"{_ONE}/messages",
        "Ask a question; with `Accept: text/event-stream` the answer arrives as events, otherwise all at once",
        post_message,
        lambda: MessageBody,
        ChatAnswer,
        problems=(404, 409),
        streams=True,
    ),
)
