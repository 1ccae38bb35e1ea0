"""From a subject to a route: mode, sub-queries, tool calls, or the question to ask back."""

import re
from dataclasses import dataclass

from corpus.places import Gazetteer, Mention, Place
from pipeline.routing.choosing import homonyms, parts_of, unknown_place
from pipeline.routing.follow_ups import Subject
from pipeline.routing.lexicon import ASPECT_LABELS, SCHEME_ASPECT, SCHEME_LABELS, STATUS_SCHEMES, STRONG_PRICE
from pipeline.routing.live import MOST_CALLS, place_calls
from pipeline.routing.reading import Reading
from pipeline.routing.searching import search_calls
from pipeline.routing.sentences import OUT_OF_DVF, WHICH_COMMUNE
from pipeline.types import Choice, Mode, Route, ToolCall

MARKET = re.compile(
    r"achet\w*|achat|investi\w*|\bvend(re|s|eur)?\b|vente|marche|bon moment|opportun|quartier|secteur|placer|"
    r"parle[- ]|\bt[1-6]\b"
)
NO_DVF = re.compile(r"\b(?:mayotte|976|moselle|(?:bas|haut)[- ]rhin|alsace|alsacien\w*)\b")
PRICELESS = frozenset(("dvf", "investissement-locatif"))
"""Schemes that do not make a question of prices a question of rules."""
PROJECT_ASPECTS = ("loyers", "risques", "zonage")
"""What a purchase to let depends on in its place, besides prices."""
MOST_PLACES, MOST_QUERIES, TELLING_WORDS = 3, 4, 6


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be done for a subject. `clarification` set: nothing is looked up, this is asked back."""

    mode: Mode
    aspects: tuple[str, ...]
    sub_queries: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    clarification: str | None = None
    choices: tuple[Choice, ...] = ()
    reasons: tuple[str, ...] = ()


def planned(subject: Subject, *, places: Gazetteer) -> Plan:
    """The plan of one question; a pure function of what was read."""
    aspects = subject.aspects
    project = is_project(subject)
    if project:
        aspects = tuple(dict.fromkeys((*aspects, *PROJECT_ASPECTS)))
    wants = project or wants_prices(subject)
    if wants and "prix" not in aspects:
        aspects = ("prix", *aspects)
    if wants and "methode" in aspects and not subject.own.conceptual:
        aspects = tuple(a for a in aspects if a != "methode")
    found = [place for code in subject.communes[:MOST_PLACES] if (place := places.get(code))]
    if back := _asked_back(subject, aspects, found, wants=wants, places=places):
        return back
    calls = tuple(sales_call(place, subject.kind, subject.own, rooms=subject.rooms) for place in found) if wants else ()
    mode = _mode(subject, aspects, bool(calls))
    depends = (*subject.schemes, "encadrement-loyers") if project else subject.schemes
    local_calls = place_calls(
        found,
        aspects=aspects,
        schemes=depends,
        kind=subject.kind,
        rooms=subject.rooms,
        text=subject.own.text,
        address=subject.address,
    )
    place = found[0] if len(found) == 1 else None
    calls = (*search_calls(subject.own.text, query=subject.query, place=place), *calls, *local_calls)[:MOST_CALLS]
    if mode == "rag" and calls:
        mode = "rag+tools"
    queries = sub_queries(subject.query, aspects, subject.schemes, found, deepen=subject.deepen)
    return Plan(mode, aspects, queries, calls, reasons=_reasons(subject, aspects, found, mode))


def _asked_back(
    subject: Subject, aspects: tuple[str, ...], found: list[Place], *, wants: bool, places: Gazetteer
) -> Plan | None:
    """What has to be settled before anything is looked up: which commune, which part of a city."""

    def back(why: str, said: str, choices: tuple[Choice, ...] = ()) -> Plan:
        return Plan("none", aspects, clarification=said, choices=choices, reasons=(why,))

    own = subject.own
    if not subject.communes and (wants or _depends_on_place(subject)):
        if own.ambiguous:
            said = which_of(own.ambiguous[0])
            return back("nom partagé par plusieurs communes", said, homonyms(own, places))
        if not own.conceptual and (unknown := unknown_place(own, places)):
            return back("commune inconnue", *unknown)
    if wants and not subject.communes:
        if NO_DVF.search(own.low):
            return back("département sans DVF", OUT_OF_DVF)
        return back("prix demandés sans commune", WHICH_COMMUNE)
    city = next((place for place in found if places.arrondissements(place.insee)), None)
    if wants and city:
        return back("DVF ne connaît que les arrondissements", which_part(city, places), parts_of(own, city, places))
    return None


def is_project(subject: Subject) -> bool:
    """Whether somebody means to buy and let in a named place and asks for no single thing: all that counts there."""
    own = subject.own
    return bool(
        own.communes
        and "investissement-locatif" in own.schemes
        and not set(own.schemes) - PRICELESS
        and not own.said_aspects
        and not own.conceptual
    )


def wants_prices(subject: Subject) -> bool:
    """Whether sale prices are needed: asked for, or needed for the yield or the purchase of a named place."""
    own, placed = subject.own, bool(subject.communes or subject.own.ambiguous)
    rules = set(subject.schemes) - PRICELESS
    if "prix" in own.said_aspects:
        if placed:
            return not own.conceptual or STRONG_PRICE.search(own.low) is not None
        return own.asks_prices and not rules and "dvf" not in own.schemes
    if not placed:
        return False
    if "rendement" in subject.aspects:
        return True
    if subject.inherited and "prix" in subject.aspects and not own.schemes:
        return True
    return not rules and not set(subject.aspects) - {"prix"} and MARKET.search(own.low) is not None


def _depends_on_place(subject: Subject) -> bool:
    return bool(set(subject.aspects) & {"risques", "loyers", "zonage"} or set(subject.schemes) & STATUS_SCHEMES)


def _mode(subject: Subject, aspects: tuple[str, ...], sales: bool) -> Mode:
    rules = bool(set(aspects) - {"prix"} or set(subject.schemes) - PRICELESS)
    advice = (
        re.search(
            r"bon moment|dois[- ]je|faut[- ]il|conseill|hesit|avis\b|plutot|mieux|interessant|opportun", subject.own.low
        )
        is not None
    )
    if sales:
        return "rag+tools" if rules or advice else "tools"
    if subject.communes and _depends_on_place(subject):
        return "rag+tools"
    return "rag"


def sales_call(place: Place, kind: str | None, own: Reading, *, rooms: int | None = None) -> ToolCall:
    """A call of the sales tool: `type` is "flat", "house" or None (both), `year` None for the latest; `rooms` (1..5)
    and `since` (first year of a trend, 0: as far as known) only when they were asked for."""
    about = {"insee": place.insee, "name": place.name, "type": "flat" if rooms and kind is None else kind}
    asked = {"rooms": rooms, "since": None if own.span is None else own.span.since}
    return ToolCall("sales", {**about, "year": own.year, **{k: v for k, v in asked.items() if v is not None}})


def forced_queries(aspects: tuple[str, ...], found: list[Place]) -> tuple[str, ...]:
    """A place with a risk always asks for its flood plan, whatever else was understood."""
    if not found or "risques" not in aspects:
        return ()
    names = ", ".join(place.name for place in found)
    return (f"plan de prévention du risque inondation (PPRI) {names}, état des risques",)


def which_of(mention: Mention) -> str:
    """The question back when several communes bear one name."""
    listed = " ; ".join(place.label for place in mention.places[:4])
    return f"Plusieurs communes correspondent à « {mention.text} » : {listed}. Laquelle vous intéresse ?"


def which_part(city: Place, places: Gazetteer) -> str:
    """The question back for Paris, Lyon and Marseille: sales are published by arrondissement only."""
    last = len(places.arrondissements(city.insee))
    return (
        f"À {city.name}, les prix DVF sont publiés par arrondissement (du 1er au {last}e) : lequel vous intéresse ? "
        f"Par exemple « {city.name} {min(7, last)}e »."
    )


def sub_queries(
    query: str, aspects: tuple[str, ...], schemes: tuple[str, ...], found: list[Place], *, deepen: bool = False
) -> tuple[str, ...]:
    """1 to 4 searches: one for each aspect when there are several; a place with a risk always asks for its PPRI."""
    where = f" {', '.join(place.name for place in found)}" if found else ""
    forced = forced_queries(aspects, found)
    topics = []
    searched = [a for a in aspects if a != "prix" and not (forced and a == "risques")]
    if "dvf" not in schemes and len(searched) > 1:
        searched = [a for a in searched if a != "methode"]  # "comment calculer" is a manner, not a subject
    for aspect in searched:
        named = [SCHEME_LABELS[s] for s in schemes if SCHEME_ASPECT.get(s) == aspect]
        # An aspect alone ("loyers") would search for something else than the scheme it was said of.
        subject = next((f", {SCHEME_LABELS[s]}" for s in schemes if SCHEME_ASPECT.get(s) in aspects), "")
        placed = where if aspect in ("loyers", "zonage", "risques") else ""
        topics += [f"{label}{placed}" for label in named] or [f"{ASPECT_LABELS[aspect]}{subject}{placed}"]
    if deepen and len(topics) <= 1:
        subject = topics[0] if topics else SCHEME_LABELS[schemes[0]] if schemes else query
        topics = [
            f"{subject} : calcul et exemple",
            f"{subject} : points de vigilance",
            f"{subject} : conditions et limites",
        ]
        return tuple(dict.fromkeys((*forced, query, *topics)))[:MOST_QUERIES]
    if len(topics) + len(forced) <= 1:
        return tuple(dict.fromkeys((query, *forced)))
    # A label alone finds its article's opening; with the question behind it, the part of that article that answers.
    asked = [_asked_of(topic, query) for topic in topics]
    # The whole question keeps the details that labels lose; it gives way only to a fourth aspect.
    wanted = (*forced, *asked) if len(forced) + len(topics) >= MOST_QUERIES else (query, *forced, *asked)
    return tuple(dict.fromkeys(wanted))[:MOST_QUERIES]


def _asked_of(topic: str, query: str) -> str:
    """The topic and the question's telling words: every word more is another millisecond of embedding."""
    words = [word for word in re.findall(r"[\w%-]{4,}", query) if word.lower() not in topic.lower()]
    return f"{topic} : {' '.join(words[:TELLING_WORDS])}" if words else topic


