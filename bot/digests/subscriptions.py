"""What a channel may ask of its digest: the values of a subscription, read from words and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from bot.digests.due import clock_objection
from corpus.places import Gazetteer
from pipeline.schemes import schemes
from pipeline.tools.communes import resolve

Length = Literal["short", "normal", "long"]
LENGTHS: Final[tuple[Length, ...]] = get_args(Length)
MOST_ITEMS: Final[Mapping[str, int]] = {"short": 5, "normal": 10, "long": 16}
"""Items of a digest: the longest is read in under two minutes."""
MOST_COMMUNES: Final = 20
MOST_SCHEMES: Final = 30
TOPICS: Final[Mapping[str, str]] = {
    "fiscalite": "Fiscalité", "financement": "Crédit et financement", "energie": "Énergie et travaux",
    "loyers": "Loyers et baux", "zonage": "Zonages", "risques": "Risques", "patrimoine": "Patrimoine et transmission",
    "conformite": "Conformité du cabinet",
}  # fmt: skip
"""The sides of the field, as the schemes' `aspect` names them."""


class Refused(ValueError):
    """A French sentence on what is wrong, for the field that it is about."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class Wanted:
    """A subscription as chosen. `communes`: INSEE codes; no scheme and no topic: everything of the field."""

    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    weekday: int = 1
    at: str = "08:00"
    length: Length = "normal"
    alerts: bool = False
    alert_days: int = 30
    shared_allowed: bool = False

    def columns(self) -> dict[str, Any]:
        """As its row holds it."""
        listed = {"communes": list(self.communes), "schemes": list(self.schemes), "topics": list(self.topics)}
        return asdict(self) | listed

    @property
    def followed(self) -> frozenset[str]:
        """Every scheme that is chosen by name or by topic; all of them where nothing is."""
        known = schemes()
        if not self.schemes and not self.topics:
            return frozenset(known)
        return frozenset(self.schemes) | {name for name, scheme in known.items() if scheme.aspect in self.topics}


def wanted_of(row: Mapping[str, Any]) -> Wanted:
    """What a stored subscription says."""
    return Wanted(
        communes=tuple(row["communes"]),
        schemes=tuple(row["schemes"]),
        topics=tuple(row["topics"]),
        weekday=row["weekday"],
        at=row["at"],
        length=row["length"],
        alerts=row["alerts"],
        alert_days=row["alert_days"],
        shared_allowed=row["shared_allowed"],
    )


def checked(wanted: Wanted, places: Gazetteer) -> Wanted:
    """The same, each code known and said once. Raises `Refused`."""
    communes = tuple(dict.fromkeys(wanted.communes))
    for code in communes:
        if places.get(code) is None:
            raise Refused("communes", f"Je ne connais pas de commune sous le code INSEE « {code[:20]} ».")
    if len(communes) > MOST_COMMUNES:
        raise Refused("communes", f"Un point suit {MOST_COMMUNES} communes au plus : il y en a {len(communes)}.")
    for name in wanted.schemes:
        if name not in schemes():
            raise Refused("schemes", f"Je ne connais pas le dispositif « {name[:40]} ».")
    if unknown := [name for name in wanted.topics if name not in TOPICS]:
        raise Refused("topics", f"Je ne connais pas le thème « {unknown[0][:40]} ».")
    if not 1 <= wanted.weekday <= 7:
        raise Refused("weekday", "Le jour va de 1 (lundi) à 7 (dimanche).")
    if objection := clock_objection(wanted.at):
        raise Refused("at", objection)
    if wanted.length not in LENGTHS:
        raise Refused("length", f"La longueur est l'une de : {', '.join(LENGTHS)}.")
    if not 1 <= wanted.alert_days <= 180:
        raise Refused("alert_days", "Le préavis des échéances va de 1 à 180 jours.")
    return Wanted(**(asdict(wanted) | {"communes": communes, "schemes": tuple(dict.fromkeys(wanted.schemes))}))


def communes_in(text: str, places: Gazetteer) -> tuple[str, ...]:
    """INSEE codes of communes that somebody wrote between commas, by name or code. Raises `Refused` for a name that
    is unknown or borne by several."""
    found: list[str] = []
    for part in (piece.strip() for piece in text.replace(";", ",").replace("\n", ",").split(",")):
        if part:
            found.append(_commune(part, places))
    return tuple(dict.fromkeys(found))


def _commune(part: str, places: Gazetteer) -> str:
    found = resolve(part, places)
    if isinstance(found, str):
        raise Refused("communes", f"« {part[:60]} » : {found}")
    return found.place.insee


def said(wanted: Wanted, places: Gazetteer) -> str:
    """ "Toulon, Villeurbanne ; dispositif Pinel ; fiscalité" for people."""
    return " ; ".join(filter(None, (names_of(wanted.communes, places), _topics_of(wanted))))


def names_of(communes: Sequence[str], places: Gazetteer) -> str:
    return ", ".join(place.name for code in communes if (place := places.get(code)) is not None)


def _topics_of(wanted: Wanted) -> str:
    known = schemes()
    names = [known[name].short for name in wanted.schemes if name in known]
    return ", ".join([*names, *(TOPICS[topic].lower() for topic in wanted.topics if topic in TOPICS)])
