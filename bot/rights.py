"""May this visitor do it? The one place that answers for decisions and for deals: who decides, who reads, and where."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import sqlalchemy as sa

from bot.ports import KEY_MARK, NOBODY, PROGRAM_PLACE, Visitor, VisitorKind
from bot.store import channels

Refused = Literal["stranger", "not_allowed"]
CLOSED_KINDS: Final = frozenset({"im", "mpim", "group", "cli", PROGRAM_PLACE})
"""`channel_type` of places that only those invited read, a program's own among them; what is not known counts as
public."""
STRANGERS: Final[Mapping[VisitorKind, str]] = {
    "guest": "Les dossiers sont réservés aux membres de cet espace Slack, pas à ses invités : je ne lis ni n'écris "
    "HubSpot pour vous, et ne cite aucun fichier de l'équipe. Règles, prix et risques vous restent ouverts ; pour un "
    "dossier, adressez-vous à un membre de l'équipe.",
    "outsider": "Vous êtes d'une autre entreprise : je ne lis ni n'écris HubSpot pour vous, et ne cite aucun fichier "
    "de l'équipe. Règles, prix et risques vous restent ouverts.",
    "program": "Cette clé n'ouvre pas les dossiers : je ne lis ni n'écris HubSpot pour elle. Un administrateur peut en "
    "créer une autre qui les ouvre (`keys add … --deals`).",
    "unknown": "Slack ne me confirme pas que vous êtes membre de cet espace : je ne lis ni n'écris HubSpot pour vous. "
    "Si vous êtes de l'équipe, redemandez-le-moi dans un instant.",
}
SHARED_CHANNEL: Final = (
    "Une autre entreprise lit ce canal : je n'y lis ni n'écris HubSpot, et n'y cite aucun fichier de l'équipe. "
    "Demandez-le-moi dans un canal interne ou en message direct."
)
PUBLIC_CHANNEL: Final = (
    "Ce canal est public et les dossiers sont réservés à leur conseiller : je n'y lis ni n'écris HubSpot. "
    "Demandez-le-moi en message direct ou dans un canal privé, ou ouvrez ce canal aux dossiers : `/quartier canal`."
)
CLOSED_CHANNEL: Final = (
    "Un membre a fermé ce canal aux dossiers : je n'y lis ni n'écris HubSpot. Demandez-le-moi en message direct ; "
    "`/quartier canal` dit qui l'a fermé et le rouvre."
)


@dataclass(frozen=True, slots=True)
class DealReaders:
    """Who reads the CRM's deals. `named` None: every member. Else a deal's HubSpot owner alone, besides those named
    by Slack id or by e-mail (in lower case)."""

    named: frozenset[str] | None = None

    @property
    def restricted(self) -> bool:
        return self.named is not None

    def reads_all(self, user_id: str, email: str) -> bool:
        return self.named is None or user_id in self.named or (bool(email) and email.casefold() in self.named)


def why_not(
    connection: sa.Connection,
    *,
    team_id: str,
    channel: str,
    by: Visitor,
    concerned: Collection[str],
    approvers: Collection[str],
) -> Refused | None:
    """Why this person may not decide there; None for who may.

    `stranger`: no member of the team that it belongs to. `not_allowed`: neither among the `concerned` (who asked; any
    member where that was `NOBODY` or a program), nor an approver of the installation, nor one whom a member named for
    this channel.
    """
    if not by.belongs_to(team_id):
        return "stranger"
    nobody_asked = any(who == NOBODY or who.startswith(KEY_MARK) for who in concerned)
    if nobody_asked or by.user_id in concerned or by.user_id in approvers:
        return None
    named = channels.approvers_of(connection, team_id=team_id, channel=channel)
    return None if by.user_id in named else "not_allowed"


def crm_closed(
    connection: sa.Connection, visitor: Visitor, *, team_id: str, channel: str, channel_type: str, readers: DealReaders
) -> str:
    """Why the CRM is neither read nor written for this person in this place, in French; empty where it is open. Which
    deals an open place shows is the reader's matter."""
    if visitor.kind in STRANGERS:
        return STRANGERS[visitor.kind]
    if visitor.shared_channel:
        return SHARED_CHANNEL
    chosen = channels.deals_in(connection, team_id=team_id, channel=channel)
    if chosen == "closed":
        return CLOSED_CHANNEL
    public = channel_type not in CLOSED_KINDS
    return PUBLIC_CHANNEL if chosen == "auto" and public and readers.restricted else ""


def deals_told(connection: sa.Connection, *, team_id: str, channel: str, readers: DealReaders) -> bool:
    """Whether a digest names deals there. Nobody asks for it, so that where deals are restricted a member has to have
    opened the channel, though it be private."""
    chosen = channels.deals_in(connection, team_id=team_id, channel=channel)
    return chosen == "open" or (chosen == "auto" and not readers.restricted)
