"""The tables of the accounts database: what Asof knows that the graph does not hold.

`services/accounts/migrations` makes them; a change here needs a revision there, and `NEWEST` says the last one.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from services.accounts.column_types import Instant, Json, SafeText

NEWEST = "0016"

metadata = MetaData()

workspaces = Table(
    "workspaces",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("label", Text, nullable=False),
)

change_sets = Table(
    "change_sets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("user_id", Text),
    Column("origin", Json),
    Column("counts", Json),
    Column("changes", Json),
    Column("digests", LargeBinary),
    Column("redo", LargeBinary),
    Column("finished_at", Instant),
    Column("undone_at", Instant),
    Column("undone_by", Text),
    Column("position", BigInteger),
    Index("change_sets_by_time", "graph", "workspace", "created_at"),
)
"""`payload` is what was there before the write, `digests` what tells whether it is still as the write left it, and
`redo` what an undo took away. `changes` are its first lines for people. `position` grows within a workspace with each
write, undo and redo."""

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("name", SafeText, nullable=False),
    Column("display_name", SafeText, nullable=False),
    Column("is_admin", Boolean, nullable=False),
    Column("password", Text),
    Column("created_at", Instant, nullable=False),
    Column("disabled_at", Instant),
    UniqueConstraint("graph", "name", name="users_are_told_apart"),
)
"""`password` is a hash; without one nobody signs in by a password."""


def _of_user(**options: Any) -> Column[str]:
    return Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, **options)


sessions = Table(
    "sessions",
    metadata,
    Column("token", Text, primary_key=True),
    _of_user(index=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
)
"""Who is signed in. `token` is the hash of what the browser's cookie holds."""


def _numbered() -> Column[int]:
    """The order in which rows came, which two equal instants do not tell."""
    return Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True)


