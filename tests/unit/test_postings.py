"""Postings in memory against BM25 computed the plain way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.index import bm25, postings
from corpus.index.postings import Postings, codes_of

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), min_size=1, max_size=30)


def filled(texts: list[list[str]], *, at_once: int) -> Postings:
    """As a reader fills it: some passages at a time."""
    found = Postings()
    for start in range(0, len(texts), at_once):
        some = texts[start : start + at_once]
        at = np.repeat(np.arange(start, start + len(some), dtype=np.uint32), [len(text) for text in some])
        found.add(at, codes_of([term for text in some for term in text]))
    return found


@given(TEXTS, st.integers(1, 30), st.lists(st.sampled_from("abxy"), unique=True, max_size=4))
def test_scores_are_those_of_bm25(texts: list[list[str]], at_once: int, asked: list[str]) -> None:
    """However the passages came in, each has the score that its terms give it."""
    held = filled(texts, at_once=at_once).of(codes_of(asked))
    frequencies = {term: sum(term in text for text in texts) for term in asked}
    assert [len(found.at) for found in held] == list(frequencies.values())
    over = bm25.Statistics(len(texts), sum(map(len, texts)), frequencies)
    weights = [bm25.idf(over.passages, frequencies[term]) for term in asked]
    words = np.array([len(text) for text in texts], np.int32)
    average = max(1, over.words) / over.passages
    found = postings.scores(held, weights, words=words, average=average)
    expected = bm25.scores(dict.fromkeys(asked, 1.0), {(str(at), ""): text for at, text in enumerate(texts)}, over=over)
    for at in range(len(texts)):
        assert found[at] == pytest.approx(expected.get((str(at), ""), 0.0))


def test_many_small_additions_stay_few_segments() -> None:
    """A reader beside a writer adds one document at a time: looking a term up must not slow down with each."""
    grown = filled([["a", "b"]] * 1_000, at_once=1)
    assert len(grown._segments) <= 11
    (held,) = grown.of(codes_of(["a"]))
    assert sorted(held.at) == list(range(1_000))


def test_large_segments_stay_and_are_all_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moving what a large corpus was loaded into would take several times its memory."""
    monkeypatch.setattr(postings, "LARGE", 20)
    grown = filled([["a", "b"]] * 100, at_once=10)
    assert len(grown._segments) == 10
    (held,) = grown.of(codes_of(["a"]))
    assert held.at.tolist() == list(range(100))


def test_a_passage_that_went_away_holds_nothing() -> None:
    """Nor does one that came after the reader looked."""
    (held,) = filled([["a"], ["a", "a"], ["a"]], at_once=2).of(codes_of(["a"]))
    left = held.only(np.array([False, True]))
    assert (left.at.tolist(), left.counts.tolist()) == ([1], [2.0])
    assert held.only(np.empty(0, np.bool_)).at.tolist() == []
