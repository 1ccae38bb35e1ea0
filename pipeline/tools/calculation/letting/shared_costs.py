"""What one of several owes or has of an amount, and what the law takes of one amount: a quote-part, charges against
their provisions, a deposit returned late, a call of funds of a VEFA, a life annuity, the deceased's home."""

import math
from typing import Final

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import (
    ANNUITY_SHARES,
    ANNUITY_SOURCE,
    CALL_SHARES,
    CALL_SOURCE,
    CHARGES_SOURCE,
    HOME_ABATEMENT,
    LATE_DEPOSIT,
    QUOTA_SOURCE,
)
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

STAGES: Final = {
    "foundations": "l'achèvement des fondations",
    "roof": "la mise hors d'eau",
    "finished": "l'achèvement de l'immeuble",
    "delivered": "la livraison",
}


def quota(told: Told, sheet: Sheet) -> Worked:
    """Of charges, works or a result, by a share in per cent or in parts of all."""
    title, whole, share = "Quote-part", told.one("shared"), told.one("part")
    if whole is None or share is None:
        sheet.ask("shared" if whole is None else "part")
        return sheet.worked(title, QUOTA_SOURCE)
    sheet.given("Montant à répartir", whole, "€")
    sheet.given("Part", share, "%")
    own = sheet.found("Quote-part", whole * share / 100, "€", f"{euros(whole)} × {percent(share)}")
    sheet.say(f"Quote-part : {euros(own)}, soit {percent(share)} de {euros(whole)}.")
    return sheet.worked(title, QUOTA_SOURCE)


def charges_balance(told: Told, sheet: Sheet) -> Worked:
    """What the tenant still owes, or gets back, when the year's charges are settled."""
    title, real, paid = "Régularisation des charges", told.one("real"), told.one("provisions_monthly")
    yearly = told.one("provisions_yearly")
    if real is None or (paid is None and yearly is None):
        sheet.ask("real" if real is None else "provisions_monthly")
        return sheet.worked(title, CHARGES_SOURCE)
    sheet.given("Charges récupérables réelles", real, "€")
    if paid is not None:
        months = told.one("paid_months") or 12
        sheet.given("Provision mensuelle", paid, "€/mois")
        sheet.given("Mois de provisions", months, "mois")
        yearly = sheet.found("Provisions versées", paid * months, "€", f"{euros(paid)} × {months:g}")
    else:
        sheet.given("Provisions versées", yearly, "€")
    assert yearly is not None
    high, low = max(real, yearly), min(real, yearly)
    gap = sheet.found("Solde", high - low, "€", f"{euros(high)} − {euros(low)}")
    way = "que le locataire doit encore" if real > yearly else "à rendre au locataire" if yearly > real else "à régler"
    sheet.say(f"Solde de charges : {euros(gap)} {way}, pour {euros(real)} de charges réelles et {euros(yearly)} de "
              "provisions versées.")  # fmt: skip
    return sheet.worked(title, CHARGES_SOURCE)


def late_deposit(told: Told, sheet: Sheet) -> Worked:
    """A tenth of the rent without charges for each month begun after the time to return it."""
    title, rent, late = "Dépôt de garantie rendu en retard", told.one("rent_monthly"), told.one("months_late")
    if rent is None or late is None:
        sheet.ask("rent_monthly" if rent is None else "months_late")
        return sheet.worked(title, LATE_DEPOSIT.source)
    begun = math.ceil(late)
    sheet.given("Loyer mensuel hors charges", rent, "€/mois")
    sheet.given("Mois de retard commencés", begun, "mois")
    sheet.rule("Majoration par mois commencé", LATE_DEPOSIT)
    more = sheet.found("Majoration", rent * LATE_DEPOSIT.value / 100 * begun, "€",
                       f"{euros(rent)} × {percent(LATE_DEPOSIT.value)} × {begun}")  # fmt: skip
    sheet.say(f"Majoration : {euros(more)}, soit {percent(LATE_DEPOSIT.value)} du loyer mensuel hors charges pour "
              f"chacun des {begun} mois de retard commencés.")  # fmt: skip
    sheet.assume("Sans majoration si le retard vient de la nouvelle adresse que le locataire n'a pas donnée.")
    return sheet.worked(title, LATE_DEPOSIT.source)


