"""What an MCP client may call: one row a tool, each over the same parts as an answer's; none of them writes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pydantic import BaseModel

from bot.api import proposing, searching
from bot.api.asking import Asking
from bot.api.problems import Problem
from bot.api.shapes import AskAnswer, AskRequest
from bot.api.tool_shapes import (
    ComputeRequest,
    FindingsAnswer,
    NoteRequest,
    PricesRequest,
    ProposedAnswer,
    RentsRequest,
    RisksRequest,
    SearchAnswer,
    SearchRequest,
)
from bot.errors import StoreUnavailable
from bot.store import keys
from bot.store.keys import Key
from corpus.places import Gazetteer, Place
from pipeline.toolbox import run_tools
from pipeline.tools.calculation.fields import FIELDS
from pipeline.tools.communes import outside_dvf, resolve
from pipeline.types import ToolCall, ToolResult

Tell = Callable[[str], Awaitable[None]]
"""Given each step of a longer piece of work, in French."""
Run = Callable[[Asking, Key, Any, Tell], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class ApiTool:
    """`run` takes a checked request of `takes` and gives what `gives` describes; it raises `Problem`. `reads`: it
    changes nothing anywhere, not even what Slack shows."""

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Run
    reads: bool = True


async def _ask(asking: Asking, key: Key, asked: AskRequest, tell: Tell) -> dict[str, Any]:
    under_way = await asking.begin(key, asked)
    try:
        async for event in under_way.news.until(under_way.task):
            if event is not None and event[0] == "step":
                await tell(event[1])
    finally:
        if not under_way.task.done():
            await asking.left(under_way)
    return under_way.task.result()


async def _sales(asking: Asking, key: Key, asked: PricesRequest, tell: Tell) -> dict[str, Any]:
    place = _place(asked.commune, asking.api.deps.places)
    if reason := outside_dvf(place):
        raise Problem(422, reason)
    return await _source("sales", asking, key, asked, tell)


async def _source(
    tool: str, asking: Asking, key: Key, asked: PricesRequest | RentsRequest | RisksRequest, _tell: Tell
) -> dict[str, Any]:
    await _allowed(asking, key, tool)
    place = _place(asked.commune, asking.api.deps.places)
    given = asked.model_dump(exclude_none=True, exclude={"commune"})
    return await _found(asking, ToolCall(tool, {"insee": place.insee, "name": place.name, **given}))


async def _compute(asking: Asking, key: Key, asked: ComputeRequest, _tell: Tell) -> dict[str, Any]:
    await _allowed(asking, key, "calculator")
    given = asked.model_dump(exclude_none=True)
    if foreign := given.keys() - {"kind", *(field.name for field in FIELDS[given["kind"]])}:
        raise Problem(400, f"Ce calcul ne connaît pas : {', '.join(sorted(foreign))}.")
    return await _found(asking, ToolCall("calculator", given))


async def _search(asking: Asking, key: Key, asked: SearchRequest, _tell: Tell) -> dict[str, Any]:
    await _allowed(asking, key, "search")
    return await searching.found(asking.api, key, asked)


async def _propose(asking: Asking, key: Key, asked: NoteRequest, _tell: Tell) -> dict[str, Any]:
    return await proposing.proposed(asking.api, key, asked)


async def _allowed(asking: Asking, key: Key, tool: str) -> None:
    """One audit row a call: who, which tool, when. Raises `Problem` where the key was revoked meanwhile."""
    try:
        stands = await asking.api.database.write(lambda c: keys.used(c, key, what="tool", subject=tool))
    except StoreUnavailable as error:
        raise Problem(503, str(error), retry_after=5) from error
    if not stands:
        raise Problem(401, "Cette clé a été révoquée.")


def _place(text: str, places: Gazetteer) -> Place:
    """Raises `Problem` with the sentence that says why there is none."""
    commune = resolve(text, places)
    if isinstance(commune, str):
        raise Problem(422, commune)
    return commune.place


async def _found(asking: Asking, call: ToolCall) -> dict[str, Any]:
    """What the tool told. Raises `Problem` where that was nothing but a reason."""
    results = await run_tools((call,), tools=asking.api.deps.tools)
    told = [result for result in results if result.error is None]
    if not told:
        raise Problem(422, " ".join(dict.fromkeys(result.error for result in results if result.error)))
    return {
        "findings": [_finding(result) for result in told],
        "gaps": [gap for result in results for gap in (*result.gaps, *((result.error,) if result.error else ()))],
        "asked_back": next((result.asks for result in told if result.asks), None),
    }


def _finding(result: ToolResult) -> dict[str, Any]:
    def plain(label: str, value: float, unit: str) -> dict[str, Any]:
        return {"label": label, "value": value, "unit": unit}

    return {
        "title": result.title,
        "text": result.text,
        "figures": [plain(each.label, each.value, each.unit) for each in result.figures],
        "computed": [
            {**plain(each.figure.label, each.figure.value, each.figure.unit), "formula": each.formula}
            for each in result.computed
        ],
        "source": result.url,
        "as_of": result.as_of.isoformat() if result.as_of else None,
    }


_LISTED: Final = (
    ApiTool(
        "ask",
        "Poser une question",
        "Une question sur l'immobilier résidentiel en France (fiscalité, prix, loyers, risques, crédit, bail), en "
        "français ; la réponse cite ses sources datées. Donner `thread` poursuit un fil.",
        AskRequest,
        AskAnswer,
        _ask,
    ),
    ApiTool(
        "prices",
        "Prix d'une commune",
        "Prix au m² des ventes enregistrées (DVF) d'une commune, par type de bien et par année.",
        PricesRequest,
        FindingsAnswer,
        _sales,
    ),
    ApiTool(
        "risks",
        "Risques d'une commune ou d'une adresse",
        "Ce que Géorisques recense : plans de prévention, catastrophes naturelles, radon, séisme, argiles.",
        RisksRequest,
        FindingsAnswer,
        partial(_source, "risks"),
    ),
    ApiTool(
        "rents",
        "Loyers d'une commune",
        "Loyers d'annonce estimés (carte des loyers), en €/m² charges comprises.",
        RentsRequest,
        FindingsAnswer,
        partial(_source, "rents"),
    ),
    ApiTool(
        "compute",
        "Calculer",
        "Prêt, rendement, plus-value, capacité d'emprunt, frais, droits, IFI : chaque résultat avec sa formule et "
        "ce qui est supposé. Ce qui manque est demandé en retour.",
        ComputeRequest,
        FindingsAnswer,
        _compute,
    ),
    ApiTool(
        "search_corpus",
        "Chercher dans le corpus",
        "Les passages les plus proches d'une question : articles datés et, selon la clé, fichiers de l'équipe.",
        SearchRequest,
        SearchAnswer,
        _search,
    ),
    ApiTool(
        "propose_note",
        "Proposer une note HubSpot",
        "Montre dans Slack la carte d'une note à écrire sur un dossier. Rien n'est écrit : un membre de l'équipe "
        "valide, modifie ou rejette.",
        NoteRequest,
        ProposedAnswer,
        _propose,
        reads=False,
    ),
)
TOOLS: Final[Mapping[str, ApiTool]] = {tool.name: tool for tool in _LISTED}
"""By name."""
