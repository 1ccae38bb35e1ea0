"""The seams of the application, owned by their consumer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal, NewType, Protocol

from pipeline.action_types import ProposedAction
from pipeline.ports import CrmReader

AnswerId = NewType("AnswerId", str)
"""`msg:<team>:<channel>:<ts>` of the message that is answered: one answer a message, whatever is delivered twice.
`msg:<team>:<channel>:<button>:<ts>` where a button under that message of ours asked it, or where somebody handed us a
message by a shortcut, whose button is `ask`."""

ID_PARTS: Final = 4
HANDED_OVER: Final = "ask"


def handed_over(answer_id: str) -> bool:
    """Whether the words are of a message that somebody else may have written: data, that orders nothing."""
    parts = answer_id.split(":")
    return len(parts) > ID_PARTS and parts[-2] == HANDED_OVER


def clicked_under(answer_id: str) -> str | None:
    """The ts of our message whose button asked this; None for what somebody wrote."""
    parts = answer_id.split(":")
    return parts[-1] if len(parts) > ID_PARTS else None


NOBODY = "digest"
"""Stands for who asked where nobody did: we opened the thread ourselves; any member of the team may decide there."""


KEY_MARK = "key:"
"""Begins the id of who asked where a program did, with a key of ours (`key:<key id>`)."""


PROGRAM_PLACE = "api"
"""`channel_type` of a program's own threads: no card can stand there."""


class JobName(StrEnum):
    """The durable jobs. Their names are stored with what waits: never rename one, add another."""

    SIGN = "sign"
    """The placeholder, which then asks for the reply."""
    REPLY = "reply"
    CHART = "chart"
    PERFORM = "perform"
    UNDO = "undo"
    OFFER_FILES = "offer_files"
    FIND_FILES = "find_files"
    ADD_FILE = "add_file"
    REMOVE_FILE = "remove_file"
    REFRESH = "refresh"
    DIGEST = "digest"
    POLL = "poll"
    WATCH = "watch"
    ALERT = "alert"
    PRINT = "print"
    FORGET_TEAM = "forget_team"
    ABANDONED = "abandoned"
    """Tells of a job that ended the process that ran it too often."""


Boundary = Callable[[str], None]
"""Told the name of each point at which a crash is of interest: before a step, before it is remembered, around a post.
The chaos bench dies there; everybody else is given `no_boundary`."""


def no_boundary(_name: str) -> None:
    """Nothing happens at any of them."""


VisitorKind = Literal["member", "guest", "outsider", "unknown", "program"]
"""`unknown`: Slack did not say who it is; as little is trusted to them as to an outsider. `program`: a key of the team
that opens no deals."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who speaks or clicks, and where. `team_id`: the person's own team, which a shared channel can make another one
    than ours. `shared_channel`: another company reads along; a click's payload does not say it, its answer's row does.
    """

    kind: VisitorKind
    user_id: str
    team_id: str
    shared_channel: bool

    @property
    def trusted(self) -> bool:
        """May the CRM be read, and writes be proposed, for this person in this place?"""
        return self.kind == "member" and not self.shared_channel

    @property
    def reads_files(self) -> bool:
        """May the team's own files be cited to it there?"""
        return self.kind in ("member", "program") and not self.shared_channel

    def belongs_to(self, team_id: str) -> bool:
        """May this person decide on what is that team's?"""
        return self.kind == "member" and self.team_id == team_id


@dataclass(frozen=True, slots=True)
class Approval:
    """Somebody clicked. Only a stored click makes one; `by_name` is written into the CRM, `proposal_id` is the key."""

    proposal_id: str
    by: str
    by_name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was written: the record's id in the CRM, where to read it, when, and a French sentence."""

    crm_id: str
    url: str
    at: datetime
    detail: str = ""


class CrmWriter(Protocol):
    """The only way anything is written to the CRM. Each method may raise `CrmUnavailable` or `CrmBusy`
    (nothing was sent: try again later) and `CrmRefused` (French reason)."""

    async def perform(self, action: ProposedAction, approval: Approval) -> Receipt:
        """Writes once, never repeats. Raises `CrmOutcomeUnknown` when it may have been written: then `reconcile`."""

    async def reconcile(self, action: ProposedAction, approval: Approval) -> Receipt | None:
        """Looks for what an earlier `perform` of this very proposal wrote. None: it is not there (yet)."""

    async def drifted(self, action: ProposedAction) -> str | None:
        """A French sentence when the record says something else than when this was proposed; to be asked right
        before `perform`. A few milliseconds stay uncovered: HubSpot has no conditional write."""

    async def undo(self, receipt: Receipt, action: ProposedAction) -> None:
        """Archives the note or task; puts the old value back if ours still stands. Safe to repeat; raises
        `CrmOutcomeUnknown` when it may have happened: then `undone` tells."""

    async def undone(self, receipt: Receipt, action: ProposedAction) -> bool:
        """Whether nothing of it is left: the note or task is gone, or the old value stands."""


@dataclass(frozen=True, slots=True)
class Crm:
    """Both ways to one HubSpot portal."""

    reader: CrmReader
    writer: CrmWriter


class Portals(Protocol):
    """Each team's own HubSpot."""

    async def of(self, team_id: str) -> Crm | None:
        """None for a team that has connected none. Raises `StoreUnavailable`."""
