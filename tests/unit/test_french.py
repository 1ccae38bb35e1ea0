"""The French analyser: what is folded, kept, joined and dropped."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.french import analyze, distinct, fold

FRENCH = st.text(alphabet="abcdefgéèêàâùûôîïçœæ ABÉÀŒ'’-.,;:/%€²0123456789\u00a0\u0301", max_size=80)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DPE F et G", ["dpe", "dpe0f", "dpe0g"]),
        ("un logement classé G", ["log", "class", "dpe0g"]),
        ("étiquette énergie E, F ou G", ["etiquet", "energ", "dpe0e", "dpe0f", "dpe0g"]),
        ("dpe f", ["dpe", "dpe0f"]),
        ("logements F/G", ["log", "dpe0f", "dpe0g"]),
        ("le DPE a été refait", ["dpe", "ref"]),
        ("le dpe d'un bien", ["dpe", "bien"]),
        ("les plans A et B", ["plan"]),
        ("plus-values", ["plusvalu"]),
        ("plus value", ["plusvalu"]),
        ("45 m²", ["45", "m2"]),
        ("un T3 de 60 m2", ["t3", "60", "m2"]),
        ("zones A bis, A, B1 et B2", ["zon", "bis", "b1", "b2", "zone0abis", "zone0a", "zone0b1", "zone0b2"]),
        ("la zone C", ["zon", "zone0c"]),
        ("la zone a changé", ["zon", "chang"]),
        ("10 700 €", ["10700", "euro"]),
        ("10\u202f700 euros", ["10700", "euro"]),
        ("10.700 euros", ["10700", "euro"]),
        ("17,2 %", ["17v2", "pourcent"]),
        ("17.2 pour cent", ["17v2", "pourcent"]),
        ("9 ans", ["9", "an"]),
        ("art. L. 541-1 du CMF", ["art", "l541x1", "l541", "cmf"]),
        ("L541-1", ["l541x1", "l541"]),
        ("article 150 VB", ["articl", "150", "150vb"]),
        ("Loc'Avantages", ["locavantag"]),
        ("l’œuvre d'aujourd'hui", ["oeuvr", "aujourd", "hui"]),
        ("", []),
        ("et pour nous ?", []),
        ("😀 *** --", []),
    ],
)
def test_analysis_keeps_what_carries_meaning(text: str, expected: list[str]) -> None:
    """Each line is a term of the field that a plain French analyser loses or splits."""
    assert analyze(text) == expected


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("LMNP", "location meublée non professionnelle"),
        ("PPRI", "le plan de prévention du risque d'inondation"),
        ("TMI", "sa tranche marginale d'imposition"),
        ("Jeanbrun", "le Relance logement"),
        ("DPE", "diagnostic de performance énergétique"),
        ("DVF", "les demandes de valeurs foncières"),
        ("DMTO", "droits de mutation à titre onéreux"),
    ],
)
def test_an_abbreviation_meets_its_long_form(said: str, written: str) -> None:
    """Either form finds the other, and the long form keeps its own words too."""
    assert set(analyze(said)) <= set(analyze(written))
    assert len(analyze(written)) > 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("investissement", "investisseurs"),
        ("bail", "baux"),
        ("travail", "travaux"),
        ("acquérir", "acquéreur"),
        ("location", "locatif"),
        ("acheter", "achat"),
    ],
)
def test_words_of_one_family_share_a_term(one: str, other: str) -> None:
    """The stemmer alone keeps these apart."""
    assert analyze(one) == analyze(other)


@given(FRENCH)
def test_accents_never_change_the_terms(text: str) -> None:
    """A question typed without accents searches the same terms, composed or decomposed."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert analyze(bare) == analyze(text)
    assert analyze(unicodedata.normalize("NFD", text)) == analyze(text)


@given(st.text(max_size=60))
def test_terms_survive_any_index_tokenizer(text: str) -> None:
    """Lower-case runs of letters and digits: a whitespace tokenizer does not split them further."""
    for term in analyze(text):
        assert term
        assert term == fold(term).lower() or not term.isascii()
        assert not any(character.isspace() or character in "\"'-_.,*" for character in term)


@given(FRENCH)
def test_distinct_terms_have_no_repeats(text: str) -> None:
    """Repeated query terms would count as boosts."""
    assert distinct(text) == list(dict.fromkeys(analyze(text)))
