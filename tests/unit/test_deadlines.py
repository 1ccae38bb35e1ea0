"""The last day of a delay on record: from which day it runs, in which unit, and where none is told."""

from datetime import date

import pytest

from corpus.facts.loading import load_facts
from pipeline.tools.calculation.deadline import moved, written
from pipeline.tools.calculation.values import Nonsense
from pipeline.tools.calculator import calculate
from tests.calculating import computed

NOTICE = "congé pour vente, logement vide loué par un particulier, quel préavis du bailleur avant la fin du bail ?"


def asked(*messages: str) -> dict[str, object]:
    route, _, _ = computed(*messages)[-1]
    calls = [call.arguments for call in route.tool_calls if call.arguments.get("kind") == "deadline"]
    return dict(calls[0]) if calls else {}


def said(day: str, facts: str) -> str:
    worked = calculate({"kind": "deadline", "day": day, "facts": facts})
    return " ".join((*worked.sentences, *worked.assumptions)).replace("\u202f", " ").replace("\xa0", " ")


@pytest.mark.parametrize(
    ("day", "count", "unit", "last"),
    [
        (date(2026, 10, 5), 10, "jour", date(2026, 10, 15)),
        (date(2026, 10, 5), 6, "semaine", date(2026, 11, 16)),
        (date(2026, 10, 31), 1, "mois", date(2026, 11, 30)),
        (date(2027, 3, 31), -6, "mois", date(2026, 9, 30)),
        (date(2026, 1, 15), -1, "mois", date(2025, 12, 15)),
        (date(2024, 2, 29), 15, "an", date(2039, 2, 28)),
    ],
)
def test_days_weeks_months_and_years_run_to_their_day(day: date, count: int, unit: str, last: date) -> None:
    assert moved(day, count, unit) == last


def test_the_first_of_a_month_is_written_as_one_writes_it() -> None:
    assert written(date(2026, 10, 1)) == "1er octobre 2026"


def test_a_delay_runs_after_its_event_and_another_before_it() -> None:
    told = said("2026-10-05", "retractation")
    assert "10 jours après la première présentation de l'acte (05/10/2026), soit le 15 octobre 2026" in told
    both = said("2027-03-31", "bail.10.1,bail.10.2")
    first = both.split(". ")[0]
    assert "au plus tard le 30 septembre 2026 en location nue" in first
    assert "au plus tard le 31 décembre 2026 en meublé" in first


def test_an_end_on_a_weekend_is_told_and_not_decided() -> None:
    told = said("2026-10-07", "retractation")
    assert "soit le 17 octobre 2026" in told
    assert "est un samedi : un report au jour ouvrable suivant, le 19 octobre 2026, est à vérifier" in told
    assert "report" not in said("2026-10-05", "retractation")
    assert "report" not in said("2027-05-01", "bail.10.1")  # counted back, it is no day on which something ends


@pytest.mark.parametrize(
    ("messages", "day", "facts"),
    [
        (
            ("compromis présenté à l'acquéreur le 5 octobre 2026, délai de rétractation ?",),
            "2026-10-05",
            "retractation",
        ),
        ((NOTICE, "le bail finit le 31 mars 2027, préavis du bailleur jusqu'à quand ?"), "2027-03-31", "bail.10.1"),
        (("PV d'assemblée générale notifié le 03/11/2026, délai de contestation ?",), "2026-11-03", "copropriete"),
    ],
)
def test_the_day_of_the_case_is_the_one_that_is_told(messages: tuple[str, ...], day: str, facts: str) -> None:
    found = asked(*messages)
    assert found["day"] == day
    assert str(found["facts"]).startswith(facts)


@pytest.mark.parametrize(
    "messages",
    [
        ("délai de rétractation de l'acquéreur ?",),
        ("compromis présenté à l'acquéreur en octobre 2026, délai de rétractation ?",),  # a month is no day
        (
            "acte du 5 octobre 2026 présenté le 9 octobre 2026, délai de rétractation de l'acquéreur ?",
        ),  # which of them?
        ("compromis présenté à l'acquéreur le 5 octobre 2026, délai de rétractation ?", "et comment l'envoyer ?"),
    ],
)
def test_no_day_is_worked_out_where_none_is_surely_the_one(messages: tuple[str, ...]) -> None:
    assert not asked(*messages)


def test_what_is_no_delay_has_no_last_day() -> None:
    with pytest.raises(Nonsense):
        said("2026-10-05", "vefa.roof")
    assert all(fact.until or fact.since for fact in load_facts() if fact.id in ("retractation", "bail.10.1"))


@pytest.mark.parametrize("day", ["9999-12-30", "0001-01-02"])
def test_a_year_that_no_calendar_goes_on_from_is_told(day: str) -> None:
    with pytest.raises(Nonsense, match="pas vraisemblable"):
        said(day, "retractation")
