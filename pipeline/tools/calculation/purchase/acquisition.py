"""What a purchase costs, and what of it is borrowed, from price, fees, works and down payment."""

from dataclasses import dataclass
from typing import Final

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import OLD_HOME_FEES
from pipeline.tools.calculation.sheet import Sheet, listed
from pipeline.tools.calculation.values import Nonsense, Told

SAME: Final = 0.02
"""Of an amount: as near it is the percentage told again."""


@dataclass(frozen=True, slots=True)
class Acquisition:
    """Euros. `fees` None: nobody told; they are then not counted. `price` None: only the total is known."""

    price: float | None
    fees: float | None
    works: float
    cost: float

    @property
    def usual_fees(self) -> float:
        """What the fees would be in an existing home, when nobody told them; else 0."""
        return cents(self.price * OLD_HOME_FEES.value / 100) if self.price and self.fees is None else 0.0


def acquisition(told: Told, sheet: Sheet) -> Acquisition | None:
    """Writes the purchase down; None when neither price nor total is given. The total, when given, holds all."""
    price, total = told.one("purchase_price"), told.one("total_cost") if told.kind == "yield" else None
    works = told.amount("works")
    sheet.given("Prix d'achat", price, "€")
    if total is not None:
        if price is not None and total < price:
            raise Nonsense("Le coût total serait inférieur au prix d'achat : vérifiez les montants.")
        sheet.given("Coût total de l'achat", total, "€")
        return Acquisition(price, 0.0, 0.0, total)
    if price is None:
        return None
    fees = fees_of(told, sheet, price)
    sheet.given("Travaux", works or None, "€")
    cost = cents(price + (fees or 0.0) + works)
    if fees or works:
        parts = [euros(price), *([f"{euros(fees)} de frais"] if fees else [])]
        parts += [f"{euros(works)} de travaux"] if works else []
        sheet.found("Coût total de l'achat", cost, "€", " + ".join(parts))
    return Acquisition(price, fees, works, cost)


def fees_of(told: Told, sheet: Sheet, price: float) -> float | None:
    """The acquisition fees told, as an amount or in percent of the price; an amount that is not what the percentage
    makes comes on top of it: « 2,5 % de frais et 3 150 € de garantie »."""
    amount, rate = told.one("fees_amount"), told.one("fees_percent")
    if amount is not None and rate is not None and abs(price * rate / 100 - amount) > SAME * amount:
        sheet.given("Frais d'acquisition en pourcentage", rate, "%")
        sheet.given("Autres frais", amount, "€")
        whole = cents(price * rate / 100 + amount)
        how = f"{percent(rate)} × {euros(price)} + {euros(amount)}"
        return sheet.found("Frais d'acquisition, autres frais compris", whole, "€", how)
    if amount is not None:
        if amount > price:
            raise Nonsense("Les frais d'acquisition dépassent le prix : vérifiez les montants.")
        sheet.given("Frais d'acquisition", amount, "€")
        return amount
    if rate is None:
        return None
    sheet.given("Frais d'acquisition en pourcentage", rate, "%")
    return sheet.found("Frais d'acquisition", price * rate / 100, "€", f"{percent(rate)} × {euros(price)}")


def to_borrow(told: Told, sheet: Sheet, bought: Acquisition | None) -> float | None:
    """The capital told, or the purchase less the down payment. Raises `Nonsense` when nothing is left to borrow."""
    told_amount, down = told.one("loan_amount"), told.one("down_payment")
    sheet.given("Apport", down, "€")
    if told_amount is not None:
        sheet.given("Capital emprunté", told_amount, "€")
        if down:
            left = max(0.0, cents(told_amount - down))
            less = sheet.found("Capital, si l'apport est à déduire", left, "€", f"{euros(told_amount)} − {euros(down)}")
            sheet.assume(
                f"Les {euros(told_amount)} sont pris pour le montant emprunté, l'apport de {euros(down)} en plus ; si "
                f"c'est le prix, il reste {euros(less)} à emprunter."
            )
        return told_amount
    if bought is None:
        return None
    if down is not None and down >= bought.cost:
        raise Nonsense("L'apport couvre tout l'achat : il n'y a rien à emprunter.")
    if down is None:
        sheet.assume("Achat supposé financé sans apport, faute d'indication.")
    need = cents(bought.cost - (down or 0.0))
    return sheet.found("Capital emprunté", need, "€", f"{euros(bought.cost)} − {euros(down or 0.0)} d'apport")


def kinds_of_cost(bought: Acquisition) -> str:
    """`frais et travaux compris`, or empty."""
    parts = [name for name, there in (("frais", bought.fees), ("travaux", bought.works)) if there]
    return f"{listed(parts)} compris" if parts else ""
