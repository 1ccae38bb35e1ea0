"""Whether dated records or an article's sentence answer first: fitted where one of them answers and the other does not.

Records are right for a question where they give a value that the sentence which answers it gives too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from bench.fitted.fitting import halves
from corpus.facts.matching import asked_of
from pipeline.extractive.asked import Asked
from pipeline.extractive.candidates import Excerpt
from pipeline.extractive.fact_tables import share_left
from pipeline.extractive.leading import odds_of, records_signs, values_of, whole
from pipeline.extractive.signals import Signals
from pipeline.extractive.weights import Weights
from pipeline.text.fact_wording import opening
from pipeline.types import Evidence

STRENGTH: Final = 0.5
"""Inverse of the penalty of the logistic."""


@dataclass(frozen=True, slots=True)
class Records:
    """What is on record for a question: whether it answers, and its signs beside each of the question's excerpts."""

    right: bool
    beside: tuple[Signals, ...]


def records_of(
    question: str, asked: Asked, found: Sequence[Excerpt], evidence: Evidence, *, answers: Sequence[str], today: date
) -> Records | None:
    """None where nothing on record opens an answer. `answers`: the sentences that do answer."""
    records = asked_of(question, schemes=asked.schemes, today=today)
    if records is None or records.form not in ("answer", "still_open"):
        return None
    told = opening(records.facts, records.on, form=records.form)
    right = any(values_of(" ".join(told)) & values_of(answer) for answer in answers)
    entire = [whole(excerpt, evidence, asked) for excerpt in found]
    case = share_left([fact for fact in records.facts if fact.group == records.facts[0].group])
    signs = (records_signs(asked, told, excerpt, score=records.score, case=case) for excerpt in entire)
    return Records(right, tuple(signs))


@dataclass(frozen=True, slots=True)
class Case:
    """Records against the excerpt that would open: which of them answers, one only."""

    about: str
    signs: Signals
    right: bool


def case_of(
    about: str, records: Records, found: Sequence[Signals], right: Sequence[bool], weights: Weights
) -> list[Case]:
    """One, or none where both answer or neither does."""
    best = max(range(len(found)), key=lambda at: weights.score(found[at]))
    if right[best] == records.right:
        return []
    asked_so = any(name.startswith(("entry.", "entry.later.")) for name in found[best])
    same = odds_of(weights.same(found[best]) if asked_so else 0.0)
    return [Case(about, {**records.beside[best], "same": same}, records.right)]


def fit_records(cases: Sequence[Case]) -> dict[str, float]:
    from sklearn.linear_model import LogisticRegression

    names = sorted({name for case in cases for name in case.signs})
    x = np.array([[case.signs.get(name, 0.0) for name in names] for case in cases])
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(x, np.array([case.right for case in cases]))
    return {"": round(float(model.intercept_[0]), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(names, model.coef_[0], strict=True)
    }


def two_fold(cases: Sequence[Case]) -> dict[str, float]:
    """How often the one that answers comes first; all questions about one article fall into the same half."""
    half, hits = halves([case.about for case in cases]), 0
    for part in (0, 1):
        first = fit_records([case for case, mine in zip(cases, half, strict=True) if mine != part])
        weights = Weights({}, {"": 0.0}, first)
        judged = [case for case, mine in zip(cases, half, strict=True) if mine == part]
        hits += sum((weights.records(case.signs) > 0) == case.right for case in judged)
    return {
        "rows": len(cases),
        "records right": sum(case.right for case in cases),
        "first": round(100 * hits / len(cases), 1),
    }
