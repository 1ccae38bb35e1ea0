"""Prices computed from geo-dvf files: reference figures, the rule's guards, spreadsheets' re-exports, broken files."""

import gzip
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.tools.dvf.market import read_market
from pipeline.tools.dvf.values import NoPrice, Price, UnreadableFile
from tests.dvf_lines import COLUMNS, as_csv, sale, write

SHARED = Path(os.environ.get("QS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TOULON = SHARED / "dvf" / "83137_2024.csv"


def flat(path: Path, *, year: int | None = 2024, insee: str = "01004") -> Price | NoPrice:
    return read_market([path], insee=insee).price("flat", year=year)


def priced(outcome: Price | NoPrice) -> Price:
    assert isinstance(outcome, Price), outcome
    return outcome


@pytest.mark.shared
@pytest.mark.skipif(not TOULON.exists(), reason=f"{TOULON} is absent")
def test_toulon_gives_the_reference_figures_exactly() -> None:
    """Counts, medians and quartiles of the reference, where a mean over lines gives 65,940."""
    market = read_market([TOULON], insee="83137")
    found = {kind: priced(market.price(kind, year=2024)) for kind in ("flat", "house")}
    figures = {kind: (p.n, round(p.q1), round(p.median), round(p.q3)) for kind, p in found.items()}
    assert figures == {"flat": (2154, 2045, 2583, 3333), "house": (377, 3703, 4624, 5402)}
    assert found["flat"].last_sale == date(2024, 12, 31)
    sizes = [priced(market.price("flat", year=2024, rooms=rooms)).n for rooms in range(1, 6)]
    assert sum(sizes) <= 2154
    assert sizes == [266, 540, 774, 451, 119]


def test_a_plain_file_gives_median_quartiles_count_and_last_deed(tmp_path: Path) -> None:
    """21 flats of 50 m² sold 150,000 to 160,000 euros: every value can be checked by hand."""
    price = priced(flat(write(tmp_path / "01.csv", [sale(n) for n in range(21)])))
    assert (price.n, price.q1, price.median, price.q3) == (21, 3050.0, 3100.0, 3150.0)
    assert price.last_sale == date(2024, 12, 12)
    assert price.fragile


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("an off-plan sale", {"nature_mutation": "Vente en l'état futur d'achèvement"}),
        ("an auction", {"nature_mutation": "Adjudication"}),
        ("an exchange", {"nature_mutation": "Echange"}),
        ("8 m²", {"surface_reelle_bati": "8"}),
        ("a price under 5,000 euros", {"valeur_fonciere": "4999", "surface_reelle_bati": "9"}),
        ("under 300 euros a square metre", {"valeur_fonciere": "14000"}),
        ("over 30,000 euros a square metre", {"valeur_fonciere": "1600000"}),
        ("an outlier of its year", {"valeur_fonciere": "900000"}),
        ("no price", {"valeur_fonciere": ""}),
        ("no area", {"surface_reelle_bati": ""}),
        ("an infinite price", {"valeur_fonciere": "inf"}),
        ("another commune", {"code_commune": "01005"}),
        ("a premise", {"code_type_local": "4"}),
    ],
)
def test_the_rule_leaves_out(tmp_path: Path, name: str, extra: dict[str, str]) -> None:
    """One line of each excluded sort changes neither the count nor the median."""
    lines = [sale(n) for n in range(21)]
    price = priced(flat(write(tmp_path / "01.csv", [*lines, sale(99, **extra)])))
    assert (price.n, price.median) == (21, 3100.0), name


def test_a_sale_of_two_homes_is_left_out_even_across_communes(tmp_path: Path) -> None:
    """One price for two flats says nothing of either, also when the other flat is in the next commune."""
    lines = [sale(n) for n in range(21)]
    two = [sale(50, id_parcelle="A"), sale(50, id_parcelle="B", code_commune="01005")]
    mixed = [sale(51), sale(51, code_type_local="4", surface_reelle_bati="200")]
    assert priced(flat(write(tmp_path / "01.csv", [*lines, *two, *mixed]))).n == 21


