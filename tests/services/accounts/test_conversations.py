"""Conversations, their messages and the calls behind these, on both databases."""

from dataclasses import replace
from datetime import timedelta

import pytest

from services.accounts.account_records import Message, User
from services.accounts.conversations import INTERRUPTED
from services.accounts.database import _engine
from services.accounts.store import Accounts
from services.core import clock
from services.core.errors import AccountsUnavailable, BadInput
from tests.services.accounts.conftest import GRAPH
from tests.services.accounts.talks import answer, call, exchange, question

ODD = "NUL \0, half a character \ud800, “quotes”, 日本語, \\u0000, 100%_"
THINKING = {"role": "assistant", "content": [{"type": "thinking", "thinking": ODD, "signature": "EqQB\0=="}]}


def test_a_conversation_is_read_again_by_the_next_process_with_all_its_branches(
    accounts: Accounts, ada: User, url: str
) -> None:
    conversation = accounts.conversations.create(ada.id, "team")
    first = question(conversation, as_of=clock.parse_instant("2018-06-27"))
    told = answer(first, answer={"answer": "Ada leads it. [1]"}, blocks=(THINKING,), sources=({"text": ODD},), cost=0.5)
    edited = question(conversation, "Who led it?", parent_id=None)
    for message in (first, told, edited):
        accounts.conversations.add(message)
    again = Accounts(url, GRAPH)
    assert again.conversations.messages(conversation.id) == (first, told, edited)
    assert again.conversations.message(told.id) == told
    again.close()


def test_what_a_database_cannot_hold_is_marked_in_text_and_kept_in_documents(accounts: Accounts, ada: User) -> None:
    _, told = exchange(accounts, ada, content=ODD, blocks=(THINKING,), answer={ODD: [ODD]})
    kept = accounts.conversations.message(told.id)
    assert kept is not None
    assert kept.content == ODD.replace("\0", "\ufffd").replace("\ud800", "?")
    assert (kept.blocks, kept.answer) == ((THINKING,), {ODD: [ODD]})


def test_a_message_changes_while_it_is_made(accounts: Accounts, ada: User) -> None:
    conversation, told = exchange(accounts, ada, content="", state="running")
    accounts.conversations.update(told.id, content="Ada", input_tokens=10)
    accounts.conversations.update(told.id, content="Ada leads it.", state="done", blocks=(THINKING,))
    kept = accounts.conversations.message(told.id)
    assert kept == replace(told, content="Ada leads it.", state="done", blocks=(THINKING,), input_tokens=10)
    changed = accounts.conversations.get(conversation.id)
    assert changed is not None
    assert changed.updated_at > conversation.updated_at


def test_what_a_message_is_cannot_be_changed(accounts: Accounts, ada: User) -> None:
    _, told = exchange(accounts, ada)
    for changes in ({"role": "user"}, {"id": "another"}, {"folded": "x"}):
        with pytest.raises(TypeError):
            accounts.conversations.update(told.id, **changes)


def test_the_conversation_used_last_stands_first(accounts: Accounts, ada: User) -> None:
    first, _ = exchange(accounts, ada)
    second, _ = exchange(accounts, ada)
    accounts.conversations.add(question(first))
    assert [c.id for c in accounts.conversations.listed(ada.id, "team")] == [first.id, second.id]


def test_a_user_lists_his_own_conversations_of_one_workspace(accounts: Accounts, ada: User, bob: User) -> None:
    mine, _ = exchange(accounts, ada)
    exchange(accounts, bob)
    exchange(accounts, ada, workspace="another")
    assert [c.id for c in accounts.conversations.listed(ada.id, "team")] == [mine.id]


def test_conversations_are_found_by_words_of_title_and_contents_in_any_case(accounts: Accounts, ada: User) -> None:
    first, told = exchange(accounts, ada, "Wer führt die Ärzte?", content="100% sure_thing")
    second, _ = exchange(accounts, ada, "something else")
    accounts.conversations.rename(second.id, "Straßen und ÄMTER")

    def found(search: str) -> list[str]:
        return [c.id for c in accounts.conversations.listed(ada.id, "team", search)]

    assert found("ärzte FÜHRT") == [first.id]
    assert found("ärzte 100%") == [first.id], "one word may stand in the question, one in the answer"
    assert found("STRASSEN ämter") == [second.id]
    assert found("sure-thing") == found("0_% ") == found("1 _% x") == []
    assert found("ärzte ämter") == []
    accounts.conversations.update(told.id, content="quite another text")
    assert found("100%") == []
    assert found("  ") == [first.id, second.id]
    assert found("zz " * 10_000) == []


