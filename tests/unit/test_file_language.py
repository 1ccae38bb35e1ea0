"""A text in another language is read, and it is said that search knows French only."""

import pytest

from corpus.sources.files.language import language_said
from tests.dropped_files import PROSE, read_here

OTHERS = {
    "anglais": "The tenant of a furnished flat has to pay the rent at the start of the month, and it is not possible "
    "for the landlord to ask for more than the amount which was agreed on in the lease. This is the law.",
    "allemand": "Der Mieter einer möblierten Wohnung hat die Miete zu Beginn des Monats zu zahlen, und es ist für den "
    "Vermieter nicht möglich, mehr zu verlangen als in dem Vertrag mit ihm steht. Das ist auch so geregelt.",
    "espagnol": "El inquilino de un piso amueblado tiene que pagar la renta al principio del mes, y no es posible para "
    "el propietario pedir más de lo que se acordó en el contrato. Esta es la ley en todo el país.",
}


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_is_named(language: str) -> None:
    """The file is indexed all the same."""
    read = read_here(OTHERS[language].encode(), "lease.txt")
    assert read.text == OTHERS[language]
    assert read.skipped == (
        f"Ce texte semble être en {language} : il est indexé, mais la recherche est réglée pour le français.",
    )


def test_another_script_is_said() -> None:
    """By its letters: it has no small words that we know."""
    assert "autre langue" in language_said("Квартира сдаётся в аренду на один год без мебели и с парковкой. " * 5)


@pytest.mark.parametrize("text", [PROSE, "Prix : 3 500 €. " * 50, "Lyon", "- Ville : Lyon ; Prix : 1.\n" * 100, ""])
def test_french_and_figures_are_left_in_peace(text: str) -> None:
    """A remark that is wrong would be read as a fault of the file."""
    assert language_said(text) == ""
