"""Connections that serve one call each: for writes, which must not leave on one that the other side is closing."""

from typing import Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager


class _OnceHttp(HTTPConnectionPool):
    def _put_conn(self, conn: Any) -> None:
        _closed(conn)
        super()._put_conn(None)


class _OnceHttps(HTTPSConnectionPool):
    def _put_conn(self, conn: Any) -> None:
        _closed(conn)
        super()._put_conn(None)


def never_kept(pools: PoolManager) -> None:
    """From now on each call opens a connection of its own. On one kept alive for some seconds, a server that has just
    closed it takes nothing and answers nothing: a write would end as unknown though it never left."""
    pools.pool_classes_by_scheme = {"http": _OnceHttp, "https": _OnceHttps}


def _closed(conn: Any) -> None:
    if conn is not None:
        conn.close()
