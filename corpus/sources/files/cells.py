"""Values of spreadsheet cells as a French reader writes them."""

import re
from datetime import date, datetime, time, timedelta
from typing import Final

_LITERAL: Final = re.compile(r"\"[^\"]*\"|\\.|\[[^\]]*\]")
_GROUPED: Final = re.compile(r"#[,\s\u00a0\u202f]##0")


def shown_value(value: object, *, number_format: str = "") -> str:
    """3500.5 -> « 3500,5 », or « 3 500,5 » where the format groups; 0.035 as percent -> « 3,5 % »; a date ->
    « 21/11/2026 »; an error value -> nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "vrai" if value else "faux"
        case datetime():
            return f"{value:%d/%m/%Y}" if value.time() == time() else f"{value:%d/%m/%Y %H:%M}"
        case date():
            return f"{value:%d/%m/%Y}"
        case time() | timedelta():
            return str(value)
        case int() | float():
            return _number(value, number_format)
        case str():
            return "" if re.fullmatch(r"#[A-Z0-9/]+[!?]?", value) else value
        case _:
            return str(value)


def _number(value: float, number_format: str) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    percent = "%" in _LITERAL.sub("", number_format)
    text = f"{round(value * 100 if percent else value, 10):.12g}" if abs(value) < 1e15 else f"{value:.0f}"
    if "e" in text:  # tiny ones
        text = f"{value:.15f}".rstrip("0")
    if _GROUPED.search(number_format) and abs(value) >= 1000:
        whole, _, rest = text.partition(".")
        text = f"{int(whole):,}".replace(",", " ") + (f".{rest}" if rest else "")
    unit = " %" if percent else " €" if "€" in number_format else ""
    return text.replace(".", ",") + unit
