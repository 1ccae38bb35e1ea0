"""How people ask for a watch, list theirs and end one: by a message or by `/quartier veille`. Rules only."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from bot.news.subjects import subject_of
from bot.ports import handed_over
from bot.store import answers, watches
from bot.store.tables import Row
from pipeline.understanding.own_words import flat, own_words

PARIS: Final = ZoneInfo("Europe/Paris")
MOST: Final = 10
LONGEST: Final = 200
_ASKED: Final = re.compile(
    r"^[\s,!:]*(?:(?:bonjour|salut|stp|svp|merci de|peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous)\W+){0,3}(?:m['’ ]?)?"
    r"(?:alerte[rsz]?|previen(?:s|t|dre)|prevenez|averti(?:s|r|ssez)|signale[rz]?)(?:[- ](?:moi|nous))?\s+"
    r"(?:si|quand|des qu[e']|lorsqu[e']|en cas de)\s*(?P<what>.{6,})",
    re.DOTALL,
)
"""Over flattened words, character for character."""
_ABOUT_RECORDS: Final = re.compile(r"\b(?:dossiers?|taches?|rdv|rendez-vous|clients?|hubspot|mails?|fiche)\b")
"""What the CRM holds is no question to official sites."""
NO_WEB: Final = (
    "Je ne peux pas surveiller les sites officiels : la recherche web n'est pas branchée ici (TAVILY_API_KEY)."
)
TOO_MANY: Final = f"Ce canal a déjà {MOST} veilles : arrêtez-en une (`/quartier veille stop 1`) avant d'en ajouter."
SET: Final = (
    "Veille créée dans ce canal : « {question} ». Je note aujourd'hui ce que disent les sites officiels, puis je "
    "regarde une fois par jour et n'annonce que du nouveau, une fois. `/quartier veille` la liste et l'arrête."
)
AGAIN: Final = "Cette veille existe déjà dans ce canal : « {question} »."
NONE: Final = (
    "Aucune veille dans ce canal. `/quartier veille si le taux d'usure change` en crée une, ou écrivez-moi « alerte-"
    "moi si … »."
)
NO_SUCH: Final = "Il n'y a pas de veille n° {number} ici : `/quartier veille` les liste."
STOPPED: Final = "Veille arrêtée : « {question} »."


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who asks, where."""

    team_id: str
    channel: str
    user_id: str


def watch_asked(text: str) -> str | None:
    """What somebody asks in their own words to be told of; None for every other message."""
    said = own_words(text).text.strip()
    found = _ASKED.match(flat(said))
    if found is None or _ABOUT_RECORDS.search(found["what"]):
        return None
    what = said[found.start("what") :].strip(" .!?\n")
    return what[:LONGEST] if subject_of(what, "") else None


def create(connection: sa.Connection, question: str, *, by: Watcher, moment: str) -> str:
    """What to say of it. The same question in the same channel is one watch."""
    said = " ".join(question.split())[:LONGEST]
    held = watches.of_channel(connection, team_id=by.team_id, channel=by.channel)
    if any(flat(row["question"]) == flat(said) for row in held):
        return AGAIN.format(question=said)
    if len(held) >= MOST:
        return TOO_MANY
    name = hashlib.sha256(f"{by.channel}\n{flat(said)}\n{moment}".encode()).hexdigest()[:16]
    where = {"team_id": by.team_id, "channel": by.channel}
    watches.add(connection, name, **where, question=said, by=by.user_id, moment=moment)
    return SET.format(question=said)


def order_of(row: Row, *, can_watch: bool, moment: str) -> Callable[[sa.Connection, Row], str] | None:
    """What to do for a message that asks for a watch, and say of it, in the transaction that remembers its answer.
    None for every other message, and for who is no member or speaks where another company reads along."""
    question = None if handed_over(row["answer_id"]) else watch_asked(row["question"])
    if question is None or not answers.visitor_of(row).trusted:
        return None
    if not can_watch:
        return lambda _connection, _row: NO_WEB
    by = Watcher(row["team_id"], row["channel"], row["asked_by"])
    return lambda connection, _row: create(connection, question, by=by, moment=moment)


def command(connection: sa.Connection, words: str, *, by: Watcher, moment: str, can_watch: bool) -> str:
    """`/quartier veille …`: nothing lists, `stop 2` ends one, everything else is a question."""
    held = watches.of_channel(connection, team_id=by.team_id, channel=by.channel)
    if not words.strip():
        return "\n".join(_line(number, row) for number, row in enumerate(held, start=1)) or NONE
    if stopping := re.fullmatch(r"(?:stop|arr[êe]te[rz]?|fin)\s+(?:n°\s*)?(\d{1,2})", words.strip(), re.IGNORECASE):
        number = int(stopping[1])
        if not 1 <= number <= len(held):
            return NO_SUCH.format(number=number)
        watches.stop(connection, held[number - 1], by=by.user_id)
        return STOPPED.format(question=held[number - 1]["question"])
    if not can_watch:
        return NO_WEB
    return create(connection, re.sub(r"^(?:si|quand)\s+", "", words.strip()), by=by, moment=moment)


def _line(number: int, row: Row) -> str:
    """ "1. « le taux d'usure change », depuis le 22/11 ; regardé le 22/11 à 10 h 00"."""
    since = datetime.fromisoformat(row["created_at"]).astimezone(PARIS)
    looked = row["checked_at"]
    when = f"regardé le {datetime.fromisoformat(looked).astimezone(PARIS):%d/%m à %H h %M}" if looked else "à regarder"
    lacking = f" ; {row['reason']}" if row["reason"] else ""
    return f"{number}. « {row['question']} », depuis le {since:%d/%m} ; {when}{lacking}"
