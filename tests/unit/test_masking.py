"""Masking hides identifiers by their check digits and leaves prices, SIREN and SIRET alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.fr import nir, siren

from pipeline.text.masking import mask


def _nir(sex: int, year: int, month: int, department: int, rest: int) -> str:
    body = f"{sex}{year:02d}{month:02d}{department:02d}{rest:06d}"
    return body + str(nir.calc_check_digits(body))


NIRS = st.builds(
    _nir,
    st.sampled_from([1, 2]),
    st.integers(0, 99),
    st.integers(1, 12),
    st.integers(1, 95),
    st.integers(1001, 990_999),
)


@given(NIRS, st.sampled_from(["", " ", "."]))
def test_a_valid_nir_is_masked_in_every_usual_spelling(number: str, gap: str) -> None:
    """The key decides; the groups 1-2-2-2-3-3-2 may be glued, spaced or dotted."""
    groups = [number[0], number[1:3], number[3:5], number[5:7], number[7:10], number[10:13], number[13:]]
    masked = mask(f"Client né à Lyon, sécu {gap.join(groups)}, loyer 900 €.")
    assert masked == "Client né à Lyon, sécu [NIR masqué], loyer 900 €."


@given(NIRS)
def test_fifteen_digits_with_a_wrong_key_are_no_nir(number: str) -> None:
    """A number that fails its key is somebody's amount or file number, and stays."""
    wrong = number[:13] + f"{int(number[13:]) % 97 + 1:02d}"
    assert mask(f"Dossier {wrong}") == f"Dossier {wrong}"


@given(st.integers(0, 10**10), st.booleans())
def test_a_french_iban_is_masked_and_the_next_word_stays(account: int, spaced: bool) -> None:
    """Its mod-97 decides where the IBAN ends, whatever word follows it."""
    body = f"30004000{account:011d}00"
    body += "15"
    number = "FR" + str(iban.calc_check_digits("FR00" + body)) + body
    if not iban.is_valid(number):
        return
    shown = " ".join(number[i : i + 4] for i in range(0, len(number), 4)) if spaced else number
    assert mask(f"RIB {shown} chez nous") == "RIB [IBAN masqué] chez nous"


def test_a_foreign_iban_is_masked() -> None:
    """IBANs of other countries carry the same check."""
    assert mask("compte DE89 3704 0044 0532 0130 00.") == "compte [IBAN masqué]."


@given(st.integers(10**13, 10**14 - 1))
def test_a_card_number_is_masked(body: int) -> None:
    """Sixteen digits of a card scheme that pass Luhn."""
    fifteen = f"4{body}"
    number = fifteen + str(luhn.calc_check_digit(fifteen))
    assert mask(f"carte {number} merci") == "carte [carte masquée] merci"
    grouped = " ".join(number[i : i + 4] for i in range(0, 16, 4))
    assert mask(f"carte {grouped}") == "carte [carte masquée]"


@pytest.mark.parametrize(
    "phone",
    ["06 12 34 56 78", "0612345678", "06.12.34.56.78", "+33 6 12 34 56 78", "+33 (0)6 12 34 56 78", "0033612345678"],
)
def test_a_french_phone_is_masked(phone: str) -> None:
    """National and international spellings."""
    assert mask(f"Rappeler le {phone}.") == "Rappeler le [téléphone masqué]."


def test_an_email_is_masked() -> None:
    """With its subdomain and its plus tag."""
    assert mask("écrire à jean.dupont+sci@mail.exemple.fr, merci") == "écrire à [e-mail masqué], merci"


@given(st.integers(1_000_000, 99_999_999))
def test_a_siren_and_a_siret_survive(number: int) -> None:
    """Company numbers are public, and pass Luhn like cards do. (Glued ones in 00262 or 00590 read as phones.)"""
    eight = f"{number:08d}"
    company = eight + str(luhn.calc_check_digit(eight))
    assert siren.is_valid(company)
    fourteen = company + "0001"
    establishment = fourteen + str(luhn.calc_check_digit(fourteen))
    text = f"SIREN {company[:3]} {company[3:6]} {company[6:]}, SIRET {establishment}"
    assert mask(text) == text


