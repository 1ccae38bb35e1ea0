"""The numbers of a small calculation that was named, under the roles in which it takes them."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pipeline.reading import Quantity, Role
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import Named, ages, indices, largest, rates, term

COMMITMENTS: Final = (6, 9, 12)
"""Years for which a home is let under a scheme with a tax reduction."""
SHARES: Final = (5, 95)
"""Percent between which a share of a home lies."""
LEAST_ASSET: Final = 10_000
CEDED: Final[frozenset[str]] = frozenset(("partition", "wealth_tax"))
"""Calculations that count debts apart."""


def with_amounts(found: Sequence[Quantity], named: Named, low: str) -> tuple[Quantity, ...]:
    """The same quantities, those that this calculation takes under the roles in which it takes them."""
    owed = debts(found, low) if named.kind in CEDED else []
    free = [q for q in found if q not in owed]
    main = largest(free, named) if named.amount else None
    given: dict[int, Role] = {q.start: "area" for q in found if q.unit == "m²"}
    given |= {q.start: "existing_debt" for q in owed}
    if named.kind in ("usufruct", "duties"):
        given |= {q.start: "age" for q in ages(found, low)} | {q.start: "holding_years" for q in term(found, low)}
    if named.indices:
        given |= {q.start: "index" for q in indices(found)}
    if named.kind == "fees":
        given |= {q.start: "rate" for q in rates(found, low)}
    if named.kind == "reduction":
        given |= {q.start: "duration" for q in found if q.unit == "years" and q.value in COMMITMENTS}
    if named.kind == "partition":
        given |= {q.start: "share" for q in found if q.unit == "%" and SHARES[0] <= q.value <= SHARES[1]}
    if main is not None and named.amount:
        given[main.start] = named.amount
    if named.kind == "wealth_tax":
        given |= _assets(free, low)
    return tuple(replace(q, role=given[q.start], confidence=1.0) if q.start in given else q for q in found)


def debts(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """« il reste 140 000 de prêt », « moins 600 000 d'emprunt », « dettes 150k »: told by the words right beside."""
    return [
        q
        for before, q in _apart(found, low)
        if q.unit in ("€", "")
        and (cue("beside.debt_before").search(before) or cue("beside.debt_behind").match(low[q.end :]))
    ]


def _assets(found: Sequence[Quantity], low: str) -> dict[int, Role]:
    """Homes that are told one by one, to be added up; « patrimoine 2,1 M€ dont RP 900 000 » tells the whole."""
    homes = [(before, q) for before, q in _apart(found, low) if q.unit in ("€", "") and q.value >= LEAST_ASSET]
    whole = [q for before, q in homes if q.role != "main_home" and cue("beside.whole").search(before)]
    if whole or cue("beside.within").search(low):
        return {q.start: "amount" for q in whole[:1]}
    others = [q for _, q in homes if q.role != "main_home"]
    return {q.start: "asset" for q in others} if len(homes) > 1 else {}


def _apart(found: Sequence[Quantity], low: str) -> list[tuple[str, Quantity]]:
    """Each quantity with what stands between it and the one before."""
    ends = itertools.chain((0,), (q.end for q in found))
    return [(low[end : q.start], q) for end, q in zip(ends, found, strict=False)]
