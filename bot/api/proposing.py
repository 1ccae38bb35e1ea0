"""`propose_note`: the same target, masks and card as a note that somebody asks for in Slack. Never a write."""

from dataclasses import asdict
from typing import Any, Final

from bot.api.cards import NO_CHANNEL, shown
from bot.api.parts import Api
from bot.api.problems import Problem
from bot.api.tool_shapes import NoteRequest
from bot.conversations.reading_deals import as_read_by
from bot.rights import STRANGERS
from bot.store.keys import Key
from pipeline.action_types import ActionRequest
from pipeline.proposing.proposer import NOT_CONNECTED, propose
from pipeline.types import Question, Route

WORDS: Final = "Proposé par le programme {name}"


async def proposed(api: Api, key: Key, asked: NoteRequest) -> dict[str, Any]:
    """Raises `Problem` where nothing is proposed, with the reason."""
    if not key.deals:
        raise Problem(422, STRANGERS["program"])
    if not key.channel:
        raise Problem(422, NO_CHANNEL)
    deps = as_read_by(key.user_id, key.adviser, deps=await api.deps_of(key.team_id), readers=api.readers)
    if deps.crm is None:
        raise Problem(422, NOT_CONNECTED)
    deal = asked.deal.strip()
    body, number = asked.text.replace("\x00", "").strip(), deal.isdigit()
    request = ActionRequest(
        kind="create_note", body=body, deal_id=deal if number else None, deal_name=None if number else deal
    )
    route = Route(mode="none", intent="crm_write", query="", actions=(request,))
    question = Question(text=deal, asked_by=key.user_id, asked_at=deps.now(), asker_email=key.adviser)
    found = await propose(question, route, "", crm=deps.crm, now=deps.now())
    if not found.actions:
        raise Problem(422, " ".join(found.remarks) or "Rien n'est proposé.")
    cards = await shown(api, key, found.actions, words=WORDS.format(name=key.name))
    if not cards.count:
        raise Problem(422, cards.reason or "")
    return {
        "proposals": [
            {"kind": each.kind, "target": asdict(each.target), "fields": dict(each.fields), "summary": each.summary}
            for each in found.actions
        ],
        "remarks": list(found.remarks),
        "cards": cards.as_json(),
    }
