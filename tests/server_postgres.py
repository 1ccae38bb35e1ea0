"""A throwaway PostgreSQL on a free loopback port, from Debian's package or any `initdb` on the path."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from bot.settings import load_settings
from tests.server_ports import NotToBeHad, free_port


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where it is, and the command that restarts it as after a crash."""

    url: str
    restart: tuple[str, ...]


@contextmanager
def postgresql() -> Iterator[Cluster]:
    """A cluster owned by an unprivileged user. Raises `NotToBeHad`."""
    programs = _postgres_programs()
    home = Path(tempfile.mkdtemp(prefix="qs-postgres-"))
    port = free_port()
    as_user = _unprivileged(home)
    try:
        data = home / "data"
        _run([*as_user, str(programs / "initdb"), "-D", str(data), "-U", "quartier", "-A", "trust", "-E", "UTF8"])
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -c fsync=off"
        control = [*as_user, str(programs / "pg_ctl"), "-D", str(data)]
        _run([*control, "-w", "-o", options, "-l", str(home / "log"), "start"])
        try:
            url = f"postgresql://quartier@127.0.0.1:{port}/postgres"
            yield Cluster(url, restart=(*control, "-w", "-m", "immediate", "-l", str(home / "log"), "restart"))
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def of_worker(name: str) -> Iterator[dict[str, str]]:
    """The settings of a worker's own: a cluster beside the throwaway one, which a test may restart; a database in one
    that was given."""
    if "POSTGRES_RESTART" in os.environ:
        with postgresql() as cluster:
            yield {"DATABASE_URL": cluster.url, "POSTGRES_RESTART": shlex.join(cluster.restart)}
        return
    given = os.environ["DATABASE_URL"]
    engine = sa.create_engine(load_settings().database_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"drop database if exists {name}"))
        connection.execute(sa.text(f"create database {name}"))
    engine.dispose()
    yield {"DATABASE_URL": f"{given.rpartition('/')[0]}/{name}"}


def _postgres_programs() -> Path:
    if (found := _find_programs()) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        for step in (["update", "-qq"], ["install", "-y", "-qq", "postgresql"]):
            subprocess.run(["apt-get", *step], check=False, capture_output=True)
        found = _find_programs()
    if found is None:
        raise NotToBeHad("PostgreSQL introuvable : installez-le (apt-get install postgresql) ou donnez DATABASE_URL.")
    return found


def _find_programs() -> Path | None:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _unprivileged(home: Path) -> list[str]:
    """initdb refuses root: run it as `postgres`, who then owns the folder."""
    if os.geteuid() != 0:
        return []
    shutil.chown(home, user="postgres")
    home.chmod(0o700)
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    if done.returncode != 0:
        raise NotToBeHad(f"{Path(command[-1]).name or 'PostgreSQL'} a échoué : {done.stderr.strip()[-300:]}")
