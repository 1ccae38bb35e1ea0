"""What was found between two digests, on its way into the channel: one message each, whatever dies."""

import hashlib
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from bot.digests.content import record_of
from bot.slack.blocks.digests import digest_blocks, digest_text
from bot.slack.delivery import ThreadRef, Workspaces, post_once
from bot.store import alerts
from bot.store.database import Database
from bot.store.inbox import utc_now
from bot.store.tables import Row
from pipeline.types import Grounded

LONGEST_TITLE: Final = 150
SKEW_SECONDS: Final = 600
"""Slack's clock and ours may differ: an earlier post is looked for from so long before we began to post."""


def content_of(title: str, grounded: Grounded, *, remark: str) -> dict[str, Any]:
    """The JSON that is kept and posted, in a digest's shape."""
    cited = [asdict(c) | {"as_of": c.as_of.isoformat() if c.as_of else None} for c in grounded.citations]
    return {
        "title": title[:LONGEST_TITLE],
        "text": grounded.text.removeprefix("- ").strip(),
        "items": [{"sources": cited}],
        "charts": [],
        "remarks": [remark],
        "missing": [],
        "checked": grounded.figures_checked,
        "dropped": len(grounded.dropped),
    }


async def post_alert(database: Database, slack: Workspaces, row: Row) -> None:
    """found -> posting -> posted: the intent is committed before the call, so that a death leads to a search. Raises
    `SlackRefused` and `SlackUnavailable`."""
    content, began = row["content"], row["posting_at"] or utc_now()
    if not content:
        return  # what it was about is to be forgotten
    await database.write(lambda c: alerts.move(c, row, old=("found",), new="posting", posting_at=began))
    after = f"{datetime.fromisoformat(began).timestamp() - SKEW_SECONDS:.6f}"
    record = record_of(content)
    ts = await post_once(
        slack.of(row["team_id"]),
        ThreadRef(row["channel"], None, after=after),
        key=hashlib.sha256(f"{row['channel']}:{row['alert_id']}".encode()).hexdigest(),
        text=digest_text(content, record),
        blocks=digest_blocks(content, record),
        maybe_posted=row["state"] == "posting",
    )
    await database.write(lambda c: alerts.move(c, row, old=("posting",), new="posted", ts=ts))
