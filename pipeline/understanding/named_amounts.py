"""The numbers of a small calculation that was named, under the roles in which it takes them."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from pipeline.reading import Quantity, Role
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import AREAL, Named, ages, indices, largest, per_area, rates, term

COMMITMENTS: Final = (6, 9, 12)
"""Years for which a home is let under a scheme with a tax reduction."""
SHARES: Final = (5, 95)
"""Percent between which a share of a home lies."""
LEAST_ASSET: Final = 10_000
LEAST_GIFT: Final = 1_000
LEAST_DEBT: Final = 500
"""Euros: « pas de prêt, 50/50 » owes nothing."""
SURELY: Final = 0.8
"""Confidence from which an amount is what it was read as."""
WORTH: Final[frozenset[Role]] = frozenset(
    ("amount", "asset", "purchase_price", "total_cost", "sale_price", "works", "loan_amount")
)
AGAINST: Final = re.compile(r"^\W*(?:contre|au lieu de)\b")
CEDED: Final[frozenset[str]] = frozenset(("partition", "wealth_tax", "share_value"))
"""Calculations that count debts apart."""


def with_amounts(found: Sequence[Quantity], named: Named, low: str, *, case: bool = False) -> tuple[Quantity, ...]:
    """The same quantities, those that this calculation takes under the roles in which it takes them. `case`: of a told
    case, whose numbers were read as something wherever they are (`offline/cases.py`)."""
    ceded = named.kind in CEDED or (named.kind == "duties" and cue("options.estate").search(low) is not None)
    owed = debts(found, low) if ceded else []
    before = earlier_gifts(found, low) if named.kind == "duties" else []
    free = [q for q in found if q not in (*owed, *before)]
    areal = per_area(found, low) if named.kind in AREAL else []
    main = _worked_from([q for q in free if q not in areal], named, case=case) if named.amount else None
    if case and named.kind == "early_repayment":
        free, main = _repaid(free)
        found = [q for q in found if q in free]
    if case and named.kind == "fees":  # a loan's rate is none of the transfer taxes
        found = [q for q in found if q.role != "rate" or q in rates(found, low)]
    given: dict[int, Role] = {q.start: "area" for q in found if q.unit == "m²"}
    if named.kind == "share_value":
        given |= {q.start: "company_shares" for q in found if cue("beside.shares").match(low[q.end :])}
        given |= {
            q.start: "cash"
            for before, q in _apart(found, low)
            if cue("beside.cash_behind").match(low[q.end :]) or cue("beside.cash_before").search(before)
        }
    given |= {q.start: "existing_debt" for q in owed} | {q.start: "earlier_gift" for q in before}
    if named.kind in ("usufruct", "duties"):
        given |= {q.start: "age" for q in ages(found, low)} | {q.start: "holding_years" for q in term(found, low)}
    if named.indices:
        given |= {q.start: "index" for q in indices(found)}
    if named.kind == "fees":
        given |= {q.start: "rate" for q in rates(found, low) if q.unit == "%" or q.value % 1}
    if named.kind == "reduction":
        given |= {q.start: "duration" for q in found if q.unit == "years" and q.value in COMMITMENTS}
    if named.kind == "partition":
        given |= {q.start: "share" for q in found if q.unit == "%" and SHARES[0] <= q.value <= SHARES[1]}
    given |= {q.start: "per_area" for q in areal}
    if main is not None and named.amount:
        given[main.start] = named.amount
    if named.kind == "wealth_tax":
        given |= _assets(free, low)
    read_as = [replace(q, role=given[q.start], confidence=1.0) if q.start in given else q for q in found]
    if named.indices:
        read_as = _in_order(read_as, low)
    return tuple(_for_all(q, low) if named.kind == "duties" else q for q in read_as)


def _worked_from(found: Sequence[Quantity], named: Named, *, case: bool) -> Quantity | None:
    """The largest of the amounts that were surely read as what it takes, else of all: of « un plateau 220 k et 180 k de
    travaux » a reduction for works takes the works. Of a case none that is nothing of the operation, if another is."""
    read_so = [q for q in found if q.role == named.amount and q.confidence >= SURELY]
    of_it = [q for q in found if q.role in WORTH] if case else []
    return largest(read_so, named) or largest(of_it, named) or largest(found, named)


def _repaid(found: Sequence[Quantity]) -> tuple[list[Quantity], Quantity | None]:
    """What is repaid before the end is the smallest of what was lent, of what is owed of it and of the part repaid: it
    is told, so that nothing has to be worked out from the age of the loan."""
    lent = sorted((q for q in found if q.role == "loan_amount"), key=lambda q: q.value)
    kept = [q for q in found if q not in lent[1:] and not (len(lent) > 1 and q.role == "elapsed")]
    return kept, lent[0] if lent else None


def _in_order(found: list[Quantity], low: str) -> list[Quantity]:
    """The older index first, where each stands behind its year."""
    years = {q.start: p.value for p, q in itertools.pairwise(found) if p.unit == "year" and q.role == "index"}
    by_year = sorted((q for q in found if q.start in years), key=lambda q: years[q.start])
    order = iter(by_year)
    if len(years) == 2:
        return [next(order) if q.start in years else q for q in found]
    told = [q for q in found if q.role == "index"]
    if len(told) == 2 and AGAINST.search(low[told[0].end : told[1].start]):  # « 145,17 contre 143,46 »
        swapped = {told[0].start: told[1], told[1].start: told[0]}
        return [swapped.get(q.start, q) for q in found]
    return found


def _for_all(q: Quantity, low: str) -> Quantity:
    """« 200 000 à chacun de ses deux enfants » is 400 000 in all."""
    if q.role != "amount" or not said_of_each(q, low):
        return q
    return replace(q, value=q.value * shares(cues.said("options", low)))


def said_of_each(q: Quantity, low: str) -> bool:
    return cue("beside.each_of").match(low[q.end :]) is not None


def shares(options: Collection[str]) -> int:
    """To how many, else by how many, an amount is given that is said of each."""
    heirs = next((int(name[-1]) for name in options if name.startswith("heirs_")), 1)
    return heirs if heirs > 1 else 2 if "couple" in options else 1


def debts(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """« il reste 140 000 de prêt », « moins 600 000 d'emprunt », « dettes 150k »: told by the words right beside."""
    return [
        q
        for before, q in _apart(found, low)
        if q.unit in ("€", "")
        and q.value >= LEAST_DEBT
        and (cue("beside.debt_before").search(_left_of(before, q, found)) or _owed_behind(low[q.end :]))
    ]


def earlier_gifts(found: Sequence[Quantity], low: str) -> list[Quantity]:
    """« il lui avait déjà donné 60 000 en 2018 »: what the same person had before, told by the words beside."""
    return [
        q
        for before, q in _apart(found, low)
        if q.unit in ("€", "")
        and q.value >= LEAST_GIFT
        and (cue("beside.given_before").search(before) or cue("beside.given_behind").match(low[q.end :]))
    ]


OF: Final = re.compile(r"^ ?(?:€|euros?)? ?(?:de |d')")


def _left_of(before: str, q: Quantity, found: Sequence[Quantity]) -> str:
    """Without the noun of the number before it: in « 140 000 de prêt, 20 000 » the loan is the first."""
    owned = cue("beside.debt_behind").match(before) if q != found[0] and OF.match(before) else None
    return before[owned.end() :] if owned else before


def _owed_behind(behind: str) -> bool:
    """« 140 000 de prêt »; of « 320 000, crédit 90 000 » the debt is the next number."""
    noun = cue("beside.debt_behind").match(behind)
    if noun is not None and OF.match(behind):
        return True
    return noun is not None and not re.match(r"\W*(?:de |a )?\d", behind[noun.end() :])


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
