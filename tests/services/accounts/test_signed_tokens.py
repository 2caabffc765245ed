"""Sign-ins of programs: whom a signed token stands for, and when it ends, on both databases."""

from datetime import timedelta

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from sqlalchemy import delete

from services.accounts.account_records import User
from services.accounts.client_tables import signing_keys
from services.accounts.signed_tokens import TokenRefused, UserGone
from services.accounts.store import Accounts
from services.core import clock

pytestmark = pytest.mark.usefixtures("quick_passwords")
HOUR = timedelta(hours=1)


def test_a_token_stands_for_its_user_with_the_grants_of_now(accounts: Accounts) -> None:
    ada = accounts.users.add("ada", "correct horse")
    token = accounts.signed_tokens.make(ada.id, HOUR)
    accounts.users.grant("ada", "team")
    rights = accounts.signed_tokens.rights_of(token)
    assert (rights.user, rights.workspaces) == (ada, {"team"})


def test_a_changed_password_ends_a_token_at_once(accounts: Accounts) -> None:
    token = accounts.signed_tokens.make(accounts.users.add("ada", "correct horse").id, HOUR)
    accounts.users.set_password("ada", "another horse")
    with pytest.raises(TokenRefused, match="changed"):
        accounts.signed_tokens.rights_of(token)


def test_a_disabled_user_is_gone_until_enabled_again(accounts: Accounts, ada: User) -> None:
    token = accounts.signed_tokens.make(ada.id, HOUR)
    accounts.users.disable("ada")
    with pytest.raises(UserGone):
        accounts.signed_tokens.rights_of(token)
    accounts.users.enable("ada")
    assert accounts.signed_tokens.rights_of(token).user == ada


def test_a_token_ends_with_its_time_and_with_the_secret(accounts: Accounts, ada: User) -> None:
    with pytest.raises(TokenRefused, match="expired"):
        accounts.signed_tokens.rights_of(accounts.signed_tokens.make(ada.id, -HOUR))
    token = accounts.signed_tokens.make(ada.id, HOUR)
    accounts._database.run(delete(signing_keys))
    with pytest.raises(TokenRefused):
        accounts.signed_tokens.rights_of(token)


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
@pytest.mark.parametrize("algorithm", ["HS256", "HS512", "none"])
def test_no_token_of_another_secret_or_algorithm_is_good(accounts: Accounts, ada: User, algorithm: str) -> None:
    good = accounts.signed_tokens.make(ada.id, HOUR)
    secret = accounts.signed_tokens._secret() if algorithm != "HS256" else "x" * 40
    claims = jwt.decode(good, OctKey.import_key(accounts.signed_tokens._secret())).claims
    forged = jwt.encode({"alg": algorithm}, claims, OctKey.import_key(secret), algorithms=[algorithm])
    for token in (forged, good[:-2], good.rpartition(".")[0] + ".", "a.b.c", "", "é.é.é"):
        with pytest.raises(TokenRefused):
            accounts.signed_tokens.rights_of(token)
    assert accounts.signed_tokens.rights_of(good).user.created_at <= clock.now()
