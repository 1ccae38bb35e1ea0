"""The reader that needs no model: what it learned says what a message is for and what its numbers are; rules read
ids, amounts, dates and communes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import structlog

from corpus.errors import EmbedderUnavailable
from corpus.places import Gazetteer, Mention
from corpus.ports import Embedder
from pipeline import schemes
from pipeline.crm_types import Mentioned
from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Intent, Quantity, Reading
from pipeline.text.names import folded
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import day_of
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.named_amounts import with_amounts
from pipeline.understanding.named_calculations import Named, named_calculation
from pipeline.understanding.offline.addresses import address_of
from pipeline.understanding.offline.behind import asks_behind, hardly_a_sum, lines_behind, surest
from pipeline.understanding.offline.beside import alternatives
from pipeline.understanding.offline.cases import as_case, may_be_a_sum
from pipeline.understanding.offline.clients import clients_named
from pipeline.understanding.offline.counted import replaced, zeroed
from pipeline.understanding.offline.crm_asked import crm_asked
from pipeline.understanding.offline.deals import deal_of, deal_said, field_of_deal, number_said, somebody
from pipeline.understanding.offline.dwellings import dwelling_of
from pipeline.understanding.offline.fields import Field, fields
from pipeline.understanding.offline.intents import (
    ALSO,
    Scored,
    implied_calculation,
    model_of,
    read_intents,
    with_topics,
)
from pipeline.understanding.offline.leftover import with_leftovers
from pipeline.understanding.offline.orders import cancels, outside_quotes
from pipeline.understanding.offline.places import blanked, crm_aside, named_places
from pipeline.understanding.offline.putting_right import (
    SURE,
    as_asked,
    asked_or_written,
    of_its_calculation,
    of_somebody,
    of_the_field,
)
from pipeline.understanding.offline.tagging import is_amount, tagged
from pipeline.understanding.offline.writes import writes_of
from pipeline.understanding.own_words import flat, own_words, questions_of, says_something, without_politeness
from pipeline.understanding.situations import asked_of

log = structlog.get_logger()

NOBODY: Final = Mentioned()
SHORT: Final = 5
"""Words up to which a message may merely name another place."""


class OfflineReader:
    """`embedder` None, or one that fails: the words alone are read."""

    name = "offline"

    def __init__(self, embedder: Embedder | None, *, places: Gazetteer) -> None:
        self._embedder = embedder
        self._places = places

    async def read(self, question: Question, state: ThreadState) -> Reading:
        """What the message says. Never raises for any text."""
        text = own_words(question.text).text
        vector = await self._vector(text)
        outside = outside_quotes(text)
        own = None if outside == text or not says_something(outside) else (outside, await self._vector(outside))
        alone = questions_of(text)
        asking = None if alone == text else (alone, await self._vector(alone))
        reading = await asyncio.to_thread(
            read,
            text,
            vector,
            state,
            places=self._places,
            asked_at=question.asked_at,
            own=own,
            asking=asking,
            mentioned=question.mentioned,
        )
        asked = asked_of(text)
        if asked is None:
            if vector is None or not (state.frames or may_be_a_sum(reading)):
                return reading
            if state.frames:
                return await self._behind(reading, state, question)
            return await asyncio.to_thread(as_case, reading, text, (vector, vector), places=self._places, short=True)
        vectors = vector, await self._vector(asked)
        return await asyncio.to_thread(as_case, reading, asked, vectors, places=self._places)

    async def _behind(self, reading: Reading, state: ThreadState, question: Question) -> Reading:
        """The message as the sum that it asks for behind what the thread was asked before it, if it is one; what is
        hardly a sum as what it surely is, alone or behind that."""
        if hardly_a_sum(reading, state):
            lines = (reading.text, f"{state.said[-1]} {reading.text}")
            read_so = [await self._whole(line, question) for line in lines]
            return await asyncio.to_thread(surest, read_so, places=self._places)
        for line in lines_behind(reading, state):
            whole, vector = await self._whole(line, question)
            whole = await asyncio.to_thread(as_case, whole, line, (vector, vector), places=self._places, short=True)
            if asks_behind(whole, reading, line):
                return whole
        return reading

    async def _whole(self, line: str, question: Question) -> tuple[Reading, Floats | None]:
        """A line as the first message of a thread, and its vector."""
        vector, at = await self._vector(line), question.asked_at
        whole = await asyncio.to_thread(
            read, line, vector, ThreadState(), places=self._places, asked_at=at, mentioned=question.mentioned
        )
        return whole, vector

    async def _vector(self, text: str) -> Floats | None:
        if self._embedder is None:
            return None
        try:
            vector: Floats = (await self._embedder.queries([text]))[0]
            return vector
        except EmbedderUnavailable as error:
            log.warning("reader_without_vector", reason=str(error))
            return None


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it is being read: flattened, with its towns, its fields for the CRM and its numbers."""

    text: str
    low: str
    intents: Scored
    mentions: tuple[Mention, ...]
    cut: tuple[Field, ...]
    found: tuple[Quantity, ...]
    today: date
    named: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.intents]

    @property
    def crm(self) -> bool:
        return any(name.startswith("crm") for name in self.names)


