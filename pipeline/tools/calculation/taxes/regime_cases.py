"""Each way of taxing the rents of a year: micro and real regime, bare and furnished. Pure functions of one year."""

from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    BARE_SOCIAL,
    DEFICIT,
    FURNISHED_SOCIAL,
    MICRO_BARE,
    MICRO_BARE_CEILING,
    MICRO_FURNISHED,
    MICRO_FURNISHED_CEILING,
    MICRO_FURNISHED_LEAST,
    MICRO_TOURIST,
    MICRO_TOURIST_CEILING,
    Rule,
)


@dataclass(frozen=True, slots=True)
class Year:
    """Euros of one year. `charges`: all that is deducted but interest; `earlier`: land deficits carried from earlier
    years; `depreciation` None: unknown."""

    rents: float
    charges: float = 0.0
    interest: float = 0.0
    depreciation: float | None = None
    earlier: float = 0.0
    limit: float = DEFICIT.value


@dataclass(frozen=True, slots=True)
class Case:
    """One regime: what is taxed, at which social rate, and by which formula. `imputed`: land deficit taken off the
    overall income; `carried`: deficit or depreciation left for later years."""

    name: str
    base: float
    social: float
    formula: str
    imputed: float = 0.0
    carried: float = 0.0
    carries: str = ""

    def tax(self, marginal: float) -> float:
        """Euros a year; negative when a deficit lowers the tax on other income (no social levies on it)."""
        return cents(self.base * (marginal + self.social) / 100 - self.imputed * marginal / 100)


@dataclass(frozen=True, slots=True)
class Micro:
    """A lump allowance and the receipts up to which it may be had."""

    name: str
    allowance: Rule
    ceiling: Rule
    social: Rule
    least: float = 0.0


BARE = Micro("location nue au micro-foncier", MICRO_BARE, MICRO_BARE_CEILING, BARE_SOCIAL)
LONG = Micro("meublé au micro-BIC", MICRO_FURNISHED, MICRO_FURNISHED_CEILING, FURNISHED_SOCIAL,
             MICRO_FURNISHED_LEAST.value)  # fmt: skip
CLASSIFIED = Micro("meublé de tourisme classé au micro-BIC", MICRO_FURNISHED, MICRO_FURNISHED_CEILING, FURNISHED_SOCIAL,
                   MICRO_FURNISHED_LEAST.value)  # fmt: skip
UNCLASSIFIED = Micro("meublé de tourisme non classé au micro-BIC", MICRO_TOURIST, MICRO_TOURIST_CEILING,
                     FURNISHED_SOCIAL, MICRO_FURNISHED_LEAST.value)  # fmt: skip


def micro(kind: Micro, year: Year) -> Case | None:
    """None above the ceiling. The allowance is at least `least`, within the rents."""
    if year.rents > kind.ceiling.value:
        return None
    off = min(year.rents, max(year.rents * kind.allowance.value / 100, kind.least))
    how = f"{euros(year.rents)} × (100 % − {percent(kind.allowance.value)})"
    if off > cents(year.rents * kind.allowance.value / 100):
        how = f"{euros(year.rents)} − {euros(off)} d'abattement minimal"
    return Case(kind.name, cents(year.rents - off), kind.social.value, how)


def _before(year: Year) -> str:
    """The rents less what was told."""
    off = [f" − {euros(year.charges)} de charges"] if year.charges or not year.interest else []
    off += [f" − {euros(year.interest)} d'intérêts"] if year.interest else []
    return euros(year.rents) + "".join(off)


def bare_real(year: Year) -> Case:
    """CGI 28 to 31 and 156, I, 3°: the rents bear the interest first; what other charges leave below zero comes off
    the overall income up to the year's limit, the rest and the surplus of interest are carried on for 10 years."""
    name, social = "location nue au réel", BARE_SOCIAL.value
    result = cents(year.rents - year.interest - year.charges)
    how = _before(year)
    if result >= 0:
        used = min(result, year.earlier)
        how += f" − {euros(used)} de déficit antérieur" if used else ""
        return Case(name, cents(result - used), social, how, carried=cents(year.earlier - used),
                    carries="déficit antérieur" if year.earlier > used else "")  # fmt: skip
    surplus = max(0.0, cents(year.interest - year.rents))
    imputed = min(year.limit, cents(-result - surplus))
    left = cents(-result - imputed + year.earlier)
    return Case(name, 0.0, social, how, imputed, left, "déficit foncier" if left else "")


def furnished_real(year: Year) -> Case:
    """CGI 39 C: depreciation neither makes nor deepens a deficit; what is left of it, or the deficit, is carried on."""
    before = cents(year.rents - year.charges - year.interest)
    told = year.depreciation
    used = min(told or 0.0, max(0.0, before))
    name = "meublé au réel" if told is not None else "meublé au réel, hors amortissement"
    how = _before(year)
    how += f" − {euros(used)} d'amortissement" if told is not None else ""
    if before < 0:
        return Case(name, 0.0, FURNISHED_SOCIAL.value, how, carried=-before, carries="déficit de location meublée")
    left = cents((told or 0.0) - used)
    return Case(name, cents(before - used), FURNISHED_SOCIAL.value, how, carried=left,
                carries="amortissement" if left else "")  # fmt: skip
