"""A command is known by the sitting of whoever gave it; times when no server ran, and a shared key, are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("entries") as entries:
        entries.drop_constraint("entries_by_cid", type_="unique")
        entries.add_column(sa.Column("sitting", sa.Integer))
        entries.create_unique_constraint("entries_by_cid", ["table_id", "sitting", "cid"])
    with op.batch_alter_table("processes") as processes:
        processes.add_column(sa.Column("clock", sa.Double))
    op.create_table(
        "shared",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("began", sa.Double, primary_key=True),
        sa.Column("ended", sa.Double, nullable=False),
    )
