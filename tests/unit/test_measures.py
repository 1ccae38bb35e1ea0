"""Ranking measures, the dispatcher, and the reading of a measuring set."""

import json
import math
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.ranking.measures import mean_measures, percentile
from bench.ranking.retrieval import load_set


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


def test_odd_names_and_columns_are_taken_as_they_are(tmp_path: Path) -> None:
    """Numbers and blanks as ids, no title at all, a line separator inside a text, a header, three columns."""
    odd = [{"id": 7, "title": None, "text": "Un\u2028texte."}, {"id": "a b/c#é", "text": "Un autre."}]
    (tmp_path / "passages.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in odd))
    (tmp_path / "queries.jsonl").write_text('\ufeff{"id": 1, "text": "Quoi ?"}\n\n{"id": 2, "text": "Qui ?"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\t7\t1\n2\ta b/c#é\t2\n2\t7\t-1\n")
    data = load_set(tmp_path)
    assert [(passage.id, passage.title) for passage in data.passages] == [("7", ""), ("a b/c#é", "")]
    assert data.relevant == {"1": {"7"}, "2": {"a b/c#é"}}
    (tmp_path / "qrels.tsv").write_text("1 0 7 1\n")
    assert load_set(tmp_path).queries == {"1": "Quoi ?"}


@pytest.mark.parametrize("qrels", ["1\t0\t7\t0\n", "", "1\t0\t7\tbon\n1\t0\t7\t1\n2\t0\t7\tbon\n"])
def test_a_set_without_an_answer_says_so(tmp_path: Path, qrels: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to measure, or grades that are no numbers."""
    (tmp_path / "passages.jsonl").write_text('{"id": 7, "text": "Un texte."}')
    (tmp_path / "queries.jsonl").write_text('{"id": 1, "text": "Quoi ?"}')
    (tmp_path / "qrels.tsv").write_text(qrels)
    assert main(["retrieval", "--data", str(tmp_path)]) == 2
    assert "illisible" in capsys.readouterr().err


def test_an_unknown_command_or_set_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Usage on the error stream, status 2."""
    assert main([]) == 2
    assert main(["cook"]) == 2
    assert "retrieval,kinds,ablation,headings,scale" in capsys.readouterr().err
    assert main(["retrieval", "--data", str(tmp_path)]) == 2
    assert "illisible" in capsys.readouterr().err
