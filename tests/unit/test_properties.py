"""A change of stage stays inside the deal's own pipeline; what cannot be done is one sentence."""

from pipeline.action_types import ProposedAction
from pipeline.crm_types import Deal, PropertySchema, Stage
from pipeline.proposing.properties import UNSUPPORTED, UPDATABLE, cannot, moved

STAGES = (Stage("a1", "Acte signé", "ventes"), Stage("b1", "Étude", "conseil"), Stage("b2", "Acte signé", "conseil"))
SCHEMA = PropertySchema("dealstage", "Étape", "enumeration")


def test_a_stage_of_another_pipeline_is_never_proposed() -> None:
    """Two pipelines may use the same words."""
    deal = Deal(id="1", name="Dossier", properties={"pipeline": "conseil", "dealstage": "b1"})
    made = moved(deal, SCHEMA, "acte signé", stages=STAGES)
    assert isinstance(made, ProposedAction)
    assert made.fields == {"dealstage": "b2"}


def test_an_unknown_stage_offers_those_of_the_deals_pipeline() -> None:
    """And no other."""
    deal = Deal(id="1", name="Dossier", properties={"pipeline": "ventes"})
    assert moved(deal, SCHEMA, "lune", stages=STAGES) == (
        "Aucune étape ne correspond à « lune ». Étapes possibles : « Acte signé ». Laquelle ?"
    )


def test_nothing_is_both_possible_and_impossible() -> None:
    """The two lists are one decision."""
    assert not set(UPDATABLE) & set(UNSUPPORTED)


def test_the_same_wish_is_refused_once() -> None:
    """However often it was said."""
    assert cannot(["delete", "delete"]).count("supprimer") == 1
