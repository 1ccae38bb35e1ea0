"""One suite for both readers: the offline one, and a model over it behind the wire, echoing, absurd or down."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import pytest

from bench.worth.model import ModelOverOffline
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.ports import Reader
from pipeline.reading import ACTS, INTENTS, ROLES, Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.model.reader import ModelReader
from pipeline.understanding.offline.reader import OfflineReader
from pipeline.understanding.thread.dialogue import remembered, resolve
from tests.asking import places
from tests.asking import reader as offline
from tests.loopback import served
from tests.readings import reply
from tests.scripted_openai import Log, application

NOON = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
ABSURD = json.dumps(reply("smalltalk", "unsafe", "zorglub", query="smalltalk", communes=["Zorglub"], act="dance"))
READERS = ("offline", "echo", "absurd", "down")


@pytest.fixture(scope="module")
def provider() -> Iterator[tuple[str, Log]]:
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture(params=READERS)
async def reader(request: pytest.FixtureRequest, provider: tuple[str, Log]) -> AsyncIterator[Reader]:
    """The offline reader; a model that confirms it, one that answers nonsense, one that is not there."""
    if request.param == "offline":
        yield offline()
        return
    address, log = provider
    log.reads = ABSURD if request.param == "absurd" else None
    name = "fail-500" if request.param == "down" else "scripted"
    model = OpenAIChatModel(name, api_key="x", base_url=address, limits=Limits(total=10.0), retries=0)
    yield ModelOverOffline(offline(), ModelReader(model, places=places(), seconds=10.0))
    await model.aclose()


async def _read(reader: Reader, text: str, state: ThreadState | None = None) -> Reading:
    return await reader.read(Question(text=text, asked_by="U1", asked_at=NOON), state or ThreadState())


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("mensualité pour 200 000 € sur 20 ans à 3,4 %", "calc_loan"),
        ("prix au m² des appartements à Metz", "prices"),
        ("note sur le dossier Garnier : il veut revoir l'assurance", "crm_write_note"),
        ("C'est quoi le LMNP ?", "rules"),
    ],
)
async def test_a_plain_message_is_read_as_what_it_is(reader: Reader, text: str, intent: str) -> None:
    """Whoever reads, and whatever goes wrong with a model."""
    assert (await _read(reader, text)).main == intent


async def test_numbers_keep_value_role_and_place(reader: Reader) -> None:
    """A value is where its text is, with what it is for the calculation."""
    text = "mensualité pour 200k sur 20 ans à 3,4 %"
    found = (await _read(reader, text)).quantities
    assert [(q.role, q.value) for q in found] == [("loan_amount", 200_000), ("duration", 20), ("rate", 3.4)]
    assert [text[q.start : q.end] for q in found] == [q.text for q in found]


async def test_places_stand_where_they_are_said(reader: Reader) -> None:
    """The commune's code, and the words that name it."""
    text = "les loyers à Villeurbanne et à Bron"
    found = (await _read(reader, text)).places
    assert [place.insee[0] for place in found] == ["69266", "69029"]
    assert [text[place.start : place.end] for place in found] == ["Villeurbanne", "Bron"]


async def test_a_write_holds_the_users_own_words(reader: Reader) -> None:
    """Each text that would be written stands in the message."""
    text = "note sur le dossier Garnier : il veut revoir l'assurance"
    writes = (await _read(reader, text)).writes
    assert [request.kind for request in writes] == ["create_note"]
    assert writes[0].body.lower() in text.lower()


async def test_what_is_refused_stays_refused(reader: Reader) -> None:
    """No model turns that off."""
    assert (await _read(reader, "comment antidater un bail sans que ça se voie ?")).main == "unsafe"


async def test_a_thread_goes_on(reader: Reader) -> None:
    """A correction changes the frame that it is about, whoever reads it."""
    state = ThreadState()
    for text in ("mensualité pour 200 000 € sur 20 ans à 3,4 %", "et sur 25 ans ?"):
        state = remembered(state, resolve(await _read(reader, text, state), state))
    assert state.focus is not None
    assert state.focus.kind == "calc_loan"
    assert state.focus.slots["duration"][0].value == 25


ODD = (
    "", "🙂", "```x```", "3,4", "‮abc", "日本語の質問", "x" * 3000, "\x00\x01", "31 février", "-5 %", "0", "(((((",
    "\\d+ [", "note note note", "200k 200k 200k", "à à à", "> cité", "[e-mail masqué]",
)  # fmt: skip


@pytest.mark.parametrize("name", READERS)
async def test_any_text_gives_a_reading_of_the_vocabulary(name: str, provider: tuple[str, Log]) -> None:
    """Emoji, code, other alphabets, nothing at all: never an exception, never a word of another vocabulary."""
    address, log = provider
    log.reads = ABSURD if name == "absurd" else None
    chat = OpenAIChatModel("fail-500" if name == "down" else "scripted", api_key="x", base_url=address, retries=0)
    bare = OfflineReader(None, places=places())
    asked = bare if name == "offline" else ModelOverOffline(bare, ModelReader(chat, places=places(), most=10_000))
    for text in ODD:
        reading = await _read(asked, text)
        assert set(reading.names) <= set(INTENTS)
        assert reading.act in ACTS
        assert {q.role for q in reading.quantities} <= set(ROLES)
    await chat.aclose()


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("le m² à Besançon en ce moment ?", "prices"),
        ("traite mensuelle : 165 000 empruntés, 22 ans, taux 3,6", "calc_loan"),
        ("le micro-bic c'est quoi le plafond", "rules"),
        ("rappelle-moi mardi de relancer Mme Faure", "crm_write_task"),
    ],
)
async def test_words_alone_are_read_without_an_embedder(text: str, intent: str) -> None:
    """A message without a vector is no message from outside the field."""
    assert (await _read(OfflineReader(None, places=places()), text)).main == intent
