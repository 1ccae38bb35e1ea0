"""When something is due: French relative and absolute dates, resolved in Paris."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from pipeline.understanding.own_words import flat

PARIS = ZoneInfo("Europe/Paris")
DAYS = {name: n for n, name in enumerate(["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"])}
MONTHS = {
    name: n
    for n, name in enumerate(
        [
            "janvier",
            "fevrier",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "aout",
            "septembre",
            "octobre",
            "novembre",
            "decembre",
        ],
        start=1,
    )
}
NUMBERS = {
    name: n
    for n, name in enumerate(["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"], start=1)
} | {
    "une": 1,
    "quinze": 15,
    "vingt": 20,
    "trente": 30,
}
LEAD = r"(?:\b(?:pour|avant|d'ici|des|a partir de|au plus tard|le|la|l'|a|au|ce|cet|cette)\s*){0,3}"
DAY_NAMES, MONTH_NAMES, COUNTS = "|".join(DAYS), "|".join(MONTHS), "|".join(NUMBERS)
ABSOLUTE = re.compile(
    rf"{LEAD}(?:\b(?:{DAY_NAMES})\s+)?(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|"
    rf"(?P<d>\d{{1,2}})[/.](?P<m>\d{{1,2}})(?:[/.](?P<y>\d{{2,4}}))?(?![\d/]|,\d| ?[%€])|"
    rf"(?P<wd>\d{{1,2}})(?:er)?\s+(?P<wm>{MONTH_NAMES})(?:\s+(?P<wy>\d{{4}}))?)\b"
)
RELATIVE = re.compile(
    rf"{LEAD}\b(?:(?P<today>aujourd'hui|ce (?:matin|soir)|cet apres-midi)|(?P<after>apres[- ]demain)|"
    rf"(?P<tomorrow>demain)|"
    rf"(?:dans|sous|d'ici)\s+(?P<n>\d{{1,3}}|{COUNTS})\s+(?P<unit>jours?|semaines?|mois|ans?)|"
    rf"(?P<day>{DAY_NAMES})(?P<next>\s+(?:prochain|de la semaine prochaine|en huit))?|(?P<week>semaine prochaine)|"
    rf"(?P<month>mois prochain)|j ?\+ ?(?P<plus>\d{{1,3}})|(?P<fortnight>huitaine|quinzaine)|"
    rf"(?:avant |pour |a |apres )?(?P<christmas>noel)|semaine (?P<iso>\d{{1,2}})|"
    rf"(?P<part>debut|mi|fin)[ -](?P<of>{MONTH_NAMES})(?: (?P<ofy>\d{{4}}))?|"
    rf"(?:(?:le|au|du|pour le|vers le) )(?P<dom>\d{{1,2}})(?! ?(?:h\d*|€|%|k|{MONTH_NAMES}|e\b|eme|/|,\d))|"
    rf"fin (?:de l'|d'|de la |du |de )?(?P<end>semaine|mois|annee))\b(?:\s+(?:matin|apres-midi|soir|midi))?"
)


@dataclass(frozen=True, slots=True)
class Due:
    """A day, and where the words that say it stand in the text."""

    day: date
    start: int
    end: int


def find_due(text: str, *, asked_at: datetime) -> Due | None:
    """The first date said in a French text, as a day in Europe/Paris relative to `asked_at`; None when there is none.

    A weekday is the next one to come (never today); a day and month without a year never lie in the past.
    """
    today = asked_at.astimezone(PARIS).date() if asked_at.tzinfo else asked_at.date()
    low = flat(text)
    for match in ABSOLUTE.finditer(low):
        day = _absolute(match, today)
        if day is not None:
            return Due(day, match.start(), match.end())
    for match in RELATIVE.finditer(low):
        day = _relative(match, today)
        if day is not None:
            return Due(day, match.start(), match.end())
    return None


HOUR: Final = re.compile(r"\b(?:a |vers |pour |des )?([01]?\d|2[0-3]) ?[hH:] ?([0-5]\d)?\b(?! ?(?:de|par) )")


def find_hour(text: str) -> str:
    """ "10:00" for « mardi 10h », "16:30" for « 16h30 »; empty when no hour is said."""
    match = HOUR.search(flat(text))
    return f"{int(match[1]):02d}:{match[2] or '00'}" if match else ""


def _absolute(match: re.Match[str], today: date) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        day = int(match["d"] or match["wd"])
        month = int(match["m"]) if match["m"] else MONTHS[match["wm"]]
        said_year = match["y"] or match["wy"]
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
    if match["christmas"] or match["iso"] or match["of"] or match["dom"]:
        return _in_calendar(match, today)
    if match["day"]:
        ahead = (DAYS[match["day"]] - today.weekday() - 1) % 7 + 1
        in_eight = match["next"] is not None and "en huit" in match["next"]
        next_week = match["next"] is not None and "semaine" in match["next"]
        if next_week:
            return today + timedelta(days=7 - today.weekday() + DAYS[match["day"]])
        return today + timedelta(days=ahead + (7 if in_eight else 0))
    if match["week"]:
        return today + timedelta(days=7 - today.weekday())
    if match["month"]:
        return _next_month(today)
    return _end_of(match["end"], today)


def _in_calendar(match: re.Match[str], today: date) -> date | None:
    """« avant Noël » is the last working day before it; « semaine 48 » its Monday; « mi-janvier » the 15th."""
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
        month = MONTHS[match["of"]]
        year = int(match["ofy"] or today.year + (month < today.month))
        first = date(year, month, 1)
        return {"debut": first, "mi": first.replace(day=15), "fin": _next_month(first) - timedelta(days=1)}[
            match["part"]
        ]
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
