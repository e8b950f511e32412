"""How Alembic reaches the database: over the connection that ``store.migrate`` hands it."""

from alembic import context

from parlour.server.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by writing it anew
)
with context.begin_transaction():
    context.run_migrations()
