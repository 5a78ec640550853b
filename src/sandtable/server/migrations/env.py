"""How Alembic gets at the database: by the connection that `Database.prepare` opened, in its
transaction.

When the tables change, add `versions/NNNN_words.py` with the next number as its `revision` and the
one before as its `down_revision`; a test compares what the files make with `tables.py`.
"""

from alembic import context

from sandtable.server.tables import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    transactional_ddl=False,
)
context.run_migrations()
