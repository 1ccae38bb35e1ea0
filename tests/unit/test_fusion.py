"""Relative-score fusion and BM25 over candidates."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.index.bm25 import Statistics, idf, pooled, scores
from corpus.index.fusion import fuse, relative

A, B, C = ("a", "T"), ("b", "T"), ("c", "T")
Leg = dict[tuple[str, str], float]
LEG = st.dictionaries(st.sampled_from([A, B, C]), st.floats(-10, 10, allow_nan=False), max_size=3)


def test_each_leg_is_brought_to_zero_and_one() -> None:
    """Half of each; what one leg misses counts zero there. Where the winners tie, the words' winner comes first."""
    assert fuse({A: 0.9, B: 0.8}, {B: 12.0, C: 2.0}) == [(B, 0.5), (A, 0.5), (C, 0.0)]


def test_words_alone_weigh_fully() -> None:
    """No dense leg at all is not an empty dense leg."""
    assert fuse(None, {A: 3.0, B: 1.0}) == [(A, 1.0), (B, 0.0)]
    assert fuse({}, {A: 3.0, B: 1.0}) == [(A, 0.5), (B, 0.0)]


def test_equal_scores_count_one() -> None:
    """A single hit is its leg's best."""
    assert relative({A: -4.0}) == {A: 1.0}
    assert fuse({A: 0.5, B: 0.5}, {}) == [(A, 0.5), (B, 0.5)]


@given(LEG, LEG, st.floats(0, 1))
def test_fused_scores_stay_within_bounds(dense: Leg, lexical: Leg, alpha: float) -> None:
    """Sorted, in [0, 1], every candidate once."""
    found = fuse(dense, lexical, alpha=alpha)
    assert {key for key, _ in found} == {*dense, *lexical}
    values = [score for _, score in found]
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in values)
    assert all(first >= second - 1e-6 for first, second in pairwise(values))


def test_idf_stays_positive_where_every_passage_holds_the_term() -> None:
    """Without a weight for such a term three notes would rank by noise."""
    assert idf(3, 3) == pytest.approx(math.log(1 + 0.5 / 3.5))
    assert idf(3, 3) > 0


def test_bm25_follows_its_formula() -> None:
    """One term, two passages, computed by hand with k1 = 1.2 and b = 0.75."""
    over = Statistics(passages=2, words=10, frequencies={"lyon": 1})
    weight = math.log(1 + 1.5 / 1.5)
    norm = 1.2 * (0.25 + 0.75 * 4 / 5)
    expected = weight * 2 * 2.2 / (2 + norm)
    assert scores({"lyon": 1.0}, {A: ["lyon", "lyon", "x", "y"], B: ["z"]}, over=over) == {A: pytest.approx(expected)}


def test_statistics_of_several_tenants_add_up() -> None:
    """As if they were one index."""
    both = pooled([Statistics(2, 10, {"a": 1}), Statistics(3, 20, {"a": 2, "b": 1})])
    assert (both.passages, both.words, dict(both.frequencies)) == (5, 30, {"a": 3, "b": 1})
    assert scores({"a": 1.0}, {A: ["a"]}, over=pooled([])) == {}
