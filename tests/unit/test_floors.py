"""When what was found is enough to answer from: places are no subject, and one scheme is not another."""

from corpus.types import Passage
from pipeline.relevance.floors import enough


def test_a_commune_does_not_count_as_an_unknown_subject() -> None:
    """Place names are in few articles: `PPRI à Trifouillis` asks about the PPRI."""
    text = "Le plan de prévention du risque d'inondation, ou PPRI, limite les constructions."
    found = [Passage("a#0", "a", 0, "PPRI", (), text, "", "risk", similarity=0.87, coverage=1 / 3)]
    assert enough("PPRI Trifouillis Oies", found, places=1)
    assert not enough("PPRI Trifouillis Oies", found)


def test_a_scheme_that_no_passage_names_is_not_answered_by_another() -> None:
    """Near in words and meaning, but Denormandie's dates are not Malraux's; one of two that is known is enough."""
    text = "Le dispositif Denormandie est encore ouvert en 2026."
    found = [Passage("a#0", "a", 0, "Denormandie", (), text, "", "regulation", similarity=0.95, coverage=0.75)]
    assert not enough("Le dispositif Malraux est-il encore ouvert ?", found)
    assert enough("Le dispositif Denormandie est-il encore ouvert ?", found)
    assert enough("Malraux ou Denormandie, encore ouvert ?", found)
