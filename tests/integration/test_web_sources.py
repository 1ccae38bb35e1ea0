"""Addresses in the corpus: added, asked again only if they changed, retired when gone, gone for good when removed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.documents.refresh import refresh_job, subject_of, wake_due
from bot.documents.web_sources import SourceLate, add_file, read_again, remove
from bot.engine import Engine
from bot.store import sources, web_sources
from corpus.errors import EmbedderUnavailable, UnreadableSource
from corpus.index.embedded import EmbeddedIndex
from tests.dropped_files import pdf
from tests.web_server import redirect, response
from tests.web_shelf import OWNER, TODAY, shelf


async def test_a_page_is_added_and_found(tmp_path: Path) -> None:
    """With its source's name, its owner, its place and the day of its reading."""
    async with shelf(tmp_path) as here:
        here.page("Le préavis fictif dure onze jours.", ETag='"v1"')
        taken = await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        assert (taken.state, taken.name, taken.report.added) == ("added", "Fiche", 1)
        row = await here.row()
        assert (row["kind"], row["state"], row["added_by"], row["etag"]) == ("page", "ready", "cli", '"v1"')
        assert (row["url"], row["documents"], row["passages"]) == (here.address, 1, 1)
        assert await here.held() == [row["source_id"]]
        assert "onze jours" in (await here.found("préavis fictif"))[0]
        (passage,) = await here.web_ingestion.index.passages(row["source_id"], tenant="T1")
        assert passage.published == TODAY


