"""One loan, or several cases of it side by side, said in French."""

from dataclasses import dataclass
from typing import Final

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.loans.amortisation import Loan
from pipeline.tools.calculation.sheet import MOST_SAID, Sheet, duration, term
from pipeline.tools.calculation.values import Told

NEAR_ENOUGH: Final = 2.0
"""Euros a month between what is announced and what is computed: rounding, or a first instalment."""


@dataclass(frozen=True, slots=True)
class Case:
    """`name`: ` à 3,2 % sur 20 ans`, with its space in front; empty when the case is the only one."""

    name: str
    loan: Loan

    @property
    def said(self) -> str:
        return self.name or named(self.loan.rate, self.loan.months, several=True)


def named(rate: float, months: float, *, several: bool) -> str:
    return f" à {percent(rate)} sur {duration(months)}" if several else ""


def say_cases(told: Told, sheet: Sheet, cases: list[Case]) -> None:
    """Results of each case, the sentences, and for several cases the differences and the table."""
    insured = bool(cases[0].loan.insurance)
    for case in cases:
        _results(sheet, case)
    sheet.say(*_instalments(cases), *_deferred(sheet, cases))
    costs = _costs(cases, insured=insured)
    if told.choice("wanted") == "cost":
        sheet.lead(costs)
    else:
        sheet.say(costs)
    if len(cases) > 1:
        _differences(told, sheet, cases)
    _remaining(told, sheet, cases)
    _against_cap(told, sheet, cases)
    _against_claim(told, sheet, cases)
    if told.choice("wanted") == "both" and len(cases) == 1:
        _with_cost(sheet, cases[0])
    if told.choice("wanted") == "first_year":
        _first_year(sheet, cases[0])
    if told.choice("wanted") == "insurance" and insured:
        _insurance(sheet, cases)
    if told.choice("wanted") == "yearly":
        _yearly(sheet, cases)


def _results(sheet: Sheet, case: Case) -> None:
    loan, name = case.loan, case.name
    paid, months = loan.instalment, loan.months
    sheet.found(f"Mensualité hors assurance{name}", paid, "€/mois", instalment_formula(loan))
    if loan.insurance:
        sheet.found(f"Assurance mensuelle{name}", loan.insurance, "€/mois", "assurance sur le capital initial / 12")
        total = cents(paid + loan.insurance)
        sheet.found(f"Mensualité assurance comprise{name}", total, "€/mois", f"{euros(paid)} + {euros(loan.insurance)}")
    if loan.defer:
        only = f"{euros(loan.capital)} × {percent(loan.rate)} / 12"
        sheet.found(f"Mensualité pendant le différé{name}", loan.interest_only, "€/mois", only)
    if loan.in_fine:
        sheet.found(f"Capital à rembourser au terme{name}", loan.capital, "€", "capital emprunté")
        how = f"{euros(loan.interest_only)} × {months}"
    else:
        how = f"{euros(paid)} × {months - loan.defer}" + (
            f" + {euros(loan.interest_only)} × {loan.defer}" if loan.defer else ""
        )
        how += f" − {euros(loan.capital)}"
    sheet.found(f"Intérêts{name}", loan.interest, "€", how)
    if loan.insurance:
        whole = cents(loan.insurance * months)
        sheet.found(f"Coût de l'assurance{name}", whole, "€", f"{euros(loan.insurance)} × {months}")
        label = f"Coût total du crédit assurance comprise{name}"
        sheet.found(label, loan.cost, "€", f"{euros(loan.interest)} + {euros(whole)}")
    else:
        sheet.found(f"Coût total du crédit hors assurance{name}", loan.cost, "€", how)


def instalment_formula(loan: Loan) -> str:
    """How the instalment comes about, with its numbers."""
    if loan.in_fine:
        return f"{euros(loan.capital)} × {percent(loan.rate)} / 12"
    months = loan.months - loan.defer
    if loan.rate == 0:
        return f"{euros(loan.capital)} / {months}"
    return f"{euros(loan.capital)} × i / (1 − (1 + i)^−{months}), i = {percent(loan.rate)} / 12"


def _few(cases: list[Case]) -> list[Case]:
    """All, or the cheapest and the dearest when they are too many for one sentence."""
    if len(cases) <= MOST_SAID:
        return cases
    ordered = sorted(cases, key=lambda case: case.loan.cost)
    return [ordered[0], ordered[-1]]


