"""Messages about the CRM, labelled with what of it they ask -> views, fields and bounds.

`python -m bench.training.crm_asked` judges each hand by a fit on the others, and one that is kept apart by all of them.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.training.fitting import fit_many, fit_one
from bench.training.marked import DATA, QUESTIONS, labelled
from bench.training.saving import save
from corpus.places import Gazetteer, load_gazetteer
from corpus.questions.asked import read_asked
from pipeline.reading import CRM_BOUNDS, CRM_FIELDS, OF_DEALS, OF_LISTS
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.offline.crm_asked import NOTHING, Learned, asked_by
from pipeline.understanding.offline.crm_asked import seen as seen_of

CRM: Final = "crm_asked"
APART: Final = Path(__file__).parents[1] / "data" / "crm_asked.jsonl"
"""A hand that nothing is learned from."""
SCALE: Final = 4.0
"""Of the vectors beside n-grams of length one."""
UNANSWERABLE: Final = APART.with_name("unanswerable.tsv")
FIELDS: Final = tuple(name for name in CRM_FIELDS if name != "late")
"""That are labelled; « late » is a bound, also of one deal."""
EVEN: Final = 0.5
"""Likelihood from which a message counts as one to the CRM where views are judged."""
SEED: Final = 20261129
LABELLED, WAYS, UNHELD = 1_600, 800, 600
"""Messages of each kind that ask nothing of the CRM."""
BEFORE, SHARES = ("", "deal", "deals", "rule"), (14, 3, 1, 2)
"""What was told before a message that asks nothing of the CRM, and how often."""
STRENGTH: Final = 20.0
MOST: Final = 9_000
Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Row:
    """`before`: what was told right before it in its thread; the view, fields and
    bounds as `CrmAsked` names them, or `none`."""

    text: str
    before: str
    view: str
    fields: tuple[str, ...]
    bounds: tuple[str, ...]


def train_crm_asked(places: Gazetteer, vectors: Vectors) -> None:
    learned = fit([*others(), *(row for rows in hands().values() for row in rows)], places, vectors)
    for name, model in (("crm_views", learned.views), ("crm_fields", learned.fields), ("crm_bounds", learned.bounds)):
        save(model, name)


def others() -> list[Row]:
    """Messages that ask nothing of the CRM: of those labelled with what they are for, of the ways in which our articles
    are asked, of questions that nothing of ours answers. What begins a thread may follow anything."""
    rng = random.Random(SEED)
    kept = [m for m in (*labelled(DATA), *labelled(DATA / QUESTIONS)) if "crm_read" not in m.intents]
    rows = []
    for message in rng.sample(kept, LABELLED):
        before = rng.choices(BEFORE, SHARES)[0]
        if message.previous:
            before = "deal" if message.previous[-1].startswith("crm") else "rule"
        rows.append(Row(message.text, before, NOTHING, (), ()))
    texts = rng.sample([row.also for row in read_asked()], WAYS)
    texts += rng.sample([line.split("\t")[2] for line in UNANSWERABLE.read_text("utf-8").splitlines()[1:]], UNHELD)
    return rows + [Row(text, rng.choices(BEFORE, SHARES)[0], NOTHING, (), ()) for text in texts]


def hands(folder: Path = DATA / CRM) -> dict[str, list[Row]]:
    return {path.stem: list(read(path)) for path in sorted(folder.glob("*.jsonl"))}


def read(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Row(row["text"], row["before"], row["view"], tuple(row["fields"]), tuple(row["bounds"]))


def fit(rows: Sequence[Row], places: Gazetteer, vectors: Vectors) -> Learned:
    """Fields are learned from what is asked of deals, bounds from what is asked of lists."""
    seen = [seen_of(row.text, row.before, places=_spans(row.text, places)) for row in rows]
    found = vectors([row.text for row in rows])
    mean = found.mean(axis=0)
    dense = ((found - mean) * SCALE).astype(np.float32)
    views = fit_one(
        seen, [row.view for row in rows], strength=STRENGTH, most=MOST, vectors=dense, unit=True, least=0.05
    )
    fields = _many(seen, dense, [row.fields for row in rows], FIELDS, [row.view in OF_DEALS for row in rows])
    bounds = _many(seen, dense, [row.bounds for row in rows], CRM_BOUNDS, [row.view in OF_LISTS for row in rows])
    return Learned(*(_with_mean(model, mean) for model in (views, fields, bounds)))


def _many(
    seen: Sequence[dict[str, float]],
    dense: NDArray[np.float32],
    targets: Sequence[tuple[str, ...]],
    labels: Sequence[str],
    kept: Sequence[bool],
) -> Linear:
    at = [i for i, keep in enumerate(kept) if keep]
    return fit_many(
        [seen[i] for i in at], dense[at], [targets[i] for i in at], labels,
        weights=[1.0] * len(at), strength=STRENGTH, most=MOST,
    )  # fmt: skip


def _with_mean(model: Linear, mean: NDArray[np.float32]) -> Linear:
    """Over vectors as the embedder has them."""
    dense = model.dense * SCALE
    return Linear(model.labels, model.vocabulary, model.idf, model.weights, dense, model.bias - mean @ dense)


def _spans(text: str, places: Gazetteer) -> list[tuple[int, int]]:
    return [(found.start, found.end) for found in places.find(text)]


def judged() -> None:
    from bench.training.__main__ import vectors_of

    places, vectors = load_gazetteer(), partial(vectors_of, cache=Path("var/training/vectors.npz"))
    known = hands()
    for name, rows in known.items():
        taught = [row for hand, told in known.items() if hand != name for row in told]
        print(name, report_of(rows, fit([*others(), *taught], places, vectors), places, vectors))
    learned = fit([*others(), *(row for rows in known.values() for row in rows)], places, vectors)
    print("apart", report_of(list(read(APART)), learned, places, vectors))


def report_of(rows: Sequence[Row], learned: Learned, places: Gazetteer, vectors: Vectors) -> dict[str, float]:
    """Shares of messages: with the right view; of those of one deal, with just its fields; of lists, just its bounds;
    and of the fields and bounds that are asked, found and right."""
    told = [
        asked_by(learned, row.text, vector, row.before, places=_spans(row.text, places))
        for row, vector in zip(rows, vectors([row.text for row in rows]), strict=True)
    ]
    pairs = list(zip(rows, told, strict=True))
    deals = [(set(row.fields), one.fields) for row, one in pairs if row.view in OF_DEALS]
    lists = [(set(row.bounds), one.bounds) for row, one in pairs if row.view in OF_LISTS]
    return {
        "messages": len(rows),
        "view": _share([row.view == (one.view if one.likely >= EVEN else NOTHING) for row, one in pairs]),
        **_of_sets("fields", deals),
        **_of_sets("bounds", lists),
    }


def _of_sets(name: str, pairs: Sequence[tuple[set[str], frozenset[str]]]) -> dict[str, float]:
    both = sum(len(one & other) for one, other in pairs)
    return {
        name: _share([one == other for one, other in pairs]),
        f"{name}_right": round(both / max(1, sum(len(other) for _, other in pairs)), 3),
        f"{name}_found": round(both / max(1, sum(len(one) for one, _ in pairs)), 3),
    }


def _share(right: Sequence[bool]) -> float:
    return round(sum(right) / max(1, len(right)), 3)


if __name__ == "__main__":
    judged()
