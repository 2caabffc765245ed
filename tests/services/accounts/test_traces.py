"""Calls across conversations, usage, and cases, on both databases."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from services.accounts.account_records import User
from services.accounts.store import Accounts
from services.accounts.traces import CallFilter, DailyUsage
from services.core import clock
from services.core.errors import BadInput
from tests.services.accounts.talks import answer, call, exchange, question

T = clock.parse_instant


def test_each_filter_leaves_what_it_asks_for(accounts: Accounts, ada: User, bob: User) -> None:
    _, hers = exchange(accounts, ada, "Who?", model="claude")
    _, his = exchange(accounts, bob, "When?", workspace="another", thumb=-1)
    old = replace(call("facts_at", output={"facts": []}, ms=5), started_at=T("2020-01-01"))
    dear = replace(call("claude", kind="model", cost=0.5, ms=900), started_at=T("2021-01-01"))
    broken = replace(call("find_path", error="No."), started_at=T("2022-01-01"))
    accounts.conversations.put_calls(hers.id, [old, dear])
    accounts.conversations.put_calls(his.id, [broken])

    def found(**asked: object) -> list[str]:
        return [row.call.id for row in accounts.traces.calls(CallFilter(**asked), limit=9)[0]]  # type: ignore[arg-type]

    assert found() == [broken.id, dear.id, old.id]
    assert found(user_id=ada.id) == found(workspace="team") == [dear.id, old.id]
    assert found(tool="facts_at") == [old.id]
    assert found(errors_only=True) == found(thumb=-1) == [broken.id]
    assert found(slower_than_ms=100) == found(dearer_than=0.1) == [dear.id]
    assert found(since=T("2021-01-01")) == [broken.id, dear.id]
    assert accounts.traces.tools("team") == ("claude", "facts_at")
    assert accounts.traces.tools("another") == ("find_path",)


def test_a_row_tells_whose_call_it_was_and_leaves_its_output_out(accounts: Accounts, ada: User) -> None:
    conversation, told = exchange(accounts, ada, "Who leads it?", model="claude", thumb=1)
    made = call(output={"facts": ["long"]}, summary="1 fact")
    accounts.conversations.put_calls(told.id, [made])
    ((row,), _) = accounts.traces.calls(CallFilter(), limit=1)
    assert row.call == replace(made, output=None)
    assert (row.question, row.title, row.user, row.model, row.thumb) == (
        "Who leads it?",
        "New chat",
        "ada",
        "claude",
        1,
    )
    assert (row.conversation_id, row.message_id, row.workspace) == (conversation.id, told.id, "team")


def test_the_newest_calls_are_listed_and_all_are_counted(accounts: Accounts, ada: User) -> None:
    _, told = exchange(accounts, ada)
    made = [replace(call(), started_at=T("2020-01-01") + timedelta(seconds=n)) for n in range(5)]
    accounts.conversations.put_calls(told.id, made)
    rows, total = accounts.traces.calls(CallFilter(), limit=2)
    assert ([row.call for row in rows], total) == ([made[4], made[3]], 5)


def test_usage_is_summed_by_day_model_and_user(accounts: Accounts, ada: User, bob: User) -> None:
    spent = {"model": "claude", "input_tokens": 100, "output_tokens": 10, "cost": 0.5}
    conversation = accounts.conversations.create(ada.id, "team")
    for created, more in (
        ("2026-11-21T23:59:59Z", spent),
        ("2026-11-22T00:00:00Z", spent),
        ("2026-11-22T23:59:59.9Z", spent),
        ("2026-11-22T12:00:00Z", {}),
    ):
        asked = replace(question(conversation), created_at=T(created))
        told = replace(answer(asked, **more), created_at=T(created))
        accounts.conversations.add(asked)
        accounts.conversations.add(told)
    exchange(accounts, bob, **spent)
    used = accounts.traces.usage(user_id=ada.id)
    assert used == (
        DailyUsage(date(2026, 11, 22), "", ada.id, "ada", 0, 0, None, 1),
        DailyUsage(date(2026, 11, 22), "claude", ada.id, "ada", 200, 20, 1.0, 2),
        DailyUsage(date(2026, 11, 21), "claude", ada.id, "ada", 100, 10, 0.5, 1),
    )
    assert {row.user for row in accounts.traces.usage(workspace="team")} == {"ada", "bob"}
    since = accounts.traces.usage(user_id=ada.id, since=T("2026-11-22"))
    assert [row.answers for row in since] == [1, 2]
    assert accounts.traces.spent(ada.id, T("2026-11-22")) == 1.0
    assert accounts.traces.spent(ada.id, T("2027-01-01")) == 0.0


def test_the_usage_of_an_answer_counts_at_once_and_outlives_its_conversation(
    accounts: Accounts, ada: User, bob: User
) -> None:
    conversation, told = exchange(accounts, ada, model="claude", state="running")
    today = clock.now() - timedelta(days=1)
    for cost in (0.25, 0.75):
        accounts.conversations.update(told.id, input_tokens=100, output_tokens=10, cost=cost)
        assert accounts.traces.spent(ada.id, today) == cost
    accounts.conversations.update(told.id, content="Ada.", state="done")
    accounts.conversations.delete(conversation.id)
    assert accounts.traces.spent(ada.id, today) == 0.75
    accounts.conversations.update(told.id, cost=1.0)
    accounts.remove("team")
    assert accounts.traces.spent(ada.id, today) == 1.0
    assert accounts.traces.spent(bob.id, today) == 0
    (used,) = accounts.traces.usage(user_id=ada.id, workspace="team")
    assert (used.model, used.input_tokens, used.output_tokens, used.cost, used.answers) == ("claude", 100, 10, 1.0, 1)


def test_what_no_conversation_keeps_counts_with_a_user_or_without(accounts: Accounts, ada: User) -> None:
    for user_id, cost in ((ada.id, 0.5), (None, None)):
        accounts.traces.count(user_id, "team", model="claude", input_tokens=7, output_tokens=1, cost=cost)
    assert accounts.traces.spent(ada.id, clock.now() - timedelta(days=1)) == 0.5
    assert {(row.user_id, row.user, row.input_tokens, row.cost) for row in accounts.traces.usage()} == {
        (ada.id, "ada", 7, 0.5),
        (None, "in the terminal", 7, None),
    }
    elsewhere = Accounts(accounts._database._engine.url.render_as_string(hide_password=False), "bolt://elsewhere:7687")
    assert elsewhere.traces.usage() == ()
    elsewhere.close()


def test_an_answer_becomes_a_case_that_outlives_its_conversation(accounts: Accounts, ada: User) -> None:
    conversation, first = exchange(accounts, ada, "Who leads it?", answer={"answer": "Ada"})
    asked = question(conversation, "And before?", parent_id=first.id, as_of=T("2018-06-27"))
    told = answer(asked, answer={"answer": "Bob"}, thumb=-1, note="it was Cy")
    for message in (asked, told):
        accounts.conversations.add(message)
    case = accounts.cases.add(told.id)
    assert (case.question, case.answer, case.before) == ("And before?", {"answer": "Bob"}, {"answer": "Ada"})
    assert (case.thumb, case.note, case.as_of, case.workspace) == (-1, "it was Cy", T("2018-06-27"), "team")
    accounts.conversations.thumb(told.id, 1, "no, it is right")
    assert accounts.cases.add(told.id) == replace(case, thumb=1, note="no, it is right")
    accounts.conversations.delete(conversation.id)
    assert [c.id for c in accounts.cases.of("team")] == [case.id]
    assert accounts.cases.of("another") == ()


def test_only_an_answer_becomes_a_case(accounts: Accounts, ada: User) -> None:
    conversation = accounts.conversations.create(ada.id, "team")
    asked = question(conversation)
    accounts.conversations.add(asked)
    for message_id in (asked.id, "no such message"):
        with pytest.raises(BadInput, match="This answer does not exist"):
            accounts.cases.add(message_id)


def test_the_runs_of_a_case_are_kept_in_order_and_go_with_it(accounts: Accounts, ada: User) -> None:
    case = accounts.cases.add(exchange(accounts, ada, answer={"answer": "Ada"})[1].id)
    runs = [accounts.cases.put_run(case.id, {"answer": name}, model="claude", ms=5, cost=0.1) for name in ("Bob", "Cy")]
    assert accounts.cases.runs(case.id) == tuple(runs)
    accounts.cases.remove(case.id)
    assert accounts.cases.of("team") == ()
    assert accounts.cases.runs(case.id) == ()


def test_synonyms_are_declared_per_workspace(accounts: Accounts) -> None:
    assert accounts.synonyms("team") == {"types": {}, "relations": {}}
    accounts.set_synonyms("team", {"relations": {"WORKS_FOR": ["is employed by", " earns at "]}})
    accounts.set_synonyms("team", {"types": {"Person": ["human"]}, "relations": {"WORKS_FOR": ["is employed by"]}})
    assert accounts.synonyms("team") == {"types": {"Person": ["human"]}, "relations": {"WORKS_FOR": ["is employed by"]}}
    assert accounts.synonyms("another") == {"types": {}, "relations": {}}
    for wrong in ({"colours": {}}, {"types": {"Person": "human"}}, {"types": {"Person": [" "]}}):
        with pytest.raises(BadInput):
            accounts.set_synonyms("team", wrong)  # type: ignore[arg-type]
