"""French due dates, relative to the moment of asking, in Paris."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.understanding.dates import find_due, find_hour, impossible_day

SATURDAY = datetime(2026, 11, 21, 15, 0, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("demain matin", date(2026, 11, 22)),
        ("pas lundi, mercredi", date(2026, 11, 25)),
        ("jeudi et non pas mardi", date(2026, 11, 26)),
        ("pas avant mardi", date(2026, 11, 24)),
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
        ("lundi en quinze", date(2026, 12, 7)),
        ("courant janvier", date(2027, 1, 15)),
        ("après les fêtes", date(2027, 1, 4)),
        ("next friday", date(2026, 11, 27)),
        ("tomorrow", date(2026, 11, 22)),
        ("on january 15th", date(2027, 1, 15)),
        ("15 december 2026", date(2026, 12, 15)),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mardi 10h", "10:00"),
        ("demain à 16h30", "16:30"),
        ("c'est pour 14 h", "14:00"),
        ("à 9 heures", "09:00"),
        ("10:45", "10:45"),
        ("vendredi midi", "12:00"),
        ("vendredi après-midi", ""),
        ("de 10h à 11h", "10:00"),
        ("at 3 pm", "15:00"),
        ("dans 2h", ""),
        ("sous 48h", ""),
        ("une réunion de 1h", ""),
        ("2h de route", ""),
        ("à 27h", ""),
        ("un T3 à 250000", ""),
        ("prêt 20 ans hors assurance", ""),
    ],
)
def test_hour_of(text: str, expected: str) -> None:
    """An hour of the day, never a length of time."""
    assert find_hour(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("signature au 31 février", "31 février"),
        ("le 31/02/2027", "31/02/2027"),
        ("pour le 31/02", "31/02"),
        ("le 29/02", ""),
        ("le 31 janvier", ""),
        ("un taux de 3/4 %", ""),
        ("demain", ""),
    ],
)
def test_a_day_that_no_calendar_has(text: str, expected: str) -> None:
    """In the user's own words, so that the answer can name it."""
    assert impossible_day(text) == expected


@given(st.text(alphabet="0123456789hH:.,/ apmdi'leàdans", max_size=30))
def test_an_hour_is_an_hour_whatever_is_typed(text: str) -> None:
    """`HH:MM` or nothing; an impossible day stands in the text."""
    found = find_hour(text)
    assert not found or (int(found[:2]) < 24 and int(found[3:]) < 60 and len(found) == 5)
    assert impossible_day(text) in text
