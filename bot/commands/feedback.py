"""python -m bot feedback: what people said of answers, as rows that an evaluation set can take up."""

import argparse
import asyncio
import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from bot.settings import Settings
from bot.store import feedback as verdicts
from bot.store import threads
from bot.store.database import Database
from bot.store.migrations import migrate_database
from bot.store.tables import Row
from pipeline.text.masking import mask


async def feedback(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also when nobody judged anything: then the file is empty."""
    migrate_database(settings.database_url)
    database = Database(settings.database_url)
    try:
        judged = await database.read(
            lambda c: [(row, counts, threads.history(c, row)) for row, counts in verdicts.judged(c)]
        )
    finally:
        database.close()
    rows = [
        exported(row, counts, thread=[turn.text for turn in turns if turn.author == "user"])
        for row, counts, turns in judged
        if options.verdict in (None, *counts)
    ]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    await asyncio.to_thread(options.export.write_text, text, encoding="utf-8")
    sys.stdout.write(f"{len(rows)} réponse{'s' if len(rows) > 1 else ''} dans {options.export}.\n")
    return 0


def exported(row: Row, counts: Mapping[str, int], *, thread: list[str]) -> dict[str, Any]:
    """A row of an evaluation set to complete by hand: `needed`, `forbidden` and `note` are left open. It names nobody
    of the team; numbers and addresses of persons are masked, names in the texts are not."""
    record = row["record"] or {}
    route = record.get("route") or {}
    return {
        "id": f"feedback-{hashlib.sha256(row['answer_id'].encode()).hexdigest()[:12]}",
        "category": route.get("intent", ""),
        "text": mask(row["question"]),
        "thread": [mask(said) for said in thread],
        "asked_at": row["asked_at"],
        "verdicts": dict(counts),
        "answer": mask(row["text"] or ""),
        "refused": bool(row["refused"]),
        "route": {name: route.get(name) for name in ("mode", "intents", "query", "tools")},
        "citations": [{"title": c["title"], "url": c["url"]} for c in record.get("citations", ())],
        "dropped": [mask(each["sentence"]) for each in record.get("dropped", ())],
        "needed": [],
        "forbidden": [],
        "answerable": None,
        "note": "",
    }
