"""Amounts and rates as they are rounded and written in French."""

from decimal import ROUND_HALF_UP, Decimal


def cents(value: float) -> float:
    """Rounded half up to the hundredth, as amounts are published."""
    return float(Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_UP))


def whole(value: float) -> float:
    """Rounded half up to the euro, as the tax is."""
    return float(Decimal(str(value)).quantize(Decimal(1), ROUND_HALF_UP))


def euros(value: float) -> str:
    """`1234.5` -> `1 234,50 €`; whole amounts without decimals."""
    rounded = cents(value)
    text = f"{rounded:,.2f}" if rounded != int(rounded) else f"{rounded:,.0f}"
    return text.replace(",", "\u202f").replace(".", ",") + "\u00a0€"


def percent(value: float, *, digits: int | None = None) -> str:
    """`5.0526`, digits=2 -> `5,05 %`; without digits, as few as the value needs (at most 3)."""
    text = f"{value:.{digits}f}" if digits is not None else f"{value:.3f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") + "\u00a0%"
