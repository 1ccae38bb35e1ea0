"""The numbers of a model's reply: it only says what a number is. Which number stands in the user's words, or among the
results of the thread, and is read there by code."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from pipeline.reading import CALCULATIONS, ROLES, Intent, Period, Quantity, Reading, Role, Unit
from pipeline.thread_state import ThreadState
from pipeline.understanding.model.schema import ReadQuantity, Reply
from pipeline.understanding.model.verbatim import Claims, span
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.roles import having, row_of

CONFIDENCE: Final = 0.9
SURE_ROLE: Final = 0.9
RESULTS_OF: Final = (*CALCULATIONS, "prices", "rents")
"""What a thread computed or looked up that a calculation may go on with."""


def quantities_of(
    reply: Reply, draft: Reading, state: ThreadState, *, main: Intent, today: date, claims: Claims
) -> tuple[Quantity, ...]:
    """The message's quantities with the model's roles, the offline reader's where the model says nothing that can be;
    then values of the thread that a calculation goes on with, behind the end of the text. A role that the offline
    reader is sure of, for the same `main` intent, stands."""
    own, counts = _all(draft, today), main in CALCULATIONS
    sure = {q.start: q.role for q in draft.quantities if q.confidence >= SURE_ROLE and main == draft.main}
    roles: dict[int, Role] = {}
    carried: list[Quantity] = []
    for item in reply.quantities:
        role: Role | None = item.role if item.role in ROLES else None
        at = _said(item, own, draft.text, taken=roles)
        if at is not None and role is not None and _can_be(at, role) and sure.get(at.start, role) == role:
            roles[at.start] = role
            claims.stands("quantity")
        elif at is None and role is not None and counts and (held := _held(item, role, state, len(draft.text))):
            carried.append(held)
            claims.stands("quantity")
        else:
            claims.falls("quantity", f"{item.text} ({item.role})")
    offline = {q.start for q in draft.quantities}
    kept = [q for q in own if q.start in offline or roles.get(q.start, "other") != "other"]
    taken = set(roles.values())
    return (*(_with_role(q, roles, taken) for q in kept), *carried)


def _all(draft: Reading, today: date) -> list[Quantity]:
    """The offline reader's, and what it took for a place or a number of something."""
    more = quantities(draft.text, today=today)
    free = [q for q in more if not any(q.start < d.end and q.end > d.start for d in draft.quantities)]
    return sorted((*draft.quantities, *free), key=lambda q: q.start)


def _said(item: ReadQuantity, own: Sequence[Quantity], text: str, *, taken: dict[int, Role]) -> Quantity | None:
    """The one quantity of the message that the text stands at; the next one when it is said several times."""
    for start, end in _spans(item.text, text):
        inside = [q for q in own if q.start < end and q.end > start]
        if len(inside) == 1 and inside[0].start not in taken:
            return inside[0]
    return None


def _spans(fragment: str, text: str) -> Iterator[tuple[int, int]]:
    after = 0
    while found := span(fragment, text, after=after):
        yield found
        after = found[1]


def _can_be(quantity: Quantity, role: Role) -> bool:
    """Whether a number of this unit and size can be that."""
    if role == "other":
        return True
    row = row_of(role)
    return quantity.unit in row.units and quantity.value <= row.most


def _held(item: ReadQuantity, role: Role, state: ThreadState, end: int) -> Quantity | None:
    """A result of the thread, or a number of one of its earlier messages, as code reads it there."""
    found = quantities(item.text)
    if len(found) != 1 or role == "other":
        return None
    said = found[0]
    for figure in (f for frame in reversed(state.frames) if frame.kind in RESULTS_OF for f in frame.results):
        unit: Unit = "€" if figure.unit.startswith("€") else "%" if figure.unit == "%" else ""
        if abs(figure.value - said.value) <= 0.5 * (abs(figure.value) >= 100) + 0.005 and said.unit in (unit, ""):
            period: Period = "month" if figure.unit == "€/mois" else "year" if figure.unit == "€/an" else ""
            held = Quantity(figure.value, unit, item.text, end, period=period, role=role, confidence=CONFIDENCE)
            return held if _can_be(held, role) else None
    for text in reversed(state.said):
        before = _said(item, quantities(text), text, taken={})
        if before is not None and _can_be(before, role):
            return replace(before, start=end, role=role, confidence=CONFIDENCE)
    return None


def _with_role(quantity: Quantity, roles: dict[int, Role], taken: set[Role]) -> Quantity:
    """A role that there is but one of, and that the model gave to another number, is this one's no more."""
    role = roles.get(quantity.start)
    if role is not None:
        return replace(quantity, role=role, confidence=CONFIDENCE)
    lost = quantity.role in taken and (quantity.role in having("once") or quantity.role not in having("many"))
    return replace(quantity, role="other") if lost else quantity
