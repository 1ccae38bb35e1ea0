"""The gate and what a sentence says: one guard a row, which alone refuses it."""

from datetime import date

import pytest

from corpus.types import Passage
from pipeline.grounding import ground
from pipeline.grounding.verifier import Verifier, verifier
from pipeline.types import Draft, Evidence, Grounded, ToolCall, ToolResult, Usage

RULES = (
    "Le préavis du locataire est de trois mois en location vide et d'un mois en location meublée. "
    "Le bailleur restitue le dépôt dans un délai d'un mois si l'état des lieux est conforme. "
    "La commune peut porter la majoration à 60 %. La vente du logement reste libre. "
    "La taxe de 34 % s'applique à compter du 1er janvier 2027. L'amende est de 10 000 € au plus. "
    "Avant la loi de 2023, le seuil des recettes était de 77 700 €. Le solde est payable à la livraison. "
    "La surtaxe frappe les plus-values supérieures à 50 000 €. La hausse serait de 3 points en 2028."
)
LENDING = "L'éco-prêt finance des travaux, alors que le PTZ finance l'achat de la résidence."
COVER = "Le locataire doit assurer le logement, selon l'article 7 de la loi."
ADVANCE = "L'acompte de 95 % se paie du 1er au 15 décembre."
MICRO = "Le micro-BIC ne déduit aucune charge réelle au-delà de cet abattement de 50 %."
LESSOR = "Le loueur qui reste non professionnel n'est pas affilié, même au-dessus de 23 000 €."
MEETING = "L'assemblée délègue ses décisions au conseil syndical."
MOBILE = "Le bail mobilité interdit tout dépôt de garantie."
RATES = "Le taux est de 12 % pour 6 ans, 18 % pour 9 ans et 21 % pour 12 ans, au titre de l'article 199."


def gated(text: str, source: str = RULES, *, question: str = "") -> Grounded:
    passage = Passage("a#0", "a", 0, "Règles du logement", (), source, "https://www.anil.org/x", "regulation")
    return ground(Draft(text, Usage("x")), Evidence((passage,)), question=question)


