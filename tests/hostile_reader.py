"""python -m tests.hostile_reader: what a parser that a file has taken over might do; each word on stdin is one."""

import ctypes
import json
import os
import socket
import subprocess
import sys
import time
from importlib import import_module

from corpus.sources.files.child import confine
from corpus.sources.files.values import OUT_OF_MEMORY, Limits


def main() -> int:
    what, _, argument = sys.stdin.read().partition(" ")
    if what == "environment":
        print(json.dumps(dict(os.environ)))
    elif what == "import":
        import_module("quartierscope_lacks_this")
    elif what == "flood":
        while True:
            sys.stdout.write("x" * 65_536)
    elif what == "complain":
        while True:
            sys.stderr.write("x" * 65_536)
    elif what == "offspring":  # says a word to the pipe `argument`, and holds it open for as long as it lives
        program = f"import time; kept = open({argument!r}, 'wb', 0); kept.write(b'!'); time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", program])
        time.sleep(600)
    else:
        return _confined(what, argument)
    return 0


def _confined(what: str, argument: str) -> int:
    confine(Limits(memory_bytes=400_000_000, seconds=0.5))
    try:
        if what == "eat":
            bytearray(2_000_000_000)
        elif what == "spin":
            while True:
                pass
        elif what == "write":
            with open(argument, "w", encoding="utf-8") as file:
                file.write("x" * 100)
        elif what == "connect":
            socket.create_connection(("127.0.0.1", int(argument)))
        elif what == "run":
            subprocess.Popen(["/bin/true"])
        elif what in ("udp", "read", "exec"):  # as code of the file's own would, past Python's hooks
            return _past_python(what, argument)
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


def _past_python(what: str, argument: str) -> int:
    """0 where the kernel let it happen, its errno where not."""
    libc = ctypes.CDLL(None, use_errno=True)
    if what == "udp":
        done = libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0)
    elif what == "read":
        done = libc.open(argument.encode(), os.O_RDONLY)
    else:
        done = libc.execv(b"/bin/true", (ctypes.c_char_p * 2)(b"/bin/true", None))
    return 0 if done >= 0 else ctypes.get_errno()


if __name__ == "__main__":
    sys.exit(main())
