"""The arithmetic of a loan: pure functions of capital, rate and months. No legal rule; not the TAEG of L314-1."""

import math
from dataclasses import dataclass

from pipeline.text.amounts import cents

HIGHEST_RATE, BISECTIONS = 25.0, 40


@dataclass(frozen=True, slots=True)
class Loan:
    """Euros, percent a year, months. `in_fine`: interest only, the capital at the end. `defer`: that many of the
    months, at the start, pay interest only. `insurance`: euros a month."""

    capital: float
    rate: float
    months: int
    insurance: float = 0.0
    in_fine: bool = False
    defer: int = 0

    @property
    def monthly_rate(self) -> float:
        return self.rate / 1200

    @property
    def instalment(self) -> float:
        """Euros a month, insurance left out, once the deferral is over; interest alone when in fine."""
        if self.in_fine:
            return self.interest_only
        return instalment(principal=self.capital, annual_rate=self.rate, months=self.months - self.defer)

    @property
    def interest_only(self) -> float:
        return cents(self.capital * self.monthly_rate)

    @property
    def interest(self) -> float:
        """Euros over the whole loan, from instalments rounded to the cent; exactly 0 at 0 %."""
        if self.rate == 0:
            return 0.0
        if self.in_fine:
            return cents(self.interest_only * self.months)
        paid = self.instalment * (self.months - self.defer) + self.interest_only * self.defer
        return max(0.0, cents(paid - self.capital))

    @property
    def cost(self) -> float:
        """Interest and insurance."""
        return cents(self.interest + self.insurance * self.months)

    def remaining(self, after: int) -> float:
        """Euros still owed once `after` instalments are paid."""
        if after >= self.months:
            return 0.0
        if self.in_fine or after <= self.defer:
            return cents(self.capital)
        whole = share_of_capital(self.rate, self.months - self.defer)
        return cents(self.capital * whole / share_of_capital(self.rate, self.months - after))

    def interest_paid(self, after: int) -> float:
        """Euros of interest within the first `after` instalments."""
        after = min(after, self.months)
        if self.in_fine:
            return cents(self.interest_only * after)
        deferred = min(after, self.defer)
        exact = self.capital * share_of_capital(self.rate, self.months - self.defer)
        repaid = self.capital - self.remaining(after)
        return max(0.0, cents(self.interest_only * deferred + exact * (after - deferred) - repaid))


def share_of_capital(annual_rate: float, months: int) -> float:
    """One constant instalment in arrears of a capital of 1, i = rate / 12; exact also for rates near zero."""
    i = annual_rate / 1200
    repaid = -math.expm1(-months * math.log1p(i))
    return i / repaid if repaid else 1 / months


def instalment(*, principal: float, annual_rate: float, months: int) -> float:
    """Euros a month: P i / (1 - (1 + i)^-n), P / n at 0 %."""
    return cents(principal * share_of_capital(annual_rate, months))


def affordable(*, instalment: float, annual_rate: float, months: int, insurance_rate: float = 0.0) -> float:
    """Euros, rounded down: the capital whose constant instalment, insurance on the initial capital included, is
    `instalment`."""
    return float(math.floor(instalment / (share_of_capital(annual_rate, months) + insurance_rate / 1200) + 1e-6))


def rate_for(*, principal: float, instalment: float, months: int) -> float | None:
    """Percent a year, to the hundredth, at which constant instalments repay the loan; None where they never do, or only
    at a rate that no bank has."""
    low, high = 0.0, HIGHEST_RATE
    if not share_of_capital(low, months) <= instalment / principal <= share_of_capital(high, months):
        return None
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        above = share_of_capital(middle, months) > instalment / principal
        low, high = (low, middle) if above else (middle, high)
    return cents(high)


def months_needed(*, principal: float, instalment: float, annual_rate: float) -> int | None:
    """Months, rounded up, in which constant instalments repay the loan; None when they never do."""
    i = annual_rate / 1200
    if i == 0:
        return math.ceil(principal / instalment - 1e-9)
    if instalment <= principal * i:
        return None
    return math.ceil(-math.log1p(-principal * i / instalment) / math.log1p(i) - 1e-9)
