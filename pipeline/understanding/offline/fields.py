"""The fields of a CRM write (`body`, `date`, `property`, `value`, `deal_name`, `deal_id`), cut from the message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.understanding.learned.features import of_token, shape, tokens
from pipeline.understanding.learned.linear import Floats, Linear
from pipeline.understanding.own_words import flat

FIELDS: Final = ("body", "date", "property", "value", "deal_name", "deal_id")
OUTSIDE: Final = "O"
LONGEST: Final = 400
"""Words of a message that fields are cut from."""
IMPOSSIBLE: Final = -1e4


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the message and what it is for a CRM write."""

    name: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def fields(text: str, intents: Sequence[str], *, model: Linear) -> tuple[Field, ...]:
    """The fields in order. `model.dense` holds the score of each label after each other one (labels x labels)."""
    spans = tokens(text)[:LONGEST]
    if not spans:
        return ()
    rows = token_rows(text, spans, intents)
    scores = np.stack([model.scores(row) for row in rows])
    best = _path(scores, _transitions(model))
    found = _joined(text, spans, [model.labels[label] for label in best])
    # « client ravi, sur le 9001 »: beside a number only what has its capital is a name.
    numbered = any(field.name == "deal_id" for field in found)
    return tuple(field for field in found if not (numbered and field.name == "deal_name" and field.text.islower()))


def token_rows(text: str, spans: Sequence[tuple[int, int]], intents: Sequence[str]) -> list[dict[str, float]]:
    low = flat(text).replace("’", "'")
    words = [low[start:end] for start, end in spans]
    shapes = [shape(text[start:end]) for start, end in spans]
    kinds = [intent.removeprefix("crm_") for intent in intents if intent.startswith("crm_")] or ["none"]
    return [of_token(index, words, shapes, kinds) for index in range(len(words))]


def _transitions(model: Linear) -> Floats:
    """As learned, and never inside a field that did not begin."""
    table = model.dense.copy()
    for after, name in enumerate(model.labels):
        if name.startswith("I-"):
            for before, label in enumerate(model.labels):
                if label[2:] != name[2:]:
                    table[before, after] = IMPOSSIBLE
    return table


def _path(scores: Floats, table: Floats) -> list[int]:
    """The best sequence of labels (Viterbi)."""
    total = scores[0].copy()
    back: list[Floats] = []
    for row in scores[1:]:
        reached = total[:, None] + table
        back.append(reached.argmax(axis=0))
        total = reached.max(axis=0) + row
    path = [int(total.argmax())]
    for step in reversed(back):
        path.append(int(step[path[-1]]))
    return path[::-1]


def _joined(text: str, spans: Sequence[tuple[int, int]], labels: Sequence[str]) -> list[Field]:
    found: list[Field] = []
    for index, label in enumerate(labels):
        if label == OUTSIDE or (label.startswith("I-") and (index == 0 or labels[index - 1] == OUTSIDE)):
            continue
        start, end = spans[index]
        if label.startswith("I-") and found and found[-1].name == label[2:]:
            found[-1] = Field(label[2:], text[found[-1].start : end], found[-1].start)
        else:
            found.append(Field(label[2:], text[start:end], start))
    return found
