"""The tool "sales" over three sources: the next one answers when one fails, and each failure is named once."""

from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount

from pipeline.tools.datagouv.server import DataGouv
from pipeline.tools.dvf.local import LocalSales
from pipeline.tools.json_service import FAILURES, Malformed
from pipeline.tools.sales.cerema import SalesTool
from pipeline.tools.sales.chain import ChainLink, SalesChain
from pipeline.tools.sales.statistics import DvfStatistics, read_totals
from pipeline.types import ToolCall, ToolResult
from sandbox.opendata import OpenData, mounts
from tests.dvf_lines import sale, write
from tests.loopback import served

STATE = OpenData()
TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = Starlette(routes=[Mount(prefix, routes=list(routes)) for prefix, routes in mounts(STATE).items()])
    with served(app) as address:
        yield address


class Clock:
    """Seconds that pass only when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def chain(address: str, tmp_path: Path, clock: Clock) -> AsyncIterator[SalesChain]:
    STATE.reset()
    async with httpx.AsyncClient(base_url=f"{address}/dvf") as client:
        yield SalesChain(
            (
                ChainLink("Cerema", SalesTool(client, today=lambda: TODAY, timeout=60.0)),
                ChainLink("Statistiques DVF", DvfStatistics(DataGouv(f"{address}/datagouv/mcp", clock=clock))),
                ChainLink("fichiers DVF", LocalSales(tmp_path)),
            ),
            clock=clock,
            today=lambda: TODAY,
        )


async def ask(chain: SalesChain, insee: str = "69266", name: str = "Villeurbanne", **more: object) -> ToolResult:
    return await chain.run(ToolCall("sales", {"insee": insee, "name": name, "type": "flat", "year": None, **more}))


async def test_the_first_source_answers_alone(chain: SalesChain) -> None:
    """Nothing failed: no gap."""
    result = await ask(chain)
    assert result.title.startswith("Indicateurs DV3F (Cerema)")
    assert result.gaps == ()


@pytest.mark.parametrize("mode", ["down", "429", "html", "half_json", "empty"])
async def test_the_second_source_takes_over_and_says_so(chain: SalesChain, mode: str) -> None:
    """Another label, another date, five years instead of one; the first source is named."""
    STATE.set_faults({"mode": mode, "count": 9, "service": "dvf"})
    result = await ask(chain)
    assert result.error is None
    assert "sur cinq ans" in result.figures[0].label
    assert "données fictives" in result.title
    assert "ni quartiles" in result.text
    assert result.as_of == date(2025, 12, 31)
    assert len(result.gaps) == 1
    assert "Cerema" in result.gaps[0]
    assert "Statistiques DVF" in result.gaps[0]


async def test_the_files_of_this_machine_come_last(chain: SalesChain, tmp_path: Path) -> None:
    """Both online sources down: our own computation, with both named."""
    path = tmp_path / "2024" / "01.csv.gz"
    path.parent.mkdir()
    write(path, [sale(n) for n in range(40)])
    STATE.set_faults({"mode": "down", "count": 9})
    result = await ask(chain, "01004", "Ambérieu-en-Bugey")
    assert result.error is None, result.error
    assert "calcul QuartierScope" in result.title
    assert [gap.split(" :")[0] for gap in result.gaps] == ["Cerema", "Statistiques DVF"]


async def test_nothing_left_is_an_error_that_names_every_source(chain: SalesChain) -> None:
    """No figure, and each reason."""
    STATE.set_faults({"mode": "down", "count": 9})
    result = await ask(chain)
    assert result.figures == ()
    for word in ("Cerema", "données ouvertes", "cette machine"):
        assert word in (result.error or "")


async def test_a_year_is_never_answered_by_a_total(chain: SalesChain) -> None:
    """The five-year total is not the price of 2024."""
    STATE.set_faults({"mode": "down", "count": 9, "service": "dvf"})
    result = await ask(chain, year=2024)
    assert result.figures == ()
    assert "année précise" in (result.error or "")


@pytest.mark.parametrize("insee", ["75056", ""])
async def test_what_no_source_can_know_is_asked_once(chain: SalesChain, insee: str) -> None:
    """No commune, or by arrondissement: the first source's reason, and no other is asked."""
    STATE.set_faults({"mode": "down", "count": 9, "service": "mcp"})
    result = await ask(chain, insee, "Ici")
    assert result.error
    assert STATE.count == 9


async def test_a_source_that_keeps_failing_rests_then_is_tried_again(chain: SalesChain, clock: Clock) -> None:
    """After some failures in a row it is not asked any more; half a minute later one probe decides."""
    STATE.set_faults({"mode": "down", "count": 99, "service": "dvf"})
    for _ in range(FAILURES):
        await ask(chain)
    left = STATE.count
    result = await ask(chain)
    assert STATE.count == left
    assert "au repos" in result.gaps[0]
    STATE.reset()
    clock.now += 31
    assert (await ask(chain)).gaps == ()


ROW = "  Row 1:\n    code_geo: 69266\n    nb_ventes_whole_appartement: {n}\n    med_prix_m2_whole_appartement: {m}\n"


@pytest.mark.parametrize(
    "text",
    [
        ROW.format(n=120, m="9e9"),
        ROW.format(n=120, m="-3500"),
        ROW.format(n="douze", m=3500),
        ROW.format(n=120, m=3500).replace("69266", "13055"),
        ROW.format(n=120, m=3500) + ROW.format(n=120, m=3600),
    ],
)
def test_doubtful_prose_is_never_a_price(text: str) -> None:
    """Absurd, negative, in words, of another commune, or twice."""
    with pytest.raises(Malformed):
        read_totals(text, "69266")


def test_a_sound_row_is_read() -> None:
    """With a decimal comma or point, and a count that a spreadsheet made a decimal."""
    assert read_totals(ROW.format(n="120.0", m="3500,5"), "69266")["flat"].median == 3500.5


@given(
    st.one_of(st.text(max_size=300), st.lists(st.sampled_from([*ROW.splitlines(), "⚠️ x", "    a: b"])).map("\n".join))
)
def test_no_prose_escapes(text: str) -> None:
    """Totals, nothing, or `Malformed`."""
    try:
        totals = read_totals(text, "69266")
    except Malformed:
        return
    assert set(totals) <= {"flat", "house"}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"year": 2027}, "pas commencée"),
        ({"year": 1985}, "ne remontent pas à 1985"),
        ({"insee": "98818", "name": "Nouméa"}, "départements d'outre-mer"),
    ],
)
async def test_what_no_source_can_know_is_one_sentence(chain: SalesChain, more: dict[str, object], reason: str) -> None:
    """Said at once, without asking anybody."""
    STATE.set_faults({"mode": "down", "count": 9})
    arguments = {"insee": "69266", "name": "Villeurbanne", "type": None, "year": None, **more}
    result = await chain.run(ToolCall("sales", arguments))
    assert reason in (result.error or "")
    assert STATE.count == 9