def completion_call(told: Told, sheet: Sheet) -> Worked:
    """The most that may have been called of a VEFA's price by a stage, or by each."""
    title, price = "Appels de fonds d'une VEFA", told.one("price")
    if price is None:
        sheet.ask("price")
        return sheet.worked(title, CALL_SOURCE)
    sheet.given("Prix de vente", price, "€")
    stage = told.choice("stage")
    before = 0.0
    for name, share in CALL_SHARES.items():
        if stage in ("", name):
            sheet.given(f"Part cumulée à {STAGES[name]}", share, "%")
            most = sheet.found(f"Appels cumulés à {STAGES[name]}, au plus", price * share / 100, "€",
                               f"{euros(price)} × {percent(share)}")  # fmt: skip
            sheet.say(f"Appels cumulés à {STAGES[name]} : {euros(most)} au plus, soit {percent(share)} du prix.")
        if stage == name and before:
            call = sheet.found("Appel de ce stade seul, au plus", price * (share - before) / 100, "€",
                               f"{euros(price)} × ({percent(share)} − {percent(before)})")  # fmt: skip
            sheet.say(f"Pour ce stade seul, {euros(call)} si le stade d'avant a été payé au plus.")
        before = share
    return sheet.worked(title, CALL_SOURCE)


def annuity(told: Told, sheet: Sheet) -> Worked:
    """The part of a life annuity that is taxed, by the age at the first payment. Raises `Nonsense`."""
    title, yearly, age = "Rente viagère imposable", told.one("annuity_yearly"), told.one("age")
    if yearly is None or age is None:
        sheet.ask("annuity_yearly" if yearly is None else "age")
        return sheet.worked(title, ANNUITY_SOURCE)
    if age < 18:
        raise Nonsense("L'âge est celui du crédirentier au premier versement de la rente.")
    share = next(rate for least, rate in ANNUITY_SHARES if age >= least)
    sheet.given("Rente annuelle", yearly, "€/an")
    sheet.given("Âge au premier versement", age, "ans")
    sheet.given("Fraction imposable", share, "%")
    taxed = sheet.found("Rente imposable", yearly * share / 100, "€/an", f"{euros(yearly)} × {percent(share)}")
    sheet.say(f"Rente imposable : {euros(taxed)} par an, soit {percent(share)} de {euros(yearly)} pour un crédirentier "
              f"de {age:g} ans au premier versement.")  # fmt: skip
    sheet.assume("Rente à titre onéreux ; l'âge reste celui du premier versement.")
    return sheet.worked(title, ANNUITY_SOURCE)


def home_in_estate(told: Told, sheet: Sheet) -> Worked:
    """The deceased's main home where the spouse or a child still lives in it."""
    title, value = "Résidence principale du défunt", told.one("amount")
    if value is None:
        sheet.ask("amount")
        return sheet.worked(title, HOME_ABATEMENT.source)
    sheet.given("Valeur vénale du logement", value, "€")
    sheet.rule("Abattement", HOME_ABATEMENT)
    kept = sheet.found("Valeur retenue", value * (100 - HOME_ABATEMENT.value) / 100, "€",
                       f"{euros(value)} × (100 % − {percent(HOME_ABATEMENT.value)})")  # fmt: skip
    sheet.say(f"Valeur retenue : {euros(kept)}, soit {euros(value)} moins un abattement de "
              f"{percent(HOME_ABATEMENT.value)}.")  # fmt: skip
    sheet.assume("Le logement est aussi la résidence principale du conjoint, du partenaire ou d'un enfant mineur ou "
                 "protégé.")  # fmt: skip
    return sheet.worked(title, HOME_ABATEMENT.source)
