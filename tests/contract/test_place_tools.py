"""The tools that Géorisques, the rent map and the ADEME answer, over a real connection to services of their shapes."""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from corpus.places import load_gazetteer
from pipeline.grounding import ground
from pipeline.ports import Tool
from pipeline.text.sentences import passage_sentences
from pipeline.tools.dpe import DpeTool
from pipeline.tools.json_service import BIGGEST, FAILURES, JsonService, Request, SourceFailed
from pipeline.tools.rents import RentsTool
from pipeline.tools.risks.tool import RisksTool
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from sandbox.opendata import OpenData, mounts
from tests.loopback import served

STATE = OpenData()
TODAY = date(2026, 11, 21)
PLACES = load_gazetteer()
COMMUNES = ["83137", "69266", "69387", "44109", "33063", "59350", "34172", "42218"]
SERVICES = ["georisques", "rents", "dpe"]


@dataclass
class Clock:
    """Seconds that pass only when told."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Rig:
    """The three tools by the name of their service in the sandbox."""

    tools: dict[str, Tool]
    clock: Clock

    async def ask(self, service: str, insee: str = "69266", name: str = "Villeurbanne", **more: Any) -> ToolResult:
        tool = self.tools[service]
        return await tool.run(ToolCall(tool.name, {"insee": insee, "name": name, **more}))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = Starlette(routes=[Mount(prefix, routes=list(routes)) for prefix, routes in mounts(STATE).items()])
    with served(app) as address:
        yield address


@pytest.fixture
async def rig(address: str, request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """Limits that a busy machine keeps, but for the tests of a service that is too slow."""
    STATE.reset()
    clock, seconds = Clock(), 0.5 if "slow" in request.node.name else 60.0

    def _source(client: httpx.AsyncClient, label: str) -> JsonService:
        return JsonService(client, label=label, clock=clock, seconds=seconds)

    async with (
        # verify=False: it speaks plain HTTP to itself, and loading all certificates takes 20 ms each time
        httpx.AsyncClient(base_url=f"{address}/georisques", verify=False) as georisques,
        httpx.AsyncClient(base_url=f"{address}/tabular", verify=False) as tabular,
        httpx.AsyncClient(base_url=f"{address}/ademe", verify=False) as ademe,
    ):
        yield Rig(
            {
                "georisques": RisksTool(_source(georisques, "Géorisques"), PLACES, today=lambda: TODAY),
                "rents": RentsTool(_source(tabular, "la carte des loyers")),
                "dpe": DpeTool(_source(ademe, "le service de l'ADEME"), today=lambda: TODAY),
            },
            clock,
        )


@pytest.mark.parametrize("insee", COMMUNES)
@pytest.mark.parametrize("service", SERVICES)
async def test_every_sentence_passes_the_gate_and_says_that_it_is_invented(rig: Rig, service: str, insee: str) -> None:
    """A sentence that the gate drops would never be read; the test service's own words stand in the title."""
    place = PLACES.get(insee)
    assert place is not None
    result = await rig.ask(service, insee, place.name)
    assert result.error is None, result.error
    assert "données fictives" in result.title
    assert "données fictives" in result.text
    assert result.url.startswith("https://")
    assert result.as_of is not None
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    assert ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped == ()


@pytest.mark.parametrize("mode", ["down", "429", "html", "half_json", "slow"])
@pytest.mark.parametrize("service", SERVICES)
async def test_a_failing_service_is_a_french_reason_without_figures(rig: Rig, service: str, mode: str) -> None:
    """Whatever it sends, or when it sends nothing in time."""
    STATE.set_faults({"mode": mode, "count": 99, "seconds": 600, "service": service})
    result = await rig.ask(service)
    assert re.search(r"temps|indisponible|inexploitable|limite", result.error or "")
    assert result.figures == ()
    assert result.text == ""


@pytest.mark.parametrize("service", ["rents", "dpe"])
async def test_nothing_about_a_commune_is_said_so(rig: Rig, service: str) -> None:
    """An empty answer is no zero."""
    STATE.set_faults({"mode": "empty", "count": 99, "service": service})
    result = await rig.ask(service)
    assert result.error
    assert result.figures == ()


async def test_one_missing_part_of_the_risks_is_named_and_the_rest_is_told(rig: Rig) -> None:
    """Two of the five requests fail: three parts stand, and the gap goes to the footer."""
    STATE.set_faults({"mode": "down", "count": 2, "service": "georisques"})
    result = await rig.ask("georisques")
    assert result.error is None
    assert len(result.gaps) == 1
    assert "non obtenu" in result.gaps[0]


