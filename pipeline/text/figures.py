"""French numbers, percentages, amounts, durations and dates -> comparable values, for the figure check."""

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final, Literal

from pipeline.text.dates import YEAR, dates
from pipeline.text.references import references
from pipeline.text.sentences import MARKER
from pipeline.text.wording import in_digits, without_idioms

ValueKind = Literal[
    "number", "percent", "amount", "measure", "ordinal", "day", "month", "day-month", "year", "impossible"
]


@dataclass(frozen=True, slots=True)
class Value:
    """A figure. `value`: a Decimal, or the ISO form of a date. `unit` as normalised (`€`, `€/m²`, `%`, `an`, empty);
    `period` of an amount (`mois`, `an`, empty); `start`, `end` are places in `in_digits(text)`."""

    kind: ValueKind
    value: Decimal | str
    unit: str
    start: int
    end: int
    period: str = ""
    approximate: bool = False


_NUMBER: Final = (
    r"(?<![\w,.])(?:(?<![\d)\]%€²]\s)(?<![\w)\]%€²])(?P<sign>[-+]))?"
    r"(?P<digits>\d{1,3}(?:(?P<gap>[ .])\d{3})(?:(?P=gap)\d{3})*(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)?)"
)
_SCALE: Final = (
    r"(?:\s?(?P<scale>k(?=\s?€)|M(?=\s?€|d\b)d?|Mds?\b|milliers?|mille\b|millions?|milliards?)(?:\s+(?:de\b|d'))?)?"
)
_UNIT: Final = (
    r"(?:(?P<unit>\s?%|\s?(?:€|(?:d')?euros?\b|EUR\b)|\s?kWh(?:E[FP])?|\s?m[²2](?!\w)|\s?(?:ha|km|m)\b(?!²)|"
    r"\s?(?:ans?|années?)\b|\s?mois\b|\s?(?:jours?|j)\b|\s?semaines?\b|\s?(?:nuits?|nuitées?)\b|\s?(?:points?|pts?)\b|"
    r"\s?mètres?(?:\scarrés?)?\b|(?P<rank>(?:er|re|ère|e|es|ème|ième|nd|nde|de)\b)))?"
)
_PER_AREA: Final = r"(?P<area>\s?(?:/\s?|par\s|du\s|le\s|au\s)(?:m[²2]|mètre\scarré))?"
_PERIOD: Final = r"(?:\s?(?:/\s?|par\s|l')?(?P<period>mois|mensuels?|an|annuels?|année)\b)?"
_FIGURE: Final = re.compile(_NUMBER + _SCALE + _UNIT + _PER_AREA + _PERIOD, re.IGNORECASE)
SHARES: Final = re.compile(r"\s?(?:à|et|ou|/|-|–|,|;|puis|contre)\s?(?:(?:de|à|d'|des|les|le|la)\s)?", re.IGNORECASE)
_ABOUT: Final = re.compile(
    r"(?:≈|~|\benviron|\bquelque|\bprès de|\bautour de|\bde l'ordre de|\bun peu (?:plus|moins) de|"
    r"\bà peine|\bpresque|\bquasiment|"
    r"\baux alentours de|"
    r"\bà peu près|\b(?:approche|avoisine|frôle)(?:nt|rait)?|\bun peu (?:au-dessus|au-dessous|en dessous) de|"
    r"\bpas loin de|\bproche de|\bgrosso modo|\bau bas mot)\s?(?:de\s|d')?$",
    re.IGNORECASE,
)
_LONGEST_ABOUT: Final = 32
_ABOUT_AFTER: Final = re.compile(r"\s?environ\b", re.IGNORECASE)
_SCALES: Final = {"k": 3, "m": 6, "md": 9, "mds": 9, "millier": 3, "mille": 3, "million": 6, "milliard": 9}
_UNITS: Final = {
    "%": "%", "€": "€", "euro": "€", "eur": "€", "m²": "m²", "m2": "m²", "mètre carré": "m²", "mètres carré": "m²",
    "an": "an", "année": "an", "jour": "jour", "j": "jour", "moi": "mois", "semaine": "semaine", "nuit": "nuit",
    "nuitée": "nuit", "point": "point", "pt": "point", "ha": "ha", "km": "km", "m": "m", "mètre": "m",
}  # fmt: skip
_BARE: Final = 100_000
"""From here on a number may leave « euros » unsaid: `entre 1,3 et 1,4 million`."""
_DIGIT: Final = re.compile(r"\d")
_LIST_NUMBER: Final = re.compile(r"^\s*\d{1,2}[.)]\s+(?=\S)")
_NAMED: Final = re.compile(
    r"\b(?:tranches?|classes?|zones?|phases?|niveaux?|étapes?|lots?|groupes?|catégories?|cases?|Loc|T)\s?$",
    re.IGNORECASE,
)
"""`tranche 1, 40 %`: that number is a name, and no percentage."""
_COUNTS: Final = re.compile(
    r"^\s(?:ventes|mutations|logements|communes|appartements|maisons|biens|transactions|lots)\b"
)


