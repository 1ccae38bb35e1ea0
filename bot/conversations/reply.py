"""Thread -> history -> pipeline.answer -> remember."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from bot.conversations.answer_cache import Caching
from bot.conversations.budgets import Budgets, allowance
from bot.conversations.follow_ups import FollowUp, follow_ups
from bot.conversations.reading_deals import as_read_by, told_narrowed
from bot.conversations.record import record_of
from bot.conversations.telling import conversation_of, tell_answered, tell_more
from bot.conversations.without_model import without_model
from bot.ports import PROGRAM_PLACE, AnswerId, handed_over
from bot.proposals.lifecycle import Terms, rows_for
from bot.rights import DealReaders, crm_closed
from bot.store import answers, channels, proposals, sources, spending, threads
from bot.store.database import Database
from bot.store.tables import Row
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT
from pipeline.answer import answer
from pipeline.ports import Deps, Report, Show
from pipeline.section_names import OPTIONAL
from pipeline.steps import quietly
from pipeline.types import Answer, Question, Route

PARIS = ZoneInfo("Europe/Paris")
Instead = Callable[[sa.Connection, Row], str]
HANDED = (
    "Ce message m'a été transmis par un raccourci, et n'est peut-être pas de vous : je n'en lis ni n'écris HubSpot. "
    "Écrivez-le-moi vous-même dans le fil."
)


async def answer_claimed(
    answer_id: AnswerId,
    *,
    database: Database,
    deps: Deps,
    terms: Terms,
    report: Report = quietly,
    show: Show | None = None,
    asker_email: str = "",
    budgets: Budgets = Budgets(),  # noqa: B008 - frozen
    readers: DealReaders = DealReaders(),  # noqa: B008 - frozen
    instead: Instead | None = None,
) -> Answer:
    """Answer a claimed message and remember what was answered, with its proposals, in one transaction. `show`: given
    what may be read already; `asker_email`: by which the CRM knows who asks for « mes dossiers »; `readers`: who reads
    which deals; `instead`: what is done for this message, and said of it, where that is no answer's work."""
    if instead is not None:
        done = await database.write(lambda c: _done(c, answer_id, instead, terms, deps.now()))
        tell_answered(deps.telemetry, done)
        return done
    row, question, with_model = await database.read(lambda c: _asked(c, answer_id, readers))
    deps = deps if with_model else without_model(deps)
    if budgets.any:
        today = deps.now().astimezone(PARIS).date()
        left = await database.read(lambda c: allowance(c, answers.get(c, answer_id), budgets, today=today))
        question = replace(question, allowance=left)
    question = replace(question, asker_email=asker_email)
    if isinstance(deps.cache, Caching):
        deps = replace(deps, cache=deps.cache.of(database, deps.index, team_id=row["team_id"], answer_id=answer_id))
    deps = as_read_by(question.asked_by, asker_email, deps=deps, readers=readers)
    with deps.telemetry.stage("answer", conversation=conversation_of(row)) as tell:
        result = told_narrowed(await answer(question, deps=deps, report=report, show=show), deps=deps)
        with_crm = deps.crm is not None and not question.crm_closed
        offered = follow_ups(result, places=deps.places, with_crm=with_crm, deal_id=question.deal_id)
        await database.write(lambda c: _remember(c, answer_id, result, terms, deps.now(), offered=offered))
        tell_answered(deps.telemetry, result)
        tell_more(tell, question, result, texts=deps.telemetry.texts)
    return result


def _asked(connection: sa.Connection, answer_id: AnswerId, readers: DealReaders) -> tuple[Row, Question, bool]:
    """And whether a language model is asked in its channel."""
    row = answers.get(connection, answer_id)
    chosen = channels.settings_of(connection, team_id=row["team_id"], channel=row["channel"])
    return row, question_of(connection, row, readers), chosen.model


def _done(connection: sa.Connection, answer_id: AnswerId, instead: Instead, terms: Terms, now: datetime) -> Answer:
    """The thread's memory stays what it was."""
    row = answers.get(connection, answer_id)
    route = Route(mode="none", intent="smalltalk", query=row["question"])
    stopped = answers.is_thought(connection, answer_id)
    result = Answer(
        text="" if stopped else instead(connection, row), route=route, memory=threads.memory(connection, row) or {}
    )
    _remember(connection, answer_id, result, terms, now)
    return result