def test_a_national_file_read_twice_gives_the_same_prices(tmp_path: Path) -> None:
    """The short way keeps the other half of a sale that spans two communes."""
    lines = [*map(sale, range(21)), sale(50, id_parcelle="A"), sale(50, id_parcelle="B", code_commune="01005")]
    path = write(tmp_path / "full.csv", [*lines, *(sale(n, code_commune="01006") for n in range(100, 150))])
    assert read_market([path], insee="01004", big=0) == read_market([path], insee="01004")
    assert priced(read_market([path], insee="01004", big=0).price("flat")).n == 21


def test_repeated_lines_and_dependencies_do_not_hide_a_sale(tmp_path: Path) -> None:
    """A flat with its cellar and twice the same line is one sale of one flat."""
    lines = [line for n in range(21) for line in (sale(n), sale(n), sale(n, code_type_local="3", type_local="Dép."))]
    assert priced(flat(write(tmp_path / "01.csv", lines))).n == 21


def test_nine_sales_give_no_price_ten_a_fragile_one_thirty_a_plain_one(tmp_path: Path) -> None:
    """The reason says how many there were; no figure of price is given."""
    nine = flat(write(tmp_path / "9.csv", [sale(n) for n in range(9)]))
    assert isinstance(nine, NoPrice)
    assert nine.n == 9
    assert "9 ventes d'appartements" in nine.reason
    assert priced(flat(write(tmp_path / "10.csv", [sale(n) for n in range(10)]))).fragile
    assert not priced(flat(write(tmp_path / "30.csv", [sale(n) for n in range(30)]))).fragile


def test_a_spreadsheet_export_gives_the_same_price(tmp_path: Path) -> None:
    """`;`, DD/MM/YYYY, codes without their zero, decimal commas, spaces in thousands, Windows' encoding."""
    lines = []
    for n in range(21):
        line = sale(n, code_commune="1004", code_departement="1", nom_commune="Ambérieu")
        year, month, day = line["date_mutation"].split("-")
        line["date_mutation"] = f"{day}/{month}/{year}"
        line["valeur_fonciere"] = f"{int(line['valeur_fonciere']):,}".replace(",", " ") + ",00"
        line["code_type_local"] = "2.0"
        lines.append(line)
    path = tmp_path / "export.csv"
    path.write_bytes(as_csv(lines, separator=";").encode("latin-1"))
    price = priced(flat(path))
    assert (price.n, price.median, price.last_sale) == (21, 3100.0, date(2024, 12, 12))
    path.write_bytes("\ufeff".encode() + as_csv(lines, separator=";").encode())
    assert priced(flat(path)).median == 3100.0


def test_gz_is_recognised_by_content(tmp_path: Path) -> None:
    """A browser may unpack a .gz and keep its name, or the reverse."""
    lines = [sale(n) for n in range(21)]
    assert priced(flat(write(tmp_path / "01.csv.gz", lines))).n == 21
    (tmp_path / "unpacked.csv.gz").write_text(as_csv(lines))
    assert priced(flat(tmp_path / "unpacked.csv.gz")).n == 21


def test_sizes_of_flats_and_years(tmp_path: Path) -> None:
    """Rooms 5 and 7 are one size; a file without rooms gives none; two years make a trend."""
    lines = [sale(n, nombre_pieces_principales="7" if n % 2 else "5") for n in range(24)]
    older = [sale(n + 100, date_mutation="2023-05-02", valeur_fonciere="100000") for n in range(12)]
    market = read_market([write(tmp_path / "a.csv", lines), write(tmp_path / "b.csv", older)], insee="01004")
    assert priced(market.price("flat", rooms=5)).n == 24
    assert isinstance(market.price("flat", rooms=1), NoPrice)
    assert [price.year for price in market.trend("flat")] == [2023, 2024]
    assert priced(market.price("flat")).year == 2024
    columns = [name for name in COLUMNS if name not in ("nombre_pieces_principales", "type_local")]
    small = read_market([write(tmp_path / "c.csv", lines, columns=columns)], insee="01004")
    assert priced(small.price("flat")).n == 24
    assert isinstance(small.price("flat", rooms=5), NoPrice)


