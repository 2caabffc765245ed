"""Users, what they were granted, and their sessions, on both databases."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from services.accounts import sign_in as signing
from services.accounts.account_records import Rights
from services.accounts.database import _engine
from services.accounts.page_owners import Shown
from services.accounts.passwords import is_right
from services.accounts.schema import attempts, sessions, users
from services.accounts.sign_in import COOKIE, LASTS, Attempts, SignIn, TooManyTries, WrongPassword, token_of
from services.accounts.store import Accounts
from services.core import clock
from services.core.errors import AccountsUnavailable, BadInput
from tests.services.accounts.conftest import GRAPH

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse 日本語"
HERE = "192.0.2.7"


def test_a_name_is_told_apart_without_regard_to_case_and_is_taken_once(accounts: Accounts) -> None:
    added = accounts.users.add(" Ada@Example.ORG ", PASSWORD, display_name="Ada")
    assert (added.name, added.display_name, added.is_admin, added.disabled_at) == (
        "ada@example.org",
        "Ada",
        False,
        None,
    )
    assert accounts.users.named("ADA@example.org") == accounts.users.get(added.id) == added
    with pytest.raises(BadInput, match="already"):
        accounts.users.add("ada@EXAMPLE.org", PASSWORD)
    assert accounts.users.listed() == (added,)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0b", "x" * 201])
def test_a_name_that_nobody_can_type_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(BadInput, match="name"):
        accounts.users.add(name, PASSWORD)


@pytest.mark.parametrize("password", ["", "short", "x" * 1001])
def test_a_password_is_neither_short_nor_endless(accounts: Accounts, password: str) -> None:
    with pytest.raises(BadInput, match="password"):
        accounts.users.add("ada", password)
    assert accounts.users.listed() == ()


def test_the_local_user_is_one_and_an_administrator_however_many_ask_at_once(accounts: Accounts) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: accounts.users.local(), range(8)))
    assert accounts.users.listed() == tuple(found)
    assert accounts.users.local().is_admin


def test_workspaces_are_granted_and_taken_back(accounts: Accounts) -> None:
    ada, bob = accounts.users.add("ada"), accounts.users.add("bob")
    for workspace in ("team", "team", "secret"):
        accounts.users.grant("Ada", workspace)
    accounts.users.revoke("ada", "secret")
    accounts.users.revoke("ada", "never granted")
    assert accounts.users.granted(ada.id) == {"team"}
    assert accounts.users.granted(bob.id) == frozenset()
    assert accounts.users.grants() == {ada.id: ("team",)}
    for action in (accounts.users.grant, accounts.users.revoke):
        with pytest.raises(BadInput, match="no user"):
            action("carol", "team")


def test_a_password_signs_in_and_the_database_holds_neither_it_nor_the_token(accounts: Accounts) -> None:
    ada = accounts.users.add("ada", PASSWORD)
    token = accounts.sign_in.begin("ADA", PASSWORD, HERE)
    rights = accounts.sign_in.rights_of(token)
    assert rights is not None
    assert rights.user == ada
    with accounts._database.transaction() as connection:
        kept = connection.execute(select(users.c.password, sessions.c.token).join_from(users, sessions)).one()
    assert kept.password.startswith("$argon2id$")
    assert PASSWORD not in kept.password
    assert token not in kept.token


@pytest.mark.parametrize("who", ["unknown", "without a password", "disabled", "wrong password"])
def test_whatever_is_wrong_the_answer_is_the_same(accounts: Accounts, who: str) -> None:
    accounts.users.add("without a password")
    for name in ("disabled", "wrong password"):
        accounts.users.add(name, PASSWORD)
    accounts.users.disable("disabled")
    with pytest.raises(WrongPassword, match="Wrong name or password"):
        accounts.sign_in.begin(who, "another one" if who == "wrong password" else PASSWORD, HERE)


def test_an_unknown_name_takes_as_long_as_a_wrong_password() -> None:
    from services.accounts.passwords import hashed

    kept = hashed(PASSWORD)

    def took(of: str | None) -> float:
        started = time.perf_counter()
        assert not is_right("a wrong one", of)
        return time.perf_counter() - started

    took(None)
    known, unknown = zip(*((took(kept), took(None)) for _ in range(25)), strict=True)
    assert statistics.median(unknown) > statistics.median(known) / 3


def test_a_session_ends_with_its_time_with_signing_out_and_with_its_user(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.users.add("ada", PASSWORD)

    def begun() -> str:
        return accounts.sign_in.begin("ada", PASSWORD, HERE)

    first = begun()
    accounts.sign_in.end(first)
    assert accounts.sign_in.rights_of(first) is None
    second = begun()
    accounts.users.set_password("ada", PASSWORD + "!")
    assert accounts.sign_in.rights_of(second) is None
    accounts.users.set_password("ada", PASSWORD)
    third = begun()
    accounts.users.disable("ada")
    accounts.users.enable("ada")
    assert accounts.sign_in.rights_of(third) is None
    fourth, later = begun(), clock.now() + LASTS
    monkeypatch.setattr(signing.clock, "now", lambda: later - timedelta(minutes=1))
    assert accounts.sign_in.rights_of(fourth) is not None
    monkeypatch.setattr(signing.clock, "now", lambda: later + timedelta(minutes=1))
    assert accounts.sign_in.rights_of(fourth) is None


def test_sessions_that_are_over_are_forgotten_at_the_next_sign_in(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = accounts.users.add("ada")
    accounts.sign_in.put("old", ada.id)
    later = clock.now() + LASTS * 2
    monkeypatch.setattr(signing.clock, "now", lambda: later)
    accounts.sign_in.put("new", ada.id)
    with accounts._database.transaction() as connection:
        assert len(connection.execute(select(sessions)).all()) == 1


def test_a_session_of_another_graph_is_none(accounts: Accounts, url: str) -> None:
    accounts.users.add("ada", PASSWORD)
    token = accounts.sign_in.begin("ada", PASSWORD, HERE)
    elsewhere = Accounts(url, "bolt://elsewhere:7687")
    assert elsewhere.sign_in.rights_of(token) is None
    with pytest.raises(WrongPassword):
        elsewhere.sign_in.begin("ada", PASSWORD, HERE)
    elsewhere.close()
    again = Accounts(url, GRAPH)
    assert again.sign_in.rights_of(token) is not None
    again.close()


def tried(accounts: Accounts, name: str, address: str) -> type[BadInput]:
    """What comes of a wrong password."""
    with pytest.raises(BadInput) as raised:
        accounts.sign_in.begin(name, PASSWORD + "!", address)
    return raised.type


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.accounts.passwords.is_right", lambda password, _: password == PASSWORD)


@pytest.mark.usefixtures("fast")
def test_from_one_address_a_name_is_tried_five_times_and_all_names_thirty_times(accounts: Accounts) -> None:
    assert [tried(accounts, "ada", HERE) for _ in range(7)] == [WrongPassword] * 5 + [TooManyTries] * 2
    assert [tried(accounts, f"name {n}", HERE) for n in range(26)] == [WrongPassword] * 25 + [TooManyTries]


@pytest.mark.usefixtures("fast")
def test_wrong_tries_of_few_addresses_do_not_lock_out_the_right_password(
    accounts: Accounts,
) -> None:
    accounts.users.add("ada", PASSWORD)
    for n in range(19):
        assert [tried(accounts, "ada", f"192.0.2.{n}") for _ in range(5)] == [WrongPassword] * 5
    assert accounts.sign_in.begin("ada", PASSWORD, "198.51.100.1")
    assert [tried(accounts, "ada", "203.0.113.1") for _ in range(5)] == [WrongPassword] * 5
    with pytest.raises(TooManyTries):
        accounts.sign_in.begin("ada", PASSWORD, "198.51.100.1")


@pytest.mark.usefixtures("fast")
def test_tries_while_the_accounts_are_out_of_reach_do_not_count(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.users.add("ada", PASSWORD)
    with monkeypatch.context() as patched:
        patched.setattr(accounts._database, "_engine", _engine("postgresql://asof@127.0.0.1:1/asof"))
        for _ in range(10):
            with pytest.raises(AccountsUnavailable):
                accounts.sign_in.begin("ada", PASSWORD, HERE)
    assert accounts.sign_in.begin("ada", PASSWORD, HERE)


def test_rights_are_those_of_the_moment_and_cover_what_was_not_taken_back(accounts: Accounts) -> None:
    ada, root = accounts.users.add("ada"), accounts.users.add("root", is_admin=True)
    for token, user in (("hers", ada), ("his", root)):
        accounts.sign_in.put(token, user.id)
    for workspace in ("team", "secret"):
        accounts.users.grant("ada", workspace)
    before = accounts.sign_in.rights_of("hers")
    assert before == Rights(ada, frozenset({"team", "secret"}))
    accounts.users.revoke("ada", "secret")
    after = accounts.sign_in.rights_of("hers")
    assert after == Rights(ada, frozenset({"team"}))
    assert before.covers(after)
    assert not after.covers(before)
    of_root = accounts.sign_in.rights_of("his")
    assert of_root == Rights(root)
    assert of_root.covers(of_root)
    assert not of_root.covers(after), "another user's page is nobody else's"
    assert not Rights(ada).covers(Rights(replace(ada, is_admin=True))), "an administrator no more"


def test_the_pages_of_very_many_browsers_do_not_fill_the_memory(accounts: Accounts) -> None:
    pages, shown = accounts.sign_in.pages, Shown("token", Rights(accounts.users.add("ada")))
    for number in range(10_001):
        pages.put(str(number), shown)
    assert (pages.get("0"), pages.get("10000")) == (None, shown)


def test_good_sign_ins_are_no_tries(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts.users.add("ada", PASSWORD)
    monkeypatch.setattr("services.accounts.passwords.is_right", lambda *_: True)
    assert len({accounts.sign_in.begin("ada", PASSWORD, HERE) for _ in range(40)}) == 40


def test_tries_come_back_with_time_and_old_ones_are_forgotten(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    monkeypatch.setattr("services.core.clock.now", lambda: now)
    counted = Attempts(accounts._database)
    assert [counted.take({"ada": 2}) is not None for _ in range(3)] == [True, True, False]
    now += timedelta(minutes=5)
    assert counted.take({"ada": 2})
    with accounts._database.transaction() as connection:
        assert connection.scalar(select(func.count()).select_from(attempts)) == 1


def test_two_replicas_count_the_same_tries(accounts: Accounts) -> None:
    replica = SignIn(accounts._database)
    assert [tried(accounts, "ada", HERE) for _ in range(3)] == [WrongPassword] * 3
    for _ in range(2):
        with pytest.raises(WrongPassword):
            replica.begin("ada", "wrong", HERE)
    with pytest.raises(TooManyTries):
        replica.begin("ada", "wrong", HERE)
    assert tried(accounts, "ada", HERE) is TooManyTries


def test_who_a_browser_says_it_is_depends_on_how_one_signs_in() -> None:
    cookies = {COOKIE: "ours", "_streamlit_user": "signed", "_streamlit_user__1": "more", "_xsrf": "x"}
    assert token_of(cookies, "none") is None
    assert token_of(cookies, "local") == "ours"
    both = token_of(cookies, "oidc")
    assert both is not None
    assert both != token_of({**cookies, "_streamlit_user__1": "other"}, "oidc")
    assert token_of({COOKIE: "ours"}, "oidc") is None
