"""Settings: read once from the environment (or `.env`), then frozen. docs/guide/settings.md lists every one of them."""

import functools
import re
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.core.errors import BadInput

EMBEDDED = "embedded"

_WANTED = {
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "float_parsing": "a number",
    "bool_parsing": "true or false",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "literal_error": "{expected}",
}
"""What a setting takes, by the name that pydantic has for what is wrong with it."""
_USER_ALONE = re.compile(r"(?<=://)[^:@/]+(?=@)")
"""The user of an address that has no password after it."""


class Settings(BaseSettings):
    """Where Asof keeps things and whom it talks to. Each field is the variable `ASOF_<FIELD>`."""

    model_config = SettingsConfigDict(
        env_prefix="ASOF_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    home: Path = Field(
        Path(".asof"), description="The data folder: the embedded graph, the mirror, the accounts and the logs."
    )
    graph_url: str = Field(
        EMBEDDED, description="`embedded`, `falkordb://host:6379`, `bolt://host:7687` or `neo4j+s://…`."
    )
    graph_user: str = Field("", description="The user of the graph database, if the address does not include it.")
    graph_password: str = Field(
        "", description="The password of the graph database, if the address does not include it."
    )
    database_url: str = Field(
        "", description="The accounts database: a PostgreSQL URL, or empty for a SQLite file in the data folder."
    )
    database_password: str = Field(
        "", description="The PostgreSQL password, not URL-encoded, if the URL does not include it."
    )
    embedder: str = Field(
        "local",
        description="The embedding model: `local`, `onnx:FOLDER`, or `openai:MODEL` or `voyage:MODEL` with their keys.",
    )
    embedding_dimension: int = Field(1024, ge=8, le=4096, description="The dimension of a remote model's embeddings.")
    anthropic_api_key: SecretStr = Field(
        SecretStr(""), validation_alias="ANTHROPIC_API_KEY", description="The key of the model's endpoint."
    )
    anthropic_base_url: str = Field(
        "", validation_alias="ANTHROPIC_BASE_URL", description="The address of the Messages API; empty: Anthropic's."
    )
    model: str = Field(
        "", description="Models to choose from, separated by commas; the first is the default; empty: no model."
    )
    prices: str = Field(
        "",
        description="Dollars per million input and output tokens, `MODEL=3/15`, separated by commas; empty: no costs.",
    )
    effort: Literal["", "low", "medium", "high"] = Field(
        "", description="How much effort the model spends on thinking; empty: the model's default."
    )
    plain_model: bool = Field(
        False,
        description="Leave out the caching, effort and thinking options, for local servers that do not support them.",
    )
    toolsets: str = Field(
        "analyst", description="The agent's toolsets, separated by commas: `analyst`, `knowledge`, `memory`."
    )
    max_question: int = Field(4000, ge=1, description="The maximum length of a question, in characters.")
    max_steps: int = Field(12, ge=1, description="The maximum number of requests to the model for one answer.")
    max_seconds: float = Field(180, gt=0, description="The maximum time for one answer, in seconds.")
    max_tokens: int = Field(8192, ge=256, description="The maximum number of tokens that one request may return.")
    max_answer_tokens: int = Field(
        400_000, ge=1000, description="The maximum number of input and output tokens for one answer."
    )
    max_answer_cost: float = Field(0, ge=0, description="The maximum cost of one answer, in dollars; 0: no limit.")
    max_daily_cost: float = Field(0, ge=0, description="The maximum cost per user and day, in dollars; 0: no limit.")
    reporters: str = Field(
        "news,brief",
        description="The reporters of workflows: `news`, `brief` or paths of prompt files; the first is the default.",
    )
    multi_route_always: bool = Field(False, description="Run every reporter in workflows, whatever the goal asks for.")
    use_graph_search: bool = Field(
        True, description="Whether workflows search the graph; if not, they search only the documents."
    )
    role_models: str = Field(
        "", description="Models for workflow roles: `triage=NAME,search=NAME,report=NAME,review=NAME`."
    )
    max_workflow_cost: float = Field(
        0, ge=0, description="The maximum cost of one workflow run, in dollars; 0: no limit."
    )
    folders: str = Field(
        "", description="Folders whose files the agent may ingest by path, separated by commas; empty: none."
    )
    intranet: str = Field(
        "", description="Hosts in your network, or on non-standard ports, that Asof may contact: `wiki.intern:9000`."
    )
    max_file_mb: int = Field(50, ge=1, description="The largest file or page to ingest, in megabytes.")
    port: int = Field(8501, ge=1, le=65_435, description="The port where `make run` starts looking for a free one.")
    auth: Literal["none", "local", "oidc"] = Field(
        "none", description="How users sign in: `none` (one user, on this computer only), `local` or `oidc`."
    )
    allowed: str = Field(
        "", description="For `oidc`: e-mail addresses or @domains that may sign in, separated by commas."
    )
    token_hours: float = Field(12, gt=0, description="How long a token issued for a password stays valid, in hours.")
    cors_origins: str = Field(
        "", description="Origins of other sites that may call the REST API, separated by commas; empty: none."
    )
    requests_per_minute: int = Field(
        600, ge=0, description="The maximum number of REST calls per client and minute; 0: no limit."
    )
    sync_seconds: float = Field(
        5.0, description="How often the mirror checks the graph for changes by other programs, in seconds."
    )

    @property
    def folder(self) -> Path:
        """The data folder as an absolute path."""
        return self.home.expanduser().resolve()

    @property
    def accounts_url(self) -> str:
        """The accounts database as SQLAlchemy names it."""
        return self._database_url_with_password or self._own_accounts_url

    @property
    def _database_url_with_password(self) -> str:
        """The address with the password after its user, encoded: it may hold what separates the parts of an address.

        Raises `BadInput` where the address of a PostgreSQL has no user to put it after.
        """
        if not self.database_password:
            return self.database_url
        password = quote(self.database_password, safe="")
        url, found = _USER_ALONE.subn(lambda user: f"{user[0]}:{password}", self.database_url, count=1)
        parts = urlsplit(self.database_url)
        if not found and parts.scheme.startswith("postgres") and not parts.password:
            raise _refused("ASOF_DATABASE_PASSWORD has no effect: ASOF_DATABASE_URL has no user.")
        return url

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
        return f"sqlite:///{quote(str(self.folder / 'accounts.db'))}"


@functools.cache
def settings() -> Settings:
    """The settings of this process.

    Raises `BadInput` that names the variable when one cannot be used.
    """
    try:
        chosen = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = variable(str(first["loc"][0]))
        wanted = _WANTED.get(first["type"], "another value").format(**first.get("ctx", {}))
        raise _refused(f"{name} is not valid: set it to {wanted}.") from error
    if "?" in str(chosen.folder):  # DuckDB takes a name to end there
        raise _refused(f"ASOF_HOME is not valid: {chosen.folder} must not contain a question mark.")
    return chosen


def _refused(problem: str) -> BadInput:
    return BadInput(problem, "See the table of settings in docs/guide/settings.md.")


def listed(text: str) -> list[str]:
    """Return the items of a setting that lists them with commas between."""
    return [item.strip() for item in text.split(",") if item.strip()]


def variable(field: str) -> str:
    """The environment variable of a field of the settings, or of its alias."""
    named = Settings.model_fields.get(field)
    return (
        str(named.validation_alias)
        if named and named.validation_alias
        else "ASOF_" + field.upper().removeprefix("ASOF_")
    )


def without_password(url: str) -> str:
    """`url` fit for showing: user and password left out."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
