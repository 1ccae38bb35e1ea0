"""What the MCP tools take and give, beside `ask`."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, create_model, field_validator

from bot.api.shapes import CardsShape, ComputedShape, FigureShape, ProposalShape, Shape
from pipeline.tools.calculation.fields import DAY, FIELDS, TEXT, YES_NO
from pipeline.tools.calculation.fields import Field as Argument
from pipeline.tools.calculator import NAMES

Commune = Annotated[
    str, Field(min_length=1, max_length=120, description="Nom, code postal ou code INSEE ; « Toulon (83) » si besoin")
]
Rooms = Annotated[int | None, Field(default=None, ge=1, le=5, description="Pièces ; 5 : cinq et plus")]


class PricesRequest(Shape):
    """Les prix d'une commune."""

    commune: Commune
    type: Literal["flat", "house", "garage", "land"] | None = Field(
        default=None, description="Appartements, maisons, garages ou terrains ; sans lui, appartements et maisons"
    )
    year: int | None = Field(default=None, ge=2010, le=2100)
    since: int | None = Field(default=None, ge=0, le=2100, description="Première année d'une évolution ; 0 : toutes")
    rooms: Rooms


class RentsRequest(Shape):
    """Les loyers d'annonce d'une commune."""

    commune: Commune
    type: Literal["flat", "house"] | None = None
    rooms: Rooms


class RisksRequest(Shape):
    """Les risques d'une commune ou d'une adresse."""

    commune: Commune
    address: str | None = Field(default=None, max_length=200, description="Rue et numéro, pour son propre point")


class SearchRequest(Shape):
    """Une recherche dans le corpus."""

    query: str = Field(min_length=1, max_length=1_000)
    limit: int = Field(default=5, ge=1, le=10)


class NoteRequest(Shape):
    """Une note à proposer."""

    deal: str = Field(min_length=1, max_length=120, description="Numéro ou nom du dossier HubSpot")
    text: str = Field(min_length=1, max_length=12_000, description="La note, telle qu'elle serait écrite")


class FindingShape(Shape):
    title: str
    text: str
    figures: list[FigureShape]
    computed: list[ComputedShape]
    source: str
    as_of: str | None


class FindingsAnswer(Shape):
    """Ce qui a été trouvé ou calculé ; `gaps` : ce qui n'a pas répondu ; `asked_back` : ce qui manque."""

    findings: list[FindingShape]
    gaps: list[str]
    asked_back: str | None


class PassageShape(Shape):
    title: str
    heading: list[str]
    text: str
    url: str
    published: str | None
    effective_from: str | None
    effective_to: str | None
    own_file: bool = Field(description="Un fichier de l'équipe, et non un article ou une page officielle")


class SearchAnswer(Shape):
    """Les passages, du meilleur au moins bon ; `enough` : s'ils suffisent à porter une réponse."""

    passages: list[PassageShape]
    enough: bool
    degraded: list[str]


class ProposedAnswer(Shape):
    """Ce qui est proposé, et si sa carte est montrée."""

    proposals: list[ProposalShape]
    remarks: list[str]
    cards: CardsShape


def _arguments() -> Iterator[tuple[str, Any]]:
    """Each argument of every calculation once, with the calculations that it is of."""
    of: dict[str, list[tuple[str, Argument]]] = {}
    for kind, fields in FIELDS.items():
        for field in fields:
            of.setdefault(field.name, []).append((kind, field))
    for name, uses in of.items():
        labels = dict.fromkeys(f"{field.label} ({', '.join((field.unit, *field.choices))})" for _kind, field in uses)
        said = f"{' ; ou '.join(labels)}. Pour : {', '.join(kind for kind, _field in uses)}"
        yield name, (_type_of([field for _kind, field in uses]) | None, Field(default=None, description=said))


def _type_of(fields: list[Argument]) -> Any:
    if fields[0].unit == YES_NO:
        return bool
    if fields[0].unit in (DAY, TEXT) or fields[0].choices:
        return str
    return float | list[float] if any(field.many for field in fields) else float


class _Calculation(Shape):
    """Un calcul et ses données."""

    kind: str = Field(
        description=" ; ".join(f"{kind} : {name}" for kind, name in NAMES.items()),
        json_schema_extra={"enum": list(NAMES)},
    )

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        if kind not in NAMES:
            raise ValueError(kind)
        return kind


ComputeRequest = create_model("ComputeRequest", __base__=_Calculation, **dict(_arguments()))
