"""python -m bot keys: the keys by which other programs ask; each is shown once, when it is made."""

import argparse
import re
import sys
from typing import Final

from bot.errors import BotError
from bot.settings import Settings
from bot.store import keys as store
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.tables import Row

HERE: Final = "local"
"""The team of a key without one: that of the command line, which has no files of its own."""
NAME: Final = re.compile(r"[\w .@-]{1,48}")
CHANNEL: Final = re.compile(r"[CG][A-Z0-9]{2,31}")
EMAIL: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="ACTION", required=True)
    add = verbs.add_parser("add", help="fait une clé, montrée une seule fois")
    add.add_argument("name", metavar="NOM", help="le programme qui s'en servira")
    add.add_argument("--team", default=HERE, help="espace Slack dont elle lit les fichiers, comme T0123ABCD")
    add.add_argument("--deals", action="store_true", help="ouvre les dossiers HubSpot et les propositions d'écriture")
    add.add_argument("--adviser", default="", metavar="E-MAIL", help="lit les dossiers comme ce conseiller")
    add.add_argument("--channel", default="", metavar="CANAL", help="canal Slack où ses propositions sont montrées")
    verbs.add_parser("list", help="les clés, leurs droits et leur dernier usage")
    revoke = verbs.add_parser("revoke", help="ferme une clé, aussitôt")
    revoke.add_argument("name", metavar="NOM", help="son nom ou son identifiant")


async def keys(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0; raises `BotError` for what cannot be done."""
    database = open_database(settings.database_url, settings.text_keys)
    try:
        verb = {"add": _add, "list": _list, "revoke": _revoke}[options.verb]
        sys.stdout.write(await verb(options, database))
    finally:
        database.close()
    return 0


async def _add(options: argparse.Namespace, database: Database) -> str:
    if problem := _problem(options):
        raise BotError(problem)
    rights = {"deals": options.deals, "adviser": options.adviser.lower(), "channel": options.channel}
    shown = await database.write(lambda c: store.add(c, team_id=options.team, name=options.name, **rights))
    if shown is None:
        raise BotError(f"Une clé nommée « {options.name} » existe déjà : révoquez-la, ou prenez un autre nom.")
    sys.stderr.write("Notez-la maintenant : elle n'est gardée nulle part et ne sera plus montrée.\n")
    return f"{shown}\n"


def _problem(options: argparse.Namespace) -> str:
    """Why no such key can be made; "" where it can."""
    if not NAME.fullmatch(options.name):
        return "Un nom de clé a de 1 à 48 lettres, chiffres, espaces, points ou tirets."
    if not 1 <= len(options.team) <= 32:
        return "--team attend l'identifiant d'un espace Slack, comme T0123ABCD."
    if options.channel and not CHANNEL.fullmatch(options.channel):
        return "--channel attend l'identifiant d'un canal Slack, comme C0123ABCD."
    if options.adviser and not EMAIL.fullmatch(options.adviser):
        return "--adviser attend une adresse e-mail."
    if (options.channel or options.adviser) and not options.deals:
        return "--channel et --adviser ne servent qu'avec --deals."
    if options.channel and options.team == HERE:
        return "--channel demande --team : ce sont les membres de cet espace qui décident."
    return ""


async def _list(_options: argparse.Namespace, database: Database) -> str:
    rows = await database.read(store.listed)
    return "".join(map(_line, rows)) or "Aucune clé : « python -m bot keys add NOM » en fait une.\n"


def _line(row: Row) -> str:
    rights = ["dossiers" + (f" de {row['adviser']}" if row["adviser"] else "")] if row["deals"] else ["sans dossiers"]
    rights += [f"propositions dans {row['channel']}"] if row["channel"] else []
    used = f"servie le {row['used_at'][:16]}" if row["used_at"] else "jamais servie"
    state = f"révoquée le {row['revoked_at'][:16]}" if row["revoked_at"] else used
    return f"{row['key_id']}  {row['name']}  {row['team_id']}  {', '.join(rights)}  {state}\n"


async def _revoke(options: argparse.Namespace, database: Database) -> str:
    key = await database.write(lambda c: store.revoke(c, options.name))
    if key is None:
        raise BotError(f"Aucune clé en service ne s'appelle « {options.name} » : « keys list » les montre.")
    return f"{key.name} ({key.key_id}) : révoquée, elle n'ouvre plus rien.\n"
