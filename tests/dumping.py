"""Every row of a database, whoever made its tables: to look for a word in them."""

import sqlalchemy as sa

_SYSTEM = {"information_schema", "pg_catalog", "pg_toast"}


def dumped(url: str) -> dict[str, str]:
    """Table, with its schema -> its rows as SQL tells them, nothing opened or translated."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    found: dict[str, str] = {}
    with engine.connect() as connection:
        inspector = sa.inspect(connection)
        for schema in set(inspector.get_schema_names()) - _SYSTEM:
            for table in inspector.get_table_names(schema=schema):
                rows = connection.exec_driver_sql(f'select * from "{schema}"."{table}"').all()
                found[f"{schema}.{table}"] = str(rows)
    engine.dispose()
    return found
