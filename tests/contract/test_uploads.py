"""Who decides on a dropped file, once, and what each team and conversation may see, on SQLite and PostgreSQL."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.documents import uploads
from bot.documents.uploads import Clicker
from bot.ports import Visitor, VisitorKind
from bot.slack.files import DroppedFile
from bot.store import answers, inbox, sources, threads
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.tables import Row

pytest_plugins = ("tests.contract.databases",)

MESSAGE = Inbound("T1", "Ev1", "C1", "channel", "1.1", "1.1", "U1", "voici")
FILE = DroppedFile("F1", "bail.pdf", "pdf", 1_000, "https://slack/bail.pdf")


def clicker(user: str, *, team: str = "T1", home: str = "T1", kind: VisitorKind = "member", **more: Any) -> Clicker:
    """Who clicked on what is `team`'s, from a team of their own."""
    return Clicker(Visitor(kind, user, home, shared_channel=False), team=team, **more)


OWNER = clicker("U1")


async def _offered(database: Database, message: Inbound = MESSAGE, *files: DroppedFile) -> list[Row]:
    await database.write(lambda c: uploads.offer(c, message, files or (FILE,)))
    where = {"team_id": message.team_id, "channel": message.channel, "message_ts": message.ts}
    return await database.read(lambda c: sources.of_message(c, **where))


async def _take(
    database: Database, row: Row, jobs: list[Any], *, by: Clicker = OWNER, scope: uploads.Scope = "here"
) -> str:
    decision = await database.write(
        lambda c: uploads.take(c, row["source_id"], scope=scope, by=by, enqueue=lambda _c, *job: jobs.append(job))
    )
    return decision.verdict


async def _ready(database: Database, row: Row, **values: Any) -> None:
    await database.write(
        lambda c: sources.move(
            c, row["source_id"], team_id=row["team_id"], expected=("offered", "adding"), to="ready", **values
        )
    )


async def test_offered_again_a_file_keeps_its_one_row(database: Database) -> None:
    """A repeated job adds nothing; the files stand in their message's order, under ids that nobody can guess."""
    second = replace(FILE, file_id="F2", name="plan.pdf", trouble="Ce fichier est vide.")
    first = await _offered(database, MESSAGE, FILE, second)
    again = await _offered(database, MESSAGE, FILE, second)
    assert [row["name"] for row in again] == ["bail.pdf", "plan.pdf"]
    assert [row["state"] for row in again] == ["offered", "refused"]
    assert [row["source_id"] for row in first] == [row["source_id"] for row in again]
    assert all(len(row["source_id"]) >= len("file:") + 24 for row in again)


async def test_a_thread_has_the_files_that_were_added_in_it(database: Database) -> None:
    """None of another team, place or thread, and none before its click or after its removal."""
    (row,) = await _offered(database)

    async def of(**other: str) -> tuple[str, ...]:
        where = {"team_id": "T1", "channel": "C1", "thread_ts": "1.1"} | other
        return await database.read(lambda c: sources.of_thread(c, **where))

    assert await of() == ()
    await _ready(database, row)
    assert await of() == (row["source_id"],)
    for other in ({"team_id": "T2"}, {"channel": "C2"}, {"thread_ts": "2.2"}):
        assert await of(**other) == ()
    gone = {"team_id": "T1", "expected": ("ready",), "to": "removed"}
    await database.write(lambda c: sources.move(c, row["source_id"], **gone))  # type: ignore[arg-type]
    assert await of() == ()


@pytest.mark.parametrize(
    ("by", "verdict"),
    [
        (OWNER, "accepted"),
        (clicker("U2"), "not_allowed"),
        (clicker("U2", approvers=frozenset({"U2"})), "accepted"),
        (clicker("U1", team="T2", home="T2"), "unknown_card"),
        (clicker("U1", home="T2"), "stranger"),
        (clicker("U1", home="T2", approvers=frozenset({"U1"})), "stranger"),
        (clicker("U1", kind="guest"), "stranger"),
        (clicker("U1", kind="outsider"), "stranger"),
    ],
)
async def test_only_those_who_may_decide_do(database: Database, by: Clicker, verdict: str) -> None:
    """Who dropped it or an approver; never another team, nor a guest from one in a shared channel."""
    (row,) = await _offered(database)
    jobs: list[Any] = []
    assert await _take(database, row, jobs, by=by) == verdict
    assert len(jobs) == (verdict == "accepted")
    for act in (
        lambda c: uploads.decline(c, row["source_id"], by=by),
        lambda c: uploads.remove(c, row["source_id"], by=by, enqueue=lambda *_: None),
    ):
        assert (await database.write(act)).verdict == ("already" if verdict == "accepted" else verdict)


async def test_a_file_is_taken_once_for_whom_was_clicked(database: Database) -> None:
    """The second click finds it decided; the job joins the first one's transaction; an audit row beside."""
    (row,) = await _offered(database)
    jobs: list[Any] = []
    assert await _take(database, row, jobs, scope="team") == "accepted"
    assert await _take(database, row, jobs, scope="here") == "already"
    assert jobs == [("add_file", f"T1/{row['source_id']}~1", f"source:{row['source_id']}")]
    (now,) = await _offered(database)
    assert (now["state"], now["audience"], now["decided_by"]) == ("adding", "public", "U1")
    trace = await database.read(lambda c: c.execute(sa.text("select event, actor, subject from audit")).all())
    assert [tuple(one) for one in trace] == [("source_adding", "U1", row["source_id"])]