def _reasons(subject: Subject, aspects: tuple[str, ...], found: list[Place], mode: Mode) -> tuple[str, ...]:
    reasons = []
    if subject.schemes:
        reasons.append("dispositif : " + ", ".join(SCHEME_LABELS[s] for s in subject.schemes[:3]))
    if aspects:
        reasons.append("aspects : " + ", ".join(aspects))
    if found:
        reasons.append("commune : " + ", ".join(place.label for place in found))
    if subject.inherited:
        reasons.append("suite du fil : sujet ou commune repris de l'échange précédent")
    why = {
        "rag": "règle ou méthode",
        "tools": "chiffres d'un lieu",
        "rag+tools": "règles et situation d'un lieu",
        "none": "",
    }
    return (*reasons, why[mode])


def as_route(subject: Subject, plan: Plan) -> Route:
    """The route of a planned question."""
    return Route(
        mode=plan.mode,
        intent="clarify" if plan.clarification else "deepen" if subject.deepen else "ask",
        query=subject.query,
        sub_queries=plan.sub_queries,
        aspects=plan.aspects,
        communes=subject.communes,
        schemes=subject.schemes,
        tool_calls=plan.tool_calls,
        clarification=plan.clarification,
        choices=plan.choices,
        reasons=plan.reasons,
    )
