"""What a message is for, and what it does to its thread: learned, and put right where only a rule can be sure."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, cast

import numpy as np

from pipeline import schemes
from pipeline.reading import CALCULATIONS, INTENTS, PLACE_INTENTS, WRITES, Act, Intent, Quantity
from pipeline.text import asked_words
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import masked, ngrams, of_thread
from pipeline.understanding.learned.linear import Floats, Linear
from pipeline.understanding.offline.deals import TITLED, deal_said
from pipeline.understanding.offline.orders import orders_nothing
from pipeline.understanding.own_words import flat

Scored = tuple[tuple[Intent, float], ...]
"""Intents with their confidence, best first."""
ALONE: Final = frozenset(("out_of_field", "unsafe"))
"""What is asked beside these is not answered either."""
WRITE: Final = 0.25
"""Of a write: a proposal that nobody wanted is rejected by a click, a request that was missed is lost."""
SURE_OF_TWO: Final = 0.9
"""From which two things to write are surely ordered."""
WRITE_ALSO: Final = 0.08
"""Of a third behind such two: few messages that were learned from ask for three."""
ALSO: Final = 0.5
"""Confidence from which a second intent of the same message counts."""
BESIDE: Final = 0.65
"""The same, of a topic of a place beside one that the message names: « prix T2 Toulon » asks for no rent."""
SCALE, OFFSET = 1.3, 0.9
"""Raw scores of a one-vs-rest model are too shy; fitted on messages that it had not seen (`bench understanding`)."""
HIDDEN: Final = 0.3
"""Share of the hidden layer's vote; between .3 and .5 nothing changes on authors that neither has seen."""
IMPLIED: Final[tuple[tuple[Intent, frozenset[str], frozenset[str]], ...]] = (
    ("calc_gain", frozenset(("sale_price",)), frozenset(("purchase_price", "purchase_year", "holding_years"))),
    ("calc_yield", frozenset(("purchase_price", "total_cost")), frozenset(("rent",))),
    ("calc_loan", frozenset(("loan_amount", "purchase_price")), frozenset(("rate",))),
    ("calc_capacity", frozenset(("income",)), frozenset(("duration", "existing_debt", "rate"))),
    ("calc_capacity", frozenset(("down_payment",)), frozenset(("down_payment",))),
)
"""What a message calculates whose numbers are sure and whose words are not."""
ASKED: Final = ("notes_asked", "fields_asked")
UNSURE: Final = 0.5
SURE_RULES: Final = 0.8


@cache
def model_of(name: str) -> Linear:
    return linear.load(name)


def read_intents(
    text: str,
    vector: Floats | None,
    state: ThreadState,
    *,
    places: Sequence[tuple[int, int]],
    own: tuple[str, Floats | None] | None,
) -> tuple[Scored, Act]:
    """(intents, what the message does to its thread)."""
    previous, low = state.intents, masked(text, places=places)
    features = {**ngrams(low), **of_thread(previous, count=len(low.split()))}
    read = _intents(features, vector, subject=len(asked_words.topics(text)) > 1)
    intents = _ordered_by_oneself(text, read, own, previous)
    act = _act(features, vector) if previous else "new"
    if cues.said("unsafe", flat(text)):
        intents = (("unsafe", 1.0),)
    elif TITLED.fullmatch(text.strip(" ?.!")) or (
        intents[0][0] == "recall" and any(told(own[0] if own else text) for told in (deal_said, TITLED.search))
    ):
        intents = (("crm_read", 1.0),)  # « résume le dossier 9019 » is about the deal, not about the thread
    elif any(n in ("recall", *WRITES) for n, _ in intents) and any(
        cue(f"dictated.{name}").match(flat(text)) for name in ASKED
    ):
        intents = (("crm_read", 1.0),)  # « résume les notes du 9018 » writes none
    elif (
        (told := cue("dictated.begins").match(flat(text)))
        and not any(n in WRITES for n, _ in intents)
        and not orders_nothing(text)
    ):
        intents = (("crm_write_note" if told[1] == "note" else "crm_write_task", 1.0),)
    elif intents[0][0] in PLACE_INTENTS and "client" in flat(text) and cues.said("crm_absent", flat(text)):
        intents = (("crm_read", 1.0),)  # « le client de Bordeaux, il gagne combien ? »
    elif intents[0][0] not in WRITES and cue("dictated.listed").match(flat(text)):
        topics = cues.said("topic", flat(text))
        intents = (("crm_read", 1.0), *(p for p in intents if p[0] in topics or p[0] in WRITES or p[0] == "rules"))
    return intents, act


def _intents(
    features: Mapping[str, float], vector: Floats | None, *, subject: bool = True
) -> tuple[tuple[Intent, float], ...]:
    """The best, and others that are as sure as a message of two requests has them. `subject`: whether it says what it
    is about; « comment le prouver » alone asks for nothing unlawful."""
    scores = _scores(features, vector)
    if not subject:
        scores[INTENTS.index("unsafe")] = 0.0
    order = np.argsort(-scores)
    two = all(INTENTS[i] in WRITES and scores[i] >= SURE_OF_TWO for i in order[:2])
    least = WRITE_ALSO if two else WRITE
    kept = [
        i for rank, i in enumerate(order[:4]) if rank == 0 or scores[i] >= (least if INTENTS[i] in WRITES else ALSO)
    ]
    if INTENTS[kept[0]] in ALONE:
        kept = kept[:1]
    if INTENTS[kept[0]] in WRITES and scores[kept[0]] < WRITE:
        other = next(i for i in order if INTENTS[i] not in WRITES)
        kept = [kept[0], other]  # what it is where no word of writing bears the guess out
    return tuple((INTENTS[i], round(float(scores[i]), 3)) for i in kept)


