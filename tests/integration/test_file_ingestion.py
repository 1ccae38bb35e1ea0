"""A file's steps repeated, interrupted, given up: the index holds it whole or not at all, and its card says which."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.documents import ingestion as ingestion_steps
from bot.documents import uploads
from bot.documents.cards import FileIngestion, offer_cards, show_card
from bot.documents.restoring import wake_lost
from bot.documents.uploads import Clicker
from bot.errors import CorpusAway
from bot.ports import Visitor
from bot.slack.files import dropped_files
from bot.store import inbox, sources
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.tables import Row
from corpus.errors import IndexUnavailable
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.types import Document
from tests.beginnings import migrated
from tests.integration.sandbox_rig import CAMILLE, MARCHE, Rig, rigged
from tests.integration.test_delivery import slack_at

TEAM = "T0AUBRAC1"
NOTE = {"name": "note.md", "text": "# Charges\n\nLes charges de la résidence des Tilleuls sont de 37 euros par mois."}


class AwayIndex(EmbeddedIndex):
    """One that stops answering when something is written."""

    async def upsert(self, *_args: Any, **_named: Any) -> None:
        raise IndexUnavailable


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
async def ingestion(rig: Rig, tmp_path: Path) -> AsyncIterator[FileIngestion]:
    database, index = Database(migrated(tmp_path / "files.sqlite3")), EmbeddedIndex(tmp_path / "corpus.sqlite3")
    slack = slack_at(f"{rig.sandbox.options.base_url}/api", str(rig.slack.token))
    yield FileIngestion(database=database, slack=slack, index=index, embedder=None, folder=tmp_path / "uploads")
    database.close()
    await index.aclose()


async def _clicked(rig: Rig, ingestion: FileIngestion) -> str:
    """A dropped file whose card was clicked; the job's subject."""
    ts = await rig.say("voici", files=[NOTE])
    (message,) = (await rig.get("messages", channel=MARCHE))["messages"]
    inbound = Inbound(TEAM, "Ev1", MARCHE, "channel", ts, ts, CAMILLE, "voici")
    await ingestion.database.write(lambda c: inbox.claim(c, inbound))
    await ingestion.database.write(lambda c: uploads.offer(c, inbound, dropped_files(message["files"])))
    await offer_cards(ingestion, inbound.answer_id)
    (row,) = await ingestion.database.read(lambda c: sources.of_message(c, team_id=TEAM, channel=MARCHE, message_ts=ts))
    by, jobs = Clicker(Visitor("member", CAMILLE, TEAM, shared_channel=False), team=TEAM), []
    await ingestion.database.write(
        lambda c: uploads.take(c, row["source_id"], scope="here", by=by, enqueue=lambda _c, *job: jobs.append(job))
    )
    return str(jobs[0][1])


async def _row(ingestion: FileIngestion, subject: str) -> Row:
    team, source_id = uploads.named_by(subject)
    return await ingestion.database.read(lambda c: sources.get(c, source_id, team_id=team))


async def _card(rig: Rig, ts: str) -> str:
    messages = (await rig.get("messages", channel=MARCHE, thread_ts=ts))["messages"]
    return str([message for message in messages if message.get("bot_id")])


async def test_a_job_that_stopped_before_its_row_ends_the_same(rig: Rig, ingestion: FileIngestion) -> None:
    """Killed between the index and the row: the repeat finds it indexed, counts the same, and asks for one card."""
    subject = await _clicked(rig, ingestion)
    await ingestion_steps.add_file(ingestion, subject)
    first = await _row(ingestion, subject)
    assert (first["state"], first["passages"], first["skipped"]) == ("ready", 1, [ingestion_steps.WORDS_ONLY])
    await ingestion.database.write(
        lambda c: sources.change(c, first["source_id"], team_id=TEAM, state="adding", passages=0, digest=None)
    )
    await ingestion_steps.add_file(ingestion, subject)
    await ingestion_steps.add_file(ingestion, subject)
    assert {**await _row(ingestion, subject)} == first
    assert list(await ingestion.index.digests(tenant=TEAM)) == [first["source_id"]]
    assert not list(ingestion.folder.iterdir())
    await show_card(ingestion, subject)
    assert (await _card(rig, first["thread_ts"])).count("Ajouté à mes sources") == 1


