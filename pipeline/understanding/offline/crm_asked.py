"""What a message asks of the CRM, as was learned from messages of many hands: of one deal, of several, of tasks or
people, and which field or bound; or nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.places import Gazetteer
from pipeline.reading import OF_DEALS, OF_LISTS, CrmAsked
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import of_crm
from pipeline.understanding.learned.linear import Floats, Linear
from pipeline.understanding.offline.intents import model_of
from pipeline.understanding.own_words import flat

NOTHING: Final = "none"
SECTIONS: Final = ("crm_view", "crm_field", "crm_filter", "crm_group", "crm_absent")
"""Of cues."""
LEAST_FIELD, LEAST_SAID = 0.45, 0.05
"""Shares of belief: of a field, and where its cue is said too; the likeliest is taken below them."""
LEAST_BOUND: Final = 0.3
LEAST_TEXT: Final = 0.5
"""Of what only a text can tell, where nothing else is likelier: below it all of the deal is told."""


@dataclass(frozen=True, slots=True)
class Learned:
    """`views`: one of `VIEWS`; `fields` and `bounds`: any of theirs."""

    views: Linear
    fields: Linear
    bounds: Linear


def told_before(state: ThreadState) -> str:
    """What the thread was told last, as the labels say it."""
    focus = state.focus
    if focus is None:
        return ""
    if not focus.kind.startswith("crm"):
        return "rule"
    told = str(focus.crm.get("told", "deal"))
    return "deals" if told == "several" else told if told in OF_LISTS else "deal"


def crm_asked(text: str, vector: Floats | None, state: ThreadState, *, places: Gazetteer) -> CrmAsked:
    """`vector`: None where no embedder is at hand; the words alone do then."""
    learned = Learned(model_of("crm_views"), model_of("crm_fields"), model_of("crm_bounds"))
    dense = linear.mean_vector() if vector is None else vector
    spans = [(found.start, found.end) for found in places.find(text)]
    return asked_by(learned, text, dense, told_before(state), places=spans)


def asked_by(
    learned: Learned, text: str, vector: Floats, before: str, *, places: Sequence[tuple[int, int]]
) -> CrmAsked:
    features = seen(text, before, places=places)
    shares = linear.softmax(learned.views.scores(features, vector, unit=True))
    labels = learned.views.labels
    best = max((at for at, label in enumerate(labels) if label != NOTHING), key=lambda at: float(shares[at]))
    fields, bounds = _shares(learned.fields, features, vector), _shares(learned.bounds, features, vector)
    return CrmAsked(
        labels[best],
        1.0 - float(shares[labels.index(NOTHING)]),
        frozenset(_fields(fields, bounds, flat(text))) if labels[best] in (*OF_DEALS, "sum") else frozenset(),
        frozenset(n for n, share in bounds.items() if labels[best] in OF_LISTS and share >= LEAST_BOUND),
    )


def _fields(shares: Mapping[str, float], bounds: Mapping[str, float], low: str) -> Iterator[str]:
    """« Petit est en retard ? » is a bound of lists, and asked of one deal."""
    likeliest, said = max(shares, key=lambda name: shares[name]), cues.said("crm_field", low)
    least = {name: LEAST_SAID if name in said else LEAST_FIELD for name in shares}
    least[likeliest] = LEAST_TEXT if likeliest == "text" else 0.0
    late = bounds["late"] >= LEAST_TEXT and shares[likeliest] < LEAST_TEXT
    yield from ("late",) if late else (name for name, share in shares.items() if share >= least[name])


def seen(text: str, before: str, *, places: Sequence[tuple[int, int]]) -> dict[str, float]:
    low = flat(text)
    return of_crm(text, before, places=places, said=[f"{s}.{name}" for s in SECTIONS for name in cues.said(s, low)])


def _shares(model: Linear, features: dict[str, float], vector: Floats) -> dict[str, float]:
    shares = linear.sigmoid(model.scores(features, vector, unit=True))
    return dict(zip(model.labels, map(float, shares), strict=True))