def test_a_conversation_is_read_by_its_owner_and_by_others_once_it_is_shared(
    accounts: Accounts, ada: User, bob: User
) -> None:
    conversation, _ = exchange(accounts, ada)
    read = accounts.conversations.readable
    assert read(conversation.id, ada.id, "team") is not None
    assert read(conversation.id, bob.id, "team") is None
    accounts.conversations.share(conversation.id, True)
    assert read(conversation.id, bob.id, "team") is not None
    assert read(conversation.id, bob.id, "another") is None, "who reads another workspace does not read this one"
    accounts.conversations.share(conversation.id, False)
    assert read(conversation.id, bob.id, "team") is None


def test_a_title_is_one_line_and_never_empty(accounts: Accounts, ada: User) -> None:
    conversation, _ = exchange(accounts, ada)
    accounts.conversations.rename(conversation.id, "  Who\nleads  ")
    kept = accounts.conversations.get(conversation.id)
    assert kept is not None
    assert kept.title == "Who leads"
    with pytest.raises(BadInput):
        accounts.conversations.rename(conversation.id, " \n ")


def test_a_deleted_conversation_loses_its_messages_and_takes_no_answer(accounts: Accounts, ada: User) -> None:
    conversation, told = exchange(accounts, ada)
    accounts.conversations.put_calls(told.id, [call()])
    accounts.conversations.delete(conversation.id)
    assert accounts.conversations.get(conversation.id) is None
    assert accounts.conversations.messages(conversation.id) == ()
    assert accounts.conversations.calls_of([told.id]) == {}
    accounts.conversations.update(told.id, content="too late")
    accounts.conversations.put_calls(told.id, [call()])
    assert accounts.conversations.calls_of([told.id]) == {}
    with pytest.raises(BadInput, match="This conversation does not exist"):
        accounts.conversations.add(question(conversation))


def test_calls_are_kept_in_their_order_and_replaced_when_they_end(accounts: Accounts, ada: User) -> None:
    _, told = exchange(accounts, ada)
    request = call("claude-opus-5-5", kind="model", input_tokens=100, output_tokens=7, cost=0.25)
    begun = call(parent_id=request.id, input={"entity": ODD})
    accounts.conversations.put_calls(told.id, [request, begun])
    ended = replace(begun, output={"facts": [ODD]}, summary="1 fact", ms=12.5, error=None)
    last = call("find_path", error="There is no such entity.", output=None)
    accounts.conversations.put_calls(told.id, [request, ended, last])
    assert accounts.conversations.calls_of([told.id]) == {told.id: (request, ended, last)}
    assert accounts.conversations.calls_of([]) == {}


def test_a_thumb_is_up_down_or_taken_back(accounts: Accounts, ada: User) -> None:
    _, told = exchange(accounts, ada)
    for thumb, note in ((1, "right"), (-1, "wrong year"), (0, "")):
        accounts.conversations.thumb(told.id, thumb, note)
        kept = accounts.conversations.message(told.id)
        assert kept is not None
        assert (kept.thumb, kept.note) == (thumb, note)
    with pytest.raises(BadInput):
        accounts.conversations.thumb(told.id, 5)


def running(accounts: Accounts, user: User) -> Message:
    return exchange(accounts, user, content="so far", state="running")[1]


def test_answers_of_a_process_that_died_are_stopped_and_keep_what_they_hold(
    accounts: Accounts, ada: User, url: str
) -> None:
    dead = Accounts(url, GRAPH)
    left, calls = running(dead, ada), [call()]
    dead.conversations.put_calls(left.id, calls)
    dead.close()
    assert accounts.conversations.interrupt_running() == 1
    kept = accounts.conversations.message(left.id)
    assert kept == replace(left, state="stopped", problem=INTERRUPTED)
    assert accounts.conversations.calls_of([left.id]) == {left.id: tuple(calls)}
    assert accounts.conversations.interrupt_running() == 0


