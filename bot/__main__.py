"""python -m bot run | web | worker | clock | migrate | jobs | forget | export | costs | reencrypt | ingest | reindex |
ask | digest | prices | feedback | dvf-sync."""

import gc

if __name__ == "__main__":
    gc.disable()  # imports make 200,000 objects that stay; looking for garbage among them takes a third of a start

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable, Coroutine
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

# Before numpy and the embedder load: idle OpenMP threads spin and make a query 50 times slower on a busy host.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from bot.commands import dvf_sync, keys, prices
from bot.errors import BotError
from bot.logs import configure_logs
from bot.private_files import keep_private
from bot.settings import Settings, load_settings
from corpus.errors import CorpusError

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

_WHERE: Final = {
    "ask": ("commands.ask", "ask"),
    "costs": ("commands.costs", "costs"),
    "digest": ("commands.digest", "digest"),
    "dvf-sync": ("commands.dvf_sync", "dvf_sync"),
    "export": ("commands.export", "export"),
    "feedback": ("commands.feedback", "feedback"),
    "forget": ("commands.forget", "forget_command"),
    "ingest": ("commands.ingest", "ingest"),
    "jobs": ("commands.jobs", "jobs"),
    "keys": ("commands.keys", "keys"),
    "mcp": ("commands.serve", "stdio"),
    "prices": ("commands.prices", "prices"),
    "reencrypt": ("commands.reencrypt", "reencrypt"),
    "reindex": ("commands.reindex", "reindex"),
    "serve": ("commands.serve", "serve"),
}
"""Where a command is; the others are processes."""

LONG_RUNNING: Final = {"run", "web", "worker", "clock", "serve"}
Command = Callable[[argparse.Namespace, Settings], Coroutine[Any, Any, int]]


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


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 done, 1 a failure said in one sentence, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings()
        keep_private(settings.var_dir)
        configure_logs(settings.log_level if options.command in LONG_RUNNING else "ERROR")
        command = _command(options.command)
        gc.freeze()  # what is imported is never garbage: no collection walks it again
        gc.enable()
        return asyncio.run(command(options, settings))
    except (BotError, CorpusError) as error:
        print(f"quartierscope : {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        gc.freeze()  # and at exit there is nothing worth looking for: a stop takes a second less


def _parser() -> argparse.ArgumentParser:
    parser = FrenchParser(prog="python -m bot", description="QuartierScope, un collègue dans Slack.")
    commands = parser.add_subparsers(dest="command", metavar="COMMANDE", required=True)
    for name, what in (
        ("run", "tout en un processus : Slack, tâches, horloge"),
        ("web", "reçoit Slack et met en file"),
        ("worker", "répond et écrit"),
        ("clock", "réveille ce qui est dû"),
        ("migrate", "met la base à jour"),
    ):
        commands.add_parser(name, help=what)
    ask = commands.add_parser("ask", help="une réponse sans Slack")
    ask.add_argument("question", nargs="?", default="")
    ask.add_argument("--batch", type=Path, metavar="FICHIER", help="une question par ligne JSON {text, thread, deal?}")
    ask.add_argument("--json", action="store_true", help="la réponse en JSON, pour les scripts")
    ask.add_argument("--thread", help="poursuivre le fil de ce nom")
    ask.add_argument("--deal", help="numéro du dossier HubSpot rattaché au fil")
    prices.add_arguments(commands.add_parser("prices", help="les prix d'une commune, par type et par année"))
    dvf_sync.add_arguments(commands.add_parser("dvf-sync", help="garde sur place les ventes d'un département"))
    _digest_arguments(commands.add_parser("digest", help="le point hebdomadaire d'un canal, affiché ou réglé"))
    keys.add_arguments(commands.add_parser("keys", help="les clés des programmes qui interrogent QuartierScope"))
    serve = commands.add_parser("serve", help="l'API et le serveur MCP pour d'autres programmes")
    serve.add_argument("--port", type=int, help="sans lui, API_PORT")
    serve.add_argument("--host", help="sans lui, HOST (la boucle locale)")
    mcp = commands.add_parser("mcp", help="le serveur MCP sur l'entrée et la sortie standard")
    mcp.add_argument(
        "--as", dest="name", metavar="NOM", help="les droits et l'audit de cette clé ; sans elle, aucun dossier"
    )
    jobs = commands.add_parser("jobs", help="les travaux qui n'ont pas abouti, et leur reprise")
    jobs.add_argument("--replay", metavar="ID", help="remet ce travail en file, depuis sa première étape")
    feedback = commands.add_parser("feedback", help="les avis sur les réponses, comme lignes d'évaluation")
    feedback.add_argument(
        "--export", type=Path, required=True, metavar="FICHIER", help="une ligne JSON par réponse jugée"
    )
    feedback.add_argument("--verdict", choices=("useful", "wrong", "incomplete"), help="seulement celles jugées ainsi")
    _export_arguments(commands.add_parser("export", help="le registre des réponses d'une période, en CSV et en PDF"))
    _costs_arguments(commands.add_parser("costs", help="ce que les modèles ont coûté, par espace et personne"))
    _forget_arguments(commands.add_parser("forget", help="efface une personne, un fil ou un dossier"))
    reencrypt = commands.add_parser("reencrypt", help="chiffre tous les textes sous la première clé de TEXT_KEY")
    reencrypt.add_argument("--new-key", action="store_true", help="affiche une clé neuve, sans rien chiffrer")
    reindex = commands.add_parser("reindex", help="refait l'index sans interrompre le bot")
    reindex.add_argument("--prune", action="store_true", help="efface les versions de l'index qui ne servent plus")
    ingest = commands.add_parser("ingest", help="ajoute des documents au corpus")
    ingest.add_argument("paths", nargs="*", metavar="PATH", help="fichiers, dossiers, adresses")
    ingest.add_argument("--team", help="espace Slack qui seul verra ces documents")
    ingest.add_argument("--audience", help="canal Slack qui seul verra ces documents")
    ingest.add_argument("--retire", action="store_true", help="retire les documents que ces dossiers n'ont plus")
    ingest.add_argument("--remove", action="store_true", help="retire ces adresses au lieu de les ajouter")
    ingest.add_argument("--refresh", action="store_true", help="relit les adresses déjà ajoutées, sans rien d'autre")
    return parser


def _period_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", dest="since", type=date.fromisoformat, required=True, metavar="JOUR", help="2026-11-01"
    )
    parser.add_argument("--to", type=date.fromisoformat, required=True, metavar="JOUR", help="compris")


