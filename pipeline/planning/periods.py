"""A span of days that a message means: a month, a week, a quarter, « avant le 15 », « du 3 au 10 »."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from pipeline.understanding.dates import COUNTS, ENGLISH_MONTHS, MONTH_NAMES, MONTHS, NUMBERS, find_due
from pipeline.understanding.own_words import flat

MONTH: Final = re.compile(
    rf"(?<!\d )(?<!\der )\b(?P<month>{MONTH_NAMES}|{ENGLISH_MONTHS})\b(?: (?P<year>20\d\d))?(?! \d)"
)
NAMED: Final = re.compile(
    r"\b(?P<which>(?:ce|cette|du|de la|de l'|le|la|l'|en)?) ?(?:(?P<ahead>prochaine?) )?"
    r"(?P<unit>semaine|mois|trimestre|semestre|annee)\b(?:[- ]ci)?"
    r"(?: (?P<next>prochaine?|qui vient|suivante?)| (?P<last>derniere?|passee?))?"
)
QUARTER: Final = re.compile(r"\b(?:[tq](?P<q>[1-4]) |(?P<n>[1-4])(?:er|e|eme) trimestre ?)(?P<year>20\d\d)?(?!\d)")
YEAR: Final = re.compile(r"\b(?:en|sur|pour|in) (?P<year>20\d\d)\b")
WITHIN: Final = re.compile(
    rf"\b(?:dans|sous|d'ici|sur) (?:les )?(?P<n>\d{{1,3}}|{COUNTS}) (?:prochaine?s )?"
    r"(?P<unit>jours?|semaines?|mois)(?: a venir)?\b"
)
BETWEEN: Final = re.compile(r"\b(?:entre|du) (?P<a>(?:le )?\d[\w/. ]{0,18}?) (?:et|au) (?P<b>(?:le )?\d[\w/. ]{3,18})")
UNTIL: Final = re.compile(
    r"\b(?:(?P<short>avant|before)|d'ici|jusqu'?(?:au|a|en)|au plus tard|until)\b ?(?:le |la |l')?$"
)
SINCE: Final = re.compile(r"\b(?:(?P<over>apres|after)|a partir (?:de|du)|depuis|des|from)\b ?(?:le |la |l')?$")
PART: Final = re.compile(r"\b(?P<part>debut|mi|fin)\b")
CHRISTMAS: Final = re.compile(r"\bnoel\b")
OF_TODAY: Final = re.compile(r"\b(?:taches?|rappels?|relances?|rdv|agenda)\b.{0,12}\b(?P<day>du jour)\b")
WEEK: Final = re.compile(r"\bsemaine \d")


@dataclass(frozen=True, slots=True)
class Period:
    """From `first` to `last`, both inclusive, None without bound; and where the words that say it stand."""

    first: date | None
    last: date | None
    start: int
    end: int


def find_period(text: str, *, today: date, past: bool = False) -> Period | None:
    """The span said in a French text, as days; a month without its year is the next to come, or with `past` the last
    one. On a Saturday or Sunday « cette semaine » runs on to the end of the next one."""
    low = flat(text)
    for find in (_between, _within, _quarter, _month, _christmas, _named, _of_today):
        if (found := find(low, today, past)) is not None:
            return _bounded(low, found, today)
    asked = datetime.combine(today, time(12))
    if (due := find_due(text, asked_at=asked)) is not None:
        lead = re.match(r"(?:pour|avant|d'ici|des|a partir de|au plus tard|le|la|l'|au?|ce|\s)*", low[due.start :])
        at = due.start + (lead.end() if lead else 0)
        bound = UNTIL.search(low[:at]) or SINCE.search(low[:at])
        span = _around(low[at : due.end], due.day, bound=bound is not None)
        return _bounded(low, Period(*span, at, due.end), today)
    if match := YEAR.search(low):
        year = int(match["year"])
        return _bounded(low, Period(date(year, 1, 1), date(year, 12, 31), *match.span()), today)
    return None


def _of_today(low: str, today: date, _past: bool) -> Period | None:
    """« les tâches du jour »; « le taux du jour » is no span."""
    match = OF_TODAY.search(low)
    return Period(today, today, *match.span("day")) if match else None


def _around(said: str, day: date, *, bound: bool) -> tuple[date, date]:
    """« semaine 48 » is seven days; the beginning, middle or end of a month ten of them, but where it is the `bound` of
    another span (« avant la mi-mars »); anything else is its day."""
    if WEEK.search(said):
        return day, day + timedelta(days=6)
    if not bound and (match := PART.search(said)) and "semaine" not in said and "annee" not in said:
        before, after = {"debut": (0, 9), "mi": (5, 5), "fin": (9, 0)}[match["part"]]
        return day - timedelta(days=before), day + timedelta(days=after)
    return day, day


def _bounded(low: str, found: Period, today: date) -> Period:
    """« avant », « à partir de »: only one end of the span counts, and what is before it lies between today and it."""
    before = low[max(0, found.start - 20) : found.start]
    first, last = found.first, found.last
    if first is None or last is None:
        return found
    if until := UNTIL.search(before):
        month = until["short"] and (last - first).days > 9  # « avant décembre » ends with November
        last = first - timedelta(days=1) if month else last
        return Period(today if last >= today else None, last, found.start - len(until[0]), found.end)
    if since := SINCE.search(before):
        first = last + timedelta(days=1) if since["over"] else first
        return Period(first, None, found.start - len(since[0]), found.end)
    return found


def _between(low: str, today: date, past: bool) -> Period | None:
    match = BETWEEN.search(low)
    if match is None:
        return None
    asked = datetime.combine(today, time(12))
    last = find_due(f"le {match['b'].removeprefix('le ')}", asked_at=asked)
    month = re.search(rf"(?:{MONTH_NAMES}).*|/\d.*", match["b"])
    said = match["a"].removeprefix("le ")
    whole = said if not said.strip().isdigit() or not month else f"{said}{'' if month[0][0] == '/' else ' '}{month[0]}"
    first = find_due(f"le {whole}", asked_at=asked)
    if first is None or last is None or first.day > last.day:
        return None
    return Period(first.day, last.day, *match.span())


def _within(low: str, today: date, past: bool) -> Period | None:
    match = WITHIN.search(low)
    if match is None:
        return None
    count = int(match["n"]) if match["n"].isdigit() else NUMBERS[match["n"]]
    days = {"j": 1, "s": 7, "m": 30}[match["unit"][0]]
    return Period(today, today + timedelta(days=count * days), *match.span())


def _quarter(low: str, today: date, past: bool) -> Period | None:
    match = QUARTER.search(low)
    if match is None or not (match["n"] or match["year"]):
        return None
    number = int(match["q"] or match["n"])
    year = int(match["year"]) if match["year"] else today.year + (number < (today.month + 2) // 3)
    return Period(date(year, 3 * number - 2, 1), _end_of_month(year, 3 * number), *match.span())


def _month(low: str, today: date, past: bool) -> Period | None:
    match = MONTH.search(low)
    if match is None or re.search(r"\b(?:debut|mi|fin)[ -]$", low[: match.start("month")]):
        return None
    month = MONTHS[match["month"]]
    year = int(match["year"]) if match["year"] else today.year + (month < today.month) - (past and month > today.month)
    year -= past and not match["year"] and month < today.month
    return Period(date(year, month, 1), _end_of_month(year, month), *match.span())


def _christmas(low: str, today: date, past: bool) -> Period | None:
    match = CHRISTMAS.search(low)
    if match is None:
        return None
    gone = (today.month, today.day) > (12, 25)
    day = date(today.year + (gone and not past) - (past and not gone), 12, 25)
    return Period(day, day, *match.span())


def _named(low: str, today: date, past: bool) -> Period | None:
    for match in NAMED.finditer(low):
        shift = 1 if match["ahead"] or match["next"] else -1 if match["last"] else 0
        if (not match["which"] and not shift) or (match["unit"] == "annee" and match["which"] == "en"):
            continue
        if re.search(r"\bfin (?:de |du |d')?$", low[: match.start()]) or low[: match.start()].endswith("fin "):
            continue
        first, last = _span(match["unit"], shift, today)
        return Period(first, last, *match.span())
    return None


def _span(unit: str, shift: int, today: date) -> tuple[date, date]:
    if unit == "semaine":
        monday = today + timedelta(days=7 * shift - today.weekday())
        if not shift and today.weekday() >= 5:  # what is left of the week is nearly nothing: the next one is meant too
            return today, monday + timedelta(days=13)
        return monday, monday + timedelta(days=6)
    months = {"mois": 1, "trimestre": 3, "semestre": 6, "annee": 12}[unit]
    start = (today.year * 12 + today.month - 1) // months * months + shift * months
    end = start + months - 1
    return date(start // 12, start % 12 + 1, 1), _end_of_month(end // 12, end % 12 + 1)


def _end_of_month(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
