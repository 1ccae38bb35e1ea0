"""Official news: Settings -> which feeds are read, how often, and with what."""

from datetime import UTC, datetime, timedelta
from typing import Final

from bot.errors import WrongSetting
from bot.news.feeds import Feed, WrongFeeds, feeds_of
from bot.news.polling import NewsIngestion
from bot.settings import Settings
from bot.store.database import Database
from corpus.ports import Embedder, PassageArchive
from pipeline.tools.web import DOMAINS, is_official

NO_NEWS: Final = "Actualités : non relevées (NEWS_EVERY=0)"


def news_ingestion_of(
    settings: Settings, database: Database, *, index: PassageArchive, embedder: Embedder
) -> NewsIngestion:
    """What official news are read with. Raises `WrongSetting` for a list of feeds that cannot be read."""
    domains, reach = settings.official_domains or DOMAINS, settings.reach
    return NewsIngestion(
        database=database,
        index=index,
        embedder=embedder,
        reach=reach,
        feeds=_feeds(settings),
        every=timedelta(minutes=settings.news_every) if settings.news_every else None,
        days=settings.news_days,
        admits=lambda url: is_official(url, domains, reach.internal),
        clock=lambda: datetime.now(UTC),
    )


def news_told(settings: Settings) -> str:
    """One sentence for the start."""
    if not settings.news_every:
        return NO_NEWS
    number = len(_feeds(settings))
    many = "s" if number > 1 else ""
    return f"Actualités : {number} fil{many} officiel{many}, toutes les {settings.news_every} min"


def _feeds(settings: Settings) -> tuple[Feed, ...]:
    try:
        return feeds_of(settings.news_feeds)
    except WrongFeeds as error:
        raise WrongSetting(f"NEWS_FEEDS : attendu {error}") from error
