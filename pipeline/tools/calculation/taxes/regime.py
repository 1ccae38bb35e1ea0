"""The tax on a year of rents under each regime, side by side; a land deficit; a household's bracket and income tax."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    DEFICIT,
    DEFICIT_CARRIED,
    DEFICIT_ENERGY,
    DEFICIT_LET_FOR,
    DEPRECIATED_OVER,
    FURNISHED_SOURCE,
    INCOME_TAX_SOURCE,
    LAND_SHARE,
    LANDLORD_BY_TRADE,
    RENT_SOURCE,
)
from pipeline.tools.calculation.sheet import Sheet, duration, signed
from pipeline.tools.calculation.taxes.income_tax import household
from pipeline.tools.calculation.taxes.regime_cases import (
    BARE,
    CLASSIFIED,
    LONG,
    UNCLASSIFIED,
    Case,
    Micro,
    Year,
    bare_real,
    furnished_real,
    micro,
)
from pipeline.tools.calculation.values import Told, Worked

_CHARGES = {
    "charges_yearly": "Charges annuelles", "property_tax": "Taxe foncière", "insurance_yearly": "Assurance du logement",
    "works": "Travaux",
}  # fmt: skip

_CHARGES_ASKED = "Pour le réel, quelles sont les charges de l'année : taxe foncière, copropriété, assurance, travaux ?"
_PRICE_ASKED = "Pour amortir le bien au réel, pouvez-vous m'indiquer son prix d'achat ou l'amortissement annuel ?"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["regime"]`. `furnished` None compares bare and furnished lets. Raises `Nonsense`."""
    marginal = household(told, sheet)
    rents = _rents(told, sheet)
    if rents is None and "deficit" in told:
        _deficit(told, sheet, marginal)
        return sheet.worked("Déficit foncier", RENT_SOURCE)
    if rents is None:
        if not sheet.results:
            sheet.ask("rent_yearly", *(() if marginal is not None else ("tmi",)))
        return sheet.worked("Impôt sur le revenu" if sheet.results else "Régime fiscal des loyers", INCOME_TAX_SOURCE)
    cases = _cases(told, sheet, _year(told, sheet, rents))
    deficit, asked = _deficits(told, sheet, cases), told.choice("wanted") == "deficit"
    if not asked:
        sheet.say(deficit)
    if marginal is None:
        _bases(sheet, cases)
    else:
        _taxes(told, sheet, cases, marginal)
    if asked and deficit:
        sheet.lead(deficit)
    if "income_yearly" in told and marginal is not None:
        sheet.assume("Tranche marginale appliquée à tout le revenu locatif, sans passage à la tranche supérieure.")
    sheet.assume("Une seule année est comparée : ni frais de comptabilité, ni revente, ni CSG déductible.")
    return sheet.worked("Régimes fiscaux des loyers", f"{RENT_SOURCE} ; {FURNISHED_SOURCE}")


def _rents(told: Told, sheet: Sheet) -> float | None:
    yearly, monthly = told.one("rent_yearly"), told.one("rent_monthly")
    if yearly is not None:
        sheet.given("Loyers annuels", yearly, "€/an")
        return yearly or None
    if not monthly:
        return None
    for lot in told.all("rent_monthly"):
        sheet.given("Loyer mensuel", lot, "€/mois")
    return sheet.found("Loyers annuels", 12 * monthly, "€/an", f"12 × {euros(monthly)}")


def _year(told: Told, sheet: Sheet, rents: float) -> Year:
    charges = 0.0
    for name, label in _CHARGES.items():
        sheet.given(label, told.one(name), "€/an")
        charges += told.amount(name)
    sheet.given("Intérêts et assurance du prêt", told.one("interest_yearly"), "€/an")
    sheet.given("Déficit foncier antérieur", told.one("deficit"), "€")
    if sum(name in told for name in _CHARGES) > 1:
        parts = " + ".join(euros(told.amount(name)) for name in _CHARGES if name in told)
        sheet.found("Charges déductibles", charges, "€/an", parts)
    elif not any(name in told for name in _CHARGES):
        sheet.assume("Charges de l'année non indiquées : comptées pour zéro au réel.")
        sheet.ask("charges_yearly", "property_tax",
                  asked=_CHARGES_ASKED)  # fmt: skip
    depreciation = _depreciation(told, sheet) if told.flag("furnished") is not False else None
    return Year(rents, cents(charges), told.amount("interest_yearly"), depreciation, told.amount("deficit"),
                _limit(told, sheet))  # fmt: skip


def _limit(told: Told, sheet: Sheet) -> float:
    """Of the deficit that comes off the overall income: its second half is for works that save energy alone."""
    if told.flag("energy") is not True:
        return DEFICIT.value
    sheet.rule("Plafond en cas de rénovation énergétique", DEFICIT_ENERGY)
    sheet.assume(
        f"Travaux supposés énergétiques, faisant sortir le logement des classes E, F ou G : le plafond est de "
        f"{euros(DEFICIT_ENERGY.value)}, sous conditions de date à vérifier."
    )
    return cents(DEFICIT.value + min(DEFICIT_ENERGY.value - DEFICIT.value, told.amount("works")))


