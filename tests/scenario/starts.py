"""python -m tests.scenario.starts: imports the bot once, then starts it once a line of stdin, each time in a fork.

A line is JSON `[environment, file]`; the start's output goes to the file, its exit code to stdout. Importing the bot
takes most of a start, and what a wrong setting does comes after it.
"""

import gc
import json
import os
import sys

from bot.__main__ import main
from bot.runtime import processes

assert processes, "imported before the forks, for `run` would import it in each"


def become_the_bot(environment: dict[str, str], file: str) -> int:
    os.environ.clear()
    os.environ.update(environment)
    with open(file, "w", encoding="utf-8") as output:
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
    return main(["run"])


if __name__ == "__main__":
    gc.freeze()  # what is there before the forks stays theirs to share, also when they end
    while line := sys.stdin.readline():
        if (child := os.fork()) == 0:
            sys.exit(become_the_bot(*json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
