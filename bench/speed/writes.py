"""python -m bench writes [--writers N] [--writes M] [--idle S]: writes to HubSpot after S seconds without any.

A server that keeps connections for five seconds closes each just when the next write would leave on it. Figure: how
many of N x M writes ended without an answer (goal: none). Each has a connection of its own; when they kept theirs, 52
of 440 ended so on the same machine.
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.sandboxed import exported, sandbox
from bot.errors import CrmBusy, CrmOutcomeUnknown
from bot.ports import Approval
from bot.settings import Settings
from bot.wiring import build_crm
from pipeline.action_types import ProposedAction, Target

NOTE = ProposedAction("create_note", Target("deal", "9001", "Dossier Martin"), {"hs_note_body": "Mesure"}, "Noter")
AROUND_S = 0.03
"""Before and after the moment at which the other side closes."""


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 where every write was answered, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench writes")
    parser.add_argument("--writers", type=int, default=110)
    parser.add_argument("--writes", type=int, default=4)
    parser.add_argument("--idle", type=float, default=5.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False):
        given = exported(Path(folder))
        settings = Settings(
            hubspot_token=given["HUBSPOT_TOKEN"], hubspot_api_url=given["HUBSPOT_API_URL"], _env_file=None
        )
        lost = asyncio.run(_lost(settings, options.writers, options.writes, options.idle))
    figures = {"writes": options.writers * options.writes, "without_an_answer": lost, "idle_s": options.idle}
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if lost == 0 else 1


async def _lost(settings: Settings, writers: int, writes: int, idle: float) -> int:
    return sum(await asyncio.gather(*(_writer(settings, number, writes, idle) for number in range(writers))))


async def _writer(settings: Settings, number: int, writes: int, idle: float) -> int:
    """One process's way to HubSpot; how many of its writes nobody answered."""
    crm, lost = build_crm(settings), 0
    assert crm is not None
    for turn in range(writes):
        approval = Approval(f"bench-{number}-{turn}", by="U0BENCH", by_name="Mesure", at=datetime.now(UTC))
        try:
            await crm.writer.perform(NOTE, approval)
        except (CrmOutcomeUnknown, CrmBusy):
            lost += 1
        await asyncio.sleep(idle + random.uniform(-AROUND_S, AROUND_S))
    return lost
