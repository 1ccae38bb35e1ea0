"""The calculator's contract: one table of arguments, results with formulas, assumptions said, one question back."""

import asyncio
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.extractive.candidates import quotable
from pipeline.text.figures import Value, figures, supports
from pipeline.tools.calculation import constants
from pipeline.tools.calculation.constants import Rule
from pipeline.tools.calculation.fields import FIELDS, YES_NO, field_of, question
from pipeline.tools.calculation.values import Nonsense, Worked
from pipeline.tools.calculator import NAMES, CalculatorTool, ask_back, calculate, told
from pipeline.types import ToolCall, ToolResult
from tests.calculations import EXAMPLES, LOAN, PURCHASE, RELANCE, SALE


async def run(arguments: dict[str, Any]) -> ToolResult:
    return await CalculatorTool(today=lambda: date(2026, 11, 21)).run(ToolCall("calculator", arguments))


def values_of(worked: Worked) -> list[Value]:
    """Every figure that a sentence may name: inputs, results, and the constants of the rules."""
    rules = [rule for rule in vars(constants).values() if isinstance(rule, Rule)]
    shown = [(f.value, f.unit) for f in (*worked.inputs, *(entry.figure for entry in worked.results))]
    shown += [(rule.value, rule.unit) for rule in rules]
    return [v for value, unit in shown for v in figures(f"{value:.5f} {unit}".replace(".", ","))]


def unsupported(worked: Worked) -> list[str]:
    """The sentences that name a figure which stands nowhere."""
    known = values_of(worked)
    said = (*worked.sentences, *worked.assumptions, worked.asks)
    kinds = ("percent", "amount", "measure")
    return [
        sentence
        for sentence in said
        for claim in figures(sentence)
        if claim.kind in kinds and not any(supports(value, claim) for value in known)
    ]


@pytest.mark.parametrize("arguments", EXAMPLES, ids=lambda arguments: arguments["kind"])
def test_every_figure_said_is_an_input_a_result_or_a_rule(arguments: dict[str, Any]) -> None:
    """Nothing is named that the figure check could not find; dates of rules stand in the assumptions as they are."""
    assert unsupported(calculate(arguments)) == []


@pytest.mark.parametrize("arguments", EXAMPLES, ids=lambda arguments: arguments["kind"])
def test_every_result_shows_its_numbers(arguments: dict[str, Any]) -> None:
    """A formula names figures, or the rule it rests on; a label is not given twice with different values."""
    worked = calculate(arguments)
    assert worked.results
    assert worked.sentences
    seen: dict[str, float] = {}
    for entry in worked.results:
        assert entry.formula
        assert seen.setdefault(entry.figure.label, entry.figure.value) == entry.figure.value, entry.figure.label
    assert any(any(sign.isdigit() for sign in entry.formula) for entry in worked.results)
    assert all(len(row) == len(worked.table[0]) for row in worked.table)


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_nothing_to_compute_is_a_question_and_not_an_error(kind: str) -> None:
    """Without arguments: no figure, a question in French, and the names of what would answer it."""
    worked = calculate({"kind": kind})
    assert not worked.results
    assert not worked.inputs
    assert worked.asks.endswith("?")
    assert worked.missing
    assert {field.name for field in FIELDS[kind]} >= set(worked.missing)
    assert ask_back(kind, {}) == worked.asks


async def test_a_question_back_is_the_error_of_the_tool() -> None:
    """The toolbox has no other place for it; no figure comes with it."""
    result = await run({"kind": "loan", "loan_amount": 200_000})
    assert result.error == calculate({"kind": "loan", "loan_amount": 200_000}).asks
    assert "le taux du prêt" in result.error
    assert not result.figures


async def test_the_text_holds_answer_assumptions_and_rule() -> None:
    """In that order, so that what is read first is the answer; the question that is left stands apart."""
    arguments = {"kind": "yield", "purchase_price": 150_000, "rent_monthly": 690}
    worked, result = calculate(arguments), await run(arguments)
    assert result.text == told(worked)
    places = [result.text.index(part) for part in (worked.sentences[0], worked.assumptions[0], "Base :")]
    assert result.asks == worked.asks
    assert worked.asks not in result.text
    assert places == sorted(places)
    assert places[0] == 0
    assert result.as_of == constants.RULES_AS_OF
    assert result.computed == worked.results


