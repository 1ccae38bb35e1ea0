"""A throwaway Weaviate on free loopback ports, built once from its Go module and kept outside the tree."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.server_ports import NotToBeHad, free_ports

VERSION: Final = "v1.39.0"
MODULE: Final = "github.com/weaviate/weaviate"
READY_SECONDS: Final = 60.0
_PORTS: Final = (
    "GRPC_PORT",
    "GO_PROFILING_PORT",
    "CLUSTER_GOSSIP_BIND_PORT",
    "CLUSTER_DATA_BIND_PORT",
    "RAFT_PORT",
    "RAFT_INTERNAL_RPC_PORT",
)


@dataclass(slots=True)
class WeaviateServer:
    """One server that keeps its ports and its data when it is killed and started again."""

    program: Path
    home: Path
    port: int
    ports: dict[str, int]
    settings: dict[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def grpc_port(self) -> int:
        return self.ports["GRPC_PORT"]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when it says that it is ready. Raises `NotToBeHad`."""
        command = [str(self.program), "--host", "127.0.0.1", "--port", str(self.port), "--scheme", "http"]
        log = self.home / "log"
        with log.open("ab") as written:
            self._process = subprocess.Popen(command, env=self._environment(), stdout=written, stderr=written)
        limit = time.monotonic() + READY_SECONDS
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > limit:
                self.kill()
                raise NotToBeHad(f"Weaviate n'a pas démarré : {log.read_text(errors='replace').strip()[-300:]}")
            time.sleep(0.1)

    def kill(self) -> None:
        """As a crash would: no time to say goodbye."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/v1/.well-known/ready", timeout=1) as reply:
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.home),
            "PERSISTENCE_DATA_PATH": str(self.home / "data"),
            "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "true",
            "DEFAULT_VECTORIZER_MODULE": "none",
            "CLUSTER_HOSTNAME": "node1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_BIND_ADDR": "127.0.0.1",
            "RAFT_BOOTSTRAP_EXPECT": "1",
            "DISABLE_TELEMETRY": "true",
            "LOG_LEVEL": "warning",
            # A temporary folder may lie on a disk that is nearly full: the default refuses writes above 90 %.
            "DISK_USE_READONLY_PERCENTAGE": "0",
            **{name: str(port) for name, port in self.ports.items()},
            **self.settings,
        }


@contextmanager
def weaviate(**settings: str) -> Iterator[WeaviateServer]:
    """A running server with an empty folder of its own; `settings`: of its environment. Raises `NotToBeHad`."""
    program = _program()
    home = Path(tempfile.mkdtemp(prefix="qs-weaviate-"))
    port, *others = free_ports(1 + len(_PORTS))
    server = WeaviateServer(program, home, port, dict(zip(_PORTS, others, strict=True)), settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


def built() -> bool:
    """Whether a server can be started at once."""
    return _kept().exists()


def _kept() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "quartierscope" / "bin" / "weaviate-server"


def _program() -> Path:
    kept = _kept()
    go = shutil.which("go")
    if kept.exists() and (go is None or _is_pinned(kept, go)):
        return kept
    if go is None:
        raise NotToBeHad(
            "Weaviate introuvable : installez Go (https://go.dev/dl) pour qu'il soit construit, ou donnez WEAVIATE_URL."
        )
    print(
        f"test-servers: construction de Weaviate {VERSION}, environ 4 minutes, une seule fois…",
        file=sys.stderr,
        flush=True,
    )
    kept.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [go, "install", f"{MODULE}/cmd/weaviate-server@{VERSION}"],
        env={**os.environ, "GOBIN": str(kept.parent), "GOFLAGS": "-trimpath"},
        capture_output=True,
        text=True,
        check=False,
        cwd=kept.parent,
    )
    if done.returncode != 0:
        raise NotToBeHad(f"Weaviate n'a pas pu être construit : {done.stderr.strip()[-300:]}")
    return kept


def _is_pinned(program: Path, go: str) -> bool:
    told = subprocess.run([go, "version", "-m", str(program)], capture_output=True, text=True, check=False).stdout
    return any(line.split()[:3] == ["mod", MODULE, VERSION] for line in told.splitlines())