def _scores(features: Mapping[str, float], vector: Floats | None) -> Floats:
    """Of every intent: by two models that err differently, a linear one and one with a hidden layer."""
    straight = SCALE * _raw("intents", features, vector) + OFFSET
    units = np.maximum(_raw("hidden", features, vector), 0.0)
    return linear.sigmoid((1 - HIDDEN) * straight + HIDDEN * model_of("votes").scores({}, units))


def _raw(name: str, features: Mapping[str, float], vector: Floats | None) -> Floats:
    return model_of(name).scores(features, linear.mean_vector() if vector is None else vector, unit=True)


def likelihoods(text: str, previous: Sequence[str], *, places: Sequence[tuple[int, int]]) -> dict[Intent, float]:
    """Of every intent, by the words alone."""
    low = masked(text, places=places)
    scores = _scores({**ngrams(low), **of_thread(previous, count=len(low.split()))}, None)
    return dict(zip(INTENTS, map(float, scores), strict=True))


def _act(features: Mapping[str, float], vector: Floats | None) -> Act:
    return cast(Act, model_of("acts").labels[int(_raw("acts", features, vector).argmax())])


def _ordered_by_oneself(
    text: str,
    intents: tuple[tuple[Intent, float], ...],
    own: tuple[str, Floats | None] | None,
    previous: Sequence[str],
) -> tuple[tuple[Intent, float], ...]:
    """Without the writes that only quoted words, a negation or a question speak of."""
    if not any(name in WRITES for name, _ in intents):
        return intents
    if own is not None:
        low = masked(own[0])
        outside = _intents({**ngrams(low), **of_thread(previous, count=len(low.split()))}, own[1])
        ordered = any(cue(name).search(flat(own[0])) for name in ("orders.verb", "orders.goal"))
        if not ordered or not any(name in WRITES for name, _ in outside):
            return tuple(pair for pair in outside if pair[0] not in WRITES) or (("smalltalk", 1.0),)
    if not orders_nothing(own[0] if own else text):
        return intents
    rest = tuple((name, score) for name, score in intents if name not in WRITES)
    asked = cue("orders.asked").match(flat(text)) is not None
    return rest or ((("crm_read", 1.0),) if asked else (("smalltalk", 1.0),))


@cache
def _topics() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """(a list of topics of a place, one that is asked for by its noun)."""
    one = rf"(?:{'|'.join(pattern.pattern for pattern in cues.patterns('topic').values())})\b"
    more = rf"(?:\s*(?:,|;|\+|/|et|puis|\s)\s*(?:(?:les?|la|son|ses) )?{one})+"
    return re.compile(rf"\b{one}{more}"), re.compile(rf"\bquels? (?:(?:sont|est) )?(?:les? )?{one}")


def with_topics(intents: Scored, low: str) -> Scored:
    """With what is listed beside the first: « prix, loyers et DPE à Toulon » asks for three things."""
    if intents[0][0] in (*PLACE_INTENTS, "crm_read", "out_of_field") and cues.said("price_list", low):
        return (("rules", 1.0),)
    if intents[0][0] == "out_of_field" and cues.said("dwelling_word", low):
        said = tuple((cast(Intent, name), ALSO) for name in cues.said("topic", low))
        return said or intents  # « le prix du lot B77 »: somebody's price list has it
    if intents[0][0] not in (*PLACE_INTENTS, "rules"):
        return intents
    if (
        intents[0][0] in PLACE_INTENTS
        and intents[0][1] < UNSURE
        and set(schemes.said_in(low)) & schemes.having("status")
    ):
        intents = (("status", intents[0][1]),)  # « loyer de référence 12 rue … »: a list of communes that is named
    told = cues.said("topic", low)
    kept = tuple(
        pair for pair in intents if not told or pair[1] >= BESIDE or pair[0] not in PLACE_INTENTS or pair[0] in told
    )
    asked = " ".join(match[0] for pattern in _topics() for match in pattern.finditer(low))
    named = [name for name in cues.said("topic", asked) if name not in dict(kept)] if asked else []
    listed = tuple((cast(Intent, name), ALSO) for name in named)
    if not kept:  # read as one topic, unsurely, and names another
        return listed or tuple((cast(Intent, name), ALSO) for name in told)
    return listed if len(listed) > 1 and kept[0][0] == "rules" and kept[0][1] < SURE_RULES else (*kept, *listed)


def implied_calculation(
    found: Sequence[Quantity],
    intents: Sequence[tuple[Intent, float]],
    state: ThreadState,
    *,
    named: bool,
    net_net: bool = False,
) -> Intent | None:
    """The calculation that the numbers themselves ask for: « ok 250 000 avec 1 000 de loyer ». `named`: whether a town
    is; `net_net`: whether a yield after tax is asked for."""
    sure = {q.role for q in found if q.confidence >= 0.45}
    main, score = intents[0]
    if main == "calc_regime" and net_net and sure & {"purchase_price", "total_cost"} and "rent" in sure:
        return "calc_yield"
    looked_up = state.focus is not None and state.focus.kind == main and main in PLACE_INTENTS and len(found) > 1
    placeless = main == "prices" and not named and "down_payment" in sure  # « quel prix viser avec 83 000 d'apport »
    if main in CALCULATIONS or (score >= UNSURE and not looked_up and not placeless):
        return None
    return next((kind for kind, one, other in IMPLIED if sure & one and sure & other), None)
