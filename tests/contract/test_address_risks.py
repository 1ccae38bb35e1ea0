"""Risks at an address over a real connection: geocoded, read at its point, and every failure named beside the rest."""

from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount

from corpus.places import load_gazetteer
from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.geocoding import Geocoder, Point, read_point
from pipeline.tools.json_service import JsonService, Malformed
from pipeline.tools.risks.address import AddressRisks, read_clay, read_report
from pipeline.tools.risks.tool import RisksTool
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from sandbox.opendata import OpenData, mounts
from tests.loopback import served

STATE = OpenData()
PLACES = load_gazetteer()
CODES = {"83137"}
KEYS = (
    "features", "properties", "geometry", "coordinates", "score", "type", "citycode", "commune", "codeInsee",
    "risquesNaturels", "inondation", "present", "libelle", "libelleStatutAdresse", "codeExposition",
)  # fmt: skip
VALUES = st.sampled_from(["street", "housenumber", "83137", "Risque Existant", True, 0.9, 3, "3", [5.9, 43.1]])
JSON = st.recursive(
    st.none() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20) | VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = Starlette(routes=[Mount(prefix, routes=list(routes)) for prefix, routes in mounts(STATE).items()])
    with served(app) as address:
        yield address


@pytest.fixture
async def tool(address: str, request: pytest.FixtureRequest) -> AsyncIterator[RisksTool]:
    """Limits that a busy machine keeps, but for the geocoder that is too slow."""
    STATE.reset()
    seconds = 0.5 if "slow" in request.node.name else 60.0
    async with (
        httpx.AsyncClient(base_url=f"{address}/georisques") as georisques,
        httpx.AsyncClient(base_url=f"{address}/geocodage") as geocoding,
    ):
        points = JsonService(georisques, label="Géorisques", seconds=60)
        geocoder = Geocoder(JsonService(geocoding, label="le géocodage national", seconds=seconds))
        yield RisksTool(
            JsonService(georisques, label="Géorisques", seconds=60),
            PLACES,
            today=lambda: date(2026, 11, 21),
            at_address=AddressRisks(geocoder, points),
        )


async def ask(tool: RisksTool, street: str = "12 rue Victor Hugo", insee: str = "83137", **more: Any) -> ToolResult:
    place = PLACES.get(insee)
    assert place is not None
    return await tool.run(ToolCall("risks", {"insee": insee, "name": place.name, "address": street, **more}))


async def test_the_address_comes_first_and_the_commune_after(tool: RisksTool) -> None:
    """Clay and flood at the point, where it was found, then what holds for the commune."""
    result = await ask(tool)
    first, second, third, *_ = passage_sentences(result.text)
    assert "inondation (« Risque Existant »)" in first
    assert "radon" not in first
    assert second == "À cette adresse, l'exposition au retrait-gonflement des argiles est faible selon Géorisques."
    assert third == "Adresse située au numéro par la Base Adresse Nationale."
    assert "plans de prévention" in result.text
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    assert ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped == ()


async def test_clay_comes_first_when_it_is_what_was_asked_for(tool: RisksTool) -> None:
    """The point first, whichever it is."""
    assert (await ask(tool, topics=("clay",))).text.startswith("À cette adresse, l'exposition au retrait-gonflement")


async def test_a_street_without_number_is_said_to_be_placed_on_the_street(tool: RisksTool) -> None:
    """A point on a long street is not the house."""
    assert "Adresse située à la rue" in (await ask(tool, "rue Victor Hugo")).text


async def test_an_arrondissement_is_found_under_its_own_code(tool: RisksTool) -> None:
    """The geocoder knows Lyon 7e, not Lyon."""
    assert "À cette adresse" in (await ask(tool, "14 rue de Marseille", "69387")).text


async def test_an_unknown_address_leaves_the_commune(tool: RisksTool) -> None:
    """Said, and what follows is the commune's."""
    STATE.set_faults({"mode": "empty", "count": 9, "service": "geocoding"})
    result = await ask(tool)
    assert result.text.startswith("L'adresse n'a pas été trouvée à Toulon")
    assert "À cette adresse" not in result.text


@pytest.mark.parametrize("mode", ["down", "429", "html", "half_json", "slow"])
async def test_a_failing_geocoder_is_named_and_the_commune_is_told(tool: RisksTool, mode: str) -> None:
    """No point, no risk of an address; the rest stands."""
    STATE.set_faults({"mode": mode, "count": 9, "seconds": 600, "service": "geocoding"})
    result = await ask(tool)
    assert result.error is None
    assert "géocodage national" in result.gaps[0]
    assert "À cette adresse" not in result.text


async def test_clay_without_an_address_asks_for_one(tool: RisksTool) -> None:
    """A commune has no one exposure; its drought orders are told."""
    result = await ask(tool, "", topics=("clay",))
    assert "donnez la rue et le numéro" in result.text
    assert "pour sécheresse ou argiles" in result.text


@given(JSON)
def test_no_answer_escapes_a_reader(answer: Any) -> None:
    """A value within its bounds, nothing, or `Malformed`: never a point elsewhere or a level that is none."""
    for read in (lambda: read_point(answer, CODES), lambda: read_clay(answer), lambda: read_report(answer, CODES)):
        try:
            found = read()
        except Malformed:
            continue
        assert found is None or isinstance(found, Point | tuple) or found in range(4)


@pytest.mark.parametrize(
    "about",
    [{"citycode": "83126"}, {"score": 0.3}, {"type": "municipality"}],
    ids=["next town", "a guess", "the whole town"],
)
def test_a_doubtful_point_is_none(about: dict[str, Any]) -> None:
    """Another commune, a low score, no street."""
    properties = {"citycode": "83137", "score": 0.9, "type": "street", **about}
    feature = {"properties": properties, "geometry": {"coordinates": [5.93, 43.12]}}
    assert read_point({"features": [feature]}, CODES) is None


def test_a_report_of_another_commune_is_refused() -> None:
    """The service answers for wherever the point falls."""
    risks = {"inondation": {"present": False}}
    with pytest.raises(Malformed):
        read_report({"commune": {"codeInsee": "13055"}, "risquesNaturels": risks}, CODES)
    assert read_report({"commune": {"codeInsee": "83137"}, "risquesNaturels": risks}, CODES) == ()


def test_an_empty_report_is_no_absence_of_risk() -> None:
    """Nothing in it is a failure; a risk whose status at the address is missing is still a risk."""
    with pytest.raises(Malformed):
        read_report({"commune": {"codeInsee": "83137"}, "risquesNaturels": {}}, CODES)
    risks = {"inondation": {"present": True, "libelle": "Inondation", "libelleStatutAdresse": None}}
    ((name, status),) = read_report({"commune": {"codeInsee": "83137"}, "risquesNaturels": risks}, CODES)
    assert (name, status) == ("inondation", "statut à l'adresse non précisé")


def test_a_commune_that_is_no_code_is_no_report() -> None:
    """Found by the fuzz: a list where the code belongs is malformed, not an error of ours."""
    answer = {"commune": {"codeInsee": [5.9, 43.1]}, "risquesNaturels": {}}
    with pytest.raises(Malformed):
        read_report(answer, {"83137"})
