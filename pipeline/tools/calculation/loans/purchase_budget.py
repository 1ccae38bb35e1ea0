"""The price that a capital and a down payment pay, fees included."""

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import OLD_HOME_FEES
from pipeline.tools.calculation.sheet import Sheet, each
from pipeline.tools.calculation.values import Told


def budgets_of(told: Told, sheet: Sheet, found: list[tuple[str, float]]) -> list[float]:
    """Of each capital found, with its name: only when the down payment was told. The wanted one leads."""
    down = told.one("down_payment")
    if down is None:
        return []
    fees = told.one("fees_percent")
    if fees is None:
        fees = OLD_HOME_FEES.value
        sheet.assume(
            f"Frais d'acquisition non indiqués, supposés de {percent(fees)} du prix ({OLD_HOME_FEES.source}, à "
            "vérifier)."
        )
    sheet.given("Apport", down, "€")
    sheet.given("Frais d'acquisition", fees, "%")
    budgets = []
    for name, capital in found:
        how = f"({euros(capital)} + {euros(down)}) / (1 + {percent(fees)})"
        label = f"Prix d'achat possible, hors frais{name if len(found) > 1 else ''}"
        budgets.append(sheet.found(label, (capital + down) / (1 + fees / 100), "€", how))
    whole = [
        (name, sheet.found(f"Budget total, frais compris{name if len(found) > 1 else ''}", capital + down, "€",
                           f"{euros(capital)} + {euros(down)} d'apport"))
        for name, capital in found
    ]  # fmt: skip
    said = each([(name, price) for (name, _), price in zip(found, budgets, strict=True)])
    sentence = f"Budget d'achat hors frais, avec {euros(down)} d'apport et {percent(fees)} de frais : {said}."
    (sheet.lead if told.choice("wanted") == "budget" else sheet.say)(sentence)
    (sheet.lead if told.choice("wanted") == "whole" else sheet.say)(
        f"Budget total, frais d'acquisition compris : {each(whole)}, apport de {euros(down)} compris."
    )
    return budgets