def test_a_sale_without_a_date_is_of_the_day() -> None:
    """The tool gives the day; the pure function the day of the rules."""
    told_ = {**SALE, "purchase_date": "2010-11-22"}
    assert "16 ans" in told(calculate(told_, today=date(2026, 11, 22)))
    assert "15 ans" in told(calculate(told_, today=date(2026, 11, 21)))
    assert "vente supposée le 21/11/2026" in told(calculate(told_))


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_each_field_can_be_asked_back(kind: str) -> None:
    """One French question from the label; names are unique in a kind, and every kind has its fields."""
    assert set(FIELDS) == set(NAMES)
    names = [field.name for field in FIELDS[kind]]
    assert len(names) == len(set(names))
    for name in names:
        field = field_of(kind, name)
        asked = question(field)
        assert asked.startswith("Pouvez-vous")
        assert asked.endswith("?")
        assert field.label in asked
        assert field.unit


def test_every_rule_has_a_source() -> None:
    """A legal constant without its source does not pass."""
    assert all(rule.source for rule in vars(constants).values() if isinstance(rule, Rule))
    with pytest.raises(ValueError, match="source"):
        Rule(1.0, "%", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Précisez le calcul"),
        ({"kind": "__class__"}, "Précisez le calcul"),
        ({"kind": ["loan"]}, "Précisez le calcul"),
        ({**LOAN, "rate": -1}, "négative"),
        ({**LOAN, "rate": 900}, "bornes"),
        ({**LOAN, "rate": []}, "aucune"),
        ({**LOAN, "rate": [1, 2, 3, 4, 5]}, "4 au plus"),
        ({**LOAN, "rate": [3, "4"]}, "illisible"),
        ({**LOAN, "months": 0}, "bornes"),
        ({**LOAN, "months": -3}, "négative"),
        ({**LOAN, "months": 1e300}, "bornes"),
        ({**LOAN, "months": 12.5}, "entier"),
        ({**LOAN, "loan_amount": float("nan")}, "illisible"),
        ({**LOAN, "loan_amount": float("inf")}, "illisible"),
        ({**LOAN, "loan_amount": 10**400}, "illisible"),
        ({**LOAN, "loan_amount": True}, "illisible"),
        ({**LOAN, "loan_amount": "200000"}, "illisible"),
        ({**LOAN, "loan_amount": [1_000, 2_000]}, "Trop de valeurs"),
        ({**LOAN, "in_fine": "oui"}, "par oui ou par non"),
        ({**LOAN, "wanted": "everything"}, "résultat voulu"),
        ({**LOAN, "defer": 120, "months": 120}, "différé"),
        ({**LOAN, "defer": 12, "in_fine": True}, "différé"),
        ({**LOAN, "loan_amount": None, "purchase_price": 100_000, "down_payment": 100_000}, "rien à emprunter"),
        ({"kind": "loan", "monthly_cap": 30, "insurance_monthly": 40, "rate": 3, "months": 12}, "assurance dépasse"),
        ({"kind": "loan", "monthly_cap": 900, "in_fine": True, "rate": 3, "months": 120}, "in fine"),
        ({**PURCHASE, "total_cost": -190_000}, "négative"),
        ({**PURCHASE, "total_cost": 2_000}, "dépasserait"),
        ({**PURCHASE, "purchase_price": 200_000}, "inférieur au prix"),
        ({**PURCHASE, "charges_yearly": -1}, "négative"),
        ({**PURCHASE, "tmi": 90}, "bornes"),
        ({**PURCHASE, "vacancy_weeks": 2, "vacancy_months": 1}, "plusieurs façons"),
        ({**PURCHASE, "target_yield": 5, "charges_yearly": 12_000}, "aucun prix"),
        ({"kind": "yield", "rent_monthly": 100, "target_yield": 6, "works": 90_000}, "aucun prix"),
        ({"kind": "yield", "purchase_price": 100_000, "fees_amount": 200_000, "rent_monthly": 500}, "frais"),
        ({"kind": "capacity", "income_monthly": 10, "monthly_payment": 9_000}, "dix fois"),
        ({"kind": "capacity", "income_monthly": -10}, "négative"),
        ({**SALE, "purchase_date": "2025-01-01", "sale_date": "2020-01-01"}, "précéder"),
        ({**SALE, "purchase_year": 2025, "sale_year": 2020}, "précéder"),
        ({**SALE, "purchase_date": "2025-02-31"}, "la date d'achat"),
        ({**SALE, "purchase_date": 2025}, "la date d'achat"),
        ({**SALE, "depreciation": 300_000, "holding_years": 3}, "dépassent"),
        ({**SALE, "share": 0}, "bornes"),
        ({"kind": "regime", "parts": 0.5, "income_yearly": 10_000}, "bornes"),
        ({**RELANCE, "house": True}, "exclues"),
        ({**RELANCE, "level": "luxury"}, "niveau de loyer"),
        ({**RELANCE, "level": "social", "state": "existing", "works": 65_999}, "30 %"),
    ],
)  # fmt: skip
async def test_absurd_inputs_give_a_sentence_and_no_figure(arguments: dict[str, Any], said: str) -> None:
    """Negative rates, a loan over 0 months, infinite amounts: a reason in French, nothing computed."""
    with pytest.raises(Nonsense, match=said):
        calculate(arguments)
    result = await run(arguments)
    assert said in (result.error or "")
    assert not result.figures
    assert not result.text


