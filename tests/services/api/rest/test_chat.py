"""The chat of REST, end to end: sessions, messages, streaming, and each thing that can go wrong."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import takewhile
from pathlib import PurePath
from typing import Any
from uuid import uuid4

import pytest
from httpx import Client, Response
from sqlalchemy import text

from services.accounts.account_records import Message
from services.agent.app import App
from services.api.rest import chat
from services.core import clock
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer, call, reply, say, status
from tests.services.api.rest.conftest import Open, served, session

ASKED = "How is the brake test done?"


def send(client: Client, id: str, content: Any = ASKED, **more: Any) -> Any:
    return client.post(f"/api/chat/sessions/{id}/messages", json={"content": content, **more})


def messages(client: Client, id: str) -> list[dict[str, Any]]:
    found = client.get(f"/api/chat/sessions/{id}/messages").json()
    assert isinstance(found, list)
    return found


def streamed(client: Client, id: str, content: str = ASKED) -> AbstractContextManager[Response]:
    """The answer to a question while it comes."""
    headers = {"Accept": "text/event-stream"}
    return client.stream("POST", f"/api/chat/sessions/{id}/messages", json={"content": content}, headers=headers)


def events(answer: Response) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of an answer, each when it has come."""
    name = ""
    for line in answer.iter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def until(holds: Callable[[], object]) -> None:
    """Look again until something holds."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# -- the way through


def test_a_chat_is_begun_asked_renamed_and_deleted(client: Client, model: MessagesServer, ada) -> None:
    begun = client.post("/api/chat/sessions", json={}).json()
    assert begun["userId"] == ada.id
    assert begun["workspace"] == "_"
    assert begun["createdAt"].endswith("Z")
    assert begun["updatedAt"].endswith("Z")
    id = begun["_id"]
    model.add(reply(call("facts_at", entity="Ada")), say("Every morning, ", "before the doors open."))
    answer = send(client, id).json()
    assert answer["response"] == "Every morning, before the doors open."
    assert answer["conversation_id"] == id
    first = answer["sources"][0]
    assert (first["file_name"], first["directory_name"]) == ("manual.md", "docs")
    assert "brake test" in first["text"]
    assert first["similarity"] > 0.3
    assert first["hybrid_score"] >= first["similarity"]
    asked, answered = messages(client, id)
    assert (asked["role"], asked["content"], asked["sessionId"], asked["userId"]) == ("user", ASKED, id, ada.id)
    assert (answered["role"], answered["parentId"], answered["state"]) == ("assistant", asked["_id"], "done")
    assert answered["sources"] == answer["sources"]
    assert answered["createdAt"].endswith("Z")
    (listed,) = client.get("/api/chat/sessions").json()
    assert (listed["title"], listed["updatedAt"] > begun["updatedAt"]) == (ASKED, True)
    renamed = client.patch(f"/api/chat/sessions/{id}", json={"title": "Brakes"}).json()
    assert renamed["title"] == "Brakes"
    assert client.delete(f"/api/chat/sessions/{id}").status_code == 204
    assert client.get("/api/chat/sessions").json() == []


def test_the_next_message_follows_the_last_one(client: Client, model: MessagesServer) -> None:
    id = session(client)
    model.add(say("One."), say("Two."))
    send(client, id)
    send(client, id, "And then?")
    kept = messages(client, id)
    assert [one["parentId"] for one in kept] == [None, *(one["_id"] for one in kept[:-1])]
    assert model.requests[1]["messages"][0]["content"][0]["text"] == ASKED


def test_an_answer_is_streamed_while_it_is_made(client: Client, model: MessagesServer) -> None:
    id = session(client)
    model.add(reply(call("facts_at", entity="Ada")), say("Every ", "morning.", gate="on"))
    with streamed(client, id) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        coming = events(answer)
        before = list(takewhile(lambda event: event[0] != "text", coming))
        assert ("tool", {"name": "facts_at"}) in before
        model.gate("on").set()
        rest = list(coming)
    assert rest[-2:] == [("text", {"at": 6, "text": "morning."}), ("answer", rest[-1][1])]
    assert rest[-1][1]["response"] == "Every morning."
    assert rest[-1][1]["sources"]


def test_an_answer_is_kept_though_its_client_has_gone(client: Client, model: MessagesServer, services: App) -> None:
    id = session(client)
    model.add(say("Every ", "morning.", gate="on"))
    with streamed(client, id) as answer:
        assert next(events(answer)) == ("text", {"at": 0, "text": "Every "})
    until(lambda: len(services.turns._listening) == 1)  # what keeps the sources, when all is said
    model.gate("on").set()
    until(lambda: messages(client, id)[1]["sources"])
    answered = messages(client, id)[1]
    assert (answered["content"], answered["state"]) == ("Every morning.", "done")
    assert services.turns._listening == []


def test_without_a_model_the_analyst_answers(client: Client) -> None:
    answer = send(client, session(client), "Where does Ada work?", model="none").json()
    assert "Labs" in answer["response"]


def test_sources_of_an_answer_given_on_a_page_are_filled_in_where_they_can_be(client, services: App, ada) -> None:
    conversation = services.accounts.conversations.create(ada.id, "_")
    passage = services.mirrors.of("_").chunk_rows()[0]
    empty = {"file_name": "", "file_path": "", "directory_name": "", "similarity": None, "hybrid_score": None}
    metadata = {"n": 1, "kind": "chunk", "id": passage.id, "cited": True, "fact": None}
    old = (
        empty | {"text": "x" * 600, "metadata": metadata},
        empty | {"text": "y", "metadata": metadata | {"n": 2, "id": "gone"}},
    )
    services.accounts.conversations.add(
        Message(str(uuid4()), conversation.id, "assistant", "Yes.", clock.now(), sources=old)
    )
    (answered,) = messages(client, conversation.id)
    first, second = answered["sources"]
    document = services.mirrors.of("_").documents_by_id([passage.document_id])[passage.document_id]
    assert (first["file_name"], len(first["text"])) == (PurePath(document.path).name or document.title, 500)
    assert (second["file_name"], second["similarity"]) == (None, None)


# -- what goes wrong


@pytest.mark.parametrize("id", ["nonsense", "507f1f77bcf86cd799439011", "00000000-0000-4000-8000-000000000000", "%00"])
def test_a_session_that_there_is_not_is_404(client: Client, id: str) -> None:
    for answer in (
        send(client, id),
        client.get(f"/api/chat/sessions/{id}/messages"),
        client.patch(f"/api/chat/sessions/{id}", json={"title": "x"}),
        client.delete(f"/api/chat/sessions/{id}"),
    ):
        assert (answer.status_code, answer.json()) == (404, {"detail": "Session not found"})


def test_a_session_of_somebody_else_or_of_a_workspace_taken_back_is_none(client, services, ada) -> None:
    other = services.accounts.users.add("bob", "another horse")
    theirs = services.accounts.conversations.create(other.id, "_")
    services.accounts.conversations.share(theirs.id, True)
    assert send(client, theirs.id).json() == {"detail": "Session not found"}
    own = session(client)
    services.accounts.users.revoke("ada", "_")
    assert send(client, own).json() == {"detail": "Session not found"}
    assert client.get("/api/chat/sessions").json() == []


@pytest.mark.parametrize("content", ["", "  \n", None])
def test_a_message_needs_content(client: Client, content: str | None) -> None:
    answer = send(client, session(client), content)
    assert (answer.status_code, answer.json()) == (400, {"detail": "Message content required"})


def test_a_body_that_is_no_json_or_has_another_type_is_400(client: Client) -> None:
    path = f"/api/chat/sessions/{session(client)}/messages"
    assert client.post(path, content=b"{").status_code == 400
    assert client.post(path, content=b"\xff\xfe").status_code == 400
    assert client.post(path, json=[]).status_code == 400
    assert client.post(path, json={"content": 5}).json()["detail"].startswith("content: ")
    assert client.post(path, json={"content": "x", "as_of": "someday"}).status_code == 400
    assert client.post(path, json={"content": "x", "model": "gpt"}).status_code == 400
    assert send(client, path.split("/")[4], "x" * 5000).status_code == 400


def test_accounts_out_of_reach_are_503(client: Client, services: App) -> None:
    id = session(client)
    with services.accounts._database.transaction() as connection:
        connection.execute(text("ALTER TABLE conversations RENAME TO elsewhere"))
    answer = send(client, id)
    assert answer.status_code == 503
    assert "accounts database" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("step", "code", "begins"),
    [
        (status(401), 503, "The model's endpoint rejected the key."),
        (status(404), 503, "The endpoint has no model"),
        (say("No.", stop="refusal"), 500, "Agent workflow failed: The model declined"),
        (say("Half", stop="max_tokens"), 500, "Agent workflow failed: The answer reached the limit"),
    ],
)
def test_a_model_that_fails_leaves_the_question_there(client, model, step, code: int, begins: str) -> None:
    id = session(client)
    model.add(step)
    answer = send(client, id)
    assert answer.status_code == code
    assert answer.json()["detail"].startswith(begins)
    asked, answered = messages(client, id)
    assert (asked["content"], answered["state"]) == (ASKED, "failed")
    model.add(say("Now it does."))
    assert send(client, id).status_code == 200


def test_an_endpoint_that_nobody_listens_at_is_503(open_app: Open) -> None:
    open_app(anthropic_base_url="http://127.0.0.1:9")
    with served() as client:
        answer = send(client, session(client))
    assert answer.status_code == 503
    assert "Asof cannot reach" in answer.json()["detail"]


def test_a_fault_of_ours_is_500_and_says_so(client, model, monkeypatch: pytest.MonkeyPatch) -> None:
    from services.agent.answerer import Answerer

    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(Answerer, "_by_model", broken)
    answer = send(client, session(client))
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith("Chat processing failed: ")


@pytest.mark.parametrize(
    ("step", "code", "begins"),
    [
        (status(401), 503, "The model's endpoint rejected the key."),
        (say("Half", stop="max_tokens"), 500, "Agent workflow failed: The answer reached the limit"),
    ],
)
def test_an_error_while_streaming_is_the_last_event(client, model, step, code: int, begins: str) -> None:
    model.add(step)
    with streamed(client, session(client)) as answer:
        *_, (name, data) = events(answer)
    assert (answer.status_code, name, data["status"]) == (200, "error", code)
    assert data["detail"].startswith(begins)


def test_what_is_wrong_before_an_answer_begins_is_a_status_also_for_a_stream(client: Client) -> None:
    for id, content, code in (("nonsense", ASKED, 404), (session(client), " ", 400)):
        with streamed(client, id, content) as answer:
            assert (answer.status_code, answer.headers["content-type"]) == (code, "application/json")


def test_a_search_that_fails_leaves_the_answer_without_sources(client, model, services, monkeypatch) -> None:
    kept: list[str] = []

    def broken(*_: object) -> None:
        kept.extend(one["content"] for one in messages(client, id))
        raise RuntimeError("no index")

    id = session(client)

    monkeypatch.setattr(chat, "find_sources", broken)
    logged = []
    monkeypatch.setattr(chat._log, "exception", lambda said: logged.append(said))
    model.add(say("Every morning."))
    answer = send(client, id)
    assert (answer.status_code, answer.json()["sources"]) == (200, [])
    assert kept[0] == ASKED, "the message is kept before anything is looked for"
    assert logged == ["Asof could not search for sources."]


def test_a_second_question_while_one_is_answered_is_409(client: Client, model: MessagesServer) -> None:
    id = session(client)
    model.add(say("Every ", "morning.", gate="on"))
    first: list[Any] = []
    asking = threading.Thread(target=lambda: first.append(send(client, id)))
    asking.start()
    try:
        until(lambda: model.requests)
        assert send(client, id, "And now?").status_code == 409
    finally:
        model.gate("on").set()
        asking.join()
    assert first[0].status_code == 200


def test_a_graph_that_nobody_could_read_yet_is_503(open_app: Open, graph: MemoryGraphStore) -> None:
    open_app()
    graph.down = True
    with served() as client:
        answer = send(client, session(client), "Where does Ada work?", model="none")
    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("Asof cannot answer questions yet: it has not read the graph.")


def test_a_day_whose_money_is_spent_is_429(open_app: Open, model: MessagesServer) -> None:
    open_app(max_daily_cost=0.001, prices="claude-test=3000/15000")
    with served() as client:
        id = session(client)
        model.add(say("Every morning."))
        assert send(client, id).status_code == 200
        assert send(client, id).status_code == 429


def test_clients_that_wait_for_answers_hold_no_thread_each(open_app: Open, model: MessagesServer) -> None:
    services = open_app(requests_per_minute=0)
    with served() as client:
        ids = [session(client) for _ in range(12)]
        model.add(*[say("Every ", "morning.", gate="on")] * len(ids))
        asking = [threading.Thread(target=send, args=(client, id)) for id in ids]
        try:
            for one in asking:
                one.start()
            until(lambda: len(model.requests) == len(ids))
            assert client.get("/api/chat/sessions").status_code == 200
            assert sum(one.name.startswith("asof-rest_") for one in threading.enumerate()) <= 8
        finally:
            model.gate("on").set()
            for one in asking:
                one.join()
        assert services.turns._listening == []
