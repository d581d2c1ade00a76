"""Run by Alembic: applies the versions on the connection that it is given."""

from alembic import context

from cmgames.rooms.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
context.run_migrations()
