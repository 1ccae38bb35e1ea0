"""Numbers as advisors type them (`200k`, `3,45`, `1 200 €/mois`, `vingt ans`, `en 2011`) -> quantities with units."""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from pipeline.reading import Period, Quantity, Unit
from pipeline.understanding.offline.spoken import WORD, cardinal, spoken_value
from pipeline.understanding.own_words import flat

DIGITS: Final = r"\d{1,3}(?:[ .']\d{3})+(?:,\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
NUMBER: Final = re.compile(
    rf"(?:(?<![\w.,#°-])|(?<=\d-)|(?<=[\s(]-)|(?<=^-)|(?<=k-)|(?<=\btf)|(?<=\bpx)|(?<=\btx)|(?<=\d\dx))(?P<number>{DIGITS})"
    r"(?:(?<![\d.,]\d)(?<=[1-4])(?P<mega>m)(?=\d)(?P<tail>\d{1,3})(?!\d)"
    r"|\s?(?P<scale>milliards?|millions?|mio|m€|meur|k€|keur|ke\b|k(?![\w])|mille\b|m(?=\s?€|\s?eur)|m(?![\w²/]))"
    r")?(?P<rest>\s?(?:€|euros?\b|eur\b|balles\b))?",
)
SUFFIX: Final[tuple[tuple[Unit, re.Pattern[str]], ...]] = (
    ("m²", re.compile(r"\s?(?:m2|m²|metres? carres?|m carres?)(?![\w/])")),
    ("%", re.compile(r"\s?(?:%|pour ?cents?\b|pct\b|p\.?c\.?\b)(?:\s?(?:taeg|nominal|brut|net))?")),
    ("points", re.compile(r"\s?(?:pts?|points?)\b")),
    ("years", re.compile(r"\s?(?:ans?\b|annees?\b)|a(?![\w'’])|\s?yrs?\b|\s?years?\b|y\b")),
    ("months", re.compile(r"\s?mois\b|\s?mensualites\b|\s?echeances\b|\s?months?\b")),
    ("weeks", re.compile(r"\s?(?:semaines?|sem)\b")),
    ("days", re.compile(r"\s?(?:jours?|nuits?|nuitees?|j)\b")),
)
PER: Final = re.compile(
    r"[ ]?(?:€|eur\w*)?[ ]?(?:hc|cc|ht|ttc|net|nets|brut|bruts|hors charges|charges comprises|de loyers?|chacun)?[ ]?"
    r"(?:(?:/|par |chaque |x|tous les |a l'|de l'|la |le )[ ]?)?"
    r"(?P<period>mois\b|m\b|mens\w*|an\b|ans\b|annee\w*|annuel\w*|a\b|sem\b|semaine\w*|hebdo\w*|month\w*|year\w*)"
)
SPOKEN: Final = re.compile(rf"\b{WORD}(?:(?:[ -]|[ -]et[ -]|[ -]virgule[ -]){WORD})*\b(?:[ ]et demie?\b)?")
ONLY_A_NUMBER: Final = re.compile(r"\W*(?:(?:oui|non|ok|plutot|sur|a|et|en|disons)\W+){0,2}")
RATE_BEFORE: Final = re.compile(r"(?:\ba|taux(?: de| a)?|c'est|tx) $")
ALONE: Final = frozenset(("un", "une", "neuf", "zero"))
COUNTED: Final = re.compile(
    r"[ -]?(?:ans?|mois|annees?|pour ?cents?|%|euros?|€|semaines?|millions?|milliards?|points?|m2|metres?|jours?|k)\b"
)
DAY: Final = re.compile(
    r"(?<![\w/.-])(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?![\w/])|(?<!\w)(\d{4})-(\d\d)-(\d\d)\b"
)
MONTHS: Final = "janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"
DAY_AND_MONTH: Final = re.compile(
    r"(?<![\w/.,-])(?:0?[1-9]|[12]\d|3[01])/(?:0[1-9]|1[0-2]|[1-9])(?![\w/%,.]|\s?(?:ans|%|k\b))"
)
HALF_POINT: Final = re.compile(r"\b(?:un |d'un )?demi[- ]point\b")
DAY_WORDS: Final = re.compile(rf"\b(?:(\d{{1,2}})(?:er)? |(mi|fin)[ -](?:de )?)?({MONTHS}) ((?:19|20)\d\d)\b")
RELATIVE_YEARS: Final = (
    (re.compile(r"\bcette annee\b|\baujourd'hui\b(?=.{0,12}vend)|\bthis year\b"), 0),
    (re.compile(r"\bl'an(?:nee)? (?:dernier|derniere|passee?)\b|\blast year\b"), 1),
    (re.compile(r"\bl'an(?:nee)? prochaine?\b"), -1),
)
NOT_A_QUANTITY: Final = re.compile(
    r"(?:\b(?:art|article|articles|cerfa|formulaire|form|loi|decret|declaration|rue|n°|no|numero|"
    r"(?<!de )(?<!frais )dossier|"
    r"deal|code)[ .:°#]*|\b(?:l|r|cgi|bofip)[ .-]?|[#°@])$"
)
BELOW: Final = re.compile(r"[ ]?(?:de|en)? ?(?:moins|baisse)\b|[ ]?d['e] ?[a-z]+ (?:de|en) moins\b")
ABOVE: Final = re.compile(r"[ ]?(?:de|en)? ?(?:plus|hausse)\b(?! d[eu']?\b)|[ ]?d['e] ?[a-z]+ (?:de|en) plus\b")
LESS: Final = re.compile(r"(?:\bmoins|baisse d[e']|baisser d[e']|enleve|retire|(?<![\w])-)\s*$")
MORE: Final = re.compile(r"(?:\bplus|rajoute|ajoute|augment\w* d[e']|monte d[e']|hausse d[e']|\+)\s*$")
INSTALMENT: Final = re.compile(
    rf"\b(?:(?P<digits>\d{{1,3}}) ?(?:e|eme|ieme)|(?P<words>(?:{WORD}[ -](?:et[ -])?)*[a-z]{{2,10}}ieme)) "
    r"(?:echeance|mensualite)\b"
)
"""« la 84e échéance », « la quatre-vingt-quatrième mensualité »: as many months."""
FRACTION: Final = re.compile(
    r"(?<![\w.,/])(?P<part>\d{1,5}) ?(?:/ ?(?P<whole>10{3,5}) ?(?:e|emes?|iemes?)?(?![\w/])"
    r"|(?:tanti|milli)emes? (?:sur|/) ?(?P<said>\d{1,3}(?: ?\d{3})*)(?![\w/]))"
)
"""« 84/1000e », « 62 tantièmes sur 1 000 »: a share in parts of all."""
ORDINAL: Final = re.compile(r"(?:er|re|e|eme|nde?)\b(?!\s?/)")
MOST_ORDINAL: Final = 20
THE: Final = re.compile(r"\b(?:le|la|ce|cette|du|au)\s$")
MOST: Final = 40
"""Quantities read of one message: nobody types more, and a pasted table must not hold the thread up."""


