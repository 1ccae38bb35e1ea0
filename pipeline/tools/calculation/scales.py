"""Progressive scales: what each step of an amount pays at its own rate."""

from collections.abc import Sequence

from pipeline.text.amounts import cents, euros, percent

Scale = Sequence[tuple[float, float]]
"""(end of the step in euros, percent), the last one without an end."""


def by_steps(amount: float, scale: Scale) -> float:
    """Euros."""
    return cents(sum(part * rate / 100 for part, rate in _parts(amount, scale)))


def steps_formula(amount: float, scale: Scale) -> str:
    """`8 072 € × 5 % + 4 037 € × 10 %`, without the steps that pay nothing."""
    return " + ".join(f"{euros(part)} × {percent(rate)}" for part, rate in _parts(amount, scale) if rate) or "0"


def _parts(amount: float, scale: Scale) -> list[tuple[float, float]]:
    found, start = [], 0.0
    for end, rate in scale:
        if amount > start:
            found.append((cents(min(amount, end) - start), rate))
        start = end
    return found
