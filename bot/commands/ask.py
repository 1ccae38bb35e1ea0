"""python -m bot ask: one answer without Slack, as JSON for scripts or readable for a person."""

import argparse
import asyncio
import json
import secrets
import sys
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.conversations import direct, reply
from bot.conversations.budgets import Budgets
from bot.ports import Visitor
from bot.settings import Settings
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.opening import open_database
from bot.wiring import build_deps
from bot.wiring_models import budgets_of
from bot.wiring_telemetry import open_telemetry
from corpus.types import Passage
from pipeline.ports import Deps
from pipeline.types import Answer

TEAM, CHANNEL = "local", "cli"


async def ask(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also for a refusal: refusing is an answer. 2 when neither a question nor a file is given."""
    if not options.question and options.batch is None:
        sys.stderr.write("Donnez une question, ou --batch FICHIER.\n")
        return 2
    budgets = budgets_of(settings)
    database = open_database(settings.database_url, settings.text_keys)
    try:
        async with open_telemetry(settings) as told, build_deps(settings, telemetry=told.telemetry) as deps:
            if options.batch is not None:
                return await _batch(options.batch, database, deps, budgets)
            message = message_of(options.question, options.thread, options.deal)
            answer = await direct.answered(message, database=database, deps=deps, budgets=budgets)
    finally:
        database.close()
    if options.json:
        print(json.dumps(reply.as_json(options.question, answer), ensure_ascii=False, indent=2))
    else:
        show(options.question, answer, console=Console())
    return 0


async def _batch(file: Path, database: Database, deps: Deps, budgets: Budgets) -> int:
    """One answer a line, in the order of the lines `{text, thread, deal?}`; a line that cannot be read is said as one
    and does not stop the others. Threads are this run's own: their names are told apart from any earlier run's."""
    run, status = secrets.token_hex(4), 0
    lines = (await asyncio.to_thread(file.read_text, encoding="utf-8")).splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text, thread = str(row["text"]), row.get("thread")
        except (ValueError, KeyError, TypeError, AttributeError):
            print(
                json.dumps(
                    {"line": number, "error": "ligne illisible : il faut un objet JSON avec « text »"},
                    ensure_ascii=False,
                )
            )
            status = 1
            continue
        deal = None if row.get("deal") is None else str(row["deal"])
        message = message_of(text, None if thread is None else f"{run}-{thread}", deal)
        answer = await direct.answered(message, database=database, deps=deps, budgets=budgets)
        print(json.dumps({**reply.as_json(text, answer), "thread": thread}, ensure_ascii=False), flush=True)
    return status


def message_of(question: str, thread: str | None, deal_id: str | None = None) -> Inbound:
    """A message of the command line, in a thread of this name or in one of its own."""
    by = Visitor("member", "cli", TEAM, shared_channel=False)
    return direct.message_of(question, thread, by=by, channel=CHANNEL, channel_type="cli", deal_id=deal_id)


def show(question: str, answer: Answer, *, console: Console) -> None:
    """Route and why, evidence with scores, the time of each step, the answer, its sources, what it proposes."""
    route = answer.route
    console.print(Panel(Text(question), title="Question", border_style="cyan"))
    console.print(
        f"[bold]Route[/] {route.mode} · {route.intent}"
        + (f" · communes {', '.join(route.communes)}" if route.communes else "")
        + (f" · aspects {', '.join(route.aspects)}" if route.aspects else "")
    )
    for reason in route.reasons:
        console.print(Text(f"  {reason}", style="dim"))
    _show_evidence(answer, console)
    console.print(Text("  ".join(f"{step.name} {step.seconds * 1000:.0f} ms" for step in answer.steps), style="dim"))
    style = "yellow" if answer.refused else "green"
    console.print(Panel(Markdown(answer.text), title="Refus" if answer.refused else "Réponse", border_style=style))
    for citation in answer.citations:
        console.print(Text(f"[{citation.id}] {citation.title}  {citation.url}"))
    for remark in (*answer.remarks, *answer.degraded):
        console.print(Text(f"· {remark}", style="dim"))
    for action in answer.actions:
        console.print(Panel(Text(action.summary), title=f"Proposition : {action.kind}", border_style="magenta"))
    console.print(Text(f"{answer.figures_checked} chiffres vérifiés · {answer.seconds:.2f} s", style="dim"))


def _show_evidence(answer: Answer, console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("n°", "source", "fusion", "cosinus", "couverture"):
        table.add_column(column)
    for number, item in answer.evidence.numbered():
        if isinstance(item, Passage):
            where = " › ".join((item.title, *item.heading))
            cosine = f"{item.similarity:.3f}" if item.similarity is not None else "-"
            table.add_row(str(number), where[:90], f"{item.score:.3f}", cosine, f"{item.coverage:.2f}")
        else:
            table.add_row(str(number), f"outil {item.call.tool} : {item.title}"[:90], "-", "-", "-")
    if table.row_count:
        console.print(table)
