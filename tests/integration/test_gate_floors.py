"""The gate over drafts of other hands that nobody tuned on: the floors under which it may not fall."""

from pathlib import Path

from bench.worth.gate import measured

DATA = Path(__file__).parents[2] / "bench" / "data" / "gate"


def test_held_out_drafts_are_gated() -> None:
    """80 drafts, 452 labelled sentences: unsupported ones published, true ones lost, over all kinds."""
    _, report = measured(DATA / "held_out.jsonl")
    told = {name: value for name, value in report.items() if not isinstance(value, dict)}
    assert report["unsupported_published"] <= 0.06, told
    assert report["true_lost"] <= 0.03, told
    assert report["true_as_written"] >= 0.25, told
    assert report["wrong_figures_published"] <= 4, told


def test_drafts_that_were_looked_at_stay_mended() -> None:
    """What was tuned on may not slip back."""
    _, report = measured(DATA / "dev.jsonl")
    assert report["unsupported_published"] <= 0.03
    assert report["true_lost"] == 0


def test_two_authors_that_nothing_was_trained_on() -> None:
    """22 drafts over other passages of our corpus, 246 sentences."""
    _, report = measured(DATA / "persona_dev.jsonl")
    assert report["unsupported_published"] <= 0.02
    assert report["true_as_written"] >= 0.49
    assert report["wrong_figures_published"] == 0


def test_a_persona_by_which_nothing_was_chosen() -> None:
    """18 drafts of a tired colleague, 144 sentences over other passages again."""
    _, report = measured(DATA / "binding_judge.jsonl")
    assert report["unsupported_published"] <= 0.07
    assert report["true_lost"] <= 0.02
    assert report["true_as_written"] >= 0.41
    assert report["wrong_figures_published"] <= 2
