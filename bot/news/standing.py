"""How each official feed goes, as lines for people."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from bot.news.feeds import Feed
from bot.news.polling import PARIS, NewsIngestion
from bot.store import news
from bot.store.tables import Row

OFF: Final = "Les actualités officielles ne sont pas relevées sur cette installation (NEWS_EVERY=0)."


async def standing(news_ingestion: NewsIngestion) -> tuple[str, ...]:
    """One line a feed, those that fail first; one that says so where news are switched off."""
    if news_ingestion.every is None:
        return (OFF,)
    feeds = news_ingestion.feeds
    rows, counts = await news_ingestion.database.read(
        lambda c: (news.feeds(c, [feed.id for feed in feeds]), news.counts(c))
    )
    lines = [(not (rows.get(feed.id) or {}).get("failures"), _line(feed, rows.get(feed.id), counts)) for feed in feeds]
    return tuple(line for _well, line in sorted(lines, key=lambda each: each[0]))


def _line(feed: Feed, row: Row | None, counts: Mapping[str, int]) -> str:
    if row is None or row["checked_at"] is None:
        return f"{feed.name} : pas encore lu."
    number = counts.get(feed.id, 0)
    kept = f"{number} publication{'s' if number > 1 else ''}"
    if not row["failures"]:
        return f"{feed.name} : {kept}, lu le {_clock(row['checked_at'])}."
    tries = f"{row['failures']} essai{'s' if row['failures'] > 1 else ''} sans succès"
    return (
        f"{feed.name} : en échec ({tries}), nouvel essai le {_clock(row['next_at'])}. {row['reason']} "
        f"Ce qui était lu reste ({kept})."
    )


def _clock(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone(PARIS):%d/%m à %H h %M}"
