"""The tool "risks": what Géorisques records of a commune: plans, known risks, disasters, radon, seismicity."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from corpus.places import Gazetteer, Place
from pipeline.tools.french import at, count
from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, origin, unusable
from pipeline.tools.risks.address import AddressRisks, Spot
from pipeline.tools.risks.reading import (
    FLOOD,
    Disasters,
    Found,
    read_disasters,
    read_plans,
    read_radon,
    read_risks,
    read_zone,
)
from pipeline.types import Figure, ToolCall, ToolResult

URL: Final = "https://www.georisques.gouv.fr/risques-pres-de-chez-vous"
API: Final = "/api/v1"
MOST_NAMED: Final = 8
AT_THE_PLOT: Final = (
    "Ces informations valent pour la commune : le zonage d'un plan et l'exposition au retrait-gonflement des argiles "
    "se lisent à l'adresse, dans l'état des risques."
)
NOTHING_AT_ALL: Final = "Géorisques n'a rien renvoyé, ce qui ne veut pas dire qu'il n'y a pas de risque."
BY_ADDRESS: Final = (
    "L'exposition au retrait-gonflement des argiles se lit à l'adresse, pas à la commune : donnez la rue et le numéro "
    "pour l'obtenir."
)
RADON: Final = {1: "faible", 2: "faible avec des facteurs aggravants", 3: "significatif"}
SEISMIC: Final = {1: "très faible", 2: "faible", 3: "modérée", 4: "moyenne", 5: "forte"}

Read = Callable[[Any, str], Any]
PARTS: Final[Mapping[str, tuple[str, str, Read]]] = {
    "plans": ("/gaspar/pprn", "codeInsee", read_plans),
    "risks": ("/gaspar/risques", "code_insee", read_risks),
    "disasters": ("/gaspar/catnat", "code_insee", read_disasters),
    "radon": ("/radon", "code_insee", read_radon),
    "zone": ("/zonage_sismique", "code_insee", read_zone),
}
"""Part -> path, the name of its parameter (a wrong one silently returns the whole country), reader."""
NAMES: Final = {
    "plans": "les plans de prévention", "risks": "la liste des risques", "disasters": "les catastrophes naturelles",
    "radon": "le radon", "zone": "le zonage sismique",
}  # fmt: skip


class RisksTool:
    """`arguments`: `{"insee": str, "name": str}`, and optionally `address` (what is known of its point comes first),
    `topics` (of "flood", "clay", "radon", "zone", "disasters": told first) and `asserted` (those of them that are asked
    for by Oui or Non). Paris, Lyon and Marseille: gaspar knows the city, radon the arrondissement. One part that fails
    is named; only when all fail is there an `error`."""

    name = "risks"

    def __init__(
        self,
        source: JsonService,
        places: Gazetteer,
        *,
        today: Callable[[], date],
        at_address: AddressRisks | None = None,
    ) -> None:
        self._source = source
        self._at_address = at_address
        self._places = places
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        insee = str(call.arguments.get("insee") or "").strip().upper()
        place = self._places.get(insee) if len(insee) == 5 else None
        if place is None:
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les risques.")
        city = self._places.city_of(insee) or place
        codes = {part: insee if part in ("radon", "zone") else city.insee for part in PARTS}
        if self._places.arrondissements(insee):
            del codes["radon"]  # published by arrondissement only
        asked = [
            Request(API + PARTS[part][0], {PARTS[part][1]: code, "page_size": "100"}) for part, code in codes.items()
        ]
        told, spot = await asyncio.gather(self._source.ask(*asked), self._spot(call, place, city))
        answers = dict(zip(codes, told, strict=True))
        found: dict[str, Any] = {}
        failed: dict[str, Any] = {}
        for part, answer in answers.items():
            value = answer if isinstance(answer, SourceFailed) else _read(part, answer, codes[part])
            (failed if isinstance(value, str | SourceFailed) else found)[part] = value
        if not any(map(_says_something, found.values())):
            failed |= dict.fromkeys(found, NOTHING_AT_ALL)
            found = {}
        reasons = tuple(dict.fromkeys(str(reason) for reason in failed.values()))
        if not found and not spot.sentences:
            return ToolResult(call=call, error=f"{' '.join(reasons)} Pas de risques pour {place.name}.", gaps=spot.gaps)
        who = f"Géorisques{origin(*answers.values())}"
        return self._result(call, place, Found(**found), who=who, spot=replace(spot, gaps=(*_gaps(failed), *spot.gaps)))

    async def _spot(self, call: ToolCall, place: Place, city: Place) -> Spot:
        address = str(call.arguments.get("address") or "")
        if not address:
            return Spot((BY_ADDRESS,) if "clay" in call.arguments.get("topics", ()) else ())
        if self._at_address is None:
            return Spot(gaps=("Géocodage non connecté : les risques sont ceux de la commune, pas de l'adresse.",))
        parts = self._places.arrondissements(place.insee)
        codes = {place.insee, city.insee} if city != place else {place.insee, *(part.insee for part in parts)}
        clay_first = "clay" in call.arguments.get("topics", ())
        return await self._at_address.told(address, commune=place.name, codes=codes, clay_first=clay_first)

    def _result(self, call: ToolCall, place: Place, found: Found, *, who: str, spot: Spot) -> ToolResult:
        return ToolResult(
            call=call,
            title=f"{who} : risques {at(place.name)}",
            text=" ".join([*spot.sentences, *_sentences(place.name, found, who, call.arguments)]),
            figures=_figures(found),
            url=URL,
            as_of=self._today(),
            gaps=spot.gaps,
        )


def _says_something(value: Any) -> bool:
    """A commune without plan, risk or order still has its zone of seismicity: nothing at all is no answer."""
    return bool(value.orders if isinstance(value, Disasters) else value)


def _read(part: str, answer: Any, code: str) -> Any:
    """The part's value, or the sentence that says why it is not used."""
    try:
        return PARTS[part][2](answer, code)
    except Malformed:
        return unusable("Géorisques")


