"""Whether a message asks for a calculation on figures of the user's own, alone or with what the thread said before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pipeline.routing.calculations import Reading, read_request
from pipeline.routing.follow_ups import DEEPEN, Subject
from pipeline.routing.live import MOST_CALLS
from pipeline.routing.words import flat, own_words
from pipeline.types import Route, ToolCall, Turn

ASKS: Final = re.compile(
    r"\bcalcul\w*|\bsimul\w*|\bestime[rz]?\b|\bcombien\b|\bquel(le)?s? .{0,40}(rendement|rentabilite|mensualite|cout|"
    r"taux d'(effort|endettement)|plus[- ]values?|deduction|amortissement|impot)|"
    r"^\W*(rendement|rentabilite|mensualite|taux d'|plus[- ]values?|endettement|cout )"
)
OF_KIND: Final[Mapping[str, frozenset[str]]] = {
    "yield": frozenset(("rendement", "investissement-locatif", "prelevements-sociaux")),
    "loan": frozenset(("credit",)),
    "capacity": frozenset(("credit",)),
    "debt": frozenset(("credit",)),
    "capital_gain": frozenset(("plus-values",)),
    "lmnp": frozenset(("lmnp", "plus-values")),
    "relance": frozenset(("relance-logement",)),
}
"""Schemes that the calculation itself is about; others make the message a question of rules beside it."""
ARITHMETIC: Final = frozenset(("yield", "loan", "capacity", "debt"))
"""Kinds that need no rule to be understood."""
NUMBER: Final = re.compile(r"\d|\b(?:dix|onze|douze|quinze|vingt|trente|cent|mille|million)\w*\b")
SHORT: Final = 25
"""Words up to which a message may merely complete an earlier one."""


def calculation_of(text: str, history: Sequence[Turn], *, deepen: bool = False) -> Reading | None:
    """The calculation that `text` asks for; None when it asks for none.

    A short message with figures completes or changes the calculation of the thread; `deepen` asks for it again.
    """
    told: tuple[str, ...] = ()
    for turn in history:
        if turn.author == "user":
            said = own_words(turn.text).text
            told = told if DEEPEN.search(flat(said)) and not NUMBER.search(flat(said)) else _told(said, told)
    if not (deepen and not NUMBER.search(flat(text))):
        told = _told(text, told)
    return read_request(told[-1], before=told[:-1]) if told else None


def _told(said: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """All that has been said of the calculation under way, `said` included; empty when the subject has changed."""
    own = read_request(said)
    alone = () if own is None else (said,)
    earlier = read_request(before[-1], before=before[:-1]) if before else None
    if earlier is None or len(said.split()) > SHORT or (own and own.arguments):
        return alone
    if (own is not None and own.kind != earlier.kind) or (earlier.arguments and not NUMBER.search(flat(said))):
        return alone
    for reading_of in (said, _as_answer(said, earlier)):
        together = read_request(reading_of, before=before)
        if together is not None and _is_nearer(together, earlier):
            return (*before, reading_of)
    return alone


def _is_nearer(together: Reading, earlier: Reading) -> bool:
    """Another operation when the earlier one was complete, else one with less that is missing."""
    if earlier.arguments:
        return together.arguments is not None and together.arguments != earlier.arguments
    return len(together.missing) < len(earlier.missing)


def _as_answer(said: str, earlier: Reading) -> str:
    """ "800 € par mois" after the one question "le loyer mensuel" is that rent."""
    if len(earlier.missing) != 1 or earlier.missing[0].startswith("à quoi correspond"):
        return said
    return f"{re.split('[,(]', earlier.missing[0])[0].strip()} : {said}"


def is_asked(reading: Reading, subject: Subject) -> bool:
    """Whether the figures are there to be worked on, not just part of the story of a question about rules."""
    return subject.deepen or ASKS.search(subject.own.low) is not None or not _others(reading, subject.own.schemes)


def with_calculation(found: Route, reading: Reading, subject: Subject) -> Route:
    """The route of the same message with the calculation in it, or the question back that it needs first.

    A negative value is answered by its refusal alone: rules beside it would read like an answer. A route that already
    looks a place up goes without the calculation rather than ask back. Without a place, price
    and rent are the user's own figures and call for no others.
    """
    if reading.arguments is None:
        if found.tool_calls:
            return found
        reasons = ("calcul demandé, données incomplètes",)
        return replace(
            found, mode="none", intent="clarify", clarification=reading.question, sub_queries=(), reasons=reasons
        )
    beside = set(subject.aspects) - {"prix", "rendement", "financement", "loyers", "fiscalite"}
    alone = reading.kind in ARITHMETIC and not (_others(reading, subject.schemes) or beside or subject.deepen)
    alone = alone or any(value < 0 for value in reading.arguments.values() if isinstance(value, int | float))
    amounts = () if subject.communes else ("prix", "loyers")
    return replace(
        found,
        mode="tools" if alone else "rag+tools",
        intent="deepen" if subject.deepen else "ask",
        clarification=None,
        aspects=tuple(aspect for aspect in found.aspects if aspect not in amounts),
        sub_queries=found.sub_queries or (found.query,),
        tool_calls=(ToolCall("calculator", reading.arguments), *found.tool_calls)[:MOST_CALLS],
        reasons=(*found.reasons, "calcul sur les chiffres donnés"),
    )


def _others(reading: Reading, schemes: Sequence[str]) -> set[str]:
    return set(schemes) - OF_KIND[reading.kind]
