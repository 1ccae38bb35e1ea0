"""python -m tests.servers CMD…: really starts PostgreSQL if DATABASE_URL is unset, runs `python CMD…`, stops it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


class NotToBeHad(Exception):
    """A server cannot be started here; the message says what would help."""


def main() -> int:
    with ExitStack() as stack:
        try:
            environment = dict(os.environ)
            if not environment.get("DATABASE_URL", "").startswith("postgres"):
                environment["DATABASE_URL"] = stack.enter_context(postgresql())
        except NotToBeHad as error:
            print(f"test-servers: {error}", file=sys.stderr)
            return 1
        return subprocess.run([sys.executable, *sys.argv[1:]], env=environment, check=False).returncode


@contextmanager
def postgresql() -> Iterator[str]:
    """A throwaway cluster on a free loopback port, owned by an unprivileged user; yields its URL."""
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
            yield f"postgresql://quartier@127.0.0.1:{port}/postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(home, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _postgres_programs() -> Path:
    if (found := _find_programs()) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "postgresql"], check=False, **quiet)
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


if __name__ == "__main__":
    sys.exit(main())
