"""The rows of `schemes.toml`: advisers' words name the subject whose article answers them, and one subject only."""

import pytest

from corpus.sources.articles import read_articles
from corpus.types import Document
from pipeline.schemes import having, said_in, schemes
from pipeline.understanding.own_words import flat
from tests.asking import ask

SAID = (
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
)


@pytest.mark.parametrize(("text", "scheme"), SAID)
def test_words_name_their_subject(text: str, scheme: str) -> None:
    """In other words than the articles' own."""
    assert scheme in said_in(flat(text))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Un éco-PTZ pour la toiture", "ptz"),
        ("Un meublé de tourisme à Annecy", "lmnp"),
        ("SCI à l'IS depuis 2019", "sci"),
        ("Un emprunt sur 20 ans", "offre-de-pret"),
    ],
)
def test_a_neighbour_is_not_named_too(text: str, other: str) -> None:
    """Each row more is a search more."""
    assert other not in said_in(flat(text))


def test_every_row_added_for_an_article_has_it() -> None:
    """A subject that no article bears would find nothing of its own."""
    told = {name for d in read_articles() if isinstance(d, Document) for name in (d.id, *d.entities)}
    assert {scheme for _, scheme in SAID} <= told & schemes().keys()


def test_a_regime_that_the_calculator_compares_needs_no_rules_beside_it() -> None:
    """The comparison already says what each regime retains."""
    assert "micro-foncier" in having("regime")
    route = ask("micro-foncier ou réel : 9 600 € de loyers, 4 100 € de charges, TMI 30 %")
    assert {call.tool for call in route.tool_calls} == {"calculator"}
    assert route.mode == "tools"
