"""What is asked in vain of HubSpot, by the words of `cues.toml`."""

import pytest

from pipeline.proposing.properties import UNSUPPORTED
from pipeline.understanding import cues
from pipeline.understanding.own_words import flat


def test_each_cue_is_something_that_cannot_be_done() -> None:
    """Its name is the key of the sentence that says so."""
    assert set(cues.patterns("cannot")) <= set(UNSUPPORTED)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("supprime toutes les taches", {"delete"}),
        ("envoie lui un mail", {"send_email"}),
        ("cloture la tache « Relancer la banque » du dossier 9018", {"complete_task"}),
        ("marque la tache relancer la banque comme faite sur 9018", {"complete_task"}),
        ("la tache relancer la banque de cohen c fait tu peux la cloturer", {"complete_task"}),
        ("crée un dossier pour Paul Durand", {"create_deal"}),
        ("cree un contact paul durand 0611223344", {"create_contact"}),
        ("change le téléphone de Diallo", {"update_contact"}),
        ("mets hugo sur le dossier martin", {"hubspot_owner_id"}),
        ("change le proprietaire du dossier 9001 pour Hugo Marchetti", {"hubspot_owner_id"}),
        ("attribue le dossier 9001 à Hugo", {"hubspot_owner_id"}),
        ("mets le montant à 320000", {"amount"}),
        ("renomme le dossier en Martin 2", {"dealname"}),
        ("ajoute une note au dossier 9001 : client ok", set()),
        ("crée une tâche sur le dossier Martin : rappeler le client demain", set()),
        ("passe le dossier 9004 en signé", set()),
        ("change la date de signature du 9006", set()),
        ("mets la priorité haute sur le dossier Martin", set()),
        ("note sur Martin : client prêt à signer", set()),
        ("mets à jour la prochaine étape : relancer la banque", set()),
    ],
)
def test_what_is_asked_in_vain_is_recognised(text: str, names: set[str]) -> None:
    """And what can be done is not."""
    assert set(cues.said("cannot", flat(text))) == names
