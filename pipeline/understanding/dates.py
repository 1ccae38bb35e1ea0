"""When something is due: French relative and absolute dates and hours, resolved in Paris; English days and months."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pipeline.text.dates import dates
from pipeline.understanding.own_words import flat

PARIS = ZoneInfo("Europe/Paris")
_DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche"
_ENGLISH_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"
_ENGLISH_MONTHS = "january february march april may june july august september october november december"
DAYS = {name: n for names in (_DAYS, _ENGLISH_DAYS) for n, name in enumerate(names.split())}
MONTHS = {name: n for names in (_MONTHS, _ENGLISH_MONTHS) for n, name in enumerate(names.split(), start=1)}
NUMBERS = {
    name: n
    for n, name in enumerate(["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"], start=1)
} | {
    "une": 1,
    "quinze": 15,
    "vingt": 20,
    "trente": 30,
}
LEAD = r"(?:\b(?:pour|avant|d'ici|des|a partir de|au plus tard|le|la|l'|a|au|ce|cet|cette|on|by)\s*){0,3}"
DAY_NAMES, MONTH_NAMES, COUNTS = "|".join(DAYS), "|".join(MONTHS), "|".join(NUMBERS)
ENGLISH_MONTHS = _ENGLISH_MONTHS.replace(" ", "|")
ABSOLUTE = re.compile(
    rf"{LEAD}(?:\b(?:{DAY_NAMES})\s+)?(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|"
    rf"(?P<d>\d{{1,2}})[/.](?P<m>\d{{1,2}})(?:[/.](?P<y>\d{{2,4}}))?(?![\d/]|,\d| ?[%€])|"
    rf"(?P<wd>\d{{1,2}})(?:er|st|nd|rd|th)?\s+(?P<wm>{MONTH_NAMES})(?:\s+(?P<wy>\d{{4}}))?|"
    rf"(?P<em>{ENGLISH_MONTHS})\s+(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<ey>\d{{4}}))?)\b"
)
RELATIVE = re.compile(
    rf"{LEAD}\b(?:(?P<today>aujourd'hui|today|ce (?:matin|soir)|cet apres-midi)|(?P<after>apres[- ]demain)|"
    rf"(?P<tomorrow>demain|tomorrow)|"
    rf"(?:dans|sous|d'ici)\s+(?P<n>\d{{1,3}}|{COUNTS})\s+(?P<unit>jours?|semaines?|mois|ans?)|"
    rf"(?P<day>{DAY_NAMES})(?P<next>\s+(?:prochain|de la semaine prochaine|en huit|en quinze))?|"
    rf"(?P<week>semaine prochaine|next week)|(?P<month>mois prochain|next month)|"
    rf"(?P<feasts>apres les fetes)|j ?\+ ?(?P<plus>\d{{1,3}})|(?P<fortnight>huitaine|quinzaine)|"
    rf"(?:avant |pour |a |apres )?(?P<christmas>noel)|semaine (?P<iso>\d{{1,2}})|"
    rf"(?P<part>debut|mi|fin|courant)[ -](?P<of>{MONTH_NAMES})(?: (?P<ofy>\d{{4}}))?|"
    rf"(?:(?:le|au|du|pour le|vers le) )(?P<dom>\d{{1,2}})(?! ?(?:h\d*|€|%|k|{MONTH_NAMES}|e\b|eme|/|,\d))|"
    rf"fin (?:de l'|d'|de la |du |de )?(?P<end>semaine|mois|annee))\b(?:\s+(?:matin|apres-midi|soir|midi))?"
)


HOUR = re.compile(
    r"(?P<lead>\b(?:dans|sous|pendant|durant|duree de|moins de|plus de|toutes les|en|d'|de) ?)?"
    r"(?<![\d,./:])(?:(?P<h>\d{1,2}) ?(?:h(?:eures?)?|:(?=\d\d)) ?(?P<m>\d{2})?(?![a-z\d/])(?P<span> de (?:[a-z]))?|"
    r"(?P<half>\d{1,2}) ?(?P<ampm>[ap]m)\b|(?<!apres[- ])\b(?P<noon>midi)\b)(?P<until> ?(?:a|-) ?\d)?"
)
REFUSED = re.compile(r"\b(?:pas|et non|au lieu d[eu]) $")
"""« non pas vendredi, jeudi »: the day that stands behind is not the one."""
SLASHED = re.compile(
    r"\b(?:le|au|du|pour le|avant le|d'ici le|date) (?P<day>(?P<d>\d{1,2})[/.](?P<m>\d{1,2}))(?![\d/.,%€])"
)


@dataclass(frozen=True, slots=True)
class Due:
    """A day, and where the words that say it stand in the text."""

    day: date
    start: int
    end: int


def day_of(moment: datetime) -> date:
    """The day that it is in Paris."""
    return moment.astimezone(PARIS).date() if moment.tzinfo else moment.date()


def find_due(text: str, *, asked_at: datetime) -> Due | None:
    """The first date said in a French text, as a day in Europe/Paris relative to `asked_at`; None when there is none.

    A weekday is the next one to come (never today); a day and month without a year never lie in the past; « pas
    vendredi » names none.
    """
    today, low = day_of(asked_at), flat(text)
    for pattern, said_by in ((ABSOLUTE, _absolute), (RELATIVE, _relative)):
        for match in pattern.finditer(low):
            refused = REFUSED.search(low[: match.start()]) and not match[0].startswith(("avant", "d'ici"))
            if not refused and (day := said_by(match, today)) is not None:
                return Due(day, match.start(), match.end())
    return None


def find_hour(text: str) -> str:
    """The first hour of the day said in a text, as `HH:MM` on Paris's clocks; "" when there is none, or a length of
    time alone (« dans 2 h », « 1 h de route »)."""
    for match in HOUR.finditer(flat(text)):
        if match["noon"]:
            return "12:00"
        lasts = (match["lead"] and not match["until"]) or match["span"]
        hour, minute = int(match["h"] or match["half"]), int(match["m"] or 0)
        if match["half"]:
            hour = hour % 12 + (12 if match["ampm"] == "pm" else 0)
        if not lasts and hour < 24 and minute < 60:
            return f"{hour:02d}:{minute:02d}"
    return ""


def impossible_hour(text: str) -> str:
    """The words of the first hour that no clock shows (« à 25h »); "" when there is none."""
    for match in HOUR.finditer(flat(text)):
        if match["h"] and not match["lead"] and not match["span"] and not match["until"]:
            hour, minute = int(match["h"]), int(match["m"] or 0)
            if hour > 24 or minute > 59:
                return text[match.start("h") : match.end()].strip()
    return ""


def impossible_day(text: str) -> str:
    """The words of the first day that no calendar has (« 31 février », `31/02/2027`); "" when there is none."""
    if found := next((day for day in dates(text) if day.kind == "impossible"), None):
        return text[found.start : found.end]
    for match in SLASHED.finditer(flat(text)):
        try:
            date(2024, int(match["m"]), int(match["d"]))  # a leap year: « le 29/02 » exists
        except ValueError:
            return text[match.start("day") : match.end("day")]
    return ""


def _absolute(match: re.Match[str], today: date) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        day = int(match["d"] or match["wd"] or match["ed"])
        month = int(match["m"]) if match["m"] else MONTHS[match["wm"] or match["em"]]
        said_year = match["y"] or match["wy"] or match["ey"]
        if said_year:
            return date(int(said_year) + (2000 if len(said_year) == 2 else 0), month, day)
        this_year = date(today.year, month, day)
        return this_year if this_year >= today else date(today.year + 1, month, day)
    except ValueError:
        return None


def _relative(match: re.Match[str], today: date) -> date | None:
    if match["today"]:
        return today
    if match["after"]:
        return today + timedelta(days=2)
    if match["tomorrow"]:
        return today + timedelta(days=1)
    if match["n"]:
        count = int(match["n"]) if match["n"].isdigit() else NUMBERS[match["n"]]
        return _later(today, count, match["unit"])
    if match["plus"]:
        return today + timedelta(days=int(match["plus"]))
    if match["fortnight"]:
        return today + timedelta(days=8 if match["fortnight"] == "huitaine" else 15)
    if match["christmas"] or match["iso"] or match["of"] or match["dom"] or match["feasts"]:
        return _in_calendar(match, today)
    if match["day"]:
        ahead = (DAYS[match["day"]] - today.weekday() - 1) % 7 + 1
        later = match["next"] or ""
        if "semaine" in later:
            return today + timedelta(days=7 - today.weekday() + DAYS[match["day"]])
        return today + timedelta(days=ahead + (7 if "en huit" in later else 14 if "en quinze" in later else 0))
    if match["week"]:
        return today + timedelta(days=7 - today.weekday())
    if match["month"]:
        return _next_month(today)
    return _end_of(match["end"], today)


def _in_calendar(match: re.Match[str], today: date) -> date | None:
    """« avant Noël » is the last working day before it; « semaine 48 » its Monday; « mi-janvier » and
    « courant janvier » the 15th; « après les fêtes » the first Monday from 2 January on."""
    try:
        if match["christmas"]:
            eve = date(today.year, 12, 24)
            eve = eve if eve >= today else date(today.year + 1, 12, 24)
            return eve - timedelta(days=max(0, eve.weekday() - 4))
        if match["iso"]:
            monday = date.fromisocalendar(today.year, int(match["iso"]), 1)
            return monday if monday >= today else date.fromisocalendar(today.year + 1, int(match["iso"]), 1)
        if match["dom"]:
            day = today.replace(day=int(match["dom"]))
            return day if day >= today else _later(today.replace(day=1), 1, "mois").replace(day=int(match["dom"]))  # type: ignore[union-attr]
        if match["feasts"]:
            second = date(today.year + 1, 1, 2) if today > date(today.year, 1, 8) else date(today.year, 1, 2)
            return second + timedelta(days=(7 - second.weekday()) % 7)
        month = MONTHS[match["of"]]
        year = int(match["ofy"] or today.year + (month < today.month))
        first = date(year, month, 1)
        if match["part"] == "fin":
            return _next_month(first) - timedelta(days=1)
        return first if match["part"] == "debut" else first.replace(day=15)
    except ValueError:
        return None


def _later(today: date, count: int, unit: str) -> date | None:
    if unit.startswith("jour"):
        return today + timedelta(days=count)
    if unit.startswith("semaine"):
        return today + timedelta(weeks=count)
    months = today.year * 12 + today.month - 1 + count * (12 if unit.startswith("an") else 1)
    if months // 12 >= date.max.year:
        return None
    first = date(months // 12, months % 12 + 1, 1)
    last = (_next_month(first) - timedelta(days=1)).day
    return first.replace(day=min(today.day, last))


def _next_month(day: date) -> date:
    """The first day of the month after."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def _end_of(period: str, today: date) -> date:
    if period == "semaine":
        return today + timedelta(days=(4 - today.weekday()) % 7)
    if period == "annee":
        return date(today.year, 12, 31)
    return _next_month(today) - timedelta(days=1)
