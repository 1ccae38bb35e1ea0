"""A model's reply -> a reading, argument by argument: what does not stand in the user's words, in the thread or in what
code knows is dropped, and the offline reading stands in its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import SequenceMatcher
from typing import Final

from corpus.places import Gazetteer
from pipeline import schemes
from pipeline.reading import (
    ACTS,
    CRM_BOUNDS,
    INTENTS,
    MOST_QUERIES,
    OPPOSITES,
    WRITES,
    Act,
    CrmAsked,
    Dwelling,
    NamedPlace,
    Reading,
)
from pipeline.text.cleaning import harmless
from pipeline.text.wording import in_digits
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.dates import day_of
from pipeline.understanding.model.inputs import quantities_of
from pipeline.understanding.model.intents import believed_intents, not_lost
from pipeline.understanding.model.schema import HOMES, VIEWS, Reply
from pipeline.understanding.model.verbatim import Claims, span
from pipeline.understanding.model.writes import deals_of, writes_of
from pipeline.understanding.offline.intents import likelihoods
from pipeline.understanding.own_words import flat

MOST_COMMUNES, MORE_SCHEMES, LONGEST_QUERY = 6, 3, 300
ALIKE: Final = 0.8
"""Share of equal letters from which a misspelt name is the commune that a model makes of it."""
LABELS: Final = frozenset((*INTENTS, *ACTS, "none", "null", "x", "string"))
BRIEF: Final = "brief"
"""A view of the reply, a field of a deal."""
EMPTY: Final = re.compile(
    r"avec|dans|pour|une|des|les|est|sont|que|qui|quoi|quel\w*|sur|par|mon|mes|son|ses|leurs?|aux|cette|ces|plus|moins|"
    r"tout|tous|faire|fait|peut|comment|combien|merci|bonjour|svp|stp|query|queries|question"
)
"""Words that any two questions may share."""


@dataclass(frozen=True, slots=True)
class Basis:
    """All that a reply may rest on: the offline reading of the message, its thread, the gazetteer, the moment."""

    draft: Reading
    state: ThreadState
    places: Gazetteer
    asked_at: datetime

    @property
    def text(self) -> str:
        return self.draft.text

    @property
    def today(self) -> date:
        return day_of(self.asked_at)


def checked(reply: Reply, basis: Basis) -> tuple[Reading | None, Claims]:
    """The reading, or None when the reply is not one of this message: more of it fell than stood, no intent is left, or
    nothing stands but an intent that the offline reader did not read."""
    draft, claims = basis.draft, Claims()
    spans = [(place.start, place.end) for place in draft.places]
    likely = likelihoods(draft.text, basis.state.intents, places=spans)
    intents = believed_intents(reply, draft, likely, claims)
    if not intents:
        return None, claims
    intents = not_lost(intents, draft)
    writes, due = writes_of(reply, draft, basis.state, intents=intents, asked_at=basis.asked_at, claims=claims)
    intents = tuple(pair for pair in intents if writes or pair[0] not in WRITES)
    if not intents:
        return None, claims
    names = [name for name, _ in intents]
    number, deals = deals_of(reply, draft, basis.state, names=names, claims=claims)
    found = quantities_of(reply, draft, basis.state, main=names[0], today=basis.today, claims=claims)
    query, queries = _searches(reply, basis, claims)
    reading = replace(
        draft,
        intents=intents,
        quantities=found,
        places=_places(reply, basis, deals, claims),
        deal_id=number,
        deal_names=deals,
        writes=writes,
        due=due or draft.due,
        query=query,
        queries=queries,
        reader="model",
    )
    if reading.places:
        reading = replace(reading, unknown_place="")
    reading = _with_inferences(reading, reply, basis, claims)
    enough = len(claims.stood) > 1 or names[0] in draft.names
    return (reading if enough and len(claims.fell) <= len(claims.stood) else None), claims


def _with_inferences(reading: Reading, reply: Reply, basis: Basis, claims: Claims) -> Reading:
    """With what a model may make out behind other words, and code cannot hold against any: from a reply of which
    nothing fell so far."""
    if claims.fell:
        return reading
    return replace(
        reading,
        act=_act(reply, basis, claims),
        schemes=_schemes(reply, basis.draft, claims),
        dwelling=_home(reply, basis.draft),
        options=_options(reply, basis.draft, claims),
        crm=_crm(reply, basis.draft.crm, reading.names, claims),
    )


def _act(reply: Reply, basis: Basis, claims: Claims) -> Act:
    if not basis.state.intents:
        return "new"
    if reply.act not in ACTS:
        claims.falls("act", reply.act)
        return basis.draft.act
    return reply.act


def _places(reply: Reply, basis: Basis, deals: Sequence[str], claims: Claims) -> tuple[NamedPlace, ...]:
    """Those that rules found in the message, except a town's name that is a client's; and those that only the model
    made out there, or took over from the thread."""
    named = [at for name in deals if (at := span(name, basis.text))]
    known = [p for p in basis.draft.places if not any(p.start < end and p.end > start for start, end in named)]
    for name in dict.fromkeys(reply.communes[:MOST_COMMUNES]):
        if any(flat(name) == flat(place.text) or _called(name, place, basis.places) for place in known):
            claims.stands("commune")
        elif (place := _place(name, basis, named)) is not None:
            known.append(place)
            claims.stands("commune")
        else:
            claims.falls("commune", name)
    return tuple(sorted(known, key=lambda place: place.start))


def _called(name: str, place: NamedPlace, places: Gazetteer) -> bool:
    return any(found is not None and flat(found.name) == flat(name) for found in map(places.get, place.insee))


def _place(name: str, basis: Basis, named: Sequence[tuple[int, int]]) -> NamedPlace | None:
    """A commune of the gazetteer that the message names, misspells or that its thread is about."""
    mentions = basis.places.find(f"à {name.title()}", hints=basis.state.communes)
    if len(mentions) != 1:
        return None
    mention = mentions[0]
    codes = tuple(place.insee for place in mention.places)
    at = span(name, basis.text) or _misspelt(name, basis.text)
    if at is not None and not any(at[0] < end and at[1] > start for start, end in named):
        return NamedPlace(basis.text[at[0] : at[1]], *at, codes, mention.ambiguous)
    held = {code for frame in basis.state.frames for code in (*frame.communes, *frame.candidates)}
    own = tuple(code for code in codes if code in held)
    end = len(basis.text)
    return NamedPlace(name, end, end, own[:1]) if own else None


def _misspelt(name: str, text: str) -> tuple[int, int] | None:
    """The words of the message that look like the name."""
    low, count = flat(name), len(name.split())
    words = list(re.finditer(r"[^\s,.;:!?()]+", flat(text)))
    for index in range(len(words) - count + 1):
        start, end = words[index].start(), words[index + count - 1].end()
        if len(low) >= 5 and SequenceMatcher(None, low, flat(text)[start:end]).ratio() >= ALIKE:
            return start, end
    return None


def _schemes(reply: Reply, draft: Reading, claims: Claims) -> tuple[str, ...]:
    """Those said, and a few that only the model recognised behind other words."""
    said = list(draft.schemes)
    for name in reply.schemes:
        if name not in schemes.schemes() or (name not in said and len(said) >= len(draft.schemes) + MORE_SCHEMES):
            claims.falls("scheme", name)
            continue
        claims.stands("scheme")
        if name not in said:
            said.append(name)
    return tuple(said)


def _home(reply: Reply, draft: Reading) -> Dwelling:
    """The type may be inferred; a number of rooms or a year has to be said."""
    low = in_digits(flat(draft.text))
    rooms = reply.rooms if re.search(rf"(?<!\d){reply.rooms}(?!\d)", low) and reply.rooms >= 1 else None
    year = reply.year if re.search(rf"(?<!\d){reply.year}(?!\d)", low) and reply.year >= 1900 else None
    home = draft.dwelling
    return replace(
        home,
        kind=reply.home if reply.home in HOMES else home.kind,
        rooms=home.rooms or (min(rooms, 5) if rooms else None),
        year=home.year or (None if home.since is not None else year),
    )


def _options(reply: Reply, draft: Reading, claims: Claims) -> frozenset[str]:
    """Those said and those inferred; of two opposites the model's."""
    known = cues.patterns("options")
    now = set(draft.options)
    for name in dict.fromkeys(reply.options):
        if name not in known:
            claims.falls("option", name)
            continue
        for pair in OPPOSITES:
            if name in pair:
                now -= set(pair) - set(reply.options)
        now.add(name)
    return frozenset(now)


def _crm(reply: Reply, draft: CrmAsked, names: Sequence[str], claims: Claims) -> CrmAsked:
    """The view and the bounds of the reply, where it has some."""
    if "crm_read" not in names:
        return draft
    for name in reply.crm_filters:
        if name not in CRM_BOUNDS:
            claims.falls("filter", name)
    bounds = frozenset(reply.crm_filters) & set(CRM_BOUNDS)
    if reply.crm_view not in VIEWS:
        return replace(draft, bounds=bounds or draft.bounds)
    whole = reply.crm_view == BRIEF
    fields = frozenset((BRIEF,)) if whole else draft.fields - {BRIEF}
    return CrmAsked("deal" if whole else reply.crm_view, 1.0, fields, bounds or draft.bounds)


def _searches(reply: Reply, basis: Basis, claims: Claims) -> tuple[str, tuple[str, ...]]:
    """(the line that stands alone, further searches): each about this message, or about its thread when it goes on: a
    third of its words at least."""
    own = _telling(basis.text)
    if basis.state.intents and reply.act != "new":
        own |= {word for said in basis.state.said for word in _telling(said)}
    figures = set(re.findall(r"\d+", " ".join((basis.text, *basis.state.said))))
    kept: list[str] = []
    for said in (reply.query, *reply.queries):
        line = " ".join(harmless(said).split())
        if not line:
            continue
        fits = len(line) <= LONGEST_QUERY and flat(line) not in {flat(query) for query in kept}
        invented = set(re.findall(r"\d+", line)) - figures
        told = _telling(line)
        if fits and not invented and flat(line) not in LABELS and told and 3 * len(told & own) >= len(told):
            kept.append(line)
            claims.stands("query")
        else:
            claims.falls("query", line)
    main = kept[0] if kept and reply.query and kept[0] == " ".join(harmless(reply.query).split()) else ""
    return main or basis.draft.query, tuple(query for query in kept if query != main)[:MOST_QUERIES]


def _telling(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9]{3,}", flat(text).replace("_", " "))
    return {word[:6] for word in words if not EMPTY.fullmatch(word)}
