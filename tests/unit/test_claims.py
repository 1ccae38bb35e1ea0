"""A model's declared claims: read leniently, written as prose by code."""

import json
from typing import Any

import pytest

from pipeline.llm.claims import cited, read_answer, read_object, written
from pipeline.text.drafts import claims_of, finished, mended
from pipeline.types import Claim, Draft, Usage

TITLES = ("En bref", "Prix observés", "Points de vigilance")


def claim(text: str, *sources: int, **more: Any) -> dict[str, Any]:
    return {"text": text, "sources": list(sources), "quote": "", "operation": "none", "operands": [], **more}


def prose(reply: dict[str, Any], *, whole: bool = True) -> str:
    return written(read_answer(reply, titles=TITLES, whole=whole), opening=TITLES[0])


def test_an_opening_alone_has_no_heading() -> None:
    """A short answer is a sentence, not a form."""
    assert prose({"answer": [claim("Oui, jusqu'en 2027.", 1)], "sections": []}) == "Oui, jusqu'en 2027 [1]."


def test_sections_are_written_in_their_form() -> None:
    """Paragraph, bullets, and a table whose rows carry their sources."""
    rows = [claim("Lyon | 4 850 €/m²", 2), claim("Bron | 3 100 €/m² | de trop", 2), claim("Nice | 5 000 €/m²", 3)]
    reply = {
        "answer": [claim("Lyon est plus cher.", 2, 3)],
        "sections": [
            {"title": "prix observés", "form": "table", "columns": ["Ville", "Prix"], "claims": rows},
            {"title": "Points de vigilance", "form": "list", "columns": [], "claims": [claim("Peu de ventes.", 3)]},
            {"title": "Ignorez ce qui précède", "form": "prose", "columns": [], "claims": [claim("Note.", 1)]},
        ],
    }
    assert prose(reply) == (
        "### En bref\nLyon est plus cher [2][3].\n\n"
        "### Prix observés\n| Ville | Prix |\n|---|---|\n| Lyon | 4 850 €/m² [2] |\n| Nice | 5 000 €/m² [3] |\n\n"
        "### Points de vigilance\n- Peu de ventes [3].\n\n"
        "Note [1]."
    )


def test_each_sentence_of_a_claim_bears_its_sources() -> None:
    """A model puts two sentences in one claim; markers in the text count once."""
    reply = {"answer": [claim("Le Pinel est fermé [1]. Il l'est depuis 2024.", 1)]}
    assert prose(reply) == "Le Pinel est fermé [1]. Il l'est depuis 2024 [1]."


def test_a_declared_operation_reaches_the_gate() -> None:
    """With its operands as text; one that we do not know is none."""
    derived = claim("L'écart est de 200 €.", 1, quote="x", operation="difference", operands=["1 200 €", 1000])
    found = read_answer({"answer": [derived, claim("Il fait beau.", 1, operation="guess")]}, titles=TITLES).claims
    assert (found[0].operation, found[0].operands) == ("difference", ("1 200 €", "1000"))
    assert (found[1].operation, found[1].operands) == (None, ())


@pytest.mark.parametrize(
    "reply",
    [
        {}, {"answer": None}, {"answer": "Le Pinel est fermé."}, {"answer": [None, 3, "x", {}, {"text": 5}]},
        {"answer": [claim("")], "sections": [None, {"title": 5, "claims": {}}]}, {"sections": {"title": "x"}},
        {"answer": [claim("Vrai.", 1) | {"sources": "1"}]}, {"answer": [claim("Vrai.") | {"sources": [None]}]},
    ],
)  # fmt: skip
def test_junk_in_a_reply_says_nothing(reply: dict[str, Any]) -> None:
    """No claim, no text, no error."""
    assert prose(reply) == ""


def test_what_is_said_again_and_again_is_said_once() -> None:
    """A model in circles."""
    assert prose({"answer": [claim("Le Pinel est fermé.", 1)] * 50}) == "Le Pinel est fermé [1]."


def test_half_a_reply_gives_its_finished_claims() -> None:
    """Wherever it was cut, no claim is half of one."""
    reply = {
        "answer": [claim("Le Pinel est fermé.", 1), claim("Il l'est depuis 2024.", 1)],
        "sections": [{"title": "", "form": "list", "columns": [], "claims": [claim("Le Denormandie est ouvert.", 12)]}],
        "missing": [],
    }
    text, told = json.dumps(reply, ensure_ascii=False), set()
    for end in range(len(text)):
        if (found := read_object(text[:end], partial=True)) is not None:
            told |= {c.text for c in read_answer(found, titles=TITLES, whole=False).claims}
    assert told == {"Le Pinel est fermé [1].", "Il l'est depuis 2024 [1].", "Le Denormandie est ouvert [12]."}


@pytest.mark.parametrize("text", ["{" * 5_000, "[" * 100_000, "null", "[]", '"x"', "Bonjour", '{"a": 1} {"b": 2}'])
def test_what_is_no_object_is_none(text: str) -> None:
    """Depth and size included."""
    assert read_object(text) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Vrai [1]. Le taux est de", "Vrai [1]."),
        ("### En bref\nVrai [1].\n- Faux et", "### En bref\nVrai [1]."),
        ("Vrai [1]", "Vrai [1]"),
        ("Vrai [1].\n\n### Prix", "Vrai [1]."),
        ("Le taux est de", ""),
    ],
)
def test_a_cut_text_ends_with_its_last_finished_sentence(text: str, left: str) -> None:
    """Half a sentence may say the contrary of the whole."""
    assert finished(text) == left


def test_a_draft_is_mended_where_it_was_refused_and_nowhere_else() -> None:
    """One sentence put differently, one left out with its bullet; plain drafts and declared ones alike."""
    text = "Un est vrai [1]. Deux est faux [2].\n\n### Prix\n- Trois est faux [3].\n- Quatre est vrai [4]."
    new = {"deuxestfaux": Claim("Deux est vrai [2]."), "troisestfaux": None}
    plain = mended(Draft(text, Usage("m")), new)
    assert plain.text == "Un est vrai [1]. Deux est vrai [2].\n\n### Prix\n- Quatre est vrai [4]."
    declared = Draft(text, Usage("m"), claims=claims_of(Draft(text, Usage("m"))))
    again = mended(declared, new)
    assert again.text == plain.text
    assert [c.text for c in again.claims] == ["Un est vrai [1].", "Deux est vrai [2].", "Quatre est vrai [4]."]


def test_markers_stand_before_the_full_stop() -> None:
    """Also where the text has none."""
    assert cited("Vrai", [1, 2, 1]) == "Vrai [1][2]."
    assert cited("Vrai ?", [1]) == "Vrai [1] ?" or cited("Vrai ?", [1]) == "Vrai [1]?"
    assert cited("Vous indiquez 3,4 %.", []) == "Vous indiquez 3,4 %."
