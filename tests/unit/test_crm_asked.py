"""What of the CRM a message asks, as it was learned, and what that decides of its intent."""

import pytest

from pipeline.clients import pointed_at
from pipeline.crm_types import Directory, KnownDeal, Mentioned, Stage
from pipeline.reading import CrmAsked, Intent
from pipeline.text.stages import stages_named
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.offline.crm_asked import crm_asked
from pipeline.understanding.offline.putting_right import as_asked
from pipeline.understanding.own_words import questions_of
from tests.asking import places, vector_of

DEAL = ThreadState(frames=(Frame("crm_read", crm={"told": "deal"}),), intents=("crm_read",), deal_id="9001")
LOAN = ThreadState(frames=(Frame("calc_loan"),), intents=("calc_loan",))
NOBODY = Mentioned()
LIKELY = CrmAsked("deal", 0.99, frozenset({"text"}))


def asked(text: str, state: ThreadState = DEAL) -> CrmAsked:
    return crm_asked(text, vector_of(text), state, places=places())


def meant(main: Intent, sure: float, text: str, state: ThreadState = DEAL, found: CrmAsked = LIKELY) -> Intent:
    return as_asked(((main, sure),), text, found, state, NOBODY)[0][0]


@pytest.mark.parametrize(
    ("text", "view", "field"),
    [
        ("ça pèse combien, ce dossier ?", "deal", "amount"),
        ("qui s'occupe d'eux chez nous ?", "deal", "owner"),
        ("pourquoi ils ont renoncé finalement ?", "deal", "text"),
        ("où en est le dossier Vasseur ?", "deal", "brief"),
    ],
)
def test_a_field_of_a_deal(text: str, view: str, field: str) -> None:
    found = asked(text)
    assert found.view == view
    assert field in found.fields


@pytest.mark.parametrize(
    ("text", "view", "bound"),
    [
        ("qu'est-ce que j'ai laissé passer comme signatures chez moi ?", "deals", "late"),
        ("quels contacts n'ont aucun dossier ?", "contacts", "no_deal"),
        ("mon plus gros dossier ?", "deals", "by_amount"),
        ("qu'est-ce que j'ai à faire aujourd'hui ?", "tasks", "mine"),
    ],
)
def test_a_bound_of_a_list(text: str, view: str, bound: str) -> None:
    found = asked(text, ThreadState())
    assert found.view == view
    assert bound in found.bounds


def test_a_question_of_law_asks_nothing_of_the_crm() -> None:
    assert asked("quel préavis doit donner le locataire d'un meublé ?", ThreadState()).likely < 0.5
    assert asked("quels sont les prix à Nantes ?", ThreadState()).likely < 0.5


def test_behind_a_deal_what_is_likely_asked_of_it_is() -> None:
    assert meant("rules", 0.7, "qu'est-ce qui le bloquait ?") == "crm_read"
    assert meant("rules", 0.7, "qu'est-ce qui le bloquait ?", found=CrmAsked("deal", 0.1)) == "rules"


def test_a_rule_that_is_surely_asked_stays_beside() -> None:
    intents = as_asked((("rules", 0.95),), "et son bail, il dure combien ?", LIKELY, DEAL, NOBODY)
    assert [name for name, _ in intents] == ["crm_read", "rules"]


def test_what_gives_amounts_or_talks_stays_what_it_was() -> None:
    assert meant("calc_loan", 0.9, "mensualité pour 200 000 sur 20 ans ?") == "calc_loan"
    assert meant("calc_yield", 0.9, "quel rendement sur ce montant ?", found=CrmAsked("sum", 0.99)) == "calc_yield"
    assert meant("smalltalk", 0.99, "merci chef") == "smalltalk"
    assert meant("unsafe", 0.6, "sors tous les IBAN") == "unsafe"


def test_a_thread_about_something_else_stays_there() -> None:
    assert meant("recall", 0.5, "ça fait combien en tout ?", LOAN) == "recall"
    assert meant("recall", 0.5, "ça fait combien en tout ?") == "crm_read"


def test_a_write_that_orders_nothing_is_read_out_and_an_order_is_not() -> None:
    assert meant("crm_write_note", 0.6, "la dernière note dessus") == "crm_read"
    assert meant("crm_write_note", 0.6, "ajoute une note : rappelé ce matin") == "crm_write_note"


def test_what_is_told_behind_the_last_question_is_no_part_of_it() -> None:
    assert questions_of("Le total d'Inès ? Je prépare le point de lundi.") == "Le total d'Inès ?"
    assert questions_of("Elle a une SCI. De combien est ce dossier ?") == "Elle a une SCI. De combien est ce dossier ?"


def test_a_word_that_only_begins_alike_points_at_no_deal() -> None:
    deals = [
        KnownDeal(str(at), words=frozenset(name.split()), described=frozenset(), people=frozenset({str(at)}))
        for at, name in enumerate(("petit passoire grenoble", "robert mourillon", "guerin nantes", "roux angers"))
    ]
    known = Directory({}, frozenset(), tuple(deals))
    text = "Passons à autre chose : le Mourillon ?"
    assert pointed_at(text, known, frozenset({"chose"}), named=True).deal_id == "1"


def test_the_stage_of_the_loan_is_that_of_its_financing() -> None:
    stages = [Stage("1", "Financement en cours", "default"), Stage("2", "Étude patrimoniale", "default")]
    assert [stage.id for stage in stages_named("mes dossiers au stade du prêt", stages).meant] == ["1"]
    assert not stages_named("mes dossiers de prêt relais", stages).meant
