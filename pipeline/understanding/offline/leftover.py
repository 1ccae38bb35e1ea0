"""Numbers that no word names, beside the inputs that a calculation still misses: where only one fits, it is that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pipeline.reading import CALCULATIONS, Quantity, Role
from pipeline.understanding.roles import NEEDS, counted_in, row_of

UNSURE: Final = 0.6
"""Confidence under which a second number of a role may be something else."""
HELPFUL: Final[Mapping[str, tuple[tuple[Role, ...], ...]]] = {
    "calc_regime": (("tmi",),),
    "calc_capacity": (("rate",), ("duration",)),
}
"""Without which a result is told, and a better one with them."""
GUESSED: Final = 0.4
"""Confidence of what is concluded from what is missing: what a thread knows outweighs it."""


def with_leftovers(found: Sequence[Quantity], kind: str) -> tuple[Quantity, ...]:
    """« 1 200 de loyer et 205 000, rendement ? »: 205 000 is the price. Several that fit, or none: as they were."""
    if kind not in CALCULATIONS:
        return tuple(found)
    spare = [q for q in found if _spare(q, found, kind)]
    sure = {q.role for q in found if q not in spare}
    missing = [group for group in (*NEEDS[kind], *HELPFUL.get(kind, ())) if not sure & set(group)]
    fits = {q.start: [role for group in missing if (role := _role_in(group, q))] for q in spare}
    told = {at: roles[0] for at, roles in fits.items() if len(roles) == 1}
    once = [role for role in told.values() if list(told.values()).count(role) == 1]
    given = {at: role for at, role in told.items() if role in once}
    return tuple(
        replace(q, role=given[q.start], confidence=GUESSED, assumed=row_of(given[q.start]).units[0] == "€")
        if q.start in given
        else q
        for q in found
    )


def _spare(q: Quantity, found: Sequence[Quantity], kind: str) -> bool:
    """Whether it is nothing that this calculation counts, or unsurely what another number is for sure, and too large or
    too small for it."""
    if q.change or q.unit in ("year", "date", "m²"):
        return False
    if q.role == "other" or q.role not in counted_in(kind):
        return True
    another = any(p.role == q.role and p.confidence > q.confidence for p in found)
    return another and q.confidence < UNSURE and not _usual(q.role, q)


def _role_in(group: Sequence[Role], q: Quantity) -> Role | None:
    return next((role for role in group if q.unit in row_of(role).units and _usual(role, q)), None)


def _usual(role: Role, q: Quantity) -> bool:
    """Whether somebody would leave the word for it away: of no role whose row has no `usual`."""
    bounds = row_of(role).usual
    months = 12 if q.unit == "months" and "years" in row_of(role).units else 1
    return len(bounds) == 2 and bounds[0] <= q.value / months <= bounds[1]