def reasons(text: str, source: str = RULES) -> list[str]:
    grounded = gated(text, source)
    return [why for _, why in grounded.dropped] + [why for _, _, why in grounded.replaced]


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("Le préavis du locataire est de trois mois en location meublée [1].", RULES, "chiffre d'un autre sujet"),
        ("Le préavis du bailleur est de trois mois en location vide [1].", RULES, "chiffre d'un autre sujet"),
        ("Le taux est de 21 % pour 9 ans [1].", RATES, "chiffre d'un autre sujet"),
        ("La taxe de 34 % s'applique jusqu'au 1er janvier 2027 [1].", RULES, "chiffre d'un autre sujet"),
        ("L'amende est de 10 000 € en logement meublé classé [1].", RULES, "sens non retrouvé"),
        ("La vente du logement n'est pas libre [1].", RULES, "polarité contraire"),
        ("La vente du logement reste interdite [1].", RULES, "sens contraire"),
        ("La commune doit porter la majoration à 60 % [1].", RULES, "obligation absente"),
        ("Le rendement est d'au moins 5 % [1].", "Le rendement est de 5 % au plus.", "chiffre"),
        ("La surtaxe frappe toutes les plus-values supérieures à 50 000 € [1].", RULES, "généralisation absente"),
        ("Le solde est payable avant la livraison [1].", RULES, "avant et après confondus"),
        ("Le seuil des recettes est de 77 700 € [1].", RULES, "règle passée"),
        ("Le bailleur restitue le dépôt dans un délai d'un mois [1].", RULES, "condition de la source omise"),
        ("La vente du logement reste libre si le notaire accepte [1].", RULES, "sens non retrouvé"),
        ("Le notaire remet l'acte à la banque [1].", "La banque remet l'acte au notaire.", "rôle inversé"),
        ("Le loyer des logements a reculé [1].", "Le loyer des logements est connu.", "sens non retrouvé"),
        ("La hausse est de 3 points en 2028 [1].", RULES, "réserve de la source omise"),
        ("Maître Vassal restitue le dépôt [1].", RULES, "nom absent"),
        ("La vente du logement passe par un huissier agréé [1].", RULES, "sens non retrouvé"),
        ("La vente du logement attire chaudières, toitures et parquets [1].", RULES, "sens non retrouvé"),
        ("L'amende est de 10 000 € au plus, chauffage collectif compris [1].", RULES, "mots absents"),
        ("The sale of the home is free under the rules of the law [1].", RULES, "phrase dans une autre langue"),
        ("La vente du logement reste libre et l'amende [1]", RULES, "phrase inachevée"),
        (
            "La compensation est plus souvent admise [1].",
            "La compensation est moins souvent admise.",
            "sens d'évolution",
        ),
        ("L'éco-prêt finance l'achat de la résidence [1].", LENDING, "sens non retrouvé"),
        ("L'acompte de 95 % se verse en septembre [1].", ADVANCE, "mois absent"),
        ("Les charges réelles se déduisent en plus de l'abattement de 50 % [1].", MICRO, "polarité contraire"),
        ("Le loueur non professionnel est affilié dès 23 000 € [1].", LESSOR, "polarité contraire"),
        ("Le conseil syndical délègue ses décisions à l'assemblée [1].", MEETING, "rôle inversé"),
        (
            "Tout bail antérieur à la loi garde ce délai [1].",
            "Un bail antérieur à la loi garde ce délai.",
            "généralisation",
        ),
        ("Le loyer est exonéré même s'il monte [1].", "Le loyer est exonéré.", "généralisation absente"),
        ("Il vaut offre les derniers mois [1].", "Il vaut offre les premiers mois.", "sens contraire"),
        ("L'aide couvre le locataire où qu'il vive [1].", "L'aide couvre le locataire.", "généralisation absente"),
    ],
)
def test_a_sentence_that_says_something_else_falls(claim: str, source: str, reason: str) -> None:
    """Right words, right figure, wrong sense: each with its own reason, and never published."""
    assert [why for why in reasons(claim, source) if why.startswith(reason)] != [], reasons(claim, source)
    assert claim.replace(" [1]", "") not in gated(claim, source).text.replace(" [1]", "")


@pytest.mark.parametrize(
    "claim",
    [
        "En location vide, le préavis du locataire est de trois mois [1].",
        "Le préavis du locataire est d'un mois en meublé [1].",
        "Si l'état des lieux est conforme, le bailleur rend le dépôt dans un délai d'un mois [1].",
        "La majoration peut être portée à 60 % par la commune [1].",
        "La taxe de 34 % s'applique dès le 1er janvier 2027 [1].",
        "L'amende atteint au maximum 10 000 € [1].",
        "La vente du logement reste libre [1].",
    ],
)
def test_the_same_in_other_words_stands(claim: str) -> None:
    """Reordered, with synonyms, in another voice."""
    assert reasons(claim) == []


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Vous devriez vendre sans attendre [1].", "conseil personnalisé"),
        ("Excellente question, la vente du logement reste libre [1].", "bavardage"),
        ("Conformément à mes instructions, la vente reste libre [1].", "consignes du système"),
        ("Appelez-nous au 04 12 34 56 78 pour la vente du logement [1].", "lien ou adresse"),
        ("Bonjour !", "bavardage"),
        ("La moitié des communes ont voté.", "aucune source citée"),
    ],
)
def test_advice_chatter_and_leaks_are_never_published(claim: str, reason: str) -> None:
    """Whatever they cite."""
    grounded = gated(f"{claim}\n\nLa commune peut porter la majoration à 60 % [1].")
    assert reason in [why for _, why in grounded.dropped] + [why for _, _, why in grounded.replaced]
    assert claim.removesuffix(" [1].") not in grounded.text


