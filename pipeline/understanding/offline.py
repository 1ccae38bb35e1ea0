"""The reader that needs no model: what it learned says what a message is for and what its numbers are; rules read
ids, amounts, dates and communes."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from typing import Final, cast

import numpy as np
import structlog

from corpus.errors import EmbedderUnavailable
from corpus.places import Gazetteer, Mention
from corpus.ports import Embedder
from pipeline import schemes
from pipeline.reading import (
    CALCULATIONS,
    INTENTS,
    PLACE_INTENTS,
    WRITES,
    Act,
    Intent,
    NamedPlace,
    Quantity,
    Reading,
    Role,
)
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding import cues, linear
from pipeline.understanding.addresses import address_of
from pipeline.understanding.beside import alternatives, elapsed, named_beside
from pipeline.understanding.dates import PARIS
from pipeline.understanding.dwellings import dwelling_of
from pipeline.understanding.features import NUMBER, around, masked, ngrams, of_thread
from pipeline.understanding.fields import fields
from pipeline.understanding.linear import Floats, Linear
from pipeline.understanding.orders import ASKED, cancels, orders_nothing, outside_quotes
from pipeline.understanding.own_words import flat, own_words, says_something
from pipeline.understanding.places import crm_aside, named_places
from pipeline.understanding.quantities import quantities
from pipeline.understanding.writes import deal_of, number_said, writes_of

log = structlog.get_logger()

ALONE: Final = frozenset(("out_of_field", "unsafe"))
"""What is asked beside these is not answered either."""
WRITE: Final = 0.42
"""Of a write: a proposal that nobody wanted is rejected by a click, a request that was missed is lost."""
ALSO: Final = 0.5
"""Confidence from which a second intent of the same message counts."""
SCALE, OFFSET = 1.3, 0.9
"""Raw scores of a one-vs-rest model are too shy; fitted on messages that it had not seen (`bench understanding`)."""
ONCE: Final = frozenset(
    (
        "purchase_price",
        "sale_price",
        "total_cost",
        "tmi",
        "property_tax",
        "down_payment",
        "target_yield",
        "purchase_year",
        "sale_year",
    )
)
INSTEAD: Final = re.compile(r"(?:,? ?\bpas|au lieu de|plutot que|et non(?: pas)?|\bnon) (?:les? |a |de |sur )?$")
UNITS_OF: Final[dict[str, frozenset[str]]] = {
    "rate": frozenset(("%", "", "points")),
    "tmi": frozenset(("%", "")),
    "target_yield": frozenset(("%", "")),
    "fees_percent": frozenset(("%", "")),
    "duration": frozenset(("years", "months", "")),
    "holding_years": frozenset(("years", "months", "")),
    "purchase_year": frozenset(("year", "date", "")),
    "sale_year": frozenset(("year", "date", "")),
    "area": frozenset(("m²", "")),
    "vacancy": frozenset(("weeks", "months", "%", "days", "", "€")),
    "insurance": frozenset(("%", "€", "", "points")),
    "charges": frozenset(("€", "%", "")),
}
MONEY: Final = frozenset(("€", "", "points"))


@cache
def _model(name: str) -> Linear:
    return linear.load(name)


class OfflineReader:
    """`embedder` None, or one that fails: the words alone are read."""

    name = "offline"

    def __init__(self, embedder: Embedder | None, *, places: Gazetteer) -> None:
        self._embedder = embedder
        self._places = places

    async def read(self, question: Question, state: ThreadState) -> Reading:
        """What the message says. Never raises for any text."""
        text = own_words(question.text).text
        vector = await self._vector(text)
        outside = outside_quotes(text)
        own = None if outside == text or not says_something(outside) else (outside, await self._vector(outside))
        return await asyncio.to_thread(
            read, text, vector, state, places=self._places, asked_at=question.asked_at, own=own
        )

    async def _vector(self, text: str) -> Floats | None:
        if self._embedder is None:
            return None
        try:
            vector: Floats = (await self._embedder.queries([text]))[0]
            return vector
        except EmbedderUnavailable as error:
            log.warning("reader_without_vector", reason=str(error))
            return None


def read(
    text: str,
    vector: Floats | None,
    state: ThreadState,
    *,
    places: Gazetteer,
    asked_at: datetime,
    own: tuple[str, Floats | None] | None = None,
) -> Reading:
    """A pure function of the message, its vector and its thread. `own`: what of it is not quoted, with its vector."""
    low = flat(text)
    mentions = places.find(text, hints=state.communes)
    previous = state.intents
    masked_text = masked(text, places=[(m.start, m.end) for m in mentions])
    features = {**ngrams(masked_text), **of_thread(previous, count=len(masked_text.split()))}
    intents = _ordered_by_oneself(text, _intents(features, vector), own, previous)
    act, sure = _act(features, vector) if previous else ("new", 1.0)
    leading: list[str] = [intents[0][0], *previous[-1:]]
    if cues.said("unsafe", low):
        intents = (("unsafe", 1.0),)
    elif intents[0][0] == "recall" and number_said(text):
        intents = (("crm_read", 1.0),)  # « résume le dossier 9019 » is about the deal, not about the thread
    names = [name for name, _ in intents]
    cut = fields(text, names if any(n.startswith("crm") for n in names) else ["crm_read"], model=_model("fields"))
    today = asked_at.astimezone(PARIS).date() if asked_at.tzinfo else asked_at.date()
    if (
        names == ["crm_write_update"]
        and not any(f.name in ("value", "date", "body") for f in cut)
        and not NUMBER.search(low)
    ):
        intents, names = (
            (("crm_read", 1.0),),
            ["crm_read"],
        )  # « l'e-mail de Mme Diallo »: nothing to write is a question
    crm = any(name.startswith("crm") for name in names)
    if _about_a_place(text, names, state):
        mentions = places.find_expected(text, hints=state.communes, apart=crm_aside(cut) if crm else ())
    found = _quantities(text, low, mentions, leading, today)
    if (implied := implied_calculation(found, intents, state)) is not None:
        intents = ((implied, intents[0][1]), *intents)
        names = [name for name, _ in intents]
    number, deals = deal_of(text, cut)
    writes, day = writes_of(text, [n for n in names if n in WRITES], cut, asked_at=asked_at)
    crm = any(name.startswith("crm") for name in names)
    mentions = tuple(m for m in mentions if not is_amount(m, low, counts=intents[0][0] in CALCULATIONS))
    where, unknown = named_places(text, mentions, apart=crm_aside(cut) if crm else (), amounts=found, places=places)
    without = _blank(low, where)
    return Reading(
        text=text,
        intents=intents,
        act=act,
        act_confidence=sure,
        quantities=found,
        places=where,
        unknown_place=unknown,
        address=address_of(text),
        schemes=schemes.said_in(without),
        dwelling=dwelling_of(without, today=today),
        options=frozenset(cues.said("options", low)),
        zeroed=_zeroed(low),
        replaced=_replaced(low, found),
        deal_id=number if crm or number_said(text) else None,
        deal_names=deals if crm or number or any(name.startswith("crm") for name in previous[-2:]) else (),
        writes=writes,
        due=day,
        query=text,
        asked_on=today,
        cancels=cancels(text),
        alternatives=alternatives(low, found),
    )


AMOUNT_BESIDE: Final = re.compile(r"^\s?(?:d[eu]s? |d'|€|euros?\b|eur\b|/|fai\b|net\b|hc\b|cc\b)")
AMOUNT_BEFORE: Final = re.compile(
    r"\b(?:avec|de|bien a|achat a?|appart\w* a|maison a|studio a|t[1-6] a|pret|emprunt\w*|loyer|apport|travaux|prix de)\s*$"
)


def is_amount(mention: Mention, low: str, *, counts: bool) -> bool:
    """Whether digits that are some town's postcode are an amount here: « 40000 d'apport », « un bien a 90000 »."""
    if not mention.text.strip().isdigit():
        return False
    round_number = mention.text.strip().endswith("000")
    beside = AMOUNT_BESIDE.match(low[mention.end :]) or AMOUNT_BEFORE.search(low[: mention.start])
    return counts or bool(round_number and beside)


def _about_a_place(text: str, names: Sequence[str], state: ThreadState) -> bool:
    """Whether communes are expected, however they are written: « prix angers », « et gujan »."""
    goes_on = state.focus is not None and state.focus.kind in PLACE_INTENTS and len(text.split()) <= SHORT
    return bool(set(names) & set(PLACE_INTENTS)) or goes_on


SHORT: Final = 5
"""Words up to which a message may merely name another place."""


def _intents(features: dict[str, float], vector: Floats | None) -> tuple[tuple[Intent, float], ...]:
    """The best, and others that are as sure as a message of two requests has them."""
    scores = linear.sigmoid(SCALE * _model("intents").scores(features, vector, unit=True) + OFFSET)
    order = np.argsort(-scores)
    kept = [
        i for rank, i in enumerate(order[:4]) if rank == 0 or scores[i] >= (WRITE if INTENTS[i] in WRITES else ALSO)
    ]
    if INTENTS[kept[0]] in ALONE:
        kept = kept[:1]
    return tuple((INTENTS[i], round(float(scores[i]), 3)) for i in kept)


def _act(features: dict[str, float], vector: Floats | None) -> tuple[Act, float]:
    model = _model("acts")
    shares = linear.softmax(model.scores(features, vector, unit=True))
    best = int(shares.argmax())
    return cast(Act, model.labels[best]), round(float(shares[best]), 3)


def _quantities(
    text: str, low: str, mentions: Sequence[Mention], intents: Sequence[str], today: date
) -> tuple[Quantity, ...]:
    """With their roles. A postcode is a place, unless the message calculates: « avec 20000 d'apport »."""
    counts = intents[0] in CALCULATIONS
    apart = [(m.start, m.end) for m in mentions if not is_amount(m, low, counts=counts)]
    found = quantities(text, apart=apart, today=today)
    if not found:
        return ()
    model = _model("roles")
    shares = np.stack([linear.softmax(model.scores(around(q, found, low, intents))) for q in found])
    for row, quantity in enumerate(found):
        for column, label in enumerate(model.labels):
            if quantity.unit not in UNITS_OF.get(label, MONEY) and label != "other":
                shares[row, column] *= 0.01
    taken: set[str] = set()
    roles: dict[int, tuple[Role, float]] = {}
    for row, column in sorted(np.ndindex(*shares.shape), key=lambda at: -shares[at]):
        label = model.labels[column]
        if row in roles or (label in taken and label in ONCE and shares[row].max() < 0.995):
            continue
        roles[row] = (label, round(float(shares[row, column]), 3))
        taken.add(label)
    read_as = [replace(q, role=roles[row][0], confidence=roles[row][1]) for row, q in enumerate(found)]
    read_as = elapsed(low, named_beside(low, read_as, intents[0]))
    return tuple(_in_order(read_as) if intents[0] == "calc_gain" else read_as)


