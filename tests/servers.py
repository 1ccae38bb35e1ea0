"""python -m tests.servers CMD…: really starts the servers whose address is not set, runs `python CMD…`, stops them.

PostgreSQL unless DATABASE_URL names one, Weaviate unless WEAVIATE_URL does or `--postgresql` comes before the command.
"""

import os
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack

from tests.server_ports import NotToBeHad
from tests.server_ports import free_port as free_port
from tests.server_postgres import postgresql
from tests.server_weaviate import weaviate


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped on the way out
    with ExitStack() as stack:
        environment = dict(os.environ)
        alone, command = sys.argv[1:2] == ["--postgresql"], sys.argv[1:]
        try:
            if not environment.get("DATABASE_URL", "").startswith("postgres"):
                cluster = stack.enter_context(postgresql())
                environment |= {"DATABASE_URL": cluster.url, "POSTGRES_RESTART": shlex.join(cluster.restart)}
            if not environment.get("WEAVIATE_URL") and not alone:
                server = stack.enter_context(weaviate())
                environment |= {
                    "WEAVIATE_URL": server.url,
                    "WEAVIATE_GRPC_PORT": str(server.grpc_port),
                    "WEAVIATE_PID": str(server.pid),  # whose memory and disk `python -m bench scale` tells
                    "WEAVIATE_DATA": str(server.home),
                }
        except NotToBeHad as error:
            print(f"test-servers: {error}", file=sys.stderr)
            return 1
        return subprocess.run([sys.executable, *command[alone:]], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
