"""A message that asks things of several sources is cut into them, and their answers become one."""

from datetime import UTC, datetime

import pytest

from corpus.types import Passage
from pipeline.asked.in_parts import joined
from pipeline.reading import Intent, NamedPlace, Quantity, Reading
from pipeline.types import Answer, Citation, Evidence, Question, Route, ToolCall, ToolResult
from pipeline.understanding.parts import Piece, nameless, one_case, parts, pieces

NANTES = NamedPlace("Nantes", 0, 6, ("44109",))
SUM = Quantity(145_000, "€", "145 000 €", 0)


def piece(text: str, intent: Intent, *, sure: float = 0.9, **known: object) -> Piece:
    return Piece(text, Reading(text, ((intent, sure),), **known))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "Prix des maisons à Brest, et prochaine étape du dossier Petitjean ?",
            ("Prix des maisons à Brest", "et prochaine étape du dossier Petitjean ?"),
        ),
        (
            "Bordeaux : zone tendue ? et les frais de notaire ?",
            ("Bordeaux : zone tendue ?", "et les frais de notaire ?"),
        ),
        ("Bien à 3,5 % et 20 ans", ("Bien à 3,5 % et 20 ans",)),
        (
            "Je vois Diallo demain, quels prix à Lyon 3e et quelle règle d'endettement ?",
            ("Je vois Diallo demain, quels prix à Lyon 3e", "et quelle règle d'endettement ?"),
        ),
        (
            "Les Roux vendent à Brest. Le compromis se signe où ? et il manque quoi chez nous",
            ("Les Roux vendent à Brest. Le compromis se signe où ?", "et il manque quoi chez nous"),
        ),
        (
            "Mensualité pour 150 000 € sur 15 ans à 3 %, et à quoi sert une hypothèque ?",
            ("Mensualité pour 150 000 € sur 15 ans à 3 %", "et à quoi sert une hypothèque ?"),
        ),
        (
            "Le ravalement est voté à combien, et le locataire en paie une partie ?",
            ("Le ravalement est voté à combien", "et le locataire en paie une partie ?"),
        ),
        (
            "Dossier Roux, quand expire le mandat et combien vaut un T2 à Brest ?",
            ("Dossier Roux, quand expire le mandat", "et combien vaut un T2 à Brest ?"),
        ),
        (
            "Rendement d'un T2 à 90 000 € loué 450 puis le nom du conseiller de Roux",
            ("Rendement d'un T2 à 90 000 € loué 450", "puis le nom du conseiller de Roux"),
        ),
        (
            "Comment vont Monsieur et Madame Roux d'après leurs courriers ?",
            ("Comment vont Monsieur et Madame Roux d'après leurs courriers ?",),
        ),
    ],
)
def test_a_message_is_cut_where_it_asks_one_more_thing(message: str, expected: tuple[str, ...]) -> None:
    assert pieces(message) == expected


def test_each_source_gets_its_own_question_in_the_order_asked() -> None:
    read = [piece("prix à Nantes", "prices", places=(NANTES,)), piece("et où en est le dossier Roux", "crm_read")]
    assert parts("…", read) == ("prix à Nantes ?", "où en est le dossier Roux ?")


def test_a_deal_named_before_is_told_to_the_part_that_names_none() -> None:
    text = "Monsieur Roux donne un bien : quel abattement par enfant, et quelle est la prochaine étape ?"
    read = [
        piece("Monsieur Roux donne un bien : quel abattement par enfant", "rules"),
        piece("et l'étape ?", "crm_read"),
    ]
    assert parts(text, read)[1] == "dossier Roux : l'étape ?"


def test_the_subject_told_before_is_that_of_all() -> None:
    """A town and a scheme: what is asked of them stays together, so that the thread knows both."""
    text = "Un T3 en LMNP à Nantes : quels prix, et quelle fiscalité à la revente ?"
    first, second = pieces(text)
    assert parts(text, [piece(first, "prices", places=(NANTES,)), piece(second, "rules", schemes=("lmnp",))]) == (text,)


@pytest.mark.parametrize(
    "read",
    [
        # one source
        [piece("quel taux", "rules"), piece("et quelle durée maximale pour ce prêt ?", "rules")],
        # the second leans on the first
        [piece("14 000 € de loyers", "calc_regime", quantities=(SUM,)), piece("avec quel abattement ?", "rules")],
        [piece("faut-il une agence sociale", "rules"), piece("et combien gagne-t-on en plus ?", "calc_gain")],
        # the first lends its price, or lacks its town
        [piece("un T2 à 145 000 €, prix au m²", "prices", places=(NANTES,), quantities=(SUM,)),
         piece("et rendement à 620 €", "calc_yield", quantities=(SUM,))],
        [piece("prix au m²", "prices"), piece("et préavis d'un locataire à Nantes ?", "rules", places=(NANTES,))],
        # a write is read as a whole
        [piece("note que le client signe", "crm_write_note"), piece("et les prix à Nantes", "prices")],
        # unsure
        [piece("le marché de Nantes", "prices", sure=0.3), piece("et où en est le dossier Roux", "crm_read")],
    ],
)  # fmt: skip
def test_what_is_one_question_stays_whole(read: list[Piece]) -> None:
    assert parts("le message", read) == ("le message",)