def _in_order(found: list[Quantity]) -> list[Quantity]:
    """Of two years in a sale, one buys before one sells."""
    years = sorted((q for q in found if q.unit in ("year", "date")), key=lambda q: (q.value, q.day or date.min))
    if len(years) != 2 or years[0].value == years[1].value:
        return found
    if {q.role for q in years} == {"purchase_year", "sale_year"} and min(q.confidence for q in years) >= SURELY:
        return found  # said in so many words, even if a sale cannot come first: that is for the calculator to refuse
    roles: dict[int, Role] = {years[0].start: "purchase_year", years[1].start: "sale_year"}
    return [replace(q, role=roles.get(q.start, q.role)) for q in found]


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
        if not any(name in WRITES for name, _ in outside):
            return outside
    if not orders_nothing(own[0] if own else text):
        return intents
    rest = tuple((name, score) for name, score in intents if name not in WRITES)
    asked = ASKED.match(flat(text)) is not None
    return rest or ((("crm_read", 1.0),) if asked else (("smalltalk", 1.0),))


IMPLIED: Final[tuple[tuple[Intent, frozenset[str], frozenset[str]], ...]] = (
    ("calc_gain", frozenset(("sale_price",)), frozenset(("purchase_price", "purchase_year", "holding_years"))),
    ("calc_yield", frozenset(("purchase_price", "total_cost")), frozenset(("rent",))),
    ("calc_loan", frozenset(("loan_amount", "purchase_price")), frozenset(("rate",))),
    ("calc_capacity", frozenset(("income",)), frozenset(("duration", "existing_debt", "rate"))),
)
"""What a message calculates whose numbers are sure and whose words are not."""
SURELY: Final = 0.6
UNSURE: Final = 0.5


