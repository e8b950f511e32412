"""Codes of tables, who opened them, and what lists are filtered by."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Tables of before have no codes, count for nobody, and are listed as tables of people without a clock.
    op.create_table(
        "unfinished",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("code", sa.String(6), nullable=False, unique=True),
        sa.Column("opener", sa.String(64), nullable=False),
    )
    op.create_index("unfinished_by_opener", "unfinished", ["opener"])
    op.add_column("tables", sa.Column("bots", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("pace", sa.String(8), nullable=False, server_default="none"))
