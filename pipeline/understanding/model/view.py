"""What a language model gets to see of a message and its thread: the user's own words, masked, and our own memory as
names and numbers. No answer, no passage, no record of the CRM: nothing that somebody else wrote."""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from corpus.places import Gazetteer
from pipeline.ports import Message
from pipeline.reading import Reading
from pipeline.text.masking import mask
from pipeline.text.persons import persons_in
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.dates import PARIS
from pipeline.understanding.model.inputs import RESULTS_OF

LAST_TURNS, LAST_FRAMES, MOST_RESULTS = 12, 6, 8
LONGEST_MESSAGE: Final = 4_000
WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")


@cache
def _prompt() -> str:
    return (Path(__file__).parents[2] / "prompts" / "reader.md").read_text(encoding="utf-8")


def messages_for(draft: Reading, state: ThreadState, *, asked_at: datetime, places: Gazetteer) -> list[Message]:
    """The rules, which never change and may be cached by a provider; then the day, the thread, the message."""
    now = asked_at.astimezone(PARIS) if asked_at.tzinfo else asked_at
    seen: dict[str, Any] = {
        "date": f"{WEEKDAYS[now.weekday()]} {now:%d/%m/%Y}",
        "messages_precedents": [mask(said) for said in state.said[-LAST_TURNS:]],
        "fil": [_frame(frame, places) for frame in state.frames[-LAST_FRAMES:]],
        "premiere_lecture": _reading(draft),
        "message": mask(draft.text)[:LONGEST_MESSAGE],
    }
    persons = (*draft.deal_names, *persons_in(state))
    return [Message("system", _prompt()), Message("user", json.dumps(seen, ensure_ascii=False), persons)]


def _frame(frame: Frame, places: Gazetteer) -> dict[str, Any]:
    told = {
        "sujet": frame.kind,
        "valeurs": {role: [f"{q.value:g} {q.unit}".strip() for q in said] for role, said in frame.slots.items()},
        "resultats": list(_results(frame)),
        "communes": [place.name for code in (*frame.communes, *frame.candidates) if (place := places.get(code))],
        "dispositifs": list(frame.schemes),
        "demande": list(frame.pending),
        "ecritures": [{"genre": write.kind, "texte": mask(write.body)} for write in frame.writes],
    }
    return {name: value for name, value in told.items() if value}


def _results(frame: Frame) -> Iterator[str]:
    """Only of what our own code computes or looks up in public tables: its labels are ours."""
    if frame.kind in RESULTS_OF:
        for figure in frame.results[:MOST_RESULTS]:
            yield f"{figure.label[:80]} : {figure.value:g} {figure.unit}".strip()


def _reading(draft: Reading) -> dict[str, Any]:
    """What the offline reader made of it, in the words of the reply."""
    told = {
        "intents": [{"name": name, "confidence": round(sure, 2)} for name, sure in draft.intents],
        "act": draft.act,
        "quantities": [{"text": q.text, "role": q.role} for q in draft.quantities],
        "communes": [place.text for place in draft.places],
        "schemes": list(draft.schemes),
        "deals": [mask(name) for name in draft.deal_names],
    }
    return {name: value for name, value in told.items() if value}
