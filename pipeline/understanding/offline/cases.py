"""What a told case asks for: a rule, or the calculation that gives it, and what of its story holds of that.

Learned from cases of many hands (`learned/data/cases`, `told_rules`): which words ask for a sum, and of whose home a
story tells, no list of words could say.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from corpus.places import Mention
from corpus.sentences import sentences
from pipeline.reading import CALCULATIONS, WRITES, Intent, Quantity, Reading
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import of_case, of_fact
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.named_amounts import with_amounts
from pipeline.understanding.named_calculations import BY_KIND, gives
from pipeline.understanding.offline.counted import MONTHS
from pipeline.understanding.offline.intents import model_of
from pipeline.understanding.offline.tagging import tagged
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import counted_in, having

RULE: Final = "rule"
NONE: Final = "none"
"""A sum that no calculator gives: what it asks is looked for, as a rule is."""
NO_SUM: Final = (RULE, NONE)
NEARLY: Final = 0.02
"""Between a sum and what it is said to be."""
LEAST_AMOUNT: Final = 20
"""Euros; below, numbers without a unit are years, ages and rates."""
YEARLY: Final = 250
"""Euros from which nobody pays charges by the month without saying so."""
SURELY: Final = 0.8
"""Confidence from which a number is nothing that the calculation takes."""
HOLDS: Final = 0.4
HOLDS_BEST: Final = 0.2
EITHER: Final = ("relation_", "heirs_")
OF_THE_QUESTION: Final = frozenset(
    (
        "gross", "net", "net_net", "cash_flow", "cost", "budget", "buys", "whole_budget", "left_to_live", "first_year",
        "per_year", "yearly_interest", "sets_regimes", "claimed", "main_residence", "asks_duty",
    )
)  # fmt: skip
"""Options that count where the question has their words, as all `wants_…` do: a story has them of anything."""


@dataclass(frozen=True, slots=True)
class Case:
    """`kind`: the calculation that gives what is asked, `RULE` or `NONE`; `sure`: between 0 and 1; `likeliest`: the
    likeliest calculation, also where none is asked; `options`: those of `cues.toml` that hold of it."""

    kind: str
    sure: float
    likeliest: str
    options: frozenset[str]

    @property
    def about(self) -> Intent:
        return _intent_of(self.likeliest)

    @property
    def intent(self) -> Intent | None:
        """None where nothing is computed."""
        return None if self.kind in NO_SUM else self.about


def _intent_of(kind: str) -> Intent:
    return BY_KIND[kind].intent if kind in BY_KIND else f"calc_{kind}"  # type: ignore[return-value]


def case_of(
    text: str, asked: str, vectors: tuple[Floats | None, Floats | None], *, places: Sequence[tuple[int, int]]
) -> Case:
    """`asked`: its question; `vectors`: of the whole message and of its question, None where no embedder is at hand."""
    said, vector = cues_of(text, asked), dense_of(vectors)
    model, facts = model_of("cases"), model_of("facts")
    shares = linear.softmax(model.scores(of_case(text, asked, places=places, said=said), vector, unit=True))
    ranked = [(model.labels[at], float(shares[at])) for at in np.argsort(-shares)]
    kind, sure = ranked[0]
    likeliest = next(name for name, _ in ranked if name not in NO_SUM)
    held = dict(zip(facts.labels, linear.sigmoid(facts.scores(of_fact(kind, said), vector)), strict=True))
    options = {name for name in cues.said("options", flat(text)) if not _of_question(name) and name not in held}
    options |= {name for name in cues.said("options", flat(asked)) if _of_question(name)}
    return Case(kind, round(sure, 3), likeliest, frozenset(options | _holding(held)))


def _holding(held: Mapping[str, float]) -> set[str]:
    """Facts that are likely enough; of those that exclude each other the likeliest, for one of them holds."""
    found = {name for name, share in held.items() if share >= HOLDS and not name.startswith(EITHER)}
    for family in EITHER:
        of_it = {name: share for name, share in held.items() if name.startswith(family)}
        likeliest = max(of_it, key=lambda name: of_it[name], default="")
        if of_it.get(likeliest, 0.0) >= HOLDS_BEST:
            found.add(likeliest)
    return found


def with_case(reading: Reading, case: Case, mentions: Sequence[Mention]) -> Reading:
    """The message read as the case that it tells; as it was where it orders something of the CRM, asks of a deal, or
    surely asks another source than our articles and calculators."""
    elsewhere = reading.main not in (*CALCULATIONS, "rules") and reading.confidence >= case.sure
    if ordered(reading) or reading.deal_id or reading.has("unsafe") or (elsewhere and case.intent is not None):
        return reading
    low, found = flat(reading.text), reading.quantities
    if reading.asked_on is not None:
        found = tagged(reading.text, low, mentions, [case.about], reading.asked_on, case=case.likeliest)
    if case.intent is None:
        others = tuple(pair for pair in reading.intents if case.kind == NONE or pair[0] not in CALCULATIONS)
        return replace(reading, intents=others or (("rules", case.sure),), quantities=found)
    told = tuple(q for q in found if q.role != "other" or q.confidence < SURELY)
    named = BY_KIND.get(case.kind)
    if named is not None and gives(named, told, low):
        taken = with_amounts(told, named, low, case=True)
        told = tuple(q for q in taken if q.role in (*named.takes, "share", "other"))
    else:
        named = None
    counted = {*named.takes, "share"} if named else set(counted_in(case.intent))
    return replace(
        reading,
        intents=((case.intent, case.sure),),
        quantities=each_year(said_once(told)),
        aside=_aside(found, told, counted),
        options=case.options | ({named.kind} if named else frozenset()),
        unknown_place="",
        deal_names=(),
        writes=(),
    )


def _aside(found: Sequence[Quantity], told: Sequence[Quantity], counted: Collection[str]) -> tuple[Quantity, ...]:
    """Amounts of the message that the calculation does not count: whoever knows the case sees what it missed."""
    kept = {q.start for q in told if q.role in counted}
    return tuple(q for q in found if q.start not in kept and q.unit in ("€", "") and q.value >= LEAST_AMOUNT)


def said_once(found: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Without what is told twice: of « 950 par mois, soit 11 400 » and of « 560 et 540, 13 200 à l'année » the year."""
    dropped: set[int] = set()
    money = [q for q in found if q.unit in ("€", "")]
    for role in having("summed"):
        held, unsure = [q for q in money if q.role == role], [q for q in money if q.role == "other"]
        for whole in held:
            others = [q for q in held if q is not whole]
            if others and any(_parts_of(whole, parts) for parts in (others, [*others, *unsure])):
                dropped |= {q.start for q in others}
                break
    return tuple(q for q in found if q.start not in dropped)


