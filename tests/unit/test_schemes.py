"""What schemes and bodies of rules a message names, as advisers type them."""

import pytest

from corpus.sources.articles import read_articles
from corpus.types import Document
from pipeline.planning.search import LABELS
from pipeline.schemes import having, said_in, schemes
from pipeline.understanding.own_words import flat
from tests.asking import ask


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("baux de 6 ans si c'est une SARL qui loue ?", "bail-habitation"),
        ("un bail de location de trois ans", "bail-habitation"),
        ("sous-louer sans l'accord du proprio, il risque quoi", "bail-habitation"),
        ("Le locataire veut quitter le T3 en mars, préavis ?", "conge-preavis"),
        ("acheter un studio occupé, on le récupère quand", "conge-preavis"),
        ("EDL de sortie pas signé", "depot-garantie"),
        ("on lui rend sa caution sous combien de jours", "depot-garantie"),
        ("la regul des charges de l'an passé", "charges-reparations"),
        ("le bail dit pas d'animaux, valable ?", "charges-reparations"),
        ("indexation du loyer au 1er janvier", "revision-loyer"),
        ("ma locataire ne paye plus", "loyers-impayes"),
        ("treve hivernale et squatteurs", "loyers-impayes"),
        ("garant étudiant ou Visale", "caution-visale"),
        ("delai de rétractation après le compromis", "vente-ancien"),
        ("la mairie veut préempter", "vente-ancien"),
        ("diag plomb et amiante", "diagnostics-vente"),
        ("frais de notaires dans le 69", "frais-acquisition"),
        ("DMTO à 5 %", "frais-acquisition"),
        ("appel de fonds hors d'eau", "vefa"),
        ("TF et TEOM du bailleur", "taxe-fonciere"),
        ("CFE d'un loueur en meublé", "taxe-habitation-vacance"),
        ("taxe d’aménagement d'une extension", "taxe-amenagement"),
        ("louer un box, TVA ?", "garages-terrains"),
        ("GLI ou PNO", "assurances-bailleur"),
        ("assurance de prêt, la loi Lemoine", "assurance-emprunteur"),
        ("éco-PTZ du bailleur", "travaux-aides"),
        ("permis de louer à Saint-Denis", "decence-permis-louer"),
        ("une solution de défiscalisation pour un cadre", "investissement-locatif"),
        ("les avantages fiscaux du neuf", "investissement-locatif"),
        ("Plafond du microfoncier pour deux studios nus ?", "micro-foncier"),
        ("Une véranda, c'est déductible des loyers ? Charges non déductibles ?", "reel-foncier"),
        ("Ma cliente gagne 70k, quel quotient familial avec un enfant ?", "impot-revenu"),
        ("Clause bénéficiaire : que vérifier ?", "per-assurance-vie"),
        ("Les époux créent une société civile immobilière", "sci"),
        ("Leur SCI reste à l'IR", "sci-ir"),
        ("Sortie d'une SCI soumise à l'impôt sur les sociétés", "sci-is"),
        ("Madame, 74 ans, garde l'usufruit", "demembrement"),
        ("Un don manuel à un neveu", "donations-successions"),
        ("Combien de soirs en Airbnb ?", "meuble-tourisme"),
        ("L'assemblée générale a-t-elle voté ? Je regarde le syndic", "copropriete"),
        ("Prêt à taux zéro dans le neuf", "ptz"),
        ("Combien pour un remboursement anticipé ?", "offre-de-pret"),
        ("D'où vient l'argent, faut-il prévenir Tracfin ?", "lcb-ft"),
        ("Je touche une commission d'apporteur d'affaires", "carte-t"),
        ("Le bailleur veut écarter un candidat, discrimination ?", "discrimination"),
        ("Que dit la CNIL de nos fiches ?", "rgpd"),
    ],
)
def test_a_subject_is_known_by_its_forms(message: str, name: str) -> None:
    """Abbreviations, no accents, plurals."""
    assert name in said_in(flat(message))


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("bail commercial 3-6-9", "bail-habitation"),
        ("un bail de chasse", "bail-habitation"),
        ("je suis en congé jusqu'à lundi", "conge-preavis"),
        ("achat 250k frais compris, loué 950/mois, quelle renta", "conge-preavis"),
        ("acheté 180 000, loué à 720, TF 900", "conge-preavis"),
        ("caution bancaire ou hypothèque", "caution-visale"),
        ("résume le dossier Lemoine", "assurance-emprunteur"),
        ("passe le dossier Roux en compromis signé", "vente-ancien"),
        ("diagnostic patrimonial du couple", "diagnostics-vente"),
        ("une race de chien pour un appartement", "charges-reparations"),
        ("une famille de précaution", "caution-visale"),
        ("prix des parkings à Lille", "garages-terrains"),
        ("Un éco-PTZ pour la toiture", "ptz"),
        ("Un meublé de tourisme à Annecy", "lmnp"),
        ("SCI à l'IS depuis 2019", "sci"),
        ("Un emprunt sur 20 ans", "offre-de-pret"),
        ("Préavis d'un locataire à Angers", "zone-tendue"),
        ("changer d'assurance emprunteur", "offre-de-pret"),
        ("du Malraux à Avignon", "travaux-aides"),
    ],
)
def test_a_near_word_names_no_subject(message: str, name: str) -> None:
    """What merely shares a word is another matter, and each name more is a search more."""
    assert name not in said_in(flat(message))


def test_a_figure_beside_a_sum_replaces_no_subject() -> None:
    """Costs and taxes are inputs of calculations, and prices are asked beside them: those rows only add."""
    for name in ("taxe-fonciere", "frais-acquisition", "charges-reparations", "garages-terrains", "vefa"):
        assert schemes()[name].facet
        assert schemes()[name].priceless


def test_each_side_has_a_line_to_search() -> None:
    """An aspect without a label would fail where its sub-query is made."""
    assert {row.aspect for row in schemes().values() if row.aspect} <= LABELS.keys()


def test_each_article_is_named_by_a_row() -> None:
    """Its own row, or one of its entities': otherwise no question gives it its rank."""
    found = [article for article in read_articles() if isinstance(article, Document)]
    assert [a.id for a in found if not {a.id, *a.entities[:1]} & schemes().keys()] == []


def test_a_regime_that_the_calculator_compares_needs_no_rules_beside_it() -> None:
    """The comparison already says what each regime retains."""
    assert "micro-foncier" in having("regime")
    route = ask("micro-foncier ou réel : 9 600 € de loyers, 4 100 € de charges, TMI 30 %")
    assert {call.tool for call in route.tool_calls} == {"calculator"}
    assert route.mode == "tools"