def read(
    text: str,
    vector: Floats | None,
    state: ThreadState,
    *,
    places: Gazetteer,
    asked_at: datetime,
    own: tuple[str, Floats | None] | None = None,
    asking: tuple[str, Floats | None] | None = None,
    mentioned: Mentioned = NOBODY,
) -> Reading:
    """A pure function of the message, its vector and its thread. `own`: what of it is not quoted, with its vector;
    `asking`: its questions alone, the same way; `mentioned`: who and what of the CRM."""
    mentions = places.find(text, hints=state.communes)
    spans = [(mention.start, mention.end) for mention in mentions]
    intents, act = read_intents(text, vector, state, places=spans, own=own)
    crm = crm_asked(*(asking or (text, vector)), state, places=places)
    intents = as_asked(of_somebody(intents, text, spans, begun=bool(state.frames)), text, crm, state, mentioned)
    message = _message(text, intents, mentions, state, places=places, asked_at=asked_at)
    number, deals, known = _deals(message, text, spans, mentioned)
    writes, day = writes_of(text, [n for n, _ in message.intents if n in WRITES], message.cut, asked_at=asked_at)
    apart = crm_aside(message.cut) if message.crm else ()
    where, unknown = named_places(text, message.mentions, apart=apart, amounts=message.found, places=places)
    without = blanked(message.low, where)
    spoken_of = message.crm or number or any(name.startswith("crm") for name in state.intents[-2:])
    return Reading(
        text=text,
        intents=message.intents,
        act="new" if intents[0][0] == "crm_read" and crm.likely >= SURE else act,
        quantities=message.found,
        places=where,
        unknown_place=unknown,
        address=address_of(text),
        schemes=schemes.said_in(without),
        dwelling=dwelling_of(without, today=message.today),
        options=frozenset((*cues.said("options", message.low), *message.named)),
        zeroed=zeroed(message.low),
        replaced=replaced(message.low, message.found),
        deal_id=number if message.crm or number_said(text) else None,
        deal_names=deals if spoken_of else (),
        clients=known,
        colleagues=mentioned.colleagues,
        crm=crm,
        writes=writes,
        due=day,
        query=without_politeness(text),
        asked_on=message.today,
        cancels=cancels(text),
        alternatives=alternatives(message.low, message.found),
    )


