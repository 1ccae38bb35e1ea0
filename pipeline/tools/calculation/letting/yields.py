"""Rental yields of a purchase (gross, net, net-net), the price for a wanted yield, the monthly cash flow."""

from dataclasses import dataclass, replace

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    BARE_SOCIAL,
    FURNISHED_SOCIAL,
    MICRO_BARE,
    MICRO_FURNISHED,
    OLD_HOME_FEES,
)
from pipeline.tools.calculation.letting.cash_flow import cash_flow
from pipeline.tools.calculation.letting.rents import Rents, counted_names, rents_of
from pipeline.tools.calculation.letting.target import price_for, rent_for
from pipeline.tools.calculation.letting.yield_cases import of_rents
from pipeline.tools.calculation.purchase.acquisition import Acquisition, acquisition, kinds_of_cost
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked, share

TITLE = "Rendement locatif"
SOURCE = "convention de place, intérêts d'emprunt non comptés dans le rendement ; CGI 28 à 31"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of yield: its key in `wanted`, percent, and its sentence."""

    key: str
    value: float
    sentence: str


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["yield"]`: as many levels as the inputs allow, the deepest first or the one `wanted`. Charges that
    were not told count for zero, and that is said. Raises `Nonsense`."""
    worked = _worked(told, sheet)
    if worked.results and "target_yield" not in told:
        found = of_rents(told, lambda other: _worked(other, Sheet(told.kind)).results)
        worked = replace(worked, schedules=found)
    return worked


def _worked(told: Told, sheet: Sheet) -> Worked:
    bought = acquisition(told, sheet)
    rents = rents_of(told, sheet)
    if rents is None or bought is None:
        _without_both(told, sheet, bought, rents)
        return sheet.worked(TITLE, SOURCE)
    levels = [_gross(sheet, bought, rents)]
    if rents.counted or "tmi" in told:
        levels.append(_net(sheet, bought, rents))
    if "tmi" in told:
        levels.append(_net_net(told, sheet, bought, rents))
    wanted = told.choice("wanted")
    levels.reverse()  # the deepest level is what the most was told for
    ordered = sorted(levels, key=lambda level: level.key != wanted)
    sheet.say(*(level.sentence for level in ordered))
    flow = cash_flow(told, sheet, bought, rents)
    if flow:
        (sheet.lead if wanted == "cash_flow" else sheet.say)(flow)
    if "target_yield" in told:
        if wanted == "rent":
            rent_for(told, sheet, bought)
        else:
            price_for(told, sheet, bought, rents)
    _per_area(told, sheet, bought, rents)
    _doubts(told, sheet, bought, rents)
    return sheet.worked(TITLE, SOURCE)


def _without_both(told: Told, sheet: Sheet, bought: Acquisition | None, rents: Rents | None) -> None:
    """A price without a rent, a rent without a price, or neither."""
    if bought is not None and "target_yield" in told:
        rent_for(told, sheet, bought)
    elif rents is not None and "target_yield" in told:
        price_for(told, sheet, None, rents)
    elif rents is not None and "monthly_payment" in told:
        sheet.say(cash_flow(told, sheet, None, rents))
        sheet.ask("purchase_price")
    elif rents is not None:
        sheet.say(f"Loyers annuels : {euros(rents.yearly)}, soit 12 fois {euros(rents.monthly)}.")
        sheet.given("Nombre de mois", 12, "")
        sheet.ask("purchase_price")
    else:
        sheet.ask("rent_monthly", *(() if bought else ("purchase_price",)))
        if bought is not None and sheet.results:
            sheet.say(f"Coût total de l'achat : {euros(bought.cost)}.")


def _gross(sheet: Sheet, bought: Acquisition, rents: Rents) -> Level:
    value = share(rents.yearly, bought.cost)
    if value > 100:
        raise Nonsense("Le loyer d'une année dépasserait le prix du bien : vérifiez les montants.")
    sheet.found("Rendement brut", value, "%", f"{euros(rents.yearly)} / {euros(bought.cost)}")
    covered = kinds_of_cost(bought)
    sentence = (
        f"Rendement brut : {percent(value, digits=2)}, soit {euros(rents.yearly)} de loyers annuels "
        f"({euros(rents.monthly)} par mois) pour {euros(bought.cost)}{f', {covered}' if covered else ''}."
    )
    return Level("gross", value, sentence)


