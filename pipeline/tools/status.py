"""The tool "status": zone tendue, A-B-C zone, rent control, Denormandie place of a commune, each dated."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from corpus.places import Gazetteer, Place
from corpus.status import ORT_AS_OF, RENT_CONTROL_YEAR, TENSE_AS_OF, Status, StatusLists
from pipeline.tools.zones import Zoning
from pipeline.types import Figure, ToolCall, ToolResult

CONTROL_ENDS = (date(2026, 11, 23), date(2026, 11, 24))
"""Sources disagree by a day on the end of the experiment (ELAN, art. 140, extended by 3DS)."""
CONTROL_CHECKED = date(2026, 11, 21)
"""The day to which no text extending it had been found."""
DENORMANDIE_ENDS = date(2027, 12, 31)
"""Loi 2024-322 du 09/04/2024, art. 42."""
AS_OF = {"tense": TENSE_AS_OF, "control": CONTROL_CHECKED, "denormandie": ORT_AS_OF}
STALE_DAYS = 366
URL = "https://www.service-public.gouv.fr/simulateur/calcul/zones-tendues"


class StatusTool:
    """`arguments`: `{"insee": str, "name": str, "parts": of "abc", "tense", "control", "denormandie"}`; no part: all of
    them. `asserted`: the parts asked for by Oui or Non, told first; `letter`: the zone asked for so. The A-B-C zone is
    a finding of its own, with its own source. Raises nothing but `StatusUnreadable`, `ZonesUnreadable` and
    `PlacesUnreadable`."""

    name = "status"

    def __init__(
        self, lists: StatusLists, places: Gazetteer, *, today: Callable[[], date], zoning: Zoning | None = None
    ) -> None:
        self._lists = lists
        self._zoning = zoning
        self._places = places
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        insee = str(call.arguments.get("insee") or "").strip().upper()
        place = self._places.get(insee) if len(insee) == 5 else None
        if place is None:
            return ToolResult(call=call, error="Précisez la commune dont vous voulez le statut.")
        status, today = self._lists.of(insee), self._today()
        told: dict[str, list[str]] = {
            "tense": tense_sentences(place, status, today=today),
            "control": control_sentences(place, status, today=today, listed=self._lists.rent_controlled),
            "denormandie": denormandie_sentences(place, status, today=today),
        }
        wanted = tuple(call.arguments.get("parts", ())) or ("abc", *told)
        asserted = [part for part in call.arguments.get("asserted", ()) if part in told]
        for part in asserted:
            told[part] = said_by_word(holds(part, status, today=today), told[part])
        asked = [part for part in (*asserted, *(part for part in told if part not in asserted)) if part in wanted]
        zone = None
        if self._zoning is not None and "abc" in wanted:
            zone = await self._zoning.told(call, place)
            if not asked:
                return zone
        asked = asked or list(told)
        lists = ToolResult(
            call=call,
            title=f"Statut de {place.label} : listes datées",
            text=" ".join(sentence for part in asked for sentence in told[part]),
            figures=_figures(self._lists.rent_controlled),
            url=URL,
            as_of=min(AS_OF[part] for part in asked),
        )
        return lists if zone is None else replace(zone, also=(lists,))


def holds(part: str, status: Status, *, today: date) -> bool | None:
    """Whether the dated lists say so of the commune; None where they no longer tell."""
    if part == "tense":
        return status.tense
    if part == "control":
        return None if today >= CONTROL_ENDS[0] else status.rent_control != "none"
    signed = status.ort == "signed" and not (status.ends is not None and status.ends < today)
    ended = status.ort == "signed" and not signed and not status.acv
    return None if today > DENORMANDIE_ENDS or ended else status.acv or signed


def said_by_word(answer: bool | None, told: Sequence[str]) -> list[str]:
    """The sentences, the first behind Oui or Non where that is known."""
    if answer is None:
        return list(told)
    first, *rest = told
    opening = first[0].lower() + first[1:] if first.startswith("D'") else first
    return [f"{'Oui' if answer else 'Non'} : {opening}", *rest]


def tense_sentences(place: Place, status: Status, *, today: date) -> list[str]:
    """Category 1 of the decree of 2013 only: « touristique et tendue » is another list, which only opens a tax."""
    is_on = "est en zone tendue" if status.tense else "n'est pas en zone tendue"
    return [
        f"{place.name} {is_on} au sens du décret 2013-392 (catégorie 1), d'après la liste au {TENSE_AS_OF:%d/%m/%Y} du "
        "ministère chargé du logement (Licence Ouverte 2.0).",
        "La liste change par décret : pour un bail ou une taxe, le simulateur officiel de service-public le confirme.",
        *_stale("zones tendues", TENSE_AS_OF, today),
    ]


def control_sentences(place: Place, status: Status, *, today: date, listed: int) -> list[str]:
    """What the list of 2026 says, only while the experiment runs; from its end on, only that the end has come."""
    source = f"liste {RENT_CONTROL_YEAR} de {listed} communes, source secondaire à recouper avec l'arrêté préfectoral"
    checked = f"aucun texte de prolongation n'avait été trouvé au {CONTROL_CHECKED:%d/%m/%Y}"
    first, last = CONTROL_ENDS
    if today >= first:
        return [
            f"Encadrement des loyers : l'expérimentation légale s'achevait le {first:%d/%m/%Y} ou le {last:%d/%m/%Y} "
            f"selon les sources et {checked} ; la situation actuelle n'est pas connue pour {place.name} et se vérifie "
            "en direct."
        ]
    if status.rent_control == "none":
        is_on = f"{place.name} ne figure pas parmi les communes sous encadrement du niveau des loyers"
    else:
        part = " pour une partie de son territoire" if status.rent_control == "part" else ""
        is_on = f"{place.name} figure parmi les communes sous encadrement du niveau des loyers{part}"
    return [
        f"{is_on} ({source}).",
        f"Cet encadrement est une expérimentation légale qui s'achève le {first:%d/%m/%Y} ou le {last:%d/%m/%Y} selon "
        f"les sources ; {checked}.",
    ]


def denormandie_sentences(place: Place, status: Status, *, today: date) -> list[str]:
    """A signed ORT agreement that has not ended, or Action cœur de ville (CGI 199 novovicies)."""
    source = f"liste de décembre {ORT_AS_OF.year}, Licence Ouverte 2.0"
    grounds = []
    if status.acv:
        grounds.append("Action cœur de ville")
    if status.ort == "signed":
        when = f" le {status.signed:%d/%m/%Y}" if status.signed else ""
        until = f", jusqu'au {status.ends:%d/%m/%Y}" if status.ends else ""
        grounds.append(f"convention d'ORT signée{when}{until}")
    said = []
    if today > DENORMANDIE_ENDS:
        said.append(f"Le Denormandie s'arrêtait au {DENORMANDIE_ENDS:%d/%m/%Y} : toute suite se vérifie en direct.")
    elif not grounds:
        planned = " : une ORT y est prévue mais n'est pas signée" if status.ort == "unsigned" else ""
        said.append(
            f"D'après la {source}, {place.name} n'est pas un lieu éligible au Denormandie{planned} ; une copropriété "
            "en difficulté peut l'ouvrir partout."
        )
    elif status.ends is not None and status.ends < today and not status.acv:
        said.append(
            f"{place.name} avait une {' et '.join(grounds)} ({source}) : ce terme est passé, l'éligibilité au "
            "Denormandie est à vérifier auprès de la commune."
        )
    else:
        said.append(
            f"D'après la {source}, {place.name} est un lieu éligible au Denormandie, ouvert jusqu'au "
            f"{DENORMANDIE_ENDS:%d/%m/%Y} sous les conditions du dispositif : {' et '.join(grounds)}."
        )
    return [*said, *_stale("ORT", ORT_AS_OF, today)]


def _stale(name: str, as_of: date, today: date) -> list[str]:
    if (today - as_of).days <= STALE_DAYS:
        return []
    return [f"La liste {name} date du {as_of:%d/%m/%Y} : elle a plus d'un an, à vérifier."]


def _figures(listed: int) -> tuple[Figure, ...]:
    return (Figure("Communes de la liste d'encadrement", listed, "communes"), Figure("Millésime", RENT_CONTROL_YEAR))
