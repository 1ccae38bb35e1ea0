"""One constrained call to a language model: it may sharpen the rules' route, it can neither act nor choose a target."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.places import Gazetteer, Place
from pipeline.errors import ModelUnavailable
from pipeline.ports import ChatModel, Message
from pipeline.routing import sentences
from pipeline.routing.addresses import address_of
from pipeline.routing.due import PARIS
from pipeline.routing.lexicon import STATUS_SCHEMES
from pipeline.routing.live import MOST_CALLS, place_calls
from pipeline.routing.plan import MOST_PLACES, MOST_QUERIES, forced_queries, sales_call
from pipeline.routing.reading import Reading, read
from pipeline.routing.words import own_words
from pipeline.text.masking import mask
from pipeline.types import Intent, Mode, Question, Route, ToolCall, Turn, Usage

Aspect = Literal[
    "prix",
    "loyers",
    "risques",
    "fiscalite",
    "energie",
    "zonage",
    "conformite",
    "financement",
    "rendement",
    "patrimoine",
    "methode",
]
Scheme = Literal[
    "pinel", "lmnp", "lmp", "relance-logement", "denormandie", "dpe", "zone-tendue", "zonage-abc", "encadrement-loyers",
    "deficit-foncier", "locavantages", "plus-values", "prelevements-sociaux", "gestion-patrimoine", "cif", "ppri",
    "etat-des-risques", "credit", "rendement", "investissement-locatif", "dvf", "ifi", "maprimerenov",
]  # fmt: skip
SETTLED: Final[frozenset[Intent]] = frozenset(("crm_write", "smalltalk", "recall", "clarify"))
"""Intents that the rules alone decide: a model could only make them worse."""
TURN_LIMIT, TEXT_LIMIT, REPLY_LIMIT, REPLY_TOKENS = 500, 2_000, 6_000, 600
KEPT_TOOLS: Final = frozenset(("crm", "calculator", "web", "open_data"))
"""Calls that follow from the user's own words alone, whatever the model makes of places and aspects."""
UNWANTED = re.compile(r"https?://\S*|www\.\S*|[<>`\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")


class Proposal(BaseModel):
    """What the model may say. No field names a tool, a record, a code or a write; every string is bounded."""

    model_config = ConfigDict(extra="forbid", strict=True)

    mode: Literal["rag", "tools", "rag+tools", "none"]
    intent: Literal["ask", "deepen", "smalltalk", "recall", "out_of_field"]
    query: Annotated[str, Field(min_length=1, max_length=300)]
    sub_queries: Annotated[list[Annotated[str, Field(min_length=1, max_length=160)]], Field(max_length=4)]
    aspects: Annotated[list[Aspect], Field(max_length=6)]
    schemes: Annotated[list[Scheme], Field(max_length=6)]
    communes: Annotated[list[Annotated[str, Field(min_length=1, max_length=80)]], Field(max_length=3)]


async def refine(route: Route, question: Question, *, model: ChatModel, places: Gazetteer) -> tuple[Route, Usage]:
    """The route with what the model understood better, and what the call cost. Never raises `ModelUnavailable`.

    Writes, deals, CRM readings and questions back stay as the rules made them from the user's own words; sales calls
    follow from communes that the gazetteer knows. A failing or invalid reply leaves the route unchanged.
    """
    if route.intent in SETTLED:
        return route, Usage(model=model.name)
    try:
        reply = await model.complete(_messages(route, question, places), schema=schema(), max_tokens=REPLY_TOKENS)
    except ModelUnavailable:
        return route, Usage(model=model.name)
    proposal = _parsed(reply.text)
    if proposal is None:
        return route, reply.usage
    return _applied(route, proposal, question, places), reply.usage


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of `Proposal`: every property required, nothing else allowed."""
    return Proposal.model_json_schema()


@cache
def _prompt() -> str:
    return (Path(__file__).parents[1] / "prompts" / "router.md").read_text(encoding="utf-8")


def _messages(route: Route, question: Question, places: Gazetteer) -> list[Message]:
    rules = {
        "mode": route.mode,
        "intent": route.intent,
        "query": mask(route.query)[:300],
        "aspects": route.aspects,
        "schemes": route.schemes,
        "communes": [place.label for place in _known(route.communes, places)],
    }
    asked = {
        "fil": [_turn(turn, places) for turn in question.history[-6:]],
        "message": mask(own_words(question.text).text)[:TEXT_LIMIT],
        "lecture_des_regles": rules,
    }
    return [Message("system", _prompt()), Message("user", json.dumps(asked, ensure_ascii=False))]


def _turn(turn: Turn, places: Gazetteer) -> dict[str, Any]:
    """An answer is shown by what it was about: its text holds third parties' words."""
    if turn.author == "user":
        return {"auteur": "utilisateur", "texte": mask(own_words(turn.text).text)[:TURN_LIMIT]}
    names = [place.label for place in _known(turn.communes, places)]
    return {"auteur": "assistant", "sujet": mask(turn.query)[:300], "communes": names, "dispositifs": turn.schemes}


