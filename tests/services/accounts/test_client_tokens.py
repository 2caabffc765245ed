"""Tokens of clients: what they grant, and when they end, on both databases."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from sqlalchemy import select, update

from services.accounts.account_records import User
from services.accounts.client_tables import tokens
from services.accounts.client_tokens import Tokens
from services.accounts.store import Accounts
from services.core import clock
from services.core.errors import BadInput
from tests.services.accounts.conftest import GRAPH

PAST, FUTURE = datetime(2015, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def test_a_token_grants_what_was_given_and_is_kept_as_a_hash(accounts: Accounts, ada: User) -> None:
    accounts.users.grant("ada", "team")
    given = {"workspaces": ["team"], "toolsets": ["omnii", "analyst"], "as_of": PAST, "known_at": FUTURE}
    granted, token = accounts.tokens.add(ada, " Claude ", may_write=True, expires_at=FUTURE, **given)
    assert (granted.name, granted.toolsets) == ("Claude", ("analyst", "omnii"))
    assert accounts.tokens.granted(token) == granted
    with accounts._database.transaction() as connection:
        assert token not in str(connection.execute(select(tokens)).all())


def test_a_revoked_token_grants_nothing_from_then_on_and_stays_listed(accounts: Accounts, ada: User) -> None:
    _, token = accounts.tokens.add(ada, "Claude", workspaces=["team"])
    revoked = accounts.tokens.revoke("Claude")
    assert accounts.tokens.granted(token) is None
    assert accounts.tokens.listed() == (revoked,)
    with pytest.raises(BadInput, match="no token"):
        accounts.tokens.revoke("Claude")
    assert accounts.tokens.add(ada, "Claude", workspaces=["team"])


def test_a_user_revokes_own_tokens_alone(accounts: Accounts, ada: User, bob: User) -> None:
    granted, _ = accounts.tokens.add(ada, "Claude", workspaces=["team"])
    with pytest.raises(BadInput, match="no token"):
        accounts.tokens.revoke(granted.id, bob.id)
    assert accounts.tokens.listed(bob.id) == ()
    assert accounts.tokens.revoke(granted.id, ada.id).revoked_at is not None


@pytest.mark.parametrize(
    "given",
    [
        {"workspaces": []},
        {"toolsets": ["analyst", "magic"]},
        {"toolsets": []},
        {"expires_at": PAST},
        {"name": "  "},
        {"name": "two\nlines"},
        {"name": "taken"},
    ],
    ids=str,
)
def test_what_cannot_be_granted_is_refused_by_field(accounts: Accounts, ada: User, given: dict) -> None:
    accounts.tokens.add(ada, "taken", workspaces=["team"])
    with pytest.raises(BadInput, match=f"^{next(iter(given)).removesuffix('_at')[:9]}"):
        accounts.tokens.add(ada, **{"name": "Claude", "workspaces": ["team"], **given})


def test_a_token_of_another_graph_grants_nothing(accounts: Accounts, url: str, ada: User) -> None:
    _, token = accounts.tokens.add(ada, "Claude", workspaces=["team"])
    other = Accounts(url, f"{GRAPH}0")
    assert other.tokens.granted(token) is None
    other.close()


@pytest.mark.slow
def test_two_hundred_tokens_grant_what_user_and_token_both_have(accounts: Accounts) -> None:
    """Each combination of user, workspaces, time, revocation and forgery."""
    forged = {
        "true": lambda token: token,
        "cut": lambda token: token[:-1],
        "longer": lambda token: token + "A",
        "other case": lambda token: token.swapcase(),
        "bare": lambda token: token.removeprefix("asof_"),
        "another": lambda token: token[:5] + token[:4:-1],
    }
    users = {name: accounts.users.add(name, is_admin=name == "root") for name in ("root", "ada", "gone")}
    accounts.users.grant("ada", "team")
    accounts.users.grant("gone", "team")
    cases = product(users, (("team",), ("team", "other")), ("none", "to come", "over"), (False, True), forged)
    seen = 0
    for number, (name, workspaces, ends, is_revoked, forgery) in enumerate(cases):
        accounts.users.enable("gone")
        granted, token = accounts.tokens.add(users[name], f"client {number}", workspaces=workspaces)
        ending = {"none": None, "to come": clock.now() + timedelta(hours=1), "over": PAST}[ends]
        accounts._database.run(update(tokens).where(tokens.c.id == granted.id).values(expires_at=ending))
        accounts.users.disable("gone")
        if is_revoked:
            accounts.tokens.revoke(granted.id)
        holds = name != "gone" and ends != "over" and not is_revoked and forgery == "true"
        found = accounts.tokens.granted(forged[forgery](token))
        assert (found is not None) == holds, (name, workspaces, ends, is_revoked, forgery)
        if found is not None:
            assert found.workspaces == (workspaces if name == "root" else ("team",))
        seen += 1
    assert seen == 216


def test_the_last_use_of_a_token_is_written_once_a_minute_and_kept(
    accounts: Accounts, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    granted, token = accounts.tokens.add(ada, "Claude", workspaces=["team"])
    begin = clock.now()
    assert accounts.tokens.last_uses() == {}
    for seconds in (0, 30, 59, 61):
        monkeypatch.setattr(clock, "now", lambda at=begin + timedelta(seconds=seconds): at)
        assert accounts.tokens.granted(token)
    assert accounts.tokens.last_uses() == {granted.id: begin + timedelta(seconds=61)}
    accounts.tokens.close()
    restarted = Tokens(accounts._database)
    assert restarted.last_uses() == {granted.id: begin + timedelta(seconds=61)}
    monkeypatch.setattr(clock, "now", lambda: begin + timedelta(seconds=100))
    assert restarted.granted(token)
    restarted.close()
    assert Tokens(accounts._database).last_uses() == {granted.id: begin + timedelta(seconds=61)}
