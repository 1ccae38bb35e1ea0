"""What a language model is asked to fill in: the shape of its reply, as pydantic and as a strict JSON Schema.

Enumerations bind the model through the schema alone: a word outside of them is dropped by `model_checks`, and the rest
of the reply is still looked at. A wrong type or a boundless text refuses the whole reply.
"""

from functools import cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from pipeline.reading import ACTS, CRM_BOUNDS, INTENTS, ROLES
from pipeline.schemes import schemes
from pipeline.understanding import cues

LONGEST_TEXT: Final = 2_000
KINDS_OF_WRITE: Final = {"note": "create_note", "task": "create_task", "update": "update_property"}
VIEWS: Final = ("deals", "deal", "brief", "tasks", "contacts")
HOMES: Final = ("flat", "house", "garage", "land")

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Name = Annotated[str, Field(max_length=120)]
Texts = Annotated[list[Name], Field(max_length=6)]
Sureness = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


def _one_of(*values: str) -> Any:
    return WithJsonSchema({"type": "string", "enum": list(values)})


IntentName = Annotated[str, _one_of(*INTENTS)]
RoleName = Annotated[str, _one_of(*ROLES)]
SchemeId = Annotated[str, _one_of(*schemes())]
Option = Annotated[str, _one_of(*cues.patterns("options"))]
Bound = Annotated[str, _one_of(*CRM_BOUNDS)]


class Part(BaseModel):
    """A part of a reply. Fields that nobody asked for are not looked at."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class ReadIntent(Part):
    name: IntentName
    confidence: Sureness


class ReadQuantity(Part):
    """`text` as the user typed it, or as an earlier result shows it; never a number of the model's own."""

    text: Name
    role: RoleName


class ReadWrite(Part):
    """`body`, `value`, `date` and `deal` in the user's words; `refers`: the last answer is what is written."""

    kind: Annotated[str, _one_of(*KINDS_OF_WRITE)]
    body: Text = ""
    refers: bool = False
    date: Name = ""
    property: Annotated[str, _one_of("", *cues.patterns("property"))] = ""
    value: Text = ""
    deal: Name = ""


class Reply(Part):
    """One message as a model reads it; "" and 0 stand for nothing said."""

    intents: Annotated[list[ReadIntent], Field(min_length=1, max_length=6)]
    act: Annotated[str, _one_of(*ACTS)] = "new"
    query: Text = ""
    queries: Annotated[list[Text], Field(max_length=4)] = []
    quantities: Annotated[list[ReadQuantity], Field(max_length=24)] = []
    communes: Texts = []
    schemes: Annotated[list[SchemeId], Field(max_length=6)] = []
    home: Annotated[str, _one_of("", *HOMES)] = ""
    rooms: Annotated[int, Field(ge=0, le=20)] = 0
    year: Annotated[int, Field(ge=0, le=9999)] = 0
    options: Annotated[list[Option], Field(max_length=8)] = []
    deals: Texts = []
    writes: Annotated[list[ReadWrite], Field(max_length=4)] = []
    crm_view: Annotated[str, _one_of("", *VIEWS)] = ""
    crm_filters: Annotated[list[Bound], Field(max_length=5)] = []


LIMITS: Final = frozenset(("title", "description", "default", "maxLength", "minimum", "maximum"))
"""Keywords that strict modes refuse; these limits hold when the reply is parsed. The number of items is told: else a
small model under a grammar repeats one item until its tokens are spent."""


@cache
def json_schema() -> dict[str, Any]:
    """Without references, every field required and no other allowed: what strict modes ask for."""
    whole = Reply.model_json_schema()
    found: dict[str, Any] = _plain(whole, whole.get("$defs", {}))
    return found


def _plain(part: Any, parts: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_plain(item, parts) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _plain(parts[part["$ref"].rsplit("/", 1)[1]], parts)
    if part.get("type") == "object":
        fields = {name: _plain(field, parts) for name, field in part["properties"].items()}
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {name: _plain(value, parts) for name, value in part.items() if name not in LIMITS}