def _depreciation(told: Told, sheet: Sheet) -> float | None:
    """The one told, else 80 % of the price over 30 years, which is said, else unknown."""
    value, price = told.one("depreciation"), told.one("purchase_price")
    if value is not None:
        sheet.given("Amortissement annuel", value, "€/an")
        return value
    if price is None:
        return None
    land, years = LAND_SHARE, DEPRECIATED_OVER
    sheet.given("Prix d'achat", price, "€")
    sheet.rule("Part du terrain", land)
    sheet.rule("Durée moyenne d'amortissement", years)
    sheet.assume(
        f"Amortissement supposé : prix hors {percent(land.value)} de terrain, sur {duration(years.value * 12)} "
        f"({land.source}), à vérifier avec l'expert-comptable."
    )
    how = f"{euros(price)} × (100 % − {percent(land.value)}) / {years.value:.0f}"
    return sheet.found("Amortissement annuel estimé", price * (100 - land.value) / 100 / years.value, "€/an", how)


def _cases(told: Told, sheet: Sheet, year: Year) -> list[Case]:
    furnished, tourist = told.flag("furnished"), told.flag("tourist") is True or "classified" in told
    cases: list[Case] = []
    if furnished is not True and not tourist:
        cases += [*_micro(sheet, BARE, year), bare_real(year)]
    if furnished is not False or tourist:
        for kind in _furnished_micros(told, sheet, tourist=tourist):
            cases += _micro(sheet, kind, year)
        cases.append(furnished_real(year))
        _furnished_remarks(told, sheet, year, cases)
    if furnished is None and not tourist:
        sheet.assume("Location nue ou meublée non précisée : les deux sont comparées au même loyer.")
    for case in cases:
        sheet.found(f"Revenu imposable, {case.name}", case.base, "€/an", case.formula)
    return cases


def _furnished_micros(told: Told, sheet: Sheet, *, tourist: bool) -> tuple[Micro, ...]:
    classified = told.flag("classified")
    if not tourist:
        return (LONG,)
    if classified is None:
        sheet.ask("classified", asked="Le meublé de tourisme est-il classé ?")
        return CLASSIFIED, UNCLASSIFIED
    return (CLASSIFIED if classified else UNCLASSIFIED,)


def _micro(sheet: Sheet, kind: Micro, year: Year) -> list[Case]:
    found = micro(kind, year)
    if found is None:
        sheet.given(f"Plafond, {kind.name}", kind.ceiling.value, kind.ceiling.unit)
        sheet.say(
            f"Le régime {kind.name} n'est pas ouvert : {euros(year.rents)} de loyers dépassent le plafond de "
            f"{euros(kind.ceiling.value)} par an."
        )
        return []
    sheet.given(f"Abattement, {kind.name}", kind.allowance.value, "%")
    return [found]


def _furnished_remarks(told: Told, sheet: Sheet, year: Year, cases: list[Case]) -> None:
    if year.depreciation is None:
        short = [case for case in cases if "micro-BIC" in case.name]
        before = cents(year.rents - year.charges - year.interest)
        if short and before > short[0].base:
            need = sheet.found("Amortissement à partir duquel le réel l'emporte", before - short[0].base, "€/an",
                               f"{euros(before)} − {euros(short[0].base)}")  # fmt: skip
            sheet.say(f"En meublé, le réel l'emporte sur le micro-BIC si l'amortissement annuel dépasse {euros(need)}.")
        sheet.assume("Amortissement du meublé non indiqué : non compté au réel, dont l'impôt est donc surestimé.")
        sheet.ask("purchase_price", "depreciation",
                  asked=_PRICE_ASKED)  # fmt: skip
    trade = LANDLORD_BY_TRADE
    if year.rents > trade.value:
        sheet.rule("Seuil du loueur professionnel", trade)
        sheet.say(
            f"Au-dessus de {euros(trade.value)} de recettes meublées, le loueur devient professionnel si elles "
            "dépassent aussi les autres revenus d'activité du foyer : cotisations sociales au lieu des prélèvements."
        )


def _deficits(told: Told, sheet: Sheet, cases: list[Case]) -> str:
    """The sentence of the deficit, empty without one; the first where it is what is asked."""
    leads, wanted = "", told.choice("wanted")
    for case in cases:
        if case.imputed:
            most = DEFICIT_ENERGY if told.flag("energy") else DEFICIT
            sheet.rule("Plafond du déficit foncier", most)
            sheet.found("Déficit foncier imputé sur le revenu global", case.imputed, "€/an",
                        f"déficit hors intérêts, dans la limite de {euros(most.value)}")  # fmt: skip
            leads = f"Déficit foncier : {euros(case.imputed)} imputés sur le revenu global, hors intérêts d'emprunt."
        if case.imputed and case.carried and wanted == "deficit":
            later = sheet.found("Déficit foncier reporté", case.carried, "€", f"{case.formula}, non imputé")
            leads = (
                f"Déficit foncier imputé sur le revenu global : {euros(case.imputed)}, et {euros(later)} à reporter "
                f"sur les revenus fonciers des {duration(DEFICIT_CARRIED.value * 12)} suivants."
            )
            sheet.rule("Durée du report", DEFICIT_CARRIED)
        elif case.carried and case.carries:
            later = sheet.found(
                f"Report, {case.name} ({case.carries})", case.carried, "€", f"{case.formula}, non utilisé"
            )
            sheet.say(f"En {case.name}, {euros(later)} de {case.carries} restent à reporter sur les années suivantes.")
    return leads