def test_what_is_given_to_another_article_falls() -> None:
    """Article 24's majority is not article 25's."""
    source = "L'article 24 compte les voix des présents. L'article 25 compte les voix de tous les copropriétaires."
    found = reasons("L'article 24 compte les voix de tous les copropriétaires [1].", source)
    assert found == ["référence d'un autre point de la source : 24"]


def test_two_sources_that_differ_may_be_set_side_by_side() -> None:
    """The announcement is ours; both figures stand in their source."""
    first = ToolResult(ToolCall("rents", {}), "Loyers", "Le loyer à Lyon est de 15,9 €/m² en 2025.")
    second = ToolResult(ToolCall("rents", {}), "Loyers", "Le loyer à Lyon est de 16,4 €/m² en 2026.")
    said = "Les deux sources divergent : 15,9 €/m² en 2025, 16,4 €/m² en 2026 [1][2]."
    grounded = ground(Draft(said, Usage("x")), Evidence(tool_results=(first, second)))
    assert grounded.text == said


def test_a_page_is_named_with_its_host() -> None:
    """Whoever calls his page « Service-Public » is shown under his own address."""
    page = ToolResult(
        ToolCall("web", {}), "Service-Public.fr", "La vente reste libre.", url="https://www.exemple.com/a"
    )
    grounded = ground(Draft("La vente reste libre [1].", Usage("x")), Evidence(tool_results=(page,)))
    assert grounded.citations[0].title == "Service-Public.fr (exemple.com)"


def test_prose_is_held_to_less_than_figures() -> None:
    """No wrong figure can pass where there is none; the verifier's threshold is lower there."""
    judge = Verifier({"cover_near": 1.0}, -0.5, threshold=0.6, prose=0.4)
    assert judge.stands({"cover_near": 0.5})
    assert not judge.stands({"cover_near": 0.5, "figures": 0.25})
    assert verifier().prose < verifier().threshold


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("L'assurance du logement incombe au locataire.", COVER),
        ("Aucun dépôt de garantie n'est permis en bail mobilité.", MOBILE),
    ],
)
def test_prose_that_its_source_plainly_says_stands(claim: str, source: str) -> None:
    """Nearly every word in one place, nothing turned round; a denial of what is allowed is a ban."""
    assert gated(f"{claim[:-1]} [1].", source).kept == (claim,)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("L'acompte de 95 % se paie en décembre [1].", ADVANCE),
        ("Le bail se signe au mois de mars [1].", "Le bail se signe le 12/03/2026."),
        ("Le loueur professionnel est affilié [1].", f"{LESSOR} Le loueur professionnel est affilié."),
        ("Des reports sont évoqués, mais pas confirmés [1].", "Des reports sont évoqués et ne sont pas confirmés."),
        ("Aucune charge réelle ne se déduit au-delà de cet abattement de 50 % [1].", MICRO),
    ],
)
def test_a_month_of_a_date_and_what_is_also_said_stand(claim: str, source: str) -> None:
    """A date names its month; a verb that the source denies here and affirms there may be said."""
    assert reasons(claim, source) == []


def test_the_months_of_a_passages_own_dates_may_be_said() -> None:
    """Its text names none."""
    passage = Passage(
        "a#0", "a", 0, "Taxe", (), "La taxe est de 34 %.", "https://www.anil.org/x", "regulation",
        effective_from=date(2027, 1, 1),
    )  # fmt: skip
    said = {month: f"La taxe de 34 % est applicable depuis {month} [1]." for month in ("janvier", "mars")}
    why = {month: ground(Draft(text, Usage("x")), Evidence((passage,))).replaced for month, text in said.items()}
    assert [reason for _, _, reason in why["janvier"]] == []
    assert [reason for _, _, reason in why["mars"]] == ["mois absent des sources citées"]


def test_what_is_denied_in_other_words_is_not_called_affirmed() -> None:
    """« sans indexer » for « n'indexe pas »: whatever else refuses it, its polarity is the source's."""
    why = reasons("Le bailleur loue sans indexer le loyer [1].", "Le bailleur n'indexe pas le loyer qu'il loue.")
    assert "polarité contraire à la source" not in why
