"""What a stage runs in place of `python -m bot`: has the bot forked (see forking.py), and stands for it.

Signals go on to the fork, which writes where this process would and dies with it; its exit code is this one's.
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path

_ASKED = (signal.SIGTERM, signal.SIGINT)


def main(path: str, arguments: list[str]) -> int:
    """Exit code of the fork, negative for a signal."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        for number in _ASKED:
            signal.signal(number, lambda number, _frame: line.send(bytes([number])))
        said = json.dumps([arguments, dict(os.environ), str(Path.cwd())]).encode()
        socket.send_fds(line, [len(said).to_bytes(8)], [sys.stdout.fileno(), sys.stderr.fileno()])
        line.sendall(said)
        return int(line.recv(16) or -signal.SIGKILL)


if __name__ == "__main__":
    code = main(sys.argv[1], sys.argv[2:])
    if code < 0:
        if -code in _ASKED:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)
