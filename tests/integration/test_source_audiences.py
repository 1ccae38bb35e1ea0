"""A team's sources through the whole way from row to passages: what a place may read follows from the place alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.conversations.reply import question_of
from bot.documents.listing import listing
from bot.documents.uploads import here
from bot.ports import Visitor
from bot.store import answers, inbox, sources, threads
from bot.store.database import Database
from bot.store.inbox import Inbound
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Document
from pipeline.retrieval.retriever import retrieve
from pipeline.types import Question, Route
from tests.beginnings import migrated

PLACES = {
    ("T1", here("CPRIVE")): "le gardien, la piscine, le tennis et l'arrosage des pelouses",
    ("T1", here("DCAMILLE")): "un chauffage collectif au gaz, l'eau froide et la chaufferie",
    ("T1", PUBLIC_AUDIENCE): "un ascenseur, son contrat d'entretien et sa téléalarme",
    ("T2", PUBLIC_AUDIENCE): "le ravalement de la façade et l'étanchéité des terrasses",
}
QUERY = "Quelles sont les charges de copropriété aux Tilleuls ?"


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    """A sentence for each place; the rest of each differs, for the retriever drops what says the same."""
    index = EmbeddedIndex(tmp_path / "corpus.sqlite3")
    for (team, audience), words in PLACES.items():
        document = Document(
            id=f"file:{team}-{audience}",
            title="Charges",
            url="https://slack/f",
            text=f"Aux Tilleuls, les charges de copropriété comprennent {words}.",
            category="methodology",
            audience=audience,
        )
        await ingest([document], index=index, embedder=None, tenant=team)
    yield index
    await index.aclose()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(migrated(tmp_path / "audiences.sqlite3"))
    yield database
    database.close()


async def _found(
    database: Database, index: EmbeddedIndex, *, team: str, channel: str, visitor: Visitor | None
) -> set[str]:
    message = Inbound(team, f"Ev-{team}-{channel}", channel, "channel", "1.1", "1.1", "U1", QUERY, visitor=visitor)
    await database.write(lambda c: inbox.accept(c, message, enqueue=lambda *_: None))
    question = await database.read(lambda c: question_of(c, answers.get(c, message.answer_id)))
    found = await retrieve(Route("rag", "ask", QUERY), question, index=index, embedder=None)
    return {passage.document_id for passage in found.passages}


@pytest.mark.parametrize(
    ("team", "channel", "seen"),
    [
        ("T1", "CAUTRE", {"file:T1-public"}),
        ("T1", "CPRIVE", {"file:T1-public", "file:T1-channel:CPRIVE"}),
        ("T1", "DCAMILLE", {"file:T1-public", "file:T1-channel:DCAMILLE"}),
        ("T2", "CPRIVE", {"file:T2-public"}),
        ("T3", "CPRIVE", set()),
    ],
)
async def test_nothing_crosses_teams_or_private_places(
    database: Database, index: EmbeddedIndex, team: str, channel: str, seen: set[str]
) -> None:
    """Promise 6, for what people added: another team that has a channel of the same id sees nothing of it."""
    visitor = Visitor("member", "U1", team, shared_channel=False)
    assert await _found(database, index, team=team, channel=channel, visitor=visitor) == seen


UNTRUSTED = pytest.mark.parametrize(
    "visitor",
    [
        Visitor("guest", "U1", "T1", shared_channel=False),
        Visitor("outsider", "U1", "T2", shared_channel=False),
        Visitor("member", "U1", "T1", shared_channel=True),
        None,
    ],
    ids=["guest", "outsider", "member in a shared channel", "nobody looked"],
)


@UNTRUSTED
async def test_who_is_not_trusted_finds_no_file_of_the_team(
    database: Database, index: EmbeddedIndex, visitor: Visitor | None
) -> None:
    """Neither those of this very conversation nor those of the whole team."""
    assert await _found(database, index, team="T1", channel="CPRIVE", visitor=visitor) == set()


async def test_the_list_is_bounded_like_the_answers(database: Database, index: EmbeddedIndex) -> None:
    """Also when words of the content are searched: a private file's name is no less private than its text."""
    for team, audience in PLACES:
        await database.write(
            lambda c, t=team, a=audience: sources.add(  # type: ignore[misc]
                c, f"file:{t}-{a}", team_id=t, kind="md", name=a, url="", audience=a, state="ready", added_by="U1"
            )
        )
    words = "gardien piscine"
    hidden = await listing(database, index, team_id="T1", channel="CAUTRE", words=words)
    shown = await listing(database, index, team_id="T1", channel="CPRIVE", words=words)
    assert (hidden.rows, hidden.total) == ((), 1)
    assert [row["name"] for row in shown.rows] == ["channel:CPRIVE"]
    assert (await listing(database, index, team_id="T2", channel="CPRIVE", words="")).total == 1


async def test_files_of_the_command_line_are_counted(database: Database, index: EmbeddedIndex) -> None:
    """They have no row, and answers cite them: a list that kept silent about them would not be the whole truth."""
    for tenant, name in (
        ("shared", "file:/notes/bail.md"),
        ("shared", "own:honoraires"),
        ("T1", "file:/notes/lots.csv"),
    ):
        document = Document(name, "Notes", "", "Le bail court jusqu'en mai.", "methodology")
        await ingest([document], index=index, embedder=None, tenant=tenant)
    seen = [await listing(database, index, team_id=team, channel="CAUTRE", words="") for team in ("T1", "T2")]
    assert [found.by_command for found in seen] == [3, 2]
    assert [found.built_in for found in seen] == [0, 0]


@UNTRUSTED
async def test_who_is_not_trusted_asks_with_public_rights_alone(database: Database, visitor: Visitor | None) -> None:
    """Neither the team's tenant, nor this conversation's audience, nor the deal that a colleague tied the thread to."""
    asked = await _question(database, visitor)
    assert (asked.tenants, asked.audience) == ((SHARED_TENANT,), frozenset({PUBLIC_AUDIENCE}))
    assert (asked.deal_id, bool(asked.crm_closed)) == (None, True)


async def test_a_member_asks_with_those_of_the_place(database: Database) -> None:
    """The same thread, its deal remembered."""
    asked = await _question(database, Visitor("member", "U1", "T1", shared_channel=False))
    assert (asked.tenants, asked.audience) == ((SHARED_TENANT, "T1"), frozenset({PUBLIC_AUDIENCE, here("C1")}))
    assert (asked.deal_id, asked.crm_closed) == ("9001", "")


async def _question(database: Database, visitor: Visitor | None) -> Question:
    message = Inbound("T1", "Ev1", "C1", "channel", "1.1", "1.1", "U1", QUERY, visitor=visitor)
    await database.write(lambda c: inbox.accept(c, message, enqueue=lambda *_: None))
    await database.write(lambda c: threads.tie_to_deal(c, team_id="T1", thread_key="C1:1.1", deal_id="9001"))
    return await database.read(lambda c: question_of(c, answers.get(c, message.answer_id)))


@pytest.mark.parametrize(
    ("visitor", "shared", "trusted"),
    [("member", False, True), ("member", None, False), (None, False, False), ("member", True, False)],
)
def test_what_a_row_does_not_say_is_not_trusted(visitor: str | None, shared: bool | None, trusted: bool) -> None:
    """Rows from before somebody looked who asks."""
    row = {"visitor": visitor, "shared_channel": shared, "visitor_team": "T1", "asked_by": "U1"}
    assert answers.visitor_of(row).trusted is trusted
