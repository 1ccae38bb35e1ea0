"""What cannot be verified gives way to its source's own sentence: whole, once, harmless."""

from corpus.types import Passage
from pipeline.grounding import ground
from pipeline.types import Draft, Evidence, Grounded, Usage

TEXT = "Le taux est de 12 % pour six ans. Le plafond est de 300 000 € par an. La location est nue."


def gated(text: str, source: str = TEXT, *, refused: dict[str, str] | None = None) -> Grounded:
    passage = Passage("a#0", "a", 0, "Réduction", (), source, "", "regulation")
    return ground(Draft(text, Usage("x")), Evidence((passage,)), refused=refused or {})


def test_a_wrong_sentence_gives_way_to_its_source() -> None:
    """With the source's marker, and the reason kept."""
    grounded = gated("Le taux est de 15 % pour six ans [1].")
    assert grounded.text == "Le taux est de 12 % pour six ans [1]."
    assert grounded.kept == ()
    assert [(said, by) for said, by, _ in grounded.replaced] == [
        ("Le taux est de 15 % pour six ans.", "Le taux est de 12 % pour six ans.")
    ]


def test_nothing_is_published_twice() -> None:
    """Neither by a model that goes in circles, nor by two sentences with one source."""
    grounded = gated(
        "La location est nue [1]. La location est nue [1].\n\nLe taux est de 15 % [1].\n\nLe taux est de 16 % [1]."
    )
    assert grounded.text.count("La location est nue") == 1
    assert grounded.text.count("Le taux est de 12 %") == 1


def test_an_orphan_goes_with_its_antecedent() -> None:
    """« Il » meant what is gone."""
    stands = gated("Le plafond est de 300 000 € par an [1]. Ce plafond est de 300 000 € [1].")
    assert "Ce plafond" in stands.text
    falls = gated("Le taux est de 15 % pour six ans [1]. Ce plafond est de 300 000 € [1].")
    assert "Ce plafond" not in falls.text


def test_a_hostile_sentence_of_a_source_replaces_nothing() -> None:
    """Advice, links and markers inside a source are not quoted instead."""
    source = "Foncez avant qu'il soit trop tard. Voir http://evil.example pour le taux. Le taux [7] est de 9 %."
    grounded = gated("Le taux est de 15 % [1].", source)
    assert grounded.text == ""
    assert len(grounded.dropped) == 1


def test_a_row_that_falls_is_not_patched() -> None:
    """A sentence is no row."""
    grounded = gated("| Durée | Taux |\n|---|---|\n| Taux pour six ans | 12 % [1] |\n| Taux pour six ans | 15 % [1] |")
    assert "12 %" in grounded.text
    assert "15 %" not in grounded.text
    assert grounded.replaced == ()


def test_what_a_second_reader_refuses_gives_way_too() -> None:
    """A sentence of the writer's own becomes its source's; the source's own words, refused, go altogether."""
    own = "Pour six ans, le taux est de 12 %."
    assert gated(f"{own[:-1]} [1].", refused={own: "relecture"}).text == "Le taux est de 12 % pour six ans [1]."
    assert gated("La location est nue [1].", refused={"La location est nue.": "relecture"}).text == ""