@lru_cache(maxsize=8192)
def figures(text: str, *, generous: bool = False) -> tuple[Value, ...]:
    """Every figure of one sentence, in order. Citation markers, list numbers and rule references are none.
    `generous` is for evidence: see `in_digits`."""
    blanked = _blanked(text)
    plain = in_digits(blanked if generous else without_idioms(blanked), generous=generous)
    if not _DIGIT.search(plain):
        return ()
    found = [Value(day.kind, day.iso, "", day.start, day.end) for day in dates(plain)]
    taken = [(v.start, v.end) for v in found]
    taken += [(r.start, r.end) for r in references(plain) if _free(r.start, r.end, taken)]
    for match in _FIGURE.finditer(_masked(plain, taken)):
        found.append(_value(match, plain))
    return tuple(_shared(sorted(found, key=lambda value: value.start), plain))


def _blanked(text: str) -> str:
    text = _LIST_NUMBER.sub("", text, count=1)
    return MARKER.sub(lambda marker: " " * len(marker.group()), text) if "[" in text else text


def _free(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return all(end <= other_start or start >= other_end for other_start, other_end in taken)


def _masked(text: str, taken: list[tuple[int, int]]) -> str:
    """Places already read become underscores: word characters, so that no number starts beside them by accident."""
    for start, end in taken:
        text = text[:start] + "_" * (end - start) + text[end:]
    return text


def _value(match: re.Match[str], text: str) -> Value:
    digits = match["digits"]
    start, end = match.start("digits"), match.end()
    unit = _unit(match)
    if match["rank"]:
        return Value("ordinal", Decimal(digits.replace(" ", "")), "", start, end)
    is_year = not (match["scale"] or unit or match["sign"]) and YEAR.fullmatch(digits)
    if is_year and not _COUNTS.match(text[end:]):
        return Value("year", digits, "", start, match.end("digits"))
    number = _decimal(digits).scaleb(_scale(match["scale"]))
    if match["sign"] == "-":
        number = -number
    before = text[max(0, match.start() - _LONGEST_ABOUT) : match.start()]
    about = bool(_ABOUT.search(before) or _ABOUT_AFTER.match(text, end))
    area = "/m²" if match["area"] and unit in ("€", "kWh") else ""
    period = "mois" if (match["period"] or "").lower().startswith("m") else "an" if match["period"] else ""
    kind: ValueKind = "percent" if unit == "%" else "amount" if unit == "€" else "measure" if unit else "number"
    return Value(kind, number.normalize(), unit + area, start, end, period if unit else "", about)


def _decimal(digits: str) -> Decimal:
    """`1 200`, `1.200` and `1200` are one number; a dot before other than three digits is a decimal mark."""
    digits = digits.replace(" ", "")
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?", digits):
        digits = digits.replace(".", "")
    return Decimal(digits.replace(",", "."))


def _scale(name: str | None) -> int:
    return _SCALES[name.lower() if name in ("Mds", "mds") else name.lower().rstrip("s")] if name else 0


def _unit(match: re.Match[str]) -> str:
    name = re.sub(r"\s+", " ", (match["unit"] or "").strip().lower()).removeprefix("d'")
    if name.startswith("kwh"):
        return "kWh"
    return "" if match["rank"] or not name else _UNITS[name if name in _UNITS else name.rstrip("s")]


def _shared(values: list[Value], text: str) -> list[Value]:
    """`9/12/14 %`, `entre 3 et 5 %`, `6, 9 ou 12 ans`: the unit said once holds for the numbers before it."""
    for index in range(len(values) - 2, -1, -1):
        value, following = values[index], values[index + 1]
        between = text[value.end : following.start]
        named = _NAMED.search(text[: value.start])
        if value.kind == "number" and not (value.unit or named) and following.unit and SHARES.fullmatch(between):
            scaled = _scaled_like(value, following, text)
            values[index] = replace(
                value, kind=following.kind, value=scaled, unit=following.unit, period=following.period,
                approximate=value.approximate or following.approximate,
            )  # fmt: skip
        elif following.approximate and value.kind == following.kind and SHARES.fullmatch(between):
            values[index] = replace(value, approximate=True)
    return values


def _scaled_like(value: Value, following: Value, text: str) -> Decimal | str:
    scale = re.search(
        r"\d\s?(k|Mds?|M|millions?|milliards?|milliers?)\s?(?:€|d'|de\b|euros?)",
        text[following.start : following.end + 2],
    )
    if scale and isinstance(value.value, Decimal) and abs(value.value) < 1000:
        return value.value.scaleb(_scale(scale.group(1))).normalize()
    return value.value


def supports(source: Value, claim: Value) -> bool:
    """Whether the source's figure carries the claim's: same kind, value and unit. A period may be left unsaid, never
    changed; years may be said in months. A month or year may rest on a day. An `environ` claim may be the source
    rounded to fewer digits."""
    if isinstance(claim.value, str) or isinstance(source.value, str):
        return _same_date(source, claim)
    if {claim.unit, source.unit} == {"an", "mois"} and not claim.approximate:
        return supports(_in_months(source), _in_months(claim))
    bare = claim.kind == "number" and source.kind == "amount" and source.unit == "€" and abs(claim.value) >= _BARE
    if claim.kind == "impossible" or (not bare and (claim.kind, claim.unit) != (source.kind, source.unit)):
        return False
    if claim.period and source.period and claim.period != source.period:
        return False
    return claim.value == source.value or (claim.approximate and _rounded(source.value, claim.value))


def _in_months(value: Value) -> Value:
    """Years as months: `24 mois` for `deux ans`."""
    if value.unit != "an" or not isinstance(value.value, Decimal):
        return value
    return replace(value, value=(value.value * 12).normalize(), unit="mois")


def _same_date(source: Value, claim: Value) -> bool:
    if not (isinstance(claim.value, str) and isinstance(source.value, str)) or "impossible" in (
        source.kind,
        claim.kind,
    ):
        return False
    if claim.kind == "day-month":
        return source.kind in ("day", "day-month") and source.value[-5:] == claim.value[-5:]
    return source.kind != "day-month" and (source.value == claim.value or source.value.startswith(f"{claim.value}-"))


def _rounded(source: Decimal, claim: Decimal) -> bool:
    """The claim is the source at lower precision, within 5 %: trailing zeros count as rounded digits."""
    step = Decimal(1).scaleb(int(claim.normalize().as_tuple().exponent))
    coarser = int(claim.normalize().as_tuple().exponent) > int(source.normalize().as_tuple().exponent)
    near = source != 0 and abs(source - claim) <= abs(source) * Decimal("0.05")
    return coarser and near and (source / step).quantize(Decimal(1), ROUND_HALF_UP) * step == claim
