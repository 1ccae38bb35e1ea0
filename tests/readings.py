"""Drafts of the offline reader and replies of a model, written by hand, for tests of what code makes of them."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

from corpus.places import Gazetteer, load_gazetteer
from pipeline import schemes
from pipeline.reading import Intent, NamedPlace, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Figure
from pipeline.understanding.model.checks import Basis, checked
from pipeline.understanding.model.schema import Reply
from pipeline.understanding.model.verbatim import Claims
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.own_words import flat

MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
PRICED = ThreadState(
    frames=(
        Frame("prices", query="prix à Metz", communes=("57463",), results=(Figure("Prix médian", 2481.0, "€/m²"),)),
        Frame("calc_loan", query="prêt", results=(Figure("Mensualité", 1159.84, "€/mois"),)),
    ),
    intents=("prices", "calc_loan"),
    said=("prix à Metz", "mensualité pour 200k sur 20 ans à 3,5"),
)
"""A thread that knows a price in Metz and an instalment."""


@cache
def places() -> Gazetteer:
    return load_gazetteer()


def draft(text: str, intent: Intent = "rules", sure: float = 0.5, **more: Any) -> Reading:
    """What rules find in the message, under an intent of the test's."""
    named = tuple(
        NamedPlace(m.text, m.start, m.end, tuple(p.insee for p in m.places), m.ambiguous) for m in places().find(text)
    )
    found: dict[str, Any] = {
        "quantities": quantities(text, apart=[(p.start, p.end) for p in named]),
        "places": named,
        "schemes": schemes.said_in(flat(text)),
    }
    return Reading(text=text, intents=((intent, sure),), query=text, **(found | more))


def reply(*intents: str, **fields: Any) -> dict[str, Any]:
    """A reply of these intents."""
    return {"intents": [{"name": name, "confidence": 0.95} for name in intents], **fields}


def read(first: Reading, said: dict[str, Any], state: ThreadState | None = None) -> tuple[Reading | None, Claims]:
    """What code makes of a reply to this message."""
    basis = Basis(first, state or ThreadState(), places(), MONDAY)
    return checked(Reply.model_validate_json(json.dumps(said)), basis)


def believed(first: Reading, said: dict[str, Any], state: ThreadState | None = None) -> Reading:
    """The same, of a reply that is used."""
    reading, claims = read(first, said, state)
    assert reading is not None, claims.fell
    return reading
