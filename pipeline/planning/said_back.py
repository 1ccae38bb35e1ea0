"""Inputs of a calculation as they are said back: nobody should have to guess what it counts with."""

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.reading import Quantity
from pipeline.text.amounts import euros
from pipeline.understanding.thread.dialogue import Task

NAMES: Final[Mapping[str, str]] = {
    "purchase_price": "prix", "total_cost": "coût total", "rent": "loyer", "charges": "charges",
    "property_tax": "taxe foncière",
    "area": "surface", "works": "travaux", "loan_amount": "montant emprunté", "rate": "taux", "duration": "durée",
    "tmi": "tranche",
    "down_payment": "apport", "fees_percent": "frais", "fees_amount": "frais", "insurance": "assurance",
    "monthly_cap": "mensualité", "sale_price": "vente", "purchase_year": "achat en", "sale_year": "vente en",
    "holding_years": "détention", "income": "revenus", "existing_debt": "crédits en cours", "vacancy": "vacance",
    "interest": "intérêts", "depreciation": "amortissements", "target_yield": "rendement visé", "elapsed": "après",
}  # fmt: skip
KIND_NAMES: Final[Mapping[str, str]] = {
    "calc_loan": "un prêt", "calc_yield": "un rendement", "calc_gain": "une plus-value",
    "calc_capacity": "une capacité d'emprunt", "calc_regime": "un régime fiscal",
}  # fmt: skip
UNITS: Final[Mapping[str, str]] = {
    "duration": " ans", "holding_years": " ans", "rate": " %", "tmi": " %", "target_yield": " %", "fees_percent": " %",
}  # fmt: skip


def taken_over(task: Task | None) -> tuple[str, ...]:
    """What a calculation took from the thread, said plainly: nobody should have to guess what it counts with."""
    if task is None or task.frame is None or not task.carried:
        return ()
    told = [described(role, task.frame.slots[role]) for role in task.carried if role in NAMES]
    return (f"Repris de ce fil : {', '.join(told)}. Corrigez en un mot si ce n'est pas cela.",) if told else ()


def described(role: str, values: Sequence[Quantity]) -> str:
    """« prix 145 000 € », « durée 15 ans et 20 ans », « sans assurance »."""
    name = NAMES.get(role, role)
    if not any(q.value for q in values):
        return f"sans {name}"
    return f"{name} {' et '.join(spoken(role, q) for q in values)}"


def spoken(role: str, quantity: Quantity) -> str:
    """As it was typed, with its unit: « 25 » of a loan's duration is 25 ans, « 3,2 » of its rate 3,2 %."""
    if role in ("purchase_year", "sale_year"):
        return f"{quantity.day:%d/%m/%Y}" if quantity.day else f"{quantity.value:.0f}"
    if quantity.unit in ("€", "") and role not in UNITS and quantity.value >= 100 and not quantity.period:
        return euros(quantity.value)
    if not quantity.text:
        value = f"{quantity.value:g}".replace(".", ",")
        return euros(quantity.value) if role not in UNITS else f"{value}{UNITS[role]}"
    return f"{quantity.text.replace('.', ',')}{UNITS[role]}" if role in UNITS and quantity.unit == "" else quantity.text