def each_year(found: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """« copro 620, PNO 145 »: charges that are told beside one that is surely a year's are a year's too."""
    charges = [q for q in found if q.role == "charges" and q.unit != "%" and not q.period]
    if max((q.value for q in charges), default=0.0) < YEARLY:
        return tuple(found)
    return tuple(replace(q, period="year") if q in charges else q for q in found)


def _parts_of(whole: Quantity, parts: Sequence[Quantity]) -> bool:
    """Twelve times one alone, for two homes may be let at the same rent."""
    total = sum(q.value for q in parts)
    return any(abs(total * by - whole.value) <= NEARLY * whole.value for by in (1, MONTHS)[len(parts) < 2 :])


def ordered(reading: Reading) -> bool:
    """A story alone orders nothing of the CRM: that takes a sentence that begins with the order."""
    return reading.has(*WRITES) and any(cue("orders.verb").match(flat(one)) for one in sentences(reading.text))


def cues_of(text: str, asked: str) -> tuple[str, ...]:
    """Names of the options and calculations whose words the case holds, and of those that its question holds."""
    low, question = flat(text), flat(asked)
    sections = ("options", "calculation")
    said = [name for section in sections for name in cues.said(section, low)]
    return (*said, *(f"?{name}" for section in sections for name in cues.said(section, question)))


def dense_of(vectors: tuple[Floats | None, Floats | None]) -> Floats:
    """Both vectors in a row."""
    mean = linear.mean_vector()
    return np.concatenate([mean if one is None else one for one in vectors])


def _of_question(option: str) -> bool:
    return option.startswith("wants_") or option in OF_THE_QUESTION