def _costs_arguments(costs: argparse.ArgumentParser) -> None:
    _period_arguments(costs)
    costs.add_argument("--csv", type=Path, metavar="FICHIER", help="une ligne par réponse")
    costs.add_argument("--team", help="seulement cet espace Slack")


def _export_arguments(export: argparse.ArgumentParser) -> None:
    _period_arguments(export)
    export.add_argument("--csv", type=Path, metavar="FICHIER")
    export.add_argument("--pdf", type=Path, metavar="FICHIER")
    export.add_argument("--team", help="seulement cet espace Slack")


def _forget_arguments(forget: argparse.ArgumentParser) -> None:
    which = forget.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--user", metavar="U", help="identifiant Slack d'une personne : ses fils, ses fichiers, ses avis"
    )
    which.add_argument("--thread", metavar="CANAL:TS", help="un fil")
    which.add_argument("--deal", metavar="ID", help="numéro d'un dossier HubSpot : les fils où il en est question")
    forget.add_argument("--team", help="seulement dans cet espace Slack")


def _digest_arguments(digest: argparse.ArgumentParser) -> None:
    what = digest.add_mutually_exclusive_group(required=True)
    what.add_argument("--preview", action="store_true", help="affiche le point d'un canal, sans rien publier")
    what.add_argument("--subscribe", metavar="CANAL", help="règle le point de ce canal")
    digest.add_argument("--channel", metavar="CANAL", help="le canal dont on veut le point")
    digest.add_argument("--week", metavar="SEMAINE", help="une semaine ISO, comme 2026-W47")
    digest.add_argument("--json", action="store_true", help="le point en JSON, pour les scripts")
    digest.add_argument("--communes", default="", help="codes INSEE ou noms, séparés par des virgules")
    digest.add_argument("--schemes", default="", help="dispositifs, comme pinel,lmnp")
    digest.add_argument("--topics", default="", help="thèmes, comme fiscalite,energie")
    digest.add_argument("--weekday", type=int, default=1, help="jour, de 1 (lundi) à 7")
    digest.add_argument("--at", default="08:00", help="heure de Paris, comme 08:30")
    digest.add_argument("--length", default="normal", help="short, normal ou long")
    digest.add_argument("--team", help="espace Slack, quand plusieurs ont ce canal")


def _command(name: str) -> Command:
    """Imported on demand: `ask` must not wait for Slack's and DBOS's imports."""
    module, function = _WHERE.get(name, ("runtime.processes", name))
    found: Command = getattr(import_module(f"bot.{module}"), function)
    return found


if __name__ == "__main__":
    sys.exit(main())
