"""What goes in and comes out, as `/v1/openapi.json` and the MCP tools tell it; the shape of `ask --json`, and more."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST_TEXT = 12_000
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class Shape(BaseModel):
    """Nothing but what is named."""

    model_config = ConfigDict(extra="forbid")


class AskRequest(Shape):
    """Une question, ou la suite d'un fil de cette clé."""

    text: Text = Field(description="La question, comme on l'écrirait à un collègue.")
    thread: str | None = Field(
        default=None, pattern=r"^[\w.-]{1,32}$", description="Le fil d'une réponse précédente, pour poursuivre."
    )


class CallShape(Shape):
    tool: str
    arguments: dict[str, Any]


class RouteShape(Shape):
    mode: Literal["rag", "tools", "rag+tools", "none"]
    needs_action: bool
    communes: list[str] = Field(description="Codes INSEE")
    aspects: list[str]
    intents: list[str]
    calls: list[CallShape]


class CitationShape(Shape):
    id: int = Field(description="Le numéro [n] dans le texte")
    kind: str
    title: str
    url: str
    quote: str
    as_of: str | None


class FiguresShape(Shape):
    checked: int
    dropped: int


class TargetShape(Shape):
    object: Literal["deal", "contact"]
    id: str
    name: str


class ProposalShape(Shape):
    kind: Literal["create_note", "create_task", "update_property"]
    target: TargetShape
    fields: dict[str, str]
    summary: str


class FigureShape(Shape):
    label: str
    value: float
    unit: str


class ComputedShape(FigureShape):
    formula: str


class ChoiceShape(Shape):
    insee: str
    label: str
    question: str


class CostShape(Shape):
    model: str
    prompt_tokens: int
    completion_tokens: int
    euros: float | None


class CardsShape(Shape):
    """Combien de propositions sont montrées dans Slack, où un membre décide ; sinon pourquoi aucune ne l'est."""

    shown: int
    reason: str | None


class AskAnswer(Shape):
    """La réponse, comme `python -m bot ask --json`, avec son fil et sa référence."""

    question: str
    route: RouteShape
    answer: str = Field(description="Markdown ; chaque phrase porte ses sources [n].")
    refused: bool
    reason: str | None
    citations: list[CitationShape]
    figures: FiguresShape
    proposals: list[ProposalShape] = Field(description="Écritures proposées ; aucune n'est faite sans clic.")
    computed: list[ComputedShape]
    asked_back: str | None
    choices: list[ChoiceShape]
    remarks: list[str]
    degraded: list[str]
    cost: CostShape | None
    seconds: float
    thread: str = Field(description="À redonner pour poursuivre ce fil.")
    reference: str
    cards: CardsShape


class ProblemShape(Shape):
    """RFC 9457"""

    type: str
    title: str
    status: int
    detail: str = Field(description="Une phrase en français")
    reference: str


class StepEvent(Shape):
    """`event: step` : ce qui se fait ; `event: section` : ce qui est vérifié jusqu'ici, en Markdown, en entier."""

    text: str
