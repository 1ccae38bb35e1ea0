"""Clicks under an answer: « Utile », « Faux », « Incomplet », « Pourquoi ? », « PDF »; each is answered to who clicked
alone."""

import re
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot import jobs
from bot.conversations import judging
from bot.conversations.judging import Judged
from bot.engine import Engine
from bot.listeners.clicks import tell
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import AnswerId
from bot.printing import posting
from bot.slack.blocks.judging import FEEDBACK, PRINT, VERDICTS, WHY
from bot.slack.blocks.why import why_blocks

log = structlog.get_logger()
UNKNOWN = "Je ne connais pas cette réponse ici : rien n'a été fait."
WHY_TEXT = "Pourquoi cette réponse ?"
THANKS = {
    "useful": "Merci, c'est noté : utile.",
    "wrong": "C'est noté : faux. Dites-moi dans le fil ce qui ne va pas, je reprendrai avec la source et la méthode.",
    "incomplete": "C'est noté : incomplet. Dites-moi dans le fil ce qui manque.",
}
CHANGE = " Un autre bouton change votre avis."


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    async def place(body: dict[str, Any], context: AsyncBoltContext) -> dict[str, Any]:
        container = body.get("container") or {}
        channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
        return {"channel": channel, "team_id": context.team_id or "", "by": await visitors.of_click(body, context)}

    @app.action(WHY)
    async def why(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        await ack()
        answer_id, where = str(body["actions"][0].get("value") or ""), await place(body, context)
        seen = await services.database.read(lambda c: judging.look(c, answer_id, **where))
        log.info("click", verdict=seen.verdict, by=body["user"]["id"], action=WHY)
        if seen.row is None:
            await tell(services, body, _refused(seen))
        else:
            await tell(services, body, WHY_TEXT, blocks=why_blocks(seen.row, verdicts=seen.verdicts))

    @app.action(PRINT)
    async def sheet(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack."""
        answer_id, where = AnswerId(str(body["actions"][0].get("value") or "")), await place(body, context)
        said = await services.database.write(lambda c: posting.ask(c, answer_id, **where, enqueue=engine.enqueue))
        await ack()
        log.info("click", by=body["user"]["id"], action=PRINT)
        await tell(services, body, said)

    @app.action(re.compile(rf"^{FEEDBACK}"))
    async def say(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack."""
        action = body["actions"][0]
        verdict, answer_id = action["action_id"].removeprefix(FEEDBACK), str(action.get("value") or "")
        where = await place(body, context)
        if verdict not in VERDICTS:
            await ack()
            return
        judged = await services.database.write(lambda c: judging.judge(c, answer_id, **where, verdict=verdict))
        await ack()
        log.info("click", verdict=judged.verdict, by=body["user"]["id"], action=action["action_id"])
        await tell(services, body, _refused(judged) or f"{THANKS[verdict]}{CHANGE}")


def _refused(judged: Judged) -> str:
    return {"stranger": CLOSED, "unknown": UNKNOWN}.get(judged.verdict, "")