async def test_a_file_that_the_index_lost_is_added_again_without_a_click(
    rig: Rig, ingestion: FileIngestion, tmp_path: Path
) -> None:
    """Once, from Slack, under a job of its own; while it is there, and while the index is away, nothing happens."""
    subject = await _clicked(rig, ingestion)
    await ingestion_steps.add_file(ingestion, subject)
    jobs: list[tuple[Any, ...]] = []

    def enqueue(_connection: Any, *job: Any) -> None:
        jobs.append(job)

    assert await wake_lost(ingestion, enqueue) == 0
    team, source_id = uploads.named_by(subject)
    await ingestion.index.delete([source_id], tenant=team)
    away = tmp_path / "away.sqlite3"
    away.mkdir()
    assert await wake_lost(replace(ingestion, index=EmbeddedIndex(away)), enqueue) == 0
    assert await wake_lost(ingestion, enqueue) == 1
    assert await wake_lost(ingestion, enqueue) == 0
    ((_, again, _),) = jobs
    assert again != subject
    await ingestion_steps.add_file(ingestion, again)
    assert (await _row(ingestion, subject))["state"] == "ready"
    assert list(await ingestion.index.digests(tenant=TEAM)) == [source_id]


async def test_an_index_that_is_away_is_waited_for_then_said(
    rig: Rig, ingestion: FileIngestion, tmp_path: Path
) -> None:
    """Worth another attempt; given up, nothing is left behind and the card offers to try again."""
    away = replace(ingestion, index=AwayIndex(tmp_path / "away.sqlite3"))
    subject = await _clicked(rig, ingestion)
    with pytest.raises(CorpusAway) as caught:
        await ingestion_steps.add_file(away, subject)
    assert (await _row(ingestion, subject))["state"] == "adding"
    await ingestion_steps.give_up(away, subject, caught.value)
    await show_card(away, subject)
    row = await _row(ingestion, subject)
    assert (row["state"], row["reason"]) == ("failed", "La base documentaire ne répond pas.")
    assert "Réessayer" in await _card(rig, row["thread_ts"])
    assert not await away.index.digests(tenant=TEAM)
    assert not list(ingestion.folder.iterdir())


async def test_removal_takes_every_document_of_the_source_and_no_other(rig: Rig, ingestion: FileIngestion) -> None:
    """A feed has several; a name that only begins alike is another source's."""
    subject = await _clicked(rig, ingestion)
    _, own = uploads.named_by(subject)
    for name in (own, f"{own}/entry", f"{own}x", "own:article"):
        await ingest([Document(name, "T", "", "Un texte de quelques mots ici.", "risk")], index=ingestion.index,
                     embedder=None, tenant=TEAM)  # fmt: skip
    await ingestion.database.write(lambda c: sources.change(c, own, team_id=TEAM, state="removing", removed_by=CAMILLE))
    await ingestion_steps.remove_file(ingestion, subject)
    assert set(await ingestion.index.digests(tenant=TEAM)) == {f"{own}x", "own:article"}
    assert (await _row(ingestion, subject))["state"] == "removed"


async def test_a_removal_that_failed_leaves_the_source_and_says_so(rig: Rig, ingestion: FileIngestion) -> None:
    """It can still be found, so the card must not claim otherwise."""
    subject = await _clicked(rig, ingestion)
    await ingestion_steps.add_file(ingestion, subject)
    _, own = uploads.named_by(subject)
    now = {"state": "removing", "removed_by": CAMILLE, "removed_at": inbox.utc_now()}
    await ingestion.database.write(lambda c: sources.change(c, own, team_id=TEAM, **now))
    await ingestion_steps.give_up(ingestion, subject, RuntimeError("bug"))
    row = await _row(ingestion, subject)
    assert (row["state"], row["removed_by"]) == ("ready", None)
    assert "n'a pas abouti (référence QS-" in row["reason"]
