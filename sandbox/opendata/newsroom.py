"""Two pretend publishers of official news, whose feeds share an item; more is published through the JSON API."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from typing import Any

from starlette.requests import Request

PUBLISHERS = {"gazette": "Gazette fictive du logement", "annonces": "Annonces fictives officielles"}


@dataclass(frozen=True, slots=True)
class Item:
    """`slug` ends its address; `day` is its date, None for an item without one; `feeds`: who shows it."""

    slug: str
    title: str
    text: str
    day: datetime | None
    feeds: tuple[str, ...] = tuple(PUBLISHERS)


def first_items(now: datetime) -> list[Item]:
    """What stands there from the start, dated in the last days."""
    days = [now - timedelta(days=ago, hours=3) for ago in (1, 2, 4, 6)]
    return [
        Item("loyer-des-ruches", "Loyers : un indice fictif pour les ruches",
             "L'indice fictif des loyers de ruches du bac à sable s'établit à 123,45 au trimestre fictif, en hausse de "
             "4,2 % sur un an. Il s'applique aux baux fictifs signés sur un toit.", days[0]),
        Item("aide-aux-girouettes", "Rénovation énergétique : une aide fictive pour les girouettes",
             "L'aide fictive du bac à sable couvre 35 % des travaux d'isolation d'une girouette, dans la "
             "limite de 700 €. Les dossiers fictifs sont reçus jusqu'au solstice.", days[1], ("gazette",)),
        Item("declaration-des-tourelles", "Fiscalité : déclarer les revenus fonciers d'une tourelle fictive",
             "Les revenus fonciers fictifs d'une tourelle du bac à sable se déclarent sur le formulaire fictif 9876.",
             days[2], ("annonces",)),
        Item("concours-de-chant", "Le concours de chant des oiseaux fictifs est ouvert",
             "Les oiseaux fictifs du bac à sable chantent tout l'été sur la place du village.", days[3], ("gazette",)),
    ]  # fmt: skip


def item_of(values: dict[str, Any], *, number: int, now: datetime) -> Item:
    """From the JSON API: `title`, `text`; `day` as YYYY-MM-DD, "" for none; `feeds`. Raises ValueError."""
    title, text = str(values.get("title") or "").strip(), str(values.get("text") or "").strip()
    if not title or not text:
        raise ValueError("« title » et « text » sont des textes.")
    named = values.get("feeds")
    feeds = tuple(PUBLISHERS) if named is None else tuple(named)
    if not set(feeds) <= set(PUBLISHERS):
        raise ValueError(f"« feeds » est une liste parmi : {', '.join(PUBLISHERS)}.")
    day = values.get("day")
    moment = now if day is None else datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    return Item(f"publication-{number}", title, text, moment, feeds)


def rss(items: list[Item], publisher: str, request: Request) -> str:
    """The feed of one of them; the second one writes addresses with what its statistics need."""
    base = f"{request.url.scheme}://{request.url.netloc}/sites"
    more = "?utm_source=annonces" if publisher == "annonces" else ""
    shown = [item for item in items if publisher in item.feeds]
    entries = "".join(
        f"<item><guid>{publisher}-{item.slug}</guid><title>{escape(item.title)}</title>"
        f"<link>{base}/pages/{item.slug}{more}</link>"
        f"{f'<pubDate>{format_datetime(item.day)}</pubDate>' if item.day else ''}"
        f"<description>{escape(f'<p>{escape(item.text)}</p>')}</description></item>"
        for item in shown
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>'
        f"<title>{escape(PUBLISHERS[publisher])}</title><link>{base}/</link>{entries}</channel></rss>"
    )


def speaks_of(item: Item, query: str) -> bool:
    """Whether a search for these words would bring it: two longer words of its title, whatever their endings."""
    asked = {word[:6] for word in _words(query)}
    return len({word[:6] for word in _words(item.title)} & asked) >= 2


def _words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
    return [word for word in re.findall(r"[a-z]+", plain) if len(word) > 4]
