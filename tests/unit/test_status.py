"""Status of communes: what the dated lists say, and what is never said once they are past."""

import gzip
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.build_status import lines
from corpus.places import load_gazetteer
from corpus.status import StatusLists, StatusUnreadable, load_status
from pipeline.text.figures import figures
from pipeline.tools.status import StatusTool
from pipeline.types import ToolCall, ToolResult

PLACES, LISTS = load_gazetteer(), load_status()
BEFORE = date(2026, 11, 21)


async def ask(insee: object, *, today: date = BEFORE) -> ToolResult:
    tool = StatusTool(LISTS, PLACES, today=lambda: today)
    return await tool.run(ToolCall("status", {"insee": insee, "name": "?"}))


def test_the_built_in_lists_have_the_published_counts() -> None:
    """1,430 tense communes, 68 under rent control, of which 8 in part; header with vintage and licence."""
    text = gzip.decompress((Path(__file__).parents[2] / "corpus" / "status.tsv.gz").read_bytes()).decode()
    marks = [line.split("\t")[1:] for line in text.splitlines()[1:]]
    assert sum("T" in row for row in marks) == 1430
    assert sum("L" in row for row in marks) == 60
    assert sum("l" in row for row in marks) == 8
    assert LISTS.rent_controlled == 68
    assert all(word in text.splitlines()[0] for word in ("2025-12-22", "décembre 2025", "Licence Ouverte 2.0"))


@pytest.mark.parametrize("insee", ["83137", "13004", "69266", "67482", "75111", "69387", "13208"])
async def test_a_tense_commune_is_said_so_with_the_date_of_the_list(insee: str) -> None:
    """Arrondissements have their city's status."""
    said = (await ask(insee)).text
    assert "est en zone tendue au sens du décret 2013-392" in said
    assert "22/12/2025" in said


@pytest.mark.parametrize("insee", ["42218", "68224"])
async def test_a_commune_out_of_the_list_is_said_so(insee: str) -> None:
    """Saint-Étienne and Mulhouse are on no list of category 1."""
    assert "n'est pas en zone tendue" in (await ask(insee)).text


async def test_rent_control_is_told_with_its_doubt_and_its_end() -> None:
    """A secondary source of 68 communes, an experiment whose end the sources date differently."""
    said = (await ask("69266")).text
    assert "figure parmi les communes sous encadrement" in said
    assert "source secondaire" in said
    assert "23/11/2026 ou le 24/11/2026" in said
    assert "ne figure pas" in (await ask("83137")).text


@pytest.mark.parametrize("today", [date(2026, 11, 23), date(2026, 11, 24), date(2027, 6, 1)])
@pytest.mark.parametrize("insee", ["69266", "83137"])
async def test_rent_control_after_the_experiment_is_never_told_as_known(insee: str, today: date) -> None:
    """From the first possible end on, neither yes nor no."""
    said = (await ask(insee, today=today)).text
    assert "figure" not in said
    assert "n'est pas connue" in said
    assert "en direct" in said


async def test_denormandie_places_rest_on_a_signed_agreement_that_has_not_ended() -> None:
    """Action cœur de ville, signed ORT; not planned ones; an ended one is to be checked."""
    assert "est un lieu éligible au Denormandie" in (await ask("28134")).text
    assert "n'est pas un lieu éligible" in (await ask("83137")).text
    assert "prévue mais n'est pas signée" in (await ask("83137")).text
    ended = (await ask("27438")).text
    assert "ce terme est passé" in ended
    assert "est un lieu éligible" not in ended
    assert "jusqu'au 20/02/2026" in (await ask("27438", today=date(2026, 2, 1))).text


async def test_old_lists_say_so() -> None:
    """More than a year after its date, a list is to be checked; Denormandie is over in 2028."""
    said = (await ask("28134", today=date(2028, 1, 1))).text
    assert said.count("plus d'un an") == 2
    assert "est un lieu éligible" not in said


async def test_the_text_holds_no_other_figure_than_dates_and_the_size_of_the_list() -> None:
    """Category 1, licence 2.0, 68 communes: anything else would be invented."""
    result = await ask("69266")
    amounts = {str(v.value) for v in figures(result.text) if v.kind not in ("day", "month", "year")}
    assert amounts <= {"1", "2", "68"}


@given(insee=st.one_of(st.none(), st.text(max_size=8), st.integers(), st.lists(st.text(max_size=3), max_size=2)))
async def test_a_code_that_is_none_is_a_sentence(insee: object) -> None:
    """Whatever the argument: a status of a real commune, or a reason."""
    result = await ask(insee)
    assert (result.error is None) == (PLACES.get(str(insee or "").strip().upper()) is not None)


def test_building_refuses_a_wrong_code_and_leaves_a_wrong_date_unknown(tmp_path: Path) -> None:
    """A date that cannot be read is unknown, never guessed."""
    (tmp_path / "zones_tendues_2025-12-22.csv").write_text("code_insee\n01004\n")
    (tmp_path / "encadrement_loyers_communes_2026.csv").write_text("code_insee,nom,perimetre\n01004,X,partiel\n")
    ort = "code_insee,nom,acv,signee,date_signature,date_fin\n"
    (tmp_path / "ort_2025-12.csv").write_text(f"{ort}01004,X,true,oui,2024-12-20,mars 2026\n01005,Y,false,non,,\n")
    assert lines(tmp_path) == ["01004\tA\tO2024-12-20/\tT\tl", "01005\to"]
    (tmp_path / "zones_tendues_2025-12-22.csv").write_text("code_insee\n1004\n")
    with pytest.raises(SystemExit, match="1004"):
        lines(tmp_path)


def packed(line: str) -> bytes:
    return gzip.compress(f"# QuartierScope status v1\n{line}\n".encode(), mtime=0)


@pytest.mark.parametrize(
    "content",
    [b"", b"nonsense", gzip.compress(b"01004\tT\n", mtime=0), packed("01004\tZ"), packed("01004\tO2024-99-01/")],
)
def test_an_unreadable_file_is_one_error(tmp_path: Path, content: bytes) -> None:
    """A wrong mark is not skipped: a missing mark would read as « is not »."""
    path = tmp_path / "status.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(StatusUnreadable):
        StatusLists(path).of("01004")
