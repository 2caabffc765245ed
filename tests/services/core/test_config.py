"""Settings: read once, and clear when they cannot be used."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from services.accounts.store import Accounts
from services.core import config
from services.core.errors import BadInput


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    config.settings.cache_clear()
    monkeypatch.setattr(config, "settings", config.settings.__wrapped__)


def test_nothing_set_is_an_embedded_graph_in_a_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in config.Settings.model_fields:
        monkeypatch.delenv(f"ASOF_{name.upper()}", raising=False)
    chosen = config.settings()
    assert chosen.graph_url == config.EMBEDDED
    assert chosen.folder == tmp_path / ".asof"
    assert chosen.accounts_url == f"sqlite:///{tmp_path / '.asof' / 'accounts.db'}"


@pytest.mark.parametrize(
    ("variable", "value", "wanted"),
    [
        ("ASOF_SYNC_SECONDS", "often", "set it to a number"),
        ("ASOF_PORT", "8501x", "set it to a whole number"),
        ("ASOF_PORT", "99999", "set it to at most 65435"),
        ("ASOF_MAX_STEPS", "0", "set it to at least 1"),
        ("ASOF_MAX_SECONDS", "0", "set it to more than 0"),
        ("ASOF_MAX_QUESTION", "1" * 5000, "set it to a smaller number"),
        ("ASOF_PLAIN_MODEL", "perhaps", "set it to true or false"),
        ("ASOF_AUTH", "ldap", "set it to 'none', 'local' or 'oidc'"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named_with_what_it_takes(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, wanted: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadInput, match=f"{variable} is not valid: {wanted}[.] See the table of settings"):
        config.settings()


def test_a_data_folder_with_a_question_mark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASOF_HOME", "what?")
    with pytest.raises(BadInput, match=r"ASOF_HOME is not valid: .*what\? must not contain a question mark"):
        config.settings()


def test_accounts_are_kept_in_the_data_folder_whatever_its_name(tmp_path: Path) -> None:
    chosen = config.Settings(home=tmp_path / "50% done, %41 #1", database_url="")
    chosen.folder.mkdir()
    with closing(Accounts(chosen.accounts_url, chosen.graph_key)) as accounts:
        accounts.add("w", "A label")
    assert (chosen.folder / "accounts.db").is_file()
    assert chosen.graph_key == config.EMBEDDED


def test_settings_may_stand_in_a_dotenv_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ASOF_SYNC_SECONDS=9\n")
    assert config.settings().sync_seconds == 9


def test_an_address_is_shown_without_its_password() -> None:
    assert config.without_password("bolt://neo4j:secret@host:7687") == "bolt://host:7687"
    assert config.without_password("embedded") == "embedded"


def test_a_graph_is_known_by_its_address_without_its_password() -> None:
    chosen = config.Settings(graph_url="bolt://neo4j:secret@host:7687", database_url="postgresql://asof@host/asof")
    assert chosen.graph_key == "bolt://host:7687"


@pytest.mark.parametrize("address", ["postgresql://asof@accounts/asof", "postgresql+psycopg://asof@accounts:5/asof"])
def test_a_database_password_may_hold_what_separates_the_parts_of_an_address(address: str) -> None:
    password = "p@ss/w:rd?#%41 é"
    url = make_url(config.Settings(database_url=address, database_password=password).accounts_url)
    assert (url.username, url.password, url.host, url.database) == ("asof", password, "accounts", "asof")


@pytest.mark.parametrize("address", ["postgresql://asof:own@accounts/asof", "sqlite:////srv/ada@home/accounts.db"])
def test_a_password_in_the_address_of_the_accounts_is_kept_and_a_file_has_none(address: str) -> None:
    assert config.Settings(database_url=address, database_password="other").accounts_url == address


@pytest.mark.parametrize("address", ["postgresql://accounts/asof", "postgresql+psycopg://:@accounts:5/asof"])
def test_a_database_password_is_refused_for_an_address_without_a_user(address: str) -> None:
    with pytest.raises(BadInput, match="ASOF_DATABASE_URL has no user"):
        _ = config.Settings(database_url=address, database_password="secret").accounts_url


def test_embedded_graphs_that_share_accounts_are_distinguished_by_folder(tmp_path: Path) -> None:
    shared = "postgresql://asof@host/asof"
    one, two = (config.Settings(home=tmp_path / name, database_url=shared).graph_key for name in "ab")
    assert one != two


def test_an_embedded_graph_with_its_accounts_is_found_after_its_folder_moves(tmp_path: Path) -> None:
    one, two = (config.Settings(home=tmp_path / name, database_url="").graph_key for name in "ab")
    named = config.Settings(home=tmp_path / "a", database_url=f"sqlite:///{tmp_path / 'a' / 'accounts.db'}")
    assert one == two == named.graph_key
