"""What Géorisques says of the point of an address: clay, and its report's status there of each natural risk."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from pipeline.tools.geocoding import Geocoder
from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, plain, unusable, whole

CLAY_PATH: Final = "/api/v1/rga"
REPORT_PATH: Final = "/api/v1/resultats_rapport_risque"
CLAY: Final = {0: "nulle", 1: "faible", 2: "moyenne", 3: "forte"}
LIKE_THE_COMMUNE: Final = ("radon", "seisme", "retraitGonflementArgile")
"""Radon and seismicity are zoned by commune and told as such; clay has an answer of its own."""
FLOOD: Final = "inondation"
UNSAID: Final = "statut à l'adresse non précisé"
MOST: Final = 12
NOT_A_REPORT: Final = (
    "Ce relevé au point de l'adresse ne remplace ni l'état des risques ni la carte du plan de prévention."
)


@dataclass(frozen=True, slots=True)
class Spot:
    """French sentences on the address, and on what was not obtained."""

    sentences: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


class AddressRisks:
    """`points`: Géorisques, with a time limit that leaves room for the geocoder before it."""

    def __init__(self, geocoder: Geocoder, points: JsonService) -> None:
        self._geocoder = geocoder
        self._points = points

    async def told(self, address: str, *, commune: str, codes: Collection[str], clay_first: bool = False) -> Spot:
        """`codes`: the commune's own, its arrondissements', its city's. What fails is a gap, never an error: the
        commune's risks stand without it. `clay_first`: clay is what was asked for."""
        point = await self._geocoder.point(address, commune=commune, codes=codes)
        if isinstance(point, SourceFailed):
            return Spot(gaps=(f"{point} Les risques sont ceux de la commune, pas de l'adresse.",))
        if point is None:
            return Spot((f"L'adresse n'a pas été trouvée à {commune} : ce qui suit vaut pour la commune entière.",))
        where = {"latlon": point.query}
        clay, report = await self._points.ask(Request(CLAY_PATH, where), Request(REPORT_PATH, where))
        told = [_of_report(report, codes), _of_clay(clay)]
        if clay_first:
            told.reverse()
        gaps = tuple(dict.fromkeys(str(each) for each in told if isinstance(each, SourceFailed)))
        said = [each for each in told if isinstance(each, str)]
        if not said:
            return Spot(gaps=tuple(f"À l'adresse : {gap}" for gap in gaps))
        located = f"Adresse située {point.precision} par la Base Adresse Nationale."
        return Spot((*said, located, NOT_A_REPORT), tuple(f"À l'adresse : {gap}" for gap in gaps))


def _of_clay(answer: Any) -> str | SourceFailed:
    if isinstance(answer, SourceFailed):
        return answer
    try:
        level = read_clay(answer)
    except Malformed:
        return SourceFailed(unusable("Géorisques"))
    if level is None:
        return "À cette adresse, Géorisques ne recense pas d'exposition au retrait-gonflement des argiles."
    return f"À cette adresse, l'exposition au retrait-gonflement des argiles est {CLAY[level]} selon Géorisques."


def _of_report(answer: Any, codes: Collection[str]) -> str | SourceFailed:
    if isinstance(answer, SourceFailed):
        return answer
    try:
        risks = read_report(answer, codes)
    except Malformed:
        return SourceFailed(unusable("Géorisques"))
    dry = answer["risquesNaturels"].get(FLOOD, {}).get("present") is False
    no_flood = "Le rapport de Géorisques ne signale pas de risque d'inondation à cette adresse"
    listed = ", ".join(f"{name} (« {status} »)" for name, status in risks)
    if not risks:
        return f"{no_flood}." if dry else "Le rapport de Géorisques ne signale aucun risque naturel à cette adresse."
    if dry:
        return f"{no_flood} ; il y signale : {listed}."
    return f"Risques naturels signalés à cette adresse par le rapport de Géorisques : {listed}."


def read_clay(answer: Any) -> int | None:
    """0 none to 3 strong; None where the map says nothing (an empty object). Raises `Malformed`."""
    if not isinstance(answer, dict):
        raise Malformed
    return whole(answer.get("codeExposition"), most=3) if answer else None


def read_report(answer: Any, codes: Collection[str]) -> tuple[tuple[str, str], ...]:
    """(risk, status at the address) of the natural risks present there. Raises `Malformed`, also for another commune's
    report."""
    commune, risks = (
        (answer.get(name) for name in ("commune", "risquesNaturels")) if isinstance(answer, dict) else (0, 0)
    )
    if not isinstance(commune, dict) or str(commune.get("codeInsee")) not in codes or not isinstance(risks, dict):
        raise Malformed
    if FLOOD not in risks:
        raise Malformed  # a report that leaves out the first of its risks says nothing of the others' absence
    found = []
    for name, risk in risks.items():
        if not isinstance(risk, dict):
            raise Malformed
        if name not in LIKE_THE_COMMUNE and risk.get("present") is True:
            status = plain(risk.get("libelleStatutAdresse")) or UNSAID
            found.append((plain(risk.get("libelle")).lower() or plain(name), status))
    return tuple(found[:MOST])
