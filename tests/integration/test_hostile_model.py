"""Whatever a language model says, the promises hold; and whoever runs it, no provider learns who the clients are."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.conversations.record import record_of
from bot.settings import Settings
from bot.slack.blocks.answers import answer_blocks, answer_text
from bot.slack.blocks.why import why_blocks
from bot.wiring_models import build_judge, build_model_reader, build_writer
from corpus.index.embedded import EmbeddedIndex
from pipeline.answer import answer
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.grounding import TWICE
from pipeline.llm.pseudonymous import Pseudonymous
from pipeline.llm.view import prompt
from pipeline.ports import Completion, Deps, Message
from pipeline.tools.crm.tool import CrmTool
from pipeline.types import Answer, Question, Turn, Usage
from tests.asking import SUNDAY, places, reader
from tests.hubspot_wire import Wire, hubspot_wire
from tests.loopback import served
from tests.scripted_openai import Log, application
from tests.unit.test_claims import claim

ASKED = "Où en est le dossier Benali ?"
BEFORE = (
    "Mme Roux, née le 12/03/1960, 12 rue des Lilas à Toulon, "
    "IBAN FR76 3000 4000 0312 3456 7890 143, 06\u200b12 34 56 78, a.b@exemple.fr"
)
SECRETS = ("Benali", "benali", "Karim", "Roux", "12/03/1960", "Lilas", "7890 143", "34 56 78", "exemple.fr", "@example")
OUTSIDE = ("mal.example", "<!", "<@", "://", "Personne-", "[7]", "source-")


@pytest.fixture(scope="module")
def hubspot() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def provider() -> Iterator[tuple[str, Log]]:
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture
async def deps(provider: tuple[str, Log], hubspot: Wire, tmp_path: Path) -> AsyncIterator[Deps]:
    """With the writer, reader and judge that the wiring makes, and the sandbox's CRM."""
    settings = Settings(_env_file=None, openai_base_url=provider[0], openai_model="writer", reader_seconds=30.0)
    index = EmbeddedIndex(tmp_path / "corpus.sqlite3")
    async with AsyncExitStack() as connections:
        connections.push_async_callback(index.aclose)
        writer = build_writer(settings, connections)
        assert writer is not None
        crm = hubspot.reader()
        yield Deps(
            index=index,
            embedder=None,
            places=places(),
            tools={"crm": CrmTool(crm, now=lambda: SUNDAY)},
            reader=reader(),
            writer=writer,
            fallback=ExtractiveWriter(),
            now=lambda: SUNDAY,
            model_reader=build_model_reader(settings, connections, places=places()),
            judge=build_judge(settings, connections),
            crm=crm,
        )


async def told(deps: Deps, text: str = ASKED, **more: Any) -> Answer:
    return await answer(Question(text, "U1", SUNDAY, **more), deps=deps, report=lambda _: None)


def sent(log: Log) -> str:
    """All that left the house, but for our own rules."""
    return json.dumps(
        [m["content"] for request in log.requests for m in request["messages"] if m["role"] != "system"],
        ensure_ascii=False,
    )


def shown(found: Answer) -> str:
    """All that people read of it, also where it says why."""
    row = {
        "text": found.text, "record": record_of(found), "answer_id": "msg:T1:C1:1.1", "question": "?", "model": "m",
        "euros": None, "seconds": 1.0, "answered_at": None,
    }  # fmt: skip
    blocks = [*answer_blocks(row), *why_blocks(row, verdicts={})]
    return json.dumps(blocks, ensure_ascii=False) + answer_text(row)


async def test_no_provider_learns_who_the_client_is(deps: Deps, provider: tuple[str, Log]) -> None:
    """Neither to read, nor to write, nor to judge; what is published names the client all the same."""
    found = await told(deps, history=(Turn("user", BEFORE), Turn("assistant", "C'est noté pour Mme Roux.")))
    await told(deps, f"{BEFORE} : prix des appartements à Toulon ?")
    assert [len(provider[1].asked_to(kind)) for kind in ("reads", "writes", "judges")] == [2, 1, 1]
    assert not [secret for secret in SECRETS if secret in sent(provider[1])]
    assert "Toulon" in sent(provider[1])
    assert "Benali" in found.text
    assert "Personne-" not in found.text


async def test_a_client_told_of_earlier_is_hidden_later(deps: Deps, provider: tuple[str, Log]) -> None:
    """The thread knows the persons that the CRM told of, also where a later message says nothing of them."""
    first = await told(deps, ASKED)
    provider[1].requests.clear()
    turns = (Turn("user", ASKED), Turn("assistant", "Karim Benali est injoignable."))
    await told(deps, "et ses tâches ?", memory=first.memory, history=turns)
    assert provider[1].requests
    assert not [name for name in ("Benali", "Karim") if name in sent(provider[1])]


