"""Feeds in the corpus: what leaves one stays for half a year, what has no date keeps the day of its first reading."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bot.documents.web_sources import add_file, read_again
from corpus.errors import UnreadableSource
from tests.web_shelf import OWNER, shelf


async def test_a_feed_keeps_what_leaves_it_for_half_a_year(tmp_path: Path) -> None:
    """An entry that is no longer shown stays until 180 days after its date, or after its reading."""
    async with shelf(tmp_path) as here:
        here.feed(
            ("neuf", "Fri, 20 Nov 2026 08:00:00 GMT", "Le décret neuf."),
            ("ancien", "Mon, 04 May 2026 08:00:00 GMT", "Le décret ancien."),
            ("sans-date", "", "Le décret sans date."),
        )
        assert (await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)).report.added == 3
        assert len(await here.held()) == 3
        here.feed(("neuf", "Fri, 20 Nov 2026 08:00:00 GMT", "Le décret neuf, corrigé."))
        taken = await read_again(await here.row(), web_ingestion=here.web_ingestion)
        assert (taken.report.replaced, taken.report.retired) == (1, 1)
        assert "ancien" not in str(await here.found("décret"))
        assert "sans date" in str(await here.found("décret"))
        assert (await here.row())["documents"] == 2
        here.feed(("autre", "Fri, 20 Nov 2026 08:00:00 GMT", "Un autre."))
        later = replace(here.web_ingestion, today=lambda: date(2027, 11, 21))
        assert (await read_again(await here.row(), web_ingestion=later)).report.retired == 2


async def test_a_feed_that_became_a_page_keeps_its_entries(tmp_path: Path) -> None:
    """Maintenance pages are sent with code 200."""
    async with shelf(tmp_path) as here:
        here.feed(("neuf", "", "Le décret neuf."))
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        here.page("Site en maintenance.")
        with pytest.raises(UnreadableSource, match="flux"):
            await read_again(await here.row(), web_ingestion=here.web_ingestion)
        assert len(await here.held()) == 1


async def test_an_undated_entry_keeps_the_day_it_was_first_read(tmp_path: Path) -> None:
    """Else it would be new, and embedded again, every day."""
    async with shelf(tmp_path) as here:
        here.feed(("a", "", "Le décret."))
        await add_file(here.address, web_ingestion=here.web_ingestion, owner=OWNER)
        here.feed(("a", "", "Le décret."), ("b", "", "Un autre."))
        later = replace(here.web_ingestion, today=lambda: date(2026, 12, 1))
        report = (await read_again(await here.row(), web_ingestion=later)).report
        assert (report.added, report.replaced, report.unchanged) == (1, 0, 1)
