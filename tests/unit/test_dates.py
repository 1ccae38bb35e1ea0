"""French due dates, relative to the moment of asking, in Paris."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.understanding.dates import find_due

SATURDAY = datetime(2026, 11, 21, 15, 0, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("demain matin", date(2026, 11, 22)),
        ("après-demain", date(2026, 11, 23)),
        ("aujourd'hui", date(2026, 11, 21)),
        ("vendredi", date(2026, 11, 27)),
        ("samedi", date(2026, 11, 28)),
        ("lundi prochain", date(2026, 11, 23)),
        ("mardi en huit", date(2026, 12, 1)),
        ("mercredi de la semaine prochaine", date(2026, 11, 25)),
        ("la semaine prochaine", date(2026, 11, 23)),
        ("le mois prochain", date(2026, 12, 1)),
        ("fin de semaine", date(2026, 11, 27)),
        ("d'ici fin du mois", date(2026, 11, 30)),
        ("fin d'année", date(2026, 12, 31)),
        ("avant la fin de l'année", date(2026, 12, 31)),
        ("fin année", date(2026, 12, 31)),
        ("dans 3 jours", date(2026, 11, 24)),
        ("sous quinze jours", date(2026, 12, 6)),
        ("dans deux semaines", date(2026, 12, 5)),
        ("dans 3 mois", date(2027, 2, 21)),
        ("dans un an", date(2027, 11, 21)),
        ("le 15 décembre", date(2026, 12, 15)),
        ("le 3 mars", date(2027, 3, 3)),
        ("vendredi 4 décembre 2026", date(2026, 12, 4)),
        ("le 1er janvier 2027", date(2027, 1, 1)),
        ("avant le 05/01", date(2027, 1, 5)),
        ("pour le 05/12/2026", date(2026, 12, 5)),
        ("2026-12-24", date(2026, 12, 24)),
        ("le 31/02/2027", None),
        ("rappeler le client", None),
        ("un taux de 3/4 %", None),
    ],
)
def test_due_of(text: str, expected: date | None) -> None:
    """One French phrase, one day (or none)."""
    found = find_due(text, asked_at=SATURDAY)
    assert (found.day if found else None) == expected


def test_tomorrow_is_counted_in_paris() -> None:
    """At 23:30 UTC it is already the next day in Paris."""
    found = find_due("demain", asked_at=datetime(2026, 11, 21, 23, 30, tzinfo=UTC))
    assert found is not None
    assert found.day == date(2026, 11, 23)


@given(st.text(max_size=80), st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9998, 12, 1)))
def test_no_text_makes_find_due_raise(text: str, moment: datetime) -> None:
    """Any words at any moment give a day or none."""
    found = find_due(text, asked_at=moment.replace(tzinfo=UTC))
    assert found is None or 0 <= found.start < found.end <= len(text)


@given(st.integers(0, 999), st.sampled_from(["jours", "semaines", "mois", "ans"]))
def test_any_count_of_any_unit_is_a_later_day(count: int, unit: str) -> None:
    """ "dans 99 ans" is later; month ends are clipped, never an error."""
    found = find_due(f"dans {count} {unit}", asked_at=datetime(2026, 1, 31, 12, tzinfo=UTC))
    assert found is not None
    assert found.day >= date(2026, 1, 31)
