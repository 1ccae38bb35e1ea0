"""Sums that ask for a rule too -> which of their words ask it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.training.cases import CASES, SHORT_SUMS
from bench.training.fitting import fit_many
from bench.training.marked import DATA, rules_marked, unmarked
from bench.training.saving import save
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.offline.rule_beside import LEAST, Seen, pieces, seen
from pipeline.understanding.own_words import flat
from pipeline.understanding.situations import asked_of

ROUNDS: Final = 5
STRENGTH: Final = 1.0
MOST: Final = 10_000
COUNT: Final = 3.0
"""Times that a piece which asks for a rule counts: few do."""
SURELY: Final = 1.0
"""Log odds from which a second piece of a case asks for it too."""
SAME: Final = 0.6
"""Share of a piece's words that are marked where it asks."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is seen of each piece of what one message asks. `asks`: which of them ask for a rule, None where that is not
    marked; `any`: whether one does."""

    seen: tuple[Seen, ...]
    asks: tuple[bool, ...] | None
    any: bool


def train_rule_beside() -> None:
    save(fit(list(known())), "rule_beside")


def known(folder: Path = DATA) -> Iterator[Asked]:
    """Told cases, and short sums whose words are marked."""
    for path in sorted((folder / CASES).glob("*.jsonl")):
        for row in _rows(path):
            asked = asked_of(unmarked(row["text"])[0])
            if asked is not None:
                yield _asked(asked, None, "rules" in row["intents"])
    for path in sorted((folder / SHORT_SUMS).glob("*.jsonl")):
        for row in _rows(path):
            marked = rules_marked(row["text"])
            yield _asked(unmarked(row["text"])[0], marked, bool(marked))


def fit(rows: Sequence[Asked]) -> Linear:
    """Of a case that asks for a rule somewhere, the likeliest of its pieces asks it: by what they are read as at first,
    then by what was learned so."""
    features = [features for row in rows for features, _ in row.seen]
    vectors = np.stack([vector for row in rows for _, vector in row.seen])
    starts = np.cumsum([0, *(len(row.seen) for row in rows)])
    odds: NDArray[np.float32] = vectors[:, 3]
    for turn in range(ROUNDS):
        asks = np.zeros(len(features), bool)
        for row, start in zip(rows, starts, strict=False):
            own = odds[start : start + len(row.seen)]
            if row.asks is not None:
                asks[start : start + len(row.seen)] = row.asks
            elif row.any and len(own):
                asks[start : start + len(own)] = (own > SURELY) if turn > 1 else False
                asks[start + int(own.argmax())] = True
        model = fit_many(
            features, vectors, [("rule",) if one else () for one in asks], ("rule",),
            weights=[COUNT if one else 1.0 for one in asks], strength=STRENGTH, most=MOST,
        )  # fmt: skip
        scored = (model.scores(told, vector, unit=True)[0] for told, vector in zip(features, vectors, strict=True))
        odds = np.fromiter(scored, np.float32, len(features))
    return model


def report_of(rows: Sequence[Asked], model: Linear) -> dict[str, float]:
    """Of messages: how many ask for a rule beside, the share of those said to that do, and of those that do found."""
    said = [any(model.scores(*one, unit=True)[0] >= LEAST for one in row.seen) for row in rows if len(row.seen) > 1]
    asks = [row.any for row in rows if len(row.seen) > 1]
    both = sum(one and other for one, other in zip(said, asks, strict=True))
    return {
        "messages": len(asks),
        "ask": sum(asks),
        "right": both / max(1, sum(said)),
        "found": both / max(1, sum(asks)),
    }


def _asked(text: str, marked: Sequence[str] | None, any_: bool) -> Asked:
    parts = pieces(text)
    said = None if marked is None else tuple(any(_within(part, one) for one in marked) for part in parts)
    return Asked(tuple(seen(at, parts) for at in range(len(parts))), said, any_)


def _within(part: str, marked: str) -> bool:
    words = set(flat(part).split())
    return len(words & set(flat(marked).split())) >= SAME * len(words)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def judged() -> None:
    """Each half of the hands' messages by the others' and by those of the other length."""
    rows = list(known())
    for name, short in (("told cases", False), ("short sums", True)):
        own = [row for row in rows if (row.asks is not None) is short]
        others = [row for row in rows if (row.asks is not None) is not short]
        middle = len(own) // 2
        for judges, taught in ((own[:middle], own[middle:]), (own[middle:], own[:middle])):
            print(name, report_of(judges, fit([*others, *taught])))


if __name__ == "__main__":
    judged()
