"""Sentence boundaries in legal French."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sentences import sentences


@pytest.mark.parametrize(
    "text",
    [
        "La règle vient de l'art. 150 VB du CGI, modifié par l'art. 84 de la loi n° 2025-127.",
        "Selon l'art. L. 541-1, env. 20 % des biens, etc., sont exclus.",
        "Le C. env. prévoit cela à l'art. L. 562-1.",
        "M. Dupont et Mme Martin achètent.",
        "J.-C. Martin dit 5.500 euros.",
        "Voir www.legifrance.gouv.fr pour le texte.",
        "1. Le bailleur déclare ses loyers.",
    ],
)
def test_abbreviations_do_not_end_a_sentence(text: str) -> None:
    """Each is one sentence, whatever dots it holds."""
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Il paie 10 700 €. Le surplus se reporte.", ["Il paie 10 700 €.", "Le surplus se reporte."]),
        ("Le bien est en zone A. Le plafond y est haut.", ["Le bien est en zone A.", "Le plafond y est haut."]),
        ("Il est classé G. Il ne se loue plus.", ["Il est classé G.", "Il ne se loue plus."]),
        (
            "« Peut-on vendre ? » Oui, en 2027. 12 % restent.",
            ["« Peut-on vendre ? »", "Oui, en 2027.", "12 % restent."],
        ),
        ("Note : « Il vend. Il part. » Le bien est libre.", ["Note : « Il vend. Il part. »", "Le bien est libre."]),
        ("« Il vend. Il part.", ["« Il vend.", "Il part."]),
        ("45 m². L'année 2026… Enfin !", ["45 m².", "L'année 2026…", "Enfin !"]),
        ("Une ligne\nUne autre ligne", ["Une ligne", "Une autre ligne"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_should(text: str, expected: list[str]) -> None:
    """Units, zone letters, quotes and line breaks."""
    assert sentences(text) == expected


@given(st.text(alphabet="aAéL. !?«»\n12€'-", max_size=80))
def test_no_character_is_lost(text: str) -> None:
    """Sentences hold everything but spacing, in order."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
