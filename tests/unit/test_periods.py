"""Spans of days in French, counted from a Sunday."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.planning.periods import find_period

SUNDAY = date(2026, 11, 22)


def days(first: str | None, last: str | None) -> tuple[date | None, date | None]:
    return first and date.fromisoformat(first), last and date.fromisoformat(last)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "first", "last", "said"),
    [
        ("les deals qui signent en decembre", "2026-12-01", "2026-12-31", "decembre"),
        ("signatures prévues en janvier 2027", "2027-01-01", "2027-01-31", "janvier 2027"),
        ("in january", "2027-01-01", "2027-01-31", "january"),
        ("ce mois-ci", "2026-11-01", "2026-11-30", "ce mois-ci"),
        ("le mois prochain", "2026-12-01", "2026-12-31", "le mois prochain"),
        ("ce trimestre", "2026-10-01", "2026-12-31", "ce trimestre"),
        ("T1 2027", "2027-01-01", "2027-03-31", "T1 2027"),
        ("au 1er trimestre", "2027-01-01", "2027-03-31", "1er trimestre"),
        ("cette année", "2026-01-01", "2026-12-31", "cette année"),
        ("en 2027", "2027-01-01", "2027-12-31", "en 2027"),
        ("taches de la semaine prochaine", "2026-11-23", "2026-11-29", "de la semaine prochaine"),
        ("mes taches de la semaine", "2026-11-22", "2026-11-29", "de la semaine"),
        ("semaine 48", "2026-11-23", "2026-11-29", "semaine 48"),
        ("avant le 15 decembre", "2026-11-22", "2026-12-15", "avant le 15 decembre"),
        ("avant décembre", "2026-11-22", "2026-11-30", "avant décembre"),
        ("d'ici fin janvier", "2026-11-22", "2027-01-31", "d'ici fin janvier"),
        ("à signer avant Noël", "2026-11-22", "2026-12-25", "avant Noël"),
        ("avant la mi-février", "2026-11-22", "2027-02-15", "avant la mi-février"),
        ("après mi-janvier", "2027-01-16", None, "après mi-janvier"),
        ("mi-janvier", "2027-01-10", "2027-01-20", "mi-janvier"),
        ("fin janvier", "2027-01-22", "2027-01-31", "fin janvier"),
        ("à partir de janvier", "2027-01-01", None, "à partir de janvier"),
        ("après décembre", "2027-01-01", None, "après décembre"),
        ("entre le 3 et le 10 décembre", "2026-12-03", "2026-12-10", "entre le 3 et le 10 décembre"),
        ("du 3/12 au 10/12", "2026-12-03", "2026-12-10", "du 3/12 au 10/12"),
        ("dans les 30 prochains jours", "2026-11-22", "2026-12-22", "dans les 30 prochains jours"),
        ("pour demain", "2026-11-23", "2026-11-23", "demain"),
        ("le 15 décembre", "2026-12-15", "2026-12-15", "15 décembre"),
    ],
)
def test_a_span_is_found(text: str, first: str | None, last: str | None, said: str) -> None:
    """Both ends inclusive, one open after « à partir de », and the words that say it."""
    found = find_period(text, today=SUNDAY)
    assert found is not None
    assert (found.first, found.last) == days(first, last)
    assert text[found.start : found.end] == said


def test_a_month_that_is_over_is_the_last_one_when_the_past_is_meant() -> None:
    """« signés en décembre » is last December; « en octobre » is this year's."""
    december, october = (find_period(f"signés en {m}", today=SUNDAY, past=True) for m in ("décembre", "octobre"))
    assert december is not None
    assert december.first == date(2025, 12, 1)
    assert october is not None
    assert october.first == date(2026, 10, 1)


@pytest.mark.parametrize("text", ["combien de deals", "prix t1 lyon", "dossiers de plus de 300000", ""])
def test_no_span_is_found_where_none_is_said(text: str) -> None:
    """Neither a flat's size nor an amount is one."""
    assert find_period(text, today=SUNDAY) is None


@given(st.text(alphabet="0123456789 /détlasuemrinovcbpf'", max_size=40))
def test_a_span_ends_after_it_begins(text: str) -> None:
    """Whatever is typed, and it stands in the text."""
    found = find_period(text, today=SUNDAY)
    if found and found.first and found.last:
        assert found.first <= found.last
    assert found is None or 0 <= found.start <= found.end <= len(text)