def test_answers_that_this_or_another_living_process_makes_go_on(accounts: Accounts, ada: User, url: str) -> None:
    living, elsewhere = Accounts(url, GRAPH), Accounts(url, "bolt://elsewhere:7687")
    ours, theirs = running(accounts, ada), running(living, ada)
    assert accounts.conversations.interrupt_running() == elsewhere.conversations.interrupt_running() == 0
    for message in (ours, theirs):
        kept = accounts.conversations.message(message.id)
        assert kept is not None
        assert kept.state == "running"
    living.conversations.update(theirs.id, state="done")
    living.close()
    elsewhere.close()
    assert accounts.conversations.interrupt_running() == 0, "it was done before its process ended"


def test_an_answer_of_a_dead_process_is_stopped_when_it_is_read(
    accounts: Accounts, ada: User, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = Accounts(url, GRAPH)
    read = [running(dead, ada) for _ in range(2)]
    dead.close()
    later = Accounts(url, GRAPH)
    with monkeypatch.context() as patched:
        patched.setattr(later._database, "_engine", _engine("postgresql://asof@127.0.0.1:1/asof"))
        for ask in (later.conversations.interrupt_running, lambda: later.conversations.messages("any")):
            with pytest.raises(AccountsUnavailable):
                ask()
    (_, first) = later.conversations.messages(read[0].conversation_id)
    second = later.conversations.message(read[1].id)
    assert second is not None
    assert {first.state, second.state} == {"stopped"}
    later.close()


def test_what_is_kept_about_another_graph_is_not_seen(accounts: Accounts, ada: User, url: str) -> None:
    conversation, _ = exchange(accounts, ada)
    elsewhere = Accounts(url, "bolt://elsewhere:7687")
    assert elsewhere.conversations.get(conversation.id) is None
    assert elsewhere.conversations.listed(ada.id, "team") == ()
    assert elsewhere.users.listed() == ()
    elsewhere.conversations.delete(conversation.id)
    elsewhere.remove("team")
    assert accounts.conversations.get(conversation.id) is not None
    elsewhere.close()


def test_a_workspace_that_is_removed_takes_everything_about_it_along(accounts: Accounts, ada: User) -> None:
    gone, told = exchange(accounts, ada)
    stays, _ = exchange(accounts, ada, workspace="another")
    accounts.cases.add(told.id)
    accounts.set_synonyms("team", {"types": {"Person": ["human"]}})
    for workspace in ("team", "another"):
        accounts.users.grant("ada", workspace)
    accounts.remove("team")
    assert accounts.conversations.get(gone.id) is None
    assert accounts.cases.of("team") == ()
    assert accounts.synonyms("team") == {"types": {}, "relations": {}}
    assert accounts.users.granted(ada.id) == {"another"}
    assert accounts.conversations.get(stays.id) is not None


def test_a_day_with_summer_time_or_none_is_the_same_instant_again(accounts: Accounts, ada: User) -> None:
    zone = clock.parse_instant("2015-03-29T03:30:00+02:00")
    _, told = exchange(accounts, ada, known_at=zone)
    kept = accounts.conversations.message(told.id)
    assert kept is not None
    assert kept.known_at == zone
    assert kept.known_at.utcoffset() == timedelta(0)


def test_the_newest_answer_of_each_conversation_is_found_once_it_is_made(accounts: Accounts, ada: User) -> None:
    conversation, told = exchange(accounts, ada, answer={"answer": "Ada"})
    again = answer(question(conversation), state="running")
    kept = accounts.conversations
    assert kept.last_answers([conversation.id]) == {conversation.id: told.id}
    assert kept.answer(told.id) == {"answer": "Ada"}
    kept.add(again)
    assert kept.last_answers([conversation.id]) == {}
    kept.update(again.id, state="done", answer={"answer": "Bob"})
    assert kept.last_answers([conversation.id]) == {conversation.id: again.id}
    assert kept.answer("unknown") is None
