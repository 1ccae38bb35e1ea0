"""What a thread is about: one frame for each thing computed, looked up or written in it, with its inputs and
results."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import TypeAdapter

from pipeline.action_types import ActionRequest
from pipeline.reading import CALCULATIONS, Dwelling, Intent, Quantity, Role
from pipeline.types import Figure

MOST_FRAMES: Final = 12
MOST_TURNS: Final = 60
MOST_PERSONS: Final = 80
MOST_CITED: Final = 4
MOST_TOLD: Final = 8
WHICH_DEAL: Final = "deal"
"""Pending while it is asked which deal is meant."""
LONGEST_TURN: Final = 300
"""Characters of a turn that are kept for « on disait quoi ? »."""

CRITERIA: Final[Mapping[str, bool]] = {
    "Rendement net-net": True, "Rendement net": True, "Rendement brut": True, "Cash-flow mensuel avant impôt": True,
    "Cash-flow mensuel après impôt": True, "Mensualité": False, "Coût total du crédit": False,
    "Capital restant dû": False, "Capital empruntable": True, "Impôt et prélèvements": False,
    "Prix de vente net d'impôt": True, "Capacité d'emprunt": True, "Prix d'achat possible, hors frais": True,
    "Taux d'effort": False, "Reste à vivre": True, "Frais d'acquisition": False, "Indemnité au plus": False,
    "Travaux minimaux": False, "Déduction annuelle": True, "Loyer mensuel maximal": True, "Prix au m²": False,
}  # fmt: skip
"""What of a calculation is compared and recalled, in the order told, and whether more of it is better."""

Slots = Mapping[Role, tuple[Quantity, ...]]


@dataclass(frozen=True, slots=True)
class Frame:
    """One task of the thread. `slots`: the inputs of a calculation as they were typed; `results`: what came out;
    `pending`: what was asked back; `candidates`: the communes that a name may mean, until one is chosen;
    `also`: what the same message asked for besides; `root`: the same for all versions of one calculation (« le premier
    bien »); `touched`: what was changed last."""

    kind: Intent
    query: str = ""
    also: tuple[Intent, ...] = ()
    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    dwelling: Dwelling = field(default_factory=Dwelling)
    address: str = ""
    slots: Slots = field(default_factory=dict)
    options: frozenset[str] = frozenset()
    results: tuple[Figure, ...] = ()
    pending: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    candidate_labels: tuple[str, ...] = ()
    writes: tuple[ActionRequest, ...] = ()
    crm: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    root: int = 0
    touched: tuple[Role, ...] = ()

    @property
    def calculates(self) -> bool:
        return self.kind in CALCULATIONS

    def with_slots(self, **changed: tuple[Quantity, ...] | None) -> "Frame":
        """Other values for some roles; None takes one away."""
        kept = {role: values for role, values in {**self.slots, **changed}.items() if values is not None}
        return replace(self, slots=kept, results=(), pending=())


@dataclass(frozen=True, slots=True)
class Told:
    """An entry of our articles on which an answer opened: its passage, and the message that was answered."""

    passage: str
    asked: str


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The frames of one thread, oldest first (the last one is in focus), what its messages were for, and what was said.
    `deal_id`: the deal last spoken of; `client`: who was named last; `offered`: (number, label) of the deals last
    shown, in their order; `listed`: what the last list of deals was asked with; `persons`: clients that the CRM told of
    here; `cited`: documents that the answers cited, and `told`: entries that they opened on, the latest first."""

    frames: tuple[Frame, ...] = ()
    intents: tuple[Intent, ...] = ()
    said: tuple[str, ...] = ()
    deal_id: str | None = None
    deal_name: str | None = None
    client: str = ""
    offered: tuple[tuple[str, str], ...] = ()
    listed: Mapping[str, Any] = field(default_factory=dict)
    persons: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()

    @property
    def waits_for_deal(self) -> bool:
        """Whether the last answer asked which of the deals is meant."""
        return self.focus is not None and WHICH_DEAL in self.focus.pending

    @property
    def focus(self) -> Frame | None:
        return self.frames[-1] if self.frames else None

    @property
    def next_root(self) -> int:
        return 1 + max((frame.root for frame in self.frames), default=-1)

    @property
    def communes(self) -> tuple[str, ...]:
        return next((frame.communes for frame in reversed(self.frames) if frame.communes), ())

    def last(self, *kinds: str) -> Frame | None:
        return next((frame for frame in reversed(self.frames) if frame.kind in kinds), None)

    def after(self, text: str, intent: Intent, *frames: Frame) -> "ThreadState":
        """The thread with one more message; the oldest frames are forgotten first."""
        return replace(
            self,
            frames=(*self.frames, *frames)[-MOST_FRAMES:],
            intents=(*self.intents, intent)[-6:],
            said=(*self.said, text[:LONGEST_TURN])[-MOST_TURNS:],
        )

    def with_offer(self, offered: tuple[tuple[str, str], ...], *, waits: bool) -> "ThreadState":
        """The same, knowing which deals were shown, and whether one of them has to be chosen."""
        frames = self.frames
        if frames and waits:
            frames = (*frames[:-1], replace(frames[-1], pending=(WHICH_DEAL,)))
        return replace(self, offered=offered or self.offered, frames=frames)

    def with_list(self, asked: Mapping[str, Any] | None) -> "ThreadState":
        return replace(self, listed=asked) if asked else self

    def with_crm_told(self, view: str) -> "ThreadState":
        """The same, its last frame knowing what of the CRM was told last."""
        if not view or self.focus is None:
            return self
        focus = replace(self.focus, crm={**self.focus.crm, "told": view})
        return replace(self, frames=(*self.frames[:-1], focus))

    def with_persons(self, names: tuple[str, ...]) -> "ThreadState":
        """The same, knowing these clients too; who was told of last is kept longest."""
        kept = tuple(dict.fromkeys((*names, *self.persons)))
        return replace(self, persons=kept[:MOST_PERSONS]) if names else self

    def with_cited(self, documents: tuple[str, ...]) -> "ThreadState":
        """The same, an answer having cited these, what it opened on first."""
        return replace(self, cited=tuple(dict.fromkeys((*documents, *self.cited)))[:MOST_CITED])

    def with_told(self, passage: str) -> "ThreadState":
        """The same, the answer to its last message having opened on this entry."""
        asked = self.said[-1] if self.said else ""
        return replace(self, told=(Told(passage, asked), *self.told)[:MOST_TOLD])

    def with_deal(self, deal_id: str | None) -> "ThreadState":
        return replace(self, deal_id=deal_id) if deal_id else self

    def with_results(self, results: tuple[Figure, ...], pending: tuple[str, ...] = ()) -> "ThreadState":
        """The same, knowing what came out of the frame in focus."""
        if not self.frames:
            return self
        return replace(self, frames=(*self.frames[:-1], replace(self.frames[-1], results=results, pending=pending)))

    def with_places(self, found: Mapping[str, tuple[Figure, ...]]) -> "ThreadState":
        """The same, knowing what came out for each of several communes (INSEE codes) of the frame in focus."""
        if not self.frames or len(found) < 2:
            return self
        *before, focus = self.frames
        each = (replace(focus, communes=(code,), results=results) for code, results in found.items())
        return replace(self, frames=(*before, *each, focus)[-MOST_FRAMES:])


_ADAPTER: Final = TypeAdapter(ThreadState)


def to_json(state: ThreadState) -> dict[str, Any]:
    """As it is stored."""
    found: dict[str, Any] = _ADAPTER.dump_python(state, mode="json")
    return found


def from_json(stored: Any) -> ThreadState:
    """As it was stored; an empty state for nothing, or for what an older version wrote otherwise."""
    try:
        return _ADAPTER.validate_python(stored) if stored else ThreadState()
    except ValueError:
        return ThreadState()
