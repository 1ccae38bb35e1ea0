"""A calculation told over several messages: completed, changed, asked again, never mixed with another subject."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.routing.calculating import calculation_of
from pipeline.types import Turn

LOAN = "mensualité d'un prêt de 200 000 € à 3 %"
PURCHASE = "rentabilité d'un achat à 190 000 € ?"


def told(*texts: str, deepen: bool = False) -> Any:
    """The arguments of the calculation after the last text, its missing inputs, or None."""
    history = tuple(Turn(author, text) for each in texts[:-1] for author, text in (("user", each), ("assistant", "…")))  # type: ignore[arg-type]
    reading = calculation_of(texts[-1], history, deepen=deepen)
    return reading and (reading.arguments or reading.missing)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((LOAN, "20 ans"), {"kind": "loan", "principal": 200_000, "annual_rate": 3, "months": 240}),
        ((LOAN, "20 ans", "et sur 25 ans ?"), {"kind": "loan", "principal": 200_000, "annual_rate": 3, "months": 300}),
        ((PURCHASE, "800 €"), {"kind": "yield", "cost": 190_000, "fees_known": False, "rent_per_month": 800}),
        ((PURCHASE, "le loyer est de 800 €", "et avec un loyer de 900 € ?"),
         {"kind": "yield", "cost": 190_000, "fees_known": False, "rent_per_month": 900}),
        (("achat 190 000 €, 5 000 € de surprises, loyer 800 €/mois", "5 000 € de travaux"),
         {"kind": "yield", "cost": 195_000, "rent_per_month": 800}),
        (("Relance logement pour 220 000 €", "intermédiaire"),
         {"kind": "relance", "price": 220_000, "level": "intermediate", "state": "new", "house": False}),
    ],
)  # fmt: skip
def test_a_short_message_completes_or_changes_it(texts: tuple[str, ...], expected: dict[str, Any]) -> None:
    """A value said now takes the place of the earlier one; the lone answer to the lone question is understood."""
    assert told(*texts) == expected


def test_it_is_asked_again_by_deepening() -> None:
    """« approfondis » has no figure of its own."""
    assert told(LOAN, "20 ans", "approfondis", deepen=True)["months"] == 240


@pytest.mark.parametrize(
    "text",
    ["prix des T3 à Villeurbanne ?", "Le plafond de 10 700 € du déficit foncier ?", "merci", "x 3 " * 30],
)
def test_another_subject_ends_it(text: str) -> None:
    """Figures of another question are not inputs."""
    assert told(LOAN, "20 ans", text) is None


def test_another_calculation_starts_afresh() -> None:
    """Nothing of the loan flows into the yield."""
    assert told(LOAN, "20 ans", "rendement d'un achat à 150 000 € loué 700 € par mois") == {
        "kind": "yield", "cost": 150_000, "fees_known": False, "rent_per_month": 700,
    }  # fmt: skip


SAID = st.lists(
    st.one_of(
        st.sampled_from([LOAN, PURCHASE, "20 ans", "800 €", "3 %", "et à 250 000 € ?", "social"]), st.text(max_size=40)
    ),
    min_size=1,
    max_size=5,
)


@given(SAID)
def test_no_thread_escapes(texts: list[str]) -> None:
    """Arguments, missing inputs or nothing."""
    told(*texts)
