"""Executes what a click approved, exactly once: claim, stale check, write, and honesty when the outcome is unknown."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import structlog

from bot.errors import CrmBusy, CrmOutcomeUnknown, CrmRefused
from bot.ports import Approval, CrmWriter, Receipt
from bot.proposals.lifecycle import action_from_json, payload_hash
from bot.store import proposals
from bot.store.database import Database
from bot.store.tables import Row
from pipeline.errors import CrmUnavailable

log = structlog.get_logger()

RECONCILE_AFTER = (0.0, 5.0, 20.0)
"""Seconds: HubSpot may show a note a little after it took it."""

NOT_CONNECTED = "HubSpot n'est pas connecté"
UNKNOWN = "HubSpot n'a pas confirmé l'écriture et je ne la retrouve pas : vérifiez dans HubSpot avant de la redemander"
DRIFT = "la fiche a changé depuis la proposition"


async def execute(database: Database, writer: CrmWriter | None, proposal_id: str) -> None:
    """approved -> executing -> done | failed | unknown. A repeat after a crash reconciles; it never writes twice.

    Raises `CrmBusy` or `CrmUnavailable` (both before anything was sent) for the engine to try again.
    """
    row = await _find(database, proposal_id)
    if row["state"] == "executing":
        await _reconcile(database, writer, row)
        return
    if row["state"] != "approved":
        return
    if writer is None:
        await _finish(database, row, "failed", old="approved", reason=NOT_CONNECTED)
        return
    if payload_hash(row["action"]) != row["payload_hash"]:
        await _finish(database, row, "failed", old="approved", reason="le contenu ne correspond plus à la carte")
        return
    action, approval = action_from_json(row["action"]), _approval(row)
    try:
        drift = await writer.drifted(action)
    except CrmRefused as refusal:
        await _finish(database, row, "failed", old="approved", reason=str(refusal))
        return
    if drift:
        await _finish(database, row, "failed", old="approved", reason=f"{DRIFT} : {drift}")
        return
    if not await _move(database, row, old="approved", new="executing"):
        return
    try:
        receipt = await writer.perform(action, approval)
    except CrmRefused as refusal:
        await _finish(database, row, "failed", old="executing", reason=str(refusal))
    except (CrmBusy, CrmUnavailable):
        await _move(database, row, old="executing", new="approved")  # nothing was sent
        raise
    except CrmOutcomeUnknown:
        await _reconcile(database, writer, row)
    else:
        await _done(database, row, receipt)


async def take_back(database: Database, writer: CrmWriter | None, proposal_id: str) -> None:
    """undoing -> undone; back to done, with the reason, when it cannot be taken back."""
    row = await _find(database, proposal_id)
    if row["state"] != "undoing":
        return
    if writer is None:
        await _finish(database, row, "done", old="undoing", reason=NOT_CONNECTED)
        return
    at = datetime.fromisoformat(row["decided_at"])
    receipt = Receipt(crm_id=row["crm_id"], url=row["crm_url"] or "", at=at)
    try:
        await writer.undo(receipt, action_from_json(row["action"]))
    except (CrmRefused, CrmOutcomeUnknown) as error:
        await _finish(database, row, "done", old="undoing", reason=f"annulation impossible : {error}")
    else:
        await _finish(database, row, "undone", old="undoing", reason="")


async def give_up(database: Database, proposal_id: str, error: BaseException) -> None:
    """Retries are spent. Nothing was sent while `approved`; `executing` may have been."""
    row = await _find(database, proposal_id)
    log.error("write_gave_up", proposal=proposal_id[:8], state=row["state"], error=repr(error))
    if row["state"] == "approved":
        await _finish(database, row, "failed", old="approved", reason="HubSpot ne répond pas, rien n'a été écrit")
    elif row["state"] == "executing":
        await _finish(database, row, "unknown", old="executing", reason=UNKNOWN)
    elif row["state"] == "undoing":
        await _finish(database, row, "done", old="undoing", reason="annulation impossible : HubSpot ne répond pas")


async def _reconcile(database: Database, writer: CrmWriter | None, row: Row) -> None:
    for wait in RECONCILE_AFTER if writer is not None else ():
        await asyncio.sleep(wait)
        try:
            receipt = await writer.reconcile(action_from_json(row["action"]), _approval(row)) if writer else None
        except (CrmUnavailable, CrmBusy, CrmRefused, CrmOutcomeUnknown) as error:
            log.warning("reconcile_failed", proposal=row["proposal_id"][:8], error=repr(error))
            continue
        if receipt is not None:
            await _done(database, row, receipt)
            return
    await _finish(database, row, "unknown", old="executing", reason=UNKNOWN)


async def _done(database: Database, row: Row, receipt: Receipt) -> None:
    await _finish(database, row, "done", old="executing", crm_id=receipt.crm_id, crm_url=receipt.url)


async def _finish(database: Database, row: Row, new: str, *, old: str, **values: Any) -> None:
    await _move(database, row, old=old, new=new, **values)
    log.info("proposal", proposal=row["proposal_id"][:8], state=new, reason=values.get("reason"))


async def _move(database: Database, row: Row, *, old: str, new: str, **values: Any) -> bool:
    actor = row["decided_by"] or "engine"
    return await database.write(
        lambda c: proposals.move(c, row["proposal_id"], old=old, new=new, actor=actor, **values)
    )


async def _find(database: Database, proposal_id: str) -> Row:
    row = await database.read(lambda c: proposals.find(c, proposal_id))
    if row is None:
        raise LookupError(f"proposal {proposal_id[:8]} does not exist")
    return row


def _approval(row: Row) -> Approval:
    return Approval(
        proposal_id=row["proposal_id"],
        by=row["decided_by"],
        by_name=row["decided_by_name"] or row["decided_by"],
        at=datetime.fromisoformat(row["decided_at"]).astimezone(UTC),
    )
