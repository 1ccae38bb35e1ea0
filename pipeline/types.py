"""The values that flow through one answer, in order of appearance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal

from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Passage
from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.crm_types import Mentioned
from pipeline.series import Schedule, Series

Mode = Literal["rag", "tools", "rag+tools", "none"]
AnswerKind = Literal[
    "ask", "deepen", "smalltalk", "recall", "capabilities", "complaint", "crm_write", "out_of_field", "unsafe",
    "clarify"
]  # fmt: skip
"""What kind of answer a route leads to; what the message is for stands in `Route.intents`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the thread. For an assistant's turn, what its answer was about and the sources it cited."""

    author: Literal["user", "assistant"]
    text: str
    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    query: str = ""
    sources: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Allowance:
    """Euros that an answer may still spend on language models, and which limit says so."""

    euros: float
    limit: Literal["answer", "person", "day"]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, by whom, where. `audience`, `tenants`: what may be read; `memory`: of the thread's last answer;
    `crm_closed`: why, in French; `allowance` None: no limit; `usual_*`: where none is named; `left_out`: sections told
    only where asked for; `files`: of its thread, newest first; `case`: what a told case asks, and what that leans on;
    `mentioned`: who and what of the CRM it names."""

    text: str
    asked_by: str
    asked_at: datetime
    history: tuple[Turn, ...] = ()
    deal_id: str | None = None
    audience: frozenset[str] = frozenset({PUBLIC_AUDIENCE})
    tenants: tuple[str, ...] = (SHARED_TENANT,)
    memory: Mapping[str, Any] = field(default_factory=dict)
    asker_email: str = ""
    crm_closed: str = ""
    allowance: Allowance | None = None
    usual_communes: tuple[str, ...] = ()
    usual_deal_id: str | None = None
    left_out: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    mentioned: Mentioned = field(default_factory=Mentioned)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool and its typed arguments, decided by the route alone."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to answer a question back: the commune's INSEE code, its name on a button, the question completed."""

    insee: str
    label: str
    question: str


@dataclass(frozen=True, slots=True)
class Route:
    """How the question will be answered. `query` stands alone (follow-ups resolved); communes are INSEE codes; schemes
    are corpus entities such as `pinel`; `deal_id`/`deal_name` come from the user's words only; `clarification` is the
    French question to ask back when the intent is `clarify`, `choices` its answers when they are few and known;
    `intents`: what the message is for, in the published vocabulary; `remarks`: what is said beside the answer."""

    mode: Mode
    intent: AnswerKind
    query: str
    sub_queries: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    actions: tuple[ActionRequest, ...] = ()
    deal_id: str | None = None
    deal_name: str | None = None
    refusal: str | None = None
    clarification: str | None = None
    choices: tuple[Choice, ...] = ()
    reasons: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def needs_action(self) -> bool:
        return bool(self.actions)