def test_what_only_a_deal_has_is_asked_of_the_deal_whatever_it_is_read_as() -> None:
    """« Legs des Roux : quelle est la prochaine étape » reads like one on legacies; the rule keeps its scheme."""
    text = "Legs des Roux : quelle est la prochaine étape, et quel abattement par neveu ?"
    read = [
        piece("Legs des Roux : quelle est la prochaine étape", "rules", schemes=("donations-successions",)),
        piece("et quel abattement par neveu ?", "rules"),
    ]
    assert parts(text, read, client="Roux") == (
        "dossier Legs des Roux : quelle est la prochaine étape ?", "Legs des Roux : quel abattement par neveu ?"
    )  # fmt: skip


def test_several_things_of_one_deal_are_asked_of_it_each() -> None:
    """« les notes » of a case told like a question of rules would not be known for the deal's."""
    text = "Roux, la passoire : ça dort. Les dernières notes et les tâches ?"
    read = [piece("Roux, la passoire : ça dort. Les dernières notes", "energy"), piece("et les tâches ?", "crm_read")]
    assert parts(text, read, client="Roux") == (
        "dossier Roux : ça dort. Les dernières notes ?", "dossier Roux : les tâches ?"
    )  # fmt: skip


def test_what_is_unsure_is_the_client_s_where_it_says_he_or_she_and_a_rule_s_elsewhere() -> None:
    """Without a client, « il risque quoi » may be asked of a tenant, and belongs to what stands before."""
    first = piece("le loyer n'est plus payé ?", "rules", schemes=("impayes",))
    he = piece("et il risque quoi au juste", "crm_read")
    assert parts("le loyer n'est plus payé ? et il risque quoi au juste", [first, he]) == (
        "le loyer n'est plus payé ? et il risque quoi au juste",
    )
    unsure = piece("et elle attend quoi de nous", "complaint", sure=0.1)
    assert parts("…", [first, unsure], client="Roux")[1] == "dossier Roux : elle attend quoi de nous ?"
    lead = piece("Pour Madame Roux : quel seuil fait tout basculer", "out_of_field", sure=0.1)
    text = "Pour Madame Roux : quel seuil fait tout basculer, et la dernière note ?"
    assert parts(text, [lead, piece("et la dernière note ?", "crm_read")], client="Roux") == (
        "quel seuil fait tout basculer ?", "dossier Pour Madame Roux : la dernière note ?"
    )  # fmt: skip


def told(text: str, passages: tuple[Passage, ...], *results: ToolResult, mode: str = "rag+tools") -> Answer:
    evidence = Evidence(passages, results)
    cited = tuple(Citation(number, "passage", str(number), "", "") for number, _ in evidence.numbered())
    return Answer(text, Route(mode, "ask", text), citations=cited, evidence=evidence)  # type: ignore[arg-type]


def test_the_parts_share_one_numbering_and_one_opening() -> None:
    shared = Passage("p1", "d", 0, "Titre", (), "Un texte.", "https://example.com", "regulation")
    first = told("### En bref\nPrix [1].\n\n### Prix observés\n- Détail [1].", (), ToolResult(ToolCall("sales", {})))
    second = told("### En bref\nRègle [1], et étape [2].", (shared,), ToolResult(ToolCall("crm", {})))
    whole = joined(Question("a et b ?", "U1", datetime(2026, 11, 22, tzinfo=UTC)), [first, second])
    assert whole.text == "### En bref\nPrix [2].\n\nRègle [1], et étape [3].\n\n### Prix observés\n- Détail [2]."
    assert [item.call.tool for _, item in whole.evidence.numbered() if isinstance(item, ToolResult)] == ["sales", "crm"]
    assert [citation.id for citation in whole.citations] == [1, 2, 3]
    assert whole.route.mode == "rag+tools"
    assert not whole.refused


def test_the_client_of_the_message_is_told_to_the_part_that_names_no_deal() -> None:
    """With the words that tell the deal apart, where they lead the message; none is asked of all deals."""
    text = "Guérin T4 Nantes : prix au m² là-bas, et prochaine étape ?"
    read = [piece("Guérin T4 Nantes : prix au m² là-bas", "prices"), piece("et prochaine étape", "crm_read")]
    assert nameless(read[1])
    assert not nameless(read[0])
    assert parts(text, read, client="Guérin")[1] == "dossier Guérin T4 Nantes : prochaine étape ?"


@pytest.mark.parametrize(
    ("of_piece", "whole"), [(frozenset({"usufruct"}), True), (frozenset({"duties"}), False)], ids=["other", "the same"]
)
def test_a_calculation_that_no_piece_is_stays_whole(of_piece: frozenset[str], whole: bool) -> None:
    """Whose duties on a gift need the age told before is asked once; what a piece computes alone is cut as ever."""
    asked = piece("donne la nue-propriété à 70 ans, quels droits ?", "calc_gain", options=frozenset({"duties"})).reading
    read = [piece("donne la nue-propriété à 70 ans", "calc_gain", options=of_piece), piece("quels droits ?", "rules")]
    assert one_case(asked, read) is whole
    unsure = piece("quels droits ?", "calc_gain", sure=0.2, options=frozenset({"duties"})).reading
    assert one_case(unsure, read) is False  # a guess at the whole stands against no piece