NUMBER = st.one_of(st.floats(0, 500_000), st.floats(0, 30), st.integers(0, 40), st.sampled_from([12, 240, 300, 2012]))
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), NUMBER, st.lists(NUMBER, max_size=5),
    st.sampled_from(["intermediate", "social", "existing", "2020-01-01", "2026-06-01", "cost", "net", "cash_flow"]),
)  # fmt: skip
NAMES_OF_ALL = sorted({field.name for fields in FIELDS.values() for field in fields})


@given(kind=st.sampled_from(sorted(NAMES)), inputs=st.dictionaries(st.sampled_from(NAMES_OF_ALL), ANYTHING))
def test_no_input_escapes(kind: str, inputs: dict[str, Any]) -> None:
    """A result with finite figures, or an error; never an exception."""
    result = asyncio.run(run({"kind": kind, **inputs}))
    assert bool(result.error) != bool(result.figures)
    assert all(abs(figure.value) < 1e15 for figure in result.figures)


@settings(max_examples=200)
@given(st.data())
def test_plausible_inputs_are_computed_or_asked_for(data: st.DataObject) -> None:
    """Any subset of well-typed arguments: sentences whose figures all stand, a question, or a French reason."""
    kind = data.draw(st.sampled_from(sorted(NAMES)))
    names = data.draw(st.sets(st.sampled_from([field.name for field in FIELDS[kind]])))
    inputs: dict[str, Any] = {"kind": kind}
    for name in names:
        field = field_of(kind, name)
        if field.unit == YES_NO:
            inputs[name] = data.draw(st.booleans())
        elif field.choices:
            inputs[name] = data.draw(st.sampled_from(field.choices))
        elif field.unit == "date":
            inputs[name] = data.draw(st.dates(date(1980, 1, 1), date(2030, 1, 1))).isoformat()
        else:
            drawn = st.integers(int(field.least) + 1, int(min(field.most, 400_000)))
            inputs[name] = data.draw(st.lists(drawn, min_size=1, max_size=3) if field.many else drawn)
    result = asyncio.run(run(inputs))
    if result.error:
        assert result.error[-1] in ".?"
    else:
        worked = calculate(inputs)
        assert worked.results
        assert all(quotable(sentence) for sentence in worked.sentences)
        assert unsupported(worked) == []