def quantities(text: str, *, apart: Sequence[tuple[int, int]] = (), today: date | None = None) -> tuple[Quantity, ...]:
    """Every quantity of the text, in order, without a role; `apart`: spans that are something else (places, ids);
    `today`: what « cette année » is said on."""
    low = flat(text).replace("’", "'")
    relative = _relative_years(low, text, today) if today else ()
    found = [
        q for q in (*relative, *_all(low, text)) if not any(q.start < end and q.end > start for start, end in apart)
    ]
    return tuple(_completed(found, low))[:MOST]


def _all(low: str, text: str) -> Iterator[Quantity]:
    taken: list[tuple[int, int]] = []
    taken += [match.span() for match in DAY_AND_MONTH.finditer(low)]
    halves = (Quantity(0.5, "points", text[m.start() : m.end()], m.start()) for m in HALF_POINT.finditer(low))
    named = (*_days(low, text), *_instalments(low, text), *_fractions(low, text), *halves)
    for quantity in (*named, *_digits(low, text), *_spoken(low, text)):
        if all(quantity.end <= start or quantity.start >= end for start, end in taken):
            taken.append((quantity.start, quantity.end))
            yield quantity


def _days(low: str, text: str) -> Iterator[Quantity]:
    for match in DAY.finditer(low):
        d, m, y, iso_y, iso_m, iso_d = match.groups()
        year = int(iso_y or y) + (0 if len(iso_y or y) == 4 else 2000 if int(iso_y or y) < 60 else 1900)
        day = _date(year, int(iso_m or m), int(iso_d or d))
        if day:
            yield Quantity(float(day.year), "date", text[match.start() : match.end()], match.start(), day=day)
    for match in DAY_WORDS.finditer(low):
        month, year = MONTHS.split("|").index(match[3]) + 1, int(match[4])
        parts = {"mi": 15, "fin": calendar.monthrange(year, month)[1]}
        day = _date(year, month, parts[match[2]] if match[2] else int(match[1] or 1))
        if day:
            yield Quantity(float(day.year), "date", text[match.start() : match.end()], match.start(), day=day)


