"""Requests in French read as inputs of a calculation: what is said, what is missing, nothing guessed."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.routing.calculations import read_request
from pipeline.text.figures import figures
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import ToolCall


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("achat 190 000 € tout compris, loyer 800 €/mois, charges 2 400 €/an, TMI 30 %",
         {"kind": "yield", "cost": 190_000, "rent_per_month": 800, "charges_per_year": 2_400, "marginal_rate": 30}),
        ("Rendement d'un T2 acheté 180 000 € plus 10 000 € de frais de notaire, loué 800 euros par mois ?",
         {"kind": "yield", "cost": 190_000, "rent_per_month": 800}),
        ("rendement : 190 k€ d'achat, 9 600 € de loyers par an, 200 €/mois de charges",
         {"kind": "yield", "cost": 190_000, "rent_per_month": 800, "charges_per_year": 2_400, "fees_known": False}),
        ("Rentabilité :\n- 190 000 € tout compris\n- 800 € de loyer\n- taxe foncière 1 400 €/an\n- assurance 10 €/mois",
         {"kind": "yield", "cost": 190_000, "rent_per_month": 800, "charges_per_year": 1_520}),
        ("Mensualité d'un prêt de 200 000 € à 3,3 % sur 20 ans, assurance 0,34 %",
         {"kind": "loan", "principal": 200_000, "annual_rate": 3.3, "months": 240, "insurance_rate": 0.34}),
        ("Combien coûte un emprunt de 200k€ sur 240 mois au taux de 3,3 % ?",
         {"kind": "loan", "principal": 200_000, "annual_rate": 3.3, "months": 240, "cost_first": True}),
        ("combien puis-je emprunter avec 5 000 € de revenus mensuels et 300 € de crédits par mois sur 20 ans à 3,5 % ?",
         {"kind": "capacity", "monthly_income": 5_000, "monthly_debts": 300, "annual_rate": 3.5, "months": 240}),
        ("quelle mensualité pour 0 % d'intérêt, 120 000 € sur 10 ans ?",
         {"kind": "loan", "principal": 120_000, "annual_rate": 0, "months": 120}),
        ("mensualité pour 200 000 € empruntés au taux de -1 % sur 20 ans",
         {"kind": "loan", "principal": 200_000, "annual_rate": -1, "months": 240}),
        ("prêt de 200 000 € à 3 % sur 0 an : mensualité ?",
         {"kind": "loan", "principal": 200_000, "annual_rate": 3, "months": 0}),
        ("taux d'effort avec 1 400 € de crédits et 48 000 € de revenus annuels",
         {"kind": "debt", "monthly_debts": 1_400, "monthly_income": 4_000}),
        ("Taux d'endettement : mensualités 1 400 €, revenus 4 000 €/mois, sur 26 ans en VEFA",
         {"kind": "debt", "monthly_debts": 1_400, "monthly_income": 4_000, "years": 26, "deferred": True}),
        ("Plus-value si je vends 300 000 € un appartement acheté 200 000 € il y a 12 ans, avec 20 000 € de travaux ?",
         {"kind": "capital_gain", "sale_price": 300_000, "purchase_price": 200_000, "years": 12, "works": 20_000}),
        ("Revente LMNP : achat 200 000 €, amortissements 50 000 €, vente 250 000 €, après 8 ans",
         {"kind": "lmnp", "sale_price": 250_000, "purchase_price": 200_000, "years": 8, "depreciation": 50_000}),
        ("Relance logement sur un T2 neuf de 220 000 € en loyer intermédiaire",
         {"kind": "relance", "price": 220_000, "level": "intermediate", "state": "new", "house": False}),
    ],
)  # fmt: skip
def test_a_described_operation_is_read(text: str, expected: dict[str, Any]) -> None:
    """Amounts, periods, sums of fees and charges, k€, negative rates kept negative."""
    reading = read_request(text)
    assert reading is not None
    assert reading.arguments == expected, reading.missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("rentabilité avec un loyer de 800 €", "coût total"),
        ("rendement d'un achat à 190 000 €", "loyer mensuel"),
        ("achat 190 000 €, loyer 800 €/mois, charges 2 400 €", "période des charges"),
        ("achat 190 000 €, loyer 800 €/mois, TMI 30 %", "charges annuelles"),
        ("achat 190 000 €, achat 200 000 €, loyer 800 €", "deux valeurs"),
        ("achat 190 000 €, 5 000 € de surprises, loyer 800 €/mois", "à quoi correspond 5\u202f000"),
        ("mensualité d'un prêt de 200 000 € sur 20 ans", "taux du prêt"),
        ("mensualité d'un prêt de 200 000 € à 3 %", "durée du prêt"),
        ("mensualité d'un prêt de 200 000 € à 3 % sur 20 ans ou 25 ans", "deux valeurs"),
        ("taux d'endettement avec 1 400 € de mensualités et 4 000 € de revenus", "revenu, par mois ou par an"),
        ("plus-value pour une vente à 300 000 € d'un bien acheté 200 000 €", "durée de détention"),
        ("LMNP : plus-value, achat 200 000 €, vente 250 000 €, 8 ans", "amortissements"),
        ("Relance logement pour 220 000 €", "niveau de loyer"),
        ("Jeanbrun à 220 000 € dans l'ancien, loyer social", "travaux"),
    ],
)
def test_a_missing_or_unclear_input_is_named_and_nothing_is_computed(text: str, missing: str) -> None:
    """The question to ask back names it."""
    reading = read_request(text)
    assert reading is not None
    assert reading.arguments is None
    assert missing in reading.question


@pytest.mark.parametrize(
    "text",
    ["", "Bonjour", "Quel est le rendement à Toulon ?", "Qu'est-ce que le taux d'effort de 35 % du HCSF ?", "190 000 €",
     "Comment marche le LMNP ?", "prix à Lyon 7e", "x" * 50_000],
)  # fmt: skip
def test_a_question_without_an_operation_is_no_request(text: str) -> None:
    """Rules are for the corpus, prices for the other tools."""
    assert read_request(text) is None


AMOUNTS = st.one_of(
    st.integers(-10, 10**9).map(str), st.sampled_from(["190 000", "3,3", "0", "1e9", "½", "٣", "2.400", "²"])
)
PIECES = st.one_of(
    st.sampled_from(
        ["achat", "loyer", "prêt de", "à", "sur", "ans", "€", "%", "€/mois", "k€", "TMI", "charges", "plus-value",
         "LMNP", "amortissements", "vente", "Relance logement", "social", "neuf", "mensualités", "revenus", "HCSF", ",",
         "\n", "-", "rendement", "mois", "moins", "millions d'euros", "travaux"]
    ),
    AMOUNTS,
    st.text(max_size=6),
)  # fmt: skip


@given(pieces=st.lists(PIECES, max_size=25))
def test_no_text_escapes_and_no_figure_is_invented(pieces: list[str]) -> None:
    """Whatever is written: every input is a figure of the text, a sum or a change of period of figures of the text;
    the calculator then answers with figures or a reason."""
    text = " ".join(pieces)
    reading = read_request(text)
    if reading is None or reading.arguments is None:
        return
    said = [abs(float(v.value)) for v in figures(text, generous=True) if not isinstance(v.value, str)][:7]
    sums = {0.0}
    for value in said:
        sums |= {total + value * factor for total in sums for factor in (1, 12, 1 / 12)}
    numbers = [v for v in reading.arguments.values() if isinstance(v, int | float) and not isinstance(v, bool)]
    for number in numbers:
        assert any(abs(abs(number) - total) <= 0.02 + 1e-9 * total for total in sums) or len(said) == 7, number
    result = asyncio.run(CalculatorTool().run(ToolCall("calculator", reading.arguments)))
    assert bool(result.error) != bool(result.figures)


@given(text=st.text(max_size=300))
def test_no_other_text_escapes(text: str) -> None:
    """A reading or none."""
    reading = read_request(text)
    assert reading is None or (reading.arguments is None) == bool(reading.missing)


def test_a_property_tax_is_a_year_s_and_other_charges_are_asked_for() -> None:
    """Nobody pays it by the month; building charges may be either."""
    told = "Rendement net : 220 000 € frais inclus, loué 900 €/mois, "
    reading = read_request(f"{told}taxe foncière 1 100 €")
    assert reading is not None
    assert reading.arguments is not None
    assert reading.arguments["charges_per_year"] == 1_100
    unclear = read_request(f"{told}charges 100 €")
    assert unclear is not None
    assert unclear.missing == ("la période des charges, par mois ou par an",)


def test_an_amount_by_the_month_is_no_price() -> None:
    """« 190 000 € tout compris, 800 €/mois »: the second amount is the rent."""
    reading = read_request("rendement net-net : 190 000 € tout compris, 800 €/mois, charges 2 400 €/an, TMI 30 %")
    assert reading is not None
    assert reading.arguments is not None
    assert reading.arguments["rent_per_month"] == 800
    assert reading.arguments["cost"] == 190_000
