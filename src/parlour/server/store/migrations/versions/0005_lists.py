"""Which tables are for others to see in lists."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Of tables of before it is not known how many people sit there: they are listed, as they were.
    op.add_column("tables", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_index("tables_by_list", "tables", ["listed", "phase", "created"])