def _instalments(low: str, text: str) -> Iterator[Quantity]:
    for match in INSTALMENT.finditer(low):
        value = float(match["digits"]) if match["digits"] else spoken_value(cardinal(match["words"]), rate=False)
        if value:
            yield Quantity(value, "months", text[match.start() : match.end()], match.start())


def _fractions(low: str, text: str) -> Iterator[Quantity]:
    for match in FRACTION.finditer(low):
        whole = float((match["whole"] or match["said"]).replace(" ", ""))
        if 0 < float(match["part"]) < whole:
            yield Quantity(100 * float(match["part"]) / whole, "%", text[match.start() : match.end()], match.start())


def _relative_years(low: str, text: str, today: date) -> Iterator[Quantity]:
    for pattern, back in RELATIVE_YEARS:
        for match in pattern.finditer(low):
            yield Quantity(float(today.year - back), "year", text[match.start() : match.end()], match.start())


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _digits(low: str, text: str) -> Iterator[Quantity]:
    for match in NUMBER.finditer(low):
        start, end = match.span()
        number = match["number"]
        named = NOT_A_QUANTITY.search(low[max(0, start - 14) : start])
        if named and not (match["scale"] or match["rest"]):  # « autre dossier : 1,35 M€ » names none
            continue
        if match["scale"] is None and match["mega"] is None and match["rest"] is None:
            for piece, offset in _split(number):
                yield from _one(piece, low, text, match.start("number") + offset, piece_end=len(piece))
            continue
        value = _value(number) * _scale(match)
        if match["mega"]:
            value = (_value(number) + float(f"0.{match['tail']}")) * 1e6
        yield _with_unit(value, "€", low, text, start, end)


def _split(number: str) -> list[tuple[str, int]]:
    """« 240 000 300 000 » is two numbers: nobody types a home of 240 billion."""
    if _value(number) < 3e7 or " " not in number:
        return [(number, 0)]
    groups = number.split(" ")
    for cut in range(1, len(groups)):
        head, tail = " ".join(groups[:cut]), " ".join(groups[cut:])
        if groups[cut - 1] == "000" and _value(head) >= 1000:
            return [(head, 0), *((piece, offset + len(head) + 1) for piece, offset in _split(tail))]
    return [(number, 0)]


def _one(number: str, low: str, text: str, start: int, *, piece_end: int) -> Iterator[Quantity]:
    end = start + piece_end
    value = _value(number)
    if value <= MOST_ORDINAL and ORDINAL.match(low, end) and THE.search(low[:start]):
        return  # « le 2e cas »
    glued = re.match(r"(?:x\d)|hc\b|cc\b|ht\b|e\b|eur|net|brut|x\b|mens", low[end : end + 5])
    if low[end : end + 1].isalpha() and not glued and not any(pattern.match(low, end) for _, pattern in SUFFIX):
        return
    if re.fullmatch(r"(?:19|20)\d\d", number) and not re.match(r"\s?(?:€|e\b|eur|/|k|hc\b|cc\b)", low[end : end + 5]):
        yield Quantity(value, "year", text[start:end], start)
        return
    yield _with_unit(value, "", low, text, start, end)


