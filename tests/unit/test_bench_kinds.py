"""Measures over sections, the fit over several kinds, and the kinds themselves."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from bench.fitted.fitting import Hits, Part, fitted
from bench.ranking.headings import question_headings, title_headings
from bench.ranking.kind_sets import over_articles, own_headings
from bench.ranking.kinds import first
from bench.ranking.measures import mean_measures
from corpus.types import Passage


def test_the_second_passage_of_a_section_brings_nothing() -> None:
    """Else a section of three passages would count three times."""
    sections = {"p1": {"a"}, "p2": {"a"}, "p3": {"b"}, "p4": {"c"}}
    once = mean_measures({"q": ["p1", "p2", "p3"]}, {"q": {"a", "b"}}, sections)
    again = mean_measures({"q": ["p1", "p4", "p3"]}, {"q": {"a", "b"}}, sections)
    assert once == again
    assert once["ndcg@10"] == pytest.approx((1 + 0.5) / (1 + 1 / np.log2(3)))
    assert once["r@5"] == 1.0


def test_a_section_that_no_article_has_is_an_error(tmp_path: Path) -> None:
    """A heading that was reworded must be followed by the questions about it."""
    path = tmp_path / "rows.jsonl"
    row = {"id": "q1", "text": "?", "article": "dpe", "sub": "Nulle part", "also_sub": []}
    path.write_text(json.dumps(row), "utf-8")
    with pytest.raises(ValueError, match="q1"):
        over_articles(path)


@pytest.mark.parametrize("headings", [question_headings, title_headings])
def test_own_headings_are_nowhere_in_what_is_indexed(headings: Callable[[Passage], Sequence[str]]) -> None:
    """A heading left in would answer itself."""
    data = own_headings(headings)
    assert len(data.queries) > 100
    asked = {(next(iter(data.relevant[name])).partition("#")[0], text) for name, text in data.queries.items()}
    left = {
        (passage.document_id, part) for passage in data.passages for part in " · ".join(passage.heading).split(" · ")
    }
    assert not asked & left


def test_first_is_whoever_no_other_beats() -> None:
    """By nDCG@10; a tie is no loss."""
    figures = {"hybrid": {"ndcg@10": 0.5}, "ours": {"ndcg@10": 0.5}}
    assert first(figures)
    assert not first(figures | {"dense": {"ndcg@10": 0.6}})


def part(useful: int, *, share: float = 1.0) -> Part:
    """Two hundred questions of ten hits, the right one told by signal `useful` alone."""
    generator = np.random.default_rng(useful)
    signals = generator.normal(size=(200, 10, 4))
    right = np.zeros((200, 10), np.bool_)
    right[np.arange(200), signals[:, :, useful].argmax(axis=1)] = True
    return Part(Hits(signals, np.ones((200, 10), np.bool_), right), np.ones(200, np.bool_), share)


def test_each_kind_has_its_say_in_the_weights() -> None:
    """A signal that one kind needs stays, more where that kind counts more, and none is ever below zero."""
    both = fitted([part(2), part(3)], columns=range(4))
    more = fitted([part(2, share=5.0), part(3)], columns=range(4))
    assert both[2] > 0
    assert both[3] > 0
    assert more[2] / more[3] > both[2] / both[3]
    assert (both >= 0).all()
