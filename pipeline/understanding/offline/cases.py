"""What a told case asks for: a rule, or the calculation that gives it, and what of its story holds of that.

Learned from cases of many hands (`learned/data/cases`, `told_rules`): which words ask for a sum, and of whose home a
story tells, no list of words could say.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from corpus.places import Gazetteer, Mention
from corpus.sentences import sentences
from pipeline.reading import CALCULATIONS, WRITES, Intent, Quantity, Reading, Role
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import of_case, of_fact
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.named_amounts import with_amounts
from pipeline.understanding.named_calculations import BY_KIND, KINDS, Named, gives
from pipeline.understanding.offline.counted import MONTHS
from pipeline.understanding.offline.intents import model_of
from pipeline.understanding.offline.leftover import with_leftovers
from pipeline.understanding.offline.tagging import tagged
from pipeline.understanding.own_words import flat
from pipeline.understanding.roles import NEEDS, counted_in, having
from pipeline.understanding.situations import FEWEST_WORDS

RULE: Final = "rule"
NONE: Final = "none"
"""A sum that no calculator gives: what it asks is looked for, as a rule is."""
ELSEWHERE: Final = "elsewhere"
"""What asks another source than articles and calculators, or nothing."""
NO_SUM: Final = (RULE, NONE, ELSEWHERE)
FEWEST: Final = 5
"""Words of a message, short of a told case, that is read as one."""
COMPARES: Final = "wants_gap"
"""Says two of the same kind, and a case tells one."""
DOUBTED: Final = 2 / 3
"""Confidence under which a sum that a short message was read as, or one of its numbers, is read again as a case's."""
OF_RULES: Final = frozenset(("allowance", "deposit"))
"""Calculations whose answer is the rule at the number that was told."""
SURE_RULE: Final = 0.95
SUMS: Final = 0.5
"""How likely all calculations together must be for a short message to ask for the likeliest one."""
SAY, UNSAID = 0.25, 0.05
"""Of a short message: how much the reading of its intents counts beside its kind, and what one that it has not counts.
By hands that were not learned from, 0 to .5 and 0 to .1 differ by less than a message in a hundred."""
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
HOLDS_SHORT: Final = 0.75
"""Of a short message, whose words say most of it."""
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
    """`kind`: the calculation that gives what is asked, or one of `NO_SUM`; `sure`: between 0 and 1; `likeliest`: the
    likeliest calculation, also where none is asked; `options`: those of `cues.toml` that hold of it."""

    kind: str
    sure: float
    likeliest: str
    options: frozenset[str]

    @property
    def about(self) -> Intent:
        return intent_of(self.likeliest)

    @property
    def intent(self) -> Intent | None:
        """None where nothing is computed."""
        return None if self.kind in NO_SUM else self.about


def intent_of(kind: str) -> Intent:
    return BY_KIND[kind].intent if kind in BY_KIND else f"calc_{kind}"  # type: ignore[return-value]


def as_case(
    reading: Reading,
    asked: str,
    vectors: tuple[Floats | None, Floats | None],
    *,
    places: Gazetteer,
    short: bool = False,
) -> Reading:
    """The message read as the case that it tells, or, `short`, as the sum that it asks for. As `case_of`."""
    mentions = places.find(reading.text)
    spans = [(mention.start, mention.end) for mention in mentions]
    case = case_of(reading.text, asked, vectors, places=spans, short=reading if short else None)
    return with_case(reading, case, mentions)


def case_of(
    text: str,
    asked: str,
    vectors: tuple[Floats | None, Floats | None],
    *,
    places: Sequence[tuple[int, int]],
    short: Reading | None = None,
) -> Case:
    """`asked`: its question; `vectors`: of the whole message and of its question, None where no embedder is at hand;
    `short`: what a message too short to tell a case was read as, which has its say, and no story beside its words."""
    said, vector = cues_of(text, asked), dense_of(vectors)
    model, facts = model_of("cases"), model_of("facts")
    shares = linear.softmax(model.scores(of_case(text, asked, places=places, said=said), vector, unit=True))
    if short is not None:
        shares = shares * _agreeing(model.labels, short)
        shares = shares / shares.sum()
    ranked = [(model.labels[at], float(shares[at])) for at in np.argsort(-shares)]
    likeliest, _ = next(pair for pair in ranked if pair[0] not in NO_SUM)
    sums = sum(share for name, share in ranked if name not in NO_SUM)
    kind, sure = (likeliest, sums) if short is not None and sums >= SUMS else ranked[0]
    held = dict(zip(facts.labels, linear.sigmoid(facts.scores(of_fact(kind, said), vector)), strict=True))
    if short is not None:
        learned = {name for name, share in held.items() if share >= HOLDS_SHORT}
        return Case(kind, round(sure, 3), likeliest, (short.options - KINDS) | _beside(learned, short.options))
    options = {name for name in cues.said("options", flat(text)) if not _of_question(name) and name not in held}
    options |= {name for name in cues.said("options", flat(asked)) if _of_question(name)}
    return Case(kind, round(sure, 3), likeliest, frozenset(options | _holding(held)))