def _parsed(text: str) -> Proposal | None:
    fenced = re.fullmatch(r"\s*```(?:json)?\s*(.*?)\s*```\s*", text[:REPLY_LIMIT], re.DOTALL)
    try:
        return Proposal.model_validate_json(fenced[1] if fenced else text[:REPLY_LIMIT])
    except ValidationError:
        return None


def _applied(route: Route, proposal: Proposal, question: Question, places: Gazetteer) -> Route:
    """The rules' route with the model's reading where it may count."""
    if proposal.intent in ("smalltalk", "recall", "out_of_field") or proposal.mode == "none":
        return _set_aside(route, proposal)
    found = _resolved(proposal.communes, route, question, places)
    communes = tuple(place.insee for place in found) or route.communes
    known = _known(communes, places)
    aspects: tuple[str, ...] = tuple(dict.fromkeys(proposal.aspects)) or route.aspects
    schemes: tuple[str, ...] = tuple(dict.fromkeys(proposal.schemes)) or route.schemes
    own = read(own_words(question.text).text, places=places, today=_today(question))
    calls = (
        *(c for c in route.tool_calls if c.tool in KEPT_TOOLS),
        *_sales(route, proposal, known, aspects, own, places),
        *(
            place_calls(
                known,
                aspects=aspects,
                schemes=schemes,
                kind=own.kind,
                rooms=own.rooms,
                text=own.text,
                address=address_of(own.text),
            )
            if proposal.mode != "rag"
            else ()
        ),
    )[:MOST_CALLS]
    query = _line(proposal.query) or route.query
    said = tuple(line for line in map(_line, proposal.sub_queries) if line)
    forced = forced_queries(aspects, known)
    queries = tuple(dict.fromkeys((*forced, *(said or route.sub_queries or (query,)))))[:MOST_QUERIES]
    status = bool(known) and bool({"risques", "loyers", "zonage"} & set(aspects) or STATUS_SCHEMES & set(schemes))
    return replace(
        route,
        mode=_mode(proposal, calls, status=status),
        intent=proposal.intent,
        query=query,
        sub_queries=queries,
        aspects=aspects,
        communes=communes,
        schemes=schemes,
        tool_calls=calls,
        refusal=None,
        reasons=(*route.reasons, "lecture affinée par le modèle"),
    )


def _set_aside(route: Route, proposal: Proposal) -> Route:
    """A model's "nothing to look up" counts only where the rules saw no subject either."""
    if route.schemes or route.aspects or route.communes or route.tool_calls or route.intent == "out_of_field":
        return route
    if proposal.intent not in ("smalltalk", "recall", "out_of_field"):
        return route
    refusal = sentences.OUT_OF_FIELD if proposal.intent == "out_of_field" else None
    reasons = (*route.reasons, "lecture affinée par le modèle")
    return replace(route, mode="none", intent=proposal.intent, sub_queries=(), refusal=refusal, reasons=reasons)


def _resolved(names: Iterable[str], route: Route, question: Question, places: Gazetteer) -> list[Place]:
    """Names that the gazetteer reads without doubt; a homonym only where the rules had already chosen it."""
    hints = (*route.communes, *(code for turn in question.history for code in turn.communes))
    found = []
    for name in names:
        clean = _line(name)
        mentions = [] if re.search(r"\d{5}", clean) else places.find(f"à {clean}", hints=hints)
        if len(mentions) == 1 and not mentions[0].ambiguous:
            found.append(mentions[0].places[0])
    return list(dict.fromkeys(found))[:MOST_PLACES]


def _known(codes: Iterable[str], places: Gazetteer) -> list[Place]:
    return [place for code in codes if (place := places.get(code))]


def _sales(
    route: Route, proposal: Proposal, known: list[Place], aspects: tuple[str, ...], own: Reading, places: Gazetteer
) -> list[ToolCall]:
    """Sale prices of the communes, when the model's own reading wants them; kind and year from the user's words."""
    if "tools" not in proposal.mode or not {"prix", "rendement"} & set(aspects):
        return []
    before = {call.arguments["insee"]: call for call in route.tool_calls if call.tool == "sales"}
    wanted = [place for place in known[:MOST_PLACES] if not places.arrondissements(place.insee)]
    return [before.get(place.insee) or sales_call(place, own.kind, own, rooms=own.rooms) for place in wanted]


def _mode(proposal: Proposal, calls: tuple[ToolCall, ...], *, status: bool) -> Mode:
    """The model's mode, as far as there is something to run."""
    if calls:
        return "tools" if proposal.mode == "tools" else "rag+tools"
    return "rag+tools" if status and proposal.mode != "rag" else "rag"


def _line(text: str) -> str:
    """One clean line: no link, mark-up or invisible character."""
    return " ".join(UNWANTED.sub(" ", text).split())


def _today(question: Question) -> date:
    return question.asked_at.astimezone(PARIS).date() if question.asked_at.tzinfo else question.asked_at.date()
