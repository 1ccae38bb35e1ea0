"""Executes what a click approved, exactly once: claim, stale check, write, and honesty when the outcome is unknown."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import structlog

from bot.errors import CrmBusy, CrmDenied, CrmOutcomeUnknown, CrmRefused
from bot.ports import Approval, CrmWriter, Receipt
from bot.proposals.lifecycle import action_from_json, payload_hash
from bot.store import audit, proposals
from bot.store.database import Database
from bot.store.tables import Row
from pipeline.action_types import ProposedAction
from pipeline.errors import CrmUnavailable

log = structlog.get_logger()

RECONCILE_AFTER = (0.0, 5.0, 20.0)
"""Seconds: HubSpot may show a note a little after it took it."""

NOT_CONNECTED = "HubSpot n'est pas connecté"
UNKNOWN = "HubSpot n'a pas confirmé l'écriture et je ne la retrouve pas : regardez dans HubSpot, puis dites-le-moi ici"
FOUND = "elle s'y trouvait déjà, rien n'a été écrit une seconde fois"
FOUND_LATE = "retrouvée dans HubSpot, la trace de sa validation manque ici"
NOT_UNDONE = "annulation impossible"
UNDO_UNKNOWN = (
    "HubSpot n'a pas confirmé l'annulation et je ne peux pas la vérifier : réessayez ou regardez dans HubSpot"
)


async def execute(database: Database, writer: CrmWriter | None, proposal_id: str) -> None:
    """approved -> executing -> done | failed | unknown, or conflict. A repeat after a crash reconciles; it never writes
    twice, nor what an earlier life of this database wrote. A write that somebody saw is looked for, for its link.

    Raises `CrmBusy` or `CrmUnavailable` (both before anything was sent) for the engine to try again.
    """
    row = await _find(database, proposal_id)
    if row["state"] == "executing":
        await _reconcile(database, writer, row)
        return
    if row["state"] == "done" and not row["crm_id"]:
        await _locate(database, writer, row)
        return
    if row["state"] != "approved":
        return
    if writer is None:
        await _finish(database, row, "failed", old="approved", reason=NOT_CONNECTED)
        return
    if payload_hash(row["action"]) != row["payload_hash"]:
        await _finish(database, row, "failed", old="approved", reason="le contenu ne correspond plus à la carte")
        return
    try:
        clear = await _clear_to_write(database, writer, row)
    except (CrmRefused, CrmDenied) as refusal:
        await _finish(database, row, "failed", old="approved", reason=str(refusal))
        return
    if clear and await _move(database, row, old="approved", new="executing"):
        await _write(database, writer, row)


async def _clear_to_write(database: Database, writer: CrmWriter, row: Row) -> bool:
    """False where the row is final already: it stands in the CRM (a database restored from a backup knows nothing of
    what it wrote since), or the record says something else than on the card."""
    action = action_from_json(row["action"])
    sent = await database.read(
        lambda c: audit.count(c, team_id=row["team_id"], event="executing", subject=row["proposal_id"])
    )
    if sent or action.kind != "update_property":
        receipt = await writer.reconcile(action, _approval(row))
        if receipt is not None:
            await _done(database, row, receipt, old="approved", reason=FOUND)
            return False
    if drift := await writer.drifted(action):
        await _finish(database, row, "conflict", old="approved", reason=drift)
        return False
    return True


async def _write(database: Database, writer: CrmWriter, row: Row) -> None:
    try:
        receipt = await writer.perform(action_from_json(row["action"]), _approval(row))
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
    """undoing -> undone; back to done, with the reason, when it cannot be taken back. Raises like `execute`."""
    row = await _find(database, proposal_id)
    if row["state"] != "undoing":
        return
    if writer is None:
        await _finish(database, row, "done", old="undoing", reason=f"{NOT_UNDONE} : {NOT_CONNECTED}")
        return
    action = action_from_json(row["action"])
    receipt = Receipt(
        crm_id=row["crm_id"] or "", url=row["crm_url"] or "", at=datetime.fromisoformat(row["decided_at"])
    )
    for wait in RECONCILE_AFTER:
        await asyncio.sleep(wait)
        try:
            await writer.undo(receipt, action)
        except (CrmRefused, CrmDenied) as error:
            await _finish(database, row, "done", old="undoing", reason=f"{NOT_UNDONE} : {error}")
            return
        except CrmOutcomeUnknown:
            if not await _is_undone(writer, receipt, action):
                continue  # an undo may be repeated: it looks first
        await _finish(database, row, "undone", old="undoing", reason="")
        return
    await _finish(database, row, "done", old="undoing", reason=UNDO_UNKNOWN)


async def expire(database: Database, writer: CrmWriter | None, row: Row) -> bool:
    """offered -> expired; done, where a note or task bears its mark: then these rows come from a backup that is older
    than the click. True for the one caller that ended it."""
    receipt = None
    if writer is not None and action_from_json(row["action"]).kind != "update_property":
        receipt = await _look(writer, row)
    if receipt is None:
        return await _move(database, row, old="offered", new="expired", actor="clock")
    found = {"crm_id": receipt.crm_id, "crm_url": receipt.url, "reason": FOUND_LATE}
    return await _move(database, row, old="offered", new="done", actor="clock", **found)


async def give_up(database: Database, proposal_id: str, error: BaseException) -> None:
    """Retries are spent. Nothing was sent while `approved`; `executing` may have been."""
    row = await _find(database, proposal_id)
    log.error("write_gave_up", proposal=proposal_id[:8], state=row["state"], error=repr(error))
    if row["state"] == "approved":
        why = str(error) if isinstance(error, CrmUnavailable | CrmBusy) else "HubSpot ne répond pas"
        await _finish(database, row, "failed", old="approved", reason=f"{why.rstrip('.')} ; rien n'a été écrit")
    elif row["state"] == "executing":
        await _finish(database, row, "unknown", old="executing", reason=UNKNOWN)
    elif row["state"] == "undoing":
        await _finish(database, row, "done", old="undoing", reason=f"{NOT_UNDONE} : HubSpot ne répond pas")


async def _reconcile(database: Database, writer: CrmWriter | None, row: Row) -> None:
    for wait in RECONCILE_AFTER if writer is not None else ():
        await asyncio.sleep(wait)
        if writer is not None and (receipt := await _look(writer, row)) is not None:
            await _done(database, row, receipt)
            return
    await _finish(database, row, "unknown", old="executing", reason=UNKNOWN)


async def _locate(database: Database, writer: CrmWriter | None, row: Row) -> None:
    """The link and the id of what somebody saw in the CRM, so that it can be opened and undone."""
    receipt = await _look(writer, row) if writer is not None else None
    if receipt is not None:
        await _done(database, row, receipt, old="done", event="located")


async def _look(writer: CrmWriter, row: Row) -> Receipt | None:
    try:
        return await writer.reconcile(action_from_json(row["action"]), _approval(row))
    except (CrmUnavailable, CrmBusy, CrmRefused, CrmOutcomeUnknown) as error:
        log.warning("reconcile_failed", proposal=row["proposal_id"][:8], error=repr(error))
        return None


async def _is_undone(writer: CrmWriter, receipt: Receipt, action: ProposedAction) -> bool:
    try:
        return await writer.undone(receipt, action)
    except (CrmUnavailable, CrmBusy, CrmRefused) as error:
        log.warning("undo_not_read_back", error=repr(error))
        return False


async def _done(database: Database, row: Row, receipt: Receipt, *, old: str = "executing", **values: Any) -> None:
    await _finish(database, row, "done", old=old, crm_id=receipt.crm_id, crm_url=receipt.url, **values)


async def _finish(database: Database, row: Row, new: str, *, old: str, **values: Any) -> None:
    await _move(database, row, old=old, new=new, **values)
    log.info("proposal", proposal=row["proposal_id"][:8], state=new, reason=values.get("reason"))


async def _move(database: Database, row: Row, *, old: str, new: str, actor: str = "", **values: Any) -> bool:
    actor = actor or (row["undone_by"] if old == "undoing" else row["decided_by"]) or "engine"
    return await database.write(
        lambda c: proposals.move(c, row["proposal_id"], old=old, new=new, actor=actor, **values)
    )


async def _find(database: Database, proposal_id: str) -> Row:
    row = await database.read(lambda c: proposals.find(c, proposal_id))
    if row is None:
        raise LookupError(f"proposal {proposal_id[:8]} does not exist")
    return row


def _approval(row: Row) -> Approval:
    """Of a row that nobody approved, only the mark is of use: it is what a record is found by."""
    by = row["decided_by"] or ""
    at = datetime.fromisoformat(row["decided_at"] or row["offered_at"])
    return Approval(proposal_id=row["proposal_id"], by=by, by_name=row["decided_by_name"] or by, at=at.astimezone(UTC))