@dataclass(frozen=True, slots=True)
class Figure:
    """A value a tool stands for: label in French, number, unit as shown (`€/m²`, `%`, `ventes`), what it rests on."""

    label: str
    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Computed:
    """A value of the ledger: computed by code from evidence."""

    figure: Figure
    formula: str
    inputs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found: French sentences in `text`, its figures, its source. `error` is a French reason, or None;
    `outage`: the source's own failure. `computed`: worked out by code, with formulas; `gaps`: French sentences on the
    sources that failed; `series`: the same figures over years; `schedules`: by steps; `also`: further findings, each
    with its source; `choices`: (deal id, label) of what a name may mean, for buttons; `asks`: the French question for
    the input that matters most, `missing`: its argument names; `persons`: clients named."""

    call: ToolCall
    title: str = ""
    text: str = ""
    figures: tuple[Figure, ...] = ()
    url: str = ""
    as_of: date | None = None
    error: str | None = None
    private: bool = False
    computed: tuple[Computed, ...] = ()
    gaps: tuple[str, ...] = ()
    outage: bool = False
    series: tuple[Series, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    also: tuple["ToolResult", ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    asks: str = ""
    missing: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything this answer may rest on. Ids are 1..n: passages first, then tool results without error."""

    passages: tuple[Passage, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()
    ledger: tuple[Computed, ...] = ()

    def numbered(self) -> tuple[tuple[int, Passage | ToolResult], ...]:
        usable: tuple[Passage | ToolResult, ...] = (*self.passages, *(r for r in self.tool_results if r.error is None))
        return tuple(enumerate(usable, start=1))

    def with_ledger(self) -> "Evidence":
        """The same, with what its tools computed; each entry may only support sentences that cite its tool."""
        tools = ((number, item) for number, item in self.numbered() if isinstance(item, ToolResult))
        entries = (replace(entry, inputs=(number,)) for number, item in tools for entry in item.computed)
        return replace(self, ledger=(*self.ledger, *entries))

    @property
    def failures(self) -> tuple[ToolResult, ...]:
        return tuple(r for r in self.tool_results if r.error is not None)


@dataclass(frozen=True, slots=True)
class Brief:
    """What a writer gets: the question, its route, the evidence, the sections that the answer may have. For a second
    try: the draft, and its sentences that were `refused`, each with its reason. `partial`: told of what is finished of
    a draft that is still being written."""

    question: Question
    route: Route
    evidence: Evidence
    sections: tuple[str, ...]
    draft: "Draft | None" = None
    refused: tuple[tuple[str, str], ...] = ()
    partial: "Callable[[Draft], None] | None" = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a draft cost. `euros` is None when the model's price is unknown."""

    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    euros: float | None = None


Operation = Literal["difference", "sum", "product", "ratio", "change", "per_month", "per_year", "rounding"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of a model's draft as it declared it. `text`: as it stands in the draft, with its `[n]` markers;
    `quote`: the span of a cited source that it rests on; `operation`, `operands`: where a figure of it is derived, how,
    and from which figures, as written in the cited sources or in the question."""

    text: str
    quote: str = ""
    operation: Operation | None = None
    operands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """Markdown: `### Section` headings, paragraphs and `- ` bullets, each sentence ending with its `[n]` markers.
    `claims`: its sentences as a model declared them; `missing`: what of the question it says no source tells, in a few
    words each; `cut`: ended by length, only finished sentences are in `text`."""

    text: str
    usage: Usage
    degraded: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    missing: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence that a published sentence cites. `kind`: passage or the tool's name."""

    id: int
    kind: str
    title: str
    url: str
    quote: str
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class Grounded:
    """A draft after the gate: only sentences that stand. `kept`: those published as written; `replaced`: (sentence, the
    sentence of its source published instead, why); `dropped`: (sentence, why); `computed`: figures of published
    sentences that code worked out again from cited ones."""

    text: str
    citations: tuple[Citation, ...]
    figures_checked: int
    sentences_kept: int
    dropped: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str, str], ...] = ()
    computed: tuple[Computed, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """One stage of the flow and how long it took, in seconds."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What is published. `text` is Markdown with `[n]` markers; `refused` carries its reason in `refusal`;
    `remarks` are sentences of ours about the actions; `deal_id` is a deal that the user named and the CRM knows;
    `memory`: what the thread is about from now on, as plain JSON; `asked_back`: the question put back, if any; `links`:
    addresses that the text leads to uncited, of this answer's search; the last three: of the draft (`Grounded`)."""

    text: str
    route: Route
    citations: tuple[Citation, ...] = ()
    figures_checked: int = 0
    sentences_dropped: int = 0
    refused: bool = False
    refusal: str | None = None
    degraded: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    actions: tuple[ProposedAction, ...] = ()
    deal_id: str | None = None
    cost: Usage | None = None
    seconds: float = 0.0
    evidence: Evidence = field(default_factory=Evidence)
    steps: tuple[Timing, ...] = ()
    memory: Mapping[str, Any] = field(default_factory=dict)
    asked_back: str | None = None
    links: tuple[str, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    replaced: tuple[tuple[str, str, str], ...] = ()
    recomputed: tuple[Computed, ...] = ()
