"""`python -m bench COMMAND …`: each subcommand lives in the module of its name, in its room, with its options."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

ROOMS: Final = {
    "bench": (
        "chaos",
        "screenshots",
    ),
    "bench.fitted": (
        "fit",
        "choosing",
        "openings",
        "answerable",
        "leaning",
        "learned",
    ),
    "bench.ranking": (
        "retrieval",
        "kinds",
        "ablation",
        "headings",
        "scale",
    ),
    "bench.speed": (
        "ingestion",
        "cache",
        "answers",
        "beside",
        "dvf",
        "tools",
        "communes",
        "digests",
        "news",
        "idle",
        "storm",
        "clicks",
        "writes",
        "load",
        "pictures",
    ),
    "bench.worth": (
        "understanding",
        "model",
        "gold",
        "gate",
        "refusing",
        "cases",
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Exit status: the subcommand's own, or 2 for an unknown one."""
    commands = {name: f"{room}.{name}" for room, names in ROOMS.items() for name in names}
    if not arguments or arguments[0] not in commands:
        sys.stderr.write(f"usage: python -m bench {{{','.join(commands)}}} [options]\n")
        return 2
    # Imported only when asked for: one subcommand must not pay for, or break with, the other.
    return int(import_module(commands[arguments[0]]).main(list(arguments[1:])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