def _instalments(cases: list[Case]) -> tuple[str, ...]:
    loan = cases[0].loan
    kind = "Mensualité d'intérêts du prêt in fine" if loan.in_fine else "Mensualité"
    end = f", le capital de {euros(loan.capital)} étant remboursé en une fois au terme" if loan.in_fine else ""
    if len(cases) == 1:
        both = f" et {euros(loan.instalment + loan.insurance)} assurance comprise" if loan.insurance else ""
        return (
            f"{kind} : {euros(loan.instalment)} hors assurance{both}, pour {euros(loan.capital)} "
            f"empruntés{cases[0].said}{end}.",
        )
    each = " ; ".join(f"{euros(case.loan.instalment)}{case.said}" for case in _few(cases))
    said = f"{kind} hors assurance, pour {euros(loan.capital)} empruntés : {each}{end}."
    if not loan.insurance:
        return (said,)
    whole = " ; ".join(f"{euros(case.loan.instalment + case.loan.insurance)}{case.said}" for case in _few(cases))
    return said, f"Mensualité assurance comprise : {whole}."


def _deferred(sheet: Sheet, cases: list[Case]) -> tuple[str, ...]:
    loan = cases[0].loan
    if not loan.defer:
        return ()
    each = " ; ".join(f"{euros(case.loan.interest_only)}{case.name}" for case in _few(cases))
    return (f"Pendant le différé de {duration(loan.defer)}, les intérêts seuls sont payés chaque mois : {each}.",)


def _costs(cases: list[Case], *, insured: bool) -> str:
    label = "Coût total du crédit " + ("assurance comprise" if insured else "hors assurance")
    if len(cases) == 1:
        loan = cases[0].loan
        of = f", dont {euros(loan.interest)} d'intérêts et {euros(loan.insurance * loan.months)} d'assurance"
        return f"{label} : {euros(loan.cost)}{of if insured else ''}, hors frais de dossier et de garantie."
    each = " ; ".join(f"{euros(case.loan.cost)}{case.said}" for case in _few(cases))
    return f"{label}, hors frais de dossier et de garantie : {each}."


def _differences(told: Told, sheet: Sheet, cases: list[Case]) -> None:
    ordered = sorted(cases, key=lambda case: case.loan.cost)
    low, high = ordered[0], ordered[-1]
    gap = sheet.found(
        "Écart de coût total", high.loan.cost - low.loan.cost, "€", f"{euros(high.loan.cost)} − {euros(low.loan.cost)}"
    )
    paid = abs(cents(high.loan.instalment - low.loan.instalment))
    amounts = sorted((high.loan.instalment, low.loan.instalment), reverse=True)
    sheet.found("Écart de mensualité", paid, "€/mois", " − ".join(euros(amount) for amount in amounts))
    way = "de moins" if high.loan.instalment < low.loan.instalment else "de plus"
    whole = (
        f"Écart de coût total : {euros(gap)} entre le prêt{low.said} et le prêt{high.said}, plus cher, dont la "
        f"mensualité est de {euros(paid)} {way}."
    )
    (sheet.lead if told.choice("wanted") == "gap" else sheet.say)(whole)
    if told.choice("wanted") == "monthly_gap":
        sheet.lead(f"Écart de mensualité : {euros(paid)} par mois entre le prêt{low.said} et le prêt{high.said}.")
    header = ["Cas", "Mensualité hors assurance", "Intérêts", "Coût total"]
    insured = bool(cases[0].loan.insurance)
    if insured:
        header.insert(2, "Mensualité assurance comprise")
    rows = []
    for case in cases:
        loan = case.loan
        row = [case.said.strip(), euros(loan.instalment), euros(loan.interest), euros(loan.cost)]
        if insured:
            row.insert(2, euros(loan.instalment + loan.insurance))
        rows.append(tuple(row))
    sheet.table = (tuple(header), *rows)


def _remaining(told: Told, sheet: Sheet, cases: list[Case]) -> None:
    after = told.one("after_months")
    if after is None:
        return
    term(sheet, "Mensualités payées", after)
    said = []
    for case in cases:
        left, repaid = case.loan.remaining(int(after)), case.loan.interest_paid(int(after))
        sheet.found(f"Capital restant dû{case.name}", left, "€", owed_formula(case.loan, int(after)))
        sheet.found(f"Intérêts déjà payés{case.name}", repaid, "€", "mensualités payées − capital remboursé")
        back = sheet.found(f"Capital remboursé{case.name}", case.loan.capital - left, "€",
                           f"{euros(case.loan.capital)} − {euros(left)}")  # fmt: skip
        whole = f"{euros(back)} de capital et " if len(cases) == 1 else ""
        said.append(f"{euros(left)}{case.name} ({whole}{euros(repaid)} d'intérêts déjà payés)")
    sentence = f"Capital restant dû après {duration(after)} : {' ; '.join(said[:MOST_SAID])}."
    if told.choice("wanted") in ("", "remaining"):
        sheet.lead(sentence)
    else:
        sheet.say(sentence)


