"""Users and who is signed in, conversations with their traces, cases, synonyms."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_LARGE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _users()
    _conversations()
    _calls()
    _cases()
    op.create_table(
        "synonyms",
        sa.Column("graph", sa.Text, primary_key=True),
        sa.Column("workspace", sa.Text, primary_key=True),
        sa.Column("document", sa.Text, nullable=False),
    )


def _of(table: str, column: str, **options: Any) -> "sa.Column[str]":
    """A column that names a row of another table, and goes with it."""
    return sa.Column(column, sa.Text, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, **options)


def _instant(name: str, **options: Any) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), **options)


def _users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("password", sa.Text),
        _instant("created_at", nullable=False),
        _instant("disabled_at"),
        sa.UniqueConstraint("graph", "name", name="users_are_told_apart"),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.Text, primary_key=True),
        _of("users", "user_id", index=True),
        _instant("created_at", nullable=False),
        _instant("expires_at", nullable=False),
    )
    op.create_table(
        "grants",
        _of("users", "user_id", primary_key=True),
        sa.Column("workspace", sa.Text, primary_key=True),
    )


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("graph", sa.Text, nullable=False),
        _of("users", "user_id"),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        _instant("created_at", nullable=False),
        _instant("updated_at", nullable=False),
        sa.Column("is_shared", sa.Boolean, nullable=False),
        sa.Index("conversations_of_a_user", "user_id", "workspace", "updated_at"),
    )
    op.create_table(
        "messages",
        sa.Column("number", _LARGE, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        _of("conversations", "conversation_id", index=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("role", "content", "folded")),
        _instant("created_at", nullable=False, index=True),
        sa.Column("parent_id", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("runner", sa.Text),
        sa.Column("answer", sa.Text),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("blocks", "sources")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("model", "effort", "problem", "hint")),
        _instant("as_of"),
        _instant("known_at"),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("thumb", sa.Integer, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )


def _calls() -> None:
    op.create_table(
        "calls",
        _of("messages", "message_id", primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("parent_id", sa.Text),
        sa.Column("input", sa.Text, nullable=False),
        sa.Column("output", sa.Text),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("error", sa.Text),
        _instant("started_at", nullable=False),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("input_tokens", sa.BigInteger),
        sa.Column("output_tokens", sa.BigInteger),
        sa.Column("cost", sa.Float),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        _of("users", "user_id"),
        sa.Column("model", sa.Text, nullable=False),
        sa.Index("calls_by_time", "graph", "workspace", "started_at"),
    )


def _cases() -> None:
    op.create_table(
        "cases",
        sa.Column("number", _LARGE, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("graph", "workspace", "message_id", "question")),
        _instant("as_of"),
        _instant("known_at"),
        sa.Column("before", sa.Text),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("thumb", sa.Integer, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        _instant("created_at", nullable=False),
        sa.UniqueConstraint("graph", "message_id", name="an_answer_is_one_case"),
    )
    op.create_table(
        "runs",
        sa.Column("number", _LARGE, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        _of("cases", "case_id", index=True),
        _instant("created_at", nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("problem", sa.Text, nullable=False),
    )
