"""Géorisques' answers, read with suspicion: foreign JSON -> what is recorded of one commune, or `Malformed`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from pipeline.tools.json_service import Malformed, plain, rows_of, whole

MOST_PLANS: Final = 40
"""More plans than any commune has: the service has ignored the code and returned the country."""
MOST_ORDERS: Final = 1_000
DROUGHT: Final = re.compile(r"s[eé]cheresse|argile|tassement|r[eé]hydratation", re.IGNORECASE)
FLOOD: Final = re.compile(r"\bPPRI\b|inond|crue|submersion|ruissellement", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Disasters:
    """Orders of natural disaster: how many, how many for floods and for droughts (None when not all were read), the
    last one's day."""

    orders: int
    floods: int | None
    last: date | None
    droughts: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was obtained; None: not obtained. `radon` is a class 1..3, `zone` of seismicity 1..5."""

    plans: tuple[str, ...] | None = None
    risks: tuple[str, ...] | None = None
    disasters: Disasters | None = None
    radon: int | None = None
    zone: int | None = None


def read_plans(answer: Any, insee: str) -> tuple[str, ...]:
    """Names of the natural-risk prevention plans. The rows carry no commune, so their number is what is checked."""
    rows = rows_of(answer, "content")
    total = whole(answer.get("totalElements", len(rows)))
    if not len(rows) <= total <= MOST_PLANS:
        raise Malformed
    names = [plain(row.get("libPpr")) or plain(row.get("modeleProcedure")) for row in rows]
    return tuple(dict.fromkeys(names)) if len(rows) == total else tuple(names) + ("",) * (total - len(rows))


def read_risks(answer: Any, insee: str) -> tuple[str, ...]:
    """Labels of the known risks, families first as the service gives them."""
    details: list[Any] = []
    for row in _of_commune(answer, insee):
        found = row.get("risques_detail") or []
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise Malformed
        details += found
    labels = (plain(each.get("libelle_risque_long")).lower() for each in details)
    return tuple(dict.fromkeys(label for label in labels if label))


def read_disasters(answer: Any, insee: str) -> Disasters:
    """Orders are counted once each, on whichever lines they stand."""
    rows = _of_commune(answer, insee)
    total = whole(answer.get("results", len(rows)), most=MOST_ORDERS)
    if total < len(rows):
        raise Malformed
    if total > len(rows):
        return Disasters(total, None, _last(rows))
    floods = [row for row in rows if FLOOD.search(plain(row.get("libelle_risque_jo")))]
    droughts = [row for row in rows if row not in floods and DROUGHT.search(plain(row.get("libelle_risque_jo")))]
    return Disasters(total, len(floods), _last(rows), len(droughts))


def read_radon(answer: Any, insee: str) -> int | None:
    """Class 1..3 of the commune; None when the service has none."""
    return _level(_of_commune(answer, insee), "classe_potentiel", most=3)


def read_zone(answer: Any, insee: str) -> int | None:
    """Zone 1..5 of the commune; None when the service has none."""
    return _level(_of_commune(answer, insee), "code_zone", most=5)


def _of_commune(answer: Any, insee: str) -> list[Mapping[str, Any]]:
    """The rows, each of this commune: a service that ignores a parameter answers with the whole country."""
    rows = rows_of(answer)
    if any(row.get("code_insee") != insee for row in rows):
        raise Malformed
    return rows


def _level(rows: list[Mapping[str, Any]], name: str, *, most: int) -> int | None:
    levels = {whole(row.get(name), most=most) for row in rows}
    if not levels:
        return None
    if len(levels) > 1 or 0 in levels:
        raise Malformed
    return levels.pop()


def _last(rows: list[Mapping[str, Any]]) -> date | None:
    days = [day for row in rows if (day := _day(row.get("date_publication_jo"))) is not None]
    return max(days, default=None)


def _day(written: object) -> date | None:
    """ISO or DD/MM/YYYY, between the first law on natural disasters (1982) and the year 2100; else None."""
    if not isinstance(written, str):
        return None
    for form in ("%Y-%m-%d", "%d/%m/%Y"):
        try:
            day = datetime.strptime(written[:10], form).date()
        except ValueError:
            continue
        return day if 1982 <= day.year < 2100 else None
    return None