def test_a_year_or_commune_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    """The reason names the years that are there."""
    path = write(tmp_path / "01.csv", [sale(n) for n in range(21)])
    absent = flat(path, year=2019)
    assert isinstance(absent, NoPrice)
    assert "2019" in absent.reason
    assert "2024" in absent.reason
    elsewhere = flat(path, insee="83137", year=None)
    assert isinstance(elsewhere, NoPrice)
    assert "aucune vente de logement" in elsewhere.reason
    assert isinstance(read_market([path], insee="01004").price("house"), NoPrice)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: b"", "n'est pas un fichier geo-dvf"),
        (lambda: b"<html><body>404</body></html>\n", "n'est pas un fichier geo-dvf"),
        (lambda: b"No disposition|Date mutation|Valeur fonciere\n1|2|3\n", "n'est pas un fichier geo-dvf"),
        (
            lambda: as_csv([sale(1)], columns=[c for c in COLUMNS if c != "surface_reelle_bati"]).encode(),
            "surface_reelle_bati",
        ),
        (lambda: gzip.compress(as_csv([sale(n) for n in range(5000)]).encode())[:-2000], "illisible"),
        (lambda: gzip.compress(as_csv([sale(n) for n in range(30_000)]).encode())[:-2000], "aucun prix"),
        (lambda: gzip.compress(as_csv([sale(n) for n in range(30_000)]).encode())[:-8] + bytes(8), "aucun prix"),
        (lambda: b"\x1f\x8b broken", "illisible"),
        (lambda: as_csv([sale(n) for n in range(21)]).encode() + b"2024-7,2024-01-0", "aucun prix"),
        (lambda: as_csv([sale(n) for n in range(21)]).encode() + b'2024-7,"never closed,', "aucun prix"),
        (lambda: (",".join([*COLUMNS, "id_mutation"]) + "\n").encode(), "en double"),
        (lambda: as_csv([sale(n, valeur_fonciere="12 k€") for n in range(21)]).encode(), "aucun prix"),
        (lambda: as_csv([*map(sale, range(21)), sale(22, valeur_fonciere="9" * 5_000_000)]).encode(), "aucun prix"),
    ],
)
def test_a_broken_file_gives_a_sentence_and_no_price(tmp_path: Path, made: Callable[[], bytes], said: str) -> None:
    """Truncated, ragged, foreign or unreadable: no part of it becomes a figure."""
    path = tmp_path / "01.csv"
    path.write_bytes(made())
    with pytest.raises(UnreadableFile, match=said):
        read_market([path], insee="01004")


def test_an_absent_file_and_a_pattern_are_refused(tmp_path: Path) -> None:
    """DuckDB would read a pattern as several files."""
    for path, said in ((tmp_path / "absent.csv", "introuvable"), (tmp_path / "*.csv", "Renommez")):
        with pytest.raises(UnreadableFile, match=said):
            read_market([path], insee="01004")


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(tail=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda t: t.encode())))
def test_no_tail_of_a_file_escapes_or_invents(tmp_path: Path, tail: bytes) -> None:
    """Whatever follows good lines, the answer is their price or a sentence; never another exception."""
    path = tmp_path / "fuzz.csv"
    path.write_bytes(as_csv([sale(n) for n in range(21)]).encode() + tail)
    try:
        price = flat(path)
    except UnreadableFile:
        return
    assert priced(price).n == 21


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    header=st.one_of(
        st.binary(max_size=300),
        st.lists(st.text(max_size=12), max_size=14).map(lambda t: ",".join([*COLUMNS, *t]).encode()),
    )
)
def test_no_header_escapes(tmp_path: Path, header: bytes) -> None:
    """Whatever the first line, lines of a known shape give no price under it or a sentence."""
    path = tmp_path / "header.csv"
    path.write_bytes(header + b"\n" + as_csv([sale(1)]).encode())
    try:
        assert isinstance(flat(path), NoPrice)
    except UnreadableFile:
        return
