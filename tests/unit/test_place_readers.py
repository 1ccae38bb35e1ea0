"""The readers of foreign JSON: what is doubtful is refused as a whole, and no value escapes as another error."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tools.datagouv.text import read_files, read_listed, read_table
from pipeline.tools.dpe import read_counts
from pipeline.tools.json_service import Malformed, plain
from pipeline.tools.rents import read_rent
from pipeline.tools.risks.reading import read_disasters, read_plans, read_radon, read_risks, read_zone
from pipeline.tools.web import DOMAINS, is_official, read_pages

Reader = Callable[[Any, str], Any]
READERS: list[Reader] = [read_plans, read_risks, read_disasters, read_radon, read_zone, read_rent, read_counts]
HEAD = {"code_insee": "69266"}
RENT = {
    "INSEE_C": "69266", "loypredm2": "14,2", "lwr.IPm2": "11,1", "upr.IPm2": "18,0", "TYPPRED": "commune",
    "nbobs_com": 300, "R2_adj": "0,7",
}  # fmt: skip


@pytest.mark.parametrize(
    ("reader", "answer"),
    [
        (read_risks, {"data": [{"code_insee": "01004", "risques_detail": []}]}),
        (read_risks, {"data": [{"risques_detail": []}]}),
        (read_risks, {"data": [{**HEAD, "risques_detail": "inondation"}]}),
        (read_disasters, {"data": [HEAD], "results": 40_000}),
        (read_disasters, {"data": [HEAD], "results": -1}),
        (read_plans, {"content": [], "totalElements": 12_000}),
        (read_plans, {"content": [{"libPpr": "PPRI"}] * 60}),
        (read_radon, {"data": [{**HEAD, "classe_potentiel": "4"}]}),
        (read_radon, {"data": [{**HEAD, "classe_potentiel": "1"}, {**HEAD, "classe_potentiel": "3"}]}),
        (read_zone, {"data": [{**HEAD, "code_zone": "forte"}]}),
        (read_rent, {"data": [{**RENT, "INSEE_C": "01004"}]}),
        (read_rent, {"data": [RENT, RENT]}),
        (read_rent, {"data": [{**RENT, "loypredm2": "1420"}]}),
        (read_rent, {"data": [{**RENT, "upr.IPm2": "9,0"}]}),
        (read_rent, {"data": [{**RENT, "lwr.IPm2": None}]}),
        (read_counts, {"aggs": [{"value": "01004", "total": 9, "aggs": []}]}),
        (read_counts, {"aggs": [{"value": "69266", "total": 9, "aggs": [{"value": "D", "total": 10}]}]}),
        (read_counts, {"aggs": [{"value": "69266", "total": 9, "aggs": [{"value": "H", "total": 1}]}]}),
        (read_counts, {"aggs": [{"value": "69266", "total": 9, "aggs": []}, {"value": "01004", "total": 1}]}),
    ],
)
def test_doubtful_answers_are_refused(reader: Reader, answer: Any) -> None:
    """Another commune's row, the whole country, impossible levels, disordered bounds."""
    with pytest.raises(Malformed):
        reader(answer, "69266")


WORDS = st.one_of(st.text(max_size=8), st.sampled_from(["69266", "1"]))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["data", "content", "aggs", "code_insee", "results", "totalElements", "risques_detail", "value",
                 "total", "libelle_risque_long", "classe_potentiel", "date_publication_jo", *RENT]
            ),
            inner,
            max_size=6,
        ),
    ),
    max_leaves=20,
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@given(answer=JSON)
def test_no_json_escapes(reader: Reader, answer: Any) -> None:
    """A value, None, or `Malformed`."""
    try:
        reader(answer, "69266")
    except Malformed:
        return


@given(JSON)
def test_no_search_result_escapes_and_none_leaves_the_list(answer: Any) -> None:
    """Pages are official ones, or there are none."""
    try:
        pages = read_pages(answer, DOMAINS)
    except Malformed:
        return
    assert all(is_official(page.url, DOMAINS) for page in pages)


@pytest.mark.parametrize(
    ("url", "official"),
    [
        ("https://www.service-public.gouv.fr/x", True),
        ("https://www.legifrance.gouv.fr/codes", True),
        ("http://www.anil.org/x", False),
        ("https://anil.org.evil.example/x", False),
        ("https://evilanil.org/x", False),
        ("https://gouv.fr@evil.example/", False),
        ("https://www.insee.fr:8443/", False),
        ("https://127.0.0.1/", False),
        ("javascript:alert(1)//gouv.fr", False),
        ("https://[::1", False),
    ],
)
def test_only_official_https_pages_are_kept(url: str, official: bool) -> None:
    """The host itself decides, not what the address contains."""
    assert is_official(url, DOMAINS) is official


def test_a_page_cannot_smuggle_links_or_citations() -> None:
    """What is quoted later is words: no brackets, no address."""
    row = {
        "title": "Titre [1] <!channel>",
        "url": "https://www.anil.org/a",
        "content": "Le taux est de 3 % [4]. Voir https://evil.example/a pour la suite de cette page.",
    }
    (page,) = read_pages({"results": [row]}, DOMAINS)
    assert not set("[]<>") & set(page.title + page.text)
    assert "evil" not in page.text


def test_data_sets_are_read_from_prose() -> None:
    """Title, producer and page; an entry that leads elsewhere is passed over."""
    text = (
        "Found 2 dataset(s)\n\n1. Logements vacants\n   ID: abc\n   Organization: Ministère\n"
        "   URL: https://www.data.gouv.fr/datasets/lovac/\n\n2. Piège\n   URL: https://evil.example/\n"
    )
    (found,) = read_listed(text)
    assert (found.title, found.producer) == ("Logements vacants", "Ministère")


@given(st.text(max_size=300))
def test_no_prose_escapes_as_a_data_set(text: str) -> None:
    """Data sets or none; files with an identifier; cells that hold no mark-up."""
    assert len(read_listed(text)) <= 3
    assert all(file.id for file in read_files(text))
    table = read_table(f"Data (1 row):\n  Row 1:\n    {text}")
    assert not any(sign in cell for row in table.rows for cells in row.items() for cell in cells for sign in "[]<>|`*")


@given(st.text(max_size=300))
def test_a_foreign_label_holds_no_figure(text: str) -> None:
    """Letters and plain punctuation only."""
    assert not any(char.isdecimal() or char in "<>[]|`*" for char in plain(text))