attempts = Table(
    "attempts",
    metadata,
    _numbered(),
    Column("graph", Text, nullable=False),
    Column("key", SafeText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Index("attempts_by_key", "graph", "key"),
)
"""Tries to sign in of the last minutes, by name, by address, and by both."""

grants = Table(
    "grants",
    metadata,
    _of_user(primary_key=True),
    Column("workspace", Text, primary_key=True),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    _of_user(),
    Column("workspace", Text, nullable=False),
    Column("title", SafeText, nullable=False),
    Column("folded", SafeText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("is_shared", Boolean, nullable=False),
    Index("conversations_of_a_user", "user_id", "workspace", "updated_at"),
)
"""`folded` is the title without regard to case, for search; in messages it is the content."""


messages = Table(
    "messages",
    metadata,
    _numbered(),
    Column("id", Text, nullable=False, unique=True),
    Column("conversation_id", Text, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("role", Text, nullable=False),
    Column("content", SafeText, nullable=False),
    Column("folded", SafeText, nullable=False),
    Column("created_at", Instant, nullable=False, index=True),
    Column("parent_id", Text),
    Column("state", Text, nullable=False),
    Column("runner", Text),
    Column("answer", Json),
    Column("blocks", Json, nullable=False),
    Column("sources", Json, nullable=False),
    Column("model", SafeText, nullable=False),
    Column("effort", SafeText, nullable=False),
    Column("problem", SafeText, nullable=False),
    Column("hint", SafeText, nullable=False),
    Column("as_of", Instant),
    Column("known_at", Instant),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Column("ms", Float, nullable=False),
    Column("thumb", Integer, nullable=False),
    Column("note", SafeText, nullable=False),
)
"""`runner` is the process that makes the answer, while it is made."""

calls = Table(
    "calls",
    metadata,
    Column("message_id", Text, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("tool", SafeText, nullable=False),
    Column("parent_id", Text),
    Column("input", Json, nullable=False),
    Column("output", Json),
    Column("summary", SafeText, nullable=False),
    Column("error", SafeText),
    Column("started_at", Instant, nullable=False),
    Column("ms", Float, nullable=False),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("cost", Float),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    _of_user(),
    Column("model", SafeText, nullable=False),
    Index("calls_by_time", "graph", "workspace", "started_at"),
)

usage = Table(
    "usage",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE")),
    Column("created_at", Instant, nullable=False),
    Column("model", SafeText, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Index("usage_by_user", "user_id", "created_at"),
    Index("usage_by_time", "graph", "created_at"),
)
"""What each answer took, under its message's id; it outlives that. Without a user somebody asked on the terminal."""

cases = Table(
    "cases",
    metadata,
    _numbered(),
    Column("id", Text, nullable=False, unique=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("question", SafeText, nullable=False),
    Column("as_of", Instant),
    Column("known_at", Instant),
    Column("before", Json),
    Column("answer", Json, nullable=False),
    Column("thumb", Integer, nullable=False),
    Column("note", SafeText, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("graph", "message_id", name="an_answer_is_one_case"),
)
"""A case is a copy, so it outlives its conversation. `before` is the answer that the question followed upon."""

runs = Table(
    "runs",
    metadata,
    _numbered(),
    Column("id", Text, nullable=False, unique=True),
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("answer", Json, nullable=False),
    Column("model", SafeText, nullable=False),
    Column("ms", Float, nullable=False),
    Column("cost", Float),
    Column("problem", SafeText, nullable=False),
)

synonyms = Table(
    "synonyms",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("document", Json, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    _numbered(),
    Column("id", Text, nullable=False, unique=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("user_id", Text),
    Column("kind", Text, nullable=False),
    Column("title", SafeText, nullable=False),
    Column("state", Text, nullable=False),
    Column("options", Json, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Index("jobs_of_a_workspace", "graph", "workspace", "state"),
)

items = Table(
    "items",
    metadata,
    Column("id", Text, primary_key=True),
    Column("job_id", Text, ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("key", SafeText, nullable=False),
    Column("title", SafeText, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("payload", Json, nullable=False),
    Column("result", Json),
    Column("problem", SafeText, nullable=False),
    Column("hint", SafeText, nullable=False),
    Column("change_set_id", Text),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Column("ms", Float, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Index("items_in_order", "job_id", "state", "position"),
)
"""One step of a job. `key` tells it from others of its job, and `id` is made of both: adding it twice adds it once."""

uploads = Table(
    "uploads",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""Files that jobs have yet to read; here, since every process that may run a job reaches this database."""

schemas = Table(
    "schemas",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("document", Json, nullable=False),
)
"""Which types and relations to look for in texts."""

readings = Table(
    "readings",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("episode_uuid", Text, primary_key=True),
    Column("reader", SafeText, primary_key=True),
)
"""Texts in which somebody found no facts, so that nobody pays for looking twice."""

pending = Table(
    "pending",
    metadata,
    _numbered(),
    Column("id", Text, nullable=False, unique=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    _of_user(),
    Column("conversation_id", Text, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("message_id", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("input", Json, nullable=False),
    Column("state", Text, nullable=False),
    Column("output", Json),
    Column("problem", SafeText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("decided_at", Instant),
)
"""Calls of tools that write, which wait for the analyst's button."""

dismissals = Table(
    "dismissals",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("key", SafeText, nullable=False),
    Column("user_id", Text),
    Column("created_at", Instant, nullable=False),
)
"""What Health found and an analyst has looked at: it is as it should be."""

user_marks = Table(
    "user_marks",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("mark", Text, primary_key=True),
    Column("at", Instant, nullable=False),
)
"""When a user opened a workspace, saw what was new in it, or closed an explanation."""

saved_queries = Table(
    "saved_queries",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("name", SafeText, primary_key=True),
    Column("sql", SafeText, nullable=False),
    Column("question", SafeText, nullable=False),
    Column("description", SafeText, nullable=False),
    Column("database", Text),
    Column("is_verified", Boolean, nullable=False),
    Column("user_id", Text),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
)
"""SQL under a name; what is verified shows how a question of its kind is written."""