def _message(
    text: str,
    intents: Scored,
    mentions: Sequence[Mention],
    state: ThreadState,
    *,
    places: Gazetteer,
    asked_at: datetime,
) -> Message:
    """Fields, towns and numbers, each in the light of what the message is for; and what the numbers say of that."""
    low, names = flat(text), [name for name, _ in intents]
    today = day_of(asked_at)
    crm = any(name.startswith("crm") for name in names)
    cut = fields(text, names if crm else ["crm_read"], model=model_of("fields"))
    if _about_a_place(text, names, state):
        mentions = places.find_expected(text, hints=state.communes, apart=crm_aside(cut) if crm else ())
    found = tagged(text, low, mentions, [names[0], *state.intents[-1:]], today)
    intents = asked_or_written(of_its_calculation(intents, state), low, cut, state)
    intents = of_the_field(intents, names, low, counted=bool(found or state.frames))
    named = _named(text, low, mentions, names, found, state, today)
    if named is not None:
        beside = mentions and named.kind == "market" and len(found) > 1  # its own median, where a town is named
        intents = ((named.intent, 1.0), *((("prices", ALSO),) if beside else ()))
        found = with_amounts(tagged(text, low, mentions, [named.intent, *state.intents[-1:]], today), named, low)
    elif cue("options.wants_income").search(low) and any(q.role in ("monthly_cap", "loan_amount") for q in found):
        intents = (("calc_capacity", SURE),)  # an income that is asked for an instalment or a loan
    elif implied := implied_calculation(
        found,
        intents,
        state,
        named=any(not is_amount(m, low, counts=False) for m in mentions),
        net_net=cue("options.net_net").search(low) is not None,
    ):
        intents = ((implied, intents[0][1]), *intents)
    if mentions or names[0] == "out_of_field" or cues.said("price_list", low):
        intents = with_topics(intents, low)
    elif names[0] in (*PLACE_INTENTS, "rules") and intents[0][1] < SURE and deal_said(text):
        about = tuple(pair for pair in intents if pair[0] in PLACE_INTENTS)
        intents = (("crm_read", intents[0][1]), *about)  # « quel DPE pour le dossier Benali »: the deal holds its place
    elif names == ["rules"] and deal_said(text) and (cues.first("crm_view", low) == "brief" or field_of_deal(low)):
        intents = (("crm_read", SURE),)  # « quoi de neuf sur le dossier Dupont résidence principale »
    if named is None:
        found = with_leftovers(found, intents[0][0])
    counts = intents[0][0] in CALCULATIONS
    kept = tuple(mention for mention in mentions if not is_amount(mention, low, counts=counts))
    return Message(text, low, intents, kept, cut, found, today, (named.kind,) if named else ())


def _named(
    text: str, low: str, mentions: Sequence[Mention], names: Sequence[Intent], found: Sequence[Quantity],
    state: ThreadState, today: date,
) -> Named | None:  # fmt: skip
    """The small calculation of the message; where its words name one, a number is an amount before it is a postcode."""
    found = found or tagged(text, low, mentions, ["calc_yield"], today)
    return named_calculation(low, found, names[0], state)


def _about_a_place(text: str, names: Sequence[str], state: ThreadState) -> bool:
    """Whether communes are expected, however they are written: « prix angers », « et gujan »."""
    goes_on = state.focus is not None and state.focus.kind in PLACE_INTENTS and len(text.split()) <= SHORT
    return bool(set(names) & set(PLACE_INTENTS)) or goes_on or len(cues.said("topic", flat(text))) > 1


def _deals(
    message: Message, text: str, spans: Sequence[tuple[int, int]], mentioned: Mentioned
) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    """(number, names) of the deals, of the clients whom the CRM knows, that is pointed at, or by what was learned to be
    a name; and these clients."""
    known, (number, deals) = clients_named(text, mentioned.clients), deal_of(text, message.cut)
    deals = tuple(name for name in deals if folded(name) not in mentioned.colleagues)
    if known:
        return number, (*known, *(name for name in deals if not _same(name, known))), known
    if not number and mentioned.deal_id:
        return mentioned.deal_id, (), ()
    if not number and not deals and message.names == ["crm_read"] and (name := somebody(text, spans)):
        return number, (name,), ()
    return number, deals, ()


def _same(name: str, known: Sequence[str]) -> bool:
    """Whether a name that was learned to be one is a part of a client's, or the other way round."""
    return any(flat(name) in flat(one) or flat(one) in flat(name) for one in known)
