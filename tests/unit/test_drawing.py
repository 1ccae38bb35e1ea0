"""The price chart: a readable picture, and the same in words."""

import struct
from typing import Any

from bot.slack.drawing import alt_text, drawable, price_chart


def chart(years: int, **more: Any) -> dict[str, Any]:
    points = [[2025 - years + n + 1, 3000.0 + 100 * n, 50] for n in range(years)]
    return {
        "title": "Indicateurs DV3F (Cerema) : prix à Nantes",
        "place": "Nantes",
        "series": [{"label": "Appartements", "unit": "€/m²", "points": points}],
        **more,
    }


def test_three_years_make_a_picture_large_enough_to_read() -> None:
    """A PNG of 1280 x 720 pixels."""
    drawn = price_chart(chart(3))
    assert drawn.startswith(b"\x89PNG")
    assert struct.unpack(">II", drawn[16:24]) == (1280, 720)


def test_two_years_make_none() -> None:
    """A line between two points would pass for a trend."""
    assert drawable(chart(2)) == []
    assert drawable({}) == []


def test_the_words_say_what_the_picture_shows() -> None:
    """Place, kind, each year with its median; never longer than Slack takes."""
    told = alt_text(chart(3))
    for words in ("Nantes", "appartements", "3\u202f000 en 2023", "3\u202f200 en 2025"):
        assert words in told
    assert len(alt_text(chart(3, place="x" * 3_000))) <= 1_000
