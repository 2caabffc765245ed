"""Settings: read once from the environment (or `.env`), then frozen. The README's table lists every one of them."""

import functools
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.errors import BadInput

EMBEDDED = "embedded"


class Settings(BaseSettings):
    """Where Asof keeps things and whom it talks to. Each field is the variable `ASOF_<FIELD>`."""

    model_config = SettingsConfigDict(env_prefix="ASOF_", env_file=".env", extra="ignore", frozen=True)

    home: Path = Field(Path(".asof"), description="Data folder: embedded graph, mirror, accounts, logs.")
    graph_url: str = Field(
        EMBEDDED, description="`embedded`, `falkordb://host:6379`, `bolt://host:7687` or `neo4j+s://…`."
    )
    graph_user: str = Field("", description="User of the graph database, when it is not in the address.")
    graph_password: str = Field("", description="Password of the graph database, when it is not in the address.")
    database_url: str = Field(
        "", description="Accounts: empty for a SQLite file in the data folder, or a PostgreSQL URL."
    )
    embedder: str = Field(
        "local", description="Who makes vectors: `local`, or `openai:MODEL` or `voyage:MODEL` with their keys."
    )
    embedding_dimension: int = Field(1024, ge=8, le=4096, description="The length of a remote model's vectors.")
    sync_seconds: float = Field(5.0, description="How often the mirror looks for changes that others made.")

    @property
    def folder(self) -> Path:
        """The data folder as an absolute path."""
        return self.home.expanduser().resolve()

    @property
    def accounts_url(self) -> str:
        """The accounts database as SQLAlchemy names it."""
        return self.database_url or self._own_accounts_url

    @property
    def graph_key(self) -> str:
        """What tells this graph from others in one accounts database.

        An embedded graph with its accounts beside it is found again when the data folder is moved.
        """
        if self.graph_url != EMBEDDED:
            return without_password(self.graph_url)
        return EMBEDDED if self.accounts_url == self._own_accounts_url else f"{EMBEDDED} {self.folder}"

    @property
    def _own_accounts_url(self) -> str:
        return f"sqlite:///{self.folder / 'accounts.db'}"


@functools.cache
def settings() -> Settings:
    """The settings of this process.

    Raises `BadInput` that names the variable when one cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "ASOF_" + str(first["loc"][0]).upper()
        raise BadInput(f"{name} cannot be used: {first['msg']}.", "See the table of settings in README.md.") from error


def without_password(url: str) -> str:
    """`url` fit for showing: user and password left out."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
