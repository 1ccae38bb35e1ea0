"""python -m bot feedback: what people said of answers, as rows that an evaluation set can take up."""

import argparse
import asyncio
import hashlib
import json
import secrets
import sys
from collections.abc import Mapping
from typing import Any

from bot.settings import Settings
from bot.store import feedback as verdicts
from bot.store import threads
from bot.store.opening import open_database
from bot.store.tables import Row
from pipeline.text.masking import mask
from pipeline.text.persons import persons_in
from pipeline.text.pseudonyms import Cover, known_in
from pipeline.thread_state import from_json


async def feedback(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also when nobody judged anything: then the file is empty."""
    database = open_database(settings.database_url, settings.text_keys)
    try:
        judged = await database.read(
            lambda c: [(row, counts, threads.history(c, row)) for row, counts in verdicts.judged(c)]
        )
    finally:
        database.close()
    secret = secrets.token_bytes(32)
    rows = [
        exported(row, counts, thread=[turn.text for turn in turns if turn.author == "user"], secret=secret)
        for row, counts, turns in judged
        if options.verdict in (None, *counts)
    ]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    await asyncio.to_thread(options.export.write_text, text, encoding="utf-8")
    sys.stdout.write(f"{len(rows)} réponse{'s' if len(rows) > 1 else ''} dans {options.export}.\n")
    return 0


def exported(row: Row, counts: Mapping[str, int], *, thread: list[str], secret: bytes) -> dict[str, Any]:
    """A row of an evaluation set to complete by hand: `needed`, `forbidden` and `note` are left open. It names nobody
    of the team, masks numbers, and calls clients by the pseudonyms of `secret`, as far as they are known for it."""
    record = row["record"] or {}
    route = record.get("route") or {}
    dropped = [each["sentence"] for each in record.get("dropped", ())]
    texts = [row["question"], row["text"] or "", route.get("query") or "", *thread, *dropped]
    known, cover = known_in(texts, persons_in(from_json(row["memory"]))), Cover(secret)

    def outward(text: str) -> str:
        return cover.hide(mask(text), known)

    return {
        "id": f"feedback-{hashlib.sha256(row['answer_id'].encode()).hexdigest()[:12]}",
        "category": route.get("intent", ""),
        "text": outward(row["question"]),
        "thread": [outward(said) for said in thread],
        "asked_at": row["asked_at"],
        "verdicts": dict(counts),
        "answer": outward(row["text"] or ""),
        "refused": bool(row["refused"]),
        "route": {name: route.get(name) for name in ("mode", "intents", "tools")}
        | {"query": outward(route.get("query") or "")},
        "citations": [{"title": outward(c["title"]), "url": c["url"]} for c in record.get("citations", ())],
        "dropped": [outward(sentence) for sentence in dropped],
        "needed": [],
        "forbidden": [],
        "answerable": None,
        "note": "",
    }
