"""What a loan pays back and costs, year by year, or case by case: values for a table and a picture, nothing new."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pipeline.series import Column, Schedule
from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.loans.amortisation import Loan
from pipeline.tools.calculation.loans.loan_cases import Case
from pipeline.tools.calculation.sheet import duration

MOST_CASES: Final = 8
"""Bars that a phone can still tell apart."""


def of_cases(cases: Sequence[Case]) -> tuple[Schedule, ...]:
    """One loan by year, several by their cost; none where it would show nothing: a loan within a year, one that costs
    nothing or whose years are alike (in fine), or too many cases."""
    if len(cases) == 1:
        loan = cases[0].loan
        return (by_year(loan),) if loan.months > 12 and loan.cost > 0 and not loan.in_fine else ()
    return (by_case(cases),) if len(cases) <= MOST_CASES and any(case.loan.cost > 0 for case in cases) else ()


def by_year(loan: Loan) -> Schedule:
    """Euros of capital, interest and insurance in each year of the loan, counted from its first instalment. The last
    year takes up what rounding the instalments leaves, so that each column adds up to the result of the loan."""
    ends = [*range(12, loan.months, 12), loan.months]
    owed = [loan.capital, *(loan.remaining(end) for end in ends)]
    paid = [0.0, *(loan.interest_paid(end) for end in ends[:-1]), loan.interest]
    insured = [0.0, *(cents(loan.insurance * end) for end in ends)]
    columns = [
        Column("Capital remboursé", "€", _steps(owed, -1), _CAPITAL, loan.capital),
        Column("Intérêts", "€", _steps(paid), _INTEREST, loan.interest),
    ]
    if loan.insurance:
        whole = cents(loan.insurance * loan.months)
        columns.append(Column("Assurance", "€", _steps(insured), "12 × assurance mensuelle", whole))
    return Schedule(
        kind="loan",
        title=f"Prêt de {euros(loan.capital)} à {percent(loan.rate)} sur {duration(loan.months)}",
        axis="Année du prêt",
        steps=tuple(str(number) for number in range(1, len(ends) + 1)),
        columns=tuple(columns),
        notes=tuple(_notes(loan)),
    )


_CAPITAL: Final = "capital restant dû au début de l'année − à la fin"
_INTEREST: Final = "mensualités de l'année − capital remboursé"


def _steps(running: Sequence[float], sign: int = 1) -> tuple[float, ...]:
    """What each year adds to a running total, in euros and never below zero."""
    return tuple(max(0.0, cents(sign * (after - before))) for before, after in pairwise(running))


def _notes(loan: Loan) -> list[str]:
    covered = "assurance comprise" if loan.insurance else "hors assurance"
    notes = [f"Coût total {covered} : {euros(loan.cost)}"]
    if loan.defer:
        notes.append(f"Différé de {duration(loan.defer)} : intérêts seuls")
    if left := loan.months % 12:
        notes.append(f"La dernière année compte {left} mois")
    return notes


def by_case(cases: Sequence[Case]) -> Schedule:
    """Euros of interest and insurance of each case over its whole length, and what it pays a month."""
    loans = [case.loan for case in cases]
    insured = any(loan.insurance for loan in loans)
    left_out = "" if insured else "assurance, "
    columns = [Column("Intérêts", "€", tuple(loan.interest for loan in loans), "mensualités − capital")]
    if insured:
        whole = tuple(cents(loan.insurance * loan.months) for loan in loans)
        columns.append(Column("Assurance", "€", whole, "assurance mensuelle × nombre de mois"))
    paid = tuple(cents(loan.instalment + loan.insurance) for loan in loans)
    columns.append(Column("Mensualité", "€/mois", paid, "mensualité constante, assurance comprise quand elle est dite"))
    return Schedule(
        kind="loans",
        title=f"Coût d'un prêt de {euros(loans[0].capital)}",
        axis="Cas",
        steps=tuple(case.said.strip() for case in cases),
        columns=tuple(columns),
        notes=(f"Sur toute la durée, hors {left_out}frais de dossier et de garantie",),
    )