@given(st.integers(0, 999_999_999_999), st.sampled_from([" ", "\u00a0", "\u202f", "."]))
def test_a_price_survives(amount: int, gap: str) -> None:
    """Prices in thousands, as any French keyboard writes them."""
    text = f"vendu {amount:,} €".replace(",", gap)
    assert mask(text) == text


def test_references_dates_and_codes_survive() -> None:
    """What advisors write all day is left alone."""
    text = "Loi 2021-1104 du 22/08/2021, L562-1, INSEE 83137, BOI-BAREME-000017, 4 213 €/m² le 31/12/2025, 10 700 €"
    assert mask(text) == text


@given(st.text(alphabet="0123456789 +.-@AFRfr€", max_size=60))
def test_masking_twice_changes_nothing(text: str) -> None:
    """Masks are not masked again."""
    once = mask(text)
    assert mask(once) == once


HIDDEN = ("\u200b", "\u00ad", "\u2060", "\u00a0", "\u202f", "\u2009", ".", "-", "\u2011", "\n", " \n")
"""What stands between digits in pages and files, seen or not."""


@pytest.mark.parametrize("gap", HIDDEN)
@pytest.mark.parametrize(
    ("groups", "label"),
    [
        (("FR76", "3000", "4000", "0312", "3456", "7890", "143"), "[IBAN masqué]"),
        (("1", "85", "05", "78", "006", "084", "91"), "[NIR masqué]"),
        (("4970", "1012", "3456", "7890"), "[carte masquée]"),
        (("06", "12", "34", "56", "78"), "[téléphone masqué]"),
    ],
)
def test_a_number_is_masked_however_it_is_spaced(groups: tuple[str, ...], label: str, gap: str) -> None:
    """One break of the line at most; what stands around it stays as it was written."""
    digits = "".join(groups)
    whole = _checked(groups) if label != "[téléphone masqué]" else digits
    sizes = [len(group) for group in groups]
    cut = [whole[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
    shown = gap.join(cut) if "\n" not in gap else "".join(cut[:2]) + gap + "".join(cut[2:])
    assert mask(f"Voir\u200b {shown}, merci") == f"Voir\u200b {label}, merci"


def _checked(groups: tuple[str, ...]) -> str:
    """The same number with the check digits that it must have."""
    whole = "".join(groups)
    if whole.startswith("FR"):
        return "FR" + str(iban.calc_check_digits(whole)) + whole[4:]
    if len(whole) == 15:
        return whole[:13] + str(nir.calc_check_digits(whole[:13]))
    return whole[:15] + str(luhn.calc_check_digit(whole[:15]))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("０６１２３４５６７８", "[téléphone masqué]"),
        ("٠٦١٢٣٤٥٦٧٨", "[téléphone masqué]"),
        ("jean.dupont (at) exemple.fr", "[e-mail masqué]"),
        ("jean.dupont @ exemple.fr", "[e-mail masqué]"),
        ("jean.du\u200bpont@exem\u200bple.fr", "[e-mail masqué]"),
        ("+41 79 123 45 67", "[téléphone masqué]"),
        ("+32 475 12 34 56", "[téléphone masqué]"),
    ],
)
def test_other_scripts_and_spellings_are_masked(text: str, masked: str) -> None:
    """Full-width and Arabic digits, an address that hides its sign, other countries' phones."""
    assert mask(f"Contact : {text}.") == f"Contact : {masked}."


@pytest.mark.parametrize(
    "text",
    [
        "+12 345 678 € de plus",
        "hausse de +150 000 000 euros",
        "10\n20\n30\n40\n50",
        "2019 : 3 120, 2020 : 3 240, 2021 : 3 310",
        "de 12 345 à 23 456 puis 34 567 et 45 678",
        "Réf. cadastrale 83137000AB0123, lot 12, 78 m²",
    ],
)
def test_columns_differences_and_references_survive(text: str) -> None:
    """Numbers of every day that stand like a phone or a card."""
    assert mask(text) == text