async def test_the_city_is_asked_for_its_plans_and_the_arrondissement_for_its_radon(rig: Rig) -> None:
    """Gaspar knows Lyon, radon knows its 7th arrondissement."""
    result = await rig.ask("georisques", "69387", "Lyon 7e")
    shown = {figure.label: figure.value for figure in result.figures}
    assert shown["Plans de prévention des risques naturels"] == 2
    assert shown["Classe de potentiel radon"] == 2
    city = await rig.ask("georisques", "69123", "Lyon")
    assert "radon" not in city.text


@pytest.mark.parametrize("service", ["rents", "dpe"])
async def test_a_city_of_arrondissements_is_asked_back_without_a_call(rig: Rig, service: str) -> None:
    """Neither the rent map nor the ADEME has Paris as a whole."""
    assert "arrondissement" in ((await rig.ask(service, "75056", "Paris")).error or "")


@pytest.mark.parametrize("insee", ["", "6926", "69266; DROP", '69266"', "99999x"])
@pytest.mark.parametrize("service", SERVICES)
async def test_what_is_no_code_is_never_sent(rig: Rig, service: str, insee: str) -> None:
    """A sentence, and no request."""
    STATE.set_faults({"mode": "down", "count": 5})
    assert "Précisez la commune" in ((await rig.ask(service, insee)).error or "")
    assert STATE.count == 5


async def test_few_advertisements_are_given_with_care(rig: Rig) -> None:
    """Saint-Étienne's estimate leans on its neighbours."""
    assert "communes voisines" in (await rig.ask("rents", "42218", "Saint-Étienne", type="flat")).text


async def test_an_answer_is_given_again_while_it_is_fresh(address: str) -> None:
    """Within its time the service is not asked twice; after it, it is. A failure is never kept."""
    clock = Clock()
    STATE.set_faults({"mode": "down", "count": 1, "service": "rents"})
    async with httpx.AsyncClient(base_url=f"{address}/tabular", verify=False) as client:
        tool = RentsTool(JsonService(client, label="la carte", clock=clock, keep=60.0))
        call = ToolCall("rents", {"insee": "69266", "name": "Villeurbanne", "type": "house"})
        assert (await tool.run(call)).error
        assert (await tool.run(call)).error is None
        STATE.set_faults({"mode": "down", "count": 1, "service": "rents"})
        assert (await tool.run(call)).error is None
        clock.now += 61
        assert (await tool.run(call)).error


async def test_a_service_that_keeps_failing_rests_then_is_tried_again(rig: Rig) -> None:
    """The breaker counts runs, not requests: five at once are one failure."""
    STATE.set_faults({"mode": "down", "count": 999, "service": "georisques"})
    for _ in range(FAILURES):
        assert "indisponible" in ((await rig.ask("georisques")).error or "")
    left = STATE.count
    assert "nouvel essai" in ((await rig.ask("georisques")).error or "")
    assert STATE.count == left
    STATE.reset()
    rig.clock.now += 31
    assert (await rig.ask("georisques")).error is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (RedirectResponse("http://127.0.0.1:1/"), "indisponible"),
        (Response(b"1" * (BIGGEST + 1), media_type="application/json"), "inexploitable"),
        (Response(b"9" * 5_000, media_type="application/json"), "inexploitable"),
        (Response(b"[" * 200_000, media_type="application/json"), "inexploitable"),
        (Response(b"", media_type="application/json"), "inexploitable"),
        (Response(b"\xff\xfe{", media_type="application/json"), "inexploitable"),
    ],
    ids=["redirect", "too big", "a huge number", "deep", "empty", "not utf-8"],
)
async def test_a_hostile_body_is_a_failure(answer: Response, reason: str) -> None:
    """Redirects are not followed, sizes are bounded, nonsense is not read."""

    async def endpoint(request: Asked) -> Response:
        return answer

    with served(Starlette(routes=[Route("/x", endpoint)])) as address:
        async with httpx.AsyncClient(base_url=address) as client:
            (found,) = await JsonService(client, label="le service").ask(Request("/x"))
    assert isinstance(found, SourceFailed)
    assert reason in str(found)


async def test_what_was_asked_about_comes_first(rig: Rig) -> None:
    """Radon before plans when radon is the question; the small flats' rent before the rest for a studio."""
    assert (await rig.ask("georisques", topics=("radon",))).text.startswith("Potentiel radon à Villeurbanne")
    studio = await rig.ask("rents", type="flat", rooms=1)
    assert "un appartement d'une ou deux pièces : 16,5" in studio.text.split(". ")[0]
    assert "trois pièces" not in studio.text
    assert "maison" not in (await rig.ask("rents", rooms=3)).text