def owed_formula(loan: Loan, after: int) -> str:
    """How what is left of the capital comes about, with its numbers."""
    whole, left = loan.months - loan.defer, max(0, loan.months - after)
    if loan.in_fine or after <= loan.defer:
        return f"capital de {euros(loan.capital)} non encore remboursé" if left else "prêt remboursé"
    if not loan.rate or not left:
        return f"{euros(loan.capital)} × {left} / {whole}"
    return f"{euros(loan.capital)} × (1 − (1 + i)^−{left}) / (1 − (1 + i)^−{whole}), i = {percent(loan.rate)} / 12"


def _against_cap(told: Told, sheet: Sheet, cases: list[Case]) -> None:
    cap = told.one("monthly_cap")
    if cap is None:
        return
    for case in cases[:MOST_SAID]:
        paid = cents(case.loan.instalment + case.loan.insurance)
        verdict = "tient dans" if paid <= cap else "dépasse"
        gap = abs(cents(cap - paid))
        how = f"{euros(max(cap, paid))} − {euros(min(cap, paid))}"
        sheet.found(f"Écart avec la mensualité voulue{case.name}", gap, "€/mois", how)
        sheet.say(
            f"La mensualité de {euros(paid)}{case.name} {verdict} la limite de {euros(cap)}, à {euros(gap)} près."
        )


def _against_claim(told: Told, sheet: Sheet, cases: list[Case]) -> None:
    """What somebody says that the instalment is, beside what it is."""
    claimed = told.one("claimed")
    if claimed is None:
        return
    sheet.given("Mensualité annoncée", claimed, "€/mois")
    for case in reversed(cases[:MOST_SAID]):
        paid = cents(case.loan.instalment + case.loan.insurance)
        of = "assurance comprise" if case.loan.insurance else "hors assurance"
        how = f"{euros(max(claimed, paid))} − {euros(min(claimed, paid))}"
        gap = sheet.found(f"Écart avec la mensualité annoncée{case.name}", abs(claimed - paid), "€/mois", how)
        if gap <= NEAR_ENOUGH:
            sheet.lead(f"La mensualité annoncée de {euros(claimed)} est juste{case.name} : {euros(paid)} {of}.")
            continue
        way = "de trop" if claimed > paid else "de moins que le calcul"
        sheet.lead(
            f"La mensualité annoncée de {euros(claimed)} ne correspond pas{case.name} : {euros(paid)} {of}, soit "
            f"{euros(gap)} {way}."
        )
        if claimed > paid and not case.loan.insurance:
            sheet.assume(
                "L'écart peut venir de l'assurance, des garanties ou de frais compris dans ce qui est annoncé."
            )


def _with_cost(sheet: Sheet, case: Case) -> None:
    """One sentence for what is asked in one breath."""
    loan, of = case.loan, "assurance comprise" if case.loan.insurance else "hors assurance"
    paid = cents(loan.instalment + loan.insurance)
    sheet.lead(
        f"Mensualité : {euros(paid)} {of}, et coût total du crédit : {euros(loan.cost)} {of}, pour "
        f"{euros(loan.capital)} empruntés{case.said}."
    )


def _first_year(sheet: Sheet, case: Case) -> None:
    loan = case.loan
    months = min(12, loan.months)
    interest = sheet.found("Intérêts de la première année", loan.interest_paid(months), "€",
                           f"{months} mensualités − capital remboursé")  # fmt: skip
    back = sheet.found("Capital remboursé la première année", loan.capital - loan.remaining(months), "€",
                       f"{euros(loan.capital)} − capital restant dû")  # fmt: skip
    sheet.lead(f"La première année{case.name} : {euros(interest)} d'intérêts et {euros(back)} de capital remboursé.")


def _insurance(sheet: Sheet, cases: list[Case]) -> None:
    each = [(case.said, cents(case.loan.insurance * case.loan.months)) for case in _few(cases)]
    sheet.lead(f"Coût de l'assurance : {' ; '.join(f'{euros(cost)}{name}' for name, cost in each)}.")


def _yearly(sheet: Sheet, cases: list[Case]) -> None:
    for case in reversed(cases[:MOST_SAID]):
        loan = case.loan
        if loan.in_fine:
            how = f"{euros(loan.capital)} × {percent(loan.rate)}"
            year = sheet.found(f"Intérêts par an{case.name}", loan.capital * loan.rate / 100, "€/an", how)
            sheet.lead(f"Intérêts par an du prêt in fine{case.name} : {euros(year)}, hors assurance.")
            continue
        paid = cents(loan.instalment + loan.insurance)
        year = sheet.found(f"Total annuel des mensualités{case.name}", 12 * paid, "€/an", f"12 × {euros(paid)}")
        sheet.lead(f"Total annuel des mensualités{case.name} : {euros(year)}.")
