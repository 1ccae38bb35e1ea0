"""The amount of a deal in the place of the words that point at it."""

import pytest

from pipeline.asked.deal_amount import with_amount
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        ("et les frais de notaire dessus", "et les frais de notaire sur 248 000 €"),
        ("les droits là-dessus ?", "les droits sur 248 000 € ?"),
        ("les frais sur cette somme ?", "les frais sur 248 000 € ?"),
        ("quel rendement au prix du dossier", "quel rendement à 248 000 €"),
        ("quel rendement avec le montant du dossier", "quel rendement avec 248 000 €"),
        ("frais de notaire le montant du dossier", "frais de notaire pour 248 000 €"),
    ],
)
def test_the_amount_stands_where_it_was_pointed_at(said: str, counted: str) -> None:
    pointed = cue("deal_amount.pointed").search(flat(said))
    assert pointed is not None
    assert with_amount(said, pointed, "248 000 €") == counted


def test_what_points_at_no_deal_is_left() -> None:
    assert cue("deal_amount.pointed").search(flat("le montant du loyer au-dessus du plafond")) is None