def _bases(sheet: Sheet, cases: list[Case]) -> None:
    low = min(cases, key=lambda case: case.base - case.imputed)
    sheet.lead(
        "Revenu imposable selon le régime : " + " ; ".join(f"{euros(case.base)} en {case.name}" for case in cases) + "."
    )
    sheet.say(f"Le revenu imposable le plus faible est celui du régime {low.name}, avant impôt.")
    sheet.asks, sheet.missing = "", ()
    sheet.ask("tmi", "income_yearly")
    sheet.table = (("Régime", "Revenu imposable"), *((case.name, euros(case.base)) for case in cases))


def _taxes(told: Told, sheet: Sheet, cases: list[Case], marginal: float) -> None:
    taxes = []
    for case in cases:
        base = (case.formula if "×" in case.formula else f"({case.formula})") if case.base else euros(0)
        how = f"{base} × ({percent(marginal)} + {percent(case.social)})"
        how += f" − {euros(case.imputed)} × {percent(marginal)}" if case.imputed else ""
        sheet.given("Prélèvements sociaux", case.social, "%")
        tax = sheet.found(f"Impôt et prélèvements, {case.name}", case.tax(marginal), "€/an", how)
        taxes.append(tax)
        saved = ", une économie d'impôt sur les autres revenus" if tax < 0 else ""
        sheet.say(
            f"En {case.name} : {signed(tax)} d'impôt et de prélèvements par an{saved}, pour "
            f"{euros(case.base)} imposables à {percent(marginal)} plus {percent(case.social)}."
        )
    low, high = taxes.index(min(taxes)), taxes.index(max(taxes))
    asked = [sheet.sentences[-len(cases) + at] for at, case in enumerate(cases) if _is_asked(told, case)]
    if len(asked) == 1:
        sheet.sentences.remove(asked[0])
        sheet.lead(asked[0])
    elif len(cases) > 1:
        least = signed(taxes[low])
        gap = sheet.found("Écart d'impôt entre régimes", taxes[high] - taxes[low], "€/an",
                          f"{signed(taxes[high])} − ({least})")  # fmt: skip
        sheet.lead(
            f"Régime le moins imposé : {cases[low].name}, {least} d'impôt et de prélèvements par an, {euros(gap)} de "
            f"moins qu'en {cases[high].name}."
        )
    sheet.table = (
        ("Régime", "Revenu imposable", "Impôt et prélèvements par an"),
        *((case.name, euros(case.base), signed(tax)) for case, tax in zip(cases, taxes, strict=True)),
    )


def _is_asked(told: Told, case: Case) -> bool:
    wanted = told.choice("wanted")
    return (wanted == "micro" and "micro" in case.name) or (wanted == "real" and "réel" in case.name)


def _deficit(told: Told, sheet: Sheet, marginal: float | None) -> None:
    """A land deficit of the year, interest left out: what comes off the overall income, and the tax it saves."""
    total, most = told.amount("deficit"), DEFICIT.value
    sheet.given("Déficit foncier", total, "€")
    sheet.rule("Plafond du déficit foncier", DEFICIT)
    imputed = sheet.found(
        "Déficit imputé sur le revenu global", min(total, most), "€/an", f"{euros(total)}, au plus {euros(most)}"
    )
    sheet.say(
        f"Déficit foncier imputé sur le revenu global : {euros(imputed)}, dans la limite de {euros(most)} par an."
    )
    if total > most:
        left = sheet.found("Déficit reporté", total - imputed, "€", f"{euros(total)} − {euros(imputed)}")
        sheet.rule("Durée du report", DEFICIT_CARRIED)
        sheet.rule("Plafond en cas de rénovation énergétique", DEFICIT_ENERGY)
        sheet.say(
            f"Report sur les revenus fonciers des {duration(DEFICIT_CARRIED.value * 12)} suivants : {euros(left)}.",
            f"Le plafond est de {euros(DEFICIT_ENERGY.value)} pour des travaux qui font sortir le logement des classes "
            "E, F ou G, sous conditions de date à vérifier.",
        )
    sheet.rule("Durée de location à tenir", DEFICIT_LET_FOR)
    sheet.assume(
        "Déficit supposé né de charges autres que les intérêts d'emprunt, pour un logement loué nu encore "
        f"{duration(DEFICIT_LET_FOR.value * 12)}."
    )
    if marginal is None:
        sheet.ask("tmi", "income_yearly")
        return
    saved = sheet.found(
        "Économie d'impôt sur le revenu", imputed * marginal / 100, "€/an", f"{euros(imputed)} × {percent(marginal)}"
    )
    sheet.lead(f"Économie d'impôt sur le revenu : {euros(saved)}, soit {percent(marginal)} de {euros(imputed)}.")