def _agreeing(kinds: Sequence[str], reading: Reading) -> Floats:
    """How much the reading speaks for each kind: a little, for it knows intents alone."""
    said: dict[str, float] = dict(reading.intents)
    of = ["rules" if kind == RULE else "" if kind in NO_SUM else intent_of(kind) for kind in kinds]
    return np.array([(said.get(intent, 0.0) + UNSAID) ** SAY for intent in of], np.float32)


def _beside(learned: Collection[str], said: Collection[str]) -> frozenset[str]:
    """What was learned to hold, but where the words of the message say which of such a family does."""
    told = tuple(family for family in EITHER if any(name.startswith(family) for name in said))
    return frozenset(name for name in learned if not told or not name.startswith(told))


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
    short = may_be_a_sum(reading)
    elsewhere = reading.main not in (*CALCULATIONS, "rules") and reading.confidence >= case.sure
    if ordered(reading) or reading.deal_id or reading.has("unsafe") or (elsewhere and case.intent is not None):
        return reading
    if case.kind == ELSEWHERE or (short and _stays(reading, case)):
        return reading
    low, found = flat(reading.text), reading.quantities
    if reading.asked_on is not None:
        about, kind = [case.about], case.likeliest
        found = tagged(reading.text, low, mentions, about, reading.asked_on, case=kind, story=not short)
    if case.intent is None:
        others = tuple(pair for pair in reading.intents if case.kind == NONE or pair[0] not in CALCULATIONS)
        return replace(reading, intents=others or (("rules", case.sure),), quantities=found)
    told = found if short else tuple(q for q in found if q.role != "other" or q.confidence < SURELY)
    named = BY_KIND.get(case.kind)
    if named is not None and gives(named, told, low):
        taken = with_amounts(told, named, low, case=True)
        told = tuple(q for q in taken if q.role in (*named.takes, "share", "other"))
    else:
        named = None
    if short and _lacks(case, named, {q.role for q in told}):
        return reading
    if short and named is None:
        told = with_leftovers(told, case.intent)
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


def computable(reading: Reading) -> bool:
    """Whether a message that asks for a sum tells all that the sum needs."""
    if reading.main not in CALCULATIONS:
        return False
    told = {q.role for q in reading.quantities}
    return bool(KINDS & reading.options) or not any(told.isdisjoint(group) for group in NEEDS[reading.main])


def _lacks(case: Case, named: Named | None, told: Set[Role]) -> bool:
    """Whether what was told is too little for the calculation: it may be another one then."""
    if case.kind in BY_KIND:
        return named is None or any(role not in told for role in named.needs)
    return any(told.isdisjoint(group) for group in NEEDS[case.about])


def _stays(reading: Reading, case: Case) -> bool:
    """Whether a short message keeps what it was read as: a sum that has all it needs and is sure of it, or compares;
    any sum where the case hardly asks for a rule, or where the sum tells the rule."""
    if case.intent is not None:
        sure = all(one >= DOUBTED for one in (reading.confidence, *(q.confidence for q in reading.quantities)))
        return computable(reading) and (sure or COMPARES in reading.options)
    asked = case.kind == RULE and reading.main in CALCULATIONS
    return asked and (case.sure < SURE_RULE or bool(OF_RULES & reading.options))


def may_be_a_sum(reading: Reading) -> bool:
    """Whether a message too short to tell a case may still be one sum, or a rule that looks like it."""
    words = len(reading.text.split())
    return FEWEST <= words < FEWEST_WORDS and bool(reading.quantities) and not reading.has(*WRITES)


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