async def test_a_failed_file_is_taken_again_by_a_job_of_its_own(database: Database) -> None:
    """For whom it was meant at first; one that cannot be read is not tried again; so is a removal that failed."""
    (row,) = await _offered(database)
    jobs: list[Any] = []
    await _take(database, row, jobs, scope="team")
    assert await _take(database, row, jobs, scope="again") == "already"
    where = {"team_id": "T1", "expected": ("adding",)}
    await database.write(lambda c: sources.move(c, row["source_id"], to="failed", reason="Raison.", **where))  # type: ignore[arg-type]
    assert await _take(database, row, jobs, scope="here") == "already"
    assert await _take(database, row, jobs, scope="again") == "accepted"
    (now,) = await _offered(database)
    assert (now["state"], now["audience"], now["reason"]) == ("adding", "public", None)
    subjects = [job[1] for job in jobs]
    assert subjects == [f"T1/{row['source_id']}~1", f"T1/{row['source_id']}~2"]
    assert {uploads.named_by(subject) for subject in subjects} == {("T1", row["source_id"])}
    await database.write(lambda c: sources.move(c, row["source_id"], to="unreadable", **where))  # type: ignore[arg-type]
    assert await _take(database, row, jobs, scope="again") == "already"


async def test_a_declined_file_cannot_be_taken(database: Database) -> None:
    """No job for it any more."""
    (row,) = await _offered(database)
    assert (await database.write(lambda c: uploads.decline(c, row["source_id"], by=OWNER))).verdict == "accepted"
    jobs: list[Any] = []
    assert await _take(database, row, jobs) == "already"
    assert jobs == []


async def test_nothing_crosses_teams_or_conversations_in_the_list(database: Database) -> None:
    """Promise 6: each sees its team's sources and its own conversation's; the same content elsewhere is unknown."""
    places = (("T1", "C1", "channel:C1"), ("T1", "C2", "channel:C2"), ("T1", "C3", "public"), ("T2", "C1", "public"))
    for number, (team, channel, audience) in enumerate(places):
        message = replace(MESSAGE, team_id=team, channel=channel, event_id=f"Ev{number}")
        (row,) = await _offered(database, message, replace(FILE, name=f"{team} {audience}"))
        await _ready(database, row, audience=audience)

    def seen(connection: sa.Connection, team: str, channel: str) -> set[str]:
        audiences = uploads.audiences_of(channel)
        return {row["name"] for row in sources.listed(connection, team_id=team, audiences=audiences)}

    assert await database.read(lambda c: seen(c, "T1", "C1")) == {"T1 channel:C1", "T1 public"}
    assert await database.read(lambda c: seen(c, "T1", "C9")) == {"T1 public"}
    assert await database.read(lambda c: seen(c, "T2", "C1")) == {"T2 public"}
    assert await database.read(lambda c: seen(c, "T3", "C1")) == set()


PLACES: tuple[tuple[str, str, uploads.Scope], ...] = (
    ("T1", "C1", "here"), ("T1", "C1", "here"), ("T1", "C2", "here"), ("T1", "C3", "team"), ("T1", "C4", "here"),
    ("T2", "C1", "team"),
)  # fmt: skip


async def test_the_same_content_is_claimed_once_for_those_who_may_see_it(database: Database) -> None:
    """A twin of the team or of this conversation is named, also while it is added; another private one is unknown."""
    found: list[Any] = []
    for number, (team, channel, scope) in enumerate(PLACES):
        message = replace(MESSAGE, team_id=team, channel=channel, event_id=f"Ev{number}", ts=f"{number}.1")
        (row,) = await _offered(database, message)
        await _take(database, row, [], by=clicker("U1", team=team, home=team), scope=scope)
        (row,) = await _offered(database, message)
        twin = await _claim(database, row)
        found.append(twin and (twin["channel"], twin["state"]))
        assert (await _claim(database, row) is None) == (twin is None), "a job that resumes is not its own twin"
        if twin is not None:
            where = {"team_id": team, "expected": ("adding",), "to": "duplicate"}
            await database.write(lambda c, r=row, w=where: sources.move(c, r["source_id"], **w))  # type: ignore[misc]
    assert found == [None, ("C1", "adding"), None, None, ("C3", "adding"), None]


async def _claim(database: Database, row: Row) -> Row | None:
    return await database.write(lambda c: sources.claim_content(c, row, "same"))


async def test_a_silent_message_is_claimed_and_counts_as_addressed(database: Database) -> None:
    """No job, no turn in the memory, but the person has spoken with us in this thread."""
    jobs: list[Any] = []
    note = lambda _c, *job: jobs.append(job)  # noqa: E731
    assert await database.write(lambda c: inbox.accept(c, MESSAGE, enqueue=note, silently=True))
    assert not await database.write(lambda c: inbox.accept(c, MESSAGE, enqueue=note))
    key = {"team_id": "T1", "thread_key": "C1:1.1", "user_id": "U1"}
    assert await database.read(lambda c: threads.has_addressed(c, **key))
    asked = replace(MESSAGE, event_id="Ev2", ts="1.2", text="et alors ?")
    await database.write(lambda c: inbox.accept(c, asked, enqueue=note))
    assert await database.read(lambda c: threads.history(c, answers.get(c, asked.answer_id))) == ()
    assert [job[0] for job in jobs] == ["sign"]


async def test_its_files_are_claimed_apart_from_the_message(database: Database) -> None:
    """A mention's twin, redelivered or late, offers nothing twice."""
    assert await database.write(lambda c: inbox.claim(c, MESSAGE, kind="files"))
    twin = replace(MESSAGE, event_id="Ev9")
    assert not await database.write(lambda c: inbox.claim(c, twin, kind="files"))
    assert await database.write(lambda c: inbox.claim(c, twin))
    assert await database.read(lambda c: inbox.is_claimed(c, MESSAGE, kind="files"))
