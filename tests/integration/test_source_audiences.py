"""A team's sources through the whole way from row to passages: what a place may read follows from the place alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.conversations.reply import question_of
from bot.documents.listing import listing
from bot.documents.uploads import here
from bot.store import answers, inbox, sources
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.migrations import migrate_database
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.types import PUBLIC_AUDIENCE, Document
from pipeline.retriever import retrieve
from pipeline.types import Route

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
    url = f"sqlite:///{tmp_path}/audiences.sqlite3"
    migrate_database(url)
    database = Database(url)
    yield database
    database.close()


async def _found(database: Database, index: EmbeddedIndex, *, team: str, channel: str) -> set[str]:
    message = Inbound(team, f"Ev-{team}-{channel}", channel, "channel", "1.1", "1.1", "U1", QUERY)
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
    assert await _found(database, index, team=team, channel=channel) == seen


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