async def test_the_same_page_twice_changes_nothing(tmp_path: Path) -> None:
    """Neither the index nor the day of its first reading; not even when only its menus changed."""
    async with shelf(tmp_path) as here:
        here.page("Texte.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        later = replace(here.web_ingestion, today=lambda: date(2026, 12, 1))
        here.page("Texte.", menu="<nav><a href='/neuf'>Du neuf</a></nav>")
        for reading in (
            add_file(here.address, web_ingestion=later, owner=OWNER),
            read_again(await here.row(), web_ingestion=later),
        ):
            taken = await reading
            assert (taken.state, taken.report.passages) == ("unchanged", 0)
        (passage,) = await here.web_ingestion.index.passages((await here.row())["source_id"], tenant="T1")
        assert passage.published == TODAY


async def test_a_known_page_is_not_sent_again(tmp_path: Path) -> None:
    """Its mark goes back; 304 leaves all as it is. Where the index lost it, it is asked for whole."""
    async with shelf(tmp_path) as here:
        here.page("Texte.", ETag='"v1"')
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        known = response(b"", status="304 Not Modified")
        whole, here.web.answers["/fiche"] = here.web.answers["/fiche"], known
        assert (await read_again(await here.row(), web_ingestion=here.web_ingestion)).state == "unchanged"
        assert 'If-None-Match: "v1"' in here.web.requests[-1]
        await here.web_ingestion.index.delete(await here.held(), tenant="T1")
        here.web.answers["/fiche"] = whole
        assert (await read_again(await here.row(), web_ingestion=here.web_ingestion)).report.added == 1
        assert "If-None-Match" not in here.web.requests[-1]


async def test_a_page_read_without_vectors_is_read_whole_again(tmp_path: Path) -> None:
    """The embedder was away: its words are found meanwhile, and the next reading brings the vectors."""
    async with shelf(tmp_path) as here:
        here.page("Le préavis fictif dure onze jours.", ETag='"v1"')
        away = replace(here.web_ingestion, embedder=Away())
        assert (await add_file(here.address, web_ingestion=away, owner=OWNER)).report.without_vectors == 1
        assert "onze" in str(await here.found("préavis fictif"))
        row = await here.row()
        assert (row["digest"], row["etag"]) == (None, None)
        assert (await read_again(row, web_ingestion=away)).report.without_vectors == 1
        assert (await read_again(await here.row(), web_ingestion=here.web_ingestion)).report.without_vectors == 0
        assert (await here.row())["etag"] == '"v1"'


class Away:
    """An embedder that is not there."""

    version, dimensions = "away", 3

    async def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderUnavailable

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderUnavailable


async def test_a_changed_page_replaces_what_it_said(tmp_path: Path) -> None:
    """One document, the new text only, with the day on which that was read."""
    async with shelf(tmp_path) as here:
        here.page("Le préavis fictif dure onze jours.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        here.page("Le préavis fictif dure douze jours.")
        later = replace(here.web_ingestion, today=lambda: date(2026, 12, 1))
        taken = await read_again(await here.row(), web_ingestion=later)
        assert (taken.state, taken.report.replaced) == ("changed", 1)
        assert "onze" not in str(await here.found("préavis fictif"))
        (passage,) = await here.web_ingestion.index.passages((await here.row())["source_id"], tenant="T1")
        assert passage.published == date(2026, 12, 1)


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
async def test_a_page_that_is_gone_is_retired_and_comes_back(tmp_path: Path, status: str) -> None:
    """Its passages leave at once; the address is looked for again."""
    async with shelf(tmp_path) as here:
        here.page("Texte.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        here.web.answers["/fiche"] = response(b"", status=status)
        taken = await read_again(await here.row(), web_ingestion=here.web_ingestion)
        assert (taken.state, taken.report.retired) == ("gone", 1)
        assert await here.held() == []
        row = await here.row()
        assert (row["state"], row["documents"]) == ("failed", 0)
        assert "n'existe plus" in row["reason"]
        assert (await read_again(row, web_ingestion=here.web_ingestion)).state == "gone"
        here.page("De retour.")
        assert (await read_again(await here.row(), web_ingestion=here.web_ingestion)).state == "added"
        assert (await here.row())["state"] == "ready"


@pytest.mark.parametrize(
    "answer",
    [response(b"", status="503 Down"), redirect("http://169.254.169.254/"), response(b"x", media="image/png"),
     response(b"<html></html>")],
    ids=["down", "metadata", "image", "empty"],
)  # fmt: skip
async def test_a_page_that_cannot_be_read_now_keeps_what_it_said(tmp_path: Path, answer: bytes) -> None:
    """Nothing half-indexed, nothing lost: the reason is kept, and the day it was looked at."""
    async with shelf(tmp_path) as here:
        here.page("Le préavis fictif dure onze jours.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        before = await here.held()
        here.web.answers["/fiche"] = answer
        with pytest.raises(UnreadableSource):
            await read_again(await here.row(), web_ingestion=here.web_ingestion)
        row = await here.row()
        assert row["state"] == "ready"
        assert row["reason"].endswith(".")
        assert await here.held() == before


async def test_an_address_that_was_never_readable_is_not_remembered(tmp_path: Path) -> None:
    """A sentence, no row, no document."""
    async with shelf(tmp_path) as here:
        with pytest.raises(UnreadableSource, match="rien à cette adresse"):
            await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        assert await here.web_ingestion.database.read(lambda c: web_sources.remembered(c)) == []
        assert await here.held() == []


async def test_a_source_removed_while_it_is_read_stays_removed(tmp_path: Path) -> None:
    """Somebody clicks in the middle of a reading: its documents do not come back."""
    async with shelf(tmp_path) as here:
        here.page("Texte.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        row = await here.row()
        await here.web_ingestion.database.write(
            lambda c: sources.move(c, row["source_id"], team_id="T1", expected=["ready"], to="removed")
        )
        await here.web_ingestion.index.delete(await here.held(), tenant="T1")
        here.page("Autre texte.")
        with pytest.raises(UnreadableSource, match="retirée"):
            await read_again(row, web_ingestion=here.web_ingestion)
        assert await here.held() == []
        assert (await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)).state == "added"


async def test_a_removed_address_takes_its_documents_with_it(tmp_path: Path) -> None:
    """All entries of its feed, nothing of other sources, and only for whom it was added."""
    async with shelf(tmp_path) as here:
        here.feed(("a", "", "Le décret."), ("b", "", "Un autre."))
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=replace(OWNER, tenant="T2"))
        for other in (replace(OWNER, audience="channel:C1"), replace(OWNER, tenant="T3")):
            with pytest.raises(UnreadableSource, match="pas retenue"):
                await remove(here.address, web_ingestion=here.web_ingestion, owner=other)
        assert await remove(here.address, web_ingestion=here.web_ingestion, owner=OWNER) == "Flux"
        assert (await here.held(), len(await here.held("T2"))) == ([], 2)
        assert (await here.row())["team_id"] == "T2"


async def test_an_address_that_could_not_be_taken_out_is_still_there(tmp_path: Path) -> None:
    """The index was away: removing it can be tried again."""
    async with shelf(tmp_path) as here:
        here.page("Texte.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        closed = EmbeddedIndex(tmp_path / "is a folder.sqlite3")
        (tmp_path / "is a folder.sqlite3").mkdir()
        with pytest.raises(SourceLate):
            await remove(here.address, web_ingestion=replace(here.web_ingestion, index=closed), owner=OWNER)
        assert (await here.row())["state"] == "ready"
        assert await remove(here.address, web_ingestion=here.web_ingestion, owner=OWNER) == "Fiche"
        assert await here.held() == []


async def test_one_channels_page_is_found_there_only(tmp_path: Path) -> None:
    """The same address for a channel and for all is two sources, each with its passages."""
    async with shelf(tmp_path) as here:
        here.page("Le préavis fictif dure onze jours.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=replace(OWNER, audience="channel:C1"))
        assert await here.found("préavis") == []
        assert await here.found("préavis", audience="channel:C1")
        assert await here.found("préavis", audience="channel:C1", tenant="T2") == []
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        assert len(await here.held()) == 2


async def test_two_clocks_wake_one_reading_a_day(tmp_path: Path) -> None:
    """The key is the source and the day; who was read today is not due."""
    async with shelf(tmp_path) as here:
        here.page("Texte.")
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        row = await here.row()
        # Rows bear the real clock's moment; the day of the test's ingestion is put behind and before it.
        past = replace(here.web_ingestion, today=lambda: date(2020, 1, 1))
        future = replace(here.web_ingestion, today=lambda: date(2100, 1, 1))
        engine = Engine(here.web_ingestion.database.url, executor_id="w", jobs={"refresh": refresh_job(future)})
        await engine.launch(consume=False)
        try:
            assert await wake_due(past, engine) == 0
            assert [await wake_due(future, engine), await wake_due(future, engine)] == [1, 1]
            keys = await here.web_ingestion.database.read(
                lambda c: [
                    r[0] for r in c.exec_driver_sql("select workflow_uuid from workflow_status where name = 'refresh'")
                ]
            )
            assert keys == [f"refresh:{subject_of(row, date(2100, 1, 1))}"]
        finally:
            await engine.close()


async def test_a_pdf_at_an_address_is_read_page_by_page(tmp_path: Path) -> None:
    """As a dropped one; a broken one is a sentence."""
    async with shelf(tmp_path) as here:
        here.web.answers["/fiche"] = response(pdf([["Le préavis fictif dure onze jours."]]), media="application/pdf")
        assert (await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)).state == "added"
        (passage,) = await here.web_ingestion.index.passages((await here.row())["source_id"], tenant="T1")
        assert "onze jours" in passage.text
        assert passage.url == here.address
        here.web.answers["/fiche"] = response(b"%PDF-1.7 rien", media="application/pdf")
        with pytest.raises(UnreadableSource, match="fiche"):
            await read_again(await here.row(), web_ingestion=here.web_ingestion)
        assert len(await here.held()) == 1
