"""What whoever runs the server has done, and who is banned."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("details", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("value", sa.String(100), primary_key=True),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )
