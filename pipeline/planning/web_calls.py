"""Which questions ask for today's web or for public data sets: decided by the user's words, before anything is read."""

import re
from typing import Final

from corpus.places import Place
from pipeline.text.masking import without_identifiers
from pipeline.types import Route, ToolCall
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat

MOST_WORDS: Final = 4
LONGEST_QUERY: Final = 300
_PERSON: Final = re.compile(
    r"\b(?:M\.|MM\.|Mme|Mlle|Mr|Monsieur|Madame|Mademoiselle|Maître|Me|[Dd]ossiers?|[Cc]lient(?:e|s|es)?|[Ff]amille|[Cc]ouple|"
    r"[ÉEée]poux|SCI|SARL)\s+(?!Pinel|Denormandie|Malraux|Scellier|Jeanbrun|Censi|Loc|LMNP|LMP|Relance|DPE|PPRI|Cosse)"
    r"[A-ZÀ-Ý][\w'’-]+(?:\s+[A-ZÀ-Ý][\w'’-]+)?"
)
"""A client or a deal by name; schemes that bear a name are no clients."""


def web_call(query: str) -> ToolCall:
    """A search of the web for the question: what leaves the house bears no identifier and no client's name."""
    outward = without_identifiers(_PERSON.sub(" ", query))
    return ToolCall("web", {"query": " ".join(outward.split())[:LONGEST_QUERY]})


def fallback_call(route: Route) -> ToolCall | None:
    """What is searched when the corpus has too little to answer; None where it was not asked, or the web already is."""
    if route.mode not in ("rag", "rag+tools") or any(call.tool == "web" for call in route.tool_calls):
        return None
    return web_call(route.query)


def search_calls(text: str, *, query: str, place: Place | None = None, data: bool = False) -> tuple[ToolCall, ...]:
    """At most one call of each; `query` is the question that stands alone, `place` the one it is about; `data`: public
    data themselves are asked for."""
    low, calls = flat(text), []
    if cue("outside.web").search(low):
        calls.append(web_call(query))
    if data and (found := _data_call(low, query, place)):
        calls.append(found)
    return tuple(calls)


def _data_call(low: str, query: str, place: Place | None) -> ToolCall | None:
    """A data set's description names no commune: its name is left out of the words when its row is to be read."""
    reads = cue("outside.content").search(low) is not None
    words = keywords(query.replace(place.name, " ") if reads and place else query)
    if not words:
        return None
    if reads:
        about = {"insee": place.insee, "name": place.name} if place else {}
        return ToolCall("open_data", {"query": words, "kind": "content", **about})
    kind = (
        "services" if cue("outside.service").search(low) and not re.search(r"\bjeux? de donnees\b", low) else "datasets"
    )
    return ToolCall("open_data", {"query": words, "kind": kind})


def keywords(query: str) -> str:
    """The few words that say the subject: the portal looks for data sets that hold them all."""
    words = re.findall(r"[\w'’-]{2,}", query)
    kept = [word for word in words if not cue("outside.idle").fullmatch(flat(word).split("'")[-1])]
    return " ".join(kept[:MOST_WORDS])