def question_of(connection: sa.Connection, row: Row, readers: DealReaders = DealReaders()) -> Question:  # noqa: B008 - frozen
    """What may be read for this question follows from who asked it, and where: guests, people of another company, and
    everybody where another company reads along, get public knowledge only."""
    team_id, channel = row["team_id"], row["channel"]
    visitor = answers.visitor_of(row)
    chosen = channels.settings_of(connection, team_id=team_id, channel=channel)
    own_files = visitor.reads_files and chosen.files
    place = {"team_id": team_id, "channel": channel, "channel_type": row["channel_type"]}
    handed = HANDED if handed_over(row["answer_id"]) else ""
    closed = handed or crm_closed(connection, visitor, **place, readers=readers)
    return Question(
        text=row["question"],
        asked_by=row["asked_by"],
        asked_at=datetime.fromisoformat(row["asked_at"]),
        history=threads.history(connection, row),
        deal_id=None if closed else threads.deal_of(connection, team_id=team_id, thread_key=row["thread_key"]),
        audience=frozenset({PUBLIC_AUDIENCE, f"channel:{channel}"} if own_files else {PUBLIC_AUDIENCE}),
        tenants=(SHARED_TENANT, team_id) if own_files else (SHARED_TENANT,),
        memory=threads.memory(connection, row),
        crm_closed=closed,
        usual_communes=chosen.communes,
        usual_deal_id=None if closed else chosen.deal_id or None,
        left_out=frozenset(OPTIONAL if chosen.short else chosen.hidden),
        files=sources.of_thread(connection, team_id=team_id, channel=channel, thread_ts=row["thread_ts"])
        if own_files
        else (),
    )


def _remember(
    connection: sa.Connection,
    answer_id: AnswerId,
    result: Answer,
    terms: Terms,
    now: datetime,
    *,
    offered: Sequence[FollowUp] = (),
) -> None:
    row = answers.get(connection, answer_id)
    kept = answers.thought(
        connection,
        answer_id,
        text=result.text,
        query=result.route.query,
        communes=list(result.route.communes),
        schemes=list(result.route.schemes),
        record=record_of(result) | {"follow_ups": [asdict(each) for each in offered]},
        memory=dict(result.memory),
        refused=result.refused,
        model=(result.cost.model or None) if result.cost else None,
        euros=result.cost.euros if result.cost else None,
        seconds=result.seconds,
    )
    if result.cost is not None and result.cost.euros:
        day = now.astimezone(PARIS).date()
        spending.add(connection, team_id=row["team_id"], day=day, person=row["asked_by"], euros=result.cost.euros)
    if not kept:
        return  # somebody stopped it meanwhile: nothing of it is offered
    if deal_id := result.deal_id:
        threads.tie_to_deal(connection, team_id=row["team_id"], thread_key=row["thread_key"], deal_id=deal_id)
    if row["channel_type"] == PROGRAM_PLACE:
        return  # its proposals stand where people can click
    for proposal in rows_for(result, row, terms=terms, now=now):
        proposals.offer(connection, **proposal)


def as_json(question: str, result: Answer) -> dict[str, Any]:
    """The stable shape of `python -m bot ask --json`."""
    return {
        "question": question,
        "route": {
            "mode": result.route.mode,
            "needs_action": result.route.needs_action,
            "communes": list(result.route.communes),
            "aspects": list(result.route.aspects),
            "intents": list(result.route.intents),
            "calls": [{"tool": call.tool, "arguments": dict(call.arguments)} for call in result.route.tool_calls],
        },
        "answer": result.text,
        "refused": result.refused,
        "reason": result.refusal,
        "citations": [
            {k: v for k, v in asdict(c).items() if k != "as_of"} | {"as_of": c.as_of.isoformat() if c.as_of else None}
            for c in result.citations
        ],
        "figures": {"checked": result.figures_checked, "dropped": result.sentences_dropped},
        "proposals": [
            {
                "kind": action.kind,
                "target": asdict(action.target),
                "fields": dict(action.fields),
                "summary": action.summary,
            }
            for action in result.actions
        ],
        "computed": [
            {
                "label": entry.figure.label,
                "value": entry.figure.value,
                "unit": entry.figure.unit,
                "formula": entry.formula,
            }
            for entry in result.evidence.ledger
        ],
        "asked_back": result.asked_back,
        "choices": [asdict(choice) for choice in result.route.choices],
        "remarks": list(result.remarks),
        "degraded": list(result.degraded),
        "cost": asdict(result.cost) if result.cost else None,
        "seconds": round(result.seconds, 4),
    }