def _with_unit(value: float, unit: Unit, low: str, text: str, start: int, end: int) -> Quantity:
    if unit == "":
        for name, pattern in SUFFIX:
            if match := pattern.match(low, end):
                unit, end = name, match.end()
                break
    if low[end : end + 2] in ("€/", "/m") and re.match(r"[ ]?€?[ ]?/[ ]?m(?:2|²)", low[end:]):
        return Quantity(value, "€", text[start:end], start)
    period: Period = ""
    if unit in ("", "€"):
        match = PER.match(low, end)
        bare = (
            match is not None
            and match["period"] in ("a", "m", "an", "ans")
            and not re.search("[/x]|par|chaque", match[0])
        )
        if match and not bare:
            period, end, unit = _period(match["period"]), match.end(), "€"
    return Quantity(value, unit, text[start:end].rstrip(), start, period)


def _period(said: str) -> Period:
    return "week" if said.startswith(("sem", "hebdo")) else "year" if said.startswith(("a", "year")) else "month"


def _scale(match: re.Match[str]) -> float:
    said = match["scale"] or ""
    if said.startswith("milliard"):
        return 1e9
    if (said.startswith(("mill", "mio")) and said != "mille") or said in ("m", "m€", "meur"):
        return 1e6
    return 1e3 if said else 1.0


def _value(number: str) -> float:
    grouped = re.fullmatch(r"\d{1,3}(?:[ .']\d{3})+(?:,\d{1,2})?", number)
    plain = re.sub(r"[ .']", "", number) if grouped else number
    return float(plain.replace(",", "."))


def _spoken(low: str, text: str) -> Iterator[Quantity]:
    for match in SPOKEN.finditer(low):
        start, end = match.span()
        if ALONE.issuperset(match[0].split()) and not COUNTED.match(low, end):  # « un neuf » is a home
            continue
        few = ONLY_A_NUMBER.fullmatch(low[:start]) and not re.search(r"\w", low[end:])
        as_rate = re.match(r"[ ]?(?:pour ?cent|%)", low[end:]) or RATE_BEFORE.search(low[max(0, start - 12) : start])
        spoken = spoken_value(match[0], rate=as_rate is not None)
        word = spoken is not None and spoken <= 12 and spoken == int(spoken)
        if spoken is None or (word and not few and not COUNTED.match(low, end)):
            continue  # « deux clients », « à deux »: a word of the sentence
        rest = re.match(r"[ ]?(?:€|euros?\b|eur\b)", low[end:])
        unit: Unit = "€" if rest else ""
        yield _with_unit(spoken, unit, low, text, start, end + (rest.end() if rest else 0))


def _completed(found: Sequence[Quantity], low: str) -> Iterator[Quantity]:
    """« 180-200k » and « 180 à 200k »: the first is in thousands too; differences are marked as such."""
    ordered = sorted(found, key=lambda quantity: quantity.start)
    for index, quantity in enumerate(ordered):
        after = ordered[index + 1] if index + 1 < len(ordered) else None
        between = low[quantity.end : after.start] if after else ""
        joined = re.fullmatch(r"\s?(?:-|/|a|ou|et|pas)\s?", between) is not None
        in_thousands = after is not None and quantity.value < 1000 <= after.value and "k" in after.text.lower()
        if joined and in_thousands and quantity.unit == "":
            quantity = replace(quantity, value=quantity.value * 1000, unit="€")
        listed = re.fullmatch(r"\s?(?:-|/|ou|et|a|puis|vs|contre)\s?", between) is not None
        fits = after is not None and (
            (after.unit == "%" and quantity.value < 30)
            or (after.unit in ("years", "months") and quantity.value == int(quantity.value) and quantity.value <= 360)
        )
        if after and quantity.unit == "" and listed and fits:
            quantity = replace(quantity, unit=after.unit)
        added_up = index > 0 and re.fullmatch(r"\s?\+\s?", low[ordered[index - 1].end : quantity.start])
        before = "" if added_up else low[max(0, quantity.start - 14) : quantity.start]
        behind = low[quantity.end : quantity.end + 26]
        change = (
            -1 if LESS.search(before) or BELOW.match(behind) else 1 if MORE.search(before) or ABOVE.match(behind) else 0
        )
        yield replace(quantity, change=change)
