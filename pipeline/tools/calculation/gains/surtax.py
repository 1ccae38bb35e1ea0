"""The tax on high property gains, which comes on top of income tax and social levies."""

from dataclasses import dataclass
from typing import Final

from pipeline.text.amounts import cents, euros, percent, whole

FROM: Final = 50_000.0
"""Taxable gain (after the income-tax allowance) above which it is due, on the whole of it."""
STEP: Final = 10_000.0
SCALE: Final = (
    (60_000.0, 2.0, 5),
    (110_000.0, 3.0, 10),
    (160_000.0, 4.0, 15),
    (210_000.0, 5.0, 20),
    (260_000.0, 6.0, 25),
)
"""End of the step that leads to a rate, the rate in percent, and the percent of what is missing to that end that is
taken off within the step, so that no euro of gain costs more than it brings."""


@dataclass(frozen=True, slots=True)
class Surtax:
    """Euros due on `base`, the rate in percent, and what smoothing took off."""

    base: float
    rate: float
    smoothing: float
    due: float


def surtax(base: float) -> Surtax:
    """The scale of CGI 1609 nonies G, III, on the gain taxable to income tax; zero up to 50,000 euros. Not for building
    land. The scale is each seller's own: spouses and co-owners count each their share."""
    rate = smoothing = 0.0
    for end, percent_of, off in SCALE:
        if base <= end - STEP:
            break
        rate, smoothing = percent_of, cents(max(0.0, end - base) * off / 100)
    return Surtax(base, rate, smoothing, whole(base * rate / 100 - smoothing))


def sentence(found: Surtax) -> str:
    """Empty when nothing is due."""
    if not found.due:
        return ""
    less = f" moins {euros(found.smoothing)} de lissage entre deux tranches" if found.smoothing else ""
    return (
        f"Surtaxe sur les plus-values élevées : {euros(found.due)}, soit {percent(found.rate)} de {euros(found.base)}"
        f"{less}, pour un seul vendeur (époux et indivisaires comptent chacun leur part)."
    )
