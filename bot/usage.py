"""argparse in French: its titles, its help option, and what it says of a command line that it cannot read."""

import argparse
import re
import sys
from typing import Any, Final, NoReturn

_SAID: Final = (
    (re.compile(r"^the following arguments are required: "), "il manque : "),
    (re.compile(r"^unrecognized arguments: "), "arguments inconnus : "),
    (re.compile(r"^ambiguous option: (\S+) could match (.*)$"), r"option ambiguë, \1 : \2"),
    (re.compile(r"^argument ([^:]+): "), r"\1 : "),
    (re.compile(r"invalid choice: (.+?) \(choose from (.+)\)$"), r"\1 n'existe pas ; au choix : \2"),
    (re.compile(r"invalid int value: (.+)$"), r"\1 n'est pas un nombre entier"),
    (re.compile(r"invalid \w+ value: (.+)$"), r"\1 n'est pas lisible"),
    (re.compile(r"expected one argument$"), "il manque sa valeur"),
    (re.compile(r"expected at least one argument$"), "il manque au moins une valeur"),
    (re.compile(r"ignored explicit argument (.+)$"), r"cette option ne prend pas de valeur (\1)"),
)


class _FrenchUsage(argparse.HelpFormatter):
    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, "usage : " if prefix is None else prefix)


class FrenchParser(argparse.ArgumentParser):
    """As argparse's, sub-commands included; what it does not know how to say in French stays as it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _FrenchUsage, **options, "add_help": False})
        self._positionals.title = "arguments"
        self._optionals.title = "options"
        self.add_argument("-h", "--help", action="help", help="affiche cette aide")

    def error(self, message: str) -> NoReturn:
        """Usage and one sentence on stderr; exit code 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog} : {french(message)}.\n")


def french(message: str) -> str:
    """argparse's sentence, said in French."""
    for pattern, said in _SAID:
        message = pattern.sub(said, message)
    return message
