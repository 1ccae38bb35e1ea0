"""The last day of a delay on record: ten days after an act was presented, six months before a lease ends."""

from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from corpus.facts.book import fact_book
from corpus.facts.values import Fact
from corpus.zones import MONTHS
from pipeline.text.fact_wording import TO_VERIFY, case_of
from pipeline.tools.calculation.recorded import named
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

TITLE: Final = "Échéance d'un délai"
YEARS: Final = range(1900, 2200)
"""In which an event lies that somebody asks about."""
WEEKEND: Final = {5: "samedi", 6: "dimanche"}


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["deadline"]`: months and years run from one day of the month to the same day, or to the last day of a
    shorter month (article 641 of the code de procédure civile). Raises `Nonsense` for a record that is no such
    delay."""
    day, known = told.day("day"), fact_book().by_id
    facts = [known[name] for name in told.choice("facts").split(",") if name in known]
    if day is None:
        sheet.ask("day")
        return sheet.worked(TITLE, "")
    if day.year not in YEARS:
        raise Nonsense(f"L'année {day.year} n'est pas vraisemblable : le délai n'est pas compté.")
    if not facts or not all((fact.since or fact.until) and isinstance(fact.value, float) for fact in facts):
        raise Nonsense("Ce relevé n'est pas un délai qui court.")
    alone = len(facts) == 1 and len(fact_book().groups[facts[0].group]) == 1
    cases = [_end(sheet, fact, day, case="" if alone else case_of(fact)) for fact in facts]
    if len(cases) > 1:
        sheet.lead(f"{named(facts[0])} : {' ; '.join(cases)}.")
    source = facts[0].source
    return sheet.worked(TITLE, source.title, source.url)


def _end(sheet: Sheet, fact: Fact, day: date, *, case: str) -> str:
    """One line, and in short the day with its case."""
    assert isinstance(fact.value, float)
    count, back = int(fact.value), bool(fact.until)
    last = moved(day, -count if back else count, fact.unit)
    label, length = f"{named(fact)} {case}".strip(), f"{count} {_plural(fact.unit, count)}"
    sheet.found(label, count, _plural(fact.unit, count), f"{day:%d/%m/%Y} {'−' if back else '+'} {length}")
    upto = "au plus tard le" if back else "soit le"
    side = f"avant {fact.until}" if back else f"après {fact.since}"
    unsure = f", durée {TO_VERIFY}" if fact.status == "to_verify" else ""
    sheet.say(f"{label} : {length} {side} ({day:%d/%m/%Y}), {upto} {written(last)}{unsure}.")
    if not back and last.weekday() in WEEKEND:
        sheet.assume(f"Le {last:%d/%m/%Y} est un {WEEKEND[last.weekday()]} : un report au jour ouvrable suivant, le "
                     f"{written(_workday(last))}, est à vérifier.")  # fmt: skip
    return f"{upto.removeprefix('soit ')} {written(last)} {case}".strip()


def _plural(unit: str, count: int) -> str:
    return unit if count == 1 or unit.endswith("s") else f"{unit}s"


def moved(day: date, count: int, unit: str) -> date:
    """`count` days, weeks, months or years later, before where it is negative."""
    if unit in ("jour", "semaine"):
        return day + timedelta(days=count * (7 if unit == "semaine" else 1))
    year, month = divmod(day.year * 12 + day.month - 1 + count * (12 if unit == "an" else 1), 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def written(day: date) -> str:
    """`1er octobre 2026`."""
    return f"{day.day}{'er' if day.day == 1 else ''} {MONTHS[day.month - 1]} {day.year}"


def _workday(day: date) -> date:
    while day.weekday() in WEEKEND:
        day += timedelta(days=1)
    return day
