"""Which sections an answer may have, and which it was asked for."""

import re
from collections.abc import Iterable
from typing import Final

from corpus.types import Category, Passage, is_own_file
from pipeline.section_names import (
    CALCULATION,
    CAUTION,
    DEAL,
    DUTIES,
    IN_SHORT,
    LIVE,
    METHOD,
    NUMBERS,
    OWN_FILES,
    PRICES,
    RENTS,
    RESALE,
    RISKS,
    RULE,
    STATUS,
    TO_KNOW,
    tool_section,
)  # fmt: skip
from pipeline.types import Evidence, Route

MOST_SECTIONS: Final = 5
MIXED: Final = 0.5
OWN_AMONG: Final = 3
"""A team's file has a section of its own when it is among so many first passages; further down it is a neighbour."""

_OF_CATEGORY: Final[dict[Category, str]] = {
    "pricing": METHOD, "regulation": RULE, "risk": RISKS, "methodology": METHOD, "compliance": DUTIES,
}  # fmt: skip
_FIGURE_HEADINGS: Final = frozenset({"Chiffres", "Dates clés", "Calcul et exemple"})
_ORDER: Final = (
    IN_SHORT, OWN_FILES, CALCULATION, PRICES, STATUS, RENTS, DEAL, LIVE, RULE, RISKS, METHOD, DUTIES, NUMBERS, RESALE,
    TO_KNOW, CAUTION,
)  # fmt: skip
_LEAST_USEFUL_FIRST: Final = (NUMBERS, METHOD, DUTIES, CAUTION, LIVE, RULE)
_SHORT_CONCEPT: Final = re.compile(
    r"^\W*(?:c'est quoi|qu'?est[- ]ce qu|définition|definition|que (?:veut dire|signifie)|expliqu|à quoi sert|qui est|"
    r"qu'appelle)|\b(?:c'est quoi|veut dire|signifie)\b",
    re.IGNORECASE,
)
_RESALE: Final = re.compile(r"\brev(?:ente|end\w+)|\bplus[- ]values?|\bcessions?\b", re.IGNORECASE)


def sections_for(route: Route, evidence: Evidence) -> tuple[str, ...]:
    """The form of the answer, at most MOST_SECTIONS: what was asked for; then what the main categories of the evidence
    call for. A short definition is answered without a form."""
    asked = _asked(route) | {tool_section(call.tool) for call in route.tool_calls}
    articles = [passage for passage in evidence.passages if not is_own(passage)]
    asked |= {OWN_FILES} if any(map(is_own, evidence.passages[:OWN_AMONG])) else set()
    if not articles:
        return tuple(name for name in _ORDER if name in {IN_SHORT} | asked)
    if _is_definition(route):
        return tuple(name for name in _ORDER if name in {IN_SHORT, TO_KNOW} | asked)
    wanted = {IN_SHORT} | asked | {_OF_CATEGORY[category] for category in _main_categories(articles)}
    headings = {part for passage in articles for part in passage.heading}
    wanted |= {RESALE} if "À la revente" in headings and _RESALE.search(route.query) else set()
    wanted |= {NUMBERS} if _FIGURE_HEADINGS & headings and RULE in wanted and route.intent != "deepen" else set()
    wanted.add(CAUTION)
    for name in _LEAST_USEFUL_FIRST:
        if len(wanted) > MOST_SECTIONS and name not in asked:
            wanted.discard(name)
    return tuple(name for name in _ORDER if name in wanted)


def shown_sections(route: Route, evidence: Evidence, *, left_out: frozenset[str]) -> tuple[str, ...]:
    """The same, without those that are left out; what was asked for is told all the same, and all where a subject is
    gone into."""
    wanted = sections_for(route, evidence)
    if not left_out or route.intent == "deepen":
        return wanted
    required = required_sections(route, evidence)
    return tuple(name for name in wanted if name in required or name not in left_out)


def required_sections(route: Route, evidence: Evidence) -> tuple[str, ...]:
    """Those whose absence is said: what was asked for in so many words, unless a question is put back about it, or a
    fact on record is the answer: « surprime catnat » asks for no risk of a place."""
    unanswered = {tool_section(result.call.tool) for result in evidence.tool_results if result.asks}
    called = {tool_section(call.tool) for call in route.tool_calls} - unanswered
    on_record = any(r.call.tool == "facts" and r.error is None for r in evidence.tool_results)
    risks = {RISKS} if on_record and not route.communes else set()
    return tuple(name for name in _ORDER if name in {IN_SHORT} | (_asked(route) - risks) | called)


def _asked(route: Route) -> set[str]:
    asked = {PRICES} if "prix" in route.aspects else set()
    return asked | ({RISKS} if "risques" in route.aspects and not _is_definition(route) else set())


def is_own(passage: Passage) -> bool:
    """From a file or page that the team added; ids without a colon belong to the built-in articles."""
    return is_own_file(passage.document_id)


def _is_definition(route: Route) -> bool:
    return bool(_SHORT_CONCEPT.search(route.query)) and len(route.query.split()) <= 10 and route.intent != "deepen"


def _main_categories(passages: Iterable[Passage]) -> set[Category]:
    """The category that ranks best, and a second one that weighs at least MIXED of it."""
    weight: dict[Category, float] = {}
    for rank, passage in enumerate(passages):
        weight[passage.category] = weight.get(passage.category, 0.0) + 1 / (1 + 0.3 * rank)
    best = sorted(weight, key=lambda category: -weight[category])[:2]
    return {category for category in best if weight[category] >= MIXED * weight[best[0]]}