def implied_calculation(
    found: Sequence[Quantity], intents: Sequence[tuple[Intent, float]], state: ThreadState
) -> Intent | None:
    """The calculation that the numbers themselves ask for: « ok 250 000 avec 1 000 de loyer »."""
    sure = {q.role for q in found if q.confidence >= 0.45}
    main, score = intents[0]
    looked_up = state.focus is not None and state.focus.kind == main and main in PLACE_INTENTS and len(found) > 1
    if main in CALCULATIONS or (score >= UNSURE and not looked_up):
        return None
    return next((kind for kind, one, other in IMPLIED if sure & one and sure & other), None)


def _zeroed(low: str) -> tuple[Role, ...]:
    """« sans apport », « hors assurance », « pas de travaux »."""
    said = []
    for role, pattern in cues.patterns("zeroed").items():
        if re.search(
            rf"\b(?:sans|hors|pas de|pas d'|enleve|retire|aucune?|zero) (?:l'|la |le |les |d'|aucune? )?(?:{pattern.pattern})",
            low,
        ):
            said.append(role)
    return tuple(said)


def _replaced(low: str, found: Sequence[Quantity]) -> float | None:
    """« 180 pas 150 », « 20 au lieu de 25 »: the value that gives way."""
    return next((q.value for q in found if INSTEAD.search(low[max(0, q.start - 24) : q.start])), None)


def _blank(low: str, where: Sequence[NamedPlace]) -> str:
    """Places blanked out, so that no name of a town reads as a word (« Le Bourget », « La Garde »)."""
    for place in where:
        low = low[: place.start] + " " * (place.end - place.start) + low[place.end :]
    return low
