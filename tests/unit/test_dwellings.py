"""Sizes and spans of years that a question of prices names."""

from datetime import date

import pytest

from pipeline.understanding.offline.dwellings import Span, rooms_of, span_of
from pipeline.understanding.own_words import flat

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("text", "rooms"),
    [
        ("prix d'un T3 à Lille", 3),
        ("un F2 ou un deux-pièces", 2),
        ("un 4 pièces", 4),
        ("un studio", 1),
        ("un T6", 5),
        ("un T2 ou un T3", None),
        ("un T21", None),
        ("prix au m2", None),
        ("article 3", None),
    ],
)
def test_one_size_is_read_and_several_are_none(text: str, rooms: int | None) -> None:
    """Two sizes are a question about flats at large."""
    assert rooms_of(flat(text)) == rooms


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("comment les prix ont-ils évolué depuis 2021 ?", Span(2021)),
        ("les prix entre 2021 et 2023", Span(2021, 2023)),
        ("prix de 2023 à 2021", Span(2021, 2023)),
        ("évolution des prix", Span(0)),
        ("les maisons, ça grimpe ou pas ?", Span(0)),
        ("la maison monte à deux étages, quel prix ?", None),
        ("évolution des prix sur cinq ans", Span(2021)),
        ("tendance des 3 dernières années", Span(2023)),
        ("évolution en 2024", None),
        ("prix depuis 1999", None),
        ("prix depuis 2027", None),
        ("prix en 2024", None),
        ("détenu depuis 12 ans", None),
    ],
)
def test_a_span_of_years_is_read(text: str, span: Span | None) -> None:
    """From the first year asked for; one single year is no span."""
    assert span_of(flat(text), today=TODAY) == span
