"""What tests of digests start from: findings of a commune, an order, a digest of them."""

from datetime import UTC, datetime
from typing import Any

from bot.digests.content import Found
from bot.digests.due import Week
from bot.digests.subscriptions import Wanted
from bot.digests.values import Entry
from corpus.places import Gazetteer, Place, load_gazetteer

PLACES: Gazetteer = load_gazetteer()
SLOT = datetime(2026, 11, 23, 7, tzinfo=UTC)
BEFORE = datetime(2026, 11, 16, 7, tzinfo=UTC)


def toulon() -> Place:
    place = PLACES.get("83137")
    assert place is not None
    return place


def prices(*, year: int = 2025, median: float = 2598, sales: int = 1840, **other: Any) -> dict[str, Any]:
    """A price finding as the tool leaves it."""
    figures = [
        ["Année", year, ""],
        [f"Prix médian des appartements en {year}", median, "€/m²"],
        [f"Premier quartile des appartements en {year}", 2105, "€/m²"],
        [f"Troisième quartile des appartements en {year}", 3222, "€/m²"],
        [f"Nombre de ventes, appartements, en {year}", sales, "ventes"],
    ]
    points = [[2023, 2388.0, 1776], [2024, 2491.0, 1691], [year, median, sales]]
    text = (
        f"Selon les indicateurs, le prix médian des appartements vendus à Toulon en {year} est de {median:.0f} €/m², "
        f"sur {sales} ventes. La moitié centrale des ventes se situe entre 2105 €/m² et 3222 €/m²."
    )
    return {
        "tool": "sales",
        "title": "Indicateurs DV3F (Cerema) : prix à Toulon",
        "url": "https://datafoncier.cerema.fr",
        "as_of": f"{year}-12-31",
        "text": text,
        "figures": figures,
        "series": [{"label": "Appartements", "unit": "€/m²", "points": points}],
        "read_on": "2026-11-16",
    } | other


def found(*entries: Entry, since: datetime | None = BEFORE, **other: Any) -> Found:
    """All that a digest of Toulon is made of."""
    given = {"wanted": Wanted(communes=("83137",), schemes=("pinel",)), **other}
    return Found("C1", Week(2026, 48), SLOT, since, entries=entries, **given)
