"""Facts in French: numbers, tenses, dates, what is unsure, several values in one sentence."""

from dataclasses import replace
from datetime import date

import pytest

from corpus.facts.book import fact_book
from corpus.facts.values import Fact, Source
from pipeline.text.fact_wording import case_of, opening, sentence, summary, value_of

TODAY = date(2026, 11, 22)
FACT = Fact(
    id="made", scheme="pinel", attribute="taux", label="le taux", value=3.5, unit="%",
    source=Source("Code", "https://www.legifrance.gouv.fr"), consulted_on=TODAY,
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "written"),
    [
        (1_300_000.0, "€", "1\u202f300\u202f000\u00a0€"),
        (11.8, "€/m²/mois", "11,80\u00a0€/m² par mois"),
        (6.3185, "%", "6,3185\u00a0%"),
        (1.0, "an", "1\u00a0an"),
        (9.0, "an", "9\u00a0ans"),
        ((5.0, 60.0), "%", "5 à 60\u00a0%"),
        (date(2027, 12, 31), "", "31/12/2027"),
        ("A à E", "", "A à E"),
        (145.78, "nombre", "145,78"),
    ],
)
def test_values_are_written_as_in_french_texts(value: float, unit: str, written: str) -> None:
    assert value_of(replace(FACT, value=value, unit=unit)) == written


def test_the_tense_follows_the_day() -> None:
    fact = replace(FACT, effective_from=date(2026, 1, 1), effective_to=date(2027, 6, 30))
    assert sentence(fact, TODAY) == "Le taux est de 3,5\u00a0% jusqu'au 30/06/2027."
    assert sentence(fact, date(2025, 1, 1)) == "Le taux sera de 3,5\u00a0% à partir du 01/01/2026."
    assert sentence(fact, date(2028, 1, 1)) == "Du 01/01/2026 au 30/06/2027, le taux était de 3,5\u00a0%."


def test_a_value_that_replaced_another_says_since_when() -> None:
    fact = replace(FACT, effective_from=date(2026, 1, 1))
    assert sentence(fact, TODAY) == "Le taux est de 3,5\u00a0%."
    assert sentence(replace(fact, revised=True), TODAY) == "Le taux est de 3,5\u00a0% depuis le 01/01/2026."


def test_what_is_unsure_is_said_once() -> None:
    assert sentence(replace(FACT, status="to_verify"), TODAY).endswith("(à vérifier).")
    told = replace(FACT, status="to_verify", sentence="Le taux serait à vérifier en mairie.")
    assert sentence(told, TODAY) == "Le taux serait à vérifier en mairie."


def test_a_disputed_value_names_who_says_it_and_when() -> None:
    fact = replace(FACT, status="disputed", said_by="la fiche F10864", seen=date(2026, 4, 15))
    assert sentence(fact, TODAY) == "Le taux est de 3,5\u00a0%, selon la fiche F10864 (page du 15/04/2026)."


def test_bounds_zones_and_plurals() -> None:
    fact = replace(FACT, label="les seuils", bound="max", zone="B2 et C")
    assert sentence(fact, TODAY) == "Les seuils sont de 3,5\u00a0% au plus en zones B2 et C."
    assert case_of(fact) == "en zones B2 et C"


def test_several_values_make_one_sentence() -> None:
    new, old = replace(FACT, condition="dans le neuf"), replace(FACT, value=3.0, condition="dans l'ancien")
    assert summary([new, old], TODAY) == "Le taux est de 3,5\u00a0% dans le neuf et de 3\u00a0% dans l'ancien."
    unsure = replace(old, status="to_verify")
    assert summary([new, unsure], TODAY).endswith("de 3\u00a0% dans l'ancien (à vérifier).")


def test_a_long_scale_is_told_by_its_ends() -> None:
    told = summary(fact_book().groups["demembrement", "barème", "la valeur de l'usufruit viager"], TODAY)
    assert told == "La valeur de l'usufruit viager va de 90\u00a0% avant 21 ans à 10\u00a0% à partir de 91 ans."


@pytest.mark.parametrize(
    ("name", "on", "said"),
    [
        ("denormandie.fin", TODAY, "Oui : le Denormandie est ouvert aux acquisitions jusqu'au 31/12/2027"),
        ("denormandie.fin", date(2028, 1, 1), "Non : la date limite d'acquisition en Denormandie était le 31/12/2027"),
        ("pinel.fin", TODAY, "Non : le Pinel est fermé"),
        ("pinel.fin", date(2024, 7, 1), "Oui : le Pinel est ouvert"),
    ],
)
def test_whether_a_scheme_is_still_open_depends_on_the_day(name: str, on: date, said: str) -> None:
    assert opening([fact_book().by_id[name]], on, form="still_open")[0].startswith(said)


def test_a_span_that_is_over_stands_in_the_middle_of_a_list_too() -> None:
    """One of several values, each with its own years: « … pour 6 ans du 01/01/2023 au … »."""
    rates = [fact for fact in fact_book().facts if fact.scheme == "pinel" and fact.unit == "%"]
    said = " ".join(opening(rates, date(2026, 11, 22), form="answer"))
    assert " du 01/01/2023 au 31/12/2023" in said
    assert "ansDu" not in said
