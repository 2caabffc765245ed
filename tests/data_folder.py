"""A data folder that holds the tables of the accounts already: the migrations that make them run once for all tests."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from services.accounts.store import Accounts


def with_tables(home: Path) -> Path:
    """Put an accounts database with nothing in it into a data folder that has none, and return the folder."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = home / "accounts.db"
    if not file.exists():
        file.write_bytes(_tables())
    return home


@cache
def _tables() -> bytes:
    """Return such a database's file."""
    with TemporaryDirectory() as folder:
        accounts = Accounts(f"sqlite:///{folder}/accounts.db", "")
        accounts.workspaces()
        accounts.close()
        return Path(folder, "accounts.db").read_bytes()