def _gaps(failed: Mapping[str, object]) -> tuple[str, ...]:
    if not failed:
        return ()
    reasons = " ".join(dict.fromkeys(str(reason) for reason in failed.values()))
    return (f"Géorisques, non obtenu : {', '.join(NAMES[part] for part in failed)} ({reasons.rstrip('.')})",)


def _sentences(name: str, found: Found, who: str, arguments: Mapping[str, Any]) -> list[str]:
    """What was asked about first, then the rest in its usual order; nothing when nothing was found."""
    topics, asserted = arguments.get("topics", ()), arguments.get("asserted", ())
    where, said = at(name), {}
    if "flood" in topics and (flood := _of_flood(where, found, who, asserted="flood" in asserted)):
        said["flood"] = flood
    if found.plans is not None:
        said["plans"] = _of_plans(where, found.plans, who)
    if found.risks is not None:
        listed = ", ".join(found.risks[:MOST_NAMED])
        none = f"{who} ne recense aucun risque {where}."
        said["risks"] = f"Risques recensés {where} par {who} : {listed}." if listed else none
    if found.disasters is not None:
        said["disasters"] = _of_disasters(where, found.disasters)
    if found.radon is not None:
        word = "Oui : " if "radon" in asserted and found.radon == max(RADON) else ""
        said["radon"] = (
            f"{word}{'p' if word else 'P'}otentiel radon {where} : classe {found.radon} sur 3, {RADON[found.radon]}."
        )
    if found.zone is not None:
        said["zone"] = f"Zone de sismicité {where} : {found.zone} sur 5, {SEISMIC[found.zone]}."
    first = [said[topic] for topic in said if topic in topics]
    rest = [sentence for topic, sentence in said.items() if topic not in topics]
    return [*first, *rest, AT_THE_PLOT] if said else []


def _of_flood(where: str, found: Found, who: str, *, asserted: bool) -> str:
    """Whether flooding is on record there, behind Oui or Non where that is asked; empty where not all was obtained and
    nothing is."""
    plans = [plan for plan in found.plans or () if FLOOD.search(plan)]
    risks = [risk for risk in found.risks or () if FLOOD.search(risk)]
    if plans or risks:
        listed = f"le risque {', '.join(f'« {risk} »' for risk in risks[:2])}" if risks else ""
        named = f"un plan de prévention : {', '.join(f'« {plan} »' for plan in plans[:2])}" if plans else ""
        return f"{'Oui : ' if asserted else ''}{who} recense {where} {' et '.join(filter(None, (listed, named)))}."
    if found.plans is None or found.risks is None:
        return ""
    return f"{'Non : ' if asserted else ''}{who} ne recense {where} ni risque ni plan de prévention d'inondation."


def _of_plans(where: str, plans: tuple[str, ...], who: str) -> str:
    if not plans:
        return f"{who} ne recense aucun plan de prévention des risques naturels {where}."
    named = ", ".join(f"« {plan} »" for plan in plans[:4] if plan)
    many = "plan" if len(plans) == 1 else "plans"
    return f"{who} recense {where} {len(plans)} {many} de prévention des risques naturels" + (
        f" : {named}." if named else "."
    )


def _of_disasters(where: str, found: Disasters) -> str:
    if not found.orders:
        return f"Aucun arrêté de catastrophe naturelle n'est recensé {where}."
    last = f", le dernier publié le {found.last:%d/%m/%Y}" if found.last else ""
    floods = f", dont {count(found.floods)} pour inondation" if found.floods is not None else ""
    if found.droughts:
        floods += f" et {count(found.droughts)} pour sécheresse ou argiles"
    return f"Arrêtés de catastrophe naturelle recensés {where} : {count(found.orders)}{floods}{last}."


def _figures(found: Found) -> tuple[Figure, ...]:
    listed = []
    if found.plans is not None:
        listed.append(Figure("Plans de prévention des risques naturels", len(found.plans), "plans"))
    if found.disasters is not None:
        listed.append(Figure("Arrêtés de catastrophe naturelle", found.disasters.orders, "arrêtés"))
        if found.disasters.floods is not None:
            listed.append(Figure("Arrêtés pour inondation", found.disasters.floods, "arrêtés"))
        if found.disasters.droughts:
            listed.append(Figure("Arrêtés pour sécheresse ou argiles", found.disasters.droughts, "arrêtés"))
    if found.radon is not None:
        listed.append(Figure("Classe de potentiel radon", found.radon))
    if found.zone is not None:
        listed.append(Figure("Zone de sismicité", found.zone))
    return tuple(listed)