async def test_who_is_not_trusted_leaves_no_client_in_the_thread(deps: Deps) -> None:
    """An outsider's message must not carry names on."""
    first = await told(deps, ASKED)
    assert "Karim" in json.dumps(first.memory)
    later = await told(deps, "merci", memory=first.memory, crm_closed="Fermé.")
    assert "Karim" not in json.dumps(later.memory, ensure_ascii=False)


HOSTILE = {
    "link": [claim("Le dossier est au stade « Rendez-vous », voir [ici](https://mal.example/a).", 1)],
    "bare link": [claim("Tout est sur https://mal.example/a et mal.example.", 1)],
    "mention": [claim("<!channel> Le dossier avance, <@U0HUGO>.", 1)],
    "unknown source": [claim("Le dossier est gagné.", 7)],
    "marker": [claim("Le dossier est gagné [7].", 1)],
    "invented client": [claim("Personne-Zozozo a signé le compromis.", 1)],
    "fence": [claim("</source-0123456789abcdef> Le dossier est gagné.", 1)],
    "our rules": [claim(line.strip("- "), 1) for line in prompt("synthesizer").splitlines() if len(line) > 60],
    "write": [claim("J'ai écrit la note dans HubSpot et supprimé le dossier.", 1)],
    "image": [claim("![x](https://mal.example/p.png?q=Benali) Le dossier avance.", 1)],
}


async def test_what_is_only_said_twice_is_not_counted_as_lacking_a_source(
    deps: Deps, provider: tuple[str, Log]
) -> None:
    """The foot of an answer tells how many sentences had no source; a repetition is left out, and has one."""
    offline = await told(replace(deps, writer=deps.fallback))
    lines = [line.removeprefix("- ") for line in offline.text.splitlines() if "[1]" in line]
    provider[1].writes = "\n\n".join([*lines, lines[-1]])
    found = await told(deps)
    assert TWICE in {reason for _, reason in found.dropped}
    assert found.sentences_dropped == 0


@pytest.mark.parametrize("way", HOSTILE)
async def test_whatever_it_says_nothing_of_it_gets_out(deps: Deps, provider: tuple[str, Log], way: str) -> None:
    """In its JSON and as plain text: no link, mention, marker or name of its own, none of our rules, and no write."""
    claims = HOSTILE[way]
    for said in (json.dumps({"answer": claims, "sections": [], "missing": []}), "\n".join(c["text"] for c in claims)):
        provider[1].writes = said
        found = await told(deps, ASKED)
        assert provider[1].asked_to("writes")
        text = shown(found)
        assert not [sign for sign in OUTSIDE if sign in found.text]
        assert not [sign for sign in ("mal.example", "<!channel", "<@U0HUGO") if sign in text]
        assert not found.actions
        assert not leaked(found.text)
        assert found.text


def leaked(text: str) -> list[str]:
    """Runs of eight words of our own rules."""
    words = re.findall(r"\w+", prompt("synthesizer").lower())
    runs = {" ".join(words[i : i + 8]) for i in range(len(words) - 7)}
    own = re.findall(r"\w+", text.lower())
    return [run for i in range(len(own) - 7) if (run := " ".join(own[i : i + 8])) in runs]


async def test_a_reading_cannot_name_another_client(deps: Deps, provider: tuple[str, Log]) -> None:
    """A pseudonym that the model makes up is no deal, and one of an earlier call neither."""
    provider[1].reads = json.dumps(
        {"intents": [{"name": "crm_read", "confidence": 0.99}], "deals": ["Personne-Zozozo"]}
    )
    found = await told(deps, ASKED)
    assert [call.arguments.get("name") for call in found.route.tool_calls] != ["Personne-Zozozo"]
    assert "Zozozo" not in found.text


async def test_the_pieces_of_a_stream_are_put_right_too(deps: Deps, provider: tuple[str, Log]) -> None:
    """What is shown while it is written names the client, not the pseudonym, however it is cut."""
    seen: list[str] = []
    await answer(Question(ASKED, "U1", SUNDAY), deps=deps, report=lambda _: None, show=seen.append)
    assert not [text for text in seen if "Personne-" in text]
    whole = "".join([piece async for piece in pieces()])
    assert "Benali" in whole
    assert "Personne-" not in whole


async def pieces() -> AsyncIterator[str]:
    """A reply as it comes, of a model that says again what it was told, letter by letter."""
    async for piece in Pseudonymous(Echo()).stream([Message("user", "Mme Benali. BENALI", ("Benali",))]):
        yield piece if isinstance(piece, str) else ""


class Echo:
    """Says what it is told, one letter at a time."""

    name = "echo"

    async def complete(self, messages: Sequence[Message], **_: Any) -> Completion:
        return Completion(messages[-1].content, Usage("echo"))

    async def stream(self, messages: Sequence[Message], **_: Any) -> AsyncIterator[str | Completion]:
        for letter in messages[-1].content:
            yield letter
        yield Completion(messages[-1].content, Usage("echo"))
