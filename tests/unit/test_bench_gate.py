"""What the bench of the gate counts as published."""

from bench.worth.gate import Tally, gated


def test_a_sentence_that_its_source_replaces_is_not_published() -> None:
    """Its words may all stand in the source's sentence, which says more."""
    row = {
        "id": "x",
        "question": "",
        "evidence": [{"id": 1, "kind": "passage", "text": "Sans frais, la taxe est de 4 200 × 5 % = 210 € par lot."}],
        "draft": "La taxe est de 4 200 € [1].",
        "sentences": [{"text": "La taxe est de 4 200 € [1].", "label": "unsupported", "kind": "wrong_row"}],
    }
    tally = Tally()
    assert gated(row, tally)["replaced"]
    assert tally.unsupported.total() == 1
    assert tally.published.total() == 0
    assert tally.wrong_figures == 0
