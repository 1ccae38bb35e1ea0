"""Untrusted text made harmless, and French text left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.cleaning import harmless, hosts_of, inert, linked


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Voir [la fiche](https://evil.example/a).", "Voir la fiche."),
        ("![image](https://evil.example/p.png) Fin.", "image Fin."),
        ("Vrai [1](http://evil.example).", "Vrai [1]."),
        ("Aller sur https://evil.example/a?b=c.", "Aller sur."),
        ("Alerte <!channel> et <@U123>", "Alerte et"),
        ("<https://evil.example|impots.gouv.fr>", ""),
        ("@channel écoutez", "channel écoutez"),
        ("javascript:alert non", "non"),
        ("a\u202eb\u200bc\x07d", "abcd"),
        ("<b>gras</b>", "gras"),
    ],
)
def test_links_mentions_tags_and_hidden_characters_go(text: str, clean: str) -> None:
    """Labels stay, addresses never do."""
    assert harmless(text) == clean


def test_a_host_stays_only_if_the_answer_links_there() -> None:
    """The label of a foreign host would lend it our name."""
    hosts = hosts_of(["https://www.service-public.gouv.fr/x", ""])
    text = "Sur service-public.gouv.fr ou evil.com"
    assert harmless(text, hosts=hosts) == "Sur service-public.gouv.fr ou"


@pytest.mark.parametrize(
    "text",
    [
        "Consommation < 331 kWh/m²/an et gain > 30 % : « oui » !",
        "Le seuil est de 83\u202f600\u00a0€ (art. L. 121-1), 12,5 % ; 4 213 €/m².",
        "- **Durée** : 9 ans [1][2].\n\n### Titre\n| a | b |",
    ],
)
def test_french_text_comes_back_unchanged(text: str) -> None:
    """Comparison signs, narrow spaces and Markdown are no threat."""
    assert harmless(text) == text


@given(st.text(max_size=200))
def test_no_address_survives_any_text(text: str) -> None:
    """Whatever stands around it, and cleaning never fails."""
    cleaned = harmless(f"{text} https://evil.example/{text} <!here>")
    assert "://evil" not in cleaned
    assert "<!here>" not in cleaned


CITED = "https://www.service-public.gouv.fr/x"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Voir [la fiche]({CITED}).", f"Voir [la fiche]({CITED})."),
        (f"Voir [la fiche]({CITED}) et [l'autre](https://evil.example/x).", f"Voir [la fiche]({CITED}) et l'autre."),
        (f"Voir [la fiche]({CITED}?to=evil).", "Voir la fiche."),
        ("Sur service-public.gouv.fr ou evil.com", "Sur service-public.gouv.fr ou"),
        (f"[{CITED}](https://evil.example)", ""),
        ("Aller sur https://evil.example/a maintenant", "Aller sur maintenant"),
    ],
)
def test_only_the_links_of_an_answer_stay(text: str, told: str) -> None:
    """To the letter: a cited host with another path is another address."""
    assert linked(text, [CITED]) == told


@given(st.text(max_size=120))
def test_a_link_of_the_answer_saves_no_other(text: str) -> None:
    """Whatever stands between them."""
    told = linked(f"[a]({CITED}) {text} https://evil.example/{text} [b](https://evil.example/b)", [CITED])
    assert told.startswith(f"[a]({CITED})")
    assert "://evil" not in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Titre **gras** `code` [1]", "Titre gras code (1)"),
        ("a\n- [x](https://evil.example)\n> b", "a - x b"),
        ("_non_ prix_2025.csv ~~barré~~ \\*", "non prix_2025.csv barré"),
        ("| a | b |\n|---|---|", "a b --- ---"),
        ("<!channel> <@U1>", ""),
    ],
)
def test_what_somebody_wrote_stays_one_plain_line(text: str, told: str) -> None:
    """No heading, list, table, emphasis, citation or mention of ours can arise from it."""
    assert inert(text) == told
