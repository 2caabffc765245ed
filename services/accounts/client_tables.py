"""The tables of clients outside the pages: what they were granted, what they propose, and what they have seen."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Table, Text

from services.accounts.column_types import Instant, Json, SafeText
from services.accounts.schema import metadata

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("digest", Text, nullable=False, unique=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", SafeText, nullable=False),
    Column("workspaces", Json, nullable=False),
    Column("toolsets", Json, nullable=False),
    Column("may_write", Boolean, nullable=False),
    Column("as_of", Instant),
    Column("known_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
    Column("last_used_at", Instant),
)
"""What clients of MCP and REST were granted. `digest` is the hash of the token, which is kept nowhere."""

proposed_calls = Table(
    "proposed_calls",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("input", Json, nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("state", Text, nullable=False),
    Column("problem", SafeText, nullable=False),
    Column("output", Json),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("decided_at", Instant),
)
"""Calls of tools that write, which clients outside the chat propose."""

changes_seen = Table(
    "changes_seen",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("client", Text, primary_key=True),
    Column("until", Instant, nullable=False),
    Column("version", BigInteger, nullable=False, server_default="0"),
)
"""Up to when each client was told what changed, and from which version of the mirror."""

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("secret", Text, nullable=False),
)
"""What sign-ins of programs are signed with. Deleting a row ends all that were signed with it."""
