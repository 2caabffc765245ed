"""What was dismissed is told apart by a digest: PostgreSQL indexes no key as long as that of many doubles."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table anew, with what it held."""
    names = ("graph", "workspace", "kind")
    texts = [sa.column(name, sa.Text) for name in (*names, "key", "user_id")]
    before = sa.table("dismissals", *texts, sa.column("created_at", _INSTANT))
    held = op.get_bind().execute(sa.select(before)).mappings().all()
    op.drop_table("dismissals")
    made = op.create_table(
        "dismissals",
        *(sa.Column(name, sa.Text, primary_key=True) for name in (*names, "digest")),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
    )
    digests = (hashlib.blake2b(row["key"].encode(), digest_size=16).hexdigest() for row in held)
    op.bulk_insert(made, [{**row, "digest": digest} for row, digest in zip(held, digests, strict=True)])