def _net(sheet: Sheet, bought: Acquisition, rents: Rents) -> Level:
    value = share(rents.net, bought.cost)
    sheet.found("Rendement net", value, "%", f"{euros(rents.net)} / {euros(bought.cost)}")
    off = f"moins {euros(rents.charges)} pour {counted_names(rents)}" if rents.counted else "sans charge indiquée"
    sentence = (
        f"Rendement net de charges : {percent(value, digits=2)}, soit {euros(rents.yearly)} de loyers "
        f"{off}, donc {euros(rents.net)} par an, pour {euros(bought.cost)}."
    )
    return Level("net", value, sentence)


def _net_net(told: Told, sheet: Sheet, bought: Acquisition, rents: Rents) -> Level:
    """An unfurnished let at the real regime without interest (CGI 28 to 31), at the micro-foncier where that is told
    (CGI 32), a furnished one at the micro regime."""
    rate, furnished = told.amount("tmi"), told.flag("furnished") is True
    micro = MICRO_FURNISHED if furnished else MICRO_BARE if told.flag("micro") else None
    social = FURNISHED_SOCIAL if furnished else BARE_SOCIAL
    collected = cents(rents.yearly - rents.vacancy)
    base = cents(collected * (100 - micro.value) / 100) if micro else max(0.0, rents.net)
    sheet.given("Tranche marginale", rate, "%")
    sheet.rule("Prélèvements sociaux", social)
    if micro:
        sheet.rule("Abattement du micro-BIC" if furnished else "Abattement du micro-foncier", micro)
        how = f"{euros(collected)} de recettes × (100 % − {percent(micro.value)})"
        sheet.found("Revenu imposable", base, "€/an", how)
    tax = sheet.found(
        "Impôt et prélèvements", base * (rate + social.value) / 100, "€/an",
        f"{euros(base)} × ({percent(rate)} + {percent(social.value)})",
    )  # fmt: skip
    kept = sheet.found("Loyer après impôt", rents.net - tax, "€/an", f"{euros(rents.net)} − {euros(tax)}")
    value = share(kept, bought.cost)
    sheet.found("Rendement net-net", value, "%", f"{euros(kept)} / {euros(bought.cost)}")
    way = "location meublée au micro-BIC" if furnished else "location nue au micro-foncier"
    way = f"{way}, abattement de {percent(micro.value)}" if micro else "location nue au réel, sans intérêts déduits"
    if told.flag("furnished") is None and not micro:
        sheet.assume("Location supposée nue et au régime réel, sans intérêts d'emprunt déduits, faute d'indication.")
    sentence = (
        f"Rendement net-net : {percent(value, digits=2)}, soit {euros(kept)} par an après {euros(tax)} d'impôt et de "
        f"prélèvements (tranche marginale de {percent(rate)}, prélèvements sociaux de {percent(social.value)}, {way})."
    )
    return Level("net_net", value, sentence)


def _per_area(told: Told, sheet: Sheet, bought: Acquisition, rents: Rents) -> None:
    area = told.one("area")
    if area is None:
        return
    sheet.given("Surface", area, "m²")
    rent = sheet.found("Loyer au m²", rents.monthly / area, "€/m²", f"{euros(rents.monthly)} / {area:g} m²")
    price = bought.price if bought.price is not None else bought.cost
    each = sheet.found("Prix au m²", price / area, "€/m²", f"{euros(price)} / {area:g} m²")
    sheet.say(f"Prix au m² : {euros(each)}/m², et loyer mensuel de {euros(rent)}/m².")


def _doubts(told: Told, sheet: Sheet, bought: Acquisition, rents: Rents) -> None:
    """What nobody told: the fees, then the charges."""
    if bought.usual_fees and "target_yield" not in told:
        usual, cost = OLD_HOME_FEES, cents(bought.cost + bought.usual_fees)
        sheet.rule("Frais d'acquisition supposés", usual)
        how = f"{euros(bought.cost)} + {percent(usual.value)} × {euros(bought.price or 0)}"
        sheet.found("Coût total, frais estimés compris", cost, "€", how)
        less = share(rents.yearly, cost)
        sheet.found("Rendement brut, frais estimés compris", less, "%", f"{euros(rents.yearly)} / {euros(cost)}")
        sheet.assume(
            f"Frais d'acquisition non indiqués, donc non comptés ; avec {percent(usual.value)} du prix "
            f"({usual.source}, à vérifier), le coût serait de {euros(cost)} et le rendement brut de "
            f"{percent(less, digits=2)}."
        )
    if not rents.counted:
        sheet.ask(
            "charges_yearly", "property_tax",
            asked="Pour le rendement net, pouvez-vous m'indiquer la taxe foncière et les charges annuelles ?",
        )  # fmt: skip
    elif not {"charges_yearly", "property_tax"} & set(rents.counted):
        sheet.assume("Taxe foncière et charges de copropriété non indiquées : comptées pour zéro.")
        sheet.ask("property_tax", "charges_yearly")
