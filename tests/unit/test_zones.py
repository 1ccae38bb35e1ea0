"""The A-B-C zone of a commune: our dated list, the ministry's list of today, and what is said when one is missing."""

import gzip
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx
from hypothesis import given
from hypothesis import strategies as st

from corpus.build_zones import lines
from corpus.places import load_gazetteer
from corpus.status import load_status
from corpus.zones import LETTERS, ZoneList, ZonesUnreadable, load_zones, packed, unpacked, vintage_of
from pipeline.tools.json_service import JsonService, Malformed
from pipeline.tools.status import StatusTool
from pipeline.tools.zones import Zone, Zoning, read_zone
from pipeline.types import ToolCall, ToolResult

PLACES, ZONES = load_gazetteer(), load_zones()
NOW = "Zonage ABC en vigueur depuis le 26 juin 2026"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["data", "CODGEO", NOW, "x"]), inner),
    max_leaves=12,
)


async def ask(insee: str, *, live: JsonService | None = None, parts: tuple[str, ...] = ("abc",)) -> ToolResult:
    zoning = Zoning(ZONES, PLACES, live=live)
    tool = StatusTool(load_status(), PLACES, today=lambda: date(2026, 11, 21), zoning=zoning)
    return await tool.run(ToolCall("status", {"insee": insee, "name": "?", "parts": parts}))


async def asked_live(answer: Any, *, insee: str = "44109", status: int = 200) -> ToolResult:
    with respx.mock(base_url="http://tabular.test") as service:
        service.get().respond(status, json=answer)
        async with httpx.AsyncClient(base_url="http://tabular.test") as client:
            return await ask(insee, live=JsonService(client, label="la liste du zonage"))


def test_the_built_in_list_has_the_published_counts() -> None:
    """34,935 communes of 5 July 2024, with vintage and licence in the first line."""
    text = gzip.decompress((Path(__file__).parents[2] / "corpus" / "zones_abc.tsv.gz").read_bytes()).decode()
    first, *rows = text.splitlines()
    counts = Counter({row.split("\t")[0]: len(unpacked(row.split("\t")[1])) for row in rows})
    assert counts == {"C": 28_623, "B2": 3_156, "B1": 2_216, "A": 816, "Abis": 124}
    assert "2024-07-05" in first
    assert "Licence Ouverte 2.0" in first


@pytest.mark.parametrize(("insee", "zone"), [("75111", "A bis"), ("69387", "A"), ("42218", "B2"), ("01001", "C")])
async def test_the_offline_zone_is_dated_and_said_to_be_replaced(insee: str, zone: str) -> None:
    """Arrondissements have their city's zone; a list past its date says so."""
    result = await ask(insee)
    assert f"est en zone {zone} du zonage A, B, C" in result.text
    assert "05/07/2024" in result.text
    assert "une autre la remplace depuis le 26/06/2026, la zone est donc à confirmer." in result.text
    assert result.as_of == date(2024, 7, 5)


async def test_the_list_of_today_comes_first() -> None:
    """Its vintage is read from the name of its column; nothing is said to be out of date."""
    result = await asked_live({"data": [{"CODGEO": "44109", "LIBGEO": "Nantes", NOW: "A"}]})
    assert "zone A du zonage A, B, C, d'après la liste en vigueur depuis le 26/06/2026" in result.text
    assert "à confirmer" not in result.text
    assert result.gaps == ()


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"data": [{"CODGEO": "44109", NOW: "D"}]}, 200),
        ({"data": [{"CODGEO": "33063", NOW: "A"}]}, 200),
        ({"data": [{"CODGEO": "44109", "Zonage": "A"}]}, 200),
        ({"data": [{"CODGEO": "44109", NOW: "A"}, {"CODGEO": "44109", NOW: "C"}]}, 200),
        ([], 200),
        ({}, 503),
        ({}, 429),
    ],
    ids=["unknown zone", "another commune", "no vintage", "two rows", "a list", "down", "busy"],
)
async def test_a_failing_service_gives_our_list_and_is_named(answer: Any, status: int) -> None:
    """Never another commune's zone, never a zone without its date."""
    result = await asked_live(answer, status=status)
    assert "05/07/2024" in result.text
    assert "notre liste" in result.gaps[0]


async def test_a_commune_that_no_list_has_is_a_reason() -> None:
    """Mayotte's newest codes and merged ones: a sentence, no zone."""
    assert (await ask("98736")).error or (await ask("97502")).error


async def test_the_zone_and_the_lists_are_two_findings() -> None:
    """Each with its own source: one commune may be in zone A and not be tense."""
    result = await ask("44109", parts=("abc", "tense"))
    assert "zonage A, B, C" in result.text
    assert [other.url for other in result.also] == [
        "https://www.service-public.gouv.fr/simulateur/calcul/zones-tendues"
    ]


@given(JSON)
def test_no_answer_escapes_and_no_zone_is_invented(answer: Any) -> None:
    """A zone of the five, nothing, or `Malformed`."""
    try:
        zone = read_zone(answer, "44109")
    except Malformed:
        return
    assert zone is None or (isinstance(zone, Zone) and zone.letter in LETTERS.values())


@given(st.sets(st.from_regex(r"(\d{5}|2[AB]\d{3})", fullmatch=True).filter(str.isascii)))
def test_codes_survive_their_packing(codes: set[str]) -> None:
    """In order, each once."""
    assert unpacked(packed(codes)) == sorted(codes)


@pytest.mark.parametrize(
    ("column", "day"),
    [
        ("Zone en vigueur depuis le 5 juillet 2024", date(2024, 7, 5)),
        ("Zonage en vigueur depuis le 1er septembre 2025", date(2025, 9, 1)),
        ("Reclassement juillet 2024", None),
        ("Zone en vigueur depuis le 31 février 2024", None),
        ("CODGEO", None),
    ],
)
def test_a_column_bears_its_vintage(column: str, day: date | None) -> None:
    """A name without a real day is no zone column."""
    assert vintage_of(column) == day


@pytest.mark.parametrize(
    "content",
    [b"", b"not gzip", gzip.compress(b"x"), gzip.compress(b"# QuartierScope zones v1\nZ\t1")],
    ids=["empty", "not compressed", "another content", "an unknown zone"],
)
def test_a_broken_file_is_said_so(tmp_path: Path, content: bytes) -> None:
    """One French sentence that names the file."""
    broken = tmp_path / "zones.tsv.gz"
    broken.write_bytes(content)
    with pytest.raises(ZonesUnreadable, match=r"zones\.tsv\.gz"):
        ZoneList(broken).of("44109")


def test_the_builder_refuses_another_vintage(tmp_path: Path) -> None:
    """The date of the list stands in the code: a newer file must change it."""
    source = tmp_path / "abc.csv"
    source.write_text("CODGEO;LIBGEO;Zonage ABC en vigueur depuis le 26 juin 2026\n44109;Nantes;A\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no column of 2024-07-05"):
        lines(source)
