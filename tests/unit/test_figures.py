"""Reading French figures: every spelling of a value is the same value, and nothing else is."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.figures import Value, figures, supports
from pipeline.text.references import references, schemes
from pipeline.text.wording import in_digits


def _read(text: str) -> list[tuple[str, str, str]]:
    return [
        (
            v.kind,
            f"{v.value:f}" if isinstance(v.value, Decimal) else v.value,
            v.unit + (f"/{v.period}" if v.period else ""),
        )
        for v in figures(text)
    ]


def _carried(source: str, claim: str) -> bool:
    found = figures(source, generous=True)
    claims = figures(claim)
    return bool(claims) and all(any(supports(value, wanted) for value in found) for wanted in claims)


SAME = [
    (
        "1 200 €",
        [
            "1\u00a0200\u00a0€",
            "1\u202f200 €",
            "1.200 €",
            "1200 €",
            "1200€",
            "1 200 euros",
            "1,2 k€",
            "1 200,00 €",
            "1200 EUR",
        ],
    ),
    ("1 200 000 €", ["1,2 M€", "1,2 million d'euros", "1.200.000 €", "1 200 k€", "1\u202f200\u202f000 euros"]),
    ("3 600 000 000 €", ["3,6 Md€", "3,6 milliards d'euros", "3 600 M€"]),
    ("3,5 %", ["3,5%", "3.5 %", "3,50 %", "3,5\u00a0%", "3,5 pour cent"]),
    ("30 %", ["trente pour cent", "30 pour cent", "30\u202f%"]),
    ("9 ans", ["neuf ans", "9 années", "9\u00a0ans"]),
    ("18 mois", ["dix-huit mois"]),
    ("31/12/2024", ["31 décembre 2024", "31 déc. 2024", "2024-12-31", "31.12.2024", "31-12-2024"]),
    ("1er janvier 2026", ["01/01/2026", "1 janvier 2026", "1er janv. 2026"]),
    ("janvier 2025", ["janv. 2025", "01/2025"]),
    ("4 213 €/m²", ["4213 €/m²", "4 213 € / m²", "4\u202f213 euros le mètre carré", "4 213 € par m²", "4 213 €/m2"]),
    ("738 € par mois", ["738,00 €/mois", "738 € mensuels", "738 €"]),
]


@pytest.mark.parametrize(("source", "claim"), [(source, claim) for source, claims in SAME for claim in claims])
def test_a_reformatting_is_the_same_figure(source: str, claim: str) -> None:
    """Spaces of every width, dots, words, scales and date forms: read both ways."""
    assert _carried(f"Le seuil est de {source}.", f"Le seuil est de {claim}.")


@given(
    st.integers(1, 10**9),
    st.sampled_from([" ", "\u00a0", "\u202f", ".", ""]),
    st.sampled_from([" €", "\u00a0€", " euros", " %", " m²", " ans"]),
)
def test_grouping_never_changes_a_number(number: int, gap: str, unit: str) -> None:
    """Any thousands separator reads as the plain number."""
    assert _carried(f"soit {number}{unit} au plus", f"soit {number:,}".replace(",", gap) + f"{unit} au plus")


@given(
    st.integers(1, 10**7), st.integers(0, 6), st.integers(1, 9), st.sampled_from([" €", " %", " €/m²", " logements"])
)
def test_a_changed_digit_is_refused(number: int, place: int, shift: int, unit: str) -> None:
    """One digit off is another figure."""
    digits = str(number)
    place %= len(digits)
    changed = digits[:place] + str((int(digits[place]) + shift) % 10) + digits[place + 1 :]
    if int(changed) == number or 1900 <= number <= 2100 or 1900 <= int(changed) <= 2100:
        return
    assert not _carried(f"soit {number}{unit}", f"soit {int(changed)}{unit}")


@given(st.dates(), st.integers(1, 400))
def test_another_day_is_refused(day, shift: int) -> None:  # type: ignore[no-untyped-def]
    """A date is exact."""
    other = day.fromordinal(min(day.toordinal() + shift, day.max.toordinal()))
    if other != day and day.year >= 1900:
        assert not _carried(f"depuis le {day:%d/%m/%Y}", f"depuis le {other:%d/%m/%Y}")


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("un taux de 14 %", "un taux de 14 €"),
        ("14 ans", "14 mois"),
        ("1 200 €/m²", "1 200 €"),
        ("738 €/mois", "738 €/an"),
        ("une baisse de -15 %", "une hausse de 15 %"),
        ("2024-322", "en 2024"),
        ("la loi 2021-1104", "depuis 2021"),
        ("en 2024", "en 2025"),
        ("le 31/12/2024", "le 30/12/2024"),
        ("850 000 logements", "850 logements"),
        ("4 212 €", "environ 4 300 €"),
        ("4 212 €", "4 200 €"),
        ("4 200 €", "environ 4 212 €"),
        ("1 450 000 €", "environ 1 000 000 €"),
        ("le 31/02/2024", "le 31/02/2024"),
    ],
)
def test_another_unit_sign_year_or_silent_rounding_is_refused(source: str, claim: str) -> None:
    """Same kind, value and unit; rounding only downwards, near, and said."""
    assert not _carried(source, claim)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("4 212 €", "environ 4 200 €"),
        ("4 212 €/m²", "≈ 4 200 €/m²"),
        ("17,24 %", "près de 17,2 %"),
        ("le 31 décembre 2024", "en décembre 2024"),
        ("le 31/12/2024", "en 2024"),
        ("le 31/12/2024", "au 31 décembre"),
    ],
)
def test_a_rounding_that_is_said_and_a_coarser_date_stand(source: str, claim: str) -> None:
    """`environ`, `≈`; a month or a year may rest on a day."""
    assert _carried(source, claim)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("9/12/14 %", ["9", "12", "14"]),
        ("entre 3 et 5 %", ["3", "5"]),
        ("12 %, 18 % ou 21 %", ["12", "18", "21"]),
        ("de 10,5 à 17,5 %", ["10.5", "17.5"]),
    ],
)
def test_a_unit_said_once_holds_for_the_list(text: str, values: list[str]) -> None:
    """The percent sign of a list belongs to each of its numbers."""
    assert _read(text) == [("percent", value, "%") for value in values]


def test_lists_of_durations_and_amounts_share_their_unit_and_scale() -> None:
    """`6, 9 ou 12 ans`, `entre 1 et 2 M€`."""
    assert _read("6, 9 ou 12 ans") == [("measure", n, "an") for n in ("6", "9", "12")]
    assert _read("entre 1 et 2 M€") == [("amount", n, "€") for n in ("1000000", "2000000")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("loi n° 2021-1104 du code", ["2021-1104"]),
        ("l'article L562-1 du code", ["L562-1"]),
        ("art. L. 562-1", ["L562-1"]),
        ("articles L. 541-1 à L. 541-9-1", ["L541-1", "L541-9-1"]),
        ("art. L. 125-5 à -7", ["L125-5", "L125-7"]),
        ("CGI art. 199 novovicies", ["199NOVOVICIES"]),
        ("article 150 VB du CGI", ["150VB"]),
        ("doctrine BOI-IR-RICI-365-30, fiche F35011", ["BOI-IR-RICI-365-30", "F35011"]),
        ("loi 89-462", ["89-462"]),
    ],
)
def test_a_rule_number_is_a_reference_and_no_figure(text: str, names: list[str]) -> None:
    """Not a year, not a number."""
    assert [r.name for r in references(text)] == names
    assert figures(text) == ()


@pytest.mark.parametrize(
    "text",
    ["Phrase [1].", "[2][3] et [1, 4]", "1. Première étape", "un bien neuf en zone B1, T2", "le neuf ou l'ancien"],
)
def test_markers_list_numbers_and_names_are_no_figures(text: str) -> None:
    """What is not a claim needs no source."""
    assert figures(text) == ()


def test_words_become_digits_but_new_stays_new() -> None:
    """`neuf` counts only before what is counted; `pour cent` never becomes 100."""
    assert in_digits("un logement neuf loué neuf ans à trois pour cent") == "un logement neuf loué 9 ans à 3 %"
    assert in_digits("Les deux régimes") == "Les deux régimes"
    assert in_digits("Les deux régimes", generous=True) == "Les 2 régimes"


def test_year_ranges_are_years_and_law_numbers_are_not() -> None:
    """2024-2026 is time, 2024-1039 is a law."""
    assert [v.value for v in figures("sur 2024-2026")] == ["2024", "2026"]
    assert figures("(2024-1039)") == ()


def test_schemes_are_known_by_their_names() -> None:
    """Jeanbrun and Relance logement are one scheme, whatever the apostrophe elsewhere."""
    assert schemes("Le dispositif Jeanbrun") == schemes("le Relance logement") == {"relance-logement"}
    assert schemes("un Loc’Avantages") == {"locavantages"}


@given(st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    """Any text at all: figures come out, or none do."""
    for value in figures(text, generous=True):
        assert isinstance(value, Value)
        assert 0 <= value.start <= value.end
