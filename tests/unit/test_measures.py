"""Ranking measures, the dispatcher, and the reading of a measuring set."""

import json
import math
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.measures import mean_measures, percentile
from bench.retrieval import load_set


def test_measures_follow_their_definitions() -> None:
    """Second rank, absent, and two relevant passages, by hand."""
    found = {"a": ["x", "right"], "b": ["x"], "c": ["r1", "x", "x2", "x3", "x4", "r2"]}
    relevant = {"a": {"right"}, "b": {"right"}, "c": {"r1", "r2"}}
    ideal = 1 + 1 / math.log2(3)
    figures = mean_measures(found, relevant)
    assert figures["ndcg@10"] == pytest.approx((1 / math.log2(3) + 0 + (1 + 1 / math.log2(7)) / ideal) / 3)
    assert figures["r@5"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert figures["r@10"] == pytest.approx((1 + 0 + 1) / 3)
    assert figures["mrr"] == pytest.approx((0.5 + 0 + 1) / 3)
    assert mean_measures({}, {}) == {}


def test_hits_beyond_ten_do_not_count() -> None:
    """The eleventh is too late."""
    ranking = [str(n) for n in range(10)] + ["right"]
    assert mean_measures({"q": ranking}, {"q": {"right"}})["r@10"] == 0


def test_percentiles_are_values_of_the_sample() -> None:
    """Nearest rank."""
    assert (percentile([3.0, 1.0, 2.0], 0.5), percentile([3.0, 1.0, 2.0], 0.95), percentile([7.0], 0.5)) == (2, 3, 7)


def test_any_set_of_that_shape_can_be_read(tmp_path: Path) -> None:
    """Questions without a relevant passage are left out; a title may be absent."""
    (tmp_path / "passages.jsonl").write_text(json.dumps({"id": "p", "text": "Un texte."}) + "\n")
    rows = [json.dumps({"id": name, "text": "Quoi ?"}) for name in ("q", "lost")]
    (tmp_path / "queries.jsonl").write_text("\n".join(rows))
    (tmp_path / "qrels.tsv").write_text("q\t0\tp\t1\nlost\t0\tp\t0\n")
    data = load_set(tmp_path)
    assert (data.queries, data.relevant) == ({"q": "Quoi ?"}, {"q": frozenset({"p"})})
    assert [passage.title for passage in data.passages] == [""]


def test_an_unknown_command_or_set_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Usage on the error stream, status 2."""
    assert main([]) == 2
    assert main(["cook"]) == 2
    assert "retrieval,ablation,headings,scale,answers,dvf" in capsys.readouterr().err
    assert main(["retrieval", "--data", str(tmp_path)]) == 2
    assert "illisible" in capsys.readouterr().err
