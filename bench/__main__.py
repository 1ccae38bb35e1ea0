"""`python -m bench COMMAND …`: each subcommand lives in the module of its name, with its options."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

COMMANDS: Final = (
    "retrieval",
    "kinds",
    "fit",
    "ablation",
    "headings",
    "scale",
    "ingestion",
    "cache",
    "answers",
    "beside",
    "dvf",
    "tools",
    "understanding",
    "model",
    "gold",
    "communes",
    "gate",
    "digests",
    "news",
    "idle",
    "storm",
    "clicks",
    "writes",
    "chaos",
    "load",
    "screenshots",
    "choosing",
    "answerable",
    "refusing",
    "pictures",
)


def main(arguments: Sequence[str]) -> int:
    """Exit status: the subcommand's own, or 2 for an unknown one."""
    if not arguments or arguments[0] not in COMMANDS:
        sys.stderr.write(f"usage: python -m bench {{{','.join(COMMANDS)}}} [options]\n")
        return 2
    # Imported only when asked for: one subcommand must not pay for, or break with, the other.
    return int(import_module(f"bench.{arguments[0]}").main(list(arguments[1:])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
