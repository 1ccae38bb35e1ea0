"""A wanted yield turned round: the price that gives it for a rent, the rent that gives it for a price."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import OLD_HOME_FEES
from pipeline.tools.calculation.letting.rents import Rents, counted_names, fixed_charges
from pipeline.tools.calculation.purchase.acquisition import Acquisition
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told


def price_for(told: Told, sheet: Sheet, bought: Acquisition | None, rents: Rents) -> None:
    """The total cost, then the price without fees: net of charges as far as they are known, else gross."""
    target = told.amount("target_yield")
    sheet.given("Rendement visé", target, "%")
    kept, level = (rents.net, "net") if rents.counted else (rents.yearly, "brut")
    if kept <= 0:
        raise Nonsense("Les charges dépassent les loyers : aucun prix ne donne ce rendement.")
    cost = sheet.found(
        "Coût total pour le rendement visé", kept * 100 / target, "€", f"{euros(kept)} / {percent(target)}"
    )
    works = told.amount("works")
    sheet.given("Travaux", works or None, "€")
    price, fees = _without_fees(told, sheet, cents(cost - works), cost)
    after = f", {euros(works)} de travaux déduits" if works else ""
    sentence = (
        f"Prix d'achat pour un rendement {level} de {percent(target)} : {euros(price)} hors frais, soit un coût total "
        f"de {euros(cost)}{after}, frais de {fees} compris."
    )
    if told.choice("wanted") in ("", "price"):
        sheet.lead(sentence)
    else:
        sheet.say(sentence)
    if rents.counted:
        sheet.say(f"Ce prix tient compte de {counted_names(rents)} : {euros(rents.charges)} par an.")
    elif told.flag("gross_target") is not True:
        sheet.ask("charges_yearly", "property_tax")
    if bought is not None and bought.price is not None:
        gap = sheet.found("Écart avec le prix annoncé", abs(bought.price - price), "€",
                          f"{euros(max(price, bought.price))} − {euros(min(price, bought.price))}")  # fmt: skip
        way = "au-dessus" if bought.price > price else "au-dessous"
        sheet.say(f"Le prix annoncé de {euros(bought.price)} est de {euros(gap)} {way} de ce prix.")


def _without_fees(told: Told, sheet: Sheet, left: float, cost: float) -> tuple[float, str]:
    """The price that leaves room for the fees, and how the fees were counted."""
    amount, rate = told.one("fees_amount"), told.one("fees_percent")
    sheet.given("Frais d'acquisition", amount, "€")
    sheet.given("Frais d'acquisition en pourcentage", rate, "%")
    if amount is not None:
        price, fees, how = cents(left - amount), euros(amount), f"{euros(left)} − {euros(amount)}"
    else:
        if rate is None:
            rate = OLD_HOME_FEES.value
            sheet.rule("Frais d'acquisition supposés", OLD_HOME_FEES)
            sheet.assume(
                f"Frais d'acquisition non indiqués, supposés de {percent(rate)} du prix "
                f"({OLD_HOME_FEES.source}, à vérifier)."
            )
        price, fees, how = cents(left / (1 + rate / 100)), percent(rate), f"{euros(left)} / (1 + {percent(rate)})"
    if price <= 0:
        raise Nonsense("Travaux et frais dépassent le coût qui donne ce rendement : aucun prix ne convient.")
    return sheet.found("Prix d'achat pour le rendement visé", price, "€", how), fees


def rent_for(told: Told, sheet: Sheet, bought: Acquisition) -> None:
    """The monthly rent of a yield: net of the charges that were told, else gross."""
    target = told.amount("target_yield")
    sheet.given("Rendement visé", target, "%")
    fixed, kept, how = fixed_charges(told, sheet)
    wanted = f"{euros(bought.cost)} × {percent(target)}"
    level = "net" if fixed or kept < 1 else "brut"
    whole = f"({wanted} + {euros(fixed)}) / 12" if fixed else f"{wanted} / 12"
    value = (bought.cost * target / 100 + fixed) / kept / 12
    rent = sheet.found("Loyer mensuel pour le rendement visé", value, "€/mois", whole + how)
    sheet.lead(
        f"Loyer mensuel pour un rendement {level} de {percent(target)} : {euros(rent)}, pour {euros(bought.cost)}."
    )
    if bought.usual_fees:
        sheet.assume("Frais d'acquisition non indiqués, donc non comptés : avec eux il faudrait un loyer plus élevé.")
    if level == "brut" and told.flag("gross_target") is not True:
        sheet.ask("charges_yearly", "property_tax")
