"""What was understood of one message: the values between a reader and the planner."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Literal, get_args

from pipeline.action_types import ActionRequest

Intent = Literal[
    "rules", "prices", "rents", "risks", "energy", "status", "datasets",
    "calc_loan", "calc_yield", "calc_gain", "calc_capacity", "calc_regime",
    "crm_read", "crm_write_note", "crm_write_task", "crm_write_update",
    "capabilities", "smalltalk", "recall", "complaint", "out_of_field", "unsafe",
]  # fmt: skip
"""What a message is for. The three kinds of write are published as `crm_write`."""
INTENTS: Final[tuple[Intent, ...]] = get_args(Intent)
IN_FRENCH: Final[Mapping[str, str]] = {
    "rules": "question de règles", "prices": "prix", "rents": "loyers", "risks": "risques", "energy": "énergie",
    "status": "statut de la commune", "datasets": "données ouvertes", "calc_loan": "calcul d'un prêt",
    "calc_yield": "calcul d'un rendement", "calc_gain": "calcul d'une plus-value",
    "calc_capacity": "calcul d'une capacité d'emprunt", "calc_regime": "calcul d'un régime fiscal",
    "crm_read": "lecture de HubSpot", "crm_write_note": "note à écrire", "crm_write_task": "tâche à créer",
    "crm_write_update": "dossier à modifier", "capabilities": "ce que je sais faire", "smalltalk": "conversation",
    "recall": "rappel du fil", "complaint": "désaccord", "out_of_field": "hors de mon domaine",
    "unsafe": "demande refusée",
}  # fmt: skip
"""Each intent as an adviser would name it."""
CALCULATIONS: Final = ("calc_loan", "calc_yield", "calc_gain", "calc_capacity", "calc_regime")
WRITES: Final = ("crm_write_note", "crm_write_task", "crm_write_update")
SURE_UNSAFE: Final = 0.45
"""Confidence from which a request is refused as unsafe, whatever a model says of it."""
MOST_QUERIES: Final = 4
"""Searches of one message."""
PLACE_INTENTS: Final = ("prices", "rents", "risks", "energy", "status")

Role = str
"""What a quantity is, for the calculation it was said in: one of `ROLES`."""
ROLES: Final[tuple[Role, ...]] = (
    "purchase_price", "total_cost", "sale_price", "loan_amount", "rate", "duration", "rent", "charges",
    "property_tax", "insurance", "income", "existing_debt", "area", "fees_percent", "fees_amount", "works", "tmi",
    "holding_years", "purchase_year", "sale_year", "monthly_cap", "down_payment", "vacancy", "depreciation",
    "target_yield", "other", "interest", "elapsed", "share", "defer", "amount", "age", "index", "gain", "main_home",
    "asset", "per_area", "earlier_gift", "cash", "company_shares", "sold_shares",
)  # fmt: skip

OPPOSITES: Final = (
    ("furnished", "bare"), ("main_residence", "not_main_residence"), ("gross", "net", "net_net", "cash_flow"),
    ("wants_rent", "wants_price"), ("new_home", "old_home"), ("classified", "not_classified"),
    ("gives_bare", "gives_full"), ("micro", "real", "sets_regimes"), ("wants_instalment", "cost", "per_year"),
    ("wants_tax", "wants_bracket"), ("couple_ends", "not_couple"),
    ("in_fine", "amortising"), ("tourist", "long_let"), ("wants_balance", "wants_duty"),
)  # fmt: skip
"""Options of a calculation that exclude each other."""
Unit = Literal["€", "%", "years", "months", "weeks", "days", "m²", "year", "date", "points", ""]
Period = Literal["month", "year", "week", ""]
Act = Literal["new", "fill", "change", "same", "compare", "return", "refer", "aside"]
"""What a message does to its thread: starts a subject, gives what was asked for, changes a value, asks the same of
another object, compares results, goes back, works on what was said, or is not a request at all."""
ACTS: Final[tuple[Act, ...]] = get_args(Act)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was typed: its value (`200k` is 200000), its unit, what it is said per, what it is, and where.
    `change`: +1 or -1 when it is a difference to a value (« 20 000 de moins »), 0 when it is the value itself;
    `assumed`: no word says what it is, it is the only input that was missing."""

    value: float
    unit: Unit
    text: str
    start: int
    period: Period = ""
    role: Role = "other"
    confidence: float = 1.0
    change: int = 0
    day: date | None = None
    assumed: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A commune that a message names: the codes it may be, most populous first, where it is said, and how each of them
    is told from the others (« Seine-Saint-Denis, 93 »)."""

    text: str
    start: int
    end: int
    insee: tuple[str, ...]
    ambiguous: bool = False
    labels: tuple[str, ...] = ()


OF_DEALS: Final = ("deal", "compare")
OF_LISTS: Final = ("deals", "tasks", "contacts")
CRM_FIELDS: Final = (
    "amount", "stage", "signature", "signed", "owner", "contacts", "next_step", "notes", "all_notes", "tasks",
    "priority", "description", "created", "changed", "missing", "late", "brief", "text",
)  # fmt: skip
"""As the tool tells them; `brief`: all of it; `text`: something that only its notes or its description can tell."""
CRM_BOUNDS: Final = (
    "mine", "all", "closed", "won", "lost", "still", "count", "total", "average", "by_owner", "by_stage", "by_amount",
    "smallest", "oldest", "newest", "soonest", "late", "stale", "no_task", "undated", "no_amount", "no_step", "no_deal",
    "today", "before_shown",
)  # fmt: skip
"""`before_shown`: of the list that was told right before."""


@dataclass(frozen=True, slots=True)
class CrmAsked:
    """What of the CRM a message asks. `view`: one of `OF_DEALS` (`compare`: two beside each other) or of `OF_LISTS`, or
    `sum`, a reckoning on what a deal holds; `likely`: how likely it asks anything of the CRM; `fields`: of a deal;
    `bounds`: of a list."""

    view: str = ""
    likely: float = 0.0
    fields: frozenset[str] = frozenset()
    bounds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message says, before its thread and the CRM are looked at.

    `intents`: with their confidence, best first; `dwelling`: what `prices` or `rents` are asked of; `options`: words
    that switch a calculation (`in_fine`, `main_residence`, ...); `years`: a span that prices are wanted over;
    `zeroed`: roles that « sans apport » sets to nothing; `replaced`: the value that « X au lieu de Y » takes away;
    `aside`: amounts of a told case that its calculation does not count; `crm`: what is asked of the CRM; `clients`:
    those of the deals' names whom the CRM knows, `colleagues`: words of owners' names; `query`, `queries`: what to
    search, the first a line that stands alone.
    """

    text: str
    intents: tuple[tuple[Intent, float], ...] = ()
    act: Act = "new"
    quantities: tuple[Quantity, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    unknown_place: str = ""
    address: str = ""
    schemes: tuple[str, ...] = ()
    dwelling: "Dwelling" = field(default_factory=lambda: Dwelling())
    options: frozenset[str] = frozenset()
    zeroed: tuple[Role, ...] = ()
    replaced: float | None = None
    deal_id: str | None = None
    deal_names: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    colleagues: frozenset[str] = frozenset()
    writes: tuple[ActionRequest, ...] = ()
    due: date | None = None
    crm: CrmAsked = field(default_factory=CrmAsked)
    query: str = ""
    asked_on: date | None = None
    cancels: bool = False
    alternatives: tuple[float, ...] = ()
    aside: tuple[Quantity, ...] = ()
    queries: tuple[str, ...] = ()
    reader: str = "offline"

    @property
    def main(self) -> Intent:
        return self.intents[0][0] if self.intents else "rules"

    @property
    def confidence(self) -> float:
        return self.intents[0][1] if self.intents else 0.0

    @property
    def names(self) -> tuple[Intent, ...]:
        return tuple(name for name, _ in self.intents)

    @property
    def communes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(place.insee[0] for place in self.places if not place.ambiguous))

    def has(self, *names: str) -> bool:
        return any(name in names for name in self.names)

    def leading(self, intent: Intent) -> "Reading":
        """The same with `intent` first."""
        others = tuple((name, score) for name, score in self.intents if name != intent)
        score = dict(self.intents).get(intent, 1.0)
        return replace(self, intents=((intent, score), *others))


@dataclass(frozen=True, slots=True)
class Dwelling:
    """The home that prices or rents are asked of: `kind` "flat", "house", "garage", "land" or None (all), `rooms` 1..5
    (5: five and more), a single `year`, or the last one of a span from `since` (0: as far back as is known)."""

    kind: str | None = None
    rooms: int | None = None
    year: int | None = None
    since: int | None = None


def published(intents: tuple[Intent, ...]) -> tuple[str, ...]:
    """The stable vocabulary of `route.intents`."""
    return tuple(dict.fromkeys("crm_write" if name in WRITES else name for name in intents))
